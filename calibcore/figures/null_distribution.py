"""What a test saw: the observed value among those that chance alone gives (after the poster of W19)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from calibcore.diagnose import NamedTest
from calibcore.errors import InputError
from calibcore.figures import style
from calibcore.figures.marks import note
from calibcore.hypothesis_tests.histogram import far_out, histogram
from calibcore.numerics.distances import DEFAULT, DISTANCES
from calibcore.numerics.types import Float, Int
from calibcore.words.phrases import pvalue
from calibcore.words.testing import chance_words, statistic_words

AXES = {
    "ece": "Average gap (ECE)",
    "skce": "Squared kernel calibration error",
    "omnibus": "How far out the farthest of its statistics lies",
}


_BARS, _GAP, _ROOM = 0.72, 0.05, 0.03
"""Of the width: the part of the redraws and the break; room beside the bars, in their width."""
SLASH = (0.006, 0.03)
"""Half of a slash: shares of the width and of the height."""


@dataclass(frozen=True)
class NullMarks:
    """The redraws of a test as they are drawn, on the screen and on paper, in the unit of the axis.

    words, p, chance : what was observed, its p, and what the redraws are
    axis : what the axis of the statistic says
    """

    edges: Float
    counts: Int
    beyond: NDArray[np.bool_]
    observed: float
    words: str
    p: str
    chance: str
    axis: str

    @property
    def top(self) -> float:
        """Where the axis of redraws ends."""
        return 1.16 * float(self.counts.max())

    @property
    def left(self) -> bool:
        """Whether the words on chance stand at the left end of the bars."""
        return bool(self.observed > (self.edges[0] + self.edges[-1]) / 2)

    @property
    def beside(self) -> float:
        """Where they begin, so that no line crosses them."""
        return float(self.edges[0] if self.left else max(self.observed, self.edges[0]))

    @property
    def broken(self) -> bool:
        """Whether what was observed lies so far out that the axis is broken before it."""
        return far_out(self.edges, self.observed)

    @property
    def parts(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Of a broken axis, as shares of its width: the part of the redraws, that of what was observed."""
        return (
            ((0.0, _BARS), (_BARS + _GAP, 1.0)) if self.left else ((1 - _BARS, 1.0), (0.0, 1 - _BARS - _GAP))
        )

    def ends(self) -> tuple[float, float]:
        """Of the axis, or of the part of a broken one that has the redraws."""
        low, high = float(self.edges[0]), float(self.edges[-1])
        if not self.broken:
            low, high = min(low, self.observed), max(high, self.observed)
        room = _ROOM * (high - low)
        return low - room, high + room

    def side(self, low: float, high: float) -> str:
        """How the words on what was observed are aligned, on an axis from ``low`` to ``high``."""
        if self.broken:
            return "right" if self.left else "left"
        place = (self.observed - low) / (high - low)
        return "left" if place < 1 / 3 else "right" if place > 2 / 3 else "center"


def null_marks(test: NamedTest, distance: str) -> NullMarks:
    """What is drawn of a test.

    Raises
    ------
    InputError : a test that made no redraws.
    """
    result = test.result
    if result is None:
        raise InputError(f"The test {test.name!r} has no redraws to draw.")
    bars = histogram(result)
    in_points = test.estimator == "ece" and DISTANCES[distance].in_points
    scale = 100.0 if in_points else 1.0
    return NullMarks(
        scale * bars.edges,
        bars.counts,
        bars.beyond,
        scale * bars.observed,
        statistic_words(test.estimator, result.statistic, distance),
        pvalue(result),
        chance_words(result),
        AXES[test.estimator.partition("-")[0]] + (", points" if in_points else ""),
    )


def null_figure(test: NamedTest, distance: str = DEFAULT, theme: str = "light") -> go.Figure:
    """Redraws as a grey histogram, those at least as large as observed hatched, the observed value a line.

    Raises
    ------
    InputError : a test that made no redraws.
    """
    marks = null_marks(test, distance)
    x: dict[str, Any] = style.AXIS | {
        "title": {"text": marks.axis}, "exponentformat": "power", "showgrid": False, "nticks": 6,
    }  # fmt: skip
    layout = style.layout(356, r=8, t=92) | {
        "showlegend": False,
        "xaxis": x | {"range": list(marks.ends())},
        "yaxis": style.AXIS | {"range": [0, marks.top], "nticks": 4},
        "annotations": [style.axis_label("Redraws", 1.0), *_labels(marks, theme)],
    }
    if marks.broken:
        layout |= _broken(marks, x, layout["yaxis"])
    return go.Figure(
        [
            _bars(marks, ~marks.beyond, marks.chance, None),
            _bars(marks, marks.beyond, "at least as large as observed", "/"),
            _line(marks),
        ],
        layout,
    )


def _broken(marks: NullMarks, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    """Two parts of the axis with slashes between; the second has what was observed, and its number."""
    bars, line = marks.parts
    centre, (wide, high) = break_at(marks), SLASH
    return {
        "xaxis": x | {"domain": list(bars), "range": list(marks.ends())},
        "xaxis2": style.AXIS
        | {
            "domain": list(line), "range": [marks.observed - 1, marks.observed + 1], "showgrid": False,
            "anchor": "y", "tickvals": [marks.observed], "ticktext": [marks.words],
        },
        "yaxis": y | {"anchor": "x" if marks.left else "x2"},
        "shapes": [
            {
                "type": "line", "xref": "paper", "yref": "paper", "x0": at - wide, "x1": at + wide,
                "y0": -high, "y1": high, "line": {"color": style.CHANCE, "width": 1.5},
            }
            for at in (centre - wide, centre + wide)
        ],
    }  # fmt: skip


def break_at(marks: NullMarks) -> float:
    """Where the axis is broken, as a share of its width."""
    bars, line = marks.parts
    return (bars[1] + line[0]) / 2 if marks.left else (line[1] + bars[0]) / 2


def _line(marks: NullMarks) -> go.Scatter:
    return go.Scatter(
        x=[marks.observed] * 2,
        y=[0, marks.top],
        mode="lines",
        line={"color": style.OBSERVED, "width": 3},
        name="observed",
        hovertemplate=f"Observed: {marks.words}<extra></extra>",
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
