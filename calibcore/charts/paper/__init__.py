"""Figures on paper: the same results as on the screen, drawn by matplotlib and python-ternary.

Imported only when something is printed: it takes half a second.
"""

from matplotlib.figure import Figure

from calibcore.charts.paper.bandwidths import bandwidth_print
from calibcore.charts.paper.decisions import decision_print, selective_print
from calibcore.charts.paper.enough import enough_print
from calibcore.charts.paper.evidence import evidence_print
from calibcore.charts.paper.forest import comparison_print, groups_print
from calibcore.charts.paper.letters import font_folder, legible, printable, stand_ins, standing_in
from calibcore.charts.paper.multiples import group_multiples_print, multiples_print
from calibcore.charts.paper.null_distribution import null_print
from calibcore.charts.paper.recalibration import before_after_print, gains_print, temperature_print
from calibcore.charts.paper.reliability import reliability_print
from calibcore.charts.paper.sensitivity import sensitivity_print
from calibcore.charts.paper.shared_bins import bins_print
from calibcore.charts.paper.sheets import grey, saved
from calibcore.charts.paper.smooth_curve import smooth_curve_print
from calibcore.charts.paper.tests_aligned import aligned_print
from calibcore.charts.paper.tetrahedron import tetrahedron_print
from calibcore.charts.paper.training import training_print
from calibcore.charts.paper.triangle import simplex_print, smooth_print

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
