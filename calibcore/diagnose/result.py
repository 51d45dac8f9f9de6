"""What a diagnosis holds, and its one JSON document."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Self, cast

from calibcore.bounds import As, AtLeastOne, Count, Holds, Names, Nonnegative, OneOf
from calibcore.data.predictions import DataKind
from calibcore.diagnose.documents import (
    BinTests,
    BootstrapInterval,
    Coefficients,
    Errors,
    KernelErrors,
    errors_of,
    level_in,
)
from calibcore.diagnose.estimates import Estimate
from calibcore.diagram.gap_sizes import Frequencies, check_size
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.typical_gap import TypicalGap
from calibcore.display import WithFigure
from calibcore.errors import InputError
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.families import FAMILIES
from calibcore.hypothesis_tests.ranks import RankShift
from calibcore.hypothesis_tests.units import AcrossUnits
from calibcore.kernels import Bandwidth
from calibcore.settings import DiagnosisSpec, lens_to_words
from calibcore.settings.codec import Partly, from_entry, read
from calibcore.settings.documents import Documented, check_head
from calibcore.settings.faults import as_object, inside, misfit
from calibcore.settings.layout import headed

SCORES = ("brier", "log_loss", "accuracy")
"""Scores that every diagnosis has."""
Decomposition = Annotated[
    str, OneOf("brier-binned", "log-loss-binned", "brier-corp", "log-loss-corp", "rps-binned", "rps-corp")
]
SKCE_ESTIMATES = ("biased", "unbiased", "linear", "block")


@dataclass(frozen=True, eq=False)
class NamedTest(Partly):
    """One test of a diagnosis. ``result`` is None where it was withheld; ``note`` says why."""

    SPREAD: ClassVar = ("result",)

    name: str
    estimator: str
    result: TestResult | None
    note: str = ""

    def check_agreement(self) -> None:
        """Raises :class:`InputError` for a test that there is not."""
        if not any(self.name in family.names for family in FAMILIES.values()):
            raise misfit(self.name, "the name of a test").inside("name")


def _estimates(entry: KernelErrors) -> dict[str, float]:
    """Those of the kernel error that there are."""
    return {name: value for name in SKCE_ESTIMATES if (value := entry.get(name)) is not None}  # type: ignore[misc]


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
    HEAD = headed("diagnosis")
    NAMES: ClassVar[Mapping[str, str]] = {
        **{name: f"data.{name}" for name in ("n", "m", "class_names", "fingerprint", "drawn_from", "kind")},
        **{name: f"lens.{name}" for name in ("ties", "impossible_outcomes")},
        "lens_n": "lens.n",
        "lens_classes": "lens.class_names",
        "score_errors": "scores_standard_error",
        "errors": "calibration_error",
        "ece_interval": "calibration_error.interval",
        "kernel_errors": "skce",
        "bandwidth": "skce.bandwidth_found",
        "bin_pvalues": "bins",
    }
    KEYS: ClassVar = (
        "version", "kind", "n", "m", "class_names", "fingerprint", "drawn_from", "spec", "scores",
        "score_errors", "lens_n", "lens_classes", "ties", "impossible_outcomes", "typical_gap", "frequencies",
        "errors",
        "kernel_errors", "estimates", "decompositions", "recalibration", "tests", "reliability",
        "bin_pvalues", "notes", "units", "ranks",
    )  # fmt: skip
    READ: ClassVar = ("calibration_error", "skce", "bandwidth", "ece_interval")
    OPTIONAL: ClassVar = ("drawn_from", "units", "kind", "ranks")
    LATER: ClassVar = ("kind",)

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
    calibration_error: Annotated[Mapping[str, float], As(Errors, errors_of)]
    """ece, mce, and for each the levels under calibration, as in ``ece_mean``; none for weighted cases."""
    skce: Annotated[Mapping[str, float], As(KernelErrors, _estimates)]
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
    kind: DataKind | None = "probabilities"
    """What the predictions hold: probabilities of all classes, or only the confidence in the answer; None in
    documents of earlier versions, which all had probabilities."""
    ranks: RankShift | None = None
    """Of all classes together where they are in order: whether they are given too high or too low."""
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

    @property
    def lens_classes(self) -> Names:
        """The classes of what the lens made."""
        return self.reliability.class_names

    @property
    def errors(self) -> Errors:
        """:attr:`calibration_error` as the document has it; null where a report keeps its counts back."""
        errors = {
            "ece": self.calibration_error.get("ece"),
            "mce": self.calibration_error.get("mce"),
            "n_bins": self.reliability.n_bins,
            "under_calibration": level_in(self.calibration_error, "ece"),
            "mce_under_calibration": level_in(self.calibration_error, "mce"),
            "interval": cast(BootstrapInterval | None, self.ece_interval),
        }
        return cast(Errors, errors)

    @property
    def kernel_errors(self) -> KernelErrors:
        """:attr:`skce` as the document has it."""
        estimates = {name: self.skce.get(name) for name in SKCE_ESTIMATES}
        details = {"bandwidth": self.bandwidth.value, "bandwidth_found": self.bandwidth}
        return cast(KernelErrors, estimates | details)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        check_head(document, cls.WHAT, "diagnosis")
        with inside("lens"):
            lens = as_object(document.get("lens"))
            with inside("class_names"):
                names = read(lens.get("class_names"), Names)
        with inside("reliability"):
            diagram = as_object(document.get("reliability"))
            made = from_entry(Reliability, {**diagram, "class_names": names})
        return from_entry(cls, {**document, "reliability": made})

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
