"""The decision curve on paper."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from calibcore.figures import style
from calibcore.figures.decisions import CHANCE, DELIVERED, INTERVAL, PROMISED, highest, lowest
from calibcore.printing import marks
from calibcore.printing.keys import Entries
from calibcore.printing.paper import label_above, on_paper
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
    entries = [*keys(), (Line2D([], [], **ALL), all_words), (Line2D([], [], **NONE), none_words)]
    figure, axes = marks.panel_with_key(width, HIGH, entries)
    label_above(axes, label_words(found, noun), bold=True)
    x = [100 * one.threshold for one in found.thresholds]
    bands = [found.band(one) for one in found.thresholds]
    axes.fill_between(
        x, [100 * one for one, _ in bands], [100 * one for _, one in bands], label=CHANCE, **marks.CHANCE
    )
    known = [(100 * one.threshold, one.interval) for one in found.thresholds if one.interval is not None]
    axes.fill_between(
        [t for t, _ in known], [100 * one.low for _, one in known], [100 * one.high for _, one in known],
        label=INTERVAL, **marks.INTERVAL,
    )  # fmt: skip
    mark = "." if len(x) == 1 else ""
    axes.plot(x, [100 * one.treat_all for one in found.thresholds], marker=mark, label=all_words, **ALL)
    axes.plot(x, [0.0] * len(x), marker=mark, label=none_words, **NONE)
    for name, values in (
        (PROMISED, [one.promised for one in found.thresholds]),
        (DELIVERED, [one.net_benefit for one in found.thresholds]),
    ):
        axes.plot(x, [100 * value for value in values], marker=mark, label=name, **LINES[name])
    axes.set_ylim(lowest(found), highest(found))
    axes.set_xlabel("Threshold, %")
    return figure


LINES: dict[str, dict[str, Any]] = {
    DELIVERED: {"color": style.OBSERVED, "linewidth": 1.6},
    PROMISED: {"color": style.PREDICTED["light"], "linewidth": 0.9},
}
ALL: dict[str, Any] = {"color": style.CHANCE, "linewidth": 0.9, "linestyle": "--"}
NONE = ALL | {"linestyle": ":"}


def keys() -> Entries:
    """What was delivered and promised, the interval of the one and what chance makes of the other."""
    lines: Entries = [(Line2D([], [], **LINES[name]), name) for name in (DELIVERED, PROMISED)]
    return [*lines, (Patch(**marks.INTERVAL), INTERVAL), marks.chance_key(CHANCE)]
