"""A training run: which one is looked at, and what it comes to epoch by epoch."""
