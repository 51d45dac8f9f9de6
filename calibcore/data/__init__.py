"""Predictions and labels: what they are, what they must be, and the bundled examples."""
