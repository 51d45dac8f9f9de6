"""What a test saw, on paper: the observed value among those that chance alone gives."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from calibcore.diagnose import NamedTest
from calibcore.distances import DEFAULT
from calibcore.figures import style
from calibcore.figures.null_distribution import Histogram, histogram_of
from calibcore.figures.printing.paper import BODY, FILL, QUIET, label_above, on_paper, panel, sheet
from calibcore.figures.printing.reliability import FOOT, LEFT, RIGHT
from calibcore.words import pvalue, statistic_words

HEAD = 12.0
"""Millimetres above the panel: what was observed, and the label of the axis."""


@on_paper
def null_print(test: NamedTest, distance: str = DEFAULT, width: float = 89) -> Figure:
    """As :func:`calibcore.figures.null_distribution.null_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a test that made no redraws, a width other than those of columns.
    """
    drawn = histogram_of(test, distance)
    high = 38.0 if width < 100 else 55.0
    figure = sheet(width, FOOT + high + HEAD)
    axes = panel(figure, LEFT, FOOT, width - LEFT - RIGHT, high)
    left, size = drawn.edges[:-1], np.diff(drawn.edges)
    for chosen, hatch, name in (
        (~drawn.tail, None, "if calibrated"),
        (drawn.tail, "//////", "at least as large as observed"),
    ):
        axes.bar(
            left[chosen], drawn.counts[chosen], size[chosen], align="edge", facecolor=FILL, linewidth=0.4,
            edgecolor=style.CHANCE, hatch=hatch, hatchcolor=style.OBSERVED, label=name,
        )  # fmt: skip
    top = 1.16 * float(drawn.counts.max())
    axes.plot([drawn.observed] * 2, [0, top], color=style.OBSERVED, linewidth=1.8, label="observed")
    axes.set_ylim(0, top)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    _x_axis(axes, drawn.axis)
    label_above(axes, "Redraws")
    _said(axes, test, distance, drawn, top)
    return figure


def _x_axis(axes: Axes, words: str) -> None:
    """Numbers with few digits; a power of ten goes into the label."""
    axes.xaxis.set_major_locator(MaxNLocator(6))
    most = max(abs(end) for end in axes.get_xlim())
    power = int(np.floor(np.log10(most)))
    power = power if power < -2 else 0
    axes.xaxis.set_major_formatter(lambda value, _: f"{value / 10.0**power:.4g}".replace("-", "−"))
    high = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    axes.set_xlabel(words + (f", × 10{high}" if power else ""))


def _said(axes: Axes, test: NamedTest, distance: str, drawn: Histogram, top: float) -> None:
    """The observed value above its line, "if calibrated" above the bars, where no line crosses it."""
    assert test.result is not None
    low, high = axes.get_xlim()
    axes.set_xlim(low, high)
    place = (drawn.observed - low) / (high - low)
    side = "left" if place < 1 / 3 else "right" if place > 2 / 3 else "center"
    said: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
    at = (drawn.observed, top)
    words = statistic_words(test.estimator, test.result.statistic, distance)
    axes.annotate(
        f"observed {words}", at, (0, 10 + BODY + 3), ha=side, va="bottom", fontweight="bold", **said
    )
    axes.annotate(pvalue(test.result), at, (0, 10), ha=side, va="bottom", **said)
    middle = (drawn.edges[0] + drawn.edges[-1]) / 2
    beside = drawn.edges[0] if drawn.observed > middle else max(drawn.observed, drawn.edges[0])
    axes.annotate("if calibrated", (beside, top), (3, -2), ha="left", va="top", color=QUIET, **said)
