"""The small figures of the Learn page."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from calibcore.diagram.reliability import Reliability
from calibcore.figures import style
from calibcore.figures.pairs import MARKS
from calibcore.figures.simplex import simplex_figure
from calibcore.lessons import ALPHA, ChanceGap, Trial
from calibcore.wording import percent
from calibcore.words.lessons import FORECASTERS, trial_p
from calibcore.words.phrases import points

HEIGHT = 360
_CROSS = {"symbol": "x-thin", "size": 11, "line": {"color": style.OBSERVED, "width": 3}}


def promise_figure(diagram: Reliability, theme: str = "light") -> go.Figure:
    """How often it rained against what was said, and the line on which every promise is kept."""
    x, y = diagram.mean_prediction[:, 0], diagram.observed[:, 0]
    gaps_x, gaps_y = [], []
    for forecasts, seen in zip(x.tolist(), y.tolist(), strict=True):
        gaps_x += [forecasts, forecasts, None]
        gaps_y += [forecasts, seen, None]
    figure = go.Figure(
        [
            _line([0, 1], [0, 1], {"color": style.PREDICTED[theme], "width": 2}),
            _line(gaps_x, gaps_y, {"color": style.OBSERVED, "width": 1}),
            go.Scatter(
                x=x,
                y=y,
                mode="markers",
                marker=_CROSS,
                text=[
                    f"Said {percent(said, 0)} on average<br>It rained {percent(seen, 0)} of the time "
                    f"({days:,} days)"
                    for said, seen, days in zip(x, y, diagram.counts, strict=True)
                ],
                hovertemplate="%{text}<extra></extra>",
                showlegend=False,
            ),
        ]
    )
    style.laid_out(figure, HEIGHT)
    style.label_axis(figure, "How often it rained", 1.0)
    figure.add_annotation(
        x=0.76, y=0.8, text="promise kept", showarrow=False, xanchor="right", yanchor="bottom",
        font={"color": style.PREDICTED[theme]},
    )  # fmt: skip
    figure.update_xaxes(range=[-0.02, 1.02], dtick=0.2, constrain="domain", **style.PERCENTS)
    figure.update_xaxes(title="Probability the forecaster gave")
    figure.update_yaxes(range=[-0.02, 1.02], dtick=0.2, scaleanchor="x", constrain="domain", **style.PERCENTS)
    return figure


def _line(x: Sequence[float | None], y: Sequence[float | None], line: dict[str, object]) -> go.Scatter:
    return go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False)


def gaps_figure(gaps: Sequence[ChanceGap], chosen: int) -> go.Figure:
    """The ECE of a calibrated model by number of cases, on what chance makes of it; ``chosen`` solid."""
    x = [f"{gap.n:,}" for gap in gaps]
    hovers = [
        f"{gap.n:,} cases: {points(gap.ece)}<br>By chance {100 * gap.low:.1f} to {points(gap.high)}"
        for gap in gaps
    ]
    figure = go.Figure(
        [
            go.Bar(
                x=x,
                base=[100 * gap.low for gap in gaps],
                y=[100 * (gap.high - gap.low) for gap in gaps],
                width=0.3,
                marker={"color": style.CHANCE_FILL, "line": {"color": style.CHANCE, "width": 1}},
                name="if calibrated, 9 times in 10",
                hoverinfo="skip",
            ),
            go.Scatter(
                x=x,
                y=[100 * gap.ece for gap in gaps],
                mode="markers",
                marker={
                    **_CROSS,
                    "size": [14 if gap.n == chosen else 9 for gap in gaps],
                    "opacity": [1.0 if gap.n == chosen else style.WITHIN for gap in gaps],
                },
                name="observed",
                text=hovers,
                hovertemplate="%{text}<extra></extra>",
            ),
        ]
    )
    style.laid_out(figure, HEIGHT)
    figure.update_layout(legend={"y": -0.24})
    style.label_axis(figure, "Average gap (ECE) of a calibrated model, points", 1.0)
    figure.update_xaxes(title="Number of cases", type="category", showgrid=False)
    figure.update_yaxes(range=[0, 62])
    return figure


def forecasters_figure(pairs: Mapping[int, tuple[ChanceGap, ChanceGap]], chosen: int) -> go.Figure:
    """The ECEs of two calibrated forecasters by number of bins, on what chance makes of each."""
    places = list(range(len(pairs)))
    traces: list[go.Scatter | go.Bar] = []
    for which, name in enumerate(FORECASTERS):
        gaps = [pair[which] for pair in pairs.values()]
        x = [place + (which - 0.5) * 0.4 for place in places]
        strong = [1.0 if bins == chosen else style.WITHIN for bins in pairs]
        hovers = [
            f"{name}, {bins} bins: {points(gap.ece)}<br>By chance {100 * gap.low:.1f} to {points(gap.high)}"
            for bins, gap in zip(pairs, gaps, strict=True)
        ]
        traces += [
            go.Bar(
                x=x, base=[100 * gap.low for gap in gaps], y=[100 * (gap.high - gap.low) for gap in gaps],
                width=0.22, marker={"color": style.CHANCE_FILL, "line": {"color": style.CHANCE, "width": 1}},
                name="if calibrated, 9 times in 10", hoverinfo="skip", showlegend=not which,
            ),
            go.Scatter(
                x=x, y=[100 * gap.ece for gap in gaps], mode="markers", name=name, text=hovers,
                marker={
                    "symbol": MARKS[which], "size": [14 if bins == chosen else 9 for bins in pairs],
                    "color": style.OBSERVED, "line": {"color": style.OBSERVED, "width": 2}, "opacity": strong,
                },
                hovertemplate="%{text}<extra></extra>",
            ),
        ]  # fmt: skip
    figure = style.laid_out(go.Figure(traces), HEIGHT)
    figure.update_layout(legend={"y": -0.24}, barmode="overlay")
    style.label_axis(figure, "Average gap (ECE) of two calibrated forecasters, points", 1.0)
    figure.update_xaxes(
        title="Number of bins", tickvals=places, ticktext=[str(bins) for bins in pairs], showgrid=False
    )
    figure.update_yaxes(rangemode="tozero")
    return figure


def triangle_figure(diagram: Reliability, theme: str = "light") -> go.Figure:
    """The triangle, smaller and without its key: all predictions of the toy are equally frequent."""
    figure = simplex_figure(diagram, "case", theme)
    figure.update_layout(height=HEIGHT, margin={"b": 40}, showlegend=False)
    return figure


def trials_figure(trials: Sequence[Trial]) -> go.Figure:
    """Every data set's p-value by both tests; those that reject stand left of the line, as crosses."""
    figure = go.Figure()
    for place, name, values in (
        (1, "Consistency resampling", [t.resampling for t in trials]),
        (0, "Exact test", [t.exact for t in trials]),
    ):
        # Spread over the height of the row, so that equal p-values are seen apart.
        heights = [place + 0.7 * ((i + 0.5) / len(values) - 0.5) for i in range(len(values))]
        for rejects in (True, False):
            some = [i for i, p in enumerate(values) if (p <= ALPHA) == rejects]
            figure.add_trace(
                go.Scatter(
                    x=[values[i] for i in some],
                    y=[heights[i] for i in some],
                    mode="markers",
                    marker={**_CROSS, "size": 8} if rejects else {"color": style.CHANCE, "size": 6},
                    text=[f"Data set {i + 1}, {name.lower()}: {trial_p(values[i])}" for i in some],
                    hovertemplate="%{text}<extra></extra>",
                    showlegend=False,
                )
            )
        figure.add_annotation(
            x=1, y=place + 0.36, text=name, showarrow=False, xanchor="right", yanchor="bottom"
        )
    style.laid_out(figure, HEIGHT)
    figure.add_vline(x=ALPHA, line={"color": style.CHANCE, "width": 1})
    style.label_axis(figure, f"Left of the line (p ≤ {ALPHA}): called miscalibrated", 1.0)
    figure.update_xaxes(title="p-value", range=[-0.03, 1.03], dtick=0.25)
    figure.update_yaxes(visible=False, range=[-0.45, 1.55])
    return figure
