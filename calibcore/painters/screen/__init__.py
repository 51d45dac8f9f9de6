"""Figures: a result in, a figure out, nothing computed. The only place that imports a plotting library."""
