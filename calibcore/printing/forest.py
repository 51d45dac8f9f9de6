"""Sizes with their intervals on paper, one row each; bars join rows that cannot be told apart."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from calibcore.figures import style
from calibcore.figures.forest import (
    AXIS_WORDS,
    LANE,
    VERDICTS,
    Row,
    comparison_joined,
    comparison_rows,
    groups_rows,
    lanes,
)
from calibcore.printing.keys import FOOT, RIGHT, Entries, draw_key, key_height
from calibcore.printing.letters import legible
from calibcore.printing.paper import SMALL, TEXT, on_paper, panel, sheet
from calibcore.questions.compare import Comparison
from calibcore.questions.groups import GroupSurvey

ROW, ABOVE = 7.0, 3.0
"""Millimetres: of a row, and above the first."""
NAMES = 0.34
"""Share of the width that names have."""
MARK = {"miscalibrated": ("o", "full"), "consistent": ("D", "none"), "cannot-tell": ("s", "none")}
"""The verdict of a row: a shape, and whether it is full."""


@on_paper
def comparison_print(comparison: Comparison, width: float = 89) -> Figure:
    """As :func:`calibcore.figures.forest.comparison_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    return _forest(comparison_rows(comparison), AXIS_WORDS, comparison_joined(comparison), width)


@on_paper
def groups_print(found: GroupSurvey, width: float = 89) -> Figure:
    """As :func:`calibcore.figures.forest.groups_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    return _forest(groups_rows(found), AXIS_WORDS, (), width)


def _forest(rows: Sequence[Row], words: str, joined: Sequence[Sequence[int]], width: float) -> Figure:
    entries = _entries(rows, bool(joined))
    low, high = key_height(entries, width) + FOOT, ROW * len(rows)
    figure = sheet(width, low + high + ABOVE)
    left = NAMES * width
    axes = panel(figure, left, low, width - left - RIGHT, high)
    most = 1.06 * max(row.high for row in rows) or 1.0
    axes.set(xlim=(0, most), ylim=(len(rows) - 0.5, -0.5))
    names = ["\n".join(style.corner_lines(legible(row.name), int(left / 1.35))) for row in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.tick_params(axis="y", length=0, labelsize=SMALL)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(words)
    for place, row in enumerate(rows):
        axes.plot([row.low, row.high], [place] * 2, color=TEXT, linewidth=0.9, label="interval")
        marker, fill = MARK[row.colour]
        axes.plot(
            [row.value], [place], marker=marker, markersize=4.5, color=style.VERDICT[row.colour],
            markerfacecolor=style.VERDICT[row.colour] if fill == "full" else "white", clip_on=False,
            markeredgecolor=style.VERDICT_TEXT[row.colour]["light"], zorder=3, label="size",
        )  # fmt: skip
    for lane, places in zip(lanes(joined), joined, strict=True):
        axes.plot(
            [most * (0.985 - LANE * lane)] * 2, [places[0] - 0.15, places[-1] + 0.15], color=style.CHANCE,
            linewidth=2.6, solid_capstyle="butt", label="cannot be told apart",
        )  # fmt: skip
    draw_key(figure, entries, (RIGHT, key_height(entries, width)))
    return figure


def _entries(rows: Sequence[Row], joined: bool) -> Entries:
    entries: Entries = [
        (
            Line2D(
                [], [], linestyle="none", marker=MARK[colour][0], markersize=4,
                markeredgecolor=style.VERDICT_TEXT[colour]["light"],
                markerfacecolor=style.VERDICT[colour] if MARK[colour][1] == "full" else "white",
            ),
            words,
        )
        for colour, words in VERDICTS.items()
        if any(row.colour == colour for row in rows)
    ]  # fmt: skip
    if joined:
        bar = Line2D([], [], color=style.CHANCE, linewidth=2.6)
        entries.append((bar, "these cannot be told apart"))
    return entries
