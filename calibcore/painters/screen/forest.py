"""Sizes with their intervals, one row each, on one axis; bars join rows that cannot be told apart."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.forest import AXIS_WORDS, JOINED, LANE, Row, chips, lanes, longest
from calibcore.painters.screen import canvas, marks
from calibcore.questions.compare import Comparison
from calibcore.questions.compare.charts import comparison_joined, comparison_rows
from calibcore.questions.groups import GroupSurvey
from calibcore.questions.groups.charts import groups_rows
from calibcore.words.verdicts import SMALL, Chip

HEAD, ROW, FOOT = 24, 52, 110
"""Pixels."""
NAME = 24
"""Characters of a name on one line, of two."""
MARK = {"miscalibrated": "circle", "consistent": "diamond", "cannot-tell": "square"}
"""The verdict of a row, by shape as well as by colour; hollow where it is small."""


def forest_figure(
    rows: Sequence[Row], joined: Sequence[Sequence[int]] = (), theme: str = "light"
) -> go.Figure:
    """One row each from above, in the order given; ``joined`` holds the places of rows that a bar joins."""
    layout = canvas.layout(HEAD + ROW * len(rows) + FOOT, t=HEAD, b=FOOT, r=24)
    most = longest(rows)
    layout["yaxis"] = marks.named_rows([canvas.corner_name(row.name, NAME) for row in rows])
    title = AXIS_WORDS.replace(", with", ",<br>with")  # a phone has no room for both on one line
    layout["xaxis"] = canvas.AXIS | canvas.titled(title) | {"range": [0, most]}
    layout["legend"] |= canvas.KEY_AT_FOOT
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
        text=[canvas.hover(row.hover) for row in rows],
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


def groups_figure(survey: GroupSurvey, theme: str = "light") -> go.Figure:
    """The groups that were tested by their typical gaps, the largest first."""
    return forest_figure(groups_rows(survey), (), theme)


def comparison_figure(comparison: Comparison, theme: str = "light") -> go.Figure:
    """The models by typical gap; bars join those that these cases cannot tell apart."""
    return forest_figure(comparison_rows(comparison), comparison_joined(comparison), theme)
