"""The decision curve: net benefit over thresholds, delivered and promised, beside treating all and none."""

from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from calibcore.figures import style
from calibcore.questions.decide import AtThreshold, Decisions
from calibcore.words.deciding import (
    frequency_sentence,
    in_100,
    label_words,
    threshold_sentence,
    threshold_words,
    treat_words,
)

HEIGHT = 380
DELIVERED, PROMISED, CHANCE, INTERVAL = "delivered", "promised", "if it keeps its promise", "95 % interval"


def lowest(found: Decisions) -> float:
    """Where the axis of net benefits in 100 begins: treating all falls far below what is of interest."""
    ends = [one.net_benefit if one.interval is None else one.interval.low for one in found.thresholds]
    bands = [found.band(one)[0] for one in found.thresholds]
    return 100 * min(0.0, *ends, *bands) - 1.0


def highest(found: Decisions) -> float:
    """Where it ends."""
    ends = [one.net_benefit if one.interval is None else one.interval.high for one in found.thresholds]
    return 1.05 * 100 * max(0.01, *ends, *(found.band(one)[1] for one in found.thresholds))


def decision_figure(
    found: Decisions, chosen: float | None = None, theme: str = "light", noun: str = "case"
) -> go.Figure:
    """``chosen`` is the threshold that a line marks."""
    x = [100 * one.threshold for one in found.thresholds]
    layout = style.layout(HEIGHT)
    layout["margin"] |= {"t": 34, "b": 40}
    layout["xaxis"] = style.AXIS | {"title": {"text": "Threshold, %", "standoff": 6}, "range": _ends(x)}
    layout["yaxis"] = style.AXIS | {"range": [lowest(found), highest(found)], "fixedrange": True}
    layout["legend"] |= {"y": -0.2}
    label = style.axis_label(f"<b>{style.escaped((label_words(found, noun),))[0]}</b>", 1.0)
    if chosen is not None:
        layout["shapes"] = [
            {
                "type": "line", "x0": 100 * chosen, "x1": 100 * chosen, "yref": "y domain", "y0": 0, "y1": 1,
                "line": {"color": style.TEXT[theme], "width": 1.5},
            }
        ]  # fmt: skip
    return go.Figure(list(_traces(found, x, theme, noun)), layout | {"annotations": [label]})


def _ends(x: list[float]) -> list[float]:
    room = 1.0 if len(x) == 1 else 0.02 * (x[-1] - x[0])
    return [x[0] - room, x[-1] + room]


def _traces(found: Decisions, x: list[float], theme: str, noun: str) -> list[go.Scatter]:
    bands = [found.band(one) for one in found.thresholds]
    known = [one for one in found.thresholds if one.interval is not None]
    hover = [_hover(found, one, noun) for one in found.thresholds]
    of_known = [100 * one.threshold for one in known]
    intervals = [one.interval for one in known if one.interval is not None]
    everyone, nobody = treat_words(bool(found.spec.lens.within.answers))
    return [
        _band(x, [low for low, _ in bands], [high for _, high in bands], style.CHANCE_FILL, CHANCE),
        _band(
            of_known, [one.low for one in intervals], [one.high for one in intervals],
            "rgba(213, 94, 0, 0.18)", INTERVAL,
        ),
        _line(x, [one.treat_all for one in found.thresholds], everyone, style.CHANCE, dash="dash"),
        _line(x, [0.0] * len(x), nobody, style.CHANCE, dash="dot"),
        _line(x, [one.promised for one in found.thresholds], PROMISED, style.PREDICTED[theme]),
        _line(x, [one.net_benefit for one in found.thresholds], DELIVERED, style.OBSERVED, hover),
    ]  # fmt: skip


def _hover(found: Decisions, one: AtThreshold, noun: str) -> str:
    sentences = threshold_sentence(found, one, noun), frequency_sentence(found, one, noun)
    return "<br>".join(line for words in sentences for line in style.escaped(tuple(wrap(words))))


def _line(
    x: list[float],
    y: list[float],
    name: str,
    colour: str,
    hover: list[str] | None = None,
    dash: str | None = None,
) -> go.Scatter:
    more: dict[str, Any] = {"hoverinfo": "skip"}
    if hover is not None:
        more = {"text": hover, "hovertemplate": "%{text}<extra></extra>"}
    mode = "lines" if len(x) > 1 else "markers"
    line = {"color": colour, "width": 1.5 if hover is None else 2.5, "dash": dash}
    return go.Scatter(x=x, y=[100 * one for one in y], mode=mode, name=name, line=line, **more)


def _band(x: list[float], low: list[float], high: list[float], fill: str, name: str) -> go.Scatter:
    ends = [*(100 * one for one in high), *(100 * one for one in reversed(low))]
    return go.Scatter(
        x=[*x, *reversed(x)], y=ends, mode="lines", line={"width": 0}, fill="toself", fillcolor=fill,
        hoverinfo="skip", name=name,
    )  # fmt: skip


def decision_says(found: Decisions) -> str:
    """The figure in words, for who cannot see it."""
    first, last = found.thresholds[0], found.thresholds[-1]
    ends = f"{threshold_words(first.threshold)} to {threshold_words(last.threshold)}"
    delivered, promised = (
        [in_100(x) for x in pair]
        for pair in ((first.net_benefit, last.net_benefit), (first.promised, last.promised))
    )
    return (
        f"From a threshold of {ends} the net benefit goes from {delivered[0]} to {delivered[1]} in 100. "
        f"Promised were {promised[0]} and {promised[1]}."
    )
