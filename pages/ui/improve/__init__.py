"""Recalibration as a what-if: all ways by their gain, one in full, what to take along."""
