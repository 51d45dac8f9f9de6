"""Arithmetic that knows nothing of calibration: compiled loops, threads, draws, distances."""
