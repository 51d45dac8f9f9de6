"""The verdict on each lens: miscalibrated, consistent with calibration, or cannot tell."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self

from calibcore.assessment.by_lens import by_lens
from calibcore.assessment.chance_limits import size_is_known
from calibcore.assessment.effort import Effort
from calibcore.assessment.impossible import OF_COUNT, Impossible
from calibcore.assessment.omnibus_power import omnibus_detectable
from calibcore.assessment.power import Detectable, smallest
from calibcore.assessment.survey import Survey
from calibcore.assessment.verdict_tests import VERDICT_TEST, verdict_test
from calibcore.bounds import Count, OneOf, Share, Within
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases
from calibcore.data.weights import refuse_untested
from calibcore.diagnose import Diagnosis
from calibcore.diagram.gap_sizes import Frequencies, check_size
from calibcore.diagram.typical_gap import TypicalGap
from calibcore.display import Displayed, WithFigure
from calibcore.errors import InputError
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.hypothesis_tests.result import ROUNDING
from calibcore.numerics.blas import in_one_thread
from calibcore.numerics.progress import Progress, telling
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float
from calibcore.settings import lens_to_words
from calibcore.settings.documents import Documented, complete
from calibcore.settings.layout import headed
from calibcore.settings.spec import ADJUSTMENTS
from calibcore.transforms.lenses import Lens, cases_seen

Answer = Literal["miscalibrated", "consistent", "cannot-tell", ""]
ANSWERS: tuple[Answer, ...] = ("miscalibrated", "consistent", "cannot-tell")
OPEN: Literal[""] = ""
"""The answer as long as what could have been seen is not known; see :func:`decided`."""


@dataclass(frozen=True, repr=False)
class Verdict(Documented, Displayed):
    """The answer about one lens and everything that is said about it.

    Attributes
    ----------
    answer : one of :data:`ANSWERS`
    small : miscalibrated, but the typical gap's upper limit lies below the tolerance; for the canonical
        lens those of all lenses that reject, too
    pvalue, adjusted : of the test that verdicts rest on, :data:`.verdict_tests.VERDICT_TEST`; 0 where
        outcomes of probability 0 refute the lens
    alpha, tolerance : the level and Δ that were set
    typical_gap : ``√max(0, U/2)``, U the pairwise estimator; its interval is approximate
    frequencies : one entry a class of the lens; for two classes the first alone
    detectable : one entry an alternative, the hardest to see first; none for pooled pairs, where what
        could be seen is not known
    smallest_detectable : D80, the largest over the alternatives that could exceed the tolerance; None where
        one of them cannot be seen at all
    by_lenses : for the canonical lens, the words of the lenses that reject it where its own test does not,
        the strongest evidence first
    adjustment : of p for the number of lenses, "holm" or "benjamini-hochberg"
    at_floor : whether the redraws allow no smaller adjusted p
    refuted : outcomes that were called impossible, where the verdict rests on them
    decided_by : the component of the omnibus test that stands out most, "temperature" say
    direction : of how sure the model is what its sign says, "too sure" say; else empty. An event that
        is given too high or too low a probability may look too sure or too unsure, too: see :attr:`balance`

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, survey
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> verdict = survey(p).verdicts[0]
    >>> verdict.answer, round(verdict.typical_gap.value, 3)
    ('miscalibrated', 0.397)
    """

    WHAT = "The verdict"
    HEAD = headed("verdict")
    UNTOLD: ClassVar = ("n",)  # where groups of cases keep it back

    lens: Lens
    answer: Answer
    small: bool
    pvalue: Share
    adjusted: Share
    alpha: Share
    tolerance: Annotated[float, Within(0, 1, strict=True)]
    n: Count
    typical_gap: TypicalGap
    frequencies: tuple[Frequencies, ...]
    detectable: tuple[Detectable, ...]
    smallest_detectable: Share | None
    by_lenses: tuple[str, ...] = ()
    adjustment: Annotated[str, OneOf(*ADJUSTMENTS)] = "holm"
    at_floor: bool = False
    refuted: Impossible | None = None
    decided_by: str = ""
    direction: str = ""

    KEYS: ClassVar = (
        "lens", "answer", "small", "pvalue", "adjusted", "alpha", "tolerance", "n", "typical_gap",
        "frequencies", "detectable", "smallest_detectable", "by_lenses", "adjustment", "at_floor", "refuted",
        "decided_by", "direction", "balance",
    )  # fmt: skip
    OPTIONAL: ClassVar = ("balance",)

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a document contradict each other."""
        check_size(self.typical_gap)

    @property
    def found(self) -> bool:
        """Whether this check found a problem by its own test."""
        return self.answer == "miscalibrated" and not self.by_lenses

    @property
    def balance(self) -> str | None:
        """Of one event how its probability leans on average, "too high" say; None where chance may explain
        it, and of several classes."""
        if len(self.frequencies) != 1:
            return None
        gap = self.frequencies[0].gap
        return None if gap.low <= 0 <= gap.high else self.lens.leaning(gap.value)

    @property
    def unclear(self) -> bool:
        """Whether one cannot tell, or not yet."""
        return self.answer in ("cannot-tell", OPEN)

    def __repr__(self) -> str:
        answer = f"{self.answer or 'open'}{', but small' * self.small}"
        return (
            f"Verdict({lens_to_words(self.lens)!r}: {answer}, adjusted p {self.adjusted:.4g}, "
            f"typical gap {self.typical_gap.value:.4g})"
        )

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        with complete(cls.WHAT):
            return super().from_document(document)


