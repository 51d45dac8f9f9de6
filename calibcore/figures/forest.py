"""Sizes with their intervals, one row each, on one axis; bars join rows that cannot be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from calibcore.figures import style
from calibcore.questions.compare import Comparison
from calibcore.words.phrases import points
from calibcore.words.sizes import typical_digits, typical_words
from calibcore.words.verdicts import chip, chip_text

HEAD, ROW, FOOT = 40, 44, 56
"""Pixels."""
MARK = {"miscalibrated": "circle", "consistent": "diamond", "cannot-tell": "square"}
"""The verdict of a row, by shape as well as by colour."""


@dataclass(frozen=True)
class Row:
    """A row: its name, its size with the interval in points, the colour of its verdict, and what a hand that
    rests on it reads."""

    name: str
    value: float
    low: float
    high: float
    colour: str
    hover: str


def forest_figure(
    rows: Sequence[Row], axis: str, joined: Sequence[Sequence[int]] = (), theme: str = "light"
) -> go.Figure:
    """One row each from above, in the order given; ``joined`` holds the places of rows that a bar joins."""
    layout = style.layout(HEAD + ROW * len(rows) + FOOT)
    layout["margin"] |= {"t": HEAD, "b": FOOT, "l": 8, "r": 24}
    names = [style.escaped((row.name,))[0] for row in rows]
    most = 1.06 * max((row.high for row in rows), default=1.0) or 1.0
    layout["yaxis"] = style.AXIS | {
        "range": [len(rows) - 0.5, -0.5],
        "tickvals": list(range(len(rows))),
        "ticktext": names,
        "showgrid": False,
        "fixedrange": True,
    }
    layout["xaxis"] = style.AXIS | {"range": [0, most], "title": {"text": axis, "standoff": 6}}
    layout["showlegend"] = False
    whiskers = go.Scatter(
        x=[x for row in rows for x in (row.low, row.high, None)],
        y=[y for place in range(len(rows)) for y in (place, place, None)],
        mode="lines",
        line={"color": style.QUIET[theme], "width": 2},
        hoverinfo="skip",
        name="95 % interval",
    )
    marks = go.Scatter(
        x=[row.value for row in rows],
        y=list(range(len(rows))),
        mode="markers",
        marker={
            "size": 12,
            "symbol": [MARK[row.colour] for row in rows],
            "color": [style.VERDICT[row.colour] for row in rows],
            "line": {"color": style.BACKGROUND[theme], "width": 1},
        },
        text=[row.hover for row in rows],
        hovertemplate="%{text}<extra></extra>",
        name="size",
    )
    bars = [
        go.Scatter(
            x=[most * (0.985 - 0.02 * lane)] * 2,
            y=[places[0] - 0.12, places[-1] + 0.12],
            mode="lines",
            line={"color": style.CHANCE, "width": 6},
            hovertemplate="these cannot be told apart<extra></extra>",
            name="cannot be told apart",
        )
        for lane, places in zip(_lanes(joined), joined, strict=True)
    ]
    return go.Figure([*bars, whiskers, marks], layout)


def _lanes(joined: Sequence[Sequence[int]]) -> list[int]:
    """In which of the lanes beside each other a bar stands, so that no two touch."""
    ends: list[int] = []
    lanes = []
    for places in joined:
        lane = next((i for i, end in enumerate(ends) if end < places[0]), len(ends))
        ends[lane : lane + 1] = [places[-1]]
        lanes.append(lane)
    return lanes


def comparison_figure(comparison: Comparison, theme: str = "light") -> go.Figure:
    """The models by typical gap; bars join those that these cases cannot tell apart."""
    models = comparison.by_gap
    digits = typical_digits([model.verdict.typical_gap for model in models])
    rows = []
    for model in models:
        gap = model.verdict.typical_gap
        size, interval = typical_words(gap, digits)
        name = style.escaped((model.name,))[0]
        rows.append(
            Row(
                model.name,
                100 * gap.value,
                100 * gap.low,
                100 * gap.high,
                chip(model.verdict).colour,
                f"{name}<br>Typical gap {size} ({interval})<br>{chip_text(model.verdict)}",
            )
        )
    places = {model.name: place for place, model in enumerate(models)}
    joined = [[places[name] for name in run] for run in comparison.undecided]
    return forest_figure(rows, "Typical gap, points, with its 95 % interval", joined, theme)


def comparison_says(comparison: Comparison) -> str:
    """The figure in words, for who cannot see it."""
    first, *_, last = comparison.by_gap
    digits = typical_digits([first.verdict.typical_gap, last.verdict.typical_gap])
    ends = [points(model.verdict.typical_gap.value, digits) for model in (first, last)]
    return (
        f"{len(comparison.models)} models by typical gap, from {first.name} with {ends[0]} "
        f"to {last.name} with {ends[1]}."
    )
