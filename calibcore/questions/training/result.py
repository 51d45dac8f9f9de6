"""What a training run holds, and its one JSON document."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from calibcore.diagnose import SCHEMA, Diagnosis, Documented, check_schema
from calibcore.display import WithFigure
from calibcore.questions.compare.gap_differences import GapDifference
from calibcore.questions.compare.score_differences import ScoreDifference
from calibcore.spec import DiagnosisSpec


@dataclass(frozen=True, eq=False)
class Epoch:
    """What was found at one epoch.

    Attributes
    ----------
    diagnosis : through the lens, with the scores, the typical gap, and the ECE beside its range by chance
    pvalue, adjusted : of the exact test, and adjusted for the number of epochs by Holm's method
    at_floor : whether the redraws allow no smaller p
    gap_difference, brier_difference : this epoch less the reference; None where it is the reference itself or
        there are too few cases
    gap_adjusted : p of ``gap_difference``, adjusted for the number of epochs
    """

    number: int
    diagnosis: Diagnosis
    pvalue: float
    adjusted: float
    at_floor: bool
    gap_difference: GapDifference | None = None
    gap_adjusted: float | None = None
    brier_difference: ScoreDifference | None = None

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


@dataclass(frozen=True, eq=False, repr=False)
class TrainingRun(Documented, WithFigure):
    """The epochs of a training run on the same cases, in their order.

    ``reference`` is the number of the epoch that the others are compared with.

    >>> import numpy as np
    >>> from calibcore import Predictions, TrainingRun, training
    >>> labels = np.tile([0, 1, 1, 1], 25)
    >>> probs = {1: [[0.5, 0.5], [0.04, 0.96]], 2: [[0.9, 0.1], [0.01, 0.99]]}
    >>> run = training({t: Predictions.from_arrays(np.tile(g, (50, 1)), labels) for t, g in probs.items()})
    >>> TrainingRun.from_json(run.to_json())
    TrainingRun(2 epochs of 100 cases, miscalibrated from epoch 2 on)
    """

    WHAT: ClassVar[str] = "The training run"

    spec: DiagnosisSpec
    n: int
    class_names: tuple[str, ...]
    epochs: tuple[Epoch, ...]
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

    def to_document(self) -> dict[str, Any]:
        """The JSON document that ``training --json`` prints."""
        return {
            "schema": SCHEMA,
            "spec": self.spec.to_document(),
            "data": {"n": self.n, "class_names": list(self.class_names)},
            "joined_by": self.joined_by,
            "reference": self.reference,
            "least_log_loss": self.least_log_loss,
            "miscalibrated_from": self.miscalibrated_from,
            "epochs": [_epoch_document(epoch) for epoch in self.epochs],
            "notes": list(self.notes),
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        check_schema(document, cls.WHAT)
        return cls(
            spec=DiagnosisSpec.from_document(document["spec"]),
            n=document["data"]["n"],
            class_names=tuple(document["data"]["class_names"]),
            epochs=tuple(map(_epoch_of, document["epochs"])),
            reference=document["reference"],
            joined_by=document["joined_by"],
            notes=tuple(document["notes"]),
        )


def _epoch_document(epoch: Epoch) -> dict[str, Any]:
    diagnosis, error = epoch.diagnosis, epoch.diagnosis.calibration_error
    gap = diagnosis.typical_gap
    return {
        "epoch": epoch.number,
        "log_loss": diagnosis.scores["log_loss"],
        "accuracy": diagnosis.scores["accuracy"],
        "typical_gap": gap and gap.value,
        "typical_gap_interval": gap and [gap.low, gap.high],
        "ece": error["ece"],
        "ece_by_chance": list(epoch.ece_by_chance),
        "ece_z": epoch.ece_z,
        "p_value": epoch.pvalue,
        "adjusted": epoch.adjusted,
        "at_floor": epoch.at_floor,
        "gap_difference": epoch.gap_difference and asdict(epoch.gap_difference),
        "gap_adjusted": epoch.gap_adjusted,
        "brier_difference": epoch.brier_difference and asdict(epoch.brier_difference),
        "diagnosis": diagnosis.to_document(),
    }


def _epoch_of(entry: Mapping[str, Any]) -> Epoch:
    gap, brier = entry["gap_difference"], entry["brier_difference"]
    return Epoch(
        entry["epoch"],
        Diagnosis.from_document(entry["diagnosis"]),
        entry["p_value"],
        entry["adjusted"],
        entry["at_floor"],
        gap and GapDifference(**gap),
        entry["gap_adjusted"],
        brier and ScoreDifference(**brier),
    )
