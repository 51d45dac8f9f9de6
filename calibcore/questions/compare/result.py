"""What a comparison holds, and its one JSON document."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from calibcore.assessment.verdict import Verdict
from calibcore.diagnose import SCHEMA, Diagnosis, Documented, check_schema
from calibcore.diagnose.documents import entry_of, from_entry
from calibcore.display import WithFigure
from calibcore.questions.compare.gap_differences import GapDifference
from calibcore.questions.compare.score_differences import AccuracyDifference, ScoreDifference
from calibcore.spec import DiagnosisSpec


@dataclass(frozen=True, eq=False)
class ComparedModel:
    """A model: its diagnosis through the lens, and the verdict, adjusted for the number of models."""

    name: str
    diagnosis: Diagnosis
    verdict: Verdict


@dataclass(frozen=True)
class Pair:
    """How two models differ on the same cases; ``a`` and ``b`` are their names, differences are A − B.

    Attributes
    ----------
    gap : of their squared binned errors; None where ``gap_withheld`` says why not
    adjusted : p of ``gap``, adjusted for the number of pairs by Holm's method
    brier, log_loss : paired differences of scores; None where ``scores_withheld``, or for the log loss
        ``log_withheld``, says why not
    brier_betting : (low, high) of the Brier difference at any n, where it was asked for
    accuracy, accuracy_adjusted : McNemar's exact test and its p, adjusted for the number of pairs
    same : whether both say the same in every case
    """

    a: str
    b: str
    gap: GapDifference | None
    adjusted: float | None
    brier: ScoreDifference | None
    log_loss: ScoreDifference | None
    accuracy: AccuracyDifference
    accuracy_adjusted: float
    same: bool = False
    brier_betting: tuple[float, float] | None = None
    gap_withheld: str = ""
    scores_withheld: str = ""
    log_withheld: str = ""

    def rejects(self, alpha: float) -> bool:
        """Whether one is better calibrated, at the level ``alpha`` over all pairs."""
        return self.adjusted is not None and self.adjusted <= alpha


@dataclass(frozen=True)
class Nested:
    """Whether ``model`` holds whatever ``given`` says: the exact test of one direction of a pair.

    Attributes
    ----------
    statistic : Σ log given/model of what happened; None for one that is infinite: +∞ where ``refuted``
    pvalue, adjusted : exact; adjusted over both directions of all pairs by Holm's method
    mean, deviation : of the statistic under the hypothesis
    """

    model: str
    given: str
    statistic: float | None
    pvalue: float
    adjusted: float
    mean: float
    deviation: float
    refuted: bool = False
    at_floor: bool = False
    """Whether the redraws allow no smaller p."""

    def rejects(self, alpha: float) -> bool:
        """Whether ``given`` knows something that ``model`` leaves out."""
        return self.adjusted <= alpha


OF_NESTED = {
    "pvalue": "p_value", "mean": "mean_under_hypothesis", "deviation": "deviation_under_hypothesis"
}  # fmt: skip
"""Field of :class:`Nested` -> its name in a document."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Documented, WithFigure):
    """Models on the same cases: the verdict on each, the difference of each pair, and what each leaves out.

    ``spec`` holds the lens, the binning and all other settings; ``joined_by`` the column that joined the
    cases, None where they stood in one order; ``notes`` what was put into another order.

    >>> import numpy as np
    >>> from calibcore import Comparison, Predictions, compare
    >>> labels = np.tile([0, 1, 1, 1], 25)
    >>> probs = {"a": [[0.9, 0.1], [0.1, 0.9]], "b": [[0.5, 0.5], [0.2, 0.8]]}
    >>> models = [Predictions.from_arrays(np.tile(g, (50, 1)), labels) for g in probs.values()]
    >>> comparison = compare(dict(zip(probs, models)))
    >>> Comparison.from_json(comparison.to_json())
    Comparison(100 cases, by typical gap: 'b', 'a')
    """

    WHAT: ClassVar[str] = "The comparison"

    spec: DiagnosisSpec
    n: int
    class_names: tuple[str, ...]
    models: tuple[ComparedModel, ...]
    pairs: tuple[Pair, ...]
    nested: tuple[Nested, ...]
    resamples: int
    joined_by: str | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        names = ", ".join(repr(model.name) for model in self.by_gap)
        return f"Comparison({self.n:,} cases, by typical gap: {names})"

    @property
    def by_gap(self) -> tuple[ComparedModel, ...]:
        """The models by typical gap, the smallest first; of equal ones by its upper limit. Never by p."""

        def place(model: ComparedModel) -> tuple[float, float, str]:
            gap = model.verdict.typical_gap
            return gap.value, gap.high, model.name

        return tuple(sorted(self.models, key=place))

    def pair(self, one: str, other: str) -> Pair:
        """The pair of two models, whichever comes first."""
        return next(pair for pair in self.pairs if {pair.a, pair.b} == {one, other})

    @property
    def undecided(self) -> tuple[tuple[str, ...], ...]:
        """Names in the order of :attr:`by_gap` that stand beside each other and of which no two differ.

        As long as they get, two or more each: models that these cases cannot tell apart.
        """
        names = [model.name for model in self.by_gap]
        runs: list[tuple[str, ...]] = []
        for start in range(len(names)):
            end = start + 1
            while end < len(names) and not any(
                self.pair(name, names[end]).rejects(self.spec.alpha) for name in names[start:end]
            ):
                end += 1
            run = tuple(names[start:end])
            if len(run) > 1 and not any(set(run) <= set(known) for known in runs):
                runs.append(run)
        return tuple(runs)

    def to_document(self) -> dict[str, Any]:
        """The JSON document that ``compare --json`` prints."""
        return {
            "schema": SCHEMA,
            "spec": self.spec.to_document(),
            "data": {"n": self.n, "class_names": list(self.class_names)},
            "joined_by": self.joined_by,
            "resamples": self.resamples,
            "models": [_model_document(model) for model in self.models],
            "pairs": [_pair_document(pair) for pair in self.pairs],
            "nested": [entry_of(one, OF_NESTED) for one in self.nested],
            "undecided": [list(names) for names in self.undecided],
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
            models=tuple(
                ComparedModel(
                    entry["name"],
                    Diagnosis.from_document(entry["diagnosis"]),
                    Verdict.from_document(entry["verdict"]),
                )
                for entry in document["models"]
            ),
            pairs=tuple(map(_pair_of, document["pairs"])),
            nested=tuple(from_entry(Nested, entry, OF_NESTED) for entry in document["nested"]),
            resamples=document["resamples"],
            joined_by=document["joined_by"],
            notes=tuple(document["notes"]),
        )


