"""The reliability diagram (V19 Fig. 4): deviations, consistency bars, and how predictions are spread."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from calibcore.figures import style
from calibcore.predictions import Float
from calibcore.reliability import HISTOGRAM_BINS, Reliability
from calibcore.words import count, percent, plural, points, top_bins

MOST_BINS_SHOWN = 40


def reliability_figure(found: Reliability, noun: str = "case", theme: str = "light") -> go.Figure:
    """Two classes: deviation against prediction. More: total variation by bin, the fullest bins first."""
    return _two_classes(found, noun, theme) if len(found.class_names) == 2 else _many_classes(found, noun)


def _two_classes(found: Reliability, noun: str, theme: str) -> go.Figure:
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.79, 0.21], vertical_spacing=0.1)
    x = found.mean_prediction[:, 0]
    figure.add_trace(_bars(x, found, _widths(x)), row=1, col=1)
    for trace in _crosses(x, found, [_hover(found, b, noun) for b in range(found.n_bins)]):
        figure.add_trace(trace, row=1, col=1)
    edges = np.arange(HISTOGRAM_BINS) / HISTOGRAM_BINS
    share = found.histogram / max(1, found.histogram.sum())
    figure.add_trace(
        go.Bar(
            x=edges + 0.5 / HISTOGRAM_BINS,
            y=share,
            width=1 / HISTOGRAM_BINS,
            marker={"color": style.PREDICTED[theme], "line": {"width": 0}},
            name="predicted",
            showlegend=False,
            customdata=np.column_stack([edges, edges + 1 / HISTOGRAM_BINS, found.histogram]),
            hovertemplate="%{customdata[0]:.1%} to %{customdata[1]:.1%}<br>%{customdata[2]:,} "
            f"{plural(noun)}<extra></extra>",
        ),
        row=2,
        col=1,
    )
    style.laid_out(figure, 460)
    figure.add_hline(y=0, line={"color": style.CHANCE, "width": 1}, row=1, col=1)
    style.label_axis(figure, "Happened more often than the model said, points", 1.0)
    style.label_axis(figure, f"Share of {plural(noun)}", 0.228)
    figure.update_yaxes(tickformat=".1~f", row=1, col=1)
    figure.update_yaxes(tickformat=".0%", nticks=3, row=2, col=1)
    figure.update_xaxes(range=[-0.02, 1.02], tickformat=".0%")
    figure.update_xaxes(title="Probability the model gave", row=2, col=1)
    return figure


def _many_classes(found: Reliability, noun: str) -> go.Figure:
    shown = np.argsort(-found.counts, kind="stable")[:MOST_BINS_SHOWN]
    part = found.only(shown)
    x = np.arange(1.0, len(shown) + 1)
    figure = go.Figure([_bars(x, part, np.full(len(shown), 0.55))])
    names = style.escaped(found.class_names)
    hovers = [
        f"Predicted: {top_bins(part.mean_prediction[b].tolist(), names)}<br>"
        f"Happened: {top_bins(part.observed[b].tolist(), names)}<br>{_hover_end(part, b, noun)}"
        for b in range(part.n_bins)
    ]
    figure.add_traces(_crosses(x, part, hovers))
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


def _bars(x: Float, found: Reliability, widths: Float) -> go.Bar:
    return go.Bar(
        x=x,
        base=100 * found.low,
        y=100 * (found.high - found.low),
        width=widths,
        marker={"color": style.CHANCE_FILL, "line": {"color": style.CHANCE, "width": 1}},
        name=_bar_name(found),
        hoverinfo="skip",
    )


def _bar_name(found: Reliability) -> str:
    low, high = found.interval
    if len(found.class_names) > 2:
        return f"if calibrated; above it at most {percent(1 - high, 0)} of the time"
    at_least = "at least" if found.bars == "exact" else "about"
    return f"if calibrated, {at_least} {percent(high - low, 0)} of the time"


def _crosses(x: Float, found: Reliability, hovers: list[str]) -> list[go.Scatter]:
    traces = []
    for outside, opacity in ((True, 1.0), (False, style.WITHIN)):
        chosen = np.flatnonzero(found.outside == outside)
        traces.append(
            go.Scatter(
                x=x[chosen],
                y=100 * found.deviation[chosen],
                mode="markers",
                marker={
                    "symbol": "x-thin",
                    "size": 11,
                    "line": {"color": style.OBSERVED, "width": 3 if outside else 2},
                },
                opacity=opacity,
                name="observed",
                text=[hovers[b] for b in chosen],
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
