"""survey: several lenses, and p-values adjusted for having looked through all of them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from calibcore.assessment.by_lens import by_lens
from calibcore.assessment.defaults import default_lenses, resamples_needed
from calibcore.assessment.effort import USUAL, Effort
from calibcore.assessment.impossible import Impossible, impossible, is_hypothesis, with_count
from calibcore.assessment.survey_document import Look, Refusals, Surveyed, SurveyEntry
from calibcore.assessment.verdict_tests import VERDICT_TEST, exact_pvalue, verdict_test
from calibcore.bounds import Count, Share
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.data.weights import refuse_untested
from calibcore.diagnose import Diagnosis, diagnose
from calibcore.diagnose.parts import settings_for
from calibcore.diagram.binning import Binning, default_binning
from calibcore.display import WithFigure
from calibcore.errors import InputError
from calibcore.hypothesis_tests.adjust import benjamini_hochberg, holm, smallest_adjusted
from calibcore.numerics.blas import in_one_thread
from calibcore.numerics.progress import Progress
from calibcore.settings import MOST_RESAMPLES, DiagnosisSpec, lens_to_words
from calibcore.settings.codec import from_entry
from calibcore.settings.documents import Documented, check_head
from calibcore.settings.faults import inside, misfit
from calibcore.settings.layout import headed
from calibcore.transforms.lenses import Lens, cases_seen
from calibcore.transforms.nulls import Identity

if TYPE_CHECKING:
    from calibcore.assessment.verdict import Verdict, Verdicts

_ADJUSTED = {"holm": holm, "benjamini-hochberg": benjamini_hochberg}


@dataclass(frozen=True, eq=False, repr=False)
class Survey(Documented, WithFigure):
    """Diagnoses through several lenses and their adjusted p-values.

    ``adjusted (L,)`` is the adjusted p of :data:`VERDICT_TEST`. ``refused`` names
    the lenses that could not be tested, with the reason.

    ``refuted (L,)`` says how many outcomes through each lens were given probability 0, where probabilities
    were not rounded: one is enough, and p is 0. Where they were, such rows are left out of the tests and
    ``impossible`` is one more hypothesis; ``at_rounded (L,)`` are those through each lens. Of several labels
    each has such outcomes of its own, ``counted (L,)``: they are part of its p, and no hypothesis more.

    >>> import numpy as np
    >>> from calibcore import Predictions, survey
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> survey(p)
    Survey(2 lenses, adjusted p 'top-k:1': 0.002, 'canonical': 0.002)
    >>> survey(p).verdicts[0].answer
    'miscalibrated'

    ``predictions`` are the cases, which :attr:`verdicts` need. They are no part of a document, nor of what is
    pickled, as a survey may be handed on: verdicts that were worked out before go along. ``effort`` is what
    it was made with, and its verdicts are made with.
    """

    WHAT = "The survey"
    HEAD = headed("survey-without-verdicts")
    ALSO = ("survey", "report")
    NAMES: ClassVar = {"looks": "lenses"}
    KEYS: ClassVar = (
        "data", "adjustment", "looks", "refuted", "impossible", "at_rounded", "refused", "counted",
    )  # fmt: skip
    OPTIONAL: ClassVar = ("data", "counted")

    diagnoses: tuple[Diagnosis, ...]
    adjusted: tuple[Share, ...]
    refused: Refusals = ()
    refuted: tuple[Count, ...] = ()
    impossible: Impossible | None = None
    at_rounded: tuple[Count, ...] = ()
    predictions: Cases | None = None
    effort: Effort = USUAL
    counted: tuple[Impossible, ...] | None = None

    @property
    def data(self) -> Surveyed | None:
        """What the cases are; None of a survey that an earlier version wrote."""
        first = self.diagnoses[0]
        return None if first.kind is None else Surveyed(first.n, first.class_names, first.kind)

    @property
    def verdicts(self) -> "Verdicts":
        """What :func:`calibcore.judge` says of the cases that were surveyed, worked out when first asked for.

        Cost: nothing where they are known, else some 3,000 redraws of the test a lens.

        Raises
        ------
        InputError : a survey that was read, and so has no cases.
        """
        from calibcore.assessment.verdict import Verdicts  # verdicts stand above surveys

        return Verdicts(self._judged, self)

    @cached_property
    def _judged(self) -> "tuple[Verdict, ...]":
        from calibcore.assessment.verdict import judge

        if self.predictions is None:
            raise InputError(
                "This survey was read, and holds no cases to judge: "
                "give them too, by calibcore.judge(predictions, survey)."
            )
        return tuple(judge(self.predictions, self))

    def without_cases(self, verdicts: "Sequence[Verdict] | None" = None) -> Self:
        """The same without ``predictions``, with ``verdicts`` or those that were worked out, if any.

        Verdicts that are open are none.
        """
        bare, known = replace(self, predictions=None), verdicts or self.__dict__.get("_judged")
        if known and all(verdict.answer for verdict in known):
            bare.__dict__["_judged"] = tuple(known)
        return bare

    def __getstate__(self) -> dict[str, Any]:
        """Without the cases, as in a document."""
        return self.__dict__ | {"predictions": None}

    def __repr__(self) -> str:
        adjusted = dict(
            zip((lens_to_words(d.spec.lens) for d in self.diagnoses), self.adjusted, strict=False)
        )
        first = ", ".join(f"{lens!r}: {p:.4g}" for lens, p in list(adjusted.items())[:5])
        return f"Survey({len(self.diagnoses)} lenses, adjusted p {first}{', …' * (len(adjusted) > 5)})"

    @property
    def hypotheses(self) -> int:
        """How many p-values were adjusted together."""
        return len(self.diagnoses) + (self.impossible is not None)

    @property
    def pvalues(self) -> tuple[float, ...]:
        """(L,) before adjusting: of the test, or 0 where the lens is refuted; of several labels also of how
        many outcomes of each stand at a rounded 0."""
        refuted = self.refuted or (0,) * len(self.diagnoses)
        counted = self.counted or (None,) * len(self.diagnoses)
        return tuple(
            0.0 if n else with_count(exact_pvalue(d), None if each is None else of_count(each))
            for d, n, each in zip(self.diagnoses, refuted, counted, strict=True)
        )

    @property
    def at_floor(self) -> tuple[bool, ...]:
        """(L,) whether the redraws allow no smaller adjusted p."""
        tests = [verdict_test(diagnosis) for diagnosis in self.diagnoses]
        most = max(test.n_resamples for test in tests)  # one that stops early has redraws as extreme
        raw, adjusted = np.array([test.pvalue for test in tests]), np.array(self.adjusted)
        smallest = smallest_adjusted(raw, adjusted, most) & (np.array(self.pvalues) > 0)
        return tuple(smallest.tolist())

    @property
    def adjustment(self) -> str:
        """How p is adjusted for the number of hypotheses."""
        return self.diagnoses[0].spec.adjustment

    @property
    def looks(self) -> "tuple[Look, ...]":
        """One a lens, as the document has them."""
        lenses = [diagnosis.spec.lens for diagnosis in self.diagnoses]
        in_full = any(lens.within.in_full for lens in lenses)
        named = lenses if in_full else map(lens_to_words, lenses)
        return tuple(map(Look, named, self.pvalues, self.adjusted, self.diagnoses))

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        check_head(document, cls.WHAT, cls.HEAD["document"], *cls.ALSO)
        entry = from_entry(SurveyEntry, document)
        made = cls(
            tuple(look.diagnosis for look in entry.looks),
            tuple(look.adjusted for look in entry.looks),
            entry.refused,
            entry.refuted,
            entry.impossible,
            entry.at_rounded,
            counted=entry.counted,
        )
        made.check_agreement()
        return made

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a document contradict each other."""
        for i, diagnosis in enumerate(self.diagnoses):
            with inside("lenses", i, "diagnosis"):
                if math.isnan(verdict_test(diagnosis).pvalue):
                    raise InputError("The p-value of its verdict is not defined.")
        each = {"refuted": self.refuted, "at_rounded": self.at_rounded, "counted": self.counted or ()}
        for name, numbers in each.items():
            if len(numbers) not in (0, len(self.diagnoses)):
                raise misfit(numbers, "one number a lens").inside(name)
        if len({diagnosis.fingerprint for diagnosis in self.diagnoses}) > 1:
            raise InputError("It speaks of different data; expected one fingerprint.")


