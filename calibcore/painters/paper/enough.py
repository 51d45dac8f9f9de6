"""How small an error is seen with fewer and with more cases than are planned, on paper."""

from matplotlib.figure import Figure

from calibcore.charts import style
from calibcore.painters.paper import marks
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.sheets import label_above, on_paper
from calibcore.questions.plan import Plan
from calibcore.questions.plan.charts import ENOUGH, MATTERS, SEEN, SEES, across, ends, marked, seen_over

HIGH = 46.0
"""Millimetres of the panel."""


@on_paper
def enough_print(plan: Plan, noun: str = "case", width: float = 89) -> Figure:
    """As :func:`calibcore.painters.screen.enough.enough_figure`, ``width`` millimetres wide.

    Raises
    ------
    InputError : a width other than those of columns.
    """
    x, y = seen_over(plan)
    figure, (axes,) = marks.panels(width, (HIGH,), [])
    label_above(axes, SEEN, bold=True)
    marks.logarithmic(axes, "x", x[0], x[-1])
    marks.logarithmic(axes, "y", *ends(plan))
    axes.plot(x, y, color=style.PREDICTED["light"], linewidth=1.2, label="seen")
    marks.level(axes, 100 * plan.spec.tolerance, MATTERS, MATTERS)
    fills = {SEES: "white", ENOUGH: style.PREDICTED["light"]}
    for n, size, words, where in marked(plan):
        axes.plot(
            [n], [size], marker="o", markersize=4.5, color=style.PREDICTED["light"],
            markerfacecolor=fills[words], label=words,
        )  # fmt: skip
        right = where.endswith("right")
        axes.annotate(
            words, (n, size), (3, 3) if right else (-3, -3), textcoords="offset points",
            ha="left" if right else "right", va="bottom" if right else "top",
        )  # fmt: skip
    axes.set_xlabel(legible(across(noun)))
    return figure
