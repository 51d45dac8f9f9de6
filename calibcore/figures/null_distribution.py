"""What a test saw: the observed value among those that chance alone gives (after the poster of W19)."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from calibcore.diagnose import NamedTest
from calibcore.distances import DEFAULT
from calibcore.figures import style
from calibcore.hypothesis_tests.result import tie_slack
from calibcore.predictions import Float, InputError, Int
from calibcore.words import pvalue, statistic_words

MOST_BARS = 30
AXES = {"ece": "Average gap (ECE)", "skce": "Squared kernel calibration error"}


@dataclass(frozen=True, eq=False)
class Histogram:
    """What is drawn of a test, on the screen and on paper.

    Attributes
    ----------
    edges : (bars + 1,) of the bars, in the unit of the axis
    counts : (bars,) redraws
    tail : (bars,) whether its redraws are at least as large as what was observed
    observed : in the unit of the axis
    axis : what the axis says
    """

    edges: Float
    counts: Int
    tail: NDArray[np.bool_]
    observed: float
    axis: str


def histogram_of(test: NamedTest, distance: str = DEFAULT) -> Histogram:
    """The redraws of a test in bars, one of them beginning at the observed value.

    Raises
    ------
    InputError : a test that made no redraws.
    """
    result = test.result
    if result is None or result.null_distribution is None or not len(result.null_distribution):
        raise InputError(f"The test {test.name!r} has no redraws to draw.")
    in_points = test.estimator == "ece" and distance != "squared-euclidean"
    scale = 100.0 if in_points else 1.0
    null, observed = result.null_distribution, result.statistic
    cut = observed - tie_slack(observed, float(null.std()))
    edges = _edges(null, cut)
    axis = AXES[test.estimator.partition("-")[0]] + (", points" if in_points else "")
    return Histogram(scale * edges, np.histogram(null, edges)[0], edges[:-1] >= cut, scale * observed, axis)


def null_figure(test: NamedTest, distance: str = DEFAULT, theme: str = "light") -> go.Figure:
    """Redraws as a grey histogram, those at least as large as observed hatched, the observed value a line.

    Raises
    ------
    InputError : a test that made no redraws.
    """
    drawn, result = histogram_of(test, distance), test.result
    assert result is not None
    edges, counts, observed = drawn.edges, drawn.counts, drawn.observed
    figure = go.Figure(
        [
            _bars(edges, counts, ~drawn.tail, "if calibrated", None),
            _bars(edges, counts, drawn.tail, "at least as large as observed", "/"),
        ]
    )
    words = statistic_words(test.estimator, result.statistic, distance)
    top = 1.16 * float(counts.max())
    figure.add_trace(
        go.Scatter(
            x=[observed] * 2,
            y=[0, top],
            mode="lines",
            line={"color": style.OBSERVED, "width": 3},
            name="observed",
            hovertemplate=f"Observed: {words}<extra></extra>",
        )
    )
    style.laid_out(figure, 340)
    figure.update_layout(margin={"l": 8, "r": 8, "t": 76, "b": 8}, showlegend=False)
    figure.update_xaxes(title=drawn.axis, exponentformat="power", showgrid=False, nticks=6)
    figure.update_yaxes(range=[0, top], nticks=4)
    style.label_axis(figure, "Redraws", 1.0)
    _labels(figure, edges, observed, top, theme, f"<b>observed {words}</b><br>{pvalue(result)}")
    return figure


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


def _labels(figure: go.Figure, edges: Float, observed: float, top: float, theme: str, words: str) -> None:
    """The observed value above its line, "if calibrated" above the bars, where no line crosses it."""
    low, high = min(edges[0], observed), max(edges[-1], observed)
    place = float((observed - low) / (high - low))
    side = "left" if place < 1 / 3 else "right" if place > 2 / 3 else "center"
    figure.add_annotation(
        text=words,
        x=observed,
        y=1.0,
        yref="paper",
        xanchor=side,
        align=side,
        yanchor="bottom",
        yshift=18,
        showarrow=False,
        font={"color": style.OBSERVED_TEXT[theme]},
    )
    left = observed > (edges[0] + edges[-1]) / 2
    figure.add_annotation(
        text="if calibrated",
        x=float(edges[0] if left else max(observed, edges[0])),
        y=top,
        xanchor="left",
        xshift=0 if left else 6,
        yanchor="top",
        showarrow=False,
        font={"color": style.QUIET[theme]},
    )


def _edges(null: Float, cut: float) -> Float:
    """Edges of bars of one width over all redraws, one of them at ``cut`` if that lies among them."""
    low, high = float(null.min()), float(null.max())
    bars = min(MOST_BARS, max(1, round(2 * len(null) ** 0.5)))
    width = (high - low) / bars
    if width <= 1e-9 * max(abs(low), abs(high), 1e-300):  # all redraws are alike
        width = 0.05 * max(abs(high), abs(high - cut), 1e-9)
    first, last = np.floor((low - cut) / width), np.floor((high - cut) / width) + 1
    edges = cut + width * np.arange(first, last + 1)
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    return np.asarray(edges)
