"""Two models on paper, in the bins that they share: how far each deviates, before its bar of chance."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from calibcore.figures import style
from calibcore.figures.pairs import BIN_AXES, place_in_bin
from calibcore.printing import marks
from calibcore.printing.keys import LEFT, Entries
from calibcore.printing.paper import label_above, on_paper, percents
from calibcore.questions.compare import SharedBin

MARKS = (("o", style.OBSERVED), ("D", "white"))
"""Of the first and of the second model: a shape and what fills it."""
WIDE = 0.26
"""Of a bar of chance, in widths of a bin."""


@on_paper
def bins_print(bins: Sequence[SharedBin], names: tuple[str, str], width: float = 89) -> Figure:
    """As :func:`calibcore.figures.pairs.bins_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    most = int((width - LEFT) / 1.5)
    short = [name if len(name) <= most else f"{name[: most - 1]}…" for name in names]
    entries: Entries = [
        (marks.dot(marker, fill), name) for (marker, fill), name in zip(MARKS, short, strict=True)
    ]
    entries.append(marks.chance_key("if calibrated"))
    figure, axes = marks.panel_with_key(width, 45.0 if width < 100 else 65.0, entries)
    for shared in bins:
        for which, side in enumerate((shared.a, shared.b)):
            if side is None:
                continue
            x = place_in_bin(shared, which)
            axes.bar(
                [x], [100 * (side.high - side.low)], WIDE * (shared.end - shared.start), 100 * side.low,
                label="if calibrated", **marks.CHANCE,
            )  # fmt: skip
            marker, fill = MARKS[which]
            axes.plot(
                [x], [100 * side.deviation], marker=marker, markersize=3.6, color=style.OBSERVED,
                markerfacecolor=fill, markeredgewidth=1.3 if side.outside else 0.7, zorder=3,
                label="observed",
            )  # fmt: skip
    axes.margins(y=0.08)
    axes.axhline(0, color=style.CHANCE, linewidth=0.7)
    axes.set_xlim(-0.01, 1.02)
    axes.set_xlabel(BIN_AXES[0])
    percents(axes, "x")
    label_above(axes, BIN_AXES[1])
    return figure
