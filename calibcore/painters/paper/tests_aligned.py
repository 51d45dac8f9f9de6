"""Every test of a diagnosis on paper, on one axis of p, grouped by what it promises."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from calibcore.charts import style
from calibcore.charts.tests_aligned import (
    AXIS_TITLE,
    HIGH,
    Row,
    heading_of,
    leftmost,
    line_of_bound,
    placed,
)
from calibcore.diagnose import Diagnosis
from calibcore.painters.paper.marks import FOOT, logarithmic
from calibcore.painters.paper.sheets import BODY, QUIET, SMALL, TEXT, on_paper, panel, sheet

ROW, HEADING, ABOVE, BESIDE = 6.5, 6.0, 5.0, 4.0
"""Millimetres: a test, the promise above its tests, what is above all, what is beside."""


@on_paper
def aligned_print(diagnosis: Diagnosis, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.tests_aligned.aligned_figure`, ``width`` millimetres wide.

    A p at the level or below is a full mark, the others are hollow.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    alpha, low = diagnosis.spec.alpha, leftmost(diagnosis)
    groups, high = placed(diagnosis, HEADING, ROW)
    high += 1
    figure = sheet(width, FOOT + high + ABOVE)
    axes = panel(figure, BESIDE, FOOT, width - 2 * BESIDE, high)
    axes.set(ylim=(high, 0), yticks=[])
    axes.spines["left"].set_visible(False)
    logarithmic(axes, "x", low, HIGH)
    axes.grid(visible=False)
    axes.set_xlabel(AXIS_TITLE)
    axes.axvline(alpha, color=style.CHANCE, linewidth=0.7, linestyle="--", zorder=1)
    axes.annotate(
        f"level {alpha:g}", (alpha, 1), (0, 2), xycoords=("data", "axes fraction"), ha="center", va="bottom",
        textcoords="offset points", color=QUIET, fontsize=SMALL,
    )  # fmt: skip
    for promise, top, rows in groups:
        _words(axes, heading_of(promise), top + 0.5 * HEADING, 0, True, BODY)
        for row in rows:
            _row(axes, row, low, alpha)
    return figure


def _row(axes: Axes, row: Row, low: float, alpha: float) -> None:
    """Name and p in words, and below them the place of p: a withheld test has none."""
    p, y = row.p, row.top + 0.68 * ROW
    strong = row.strong(alpha)
    _words(axes, row.name, row.top + 0.22 * ROW, 0, strong)
    _words(axes, row.words, row.top + 0.22 * ROW, 1, strong)
    axes.axhline(y, color=style.PRINT_GRID, linewidth=0.5, zorder=0.5)
    if p is None:
        return
    if row.bound:
        ends = line_of_bound(p, low)
        axes.plot(ends, [y, y], color=style.OBSERVED, linewidth=0.9, linestyle=":", label="p lies below")
    elif row.smallest:
        axes.plot(
            [max(p, low)], [y], marker="|", markersize=8, color=style.OBSERVED, label="smallest possible"
        )
    marker = "<" if row.bound or p <= low else "o"
    axes.plot(
        [max(p, low)], [y], marker=marker, markersize=4.2, color=style.OBSERVED, markeredgewidth=0.9,
        markerfacecolor=style.OBSERVED if strong else "white", clip_on=False, zorder=3,
        label="upper bound" if row.bound else "p",
    )  # fmt: skip


def _words(axes: Axes, text: str, y: float, side: int, strong: bool, size: float = SMALL) -> None:
    axes.annotate(
        text, (side, y), xycoords=("axes fraction", "data"), ha="right" if side else "left", va="center",
        fontsize=size, color=TEXT if strong else QUIET, fontweight="bold" if size == BODY else "normal",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
    )  # fmt: skip
