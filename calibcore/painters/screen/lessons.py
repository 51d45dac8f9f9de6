"""The small figures of the Learn page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.diagram.reliability import Reliability
from calibcore.lessons import ALPHA, ChanceGap, Trial
from calibcore.lessons.findings import SETS, Together
from calibcore.lessons.words import EACH, FORECASTERS, POOLED, trial_p
from calibcore.painters.screen import canvas, marks
from calibcore.painters.screen.simplex import simplex_figure
from calibcore.wording import percent
from calibcore.words.phrases import exact_percent, points

HEIGHT = 360
_CROSS: dict[str, Any] = {"symbol": "x-thin", "size": 11, "line": {"color": style.OBSERVED, "width": 3}}
_SHARES: dict[str, Any] = canvas.AXIS | canvas.PERCENTS | {
    "range": [-0.02, 1.02], "dtick": 0.2, "constrain": "domain"
}  # fmt: skip


def promise_figure(diagram: Reliability, theme: str = "light") -> go.Figure:
    """How often it rained against what was said, and the line on which every promise is kept."""
    texts = [
        f"Said {percent(predicted, 0)} on average<br>It rained {percent(seen, 0)} of the time ({days:,} days)"
        for predicted, seen, days in _bins(diagram)
    ]
    titles = "Probability the forecaster gave", "How often it rained"
    return _promised(diagram, titles, _CROSS, texts, "promise kept", theme)


def sure_figure(diagram: Reliability, chosen: int, theme: str = "light") -> go.Figure:
    """How often the model was right against how sure it said it was; the ``chosen`` bin solid."""
    texts = [
        f"{percent(predicted, 0)} sure<br>Right in {percent(right, 0)} ({letters:,} letters)"
        for predicted, right, letters in _bins(diagram)
    ]
    strong = [b == chosen for b in range(diagram.n_bins)]
    titles = "How sure the model says it is", "How often it is right"
    return _promised(diagram, titles, _CROSS | _stronger(strong), texts, "as sure as right", theme)


def _bins(diagram: Reliability) -> Iterator[tuple[float, float, int]]:
    """What was said, how often it was so, and the cases of each bin."""
    columns = (diagram.mean_prediction[:, 0], diagram.observed[:, 0], diagram.counts)
    return zip(*(column.tolist() for column in columns), strict=True)


def _promised(
    diagram: Reliability,
    titles: tuple[str, str],
    cross: dict[str, Any],
    texts: Sequence[str],
    when_kept: str,
    theme: str,
) -> go.Figure:
    """How often it was so against what was said, and the line on which that is the same."""
    x, y = diagram.mean_prediction[:, 0], diagram.observed[:, 0]
    gaps_x, gaps_y = [], []
    for predicted, seen, _ in _bins(diagram):
        gaps_x += [predicted, predicted, None]
        gaps_y += [predicted, seen, None]
    layout = _layout(titles[1])
    layout["annotations"].append(_corner(0.76, 0.8, when_kept, style.PREDICTED[theme]))
    layout["xaxis"] = _SHARES | {"title": {"text": titles[0]}}
    layout["yaxis"] = _SHARES | {"scaleanchor": "x"}
    traces = [
        marks.stroke([0, 1], [0, 1], style.PREDICTED[theme], 2, showlegend=False),
        marks.stroke(gaps_x, gaps_y, style.OBSERVED, 1, showlegend=False),
        marks.dots(x, y, cross, texts, showlegend=False),
    ]
    return go.Figure(traces, layout)


def _layout(above: str) -> dict[str, Any]:
    return canvas.layout(HEIGHT) | {"annotations": [canvas.axis_label(above, 1.0)]}


def _corner(x: float, y: float, words: str, colour: str | None = None) -> dict[str, Any]:
    return marks.note(words, colour) | {"x": x, "y": y, "xanchor": "right", "yanchor": "bottom"}


def gaps_figure(gaps: Sequence[ChanceGap], chosen: int) -> go.Figure:
    """The ECE of a calibrated model by number of cases, on what chance makes of it; ``chosen`` solid."""
    x, names = [f"{gap.n:,}" for gap in gaps], [f"{gap.n:,} cases" for gap in gaps]
    layout = _layout("Average gap (ECE) of a calibrated model, points")
    layout["legend"] |= {"y": -0.24}
    title = {"text": "Number of cases"}
    layout["xaxis"] = canvas.AXIS | {"title": title, "type": "category", "showgrid": False}
    layout["yaxis"] = canvas.AXIS | {"range": [0, 62]}
    strong = [gap.n == chosen for gap in gaps]
    return go.Figure([_by_chance(x, gaps, 0.3), _errors(x, gaps, names, strong, "observed", _CROSS)], layout)


def _by_chance(x: Sequence[Any], gaps: Sequence[ChanceGap], width: float) -> go.Bar:
    foot, high = [100 * gap.low for gap in gaps], [100 * (gap.high - gap.low) for gap in gaps]
    return marks.chance_bars(x, foot, high, width, "if calibrated, 9 times in 10")


def _errors(
    x: Sequence[Any],
    gaps: Sequence[ChanceGap],
    names: Sequence[str],
    strong: Sequence[bool],
    name: str,
    marker: dict[str, Any],
) -> go.Scatter:
    """ECEs, the ``strong`` ones larger and solid; ``names`` are what their hovers begin with."""
    texts = [
        f"{words}: {points(gap.ece)}<br>By chance {100 * gap.low:.1f} to {points(gap.high)}"
        for words, gap in zip(names, gaps, strict=True)
    ]
    return marks.dots(x, [100 * gap.ece for gap in gaps], marker | _stronger(strong), texts, name=name)


def _stronger(strong: Sequence[bool]) -> dict[str, Any]:
    """Of marks: which are larger and solid."""
    return {
        "size": [14 if is_strong else 9 for is_strong in strong],
        "opacity": [1.0 if is_strong else style.WITHIN for is_strong in strong],
    }


def forecasters_figure(pairs: Mapping[int, tuple[ChanceGap, ChanceGap]], chosen: int) -> go.Figure:
    """The ECEs of two calibrated forecasters by number of bins, on what chance makes of each."""
    traces: list[go.Scatter | go.Bar] = []
    for which, name in enumerate(FORECASTERS):
        gaps = [pair[which] for pair in pairs.values()]
        x = [place + (which - 0.5) * 0.4 for place in range(len(pairs))]
        names = [f"{name}, {bins} bins" for bins in pairs]
        strong = [bins == chosen for bins in pairs]
        traces += [
            _by_chance(x, gaps, 0.22).update(showlegend=not which),
            _errors(x, gaps, names, strong, name, marks.observed(2, symbol=marks.PAIR[which])),
        ]
    layout = _layout("Average gap (ECE) of two calibrated forecasters, points") | {"barmode": "overlay"}
    layout["legend"] |= {"y": -0.24}
    layout["xaxis"] = canvas.AXIS | {
        "title": {"text": "Number of bins"}, "tickvals": list(range(len(pairs))),
        "ticktext": [str(bins) for bins in pairs], "showgrid": False,
    }  # fmt: skip
    layout["yaxis"] = canvas.AXIS | {"rangemode": "tozero"}
    return go.Figure(traces, layout)


def together_figure(trials: Sequence[Together], chosen: float) -> go.Figure:
    """In which share of sets a calibrated model is called miscalibrated, by how far findings go together."""
    x = [trial.alike for trial in trials]
    strong = [trial.alike == chosen for trial in trials]
    ways = (
        (POOLED, _CROSS, [t.pooled for t in trials]),
        (EACH, marks.observed(2, symbol=marks.PAIR[1]), [t.each for t in trials]),
    )
    traces = []
    for name, marker, sets in ways:
        texts = [
            f"{name}<br>Correlation {place:g}: {times:,} of {SETS:,} sets"
            for place, times in zip(x, sets, strict=True)
        ]
        shares = [times / SETS for times in sets]
        traces.append(marks.dots(x, shares, marker | _stronger(strong), texts, name=name))
    layout = _layout("Called miscalibrated, though it is calibrated")
    layout["annotations"].append(_corner(0.95, ALPHA, f"{exact_percent(ALPHA)}, what the level allows"))
    layout["shapes"] = [marks.level(ALPHA)]
    layout["legend"] |= {"y": -0.24}
    layout["xaxis"] = canvas.AXIS | {
        "title": {"text": "How strongly findings go together (correlation)"}, "range": [-0.05, 1.0],
        "tickvals": x,
    }  # fmt: skip
    layout["yaxis"] = canvas.AXIS | canvas.PERCENTS | {"range": [-0.03, 0.65], "dtick": 0.2}
    return go.Figure(traces, layout)


def triangle_figure(diagram: Reliability, theme: str = "light") -> go.Figure:
    """The triangle, smaller and without its key: all predictions of the toy are equally frequent."""
    figure = simplex_figure(diagram, "case", theme)
    figure.update_layout(height=HEIGHT, margin={"b": 40}, showlegend=False)
    return figure


def trials_figure(trials: Sequence[Trial]) -> go.Figure:
    """Every data set's p-value by both tests; those that reject stand left of the line, as crosses."""
    traces = []
    notes = []
    for place, name, values in (
        (1, "Consistency resampling", [t.resampling for t in trials]),
        (0, "Exact test", [t.exact for t in trials]),
    ):
        # Spread over the height of the row, so that equal p-values are seen apart.
        heights = [place + 0.7 * ((i + 0.5) / len(values) - 0.5) for i in range(len(values))]
        for rejects in (True, False):
            chosen = [i for i, p in enumerate(values) if (p <= ALPHA) == rejects]
            marker = _CROSS | {"size": 8} if rejects else {"color": style.CHANCE, "size": 6}
            texts = [f"Data set {i + 1}, {name.lower()}: {trial_p(values[i])}" for i in chosen]
            y = [heights[i] for i in chosen]
            traces.append(marks.dots([values[i] for i in chosen], y, marker, texts, showlegend=False))
        notes.append(_corner(1, place + 0.36, name))
    layout = _layout(f"Left of the line (p ≤ {ALPHA}): called miscalibrated")
    layout["annotations"][:0] = notes
    layout["shapes"] = [marks.upright(ALPHA, style.CHANCE, width=1)]
    layout["xaxis"] = canvas.AXIS | {"title": {"text": "p-value"}, "range": [-0.03, 1.03], "dtick": 0.25}
    layout["yaxis"] = canvas.AXIS | {"visible": False, "range": [-0.45, 1.55]}
    return go.Figure(traces, layout)
