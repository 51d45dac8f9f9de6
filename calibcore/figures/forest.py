"""Sizes with their intervals, one row each, on one axis; bars join rows that cannot be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.questions.compare import Comparison
from calibcore.questions.groups import GroupSurvey
from calibcore.words.grouping import group_name
from calibcore.words.sizes import gap_cell, typical_digits
from calibcore.words.verdicts import SMALL, Chip, chip, chip_text

HEAD, ROW, FOOT = 24, 52, 110
"""Pixels."""
NAME = 24
"""Characters of a name on one line, of two."""
MARK = {"miscalibrated": "circle", "consistent": "diamond", "cannot-tell": "square"}
"""The verdict of a row, by shape as well as by colour; hollow where it is small."""
LANE = 0.035
"""Share of the axis from one bar to the next, which on a phone is more than the width of a bar."""


@dataclass(frozen=True)
class Row:
    """A row: its name, its size with the interval in points, the chip of its verdict, and what a hand that
    rests on it reads."""

    name: str
    value: float
    low: float
    high: float
    chip: Chip
    hover: str


def forest_figure(
    rows: Sequence[Row], axis: str, joined: Sequence[Sequence[int]] = (), theme: str = "light"
) -> go.Figure:
    """One row each from above, in the order given; ``joined`` holds the places of rows that a bar joins."""
    layout = style.layout(HEAD + ROW * len(rows) + FOOT)
    layout["margin"] |= {"t": HEAD, "b": FOOT, "l": 8, "r": 24}
    most = 1.06 * max((row.high for row in rows), default=1.0) or 1.0
    layout["yaxis"] = marks.named_rows([style.corner_name(row.name, NAME) for row in rows])
    title = axis.replace(", with", ",<br>with")  # a phone has no room for both on one line
    layout["xaxis"] = style.AXIS | {"range": [0, most], "title": {"text": title, "standoff": 6}}
    layout["legend"] |= {"y": 0, "yref": "container", "yanchor": "bottom"}
    ends = [(row.low, row.high) for row in rows]
    whiskers = marks.whiskers(ends, style.QUIET[theme], 2, showlegend=False)
    sizes = go.Scatter(
        x=[row.value for row in rows],
        y=list(range(len(rows))),
        mode="markers+text",
        texttemplate="%{x:.1f}",
        cliponaxis=False,
        textposition="top center",
        textfont={"color": style.TEXT[theme]},
        showlegend=False,
        marker={
            "size": 12,
            "symbol": [_symbol(row.chip) for row in rows],
            "color": [style.VERDICT[row.chip.colour] for row in rows],
            "line": {
                "color": [_edge(row.chip.colour, theme) for row in rows],
                "width": [_line(row.chip) for row in rows],
            },
        },
        text=[row.hover for row in rows],
        hovertemplate="%{text}<extra></extra>",
        name="size",
    )
    bars = [
        go.Scatter(
            x=[most * (0.985 - LANE * lane)] * 2,
            y=[places[0] - 0.12, places[-1] + 0.12],
            mode="lines",
            line={"color": style.CHANCE, "width": 6},
            hovertemplate="these cannot be told apart<extra></extra>",
            name="these cannot be told apart",
            showlegend=not number,
            legendgroup="joined",
        )
        for number, (lane, places) in enumerate(zip(lanes(joined), joined, strict=True))
    ]
    return go.Figure([*bars, whiskers, sizes, *_key(rows, theme)], layout)


def _key(rows: Sequence[Row], theme: str) -> list[go.Scatter]:
    """What the shapes say, those that there are."""
    return [
        go.Scatter(
            x=[None],
            y=[None],
            mode="markers",
            marker={
                "size": 12,
                "symbol": _symbol(chip),
                "color": style.VERDICT[chip.colour],
                "line": {"color": _edge(chip.colour, theme), "width": _line(chip)},
            },
            name=chip.words,
        )
        for chip in chips(rows)
    ]


def chips(rows: Sequence[Row]) -> list[Chip]:
    """The verdicts that there are, as the rows come."""
    return list(dict.fromkeys(row.chip for row in rows))


def _symbol(chip: Chip) -> str:
    return f"{MARK[chip.colour]}{'-open' * (chip == SMALL)}"


def _line(chip: Chip) -> int:
    """Pixels: of the edge of a mark, or of a hollow one."""
    return 3 if chip == SMALL else 1


def _edge(colour: str, theme: str) -> str:
    """Amber alone is too light to be seen on white."""
    return style.VERDICT_EDGE if colour == "cannot-tell" else style.BACKGROUND[theme]


def lanes(joined: Sequence[Sequence[int]]) -> list[int]:
    """In which of the lanes beside each other a bar stands, so that no two touch."""
    ends: list[int] = []
    lanes = []
    for places in joined:
        lane = next((i for i, end in enumerate(ends) if end < places[0]), len(ends))
        ends[lane : lane + 1] = [places[-1]]
        lanes.append(lane)
    return lanes


AXIS_WORDS = "Typical gap, points, with its 95 % interval"


def groups_figure(found: GroupSurvey, theme: str = "light") -> go.Figure:
    """The groups that were tested, column by column, by their typical gaps."""
    return forest_figure(groups_rows(found), AXIS_WORDS, (), theme)


def groups_rows(found: GroupSurvey) -> list[Row]:
    """The groups that were tested as rows of a forest."""
    verdicts = [group.verdict for group in found.tested if group.verdict is not None]
    digits = typical_digits([verdict.typical_gap for verdict in verdicts])
    rows = []
    for group, verdict in zip(found.tested, verdicts, strict=True):
        gap = verdict.typical_gap
        name = f"{group.column} {group.value}"
        rows.append(
            Row(
                name,
                100 * gap.value,
                100 * gap.low,
                100 * gap.high,
                chip(verdict),
                f"{style.escaped((name,))[0]}, {group.n:,} cases<br>Typical gap "
                f"{gap_cell(gap, digits, verdict.unclear)}<br>{chip_text(verdict)}",
            )
        )
    return rows


def groups_says(found: GroupSurvey) -> str:
    """The figure in words, for who cannot see it."""
    tested = [(group, group.verdict) for group in found.tested if group.verdict is not None]
    digits = typical_digits([verdict.typical_gap for _, verdict in tested])
    pair = (of(tested, key=lambda pair: pair[1].typical_gap.value) for of in (min, max))
    ends = [
        f"{gap_cell(v.typical_gap, digits, v.unclear)} in {group_name(g.column, g.value)}" for g, v in pair
    ]
    if len(tested) == 1:
        return f"One group, with a typical gap of {ends[0]}."
    return f"{len(tested):,} groups, with typical gaps from {ends[0]} to {ends[1]}."


def comparison_figure(comparison: Comparison, theme: str = "light") -> go.Figure:
    """The models by typical gap; bars join those that these cases cannot tell apart."""
    return forest_figure(comparison_rows(comparison), AXIS_WORDS, comparison_joined(comparison), theme)


def comparison_rows(comparison: Comparison) -> list[Row]:
    """The models as rows of a forest, by typical gap."""
    models = comparison.by_gap
    digits = typical_digits([model.verdict.typical_gap for model in models])
    rows = []
    for model in models:
        gap = model.verdict.typical_gap
        cell = gap_cell(gap, digits, model.verdict.unclear)
        name = style.escaped((model.name,))[0]
        rows.append(
            Row(
                model.name,
                100 * gap.value,
                100 * gap.low,
                100 * gap.high,
                chip(model.verdict),
                f"{name}<br>Typical gap {cell}<br>{chip_text(model.verdict)}",
            )
        )
    return rows


def comparison_joined(comparison: Comparison) -> list[list[int]]:
    """The places of models that a bar joins."""
    places = {model.name: place for place, model in enumerate(comparison.by_gap)}
    return [[places[name] for name in run] for run in comparison.undecided]


def comparison_says(comparison: Comparison) -> str:
    """The figure in words, for who cannot see it."""
    first, *_, last = comparison.by_gap
    digits = typical_digits([first.verdict.typical_gap, last.verdict.typical_gap])
    ends = [gap_cell(v.typical_gap, digits, v.unclear) for v in (first.verdict, last.verdict)]
    return (
        f"{len(comparison.models)} models by typical gap, from '{first.name}' with {ends[0]} "
        f"to '{last.name}' with {ends[1]}."
    )
