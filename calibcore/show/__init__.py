"""Renderers of answers."""
