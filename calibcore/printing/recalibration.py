"""Gains of recalibration on paper, one row a method."""

from functools import partial

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from calibcore.figures import style
from calibcore.figures.recalibration import gain_range
from calibcore.printing.keys import FOOT, RIGHT, Entries, draw_key, key_height
from calibcore.printing.letters import legible
from calibcore.printing.paper import SMALL, TEXT, on_paper, panel, sheet
from calibcore.questions.recalibrate import Recalibration
from calibcore.words import recalibrating

ROW, ABOVE = 7.0, 3.0
"""Millimetres: of a row, and above the first."""
NAMES = 0.34
"""Share of the width that names have."""
MARK = {"worthwhile": ("o", TEXT), "not-worthwhile": ("o", "white"), "cannot-tell": ("s", "white")}
"""The answer on a method: a shape, and what fills it."""


@on_paper
def gains_print(found: Recalibration, width: float = 89) -> Figure:
    """As :func:`calibcore.figures.recalibration.gains_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    methods = found.methods
    entries = _entries(found)
    low, high = key_height(entries, width) + FOOT, ROW * len(methods)
    figure = sheet(width, low + high + ABOVE)
    left = NAMES * width
    axes = panel(figure, left, low, width - left - RIGHT, high)
    axes.set(xlim=gain_range(methods), ylim=(len(methods) - 0.5, -0.5))
    names = ["\n".join(style.corner_lines(legible(one.map.label), int(left / 1.35))) for one in methods]
    axes.set_yticks(range(len(methods)), names)
    axes.tick_params(axis="y", length=0, labelsize=SMALL)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(recalibrating.SHARES)
    axes.axvline(0, color=style.CHANCE, linewidth=0.7)
    for place, method in enumerate(methods):
        share = partial(recalibrating.share_of_loss, method)
        if method.test is not None:
            ends = [share(method.test.low_by_chance), share(method.test.high_by_chance)]
            axes.plot(
                ends, [place] * 2, color=style.PRINT_FILL, linewidth=5, solid_capstyle="butt", label="chance"
            )
        ends = [share(method.gain.low), share(method.gain.high)]
        axes.plot(ends, [place] * 2, color=TEXT, linewidth=0.9, label="interval")
        marker, fill = MARK[method.answer]
        axes.plot(
            [share(method.gain.value)], [place], marker=marker, markersize=4.5, color=TEXT,
            markerfacecolor=fill, markeredgecolor=TEXT, clip_on=False, zorder=3, label="gain",
        )  # fmt: skip
    draw_key(figure, entries, (RIGHT, key_height(entries, width)))
    return figure


def _entries(found: Recalibration) -> Entries:
    entries: Entries = []
    if any(method.test is not None for method in found.methods):
        band = Line2D([], [], color=style.PRINT_FILL, linewidth=5)
        entries.append((band, "by chance, if calibrated"))
    entries += [
        (
            Line2D(
                [], [], linestyle="none", marker=MARK[answer][0], markersize=4, markeredgecolor=TEXT,
                markerfacecolor=MARK[answer][1],
            ),
            words.lower(),
        )
        for answer, words in recalibrating.ANSWERS.items()
        if any(method.answer == answer for method in found.methods)
    ]  # fmt: skip
    return entries
