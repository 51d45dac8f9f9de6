"""Evidence against calibration in time on paper, and below it the gap in moving windows."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from calibcore.charts import style
from calibcore.painters.paper import marks
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.marks import LEFT, Entries
from calibcore.painters.paper.sheets import MM, QUIET, SMALL, TEXT, label_above, on_paper
from calibcore.questions.monitor import Monitoring
from calibcore.questions.monitor.charts import (
    ALARM,
    CHANCE,
    EVIDENCE,
    GAP_NAME,
    Moment,
    axis_words,
    evidence_axis,
    evidence_line,
    gaps_of,
    level_notes,
    levels_on_the_right,
    moments_of,
    panel_words,
    window_places,
)
from calibcore.questions.monitor.evidence import LEVELS

UPPER, LOWER, BESIDE = 34.0, 25.0, 2.5
"""Millimetres: of the panels, and more on the left, for large numbers."""


@on_paper
def evidence_print(monitoring: Monitoring, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.evidence.evidence_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    figure, (evidence, gaps) = marks.panels(width, (UPPER, LOWER), _entries(monitoring), LEFT + BESIDE)
    for axes, words in zip((evidence, gaps), panel_words(monitoring), strict=True):
        label_above(axes, words, bold=True)
    _evidence(evidence, monitoring)
    _gaps(gaps, monitoring)
    _time(evidence, gaps, monitoring)
    for line, (moment, which) in enumerate(moments_of(monitoring, noun)):
        _mark(evidence, gaps, moment, which, line)
    gaps.set_xlabel(legible(axis_words(monitoring, noun)))
    return figure


def _evidence(axes: Axes, monitoring: Monitoring) -> None:
    low, top, ticks = evidence_axis(monitoring)
    axes.set_ylim(low, top)
    axes.set_yticks(list(ticks), list(ticks.values()))
    for level in LEVELS:
        axes.axhline(math.log10(level), color=style.CHANCE, linewidth=0.7, linestyle="--", label="level")
    right = levels_on_the_right(monitoring)
    for level, words, above in level_notes(monitoring):
        axes.annotate(
            words, (int(right), math.log10(level)), (-2 if right else 2, 1 if above else -2),
            xycoords=("axes fraction", "data"), textcoords="offset points", fontsize=SMALL, color=QUIET,
            ha="right" if right else "left", va="bottom" if above else "top",
        )  # fmt: skip
    places, powers = evidence_line(monitoring)
    x = [_place(place) for place in places]
    y = [math.nan if power is None else power for power in powers]
    axes.plot(x, y, color=style.PREDICTED["light"], linewidth=1.2, label=EVIDENCE)


def _mark(evidence: Axes, gaps: Axes, moment: Moment, which: str, line: int) -> None:
    """A moment across both panels, and in so many lines below the head of the first its words."""
    dash, above = "-" if which == ALARM else "--", 1.3 * SMALL * line / (72 * MM * UPPER)
    for axes, top in ((evidence, 1 - above), (gaps, 1)):
        axes.axvline(_place(moment.place), 0, top, color=TEXT, linewidth=0.9, linestyle=dash, label=which)
    evidence.annotate(
        legible(moment.words), (_place(moment.place), 1), (-2 if moment.late else 2, -1 - 1.3 * SMALL * line),
        xycoords=("data", "axes fraction"), textcoords="offset points",
        ha="right" if moment.late else "left", va="top", fontsize=SMALL,
    )  # fmt: skip


def _gaps(axes: Axes, monitoring: Monitoring) -> None:
    windows = monitoring.windows.listed
    x = [_place(place) for place in window_places(monitoring)]
    y, low, high = gaps_of(monitoring)
    axes.fill_between(x, low, high, label=CHANCE, **marks.CHANCE)
    axes.plot(x, y, color=style.OBSERVED, linewidth=0.9, label=GAP_NAME)
    outside = [i for i, window in enumerate(windows) if window.outside]
    axes.plot(
        [x[i] for i in outside], [y[i] for i in outside], linestyle="none", marker="o", markersize=3,
        color=style.OBSERVED, clip_on=False, label="outside",
    )  # fmt: skip
    axes.yaxis.set_major_locator(MaxNLocator(4))


def _time(evidence: Axes, gaps: Axes, monitoring: Monitoring) -> None:
    """One scale for both panels."""
    gaps.sharex(evidence)
    evidence.margins(x=0.02)
    evidence.autoscale(axis="x")
    evidence.tick_params(labelbottom=False)
    if monitoring.kind == "date":
        where = AutoDateLocator(minticks=3, maxticks=6)  # type: ignore[no-untyped-call]
        gaps.xaxis.set_major_locator(where)
        gaps.xaxis.set_major_formatter(
            ConciseDateFormatter(where, show_offset=False)  # type: ignore[no-untyped-call]
        )
    else:
        gaps.xaxis.set_major_locator(MaxNLocator(5))
        gaps.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")


def _place(time: int | float | str) -> float:
    """A date as matplotlib counts it."""
    if isinstance(time, str):
        time = date2num(np.datetime64(time.removesuffix("Z"), "us"))  # type: ignore[no-untyped-call]
    return float(time)


def _entries(monitoring: Monitoring) -> Entries:
    if not monitoring.windows.listed:
        return []
    return [
        marks.chance_key(f"{CHANCE}, 9 times in 10"),
        (
            Line2D([], [], color=style.OBSERVED, linewidth=0.9, marker="o", markersize=3),
            "outside what chance allows",
        ),
    ]  # fmt: skip
