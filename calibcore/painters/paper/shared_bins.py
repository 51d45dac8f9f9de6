"""Two models on paper, in the bins that they share: how far each deviates, before its bar of chance."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from calibcore.charts import style
from calibcore.painters.paper import marks
from calibcore.painters.paper.marks import LEFT, PAIR, Entries
from calibcore.painters.paper.sheets import on_paper
from calibcore.questions.compare import SharedBin
from calibcore.questions.compare.charts import IF_CALIBRATED, place_in_bin

WIDE = 0.016
"""Of a bar of chance, as a share of the axis: two beside each other do not touch."""


@on_paper
def bins_print(bins: Sequence[SharedBin], names: tuple[str, str], width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.pairs.bins_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    most = int((width - LEFT) / 1.5)
    short = [name if len(name) <= most else f"{name[: most - 1]}…" for name in names]
    entries: Entries = [(marks.dot(*look), name) for look, name in zip(PAIR, short, strict=True)]
    entries.append(marks.chance_key(IF_CALIBRATED))
    figure, (axes,) = marks.panels(width, (45.0 if width < 100 else 65.0,), entries)
    for shared in bins:
        for which, side in enumerate((shared.a, shared.b)):
            x = place_in_bin(shared, which)
            if side is None or x is None:
                continue
            axes.bar(
                [x], [100 * (side.high - side.low)], WIDE, 100 * side.low,
                label=IF_CALIBRATED, **marks.CHANCE,
            )  # fmt: skip
            marker, fill = PAIR[which]
            axes.plot(
                [x], [100 * side.deviation], marker=marker, markersize=3.6, color=style.OBSERVED,
                markerfacecolor=fill, markeredgewidth=1.3 if side.outside else 0.7, zorder=3,
                label="observed",
            )  # fmt: skip
    marks.deviation_axes(axes)
    return figure
