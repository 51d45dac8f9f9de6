"""Selective prediction: how often accepted answers are wrong, over the share of cases that is accepted."""

from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from calibcore.figures import style
from calibcore.figures.decisions import DELIVERED, INTERVAL, PROMISED
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.wording import plural
from calibcore.words.deciding import selective_sentence

HEIGHT = 340
CHANCE = "if it keeps its promise"


def accepted(found: Decisions) -> list[AtThreshold]:
    """The thresholds from which anything is accepted, the widest coverage last."""
    return [one for one in reversed(found.thresholds) if one.treated.cases]


def coverage_words(noun: str = "case") -> str:
    """What lies left to right."""
    return f"Coverage: {plural(noun)} answered alone, %"


ERRORS = "Wrong among the accepted answers, %"


def highest_error(found: Decisions) -> float:
    """Where the axis of errors ends, in percent."""
    some = accepted(found)
    right = [one.promised_rate for one in some]
    right += [None if one.hit_rate is None else one.hit_rate.value for one in some]
    for one in some[-1:]:  # where few are accepted bands and intervals are wide
        rate, band = one.hit_rate, found.rate_band(one)
        right += [None if rate is None else rate.low, None if band is None else band[0]]
    return 100 * min(1.0, 1.08 * max([0.01, *(1 - rate for rate in right if rate is not None)]))


def selective_figure(
    found: Decisions, chosen: float | None = None, theme: str = "light", noun: str = "case"
) -> go.Figure:
    """``chosen`` is the threshold whose coverage a line marks."""
    layout = style.layout(HEIGHT)
    layout["margin"] |= {"t": 34, "b": 40}
    (across,) = style.escaped((coverage_words(noun),))
    layout["xaxis"] = style.AXIS | {"title": {"text": across, "standoff": 6}, "range": [-1, 102]}
    layout["yaxis"] = style.AXIS | {"range": [0, highest_error(found)], "fixedrange": True}
    layout["legend"] |= {"y": -0.24}
    if chosen is not None:
        x = 100 * found.at(chosen).share_treated
        layout["shapes"] = [
            {
                "type": "line", "x0": x, "x1": x, "yref": "y domain", "y0": 0, "y1": 1,
                "line": {"color": style.TEXT[theme], "width": 1.5},
            }
        ]  # fmt: skip
    label = style.axis_label(f"<b>{ERRORS}</b>", 1.0)
    return go.Figure(_traces(found, theme), layout | {"annotations": [label]})


def _traces(found: Decisions, theme: str) -> list[go.Scatter]:
    some = accepted(found)
    x = [100 * one.share_treated for one in some]
    bands = [found.rate_band(one) or (0.0, 1.0) for one in some]
    rates = [one.hit_rate for one in some]
    achieved = [100 * (1 - rate.value) for rate in rates if rate is not None]
    ends = [(100 * (1 - rate.high), 100 * (1 - rate.low)) for rate in rates if rate is not None]
    promised = [100 * (1 - (one.promised_rate or 0.0)) for one in some]
    hover = [
        "<br>".join(line for line in style.escaped(tuple(wrap(selective_sentence(found, one)))))
        for one in some
    ]
    return [
        _band(x, [(100 * (1 - high), 100 * (1 - low)) for low, high in bands], style.CHANCE_FILL, CHANCE),
        _band(x, ends, "rgba(213, 94, 0, 0.18)", INTERVAL),
        _line(x, promised, PROMISED, style.PREDICTED[theme]),
        _line(x, achieved, DELIVERED, style.OBSERVED, hover),
    ]


def _line(x: list[float], y: list[float], name: str, colour: str, hover: list[str] | None = None) -> Any:
    more: dict[str, Any] = {"hoverinfo": "skip"}
    if hover is not None:
        more = {"text": hover, "hovertemplate": "%{text}<extra></extra>"}
    mode = "lines" if len(set(x)) > 1 else "markers"
    line = {"color": colour, "width": 1.5 if hover is None else 2.5}
    return go.Scatter(x=x, y=y, mode=mode, name=name, line=line, **more)


def _band(x: list[float], ends: list[tuple[float, float]], fill: str, name: str) -> go.Scatter:
    low, high = [a for a, _ in ends], [b for _, b in ends]
    return go.Scatter(
        x=[*x, *reversed(x)], y=[*high, *reversed(low)], mode="lines", line={"width": 0}, fill="toself",
        fillcolor=fill, hoverinfo="skip", name=name,
    )  # fmt: skip
