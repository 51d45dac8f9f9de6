"""Predictions in, other predictions or labels out: lenses, nulls, redraws, groups of classes."""
