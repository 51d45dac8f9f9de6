"""Two classes without bins, on paper."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from calibcore.figures import style
from calibcore.figures.deviation_scale import DEVIATION
from calibcore.figures.smooth_curve import GIVEN, WIDE, band_name, names, strong_line
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.printing import marks
from calibcore.printing.keys import FOOT, HEAD, LEFT, RIGHT, STRIP, Entries, draw_key, key_height
from calibcore.printing.paper import label_above, on_paper, panel, percents, sheet
from calibcore.wording import plural

STRONG, WHOLE = 1.8, 0.7
"""Points: strokes of the curve outside its band, and of all of it."""


@on_paper
def smooth_curve_print(found: SmoothArrows, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.figures.smooth_curve.smooth_curve_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : more than two classes, a width other than those of columns.
    """
    entries = _entries(found)
    key = key_height(entries, width)
    low, high, inner = key + FOOT, 40.0 if width < 100 else 60.0, width - LEFT - RIGHT
    figure = sheet(width, low + STRIP + HEAD + high + HEAD)
    above = panel(figure, LEFT, low + STRIP + HEAD, inner, high)
    below = panel(figure, LEFT, low, inner, STRIP)
    x, band = found.places[:, 0], 100 * found.band
    above.axhline(0, color=style.CHANCE, linewidth=0.8, zorder=1.8)
    above.fill_between(
        x, -band, band, label=band_name(found), zorder=1.6,
        **marks.CHANCE | ({"linewidth": 4} if len(x) == 1 else {}),
    )  # fmt: skip
    mark = "." if len(x) == 1 else ""
    above.plot(x, 100 * found.curve, color=style.OBSERVED, linewidth=WHOLE, marker=mark, label="observed")
    above.plot(*strong_line(found), color=style.OBSERVED, linewidth=STRONG, marker=".", markersize=4)
    above.yaxis.set_major_locator(MaxNLocator(6))
    above.tick_params(labelbottom=False)
    label_above(above, DEVIATION)
    below.bar(x, found.shares, WIDE, color=style.PREDICTED["light"], linewidth=0, label="predicted")
    below.yaxis.set_major_locator(MaxNLocator(2))
    percents(below, "y")
    label_above(below, f"Share of {plural(noun)}")
    for axes in (above, below):
        axes.set(xlim=(-0.02, 1.02), xticks=np.linspace(0, 1, 6))
    percents(below, "x")
    below.set_xlabel(GIVEN)
    draw_key(figure, entries, (LEFT, key))
    return figure


def _entries(found: SmoothArrows) -> Entries:
    outside, within = names(found)
    entries: Entries = [marks.chance_key(band_name(found))]
    if found.strong.any():
        dot = Line2D([], [], color=style.OBSERVED, linewidth=STRONG, marker=".", markersize=4)
        entries.append((dot, outside))
    if not found.strong.all():
        entries.append((Line2D([], [], color=style.OBSERVED, linewidth=WHOLE), within))
    return entries
