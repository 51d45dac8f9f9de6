"""Sizes with their intervals, one row each, on one axis; bars join rows that cannot be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from calibcore.assessment.verdict import Verdict
from calibcore.figures import marks, style
from calibcore.questions.compare import Comparison
from calibcore.questions.groups import GroupSurvey
from calibcore.words.sizes import gap_cell, typical_digits
from calibcore.words.verdicts import SMALL, Chip, chip, chip_text

HEAD, ROW, FOOT = 24, 52, 110
"""Pixels."""
NAME = 24
"""Characters of a name on one line, of two."""
MARK = {"miscalibrated": "circle", "consistent": "diamond", "cannot-tell": "square"}
"""The verdict of a row, by shape as well as by colour; hollow where it is small."""
JOINED = "these cannot be told apart"
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


AXIS_WORDS = "Typical gap, points, with its 95 % interval"


def forest_figure(
    rows: Sequence[Row], joined: Sequence[Sequence[int]] = (), theme: str = "light"
) -> go.Figure:
    """One row each from above, in the order given; ``joined`` holds the places of rows that a bar joins."""
    layout = style.layout(HEAD + ROW * len(rows) + FOOT, t=HEAD, b=FOOT, r=24)
    most = longest(rows)
    layout["yaxis"] = marks.named_rows([style.corner_name(row.name, NAME) for row in rows])
    title = AXIS_WORDS.replace(", with", ",<br>with")  # a phone has no room for both on one line
    layout["xaxis"] = style.AXIS | style.titled(title) | {"range": [0, most]}
    layout["legend"] |= style.KEY_AT_FOOT
    looks = [_look(row.chip, theme) for row in rows]
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
        marker=_marker(*([look[part] for look in looks] for part in range(4))),
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
            hovertemplate=f"{JOINED}<extra></extra>",
            name=JOINED,
            showlegend=not number,
            legendgroup="joined",
        )
        for number, (lane, places) in enumerate(zip(lanes(joined), joined, strict=True))
    ]
    key = [
        go.Scatter(x=[None], y=[None], mode="markers", marker=_marker(*_look(chip, theme)), name=chip.words)
        for chip in chips(rows)
    ]
    return go.Figure([*bars, whiskers, sizes, *key], layout)


def _look(chip: Chip, theme: str) -> tuple[str, str, str, int]:
    """Of a mark its symbol, its colour, its edge and the pixels of that, or of a hollow one."""
    hollow = chip == SMALL
    symbol = f"{MARK[chip.colour]}{'-open' * hollow}"
    # Amber alone is too light to be seen on white.
    edge = style.VERDICT_EDGE if chip.colour == "cannot-tell" else style.BACKGROUND[theme]
    return symbol, style.VERDICT[chip.colour], edge, 3 if hollow else 1


def _marker(symbol: Any, colour: Any, edge: Any, width: Any) -> dict[str, Any]:
    return {"size": 12, "symbol": symbol, "color": colour, "line": {"color": edge, "width": width}}


def longest(rows: Sequence[Row]) -> float:
    """Where the axis of sizes ends."""
    return 1.06 * max((row.high for row in rows), default=1.0) or 1.0


def chips(rows: Sequence[Row]) -> list[Chip]:
    """The verdicts that there are, as the rows come."""
    return list(dict.fromkeys(row.chip for row in rows))


def lanes(joined: Sequence[Sequence[int]]) -> list[int]:
    """In which of the lanes beside each other a bar stands, so that no two touch."""
    ends: list[int] = []
    lanes = []
    for places in joined:
        lane = next((i for i, end in enumerate(ends) if end < places[0]), len(ends))
        ends[lane : lane + 1] = [places[-1]]
        lanes.append(lane)
    return lanes


def groups_figure(found: GroupSurvey, theme: str = "light") -> go.Figure:
    """The groups that were tested, column by column, by their typical gaps."""
    return forest_figure(groups_rows(found), (), theme)


def groups_rows(found: GroupSurvey) -> list[Row]:
    """The groups that were tested as rows of a forest."""
    return _rows(
        [
            (
                f"{group.column} {group.value}",
                "" if group.n is None else f", {group.n:,} cases",
                group.verdict,
            )
            for group in found.tested
            if group.verdict is not None
        ]
    )


def comparison_figure(comparison: Comparison, theme: str = "light") -> go.Figure:
    """The models by typical gap; bars join those that these cases cannot tell apart."""
    return forest_figure(comparison_rows(comparison), comparison_joined(comparison), theme)


def comparison_rows(comparison: Comparison) -> list[Row]:
    """The models as rows of a forest, by typical gap."""
    return _rows([(model.name, "", model.verdict) for model in comparison.by_gap])


def _rows(named: Sequence[tuple[str, str, Verdict]]) -> list[Row]:
    """Of each verdict its name and what a hand that rests on it reads beside that."""
    digits = typical_digits([verdict.typical_gap for _, _, verdict in named])
    rows = []
    for name, more, verdict in named:
        gap = verdict.typical_gap
        hover = f"{style.escaped(name)}{more}<br>Typical gap {gap_cell(gap, digits)}<br>{chip_text(verdict)}"
        rows.append(Row(name, 100 * gap.value, 100 * gap.low, 100 * gap.high, chip(verdict), hover))
    return rows


def comparison_joined(comparison: Comparison) -> list[list[int]]:
    """The places of models that a bar joins."""
    places = {model.name: place for place, model in enumerate(comparison.by_gap)}
    return [[places[name] for name in run] for run in comparison.undecided]


def comparison_says(comparison: Comparison) -> str:
    """The figure in words, for who cannot see it."""
    first, *_, last = comparison.by_gap
    digits = typical_digits([first.verdict.typical_gap, last.verdict.typical_gap])
    ends = [gap_cell(v.typical_gap, digits) for v in (first.verdict, last.verdict)]
    return (
        f"{len(comparison.models)} models by typical gap, from '{first.name}' with {ends[0]} "
        f"to '{last.name}' with {ends[1]}."
    )