def of_count(counted: Impossible) -> float | None:
    """p of how many outcomes of a label stand at a rounded 0; None where nothing was rounded."""
    return None if counted.decimals is None else counted.pvalue


def survey(
    predictions: Cases,
    spec: DiagnosisSpec | None = None,
    lenses: Sequence[Lens] | None = None,
    progress: Progress | None = None,
    *,
    binning_of_many: Binning | None = None,
    on_result: Callable[[Diagnosis], None] | None = None,
    effort: Effort = USUAL,
) -> Survey:
    """Diagnose through several lenses with :data:`VERDICT_TEST`, and adjust as ``spec.adjustment`` says.

    A binning that does not fit a lens gives way to uniform:10 there, and too few
    redraws are raised to :func:`resamples_needed`; each diagnosis holds the
    settings it was made with. Outcomes that were called impossible count, see :mod:`.impossible`.
    Of several labels each is a check, exact by itself; Holm's adjustment holds however labels depend on each
    other. That labels occur together as often as was predicted is not tested. Cost: one diagnosis a lens.

    Parameters
    ----------
    binning_of_many : for lenses of three and more classes, in place of ``spec.binning``; where there is no
        ``spec`` either, :func:`default_binning`
    on_result : is given each diagnosis as it comes
    effort : how much is redrawn and simulated, here and for the verdicts; see :class:`.Effort`

    Raises
    ------
    InputError : no lens, or none that can be tested; weighted predictions; another null than calibration.
    TypeError : arrays in place of predictions, or one lens that is not in a list.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, TopKLens, survey
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> result = survey(p, lenses=[TopKLens(1)])
    >>> result.adjusted
    (0.001,)
    """
    by_default = spec is None
    spec = settings_for("survey", predictions, spec)
    refuse_untested(predictions)
    if by_default:
        m = 2 if isinstance(predictions, MultiLabelPredictions) else predictions.m
        binning_of_many = binning_of_many or default_binning(max(3, m), predictions.n)
    if not isinstance(spec.null, Identity):
        raise InputError(
            f"The null hypothesis is '{spec.null.kind}', which through each lens is another one; a survey "
            "tests calibration. Diagnose through one lens to test it."
        )
    if lenses is not None and not isinstance(lenses, Sequence):
        raise TypeError(
            f"survey takes a list of lenses and was given an object of type {type(lenses).__name__}."
        )
    all_rows = predictions
    if isinstance(predictions, Predictions):
        predictions = spec.independent(predictions)
    lenses = default_lenses(predictions) if lenses is None else tuple(lenses)
    if not lenses:
        raise InputError("There is no lens to look through; expected at least one.")
    rounded = isinstance(predictions, Predictions) and is_hypothesis(predictions)
    needed = resamples_needed(len(lenses) + rounded, spec.alpha, effort)
    if needed > MOST_RESAMPLES:
        raise InputError(
            f"For {len(lenses)} lenses at the level {spec.alpha:g} a survey needs {needed:,} redraws; "
            f"{MOST_RESAMPLES:,} is the most. Take fewer lenses or a larger level."
        )
    spec = replace(spec, tests=(VERDICT_TEST,), estimates=(), resamples=max(spec.resamples, needed))
    diagnoses: dict[int, Diagnosis] = {}
    refused: dict[int, str] = {}
    fitting: dict[int, DiagnosisSpec] = {}
    classes: dict[int, int] = {}
    for i, lens in enumerate(lenses):
        try:
            seen = cases_seen(predictions, lens)
            refuse_untested(seen)
            m = lens.classes(seen)
            binning = spec.binning if m == 2 else binning_of_many or spec.binning
            fitting[i], classes[i] = replace(spec, lens=lens, binning=binning).for_classes(m), m
        except InputError as error:
            refused[i] = str(error)
    with in_one_thread():
        for i, answer in by_lens(all_rows, fitting, classes, fitting, _diagnosed, progress):
            if isinstance(answer, InputError):
                refused[i] = str(answer)
                continue
            diagnoses[i] = answer
            if on_result is not None:
                on_result(diagnoses[i])
    if not diagnoses:
        raise InputError(
            f"No lens can be tested. {lens_to_words(lenses[min(refused)])}: {refused[min(refused)]}"
        )
    reasons = tuple((lens_to_words(lenses[i]), refused[i]) for i in sorted(refused))
    in_order = tuple(diagnoses[i] for i in sorted(diagnoses))
    result = _adjusted(all_rows, in_order, reasons, rounded)
    return replace(result, predictions=all_rows, effort=effort)


