"""What a test saw: the observed value among those that chance alone gives (after the poster of W19)."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from calibcore.charts import style
from calibcore.charts.null_distribution import EXTREME, UPWARDS, NullMarks, null_marks
from calibcore.diagnose import NamedTest
from calibcore.numerics.distances import DEFAULT
from calibcore.painters.screen import canvas
from calibcore.painters.screen.marks import note

SLASH = (0.006, 0.03)
"""Half of a slash: shares of the width and of the height."""


def null_figure(test: NamedTest, distance: str = DEFAULT, theme: str = "light") -> go.Figure:
    """Redraws as a grey histogram, those at least as large as observed hatched, the observed value a line.

    Raises
    ------
    InputError : a test that made no redraws.
    """
    marks = null_marks(test, distance)
    x: dict[str, Any] = canvas.AXIS | {
        "title": {"text": marks.axis}, "exponentformat": "power", "showgrid": False, "nticks": 6,
    }  # fmt: skip
    layout = canvas.layout(356, r=8, t=92) | {
        "showlegend": False,
        "xaxis": x | {"range": list(marks.ends())},
        "yaxis": canvas.AXIS | {"range": [0, marks.top], "nticks": 4},
        "annotations": [canvas.axis_label(UPWARDS, 1.0), *_labels(marks, theme)],
    }
    if marks.broken:
        layout |= _broken(marks, x, layout["yaxis"])
    return go.Figure(
        [
            _bars(marks, ~marks.beyond, marks.chance, None),
            _bars(marks, marks.beyond, EXTREME, "/"),
            _line(marks),
        ],
        layout,
    )


def _broken(marks: NullMarks, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    """Two parts of the axis with slashes between; the second has what was observed, and its number."""
    bars, line = marks.parts
    centre, (wide, high) = marks.break_at, SLASH
    return {
        "xaxis": x | {"domain": list(bars), "range": list(marks.ends())},
        "xaxis2": canvas.AXIS
        | {
            "domain": list(line), "range": [marks.observed - 1, marks.observed + 1], "showgrid": False,
            "anchor": "y", "tickvals": [marks.observed], "ticktext": [marks.words],
        },
        "yaxis": y | {"anchor": "x" if marks.left else "x2"},
        "shapes": [
            {
                "type": "line", "xref": "paper", "yref": "paper", "x0": edge - wide, "x1": edge + wide,
                "y0": -high, "y1": high, "line": {"color": style.CHANCE, "width": 1.5},
            }
            for edge in (centre - wide, centre + wide)
        ],
    }  # fmt: skip


def _line(marks: NullMarks) -> go.Scatter:
    return go.Scatter(
        x=[marks.observed] * 2,
        y=[0, marks.top],
        mode="lines",
        line={"color": style.OBSERVED, "width": 3},
        name="observed",
        hovertemplate=f"{canvas.hover(marks.hover)}<extra></extra>",
        xaxis="x2" if marks.broken else "x",
    )


def _bars(marks: NullMarks, chosen: NDArray[np.bool_], name: str, pattern: str | None) -> go.Bar:
    left, right = marks.edges[:-1][chosen], marks.edges[1:][chosen]
    return go.Bar(
        x=(left + right) / 2,
        y=marks.counts[chosen],
        width=right - left,
        marker={
            "color": style.CHANCE_FILL,
            "line": {"color": style.CHANCE, "width": 1},
            "pattern": {"shape": pattern, "fgcolor": style.OBSERVED, "size": 6, "fillmode": "overlay"},
        },
        name=name,
        customdata=np.column_stack([left, right]),
        hovertemplate="%{customdata[0]:.3~g} to %{customdata[1]:.3~g}<br>%{y:,} redraws"
        f"<extra>{name}</extra>",
    )


def _labels(marks: NullMarks, theme: str) -> list[dict[str, Any]]:
    """The observed value above its line, what chance gives above the bars, where no line crosses it."""
    side = marks.side(*marks.ends())
    observed = note(f"<b>observed {marks.words}</b><br>{marks.p}", style.OBSERVED_TEXT[theme]) | {
        "x": marks.observed, "xref": "x2" if marks.broken else "x", "xanchor": side, "align": side,
        "y": 1.0, "yref": "paper", "yanchor": "bottom", "yshift": 18,
    }  # fmt: skip
    chance = note(marks.chance, style.QUIET[theme]) | {
        "x": marks.beside, "xanchor": "left", "xshift": 0 if marks.left else 6,
        "y": marks.top, "yanchor": "top",
    }  # fmt: skip
    return [observed, chance]
