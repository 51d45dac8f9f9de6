"""What a test saw, on paper: the observed value among those that chance alone gives."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from calibcore.diagnose import NamedTest
from calibcore.errors import InputError
from calibcore.figures import style
from calibcore.figures.null_distribution import scale_and_axis
from calibcore.hypothesis_tests.histogram import histogram
from calibcore.numerics.distances import DEFAULT
from calibcore.numerics.types import Float
from calibcore.printing.keys import FOOT, LEFT, RIGHT
from calibcore.printing.paper import BODY, FILL, QUIET, label_above, on_paper, panel, sheet
from calibcore.words.phrases import pvalue
from calibcore.words.testing import chance_words, statistic_words

HEAD = 12.0
"""Millimetres above the panel: what was observed, and the label of the axis."""


@on_paper
def null_print(test: NamedTest, distance: str = DEFAULT, width: float = 89) -> Figure:
    """As :func:`calibcore.figures.null_distribution.null_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a test that made no redraws, a width other than those of columns.
    """
    result = test.result
    if result is None:
        raise InputError(f"The test {test.name!r} has no redraws to draw.")
    bars, (scale, words) = histogram(result), scale_and_axis(test, distance)
    edges, observed, chance = scale * bars.edges, scale * bars.observed, chance_words(result)
    high = 38.0 if width < 100 else 55.0
    figure = sheet(width, FOOT + high + HEAD)
    axes = panel(figure, LEFT, FOOT, width - LEFT - RIGHT, high)
    for chosen, hatch, name in (
        (~bars.beyond, None, chance),
        (bars.beyond, "//////", "at least as large as observed"),
    ):
        axes.bar(
            edges[:-1][chosen], bars.counts[chosen], np.diff(edges)[chosen], align="edge", facecolor=FILL,
            linewidth=0.4, edgecolor=style.CHANCE, hatch=hatch, hatchcolor=style.OBSERVED, label=name,
        )  # fmt: skip
    top = 1.16 * float(bars.counts.max())
    axes.plot([observed] * 2, [0, top], color=style.OBSERVED, linewidth=1.8, label="observed")
    axes.set_ylim(0, top)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    _x_axis(axes, words)
    label_above(axes, "Redraws")
    sentence = f"observed {statistic_words(test.estimator, result.statistic, distance)}"
    _write_words(axes, edges, observed, (sentence, pvalue(result), chance))
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


def _write_words(axes: Axes, edges: Float, observed: float, words: tuple[str, str, str]) -> None:
    """The observed value and its p above its line, what chance gives where no line crosses it."""
    text, p, chance = words
    (low, high), top = axes.get_xlim(), axes.get_ylim()[1]
    axes.set_xlim(low, high)
    place = (observed - low) / (high - low)
    side = "left" if place < 1 / 3 else "right" if place > 2 / 3 else "center"
    common: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
    point = (observed, top)
    axes.annotate(text, point, (0, 13 + BODY), ha=side, va="bottom", fontweight="bold", **common)
    axes.annotate(p, point, (0, 10), ha=side, va="bottom", **common)
    left = observed > (edges[0] + edges[-1]) / 2
    beside = edges[0] if left else max(observed, edges[0])
    axes.annotate(chance, (beside, top), (3, -2), ha="left", va="top", color=QUIET, **common)
