"""How small an error is seen with fewer and more cases than are planned: D80 over n, on axes of powers."""

import math

import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.figures.log_axis import log_axis
from calibcore.questions.plan import Plan
from calibcore.wording import count, plural
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import points

HEIGHT = 300
SEEN = "Seen 8 times in 10 from, points"
SEES, ENOUGH, MATTERS = "seen", "enough", "what would matter to you"
STEPS = 60


def reach(plan: Plan) -> tuple[float, float]:
    """The fewest and the most cases of the axis: around those that are planned."""
    return max(1.0, marked(plan)[0][0] / 3), 3.0 * plan.cases


def seen_over(plan: Plan) -> tuple[list[float], list[float]]:
    """Cases, and the error in points that is seen with them."""
    low, high = reach(plan)
    x = [low * (high / low) ** (k / STEPS) for k in range(STEPS + 1)]
    return x, [100 * plan.detectable(n) for n in x]


def marked(plan: Plan) -> list[tuple[int, float, str, str]]:
    """(cases, points, word, where it stands) of those that see the error, and of those that are enough."""
    enough = (plan.cases, 100 * plan.detectable(plan.cases), ENOUGH, "bottom left")
    sees = plan.cases_to_see
    if sees is None or sees >= plan.cases:
        return [enough]
    return [(sees, 100 * plan.detectable(sees), SEES, "top right"), enough]


def ends(plan: Plan) -> tuple[float, float]:
    """The range of the axis of errors, in points."""
    _, y = seen_over(plan)
    return y[-1] / 1.15, y[0] * 1.15


def enough_figure(plan: Plan, theme: str = "light", noun: str = "case") -> go.Figure:
    """The line of D80, what would matter, the cases that see it and those that are enough."""
    x, y = seen_over(plan)
    matters = 100 * plan.spec.tolerance
    across = style.escaped(sentence_case(plural(noun)))
    axis = style.AXIS | {"fixedrange": True}
    layout = style.layout(HEIGHT, t=34, b=40) | {
        "showlegend": False,
        "xaxis": axis | log_axis(x[0], x[-1]) | style.titled(across),
        "yaxis": axis | log_axis(*ends(plan)),
        "annotations": [
            style.axis_label(f"<b>{SEEN}</b>", 1.0),
            marks.level_name(MATTERS, math.log10(matters), theme),
        ],
        "shapes": [marks.level(matters, dash="dash")],
    }
    fills = {SEES: style.BACKGROUND[theme], ENOUGH: style.PREDICTED[theme]}
    dots = marked(plan)
    hover = [
        f"{style.escaped(count(n, noun))}<br>seen from {points(size / 100)} on" for n, size, _, _ in dots
    ]
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
