"""The reliability diagram (V19 Fig. 4): deviations, consistency bars, and how predictions are spread."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.figures import style
from calibcore.predictions import Float, Int
from calibcore.reliability import HISTOGRAM_BINS, Reliability
from calibcore.words import count, percent, plural, points, top_bins

MOST_BINS_SHOWN = 40


def reliability_figure(
    found: Reliability, noun: str = "case", theme: str = "light", classical: bool = False
) -> go.Figure:
    """Two classes: deviation against prediction. More: total variation by bin, the fullest bins first.

    ``classical`` draws what happened against what was predicted, two classes only.
    """
    if len(found.class_names) > 2:
        return _many_classes(found, noun)
    return _classical(found, noun, theme) if classical else _two_classes(found, noun, theme)


def bins_chosen(points: Sequence[Mapping[str, Any]]) -> list[int]:
    """The bins whose crosses are among ``points``, as the browser reports what was clicked or framed.

    What is written as a row of numbers comes back as a list or as ``{"0": …}``.
    """
    found = set()
    for point in points:
        data = point.get("customdata") or ()
        own = list(data.values() if isinstance(data, Mapping) else data)
        if len(own) == 1:
            found.add(int(own[0]))
    return sorted(found)


def _two_classes(found: Reliability, noun: str, theme: str) -> go.Figure:
    x = found.mean_prediction[:, 0]
    hovers = [_hover(found, b, noun) for b in range(found.n_bins)]
    above = [*_bars(x, found, _widths(x)), *_crosses(x, found.deviation, found, hovers)]
    for trace in above:
        trace.xaxis, trace.yaxis = "x", "y"
    histogram = _histogram(found, noun, theme)
    histogram.xaxis, histogram.yaxis = "x2", "y2"
    return go.Figure([*above, histogram], _two_panels(noun))


def _two_panels(noun: str) -> dict[str, Any]:
    """The deviations above, the histogram below, on one axis of probabilities."""
    x = style.AXIS | {"domain": [0.0, 1.0], "range": [-0.02, 1.02], "tickformat": ".0%"}
    return style.layout(460) | {
        "xaxis": x | {"anchor": "y", "matches": "x2", "showticklabels": False},
        "yaxis": style.AXIS | {"anchor": "x", "domain": [0.1 + 0.189, 1.0], "tickformat": ".1~f"},
        "xaxis2": x | {"anchor": "y2", "title": {"text": "Probability the model gave"}},
        "yaxis2": style.AXIS | {"anchor": "x2", "domain": [0.0, 0.189], "tickformat": ".0%", "nticks": 3},
        "shapes": [
            {
                "type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": 0, "y1": 0, "yref": "y",
                "line": {"color": style.CHANCE, "width": 1},
            }
        ],
        "annotations": [
            style.axis_label("Happened more often than the model said, points", 1.0),
            style.axis_label(f"Share of {plural(noun)}", 0.228),
        ],
    }  # fmt: skip


def _classical(found: Reliability, noun: str, theme: str) -> go.Figure:
    """Equal scales; one x axis for both panels, so that they keep in line when it is narrowed."""
    x, y = found.mean_prediction[:, 0], found.observed[:, 0]
    hovers = [_hover(found, b, noun) for b in range(found.n_bins)]
    diagonal = go.Scatter(
        x=[0, 100],
        y=[0, 100],
        mode="lines",
        line={"color": style.CHANCE, "width": 1},
        hoverinfo="skip",
        showlegend=False,
    )
    figure = go.Figure(
        [
            diagonal,
            *_bars(100 * x, found, 100 * _widths(x), x),
            *_crosses(100 * x, y, found, hovers),
            _histogram(found, noun, theme, 100.0).update(yaxis="y2"),
        ]
    )
    style.laid_out(figure, 660)
    ends = [-2, 102]
    style.label_axis(figure, "How often it happened", 1.0, "y")
    style.label_axis(figure, f"Share of {plural(noun)}", 1.0, "y2")
    figure.update_layout(
        xaxis={"range": ends, "constrain": "domain", "constraintoward": "left", "anchor": "y2"},
        yaxis={"range": ends, "constrain": "domain", "scaleanchor": "x", "domain": [0.24, 1]},
        yaxis2={"domain": [0, 0.16], "tickformat": ".0%", "nticks": 3, "anchor": "x"}
        | {"gridcolor": style.GRID, "zeroline": False, "automargin": True},
    )
    ticks = {"ticksuffix": "%", "dtick": 20}
    figure.update_xaxes(title="Probability the model gave", **ticks)
    figure.update_layout(yaxis=ticks)
    return figure


def _histogram(found: Reliability, noun: str, theme: str, scale: float = 1.0) -> go.Bar:
    edges = np.arange(HISTOGRAM_BINS) / HISTOGRAM_BINS
    return go.Bar(
        x=scale * (edges + 0.5 / HISTOGRAM_BINS),
        y=found.histogram / max(1, found.histogram.sum()),
        width=scale / HISTOGRAM_BINS,
        marker={"color": style.PREDICTED[theme], "line": {"width": 0}},
        name="predicted",
        showlegend=False,
        customdata=np.column_stack([edges, edges + 1 / HISTOGRAM_BINS, found.histogram]),
        hovertemplate="%{customdata[0]:.1%} to %{customdata[1]:.1%}<br>%{customdata[2]:,} "
        f"{plural(noun)}<extra></extra>",
    )


def _many_classes(found: Reliability, noun: str) -> go.Figure:
    shown = np.argsort(-found.counts, kind="stable")[:MOST_BINS_SHOWN]
    part = found.only(shown)
    x = np.arange(1.0, len(shown) + 1)
    figure = go.Figure(_bars(x, part, np.full(len(shown), 0.55)))
    names = style.escaped(found.class_names)
    hovers = [
        f"Predicted: {top_bins(part.mean_prediction[b].tolist(), names)}<br>"
        f"Happened: {top_bins(part.observed[b].tolist(), names)}<br>{_hover_end(part, b, noun)}"
        for b in range(part.n_bins)
    ]
    figure.add_traces(_crosses(x, part.deviation, part, hovers, shown))
    style.laid_out(figure, 420)
    title = "Bins, those with most cases first"
    if len(shown) < found.n_bins:
        title += f" ({len(shown)} of {found.n_bins:,})"
    figure.update_xaxes(title=title, showgrid=False, nticks=10)
    style.label_axis(figure, "Distance between predicted and observed in the bin, points", 1.0)
    figure.update_yaxes(rangemode="tozero")
    return figure


def _widths(x: Float) -> Float:
    """Bars a little narrower than the closest neighbours, 0.6 to 2.4 % of the axis."""
    gap = float(np.diff(np.sort(x)).min()) if len(x) > 1 else 1.0
    return np.full(len(x), min(0.024, max(0.006, 0.8 * gap)))


def _bars(x: Float, found: Reliability, widths: Float, base: Float | float = 0.0) -> list[go.Bar]:
    """The consistency bars, on top of ``base``; weighted cases have none."""
    if found.bars == "none":
        return []
    return [
        go.Bar(
            x=x,
            base=100 * (base + found.low),
            y=100 * (found.high - found.low),
            width=widths,
            marker={"color": style.CHANCE_FILL, "line": {"color": style.CHANCE, "width": 1}},
            name=bar_name(found),
            hoverinfo="skip",
            unselected={"marker": {"opacity": 1}},
        )
    ]


def bar_name(found: Reliability) -> str:
    low, high = found.interval
    if len(found.class_names) > 2:
        return f"if calibrated; above it at most {percent(1 - high, 0)} of the time"
    at_least = "at least" if found.bars == "exact" else "about"
    return f"if calibrated, {at_least} {percent(high - low, 0)} of the time"


def _crosses(
    x: Float, y: Float, found: Reliability, hovers: list[str], numbers: Int | None = None
) -> list[go.Scatter]:
    """A cross a bin; ``numbers`` are the bins' own where not all are drawn."""
    own = np.arange(found.n_bins) if numbers is None else numbers
    traces = []
    for outside, opacity in ((True, 1.0), (False, style.WITHIN)):
        chosen = np.flatnonzero(found.outside == outside)
        traces.append(
            go.Scatter(
                x=x[chosen],
                y=100 * y[chosen],
                mode="markers",
                marker={
                    "symbol": "x-thin",
                    "size": 11,
                    "line": {"color": style.OBSERVED, "width": 3 if outside else 2},
                },
                opacity=opacity,
                unselected={"marker": {"opacity": style.PALE}},
                name="observed",
                text=[hovers[b] for b in chosen],
                customdata=own[chosen][:, None],
                hovertemplate="%{text}<extra></extra>",
                showlegend=bool(len(chosen)) and (outside or not found.outside.any()),
            )
        )
    return traces


def _hover(found: Reliability, b: int, noun: str) -> str:
    low, high = found.lowest[b], found.highest[b]
    said = percent(low) if high == low else f"{percent(low)} to {percent(high)}"
    hits = round(float(found.counts[b] * found.observed[b, 0]))
    mean = found.mean_prediction[b, 0]
    if found.bars == "none":
        return (
            f"Model said {said}, {percent(mean)} on average<br>"
            f"Happened {percent(found.observed[b, 0])}, weighted ({count(int(found.counts[b]), noun)})"
        )
    return (
        f"Model said {said}, {percent(mean)} on average<br>"
        f"Happened {percent(found.observed[b, 0])} ({hits:,} of {count(int(found.counts[b]), noun)})<br>"
        f"If calibrated: {percent(mean + found.low[b])} to {percent(mean + found.high[b])}"
    )


def _hover_end(found: Reliability, b: int, noun: str) -> str:
    cases = f"{count(int(found.counts[b]), noun)}, deviation {points(found.deviation[b])}"
    if found.bars == "none":
        return cases
    return f"{cases}<br>If calibrated: {100 * found.low[b]:.1f} to {points(found.high[b])}"
