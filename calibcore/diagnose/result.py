"""What a diagnosis holds, and its one JSON document."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from calibcore.diagnose.documents import (
    OF_ESTIMATES,
    SCHEMA,
    Documented,
    check_schema,
    entry_of,
    from_entry,
    reliability_document,
    reliability_of,
    result_document,
    result_of,
)
from calibcore.diagnose.estimates import LEVELS, Estimate
from calibcore.diagram.gap_sizes import Frequencies
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.typical_gap import TypicalGap
from calibcore.display import WithFigure
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.units import AcrossUnits
from calibcore.kernels import Bandwidth
from calibcore.spec import DiagnosisSpec, lens_to_words

SKCE_ESTIMATES = ("biased", "unbiased", "linear", "block")


@dataclass(frozen=True, eq=False)
class NamedTest:
    """One test of a diagnosis. ``result`` is None where it was withheld; ``note`` says why."""

    name: str
    estimator: str
    result: TestResult | None
    note: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis(Documented, WithFigure):
    """What was found through one lens: enough to redraw and to say everything again.

    ``n``, ``m``, ``class_names``, ``scores`` and ``fingerprint`` are of the predictions
    as they were given; the rest is of what the lens made of them.

    >>> import numpy as np
    >>> from calibcore import Predictions, diagnose
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> diagnosis = diagnose(p)
    >>> diagnosis, diagnosis.test("exact-omnibus").result.pvalue
    (Diagnosis('canonical', 100 cases, ECE 0.4, 14 tests), 0.001)
    """

    WHAT = "The diagnosis"

    spec: DiagnosisSpec
    fingerprint: str
    version: str
    n: int
    m: int
    class_names: tuple[str, ...]
    scores: Mapping[str, float]
    score_errors: Mapping[str, float]
    """Standard errors of the scores, for independent cases."""
    lens_n: int
    ties: int
    impossible_outcomes: int
    calibration_error: Mapping[str, float]
    """ece, mce, and for each the levels under calibration, as in ``ece_mean``; none for weighted cases."""
    skce: Mapping[str, float]
    """biased, unbiased, linear, block; the last two where rows are cases and there are enough."""
    bandwidth: Bandwidth
    tests: tuple[NamedTest, ...]
    reliability: Reliability
    notes: tuple[str, ...] = ()
    estimates: tuple[Estimate, ...] = ()
    decompositions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Score and way -> its parts, as in ``brier-corp``."""
    recalibration: Mapping[str, Any] = field(default_factory=dict)
    """Cox's coefficients, two classes only."""
    ece_interval: Mapping[str, Any] | None = None
    """low, high, level, n_resamples and label of the bootstrap interval, where one was asked for."""
    bin_pvalues: Mapping[str, Any] | None = None
    """p_value and adjusted_p_value (n_bins,), in the order of ``reliability``; and the adjustment.
    None where there are more bins than redraws, pooled or weighted cases, or no exact tests."""
    drawn_from: int | None = None
    """How many cases the ``n`` were drawn from at random; None for all there are."""
    typical_gap: TypicalGap | None = None
    """How far off the probabilities are, :func:`~.typical_gap.typical_gap`; none for weighted cases."""
    frequencies: tuple[Frequencies, ...] = ()
    """One entry a class of the lens, for two classes the first alone; none for weighted cases."""
    units: AcrossUnits | None = None
    """Where ``spec`` names units, of which the n cases are one row each: what all rows say."""

    def __repr__(self) -> str:
        return (
            f"Diagnosis({lens_to_words(self.spec.lens)!r}, {self.lens_n:,} cases, "
            f"ECE {self.calibration_error['ece']:.4g}, {len(self.tests)} tests)"
        )

    def test(self, name: str) -> NamedTest | None:
        """The test of that name, if it was run or withheld."""
        return next((test for test in self.tests if test.name == name), None)

    def to_document(self) -> dict[str, Any]:
        """The one JSON document of a diagnosis, as ``--json`` prints it."""
        error = self.calibration_error
        return {
            "schema": SCHEMA,
            "version": self.version,
            "data": {
                "n": self.n,
                "m": self.m,
                "class_names": list(self.class_names),
                "fingerprint": self.fingerprint,
            }
            | ({} if self.drawn_from is None else {"drawn_from": self.drawn_from}),
            "spec": self.spec.to_document(),
            "scores": dict(self.scores),
            "scores_standard_error": dict(self.score_errors),
            "lens": {
                "n": self.lens_n,
                "class_names": list(self.reliability.class_names),
                "ties": self.ties,
                "impossible_outcomes": self.impossible_outcomes,
            },
            "typical_gap": self.typical_gap and asdict(self.typical_gap),
            "frequencies": [asdict(of_class) for of_class in self.frequencies],
            "calibration_error": {
                "ece": error["ece"],
                "mce": error["mce"],
                "n_bins": self.reliability.n_bins,
                "under_calibration": _levels(error, "ece"),
                "mce_under_calibration": _levels(error, "mce"),
                "interval": self.ece_interval,
            },
            "skce": {name: self.skce.get(name) for name in SKCE_ESTIMATES}
            | {
                "bandwidth": self.bandwidth.value,
                "bandwidth_found": asdict(self.bandwidth),
            },
            "estimates": [entry_of(each, OF_ESTIMATES) for each in self.estimates],
            "decompositions": {name: dict(parts) for name, parts in self.decompositions.items()},
            "recalibration": dict(self.recalibration),
            "tests": [
                {"name": test.name, "estimator": test.estimator}
                | result_document(test.result)
                | {"note": test.note}
                for test in self.tests
            ],
            "reliability": reliability_document(self.reliability),
            "bins": self.bin_pvalues,
            "notes": list(self.notes),
        } | ({} if self.units is None else {"units": self.units.to_document()})

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        check_schema(document, cls.WHAT)
        lens, error, skce = document["lens"], document["calibration_error"], document["skce"]
        levels = {"ece": error["under_calibration"], "mce": error["mce_under_calibration"]}
        read = {
            "lens_n": lens["n"],
            "ties": lens["ties"],
            "impossible_outcomes": lens["impossible_outcomes"],
            "calibration_error": {name: error[name] for name in levels}
            | {f"{name}_{key}": v for name, level in levels.items() for key, v in (level or {}).items()},
            "skce": {name: skce[name] for name in SKCE_ESTIMATES if skce.get(name) is not None},
            "bandwidth": skce["bandwidth_found"],
            "tests": tuple(
                NamedTest(test["name"], test["estimator"], result_of(test), test["note"])
                for test in document["tests"]
            ),
            "reliability": reliability_of(document["reliability"], lens["class_names"]),
            "estimates": tuple(
                from_entry(Estimate, each, OF_ESTIMATES) for each in document.get("estimates", ())
            ),
            "ece_interval": error.get("interval"),
        }
        names = {"score_errors": "scores_standard_error", "bin_pvalues": "bins"}
        return from_entry(cls, {**document, **document["data"], **read}, names)


def _levels(error: Mapping[str, float], name: str) -> dict[str, float] | None:
    return {key: error[f"{name}_{key}"] for key in LEVELS} if f"{name}_mean" in error else None
