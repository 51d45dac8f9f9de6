"""How far the kernel test depends on its bandwidth, on paper."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from calibcore.charts import style
from calibcore.charts.bandwidths import (
    ABOVE,
    AXIS_TITLE,
    EXACT_P,
    OBSERVED,
    BandwidthChart,
    bandwidth_chart,
    strong_name,
)
from calibcore.painters.paper.marks import logarithmic, panels
from calibcore.painters.paper.sheets import FILL, QUIET, SMALL, label_above, on_paper
from calibcore.sensitivity.bandwidths import BandwidthSensitivity

HIGH, LOW, NAMES = 32.0, 20.0, 7.0
"""Millimetres: of the two panels, and of the names of the rules above."""


@on_paper
def bandwidth_print(sensitivity: BandwidthSensitivity, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.bandwidths.bandwidth_figure`, ``width`` millimetres wide.

    A p at the level or below is a full mark, the others are hollow.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    chart = bandwidth_chart(sensitivity)
    v, banded, alpha, low, high = chart.bandwidths, chart.banded, chart.alpha, chart.low, chart.high
    figure, (above, below) = panels(width, (HIGH, LOW), [], above=NAMES)
    above.fill(
        np.concatenate([v[banded], v[banded][::-1]]), np.concatenate([low[banded], high[banded][::-1]]),
        facecolor=FILL, edgecolor="none", label=chart.chance,
    )  # fmt: skip
    above.axhline(0, color=style.CHANCE, linewidth=0.6)
    curve: dict[str, Any] = {"color": style.OBSERVED, "linewidth": 1.2, "marker": "o", "markersize": 2.2}
    above.plot(v, chart.above, label=OBSERVED, **curve)
    above.yaxis.set_major_locator(MaxNLocator(6))
    above.set_ylim(bottom=float(np.nanmin([low, chart.above])) - 1.6)  # room for words below the band
    above.annotate(
        chart.chance, (float(v[banded][-1]), float(low[banded][-1])), (0, -2),
        textcoords="offset points",
        ha="right", va="top", color=QUIET,
    )  # fmt: skip
    below.plot(v, chart.pvalue, color=style.CHANCE, linewidth=0.6, label="p")
    for strong in (False, True):
        chosen = chart.strong == strong
        below.scatter(
            v[chosen], chart.pvalue[chosen], s=12, zorder=3,
            facecolor=style.OBSERVED if strong else "white",
            edgecolor=style.OBSERVED, linewidths=0.7,
            label=strong_name(strong),
        )  # fmt: skip
    below.axhline(alpha, color=style.CHANCE, linewidth=0.7, linestyle="--")
    first, last = np.abs(np.log(chart.pvalue[[0, -1]] / alpha))  # the words go where no mark is near
    side = 1 if last > first else 0
    below.annotate(
        chart.level, (side, alpha), (0, 2), xycoords=("axes fraction", "data"), va="bottom",
        ha="right" if side else "left",
        textcoords="offset points", color=QUIET, fontsize=SMALL,
    )  # fmt: skip
    logarithmic(below, "y", *chart.p_ends)
    for axes in (above, below):
        logarithmic(axes, "x", *chart.across)
        axes.grid(visible=False, axis="x")
    above.tick_params(labelbottom=False)
    below.set_xlabel(AXIS_TITLE)
    label_above(below, EXACT_P)
    _rules(above, below, chart)
    figure.text(2 / 72 / figure.get_size_inches()[0], 0.985, ABOVE, va="top")
    return figure


def _rules(above: Axes, below: Axes, chart: BandwidthChart) -> None:
    """Upright lines, drawn through for the rule in use, with their names above."""
    for rule in chart.rising:
        for axes in (above, below):
            axes.axvline(
                rule.value, color=style.CHANCE, linewidth=1.2 if rule.used else 0.6,
                linestyle="-" if rule.used else ":",
            )  # fmt: skip
        above.annotate(
            rule.name, (rule.value, 1), (0, 10 if rule.side == "center" else 2),
            xycoords=("data", "axes fraction"),
            textcoords="offset points", ha=rule.side, va="bottom", color=QUIET, annotation_clip=False,
            fontweight="bold" if rule.used else "normal",
        )  # fmt: skip
