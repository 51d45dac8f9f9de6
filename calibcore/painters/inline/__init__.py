"""Figures as an SVG of a few kilobytes: no library, no script, colours by a style sheet.

For where the figure of plotly, 5 MB with its library, would stand in every output of a notebook.
"""

from calibcore.painters.inline.promise import promise_svg, rule_out_svg
from calibcore.painters.inline.reliability import SMALL_WIDTH, reliability_sketch, reliability_svg

__all__ = ["SMALL_WIDTH", "promise_svg", "reliability_sketch", "reliability_svg", "rule_out_svg"]