def _counting(cases: Cases, spec: DiagnosisSpec) -> Predictions:
    """The cases whose impossible outcomes count: one of probability 0 refutes whatever the rows of a unit
    share; what rounding explains does not."""
    seen = cases_seen(cases, spec.lens)
    independent = spec.independent(seen)
    return independent if independent.rounding is not None else seen


def _none_is_zero(cases: Predictions) -> bool:
    """Whether nothing is impossible, nor a rounded 0: then nothing is through any lens."""
    return cases.rounding is None and bool((cases.cases.probs > 0).all())


def _adjusted(
    predictions: Cases,
    diagnoses: tuple[Diagnosis, ...],
    refused: tuple[tuple[str, str], ...],
    rounded: bool,
) -> Survey:
    """The survey of what was found through each lens; ``rounded``: impossible outcomes are a hypothesis."""
    of_labels = isinstance(predictions, MultiLabelPredictions)
    counting = [_counting(predictions, d.spec) for d in diagnoses] if of_labels else []
    if not counting:
        counting = [_counting(predictions, diagnoses[0].spec)] * len(diagnoses)
    distinct = {id(cases): cases for cases in counting}
    possible = {key: _none_is_zero(cases) for key, cases in distinct.items()}
    through = [
        Impossible(0, 0.0, None) if possible[id(cases)] else impossible(d.spec.lens(cases))
        for d, cases in zip(diagnoses, counting, strict=True)
    ]
    refuted = tuple(0 if impossible.decimals is not None else impossible.outcomes for impossible in through)
    counted = tuple(
        each if is_hypothesis(cases) else Impossible(0, 0.0, None)
        for each, cases in zip(through, counting, strict=True)
    )
    own = counted if of_labels and any(each.decimals is not None for each in counted) else None
    result = Survey(diagnoses, (), refused, refuted, counted=own)
    happened = impossible(counting[0])
    pvalues = [*result.pvalues, *([happened.pvalue] if rounded else [])]
    adjusted = [float(p) for p in _ADJUSTED[diagnoses[0].spec.adjustment](pvalues)]
    return replace(
        result,
        adjusted=tuple(adjusted[: len(diagnoses)]),
        impossible=replace(happened, adjusted=adjusted[-1]) if rounded else None,
        at_rounded=tuple(impossible.outcomes for impossible in through) if rounded else (),
    )


def _diagnosed(
    predictions: Cases, spec: DiagnosisSpec, report: Progress | None = None
) -> Diagnosis | InputError:
    try:
        return diagnose(predictions, spec, report)
    except InputError as error:
        return error
