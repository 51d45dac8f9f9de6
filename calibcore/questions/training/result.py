"""The epochs of a training run, and what was found at each."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from calibcore.bounds import AtLeastOne, Length, Names, Share
from calibcore.diagnose import Diagnosis
from calibcore.display import WithFigure
from calibcore.questions.compare.gap_differences import (
    GapDifference,
)
from calibcore.questions.compare.score_differences import ScoreDifference
from calibcore.settings.codec import Partly
from calibcore.settings.layout import headed
from calibcore.settings.result import ReadableResult


@dataclass(frozen=True, eq=False)
class Epoch(Partly):
    """What was found at one epoch.

    Attributes
    ----------
    diagnosis : through the lens, with the scores, the typical gap, and the ECE beside its range by chance
    pvalue, adjusted : of the exact test, and adjusted for the number of epochs by Holm's method
    at_floor : whether the redraws allow no smaller p
    gap_difference, brier_difference : this epoch less the reference; None where it is the reference itself or
        there are too few cases, of a gap also where ``gap_withheld`` says why not
    gap_adjusted : p of ``gap_difference``, adjusted for the number of epochs
    gap_withheld : empty where there is one, None at the reference and in documents of earlier versions
    """

    NAMES: ClassVar = {"number": "epoch", "pvalue": "p_value", "gap_withheld": "withheld"}
    LATER = ("gap_withheld",)
    KEYS: ClassVar = (
        "number", "log_loss", "accuracy", "typical_gap", "typical_gap_interval", "ece", "ece_by_chance",
        "ece_z", "pvalue", "adjusted", "at_floor", "gap_difference", "gap_adjusted", "gap_withheld",
        "brier_difference", "diagnosis",
    )  # fmt: skip

    number: int
    diagnosis: Diagnosis
    pvalue: Share
    adjusted: Share
    at_floor: bool
    gap_difference: GapDifference | None = None
    gap_adjusted: Share | None = None
    brier_difference: ScoreDifference | None = None
    gap_withheld: str | None = None

    @property
    def ece(self) -> float:
        """The ECE through the lens."""
        return self.diagnosis.calibration_error["ece"]

    @property
    def ece_by_chance(self) -> tuple[float, float]:
        """Where the ECE lies 9 times in 10 under calibration: it moves as predictions sharpen."""
        error = self.diagnosis.calibration_error
        return error["ece_low"], error["ece_high"]

    @property
    def ece_z(self) -> float:
        """The ECE, less its mean under calibration, in standard deviations; 0 where it cannot vary."""
        error = self.diagnosis.calibration_error
        return (error["ece"] - error["ece_mean"]) / error["ece_sd"] if error["ece_sd"] > 0 else 0.0

    @property
    def log_loss(self) -> float:
        """The log loss of the model."""
        return self.diagnosis.scores["log_loss"]

    @property
    def accuracy(self) -> float:
        """The share of cases that are right."""
        return self.diagnosis.scores["accuracy"]

    @property
    def typical_gap(self) -> float | None:
        """The estimate alone."""
        gap = self.diagnosis.typical_gap
        return None if gap is None else gap.value

    @property
    def typical_gap_interval(self) -> tuple[float, float] | None:
        """Its interval."""
        gap = self.diagnosis.typical_gap
        return None if gap is None else (gap.low, gap.high)


@dataclass(frozen=True, eq=False, repr=False)
class TrainingRun(ReadableResult, WithFigure):
    """The epochs of a training run on the same cases, in their order.

    ``reference`` is the number of the epoch that the others are compared with.

    >>> import numpy as np
    >>> from calibcore import Predictions, TrainingRun, track_training
    >>> labels = np.tile([0, 1, 1, 1], 25)
    >>> probs = {1: [[0.5, 0.5], [0.04, 0.96]], 2: [[0.9, 0.1], [0.01, 0.99]]}
    >>> epochs = {t: Predictions.from_arrays(np.tile(g, (50, 1)), labels) for t, g in probs.items()}
    >>> run = track_training(epochs)
    >>> TrainingRun.from_json(run.to_json())
    TrainingRun(2 epochs of 100 cases, miscalibrated from epoch 2 on)
    """

    WHAT = "The training run"
    HEAD = headed("training")
    DATA = ("n", "class_names")
    KEYS: ClassVar = (
        "joined_by", "reference", "least_log_loss", "miscalibrated_from", "epochs", "notes",
    )  # fmt: skip

    n: AtLeastOne
    class_names: Names
    epochs: Annotated[tuple[Epoch, ...], Length(1)]
    reference: int
    joined_by: str | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        since = self.miscalibrated_from
        ending = "" if since is None else f", miscalibrated from epoch {since} on"
        return f"TrainingRun({len(self.epochs):,} epochs of {self.n:,} cases{ending})"

    def epoch(self, number: int) -> Epoch:
        """The epoch of that number."""
        return next(epoch for epoch in self.epochs if epoch.number == number)

    @property
    def rejected(self) -> tuple[int, ...]:
        """Numbers of the epochs that are miscalibrated, at the level over all epochs."""
        return tuple(epoch.number for epoch in self.epochs if epoch.adjusted <= self.spec.alpha)

    @property
    def miscalibrated_from(self) -> int | None:
        """The first epoch from which on each is miscalibrated; None where the last is not."""
        since = None
        for epoch in reversed(self.epochs):
            if epoch.adjusted > self.spec.alpha:
                break
            since = epoch.number
        return since

    @property
    def least_log_loss(self) -> int:
        """The number of the epoch with the least log loss, the first of equals."""
        return min(self.epochs, key=lambda epoch: epoch.diagnosis.scores["log_loss"]).number
