"""Recalibration as a what-if: all ways in order, one in full, what to take along."""
