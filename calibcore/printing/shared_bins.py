"""Two models on paper, in the bins that they share: how far each deviates, before its bar of chance."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from calibcore.figures import style
from calibcore.figures.pairs import BIN_AXES, place_in_bin
from calibcore.printing.keys import FOOT, HEAD, LEFT, RIGHT, Entries, draw_key, key_height
from calibcore.printing.paper import FILL, label_above, on_paper, panel, percents, sheet
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
    short = tuple(name if len(name) <= most else f"{name[: most - 1]}…" for name in names)
    entries = _entries((short[0], short[1]))
    low, high = key_height(entries, width) + FOOT, 45.0 if width < 100 else 65.0
    figure = sheet(width, low + high + HEAD)
    axes = panel(figure, LEFT, low, width - LEFT - RIGHT, high)
    for shared in bins:
        for which, side in enumerate((shared.a, shared.b)):
            if side is None:
                continue
            x = place_in_bin(shared, which)
            axes.bar(
                [x], [100 * (side.high - side.low)], WIDE * (shared.end - shared.start), 100 * side.low,
                facecolor=FILL, edgecolor=style.CHANCE, linewidth=0.4, label="if calibrated",
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
    draw_key(figure, entries, (LEFT, key_height(entries, width)))
    return figure


def _entries(names: tuple[str, str]) -> Entries:
    entries: Entries = [
        (
            Line2D(
                [], [], linestyle="none", marker=marker, markersize=3.6, color=style.OBSERVED,
                markerfacecolor=fill,
            ),
            name,
        )
        for (marker, fill), name in zip(MARKS, names, strict=True)
    ]  # fmt: skip
    return [*entries, (Patch(facecolor=FILL, edgecolor=style.CHANCE, linewidth=0.4), "if calibrated")]
