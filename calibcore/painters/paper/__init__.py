"""Figures on paper: the same results as on the screen, drawn by matplotlib and python-ternary.

Imported only when something is printed: it takes half a second.
"""

from matplotlib.figure import Figure

from calibcore.painters.paper.bandwidths import bandwidth_print
from calibcore.painters.paper.cumulative import cumulative_print
from calibcore.painters.paper.decisions import decision_print, promise_print, rule_out_print, selective_print
from calibcore.painters.paper.enough import enough_print
from calibcore.painters.paper.evidence import evidence_print
from calibcore.painters.paper.forest import comparison_print, groups_print
from calibcore.painters.paper.letters import font_folder, legible, printable, stand_ins, standing_in
from calibcore.painters.paper.multiples import group_multiples_print, multiples_print
from calibcore.painters.paper.null_distribution import null_print
from calibcore.painters.paper.recalibration import before_after_print, gains_print, temperature_print
from calibcore.painters.paper.reliability import reliability_print
from calibcore.painters.paper.sensitivity import sensitivity_print
from calibcore.painters.paper.shared_bins import bins_print
from calibcore.painters.paper.sheets import grey, saved
from calibcore.painters.paper.smooth_curve import smooth_curve_print
from calibcore.painters.paper.tests_aligned import aligned_print
from calibcore.painters.paper.tetrahedron import tetrahedron_print
from calibcore.painters.paper.training import training_print
from calibcore.painters.paper.triangle import simplex_print, smooth_print

__all__ = [
    "Figure",
    "aligned_print",
    "bandwidth_print",
    "before_after_print",
    "bins_print",
    "comparison_print",
    "cumulative_print",
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
    "promise_print",
    "reliability_print",
    "rule_out_print",
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
