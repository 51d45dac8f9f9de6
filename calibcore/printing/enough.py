"""How small an error is seen with fewer and with more cases, on paper."""

from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from calibcore.assessment.verdict import Verdict
from calibcore.figures import style
from calibcore.figures.enough import ENOUGH, MATTERS, SEEN, THESE, beside, ends, marked, seen_over
from calibcore.figures.log_axis import log_axis
from calibcore.printing.keys import FOOT, HEAD, LEFT, RIGHT
from calibcore.printing.letters import legible
from calibcore.printing.paper import QUIET, SMALL, label_above, on_paper, panel, sheet
from calibcore.wording import plural
from calibcore.words.looking import sentence_case

HIGH = 46.0
"""Millimetres of the panel."""


@on_paper
def enough_print(verdict: Verdict, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.figures.enough.enough_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : what these cases could have shown is not known; a width other than those of columns.
    """
    x, y = seen_over(verdict)
    figure = sheet(width, FOOT + HIGH + HEAD)
    axes = panel(figure, LEFT, FOOT, width - LEFT - RIGHT, HIGH)
    label_above(axes, SEEN, bold=True)
    axes.set(xscale="log", yscale="log")
    axes.plot(x, y, color=style.PREDICTED["light"], linewidth=1.2, label="seen")
    matters = 100 * verdict.tolerance
    axes.axhline(matters, color=style.CHANCE, linewidth=0.7, linestyle="--", label=MATTERS)
    axes.annotate(
        MATTERS, (1, matters), (0, 1), xycoords=("axes fraction", "data"), textcoords="offset points",
        ha="right", va="bottom", color=QUIET, fontsize=SMALL,
    )  # fmt: skip
    fills = (style.PREDICTED["light"], "white")
    for (n, size), words, fill, where in zip(
        marked(verdict), (THESE, ENOUGH), fills, beside(verdict), strict=True
    ):
        axes.plot(
            [n], [size], marker="o", markersize=4.5, color=style.PREDICTED["light"], markerfacecolor=fill,
            label=words,
        )  # fmt: skip
        right = where.endswith("right")
        axes.annotate(
            words, (n, size), (3, 3) if right else (-3, -3), textcoords="offset points",
            ha="left" if right else "right", va="bottom" if right else "top",
        )  # fmt: skip
    axes.set(xlim=(x[0], x[-1]), ylim=ends(verdict))
    for axis, ticks in ((axes.xaxis, log_axis(x[0], x[-1])), (axes.yaxis, log_axis(*ends(verdict)))):
        axis.set_ticks(ticks["tickvals"], labels=ticks["ticktext"])
        axis.set_minor_locator(NullLocator())
    axes.set_xlabel(legible(sentence_case(plural(noun))))
    return figure
