"""Sizes with their intervals on paper, one row each; bars join rows that cannot be told apart."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from calibcore.charts import style
from calibcore.charts.forest import AXIS_WORDS, JOINED, LANE, Row, chips, lanes, longest
from calibcore.painters.paper import marks
from calibcore.painters.paper.marks import Entries
from calibcore.painters.paper.sheets import TEXT, on_paper
from calibcore.questions.compare import Comparison
from calibcore.questions.compare.charts import comparison_joined, comparison_rows
from calibcore.questions.groups import GroupSurvey
from calibcore.questions.groups.charts import groups_rows
from calibcore.words.verdicts import SMALL, Chip

MARK = {"miscalibrated": ("o", "full"), "consistent": ("D", "none"), "cannot-tell": ("s", "none")}
"""The verdict of a row: a shape, and whether it is full, which one that is small is not."""


@on_paper
def comparison_print(comparison: Comparison, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.forest.comparison_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    return _forest(comparison_rows(comparison), comparison_joined(comparison), width)


@on_paper
def groups_print(survey: GroupSurvey, width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.forest.groups_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    return _forest(groups_rows(survey), (), width)


def _forest(rows: Sequence[Row], joined: Sequence[Sequence[int]], width: float) -> Figure:
    entries: Entries = [
        (Line2D([], [], linestyle="none", markersize=4, **_mark(chip)), chip.words) for chip in chips(rows)
    ]
    if joined:
        entries.append((Line2D([], [], color=style.CHANCE, linewidth=2.6), JOINED))
    figure, axes = marks.named_rows(width, [row.name for row in rows], entries)
    most = longest(rows)
    axes.set_xlim(0, most)
    axes.set_xlabel(AXIS_WORDS)
    for place, row in enumerate(rows):
        axes.plot([row.low, row.high], [place] * 2, color=TEXT, linewidth=0.9, label="interval")
        axes.plot(
            [row.value], [place], markersize=4.5, clip_on=False, zorder=3, label="size", **_mark(row.chip)
        )
    for lane, places in zip(lanes(joined), joined, strict=True):
        axes.plot(
            [most * (0.985 - LANE * lane)] * 2, [places[0] - 0.15, places[-1] + 0.15], color=style.CHANCE,
            linewidth=2.6, solid_capstyle="butt", label="cannot be told apart",
        )  # fmt: skip
    return figure


def _mark(chip: Chip) -> dict[str, Any]:
    marker, fill = MARK[chip.colour]
    colour = style.VERDICT[chip.colour]
    return {
        "marker": marker, "color": colour,
        "markerfacecolor": colour if fill == "full" and chip != SMALL else "white",
        "markeredgecolor": style.VERDICT_TEXT[chip.colour]["light"],
    }  # fmt: skip
