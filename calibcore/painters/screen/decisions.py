"""Net benefit over thresholds, and how often accepted answers are wrong over the share of cases that is
accepted: each delivered and promised, with what chance allows."""

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.errors import InputError
from calibcore.painters.screen import canvas, marks
from calibcore.questions.decide import Decisions
from calibcore.questions.decide.charts import (
    ALONE,
    CHANCE,
    DELIVERED,
    INTERVAL,
    PROMISED,
    TARGET_LINE,
    Curves,
    decision_curves,
    promise_curves,
    selective_curves,
)
from calibcore.questions.decide.result import Promise

HEIGHT, SELECTIVE_HEIGHT = 372, 340
KEY_OF_TWO_LINES = 112
"""Pixels below a panel, whose key takes two lines beside words."""


def decision_figure(
    decisions: Decisions, chosen: float | None = None, theme: str = "light", noun: str = "case"
) -> go.Figure:
    """``chosen`` is the threshold that a line marks."""
    line = None if chosen is None else 100 * chosen
    return _figure(decision_curves(decisions, noun), line, HEIGHT, -0.2, theme)


def selective_figure(
    decisions: Decisions, chosen: float | None = None, theme: str = "light", noun: str = "case"
) -> go.Figure:
    """``chosen`` is the threshold whose coverage a line marks."""
    line = None if chosen is None else 100 * decisions.at(chosen).share_treated
    return _figure(selective_curves(decisions, noun), line, SELECTIVE_HEIGHT, -0.24, theme)


def promise_figure(decisions: Decisions, theme: str = "light", noun: str = "case") -> go.Figure:
    """Wrong ones over the share that is accepted, with the threshold that keeps the target."""
    return _promise(decisions, decisions.ruling_in, theme, noun)


def rule_out_figure(decisions: Decisions, theme: str = "light", noun: str = "case") -> go.Figure:
    """The same of what is ruled out."""
    return _promise(decisions, decisions.ruling_out, theme, noun)


def _promise(decisions: Decisions, promise: Promise | None, theme: str, noun: str) -> go.Figure:
    if promise is None:
        raise InputError("No target was asked for; there is no promise to draw.")
    curves = promise_curves(decisions, promise, noun)
    layout = canvas.layout(SELECTIVE_HEIGHT, t=34, b=40)
    layout["legend"] |= {"y": -0.24}
    layout["xaxis"] = canvas.AXIS | canvas.titled(canvas.escaped(curves.across)) | {"range": (-1, 102)}
    layout["yaxis"] = canvas.AXIS | {"range": (0, curves.top), "fixedrange": True}
    layout["annotations"] = [
        canvas.axis_label(f"<b>{canvas.escaped(curves.above)}</b>", 1.0),
        marks.level_name(TARGET_LINE, curves.asked, theme),
    ]
    layout["shapes"] = [marks.level(curves.asked, dash="dash")]
    hovers = [canvas.hover(lines) for lines in curves.hovers]
    looks = (
        (curves.naive, {"size": 12, "color": style.CHANCE, "symbol": "diamond"}),
        (curves.shown, {"size": 12, "color": style.PREDICTED[theme], "symbol": "circle"}),
    )
    traces = [
        marks.band(curves.x, curves.wrong, curves.limit, ALONE, marks.INTERVAL_FILL),
        marks.line(curves.x, curves.wrong, DELIVERED, style.OBSERVED, hovers),
        *(
            marks.dots(
                [place.x], [place.y], mark, [canvas.hover(place.hover)], name=canvas.escaped(place.name)
            )
            for place, mark in looks
            if place is not None
        ),
    ]
    return go.Figure(traces, layout)


def _figure(curves: Curves, line: float | None, height: int, key: float, theme: str) -> go.Figure:
    """The curves with an upright ``line``, and the ``key`` so far below."""
    across, above = map(canvas.escaped, (curves.across, curves.above))
    layout = canvas.layout(height, t=34, b=KEY_OF_TWO_LINES)
    layout["legend"] |= {"y": key}
    layout["xaxis"] = canvas.AXIS | canvas.titled(across) | {"range": curves.reach}
    layout["yaxis"] = canvas.AXIS | {"range": curves.ends, "fixedrange": True}
    layout["annotations"] = [canvas.axis_label(f"<b>{above}</b>", 1.0)]
    if line is not None:
        layout["shapes"] = [marks.upright(line, style.TEXT[theme])]
    hovers = [canvas.hover(lines) for lines in curves.hovers]
    traces = [
        marks.band(curves.x, *curves.band, CHANCE),
        marks.band(curves.known, *curves.interval, INTERVAL, marks.INTERVAL_FILL),
        *(
            marks.line(curves.x, y, name, style.CHANCE, dash=dash)
            for (name, y), dash in zip(curves.without.items(), ("dash", "dot"), strict=False)
        ),
        marks.line(curves.x, curves.promised, PROMISED, style.PREDICTED[theme]),
        marks.line(curves.x, curves.delivered, DELIVERED, style.OBSERVED, hovers),
    ]
    return go.Figure(traces, layout)
