"""Simulations of two papers, made again: `make experiments`."""
