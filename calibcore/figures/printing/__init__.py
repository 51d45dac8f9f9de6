"""Figures on paper: the same results as on the screen, drawn by matplotlib and python-ternary.

Imported only when something is printed: it takes half a second.
"""

from matplotlib.figure import Figure

from calibcore.figures.printing.null_distribution import null_print
from calibcore.figures.printing.paper import saved
from calibcore.figures.printing.reliability import reliability_print
from calibcore.figures.printing.tetrahedron import tetrahedron_print
from calibcore.figures.printing.triangle import simplex_print

__all__ = [
    "Figure",
    "null_print",
    "reliability_print",
    "saved",
    "simplex_print",
    "tetrahedron_print",
]
