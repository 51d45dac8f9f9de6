"""Four rows over the epochs on one axis: log loss, typical gap, ECE beside chance, and p (V19, figure 3)."""

import math
from typing import Any

import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.figures.log_axis import log_axis
from calibcore.questions.training import TrainingRun
from calibcore.words.training import epoch_sentence

HEAD, PANEL, GAP, FOOT = 36, 128, 40, 44
"""Pixels: above the first panel, a panel, between two, below the last."""
ROWS = ("Log loss", "Typical gap, points", "Average gap (ECE), points", "Adjusted p")
PANELS = ("", "2", "3", "4")
"""What the names of their axes end in."""
LEAST_P = 1e-5
"""Where the axis of p ends."""


def training_figure(run: TrainingRun, chosen: int | None = None, theme: str = "light") -> go.Figure:
    """``chosen`` is the number of the epoch that a line marks."""
    layout = style.layout(HEAD + 4 * PANEL + 3 * GAP + FOOT, t=HEAD, b=FOOT)
    numbers = [epoch.number for epoch in run.epochs]
    x = style.AXIS | {"range": [numbers[0] - 0.5, numbers[-1] + 0.5]}
    y = style.AXIS | {"nticks": 4, "fixedrange": True}
    notes = marks.stacked(layout, [PANEL] * 4, GAP, ROWS, theme, x, y)
    layout["xaxis4"] |= style.titled("Epoch")
    low, high = pvalues_of(run)[1], 0.1
    ticks = log_axis(10**low, 10**high)
    layout["yaxis4"] |= {"type": "log", "autorange": False, "range": [low, high], "nticks": None} | ticks
    alpha = run.spec.alpha
    notes.append(marks.level_name(f"level {alpha:g}", math.log10(alpha), theme, "4"))
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
    return [epoch_sentence(run, epoch).replace(": ", "<br>", 1).replace("; ", "<br>") for epoch in run.epochs]


def losses_of(run: TrainingRun) -> list[float]:
    """Of each epoch the log loss."""
    return [epoch.diagnosis.scores["log_loss"] for epoch in run.epochs]


def gaps_of(run: TrainingRun) -> list[list[float]]:
    """In points the lower ends of the typical gaps, the gaps, the upper ends."""
    gaps = [epoch.diagnosis.typical_gap for epoch in run.epochs]
    return [[100 * getattr(gap, end) for gap in gaps if gap is not None] for end in ("low", "value", "high")]


def errors_of(run: TrainingRun) -> list[list[float]]:
    """In points the ECE of each epoch between the ends of what chance allows."""
    triples = [(epoch.ece_by_chance[0], epoch.ece, epoch.ece_by_chance[1]) for epoch in run.epochs]
    return [[100 * value for value in values] for values in zip(*triples, strict=True)]


def pvalues_of(run: TrainingRun) -> tuple[list[float], float]:
    """The adjusted p of each epoch, no less than the axis shows, and where that begins."""
    values = [max(LEAST_P, epoch.adjusted) for epoch in run.epochs]
    return values, math.log10(min(run.spec.alpha, *values)) - 0.2


def _losses(run: TrainingRun, numbers: list[int], theme: str) -> list[go.Scatter]:
    losses = losses_of(run)
    best = run.least_log_loss
    sizes = [11 if number == best else 5 for number in numbers]
    return [_line(numbers, losses, 0, style.PREDICTED[theme], _hovers(run), size=sizes)]


def _gaps(run: TrainingRun, numbers: list[int]) -> list[go.Scatter]:
    low, middle, high = gaps_of(run)
    return [
        marks.band(numbers, low, high, "95 % interval", marks.INTERVAL_FILL, PANELS[1]),
        _line(numbers, middle, 1, style.OBSERVED, _hovers(run)),
    ]


def _errors(run: TrainingRun, numbers: list[int]) -> list[go.Scatter]:
    low, errors, high = errors_of(run)
    return [
        marks.band(numbers, low, high, "if calibrated", axis=PANELS[2]),
        _line(numbers, errors, 2, style.OBSERVED, _hovers(run)),
    ]


def _pvalues(run: TrainingRun, numbers: list[int], theme: str) -> list[go.Scatter]:
    values, _ = pvalues_of(run)
    rejected = set(run.rejected)
    fills = [style.OBSERVED if number in rejected else style.BACKGROUND[theme] for number in numbers]
    line = {"color": style.OBSERVED, "width": 1.5}
    return [_line(numbers, values, 3, style.QUIET[theme], _hovers(run), color=fills, line=line, size=8)]