def _model_document(model: ComparedModel) -> dict[str, Any]:
    gap, scores = model.verdict.typical_gap, model.diagnosis.scores
    return {
        "name": model.name,
        "typical_gap": gap.value,
        "typical_gap_interval": [gap.low, gap.high],
        "brier": scores["brier"],
        "log_loss": scores["log_loss"],
        "accuracy": scores["accuracy"],
        "p_value": model.verdict.pvalue,
        "adjusted": model.verdict.adjusted,
        "verdict": model.verdict.to_document(),
        "diagnosis": model.diagnosis.to_document(),
    }


def _pair_document(pair: Pair) -> dict[str, Any]:
    gap, brier, log = pair.gap, pair.brier, pair.log_loss
    return {
        "a": pair.a,
        "b": pair.b,
        "same": pair.same,
        "difference": gap and gap.difference,
        "standard_error": gap and gap.standard_error,
        "interval": gap and [gap.low, gap.high],
        "jackknife_variance": gap and gap.jackknife_variance,
        "pair_variance": gap and gap.pair_variance,
        "z": gap and gap.z,
        "p_value": gap and gap.pvalue,
        "adjusted": pair.adjusted,
        "withheld": pair.gap_withheld,
        "brier_difference": brier and brier.difference,
        "brier": brier and asdict(brier),
        "brier_betting_interval": pair.brier_betting and list(pair.brier_betting),
        "log_difference": log and log.difference,
        "log_loss": log and asdict(log),
        "scores_withheld": pair.scores_withheld,
        "log_withheld": pair.log_withheld,
        "accuracy_difference": pair.accuracy.difference,
        "accuracy": asdict(pair.accuracy) | {"adjusted": pair.accuracy_adjusted},
    }


def _pair_of(entry: Mapping[str, Any]) -> Pair:
    gap = None
    if entry["difference"] is not None:
        gap = GapDifference(
            entry["difference"],
            entry["standard_error"] ** 2,
            entry["jackknife_variance"],
            entry["pair_variance"],
            entry["z"],
            entry["p_value"],
            *entry["interval"],
        )
    accuracy = {name: value for name, value in entry["accuracy"].items() if name != "adjusted"}
    betting = entry["brier_betting_interval"]
    return Pair(
        a=entry["a"],
        b=entry["b"],
        gap=gap,
        adjusted=entry["adjusted"],
        brier=entry["brier"] and ScoreDifference(**entry["brier"]),
        log_loss=entry["log_loss"] and ScoreDifference(**entry["log_loss"]),
        accuracy=AccuracyDifference(**accuracy),
        accuracy_adjusted=entry["accuracy"]["adjusted"],
        same=entry["same"],
        brier_betting=betting and tuple(betting),
        gap_withheld=entry["withheld"],
        scores_withheld=entry["scores_withheld"],
        log_withheld=entry["log_withheld"],
    )


def finite_or_none(value: float) -> float | None:
    """JSON knows no infinity."""
    return value if math.isfinite(value) else None
