"""Four rows over the epochs on one axis: log loss, typical gap, ECE beside chance, and p (V19, figure 3)."""

import math
from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.painters.screen import canvas, marks
from calibcore.questions.training import TrainingRun
from calibcore.questions.training.charts import (
    ACROSS,
    CHANCE,
    INTERVAL,
    ROWS,
    errors_of,
    gaps_of,
    hovers,
    level_words,
    losses_of,
    pvalues_of,
)

HEAD, PANEL, GAP, FOOT = 36, 128, 40, 44
"""Pixels: above the first panel, a panel, between two, below the last."""
PANELS = ("", "2", "3", "4")
"""What the names of their axes end in."""


def training_figure(run: TrainingRun, chosen: int | None = None, theme: str = "light") -> go.Figure:
    """``chosen`` is the number of the epoch that a line marks."""
    layout = canvas.layout(HEAD + 4 * PANEL + 3 * GAP + FOOT, t=HEAD, b=FOOT)
    numbers = [epoch.number for epoch in run.epochs]
    x = canvas.AXIS | {"range": [numbers[0] - 0.5, numbers[-1] + 0.5]}
    y = canvas.AXIS | {"nticks": 4, "fixedrange": True}
    notes = marks.stacked(layout, [PANEL] * 4, GAP, ROWS, theme, x, y)
    layout["xaxis4"] |= canvas.titled(ACROSS)
    low, high = pvalues_of(run)[1], 0.1
    ticks = canvas.log_axis(10**low, 10**high)
    layout["yaxis4"] |= {"type": "log", "autorange": False, "range": [low, high], "nticks": None} | ticks
    alpha = run.spec.alpha
    notes.append(marks.level_name(level_words(run), math.log10(alpha), theme, "4"))
    layout["yaxis2"]["rangemode"] = layout["yaxis3"]["rangemode"] = "tozero"
    layout["shapes"] = [marks.level(alpha, "4", dash="dash")]
    if chosen is not None:
        layout["shapes"] += [marks.upright(chosen, style.TEXT[theme], axis) for axis in PANELS]
    layout["showlegend"] = False
    traces = [
        *_losses(run, numbers, theme),
        *_gaps(run, numbers),
        *_errors(run, numbers),
        *_pvalues(run, numbers, theme),
    ]
    return go.Figure(traces, layout | {"annotations": notes})


def _line(x: list[int], y: list[float], row: int, colour: str, texts: list[str], **more: Any) -> go.Scatter:
    return go.Scatter(
        x=x, y=y, mode="lines+markers", line={"color": colour, "width": 1.5}, marker={"size": 6} | more,
        text=texts, hovertemplate="%{text}<extra></extra>", name=ROWS[row], **marks.in_panel(PANELS[row]),
    )  # fmt: skip


def _hovers(run: TrainingRun) -> list[str]:
    return [canvas.hover(lines) for lines in hovers(run)]


def _losses(run: TrainingRun, numbers: list[int], theme: str) -> list[go.Scatter]:
    losses = losses_of(run)
    best = run.least_log_loss
    sizes = [11 if number == best else 5 for number in numbers]
    return [_line(numbers, losses, 0, style.PREDICTED[theme], _hovers(run), size=sizes)]


def _gaps(run: TrainingRun, numbers: list[int]) -> list[go.Scatter]:
    low, middle, high = gaps_of(run)
    return [
        marks.band(numbers, low, high, INTERVAL, marks.INTERVAL_FILL, PANELS[1]),
        _line(numbers, middle, 1, style.OBSERVED, _hovers(run)),
    ]


def _errors(run: TrainingRun, numbers: list[int]) -> list[go.Scatter]:
    low, errors, high = errors_of(run)
    return [
        marks.band(numbers, low, high, CHANCE, axis=PANELS[2]),
        _line(numbers, errors, 2, style.OBSERVED, _hovers(run)),
    ]


def _pvalues(run: TrainingRun, numbers: list[int], theme: str) -> list[go.Scatter]:
    values, _ = pvalues_of(run)
    rejected = set(run.rejected)
    fills = [style.OBSERVED if number in rejected else style.BACKGROUND[theme] for number in numbers]
    line = {"color": style.OBSERVED, "width": 1.5}
    return [_line(numbers, values, 3, style.QUIET[theme], _hovers(run), color=fills, line=line, size=8)]
