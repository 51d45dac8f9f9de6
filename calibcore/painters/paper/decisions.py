"""The decision curve on paper, and errors among accepted answers over coverage."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from calibcore.charts import style
from calibcore.painters.paper import marks
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.marks import Entries, panels
from calibcore.painters.paper.sheets import label_above, on_paper
from calibcore.questions.decide import Decisions
from calibcore.questions.decide.charts import (
    CHANCE,
    DELIVERED,
    INTERVAL,
    PROMISED,
    Curves,
    decision_curves,
    selective_curves,
)

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
