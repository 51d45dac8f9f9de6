"""Two classes without bins, on paper."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from calibcore.charts import style
from calibcore.charts.probability_axis import ProbabilityAxis
from calibcore.charts.smooth_curve import band_name, band_of, names, shares_of, stretches, strong_line
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.painters.paper import marks
from calibcore.painters.paper.marks import STRIP, Entries
from calibcore.painters.paper.reliability import deviation_axes, shares_of_cases
from calibcore.painters.paper.sheets import on_paper

STRONG: dict[str, Any] = {"color": style.OBSERVED, "linewidth": 1.8, "marker": ".", "markersize": 4}
WHOLE: dict[str, Any] = {"color": style.OBSERVED, "linewidth": 0.7}
"""The curve outside its band, and all of it."""


@on_paper
def smooth_curve_print(arrows: SmoothArrows, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.smooth_curve.smooth_curve_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : more than two classes, a width other than those of columns.
    """
    tall = 40.0 if width < 100 else 60.0
    figure, (above, below) = marks.panels(width, (tall, STRIP), _entries(arrows))
    x = arrows.predicted[:, 0]
    region = marks.CHANCE | ({"linewidth": 4} if len(x) == 1 else {})
    for part in stretches(arrows):
        above.fill_between(*band_of(arrows, part), label=band_name(arrows), zorder=1.6, **region)
        dot = "." if len(part) == 1 else ""
        above.plot(x[part], 100 * arrows.curve[part], marker=dot, label="observed", **WHOLE)
        above.plot(*(values[part] for values in strong_line(arrows)), **STRONG)
    shares_of_cases(below, shares_of(arrows), noun)
    deviation_axes(above, below, ProbabilityAxis())
    return figure


def _entries(arrows: SmoothArrows) -> Entries:
    outside, within = names(arrows)
    entries: Entries = [marks.chance_key(band_name(arrows))]
    if arrows.strong.any():
        entries.append((Line2D([], [], **STRONG), outside))
    if not arrows.strong.all():
        entries.append((Line2D([], [], **WHOLE), within))
    return entries
