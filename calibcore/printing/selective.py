"""Errors among accepted answers over coverage, on paper."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from calibcore.figures import style
from calibcore.figures.decisions import DELIVERED, INTERVAL, PROMISED
from calibcore.figures.selective import CHANCE, ERRORS, accepted, coverage_words, highest_error
from calibcore.printing.keys import FOOT, HEAD, LEFT, RIGHT, Entries, draw_key, key_height
from calibcore.printing.letters import legible
from calibcore.printing.paper import FILL, label_above, on_paper, panel, sheet
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
    entries = _entries()
    low = key_height(entries, width) + FOOT
    figure = sheet(width, low + HIGH + HEAD)
    axes = panel(figure, LEFT, low, width - LEFT - RIGHT, HIGH)
    label_above(axes, ERRORS, bold=True)
    some = accepted(found)
    x = [100 * one.share_treated for one in some]
    bands = [found.rate_band(one) or (0.0, 1.0) for one in some]
    axes.fill_between(
        x, [100 * (1 - high) for _, high in bands], [100 * (1 - low) for low, _ in bands], facecolor=FILL,
        edgecolor=style.CHANCE, linewidth=0.4, label=CHANCE,
    )  # fmt: skip
    rates = [one.hit_rate for one in some if one.hit_rate is not None]
    axes.fill_between(
        x, [100 * (1 - rate.high) for rate in rates], [100 * (1 - rate.low) for rate in rates],
        facecolor="none", edgecolor=style.OBSERVED, hatch="......", linewidth=0.4, label=INTERVAL,
    )  # fmt: skip
    mark = "." if len(set(x)) < 2 else ""
    axes.plot(
        x, [100 * (1 - (one.promised_rate or 0.0)) for one in some], color=style.PREDICTED["light"],
        linewidth=0.9, marker=mark, label=PROMISED,
    )  # fmt: skip
    axes.plot(
        x, [100 * (1 - rate.value) for rate in rates], color=style.OBSERVED, linewidth=1.6, marker=mark,
        label=DELIVERED,
    )  # fmt: skip
    axes.set(xlim=(-1, 102), ylim=(0, highest_error(found)))
    axes.set_xlabel(legible(coverage_words(noun)))
    draw_key(figure, entries, (LEFT, key_height(entries, width)))
    return figure


def _entries() -> Entries:
    return [
        (Line2D([], [], color=style.OBSERVED, linewidth=1.6), DELIVERED),
        (Line2D([], [], color=style.PREDICTED["light"], linewidth=0.9), PROMISED),
        (Patch(facecolor="none", edgecolor=style.OBSERVED, hatch="......", linewidth=0.4), INTERVAL),
        (Patch(facecolor=FILL, edgecolor=style.CHANCE, linewidth=0.4), CHANCE),
    ]
