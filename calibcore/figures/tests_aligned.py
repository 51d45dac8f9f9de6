"""Every test of a diagnosis on one axis of p, grouped by what it promises."""

import math
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from calibcore.diagnose import Diagnosis, NamedTest
from calibcore.figures import marks, style
from calibcore.figures.log_axis import log_axis
from calibcore.hypothesis_tests import Promise
from calibcore.hypothesis_tests.families import names_of
from calibcore.words.phrases import PROMISES, pvalue_in_full
from calibcore.words.testing import grouped_tests, row_words, smallest_possible

LEAST = 1e-4
"""The axis ends here unless redraws allow a smaller p; what is smaller stands at its end."""
AXIS_TITLE = "p: how often chance alone looks at least this bad"
HIGH = 1.12
"""So that a mark at 1 is whole."""
ROW, HEADING = 40, 44
"""Pixels of a test, and of the promise above its tests."""
_LIFT = 18
"""From a mark up to its words."""
_ABOVE, _BELOW = 34, 60
_ARROW = 0.16
"""How far to the left the arrow of a bound reaches, as a share of the axis."""


@dataclass(frozen=True)
class Row:
    """A test whose row begins ``top`` below the upper edge."""

    test: NamedTest
    top: float

    @property
    def p(self) -> float | None:
        """What is marked; None where there is nothing."""
        result = self.test.result
        return None if result is None or math.isnan(result.pvalue) else result.pvalue

    @property
    def bound(self) -> bool:
        """Whether p is an upper bound."""
        return self.test.result is not None and self.test.result.promise == "bound"

    @property
    def y(self) -> float:
        """Where its mark stands, in pixels."""
        return self.top + 0.7 * ROW


def aligned_figure(diagnosis: Diagnosis, theme: str = "light") -> go.Figure:
    """One row a test: its name, its p in words, and its place on a logarithmic axis.

    Solid: p is at most the level. A triangle with a line to the left: an upper bound. A bar
    beside the mark: the smallest p that the redraws allow. Withheld tests have a row and no mark.
    """
    groups, height = placed(diagnosis, HEADING, ROW)
    height += 6
    rows = [row for *_, some in groups for row in some]
    alpha = diagnosis.spec.alpha
    low = leftmost(diagnosis)
    notes = [
        _words(f"<b>{PROMISES[promise].capitalize()}</b>", top + HEADING / 2, 0, style.TEXT[theme])
        for promise, top, _ in groups
    ]
    for row in rows:
        strong = row.p is not None and row.p <= alpha
        color = style.TEXT[theme] if strong else style.QUIET[theme]
        notes.append(_words(names_of(row.test.name).short, row.y - _LIFT, 0, color))
        notes.append(_words(row_words(row.test), row.y - _LIFT, 1, color))
    notes.append(
        marks.note(f"level {alpha:g}", style.QUIET[theme])
        | {
            "x": math.log10(alpha), "xref": "x", "xanchor": "center",
            "y": 1, "yref": "paper", "yanchor": "bottom",
        }
    )  # fmt: skip
    traces = []
    for strong in (True, False):
        some = [row for row in rows if row.p is not None and (row.p <= alpha) == strong]
        traces += _marks(some, low, strong)
    layout = style.layout(round(height + _ABOVE + _BELOW), r=8, t=_ABOVE, b=_BELOW) | {
        "showlegend": False,
        "shapes": [shape for row in rows for shape in (_track(row.y, low), _level(row.y, alpha))],
        "annotations": notes,
        "xaxis": style.AXIS | log_axis(low, HIGH) | {"title": {"text": AXIS_TITLE}, "showgrid": False},
        "yaxis": {"range": [height, 0], "visible": False, "fixedrange": True},
    }
    return go.Figure(traces, layout)


def placed(
    diagnosis: Diagnosis, heading: float, row: float
) -> tuple[list[tuple[Promise, float, list[Row]]], float]:
    """Each promise with where its heading begins and its rows, so high, from the top down; all they take."""
    groups = []
    top = 0.0
    for promise, tests in grouped_tests(diagnosis):
        rows = [Row(test, top + heading + i * row) for i, test in enumerate(tests)]
        groups.append((promise, top, rows))
        top += heading + len(tests) * row
    return groups, top


def leftmost(diagnosis: Diagnosis) -> float:
    """Where the axis of p ends: what the redraws allow is on it."""
    redraws = [test.result.n_resamples for test in diagnosis.tests if test.result is not None]
    return 0.6 * min([LEAST, *(1 / (n + 1) for n in redraws if n)])


def line_of_bound(p: float, low: float) -> tuple[float, float]:
    """From where to where the line to the left of a bound goes, as p may lie anywhere there."""
    p = max(p, low)
    return max(low, p * low**_ARROW), p


def _marks(rows: list[Row], low: float, strong: bool) -> list[go.Scatter]:
    """Dots, bounds with their lines, what lies beyond the end, and the bars of smallest possible values."""
    bounds = [row for row in rows if row.bound]
    others = [row for row in rows if not row.bound]
    traces = [
        _scatter(chosen, low, strong, name, symbol, size)
        for name, symbol, size, chosen in (
            ("smallest possible", "line-ns", 15, [row for row in others if smallest_possible(row.test)]),
            ("p", "circle", 12, [row for row in others if row.p is not None and row.p > low]),
            ("beyond the end", "triangle-left", 12, [row for row in others if (row.p or 0.0) <= low]),
            ("upper bound", "triangle-left-open", 12, bounds),
        )
        if chosen
    ]
    if bounds:
        traces.append(_lines(bounds, low, strong))
    return traces


def _scatter(rows: list[Row], low: float, strong: bool, name: str, symbol: str, size: int) -> go.Scatter:
    return go.Scatter(
        x=[max(row.p or 0.0, low) for row in rows],
        y=[row.y for row in rows],
        mode="markers",
        name=name,
        opacity=1 if strong else style.PALE_DOT,
        marker=marks.observed(2, symbol=symbol, size=size),
        cliponaxis=False,
        customdata=[[*_hover(row)] for row in rows],
        hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
    )


def _lines(rows: list[Row], low: float, strong: bool) -> go.Scatter:
    """To the left of each bound."""
    x: list[float | None] = []
    y: list[float | None] = []
    for row in rows:
        x += [*line_of_bound(row.p or 0.0, low), None]
        y += [row.y, row.y, None]
    opacity = 1 if strong else style.PALE_DOT
    return marks.stroke(x, y, style.OBSERVED, 2, "dot", opacity=opacity, name="p lies below")


def _hover(row: Row) -> tuple[str, str, str]:
    result = row.test.result
    assert result is not None
    return names_of(row.test.name).full, pvalue_in_full(result), PROMISES[result.promise]


def _track(y: float, low: float) -> dict[str, Any]:
    return {
        "type": "line", "x0": low, "x1": HIGH, "y0": y, "y1": y, "layer": "below",
        "line": {"color": style.GRID, "width": 1},
    }  # fmt: skip


def _level(y: float, alpha: float) -> dict[str, Any]:
    """One dash of the level's line a row, so that it touches no words."""
    return {
        "type": "line", "x0": alpha, "x1": alpha, "y0": y - 6, "y1": y + 10, "layer": "below",
        "line": {"color": style.CHANCE, "width": 1},
    }  # fmt: skip


def _words(text: str, y: float, side: int, color: str) -> dict[str, Any]:
    return marks.note(text, color) | {
        "xref": "paper", "x": side, "xanchor": "right" if side else "left", "y": y, "yanchor": "middle"
    }  # fmt: skip
