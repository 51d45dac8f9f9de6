"""The decision curve: net benefit over thresholds, delivered and promised, beside treating all and none."""

from collections.abc import Iterable
from typing import Any

import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.questions.decide import Decisions
from calibcore.words.deciding import (
    frequency_sentence,
    in_100,
    label_words,
    threshold_sentence,
    treat_words,
)
from calibcore.words.phrases import exact_percent

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
    room = 1.0 if len(x) == 1 else 0.02 * (x[-1] - x[0])
    layout = layout_of_curves(
        HEIGHT,
        ("Threshold, %", [x[0] - room, x[-1] + room]),
        (label_words(found, noun), [lowest(found), highest(found)]),
    )
    layout["legend"] |= {"y": -0.2}
    if chosen is not None:
        layout["shapes"] = [marks.upright(100 * chosen, style.TEXT[theme])]
    return go.Figure(_traces(found, x, theme, noun), layout)


def layout_of_curves(
    height: int, across: tuple[str, list[float]], up: tuple[str, list[float]]
) -> dict[str, Any]:
    """One panel, of each axis the words and the range."""
    words, above = style.escaped((across[0], up[0]))
    layout = style.layout(height)
    layout["margin"] |= {"t": 34, "b": 40}
    layout["xaxis"] = style.AXIS | {"title": {"text": words, "standoff": 6}, "range": across[1]}
    layout["yaxis"] = style.AXIS | {"range": up[1], "fixedrange": True}
    return layout | {"annotations": [style.axis_label(f"<b>{above}</b>", 1.0)]}


def _traces(found: Decisions, x: list[float], theme: str, noun: str) -> list[go.Scatter]:
    def percents(values: Iterable[float]) -> list[float]:
        return [100 * value for value in values]

    some = found.thresholds
    low, high = (percents(ends) for ends in zip(*map(found.band, some), strict=True))
    known = [(100 * one.threshold, one.interval) for one in some if one.interval is not None]
    lows, highs = percents(one.low for _, one in known), percents(one.high for _, one in known)
    everyone, nobody = treat_words(bool(found.spec.lens.within.answers))
    hover = [
        marks.wrapped(threshold_sentence(found, one, noun), frequency_sentence(found, one, noun))
        for one in some
    ]
    return [
        marks.band(x, low, high, CHANCE),
        marks.band([at for at, _ in known], lows, highs, INTERVAL, marks.INTERVAL_FILL),
        marks.line(x, percents(one.treat_all for one in some), everyone, style.CHANCE, dash="dash"),
        marks.line(x, [0.0] * len(x), nobody, style.CHANCE, dash="dot"),
        marks.line(x, percents(one.promised for one in some), PROMISED, style.PREDICTED[theme]),
        marks.line(x, percents(one.net_benefit for one in some), DELIVERED, style.OBSERVED, hover),
    ]


def decision_says(found: Decisions) -> str:
    """The figure in words, for who cannot see it."""
    first, last = found.thresholds[0], found.thresholds[-1]
    ends = f"{exact_percent(first.threshold)} to {exact_percent(last.threshold)}"
    delivered, promised = (
        [in_100(x) for x in pair]
        for pair in ((first.net_benefit, last.net_benefit), (first.promised, last.promised))
    )
    return (
        f"From a threshold of {ends} the net benefit goes from {delivered[0]} to {delivered[1]} in 100. "
        f"Promised were {promised[0]} and {promised[1]}."
    )
