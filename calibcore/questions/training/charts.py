"""Four rows over the epochs on one axis: log loss, typical gap, ECE beside chance, and p (V19, figure 3)."""

import math

from calibcore.questions.training import TrainingRun
from calibcore.questions.training.words import epoch_sentence
from calibcore.words.sizes import gap_cell, typical_digits

ROWS = ("Log loss", "Typical gap, points", "Average gap (ECE), points", "Adjusted p")
INTERVAL, CHANCE = "95 % interval", "if calibrated"
ACROSS = "Epoch"
LEAST_P = 1e-5
"""Where the axis of p ends."""


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


def level_words(run: TrainingRun) -> str:
    """What the level of p is called."""
    return f"level {run.spec.alpha:g}"


def hovers(run: TrainingRun) -> list[tuple[str, ...]]:
    """Of each epoch what a hand that rests on its marks reads."""
    return [tuple(epoch_sentence(run, epoch).replace(": ", "; ", 1).split("; ")) for epoch in run.epochs]


def training_says(run: TrainingRun) -> str:
    """The figure in words, for who cannot see it."""
    ends = run.epochs[0], run.epochs[-1]
    gaps = [epoch.diagnosis.typical_gap for epoch in ends]
    digits = typical_digits([gap for gap in gaps if gap is not None])
    first, last = (gap_cell(gap, digits) for gap in gaps if gap is not None)
    losses = [f"{epoch.diagnosis.scores['log_loss']:.3f}" for epoch in ends]
    return (
        f"From epoch {ends[0].number} to epoch {ends[1].number} the typical gap goes from {first} to {last}, "
        f"the log loss from {losses[0]} to {losses[1]}."
    )
