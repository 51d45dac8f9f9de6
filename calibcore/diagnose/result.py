"""What a diagnosis holds, and its one JSON document."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar, Self

from calibcore.bounds import As, AtLeastOne, Count, Holds, Names, Nonnegative, OneOf
from calibcore.diagnose.documents import (
    SCHEMA,
    BinTests,
    BootstrapInterval,
    Coefficients,
    Documented,
    Errors,
    check_schema,
    entry_of,
    reliability_document,
    reliability_of,
    result_document,
    result_of,
)
from calibcore.diagnose.estimates import LEVELS, Estimate
from calibcore.diagram.gap_sizes import Frequencies, check_size
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.typical_gap import TypicalGap
from calibcore.display import WithFigure
from calibcore.errors import InputError
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.families import FAMILIES
from calibcore.hypothesis_tests.units import AcrossUnits
from calibcore.kernels import Bandwidth
from calibcore.spec import DiagnosisSpec, lens_to_words
from calibcore.spec.codec import as_object, from_entry, inside, misfit, read

SCORES = ("brier", "log_loss", "accuracy")
"""Scores that every diagnosis has."""
Decomposition = Annotated[str, OneOf("brier-binned", "log-loss-binned", "brier-corp", "log-loss-corp")]
SKCE_ESTIMATES = ("biased", "unbiased", "linear", "block")


@dataclass(frozen=True, eq=False)
class NamedTest:
    """One test of a diagnosis. ``result`` is None where it was withheld; ``note`` says why."""

    name: str
    estimator: str
    result: TestResult | None
    note: str = ""

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Of an entry of a diagnosis' document."""
        made = from_entry(cls, {**document, "result": result_of(document)})
        if not any(made.name in family.names for family in FAMILIES.values()):
            raise misfit(made.name, "the name of a test").inside("name")
        return made


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
    NAMES: ClassVar[Mapping[str, str]] = {
        **{name: f"data.{name}" for name in ("n", "m", "class_names", "fingerprint", "drawn_from")},
        **{name: f"lens.{name}" for name in ("ties", "impossible_outcomes")},
        "lens_n": "lens.n",
        "score_errors": "scores_standard_error",
        "calibration_error": "errors",
        "skce": "kernel_errors",
        "bandwidth": "skce.bandwidth_found",
        "ece_interval": "calibration_error.interval",
        "bin_pvalues": "bins",
    }

    spec: DiagnosisSpec
    fingerprint: str
    version: str
    n: AtLeastOne
    m: AtLeastOne
    class_names: Names
    scores: Annotated[Mapping[str, float], Holds(*SCORES)]
    score_errors: Annotated[Mapping[str, Nonnegative], Holds(*SCORES)]
    """Standard errors of the scores, for independent cases."""
    lens_n: AtLeastOne
    ties: Count
    impossible_outcomes: Count
    calibration_error: Mapping[str, float]
    """ece, mce, and for each the levels under calibration, as in ``ece_mean``; none for weighted cases."""
    skce: Mapping[str, float]
    """biased, unbiased, linear, block; the last two where rows are cases and there are enough."""
    bandwidth: Bandwidth
    tests: tuple[NamedTest, ...]
    reliability: Reliability
    notes: tuple[str, ...] = ()
    estimates: tuple[Estimate, ...] = ()
    decompositions: Mapping[Decomposition, Mapping[str, float]] = field(default_factory=dict)
    """Score and way -> its parts, as in ``brier-corp``."""
    recalibration: Annotated[Mapping[str, Any], As(Coefficients)] = field(default_factory=dict)
    """Cox's coefficients, two classes only."""
    ece_interval: Annotated[Mapping[str, Any], As(BootstrapInterval)] | None = None
    """low, high, level, n_resamples and label of the bootstrap interval, where one was asked for."""
    bin_pvalues: Annotated[Mapping[str, Any], As(BinTests)] | None = None
    """p_value and adjusted_p_value (n_bins,), in the order of ``reliability``; and the adjustment.
    None where there are more bins than redraws, pooled or weighted cases, or no exact tests."""
    drawn_from: Count | None = None
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
                "ece": error.get("ece"),
                "mce": error.get("mce"),
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
            "estimates": [entry_of(each, Estimate.NAMES) for each in self.estimates],
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
        with inside("calibration_error"):
            error = read(document.get("calibration_error"), Errors)
        with inside("lens"):
            lens = as_object(document.get("lens"))
            with inside("class_names"):
                names = read(lens.get("class_names"), Names)
        with inside("skce"):
            skce = as_object(document.get("skce"))
            found = read({name: skce.get(name) for name in SKCE_ESTIMATES}, Mapping[str, float | None])
            kernel_errors = {name: value for name, value in found.items() if value is not None}
        with inside("reliability"):
            reliability = reliability_of(document.get("reliability"), names)
        levels = {"ece": error["under_calibration"], "mce": error["mce_under_calibration"]}
        made = {
            "errors": {name: error[name] for name in levels}
            | {f"{name}_{key}": v for name, level in levels.items() for key, v in (level or {}).items()},
            "reliability": reliability,
            "kernel_errors": kernel_errors,
        }
        return from_entry(cls, {**document, **made}, cls.NAMES)

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a document contradict each other."""
        if not len(set(self.class_names)) == len(self.class_names) == self.m:
            raise InputError(f"Its {self.m:,} classes do not have as many names.")
        if self.typical_gap is not None:
            check_size(self.typical_gap)
        tests, bins = self.bin_pvalues, self.reliability.n_bins
        if tests is not None and {len(tests["p_value"]), len(tests["adjusted_p_value"])} != {bins}:
            raise InputError(f"Its bins have no p-value each; expected {bins:,}.")
        if self.drawn_from is not None and self.drawn_from < self.n:
            raise InputError(f"{self.n:,} cases were drawn from {self.drawn_from:,}.")


def _levels(error: Mapping[str, float], name: str) -> dict[str, float] | None:
    return {key: error[f"{name}_{key}"] for key in LEVELS} if f"{name}_mean" in error else None