class Verdicts(tuple[Verdict, ...], WithFigure):
    """The verdicts on the lenses of ``survey``, in its order: a tuple that shows itself.

    >>> import numpy as np
    >>> from calibcore import Predictions, survey
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> [verdict.answer for verdict in survey(p).verdicts]
    ['miscalibrated', 'miscalibrated']
    """

    survey: Survey

    def __new__(cls, verdicts: Iterable[Verdict], survey: Survey) -> "Verdicts":
        made = super().__new__(cls, verdicts)
        made.survey = survey
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.survey

    def __repr__(self) -> str:
        return f"Verdicts({', '.join(map(repr, self[:3]))}{', …' * (len(self) > 3)})"


def decided(survey: Survey) -> tuple[Verdict, ...]:
    """The verdict on each lens as far as its tests decide it, in the order of ``survey.diagnoses``.

    Whatever is not miscalibrated has the answer :data:`OPEN`, and nothing is detectable yet. Cost: nothing.
    """
    gaps = {diagnosis.spec.lens: _gap(diagnosis) for diagnosis in survey.diagnoses}
    evidence = {
        diagnosis.spec.lens: (adjusted, -gaps[diagnosis.spec.lens].value)
        for diagnosis, adjusted in zip(survey.diagnoses, survey.adjusted, strict=True)
        if _rejects(adjusted, diagnosis.spec.alpha)
    }
    rejecting = sorted(evidence, key=evidence.__getitem__)
    return tuple(_decided(survey, i, rejecting, gaps) for i in range(len(survey.diagnoses)))


def answered(
    verdict: Verdict,
    detectable: tuple[Detectable, ...],
    tolerance: float,
) -> Verdict:
    """The verdict where it is known what could have been seen, and with that tolerance."""
    size = smallest(detectable, tolerance)
    seen = size is not None and size <= tolerance and size_is_known(verdict.typical_gap, tolerance)
    rejected = verdict.answer == "miscalibrated"
    return replace(
        verdict,
        answer=verdict.answer if rejected else "consistent" if seen else "cannot-tell",
        tolerance=tolerance,
        detectable=detectable,
        smallest_detectable=size,
    )


def judge(
    predictions: Cases,
    survey: Survey,
    progress: Progress | None = None,
    on_result: Callable[[Verdict], None] | None = None,
    *,
    hypotheses: int | None = None,
) -> Verdicts:
    """The verdict on each lens of ``survey.diagnoses``, in that order; all classes together come first.

    As :attr:`.Survey.verdicts`, also of a survey that was read, and with progress. ``predictions`` are those
    that were surveyed. L is the number of hypotheses that were tested. Cost: some 3,000 redraws of the test
    a lens.

    Parameters
    ----------
    on_result : is given each verdict as it comes
    hypotheses : for how many the adjusted p of ``survey`` stand, where others were tested beside it

    Raises
    ------
    InputError : other predictions; weighted predictions.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, judge, survey
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> judge(p, survey(p)).to_frame()[["lens", "verdict"]]
            lens        verdict
    0    top-k:1  Miscalibrated
    1  canonical  Miscalibrated
    """
    refuse_untested(predictions)
    if any(diagnosis.fingerprint != predictions.fingerprint for diagnosis in survey.diagnoses):
        raise InputError("The survey was made of other predictions.")
    diagnoses = survey.diagnoses
    total = survey.hypotheses if hypotheses is None else hypotheses
    so_far = decided(survey)
    # The verdict on all classes together stands for all.
    whole_first = sorted(range(len(diagnoses)), key=lambda i: not diagnoses[i].spec.lens.whole)
    all_found: dict[int, Verdict] = {}
    with in_one_thread():
        for i, seen in by_lens(
            predictions,
            {i: diagnoses[i].spec for i in whole_first},
            {i: len(diagnoses[i].reliability.class_names) for i in whole_first},
            dict(enumerate(diagnoses)),
            partial(_could_show, total, survey.effort),
            progress,
        ):
            all_found[i] = answered(so_far[i], seen, so_far[i].tolerance)
            if on_result is not None:
                on_result(all_found[i])
    return Verdicts((all_found[i] for i in sorted(all_found)), survey)


