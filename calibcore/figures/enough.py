"""How small an error is seen with fewer and with more cases: D80 over n, on axes of powers."""

import math

import plotly.graph_objects as go

from calibcore.assessment.verdict import Verdict
from calibcore.errors import InputError
from calibcore.figures import marks, style
from calibcore.figures.log_axis import log_axis
from calibcore.questions.plan import cases_for, detectable_with
from calibcore.wording import count, plural
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import points

HEIGHT = 300
SEEN = "Seen 8 times in 10 from, points"
THESE, ENOUGH, MATTERS = "these", "enough", "what would matter to you"
STEPS = 60


def reach(verdict: Verdict) -> tuple[int, int]:
    """The fewest and the most cases of the axis: around these and those that are enough.

    Raises
    ------
    InputError : what these cases could have shown is not known.
    """
    cases = cases_for(verdict)
    if cases is None:
        raise InputError("What these cases could have shown is not known, so there is nothing to draw.")
    return max(1, min(verdict.n, cases) // 3), 3 * max(verdict.n, cases)


def seen_over(verdict: Verdict) -> tuple[list[float], list[float]]:
    """Cases, and the error in points that is seen with them."""
    low, high = reach(verdict)
    x = [low * (high / low) ** (k / STEPS) for k in range(STEPS + 1)]
    return x, [100 * detectable_with(verdict, n) for n in x]


def marked(verdict: Verdict) -> list[tuple[float, float]]:
    """(cases, points) of these cases, and of those that are enough."""
    return [(n, 100 * detectable_with(verdict, n)) for n in (verdict.n, cases_for(verdict) or verdict.n)]


def beside(verdict: Verdict) -> list[str]:
    """Where the words of the two marks stand, so that they do not touch."""
    these, enough = (n for n, _ in marked(verdict))
    return ["bottom left", "top right"] if these <= enough else ["top right", "bottom left"]


def ends(verdict: Verdict) -> tuple[float, float]:
    """The range of the axis of errors, in points."""
    _, y = seen_over(verdict)
    matters = 100 * verdict.tolerance
    return min(y[-1], matters) / 1.15, max(y[0], matters) * 1.15


def enough_figure(verdict: Verdict, theme: str = "light", noun: str = "case") -> go.Figure:
    """The line of D80, what would matter, these cases and those that are enough.

    Raises
    ------
    InputError : what these cases could have shown is not known.
    """
    x, y = seen_over(verdict)
    matters = 100 * verdict.tolerance
    across = style.escaped(sentence_case(plural(noun)))
    axis = style.AXIS | {"fixedrange": True}
    layout = style.layout(HEIGHT, t=34, b=40) | {
        "showlegend": False,
        "xaxis": axis | log_axis(x[0], x[-1]) | style.titled(across),
        "yaxis": axis | log_axis(*ends(verdict)),
        "annotations": [
            style.axis_label(f"<b>{SEEN}</b>", 1.0),
            marks.level_name(MATTERS, math.log10(matters), theme),
        ],
        "shapes": [marks.level(matters, dash="dash")],
    }
    fills = [style.PREDICTED[theme], style.BACKGROUND[theme]]
    hover = [
        f"{style.escaped(count(round(n), noun))}<br>seen from {points(size / 100)} on"
        for n, size in marked(verdict)
    ]
    line = go.Scatter(
        x=x, y=y, mode="lines", name="seen", line={"color": style.PREDICTED[theme], "width": 2},
        hovertemplate="%{x:,.0f}: from %{y:.2~f} points on<extra></extra>",
    )  # fmt: skip
    dots = go.Scatter(
        x=[n for n, _ in marked(verdict)], y=[size for _, size in marked(verdict)], mode="markers+text",
        name=f"{THESE} and {ENOUGH}", text=[THESE, ENOUGH], textposition=beside(verdict),
        textfont={"color": style.TEXT[theme], "size": 12},
        marker={"size": 11, "color": fills, "line": {"color": style.PREDICTED[theme], "width": 2}},
        hovertext=hover, hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip
    return go.Figure([line, dots], layout)
