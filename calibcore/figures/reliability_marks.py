"""The marks of a reliability diagram: crosses with what their hover says, bars, whiskers, histogram."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.diagram.frequency_intervals import FrequencyIntervals
from calibcore.diagram.reliability import HISTOGRAM_BINS, Reliability
from calibcore.figures import style
from calibcore.numerics.types import Float, Int
from calibcore.wording import count, percent, plural
from calibcore.words.diagram import interval_words
from calibcore.words.phrases import WEIGHTED, exact_percent, points


def histogram(diagram: Reliability, noun: str, theme: str, scale: float = 1.0) -> go.Bar:
    """How the first-class predictions are spread, ``scale`` long."""
    edges = np.arange(HISTOGRAM_BINS) / HISTOGRAM_BINS
    return go.Bar(
        x=scale * (edges + 0.5 / HISTOGRAM_BINS),
        y=diagram.histogram / max(1, diagram.histogram.sum()),
        width=scale / HISTOGRAM_BINS,
        marker={"color": style.PREDICTED[theme], "line": {"width": 0}},
        name="predicted",
        showlegend=False,
        customdata=np.column_stack([edges, edges + 1 / HISTOGRAM_BINS, diagram.histogram]),
        hovertemplate="%{customdata[0]:.1%} to %{customdata[1]:.1%}<br>%{customdata[2]:,} "
        f"{plural(noun)}<extra></extra>",
    )


def widths(x: Float) -> Float:
    """Bars a little narrower than the closest neighbours, 0.6 to 2.4 % of the axis."""
    gap = float(np.diff(np.sort(x)).min()) if len(x) > 1 else 1.0
    return np.full(len(x), min(0.024, max(0.006, 0.8 * gap)))


def bars(
    x: Float, diagram: Reliability, widths: Float, base: Float | float = 0.0, outlined: bool = False
) -> list[go.Bar]:
    """The consistency bars, on top of ``base``, ``outlined`` beside a band; weighted cases have none."""
    if not diagram.has_bars:
        return []
    return [
        go.Bar(
            x=x,
            base=100 * (base + diagram.low),
            y=100 * (diagram.high - diagram.low),
            width=widths,
            marker={
                "color": "rgba(0,0,0,0)" if outlined else style.CHANCE_FILL,
                "line": {"color": style.CHANCE, "width": 1},
            },
            name=bar_name(diagram),
            hoverinfo="skip",
            unselected={"marker": {"opacity": 1}},
        )
    ]


def bar_name(diagram: Reliability) -> str:
    """What the key says of the bars."""
    low, high = diagram.interval
    if len(diagram.class_names) > 2:
        return f"if calibrated; above it at most {exact_percent(1 - high)} of the time"
    at_least = "at least" if diagram.bars == "exact" else "about"
    return f"if calibrated, {at_least} {exact_percent(high - low)} of the time"


def crosses(
    x: Float,
    y: Float,
    diagram: Reliability,
    hovers: list[str],
    numbers: Int | None = None,
    whiskers: FrequencyIntervals | None = None,
) -> list[go.Scatter]:
    """A cross a bin; ``numbers`` are the bins' own where not all are drawn, ``whiskers`` their intervals."""
    own = np.arange(diagram.n_bins) if numbers is None else numbers
    name = "observed" if whiskers is None else f"observed, {exact_percent(whiskers.level)} interval"
    traces = []
    for outside, opacity in ((True, 1.0), (False, style.WITHIN)):
        chosen = np.flatnonzero(diagram.outside == outside)
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
                name=name,
                text=[hovers[b] for b in chosen],
                customdata=own[chosen][:, None],
                hovertemplate="%{text}<extra></extra>",
                showlegend=bool(len(chosen)) and (outside or not diagram.outside.any()),
                error_y=None if whiskers is None else _whiskers(whiskers, y, chosen),
            )
        )
    return traces


def _whiskers(intervals: FrequencyIntervals, y: Float, chosen: Int) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": 100 * (intervals.high - y)[chosen],
        "arrayminus": 100 * (y - intervals.low)[chosen],
        "color": style.OBSERVED,
        "thickness": 1,
        "width": 3,
    }


def hover(diagram: Reliability, b: int, noun: str, frequencies: FrequencyIntervals | None = None) -> str:
    """What a cross says, two classes: predicted, happened, its interval, where it lies if calibrated."""
    low, high = diagram.lowest[b], diagram.highest[b]
    predicted = percent(low) if high == low else f"{percent(low)} to {percent(high)}"
    mean, seen = diagram.mean_prediction[b, 0], diagram.observed[b, 0]
    cases = count(int(diagram.counts[b]), noun)
    lines = [f"Model said {predicted}, {percent(mean)} on average"]
    if not diagram.has_bars:
        return "<br>".join([*lines, f"Happened {percent(seen)}{WEIGHTED[diagram.bars]} ({cases})"])
    lines.append(f"Happened {percent(seen)} ({round(float(diagram.counts[b] * seen)):,} of {cases})")
    if frequencies is not None and (interval := interval_words(frequencies, b)):
        lines.append(interval)
    lines.append(f"If calibrated: {percent(mean + diagram.low[b])} to {percent(mean + diagram.high[b])}")
    return "<br>".join(lines)


def hover_end(diagram: Reliability, b: int, noun: str) -> str:
    """The last lines of what a cross says, three or more classes."""
    cases = f"{count(int(diagram.counts[b]), noun)}, deviation {points(diagram.deviation[b])}"
    if not diagram.has_bars:
        return cases
    return f"{cases}<br>If calibrated: {100 * diagram.low[b]:.1f} to {points(diagram.high[b])}"
