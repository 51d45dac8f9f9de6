"""Classes in order on lines of cumulative probabilities, on paper."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from calibcore.charts import style
from calibcore.charts.cumulative import OBSERVED, PREDICTED, RANGE, TITLE, CumulativeLine
from calibcore.painters.paper import marks
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.marks import Entries, dot
from calibcore.painters.paper.sheets import HAIRLINE, QUIET, SMALL, on_paper, percents

_ARROW = {"arrowstyle": "->", "color": style.OBSERVED, "linewidth": 1.1, "shrinkA": 0, "shrinkB": 0}
_RING: dict[str, Any] = {"marker": "o", "color": QUIET, "markerfacecolor": "white"}

_SHORTEST = 0.03
"""A shorter arrow would be all head: the dot alone says it."""
_NEAR = 0.27
"""The words of the outer borders turn away from the next border where it is nearer than this."""


def _side(borders: Sequence[float], k: int) -> str:
    last = len(borders) - 1
    if k == 0 < last and borders[1] - borders[0] < _NEAR:
        return "right"
    return "left" if k == last > 0 and borders[last] - borders[last - 1] < _NEAR else "center"


@on_paper
def cumulative_print(lines: Sequence[CumulativeLine], width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.cumulative.cumulative_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    entries: Entries = [(dot("o", "white", color=QUIET), PREDICTED), (dot("o", style.OBSERVED), OBSERVED)]
    figure, axes = marks.named_rows(width, [line.name for line in lines], entries)
    axes.set_xlim(-0.02, 1.02)  # room for marks at the ends, and for the words 100 %
    axes.set_xlabel(TITLE)
    percents(axes, "x")
    for row, line in enumerate(lines):
        axes.plot([0, 1], [row, row], color=style.CHANCE, linewidth=HAIRLINE, label="line")
        for share in line.ranges:
            ends = [share.low, share.high]
            axes.plot(ends, [row, row], color=style.OBSERVED, alpha=RANGE, linewidth=3, label="interval")
        for k, (tail, tip) in enumerate(zip(line.predicted, line.observed, strict=True)):
            if abs(tip - tail) > _SHORTEST:
                axes.annotate("", (tip, row), (tail, row), arrowprops=_ARROW)
            axes.plot([tail], [row], label="predicted", markersize=3.6, **_RING)
            axes.plot([tip], [row], "o", color=style.OBSERVED, markersize=2.4, label="observed")
            if row == 0:
                words = f"≤ {legible(line.borders[k])}"
                axes.text(tail, row - 0.22, words, fontsize=SMALL, ha=_side(line.predicted, k), va="bottom")
    return figure
