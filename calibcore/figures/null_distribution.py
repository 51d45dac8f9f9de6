"""What a test saw: the observed value among those that chance alone gives (after the poster of W19)."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from calibcore.diagnose import NamedTest
from calibcore.errors import InputError
from calibcore.figures import style
from calibcore.hypothesis_tests.histogram import histogram
from calibcore.numerics.distances import DEFAULT, DISTANCES
from calibcore.numerics.types import Float, Int
from calibcore.words.phrases import pvalue
from calibcore.words.testing import chance_words, statistic_words

AXES = {
    "ece": "Average gap (ECE)",
    "skce": "Squared kernel calibration error",
    "omnibus": "How far out the farthest of its statistics lies",
}


def null_figure(test: NamedTest, distance: str = DEFAULT, theme: str = "light") -> go.Figure:
    """Redraws as a grey histogram, those at least as large as observed hatched, the observed value a line.

    Raises
    ------
    InputError : a test that made no redraws.
    """
    result = test.result
    if result is None:
        raise InputError(f"The test {test.name!r} has no redraws to draw.")
    histogram_bars = histogram(result)
    observed = histogram_bars.observed
    scale, axis = scale_and_axis(test, distance)
    edges, counts, tail = histogram_bars.edges, histogram_bars.counts, histogram_bars.beyond
    chance = chance_words(result)
    words = statistic_words(test.estimator, result.statistic, distance)
    top = 1.16 * float(counts.max())
    sentence = f"<b>observed {words}</b><br>{pvalue(result)}"
    layout = style.layout(356) | {
        "margin": {"l": 8, "r": 8, "t": 92, "b": 8},
        "showlegend": False,
        "xaxis": style.AXIS
        | {"title": {"text": axis}, "exponentformat": "power", "showgrid": False, "nticks": 6},
        "yaxis": style.AXIS | {"range": [0, top], "nticks": 4},
        "annotations": [
            style.axis_label("Redraws", 1.0),
            *_labels(scale * edges, scale * observed, top, theme, sentence, chance),
        ],
    }
    return go.Figure(
        [
            _bars(scale * edges, counts, ~tail, chance, None),
            _bars(scale * edges, counts, tail, "at least as large as observed", "/"),
            _line(scale * observed, top, words),
        ],
        layout,
    )


def _line(observed: float, top: float, words: str) -> go.Scatter:
    return go.Scatter(
        x=[observed] * 2,
        y=[0, top],
        mode="lines",
        line={"color": style.OBSERVED, "width": 3},
        name="observed",
        hovertemplate=f"Observed: {words}<extra></extra>",
    )


def scale_and_axis(test: NamedTest, distance: str) -> tuple[float, str]:
    """What a statistic is multiplied by, and what its axis says."""
    in_points = test.estimator == "ece" and DISTANCES[distance].in_points
    return 100.0 if in_points else 1.0, AXES[test.estimator.partition("-")[0]] + (
        ", points" if in_points else ""
    )


def _bars(edges: Float, counts: Int, chosen: NDArray[np.bool_], name: str, pattern: str | None) -> go.Bar:
    left, right = edges[:-1][chosen], edges[1:][chosen]
    return go.Bar(
        x=(left + right) / 2,
        y=counts[chosen],
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


def _labels(
    edges: Float, observed: float, top: float, theme: str, words: str, chance: str
) -> list[dict[str, Any]]:
    """The observed value above its line, what chance gives above the bars, where no line crosses it."""
    low, high = min(edges[0], observed), max(edges[-1], observed)
    place = float((observed - low) / (high - low))
    side = "left" if place < 1 / 3 else "right" if place > 2 / 3 else "center"
    left = observed > (edges[0] + edges[-1]) / 2
    return [
        {
            "text": words,
            "x": observed,
            "y": 1.0,
            "yref": "paper",
            "xanchor": side,
            "align": side,
            "yanchor": "bottom",
            "yshift": 18,
            "showarrow": False,
            "font": {"color": style.OBSERVED_TEXT[theme]},
        },
        {
            "text": chance,
            "x": float(edges[0] if left else max(observed, edges[0])),
            "y": top,
            "xanchor": "left",
            "xshift": 0 if left else 6,
            "yanchor": "top",
            "showarrow": False,
            "font": {"color": style.QUIET[theme]},
        },
    ]
