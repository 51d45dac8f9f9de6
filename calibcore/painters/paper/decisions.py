"""The decision curve on paper, and errors among accepted answers over coverage."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from calibcore.charts import style
from calibcore.errors import InputError
from calibcore.painters.paper import marks
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.marks import Entries, panels
from calibcore.painters.paper.sheets import label_above, on_paper
from calibcore.questions.decide import Decisions
from calibcore.questions.decide.charts import (
    ALONE,
    CHANCE,
    DELIVERED,
    INTERVAL,
    PROMISED,
    TARGET_LINE,
    Curves,
    decision_curves,
    promise_curves,
    selective_curves,
)
from calibcore.questions.decide.result import Promise

HIGH, SELECTIVE_HIGH = 52.0, 46.0
"""Millimetres of the panels."""
LINES: dict[str, dict[str, Any]] = {
    DELIVERED: {"color": style.OBSERVED, "linewidth": 1.6},
    PROMISED: {"color": style.PREDICTED["light"], "linewidth": 0.9},
}


@on_paper
def decision_print(decisions: Decisions, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.decisions.decision_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    return _curves(decision_curves(decisions, noun), HIGH, width)


@on_paper
def selective_print(decisions: Decisions, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.decisions.selective_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    curves = selective_curves(decisions, noun)
    figure = _curves(curves, SELECTIVE_HIGH, width)
    figure.axes[0].set_xlim(*curves.reach)
    return figure


@on_paper
def promise_print(decisions: Decisions, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.decisions.promise_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns; no target was asked for.
    """
    return _promise(decisions, decisions.ruling_in, noun, width)


@on_paper
def rule_out_print(decisions: Decisions, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.decisions.rule_out_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns; no target was asked for.
    """
    return _promise(decisions, decisions.ruling_out, noun, width)


def _promise(decisions: Decisions, promise: Promise | None, noun: str, width: float) -> Figure:
    if promise is None:
        raise InputError("No target was asked for; there is no promise to draw.")
    curves = promise_curves(decisions, promise, noun)
    looks = ((curves.naive, "D", style.CHANCE), (curves.shown, "o", style.PREDICTED["light"]))
    places = [(place, marker, colour) for place, marker, colour in looks if place is not None]
    entries: Entries = [
        (Line2D([], [], **LINES[DELIVERED]), DELIVERED),
        (Patch(**marks.INTERVAL), ALONE),
        *((marks.dot(marker, colour, color=colour), place.name) for place, marker, colour in places),
    ]
    figure, (axes,) = panels(width, (SELECTIVE_HIGH,), entries)
    label_above(axes, curves.above, bold=True)
    axes.fill_between(curves.x, curves.wrong, curves.limit, label=ALONE, **marks.INTERVAL)
    mark = "." if len(curves.x) < 2 else ""
    axes.plot(curves.x, curves.wrong, marker=mark, label=DELIVERED, **LINES[DELIVERED])
    marks.level(axes, curves.asked, TARGET_LINE, TARGET_LINE)
    for place, marker, colour in places:
        axes.plot(
            [place.x], [place.y], marker=marker, color=colour, markersize=5, linestyle="none",
            label=place.name, zorder=4,
        )  # fmt: skip
    axes.set_xlim(-1, 102)
    axes.set_ylim(0, curves.top)
    axes.set_xlabel(legible(curves.across))
    return figure


def _curves(curves: Curves, high: float, width: float) -> Figure:
    lines = LINES | {
        name: {"color": style.CHANCE, "linewidth": 0.9, "linestyle": dash}
        for name, dash in zip(curves.without, ("--", ":"), strict=False)
    }
    entries: Entries = [(Line2D([], [], **look), name) for name, look in lines.items()]
    entries[2:2] = (Patch(**marks.INTERVAL), INTERVAL), marks.chance_key(CHANCE)
    figure, (axes,) = panels(width, (high,), entries)
    label_above(axes, curves.above, bold=True)
    axes.fill_between(curves.x, *curves.band, label=CHANCE, **marks.CHANCE)
    axes.fill_between(curves.known, *curves.interval, label=INTERVAL, **marks.INTERVAL)
    mark = "." if len(set(curves.x)) < 2 else ""
    for name, y in (curves.without | {PROMISED: curves.promised, DELIVERED: curves.delivered}).items():
        axes.plot(curves.x, y, marker=mark, label=name, **lines[name])
    axes.set_ylim(*curves.ends)
    axes.set_xlabel(legible(curves.across))
    return figure
