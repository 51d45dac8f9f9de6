"""Classes or groups on paper as small diagrams on shared scales."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from calibcore.charts import style
from calibcore.charts.deviation_scale import DEVIATION
from calibcore.charts.multiples import LONGEST, Panel, class_panels, places, reach_of
from calibcore.charts.probability_axis import TITLE as GIVEN
from calibcore.painters.paper import marks
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.marks import LEFT, RIGHT
from calibcore.painters.paper.sheets import (
    BODY,
    LINE,
    OUTSIDE,
    SMALL,
    WITHIN,
    on_paper,
    panel,
    percents,
    sheet,
)
from calibcore.questions.groups import GroupDiagram
from calibcore.questions.groups.charts import group_panels
from calibcore.sensitivity.each_class import ClassesByEvidence

HIGH, TITLE, FOOT, GAP = 15.5, 16.2, 5.5, 5.0
"""Millimetres: a panel, the title above it, the numbers below the last, what is between two."""


@on_paper
def multiples_print(classes: ClassesByEvidence, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.multiples.multiples_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    return _draw_panels(class_panels(classes), width)


@on_paper
def group_multiples_print(groups: Sequence[GroupDiagram], width: float = 89) -> Figure:
    """All groups as :func:`calibcore.painters.screen.multiples.group_multiples_figure`, ``width`` mm wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    return _draw_panels(group_panels(groups), width)


def _draw_panels(panels: Sequence[Panel], width: float) -> Figure:
    columns = min(len(panels), 2 if width < 100 else 4)
    rows = -(-len(panels) // columns)
    figure = sheet(width, LINE + FOOT + rows * (HIGH + TITLE) + 4)
    size = (width - LEFT - RIGHT + GAP) / columns - GAP
    reach = reach_of([panel.diagram for panel in panels])
    for i, c in enumerate(panels):
        row, column = divmod(i, columns)
        bottom = LINE + FOOT + (rows - 1 - row) * (HIGH + TITLE)
        axes = panel(figure, LEFT + column * (size + GAP), bottom, size, HIGH)
        _panel(axes, c, reach)
        axes.tick_params(labelleft=column == 0, labelbottom=i + columns >= len(panels))
        _title(axes, c)
    full_width, tall = figure.get_size_inches() * 72
    figure.text(LEFT / width, 3 / tall, GIVEN, va="bottom")
    figure.text(2 / full_width, 1 - 2 / tall, DEVIATION, va="top")
    return figure


def _panel(axes: Axes, c: Panel, reach: float) -> None:
    """Bars and crosses; a cross beyond the scale is a triangle at its edge."""
    d, x = c.diagram, c.diagram.mean_prediction[:, 0]
    y = 100 * d.deviation
    axes.axhline(0, color=style.CHANCE, linewidth=0.6)
    axes.bar(
        x, 100 * (d.high - d.low), 0.05, 100 * d.low, zorder=2, label="if calibrated", **marks.CHANCE,
    )  # fmt: skip
    drawn = places(y, reach)
    for marker, of_kind in (("x", np.abs(y) <= reach), ("^", y > reach), ("v", y < -reach)):
        for outside in (False, True):
            chosen = of_kind & (d.outside == outside)
            axes.scatter(
                x[chosen], drawn[chosen], s=12 if outside else 7, marker=marker, zorder=3, clip_on=False,
                color=style.OBSERVED, linewidths=OUTSIDE if outside else WITHIN, label="observed",
            )  # fmt: skip
    axes.set(xlim=(-0.04, 1.04), ylim=(-reach, reach), xticks=(0, 0.5, 1))
    axes.yaxis.set_major_locator(MaxNLocator(4, symmetric=True))
    percents(axes, "x")


def _title(axes: Axes, c: Panel) -> None:
    """The name, and below it verdict, gap, interval and p, bold where it is miscalibrated."""
    name = legible(c.name)
    name = name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
    common: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "bottom"}
    step = SMALL + 2
    axes.annotate(name, (0, 1), (0, 2 + len(c.below) * step), fontsize=BODY, fontweight="bold", **common)
    strong = "bold" if c.verdict.answer == "miscalibrated" else "normal"
    for i, line in enumerate(map(legible, reversed(c.below))):
        axes.annotate(line, (0, 1), (0, 2 + i * step), fontsize=SMALL, fontweight=strong, **common)
