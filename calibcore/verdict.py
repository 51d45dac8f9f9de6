"""The verdict on each lens: miscalibrated, consistent with calibration, or cannot tell."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from calibcore.diagnose import SCHEMA, Diagnosis, Progress, Report, check_schema, complete, stream, telling
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest
from calibcore.hypothesis_tests.result import ROUNDING
from calibcore.kernels import Kernel, with_bandwidth
from calibcore.lenses import CanonicalLens, Lens
from calibcore.power import Detectable, detectable
from calibcore.predictions import Float, InputError, Predictions
from calibcore.sizes import (
    ClassFrequencies,
    Frequencies,
    Interval,
    class_frequencies,
)
from calibcore.spec import DiagnosisSpec, to_words
from calibcore.spec.codec import decode, encode
from calibcore.survey import Survey, by_lens, exact_pvalue, verdict_test
from calibcore.weighted import refuse_weights

__all__ = [
    "ANSWERS",
    "ClassFrequencies",
    "Detectable",
    "Frequencies",
    "Interval",
    "Verdict",
    "class_frequencies",
    "verdicts",
]

ANSWERS = ("miscalibrated", "consistent", "cannot-tell")


@dataclass(frozen=True)
class Verdict:
    """The answer about one lens and everything that is said about it.

    Attributes
    ----------
    answer : one of :data:`ANSWERS`
    small : miscalibrated, but the typical gap's upper limit lies below the tolerance; for the canonical
        lens those of all lenses that reject, too
    pvalue, adjusted : of the test that verdicts rest on, :data:`~calibcore.survey.VERDICT_TEST`
    alpha, tolerance : the level and Δ that were set
    typical_gap : ``√max(0, U/2)``, U the pairwise estimator; its interval is approximate
    frequencies : one entry a class of the lens; for two classes the first alone
    detectable : one entry an alternative, the hardest to see first; none for pooled pairs, where what
        could be seen is not known
    smallest_detectable : D80, the largest over alternatives; None where one of them cannot be seen at all
    by_lenses : for the canonical lens, the words of the lenses that reject it where its own test does not
    with_mean_bandwidth : D80 with the mean distance as bandwidth, where the lens does not reject and
        the kernel's own bandwidth is narrow; None elsewhere, and where it is no number either
    adjustment : of p for the number of lenses, "holm" or "benjamini-hochberg"
    at_floor : whether the redraws allow no smaller adjusted p
    """

    lens: Lens
    answer: str
    small: bool
    pvalue: float
    adjusted: float
    alpha: float
    tolerance: float
    n: int
    typical_gap: Interval
    frequencies: tuple[Frequencies, ...]
    detectable: tuple[Detectable, ...]
    smallest_detectable: float | None
    by_lenses: tuple[str, ...] = ()
    with_mean_bandwidth: float | None = None
    adjustment: str = "holm"
    at_floor: bool = False

    def to_document(self) -> dict[str, Any]:
        """The JSON document of a verdict."""
        return {"schema": SCHEMA} | asdict(self) | {"lens": encode(self.lens)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Verdict":
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        with complete("The verdict"):
            check_schema(document, "The verdict")
            earlier: dict[str, Any] = {"adjustment": "holm", "at_floor": False}  # did not name these
            document = earlier | dict(document)
            values = {name: document[name] for name in cls.__dataclass_fields__}
            values["lens"] = decode(document["lens"], Lens)
            values["typical_gap"] = Interval(**document["typical_gap"])
            values["frequencies"] = tuple(map(Frequencies.from_document, document["frequencies"]))
            values["detectable"] = tuple(Detectable(**entry) for entry in document["detectable"])
            values["by_lenses"] = tuple(document["by_lenses"])
            return cls(**values)


def verdicts(
    predictions: Predictions,
    survey: Survey,
    progress: Progress | None = None,
    found: Callable[[Verdict], None] | None = None,
) -> tuple[Verdict, ...]:
    """The verdict on each lens of ``survey.diagnoses``, in that order.

    ``predictions`` are those that were surveyed. L is the number of lenses that were tested. Cost: about
    2,000 redraws a lens with up to 10 classes, less than the survey itself took.

    Parameters
    ----------
    found : is given each verdict as it comes

    Raises
    ------
    InputError : other predictions; weighted predictions.
    """
    refuse_weights(predictions)
    if any(diagnosis.fingerprint != predictions.fingerprint for diagnosis in survey.diagnoses):
        raise InputError("The survey was made of other predictions.")
    rejecting = [
        diagnosis.spec.lens
        for diagnosis, adjusted in zip(survey.diagnoses, survey.adjusted, strict=True)
        if adjusted <= diagnosis.spec.alpha * (1 + ROUNDING)
    ]
    gaps = {diagnosis.spec.lens: _gap(diagnosis) for diagnosis in survey.diagnoses}
    diagnoses, total = survey.diagnoses, len(survey.diagnoses)
    pvalues, at_floor = list(map(exact_pvalue, diagnoses)), survey.at_floor
    miscalibrated = [_counts_as_rejected(diagnosis, rejecting) for diagnosis in diagnoses]
    all_found: dict[int, Verdict] = {}
    for i, seen in by_lens(
        predictions,
        {i: diagnosis.spec for i, diagnosis in enumerate(diagnoses)},
        lambda i, report: _could_show(predictions, diagnoses[i], total, miscalibrated[i], report),
        partial(_could_show_of_json, predictions.bare(), total),
        lambda i: (diagnoses[i].to_json(), miscalibrated[i]),
        progress,
    ):
        all_found[i] = _verdict(
            diagnoses[i], pvalues[i], survey.adjusted[i], at_floor[i], rejecting, gaps, seen
        )
        if found is not None:
            found(all_found[i])
    if progress is not None:
        progress(1.0, "done")
    return tuple(all_found[i] for i in sorted(all_found))


Seen = tuple[tuple[Detectable, ...], float | None]
"""What the cases could have shown, and D80 with the mean distance as bandwidth where that is of use."""


def _could_show_of_json(predictions: Predictions, total: int, item: tuple[str, bool]) -> Seen:
    return _could_show(predictions, Diagnosis.from_json(item[0]), total, item[1], None)


def _could_show(
    predictions: Predictions,
    diagnosis: Diagnosis,
    total: int,
    rejected: bool,
    progress: Progress | None,
) -> Seen:
    spec = diagnosis.spec
    report = telling(progress, "what these cases could have shown")
    induced = spec.lens(predictions)
    kernel = with_bandwidth(spec.kernel, diagnosis.bandwidth.value)
    seen = _detectable(induced, kernel, spec, total, _null(induced, diagnosis, kernel), report)
    if rejected or not diagnosis.bandwidth.narrow:
        return seen, None
    wide = with_bandwidth(spec.kernel, "mean").resolved(induced.probs)[0]
    null = _redrawn(induced, wide, spec)
    return seen, _largest(_detectable(induced, wide, spec, total, null, report))


def _counts_as_rejected(diagnosis: Diagnosis, rejecting: Sequence[Lens]) -> bool:
    """Whatever a lens shows, all classes together are off by as much or more."""
    lens = diagnosis.spec.lens
    return lens in rejecting or (isinstance(lens, CanonicalLens) and bool(rejecting))


def _verdict(
    diagnosis: Diagnosis,
    pvalue: float,
    adjusted: float,
    at_floor: bool,
    rejecting: list[Lens],
    gaps: Mapping[Lens, Interval],
    could_show: Seen,
) -> Verdict:
    spec = diagnosis.spec
    own = spec.lens in rejecting
    shown = rejecting if isinstance(spec.lens, CanonicalLens) else []
    seen, other = could_show
    largest = _largest(seen)
    miscalibrated = _counts_as_rejected(diagnosis, rejecting)
    if miscalibrated:
        answer = "miscalibrated"
    elif largest is not None and largest <= spec.tolerance:
        answer = "consistent"
    else:
        answer = "cannot-tell"
    return Verdict(
        lens=spec.lens,
        answer=answer,
        small=miscalibrated and max(gaps[lens].high for lens in [spec.lens, *shown]) < spec.tolerance,
        pvalue=pvalue,
        adjusted=adjusted,
        alpha=spec.alpha,
        tolerance=spec.tolerance,
        n=diagnosis.lens_n,
        typical_gap=gaps[spec.lens],
        frequencies=diagnosis.frequencies,
        detectable=seen,
        smallest_detectable=largest,
        by_lenses=() if own else tuple(map(to_words, shown)),
        with_mean_bandwidth=other,
        adjustment=spec.adjustment,
        at_floor=at_floor,
    )


def _gap(diagnosis: Diagnosis) -> Interval:
    if diagnosis.typical_gap is None:
        raise InputError("The survey was made by an earlier version. Make it anew.")
    return diagnosis.typical_gap


def _null(induced: Predictions, diagnosis: Diagnosis, kernel: Kernel) -> Float:
    """The redraws of the survey's own test; drawn anew where it stopped early."""
    null = verdict_test(diagnosis).null_distribution
    if null is not None and len(null) == diagnosis.spec.resamples:
        return null
    return _redrawn(induced, kernel, diagnosis.spec)


def _redrawn(induced: Predictions, kernel: Kernel, spec: DiagnosisSpec) -> Float:
    test = ExactTest(SKCE(kernel, precision=spec.precision), spec.resamples)
    null = test(induced, stream(spec.seed, "detectable-null")).null_distribution
    assert null is not None
    return null


def _detectable(
    induced: Predictions,
    kernel: Kernel,
    spec: DiagnosisSpec,
    total: int,
    null: Float,
    report: Report,
) -> tuple[Detectable, ...]:
    if not induced.rows_are_cases:
        return ()
    return detectable(
        induced, kernel, spec.alpha / total, null, stream(spec.seed, "detectable"),
        precision=spec.precision, progress=report,
    )  # fmt: skip


def _largest(seen: tuple[Detectable, ...]) -> float | None:
    """D80: None where a pattern cannot be seen at all, or there is none."""
    sizes = [one.size for one in seen]
    return max((s for s in sizes if s is not None), default=None) if None not in sizes else None
