"""Errors among accepted answers over coverage, on paper."""

from matplotlib.figure import Figure

from calibcore.figures.decisions import CHANCE, DELIVERED, INTERVAL, PROMISED
from calibcore.figures.selective import ERRORS, accepted, coverage_words, highest_error
from calibcore.printing import marks
from calibcore.printing.decisions import LINES, keys
from calibcore.printing.letters import legible
from calibcore.printing.paper import label_above, on_paper
from calibcore.questions.decide import Decisions

HIGH = 46.0
"""Millimetres of the panel."""


@on_paper
def selective_print(found: Decisions, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.figures.selective.selective_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    figure, axes = marks.panel_with_key(width, HIGH, keys())
    label_above(axes, ERRORS, bold=True)
    some = accepted(found)
    x = [100 * one.share_treated for one in some]
    bands = [found.rate_band(one) or (0.0, 1.0) for one in some]
    axes.fill_between(
        x, [100 * (1 - high) for _, high in bands], [100 * (1 - low) for low, _ in bands], label=CHANCE,
        **marks.CHANCE,
    )  # fmt: skip
    rates = [one.hit_rate for one in some if one.hit_rate is not None]
    axes.fill_between(
        x, [100 * (1 - rate.high) for rate in rates], [100 * (1 - rate.low) for rate in rates],
        label=INTERVAL, **marks.INTERVAL,
    )  # fmt: skip
    mark = "." if len(set(x)) < 2 else ""
    axes.plot(
        x, [100 * (1 - (one.promised_rate or 0.0)) for one in some], marker=mark, label=PROMISED,
        **LINES[PROMISED],
    )  # fmt: skip
    axes.plot(
        x, [100 * (1 - rate.value) for rate in rates], marker=mark, label=DELIVERED, **LINES[DELIVERED]
    )  # fmt: skip
    axes.set(xlim=(-1, 102), ylim=(0, highest_error(found)))
    axes.set_xlabel(legible(coverage_words(noun)))
    return figure
