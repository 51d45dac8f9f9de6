"""The decision curve on paper."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from calibcore.figures import style
from calibcore.figures.decisions import CHANCE, DELIVERED, INTERVAL, PROMISED, highest, lowest
from calibcore.printing.keys import FOOT, HEAD, LEFT, RIGHT, Entries, draw_key, key_height
from calibcore.printing.paper import FILL, label_above, on_paper, panel, sheet
from calibcore.questions.decide import Decisions
from calibcore.words.deciding import label_words, treat_words

HIGH = 52.0
"""Millimetres of the panel."""


@on_paper
def decision_print(found: Decisions, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.figures.decisions.decision_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    all_words, none_words = treat_words(bool(found.spec.lens.within.answers))
    entries = _entries(all_words, none_words)
    low = key_height(entries, width) + FOOT
    figure = sheet(width, low + HIGH + HEAD)
    axes = panel(figure, LEFT, low, width - LEFT - RIGHT, HIGH)
    label_above(axes, label_words(found, noun), bold=True)
    x = [100 * one.threshold for one in found.thresholds]
    bands = [found.band(one) for one in found.thresholds]
    axes.fill_between(
        x, [100 * one for one, _ in bands], [100 * one for _, one in bands], facecolor=FILL,
        edgecolor=style.CHANCE, linewidth=0.4, label=CHANCE,
    )  # fmt: skip
    known = [(100 * one.threshold, one.interval) for one in found.thresholds if one.interval is not None]
    axes.fill_between(
        [t for t, _ in known], [100 * one.low for _, one in known], [100 * one.high for _, one in known],
        facecolor="none", edgecolor=style.OBSERVED, hatch="......", linewidth=0.4, label=INTERVAL,
    )  # fmt: skip
    mark = "." if len(x) == 1 else ""
    axes.plot(
        x, [100 * one.treat_all for one in found.thresholds], color=style.CHANCE, linewidth=0.9,
        linestyle="--", marker=mark, label=all_words,
    )  # fmt: skip
    axes.plot(
        x, [0.0] * len(x), color=style.CHANCE, linewidth=0.9, linestyle=":", marker=mark, label=none_words
    )
    axes.plot(
        x, [100 * one.promised for one in found.thresholds], color=style.PREDICTED["light"], linewidth=0.9,
        marker=mark, label=PROMISED,
    )  # fmt: skip
    axes.plot(
        x, [100 * one.net_benefit for one in found.thresholds], color=style.OBSERVED, linewidth=1.6,
        marker=mark, label=DELIVERED,
    )  # fmt: skip
    axes.set_ylim(lowest(found), highest(found))
    axes.set_xlabel("Threshold, %")
    draw_key(figure, entries, (LEFT, key_height(entries, width)))
    return figure


def _entries(all_words: str, none_words: str) -> Entries:
    return [
        (Line2D([], [], color=style.OBSERVED, linewidth=1.6), DELIVERED),
        (Line2D([], [], color=style.PREDICTED["light"], linewidth=0.9), PROMISED),
        (Patch(facecolor="none", edgecolor=style.OBSERVED, hatch="......", linewidth=0.4), INTERVAL),
        (Patch(facecolor=FILL, edgecolor=style.CHANCE, linewidth=0.4), CHANCE),
        (Line2D([], [], color=style.CHANCE, linewidth=0.9, linestyle="--"), all_words),
        (Line2D([], [], color=style.CHANCE, linewidth=0.9, linestyle=":"), none_words),
    ]
