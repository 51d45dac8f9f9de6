"""Figures on paper: the same results as on the screen, drawn by matplotlib and python-ternary.

Imported only when something is printed: it takes half a second.
"""

from matplotlib.figure import Figure

from calibcore.printing.bandwidths import bandwidth_print
from calibcore.printing.decisions import decision_print, selective_print
from calibcore.printing.enough import enough_print
from calibcore.printing.evidence import evidence_print
from calibcore.printing.forest import comparison_print, groups_print
from calibcore.printing.letters import font_folder, legible, printable, stand_ins, standing_in
from calibcore.printing.multiples import group_multiples_print, multiples_print
from calibcore.printing.null_distribution import null_print
from calibcore.printing.paper import grey, saved
from calibcore.printing.recalibration import before_after_print, gains_print, temperature_print
from calibcore.printing.reliability import reliability_print
from calibcore.printing.sensitivity import sensitivity_print
from calibcore.printing.shared_bins import bins_print
from calibcore.printing.smooth_curve import smooth_curve_print
from calibcore.printing.tests_aligned import aligned_print
from calibcore.printing.tetrahedron import tetrahedron_print
from calibcore.printing.training import training_print
from calibcore.printing.triangle import simplex_print, smooth_print

__all__ = [
    "Figure",
    "aligned_print",
    "bandwidth_print",
    "before_after_print",
    "bins_print",
    "comparison_print",
    "decision_print",
    "enough_print",
    "evidence_print",
    "font_folder",
    "gains_print",
    "grey",
    "group_multiples_print",
    "groups_print",
    "legible",
    "multiples_print",
    "null_print",
    "printable",
    "reliability_print",
    "saved",
    "selective_print",
    "sensitivity_print",
    "simplex_print",
    "smooth_curve_print",
    "smooth_print",
    "stand_ins",
    "standing_in",
    "temperature_print",
    "tetrahedron_print",
    "training_print",
]
