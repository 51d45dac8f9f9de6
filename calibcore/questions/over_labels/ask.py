"""ask_each: a question asked of each of several labels, and what was found adjusted for their number."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar, get_type_hints

from calibcore.answers.by_label import ByLabel, OfLabel
from calibcore.answers.question import Question
from calibcore.assessment.defaults import resamples_needed
from calibcore.assessment.effort import USUAL
from calibcore.data.outside_text import shown
from calibcore.data.several_labels import UNKNOWN, MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.hypothesis_tests.adjust import holm
from calibcore.numerics.progress import Progress
from calibcore.questions.given import FLOORS
from calibcore.questions.over_labels.result import OverLabels, Refused
from calibcore.questions.registry import QUESTIONS
from calibcore.settings import MOST_RESAMPLES, DiagnosisSpec, lens_to_words
from calibcore.transforms.lenses import LabelLens
from calibcore.wording import listed

R = TypeVar("R")
Models = Mapping[str, MultiLabelPredictions]
OfOne = Callable[[str, Mapping[str, Any], DiagnosisSpec, Progress | None], R]
"""A label, what it is asked with of its own, settings that look at it, progress -> what was found of it."""
NOT_ASKED = "it was not asked about"


def ask_each(
    ask: Callable[..., Any],
    predictions: MultiLabelPredictions | Models,
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
    **more: Any,
) -> OverLabels:
    """Ask a question of each of several labels; where it has a p, Holm adjusts it for their number.

    Each p is that of its label alone. Holm's adjustment holds however labels depend on each other. That they
    occur together as often as was predicted is not tested. Cost: the question, once a label.

    Parameters
    ----------
    ask : the question: :func:`.compare`, :func:`.recalibrate`, :func:`.decide`, :func:`.survey_groups`,
        :func:`.monitor`, :func:`.plan` or :func:`.explain_by_wrong_labels`
    predictions : of several labels; of :func:`.compare` name -> those of each model
    spec : with the lens on all classes, as each label is looked at by itself
    more : what the question takes besides, ``time="day"`` say. Of :func:`.decide` ``thresholds`` may be label
        -> thresholds; the ``risk`` of its target is shared by the labels. :func:`.recalibrate` tries a
        temperature and a logistic map unless ``methods`` are named

    Raises
    ------
    InputError : no label of which it can be asked; another lens; more labels than redraws can tell apart.
    TypeError : no such question, or predictions over classes that exclude each other.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import MultiLabelPredictions, monitor, ask_each
    >>> probs, true = np.tile([[0.9, 0.2], [0.3, 0.7]], (60, 1)), np.tile([[1, 0], [0, 1]], (60, 1))
    >>> p = MultiLabelPredictions.from_arrays(probs, true, ["effusion", "mass"])
    >>> in_time = ask_each(monitor, p)
    >>> [(of.label, of.result.alarm, of.found) for of in in_time.labels]
    [('effusion', 34, True), ('mass', 27, True)]
    """
    question = QUESTIONS.get(get_type_hints(ask).get("return", type(None)))
    if question is None or question.by_label is None:
        raise TypeError(f"{getattr(ask, '__name__', ask)!r} is no question that is asked of each label.")
    models = predictions if isinstance(predictions, Mapping) else {"": predictions}
    for cases in models.values():
        if not isinstance(cases, MultiLabelPredictions):
            raise TypeError(
                f"ask_each takes MultiLabelPredictions and was given an object of type "
                f"{type(cases).__name__}. Of predictions over classes ask the question itself."
            )

    def of_one(label: str, own: Mapping[str, Any], of_label: DiagnosisSpec, report: Progress | None) -> Any:
        of_each: Any = {name: cases.label(label) for name, cases in models.items()}
        cases = of_each if isinstance(predictions, Mapping) else of_each[""]
        return ask(cases, **{**more, **own}, spec=of_label, progress=report)

    return asked_of_each(question, of_one, models, spec or DiagnosisSpec(), more, progress)


def asked_of_each(
    question: Question[Any],
    of_one: OfOne[Any],
    models: Models,
    spec: DiagnosisSpec,
    more: Mapping[str, Any],
    progress: Progress | None = None,
) -> OverLabels:
    """What ``of_one`` finds of each label, with its p adjusted for their number.

    models : whose labels they are, by name; several have the same ones
    more : what the question is asked with beside the settings

    Raises
    ------
    InputError : as of :func:`ask_each`.
    """
    assert question.by_label is not None, "else it is asked of no label"
    by_label, first = question.by_label, _alike(models)
    own = {name: by_label.asked(more, name, first.label_names) for name in first.label_names}
    names = [name for name, settled in own.items() if settled is not None]
    if not spec.lens.whole:
        raise InputError(
            f"The lens is {shown(lens_to_words(spec.lens))}; where {len(names):,} labels are asked about, "
            "each is looked at by itself. Name one label, or leave the lens out."
        )
    tests = max((by_label.tests({**more, **(own[name] or {})}) for name in names), default=1)
    needed = _redraws(len(names), tests, spec.alpha) if by_label.redrawn and by_label.hypothesis else 0
    if needed > MOST_RESAMPLES:
        raise InputError(
            f"For {len(names):,} labels at the level {spec.alpha:g} it takes {needed:,} redraws; "
            f"{MOST_RESAMPLES:,} is the most. Take fewer labels or a larger level."
        )
    spec = replace(spec, resamples=max(spec.resamples, needed))
    results: dict[str, Any] = {}
    refused = [Refused(name, NOT_ASKED) for name, settled in own.items() if settled is None]
    for place, name in enumerate(names):

        def report(fraction: float, words: str, place: int = place, name: str = name) -> None:
            if progress is not None:
                progress((place + fraction) / len(names), f"{name}: {words}")

        try:
            results[name] = of_one(name, own[name] or {}, replace(spec, lens=LabelLens(name)), report)
        except InputError as error:
            refused.append(Refused(name, str(error)))
    if not results:
        raise InputError(f"No label can be looked at. {refused[-1].label}: {refused[-1].reason}")
    if progress is not None:
        progress(1.0, "done")
    return OverLabels(
        spec=spec,
        question=question.command,
        n=first.n,
        class_names=first.label_names,
        fingerprint=first.fingerprint if len(models) == 1 else None,
        labels=_adjusted(by_label, results, first, spec),
        refused=tuple(refused),
    )


def _redraws(labels: int, tests: int, alpha: float) -> int:
    """As many as so many labels take; of each so many tests are adjusted for before labels are."""
    every = resamples_needed(labels * tests, alpha, replace(USUAL, below=FLOORS))
    return max(resamples_needed(labels, alpha), every)


def _alike(models: Models) -> MultiLabelPredictions:
    """The first of the models. Raises :class:`InputError` where they have other labels, or there is none."""
    if not models:
        raise InputError("There are no predictions; expected those of several labels.")
    (first_name, first), *rest = models.items()
    for name, cases in rest:
        if set(cases.label_names) != set(first.label_names):
            raise InputError(
                f"{shown(name)} has the labels {listed(cases.label_names, 5)} and {shown(first_name)} has "
                f"{listed(first.label_names, 5)}; expected the same labels."
            )
    return first


def _adjusted(
    by_label: ByLabel[Any], results: Mapping[str, Any], cases: MultiLabelPredictions, spec: DiagnosisSpec
) -> tuple[OfLabel[Any], ...]:
    """What was found, with each p, and that by Holm's method for as many labels as have one."""
    pvalues = {label: p for label, result in results.items() if (p := by_label.pvalue(result)) is not None}
    adjusted = dict(zip(pvalues, holm(list(pvalues.values())).tolist(), strict=True))
    floor = max((adjusted[label] for label in pvalues if by_label.at_floor(results[label])), default=-1.0)
    known = dict(zip(cases.label_names, (cases.outcomes != UNKNOWN).sum(axis=0).tolist(), strict=True))
    return tuple(
        OfLabel(
            label,
            known[label],
            result,
            pvalues.get(label),
            p := adjusted.get(label),
            found=p is not None and p <= by_label.level(spec),
            at_floor=p is not None and p <= floor,
        )
        for label, result in results.items()
    )