def _could_show(
    total: int,
    effort: Effort,
    predictions: Cases,
    diagnosis: Diagnosis,
    progress: Progress | None = None,
) -> tuple[Detectable, ...]:
    spec = diagnosis.spec
    report = telling(progress, "what these cases could have shown")
    induced = spec.induced(cases_seen(predictions, spec.lens))
    if not induced.rows_are_cases:
        return ()
    kernel = replace(spec.kernel, bandwidth=diagnosis.bandwidth.value)  # as of the survey
    test = ExactOmnibusTest(kernel, spec.resamples, spec.stop_at, spec.null)
    tested = spec.tested(induced)
    redraws = _redraws(test, tested, diagnosis)
    rng = stream(spec.seed, "detectable")
    return omnibus_detectable(tested, kernel, spec.alpha / total, redraws, rng, effort, report)


def _redraws(test: ExactOmnibusTest, induced: Predictions, diagnosis: Diagnosis) -> Float:
    """(C, B) components of the survey's own redraws; drawn anew where a document did not keep them, or
    where the test stopped early."""
    made = diagnosis.test(VERDICT_TEST)
    redraws = made.result.component_redraws if made is not None and made.result is not None else None
    if redraws is not None and redraws.shape[1] == test.n_resamples:
        return redraws
    return test.redraws(induced, stream(diagnosis.spec.seed, VERDICT_TEST))


def _decided(
    survey: Survey, place: int, rejecting: Sequence[Lens], gaps: Mapping[Lens, TypicalGap]
) -> Verdict:
    """Whatever a lens shows, all classes together are off by as much or more."""
    diagnosis, spec = survey.diagnoses[place], survey.diagnoses[place].spec
    by_others = rejecting if spec.lens.whole else ()
    refuted, impossible = None, survey.impossible
    if survey.refuted and survey.refuted[place]:
        refuted = Impossible(survey.refuted[place], 0.0, None, 0.0)
    elif spec.lens.whole and impossible is not None and impossible.adjusted is not None:
        refuted = impossible if _rejects(impossible.adjusted, spec.alpha) else None
    elif impossible is not None and survey.at_rounded:
        refuted = impossible.through(survey.at_rounded[place], survey.hypotheses)
        refuted = refuted if _rejects(refuted.adjusted or 0.0, spec.alpha) else None
    elif survey.counted:
        counted = survey.counted[place]
        decides = counted.decimals is not None and counted.pvalue / OF_COUNT <= survey.pvalues[place]
        if decides and _rejects(survey.adjusted[place], spec.alpha):
            refuted = replace(counted, adjusted=survey.adjusted[place])
    alone = spec.lens in rejecting or refuted is not None
    miscalibrated = alone or bool(by_others)
    largest_gap = max(gaps[lens].high for lens in (spec.lens, *by_others))
    component = verdict_test(diagnosis).decided_by
    return Verdict(
        lens=spec.lens,
        answer="miscalibrated" if miscalibrated else OPEN,
        small=miscalibrated and largest_gap < spec.tolerance,
        pvalue=survey.pvalues[place],
        adjusted=survey.adjusted[place],
        alpha=spec.alpha,
        tolerance=spec.tolerance,
        n=diagnosis.lens_n,
        typical_gap=gaps[spec.lens],
        frequencies=diagnosis.frequencies,
        detectable=(),
        smallest_detectable=None,
        by_lenses=() if alone else tuple(map(lens_to_words, by_others)),
        adjustment=spec.adjustment,
        at_floor=survey.at_floor[place],
        refuted=refuted,
        decided_by=component.name if component else "",
        direction=component.direction if component else "",
    )


def _rejects(adjusted: float, alpha: float) -> bool:
    return adjusted <= alpha * (1 + ROUNDING)


def _gap(diagnosis: Diagnosis) -> TypicalGap:
    if diagnosis.typical_gap is None:
        raise InputError("The survey was made by an earlier version. Make it anew.")
    return diagnosis.typical_gap
