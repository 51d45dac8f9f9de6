"""How small an error is seen with fewer and more cases than are planned: D80 over n, on axes of powers."""

import math

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.painters.screen import canvas, marks
from calibcore.questions.plan import Plan
from calibcore.questions.plan.charts import (
    ENOUGH,
    MATTERS,
    SEEN,
    SEES,
    across,
    ends,
    hovers,
    marked,
    seen_over,
)

HEIGHT = 300


def enough_figure(plan: Plan, theme: str = "light", noun: str = "case") -> go.Figure:
    """The line of D80, what would matter, the cases that see it and those that are enough."""
    x, y = seen_over(plan)
    matters = 100 * plan.spec.tolerance
    axis = canvas.AXIS | {"fixedrange": True}
    layout = canvas.layout(HEIGHT, t=34, b=40) | {
        "showlegend": False,
        "xaxis": axis | canvas.log_axis(x[0], x[-1]) | canvas.titled(canvas.escaped(across(noun))),
        "yaxis": axis | canvas.log_axis(*ends(plan)),
        "annotations": [
            canvas.axis_label(f"<b>{SEEN}</b>", 1.0),
            marks.level_name(MATTERS, math.log10(matters), theme),
        ],
        "shapes": [marks.level(matters, dash="dash")],
    }
    fills = {SEES: style.BACKGROUND[theme], ENOUGH: style.PREDICTED[theme]}
    dots = marked(plan)
    hover = [canvas.hover(lines) for lines in hovers(plan, noun)]
    line = go.Scatter(
        x=x, y=y, mode="lines", name="seen", line={"color": style.PREDICTED[theme], "width": 2},
        hovertemplate="%{x:,.0f}: from %{y:.2~f} points on<extra></extra>",
    )  # fmt: skip
    places = go.Scatter(
        x=[n for n, *_ in dots], y=[size for _, size, _, _ in dots], mode="markers+text",
        name=f"{SEES} and {ENOUGH}", text=[word for *_, word, _ in dots],
        textposition=[where for *_, where in dots], textfont={"color": style.TEXT[theme], "size": 12},
        marker={"size": 11, "color": [fills[word] for *_, word, _ in dots],
                "line": {"color": style.PREDICTED[theme], "width": 2}},
        hovertext=hover, hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip
    return go.Figure([line, places], layout)
