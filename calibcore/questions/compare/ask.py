"""compare: several models on the same cases, each with its verdict, and every pair."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from calibcore.assessment.defaults import resamples_needed
from calibcore.assessment.effort import USUAL, Effort
from calibcore.assessment.survey import Survey, survey
from calibcore.assessment.verdict import judge
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.units import notes_beside
from calibcore.diagnose.parts import in_usual_bins, look_at
from calibcore.diagram.binning import Binning
from calibcore.errors import InputError
from calibcore.hypothesis_tests import none_as_extreme
from calibcore.hypothesis_tests.adjust import holm
from calibcore.numerics.progress import Progress, silent
from calibcore.questions.compare import gap_differences, score_differences
from calibcore.questions.compare.cases import SameCases, one_row_each, same_cases
from calibcore.questions.compare.gap_differences import (
    OTHER_WAY,
    BinnedResiduals,
    gap_difference,
    points_the_other_way,
    too_few,
    too_small_bins,
)
from calibcore.questions.compare.nested import held
from calibcore.questions.compare.result import ComparedModel, Comparison, Nested, Pair
from calibcore.questions.compare.score_differences import (
    accuracy_difference,
    betting_interval,
    brier_difference,
    brier_differences,
    log_difference,
)
from calibcore.questions.given import enough_redraws
from calibcore.settings import DiagnosisSpec
from calibcore.settings.result import finite_or_none

MOST_MODELS = 50
LOOKING = 0.9
"""Share of the work that the verdicts are."""

RARE = "a model expects too few of the outcomes that decide by this score"
"""Why there is no difference of the log loss, which has no bounds."""

Models = Mapping[str, Predictions] | Sequence[Predictions]


def compare(
    models: Models,
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
    *,
    by: str | None = None,
    betting: bool = False,
    binning: Binning | None = None,
    effort: Effort = USUAL,
) -> Comparison:
    """Compare models on the same cases through the lens of ``spec``.

    Each model has the verdict that a survey of this lens alone would give, adjusted for the number of models;
    each pair the difference of squared gaps (asymptotic) and of scores (approximate; of accuracy exact), and
    both exact tests of whether one holds whatever the other says. Cost: a survey and its verdict a model, and
    O(k²·(n·m² + n·B)) for the pairs of k models.

    Parameters
    ----------
    models : names and predictions; of a list the names are "model 1", "model 2", …
    by : the column of metadata that says which rows are one case; see :func:`.same_cases`
    betting : also give the interval of the Brier difference that holds at every n
    binning : of two classes, in which squared gaps are compared; else that of ``spec`` where it is another
        than the usual one, and as a rule :func:`~.gap_differences.compared_bins`
    effort : of the verdicts, see :class:`.Effort`

    Raises
    ------
    InputError : fewer than 2 models or more than :data:`MOST_MODELS`; other classes, cases or labels;
        weights; a lens that looks at other cases for each model, or at pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, compare
    >>> labels = np.tile([0, 1, 1, 1], 25)
    >>> sure = Predictions.from_arrays(np.tile([[0.9, 0.1], [0.1, 0.9]], (50, 1)), labels, ["ill", "well"])
    >>> unsure = Predictions.from_arrays(np.tile([[0.5, 0.5], [0.1, 0.9]], (50, 1)), labels, ["ill", "well"])
    >>> comparison = compare({"sure": sure, "unsure": unsure})
    >>> comparison, round(comparison.pairs[0].gap.difference, 3), comparison.nested[0].pvalue
    (Comparison(100 cases, by typical gap: 'unsure', 'sure'), 0.16, 0.001)
    """
    by_default = spec is None
    spec, progress = spec or DiagnosisSpec(), progress or silent
    all_rows, cases = one_row_each(same_cases(_named(models), by), spec.unit, spec.seed)
    k = len(cases.models)
    spec = look_at(cases.first, spec)
    check_lens(cases, spec)
    spec = replace(spec, resamples=max(spec.resamples, resamples_needed(k, spec.alpha, effort)))
    directions = enough_redraws(k * (k - 1), spec, f"{k} models", "a comparison needs", "models")
    if by_default:
        spec = in_usual_bins(all_rows.first, spec)
    binning = binning or chosen_binning(spec)
    compared = _judged(all_rows, spec, effort, progress)
    pairs = _in_one_direction(_pairs(cases, spec, betting, binning), compared, spec.alpha)
    progress(LOOKING + (1 - LOOKING) / 2, "what each model leaves out")
    nested = _nested(cases, directions, spec.seed)
    progress(1.0, "done")
    first = cases.first
    return Comparison(
        spec,
        first.n,
        first.class_names,
        compared,
        pairs,
        nested,
        directions,
        cases.joined_by,
        (*cases.notes, *_left_out(cases, compared)),
        binning,
    )


def _named(models: Models) -> Mapping[str, Predictions]:
    if isinstance(models, Predictions) or not isinstance(models, Mapping | Sequence):
        raise TypeError(
            "compare takes models by name, {'old': p, 'new': q}, or a list of predictions, and was given an "
            f"object of type {type(models).__name__}."
        )
    named = models if isinstance(models, Mapping) else {f"model {i}": p for i, p in enumerate(models, 1)}
    for name, p in named.items():
        if not isinstance(p, Predictions):
            raise TypeError(f"{shown(name)} is an object of type {type(p).__name__}; expected Predictions.")
    if len(named) > MOST_MODELS:
        raise InputError(f"There are {len(named)} models; {MOST_MODELS} is the most.")
    return named


def check_lens(cases: SameCases, spec: DiagnosisSpec) -> None:
    """Raises :class:`InputError` for a lens that looks at other cases of each model, or at pairs."""
    for name, p in cases.models.items():
        induced = spec.lens(p)
        if not induced.rows_are_cases:
            raise InputError("Pairs of one case depend on each other: no two models can be compared by them.")
        if induced.n != p.n:
            raise InputError(
                f"Through this lens only {induced.n:,} of {p.n:,} cases of {shown(name)} are looked at, and "
                "others of another model. Compare models through a lens that looks at all cases."
            )


def chosen_binning(spec: DiagnosisSpec) -> Binning | None:
    """That of the settings, where somebody chose another than the usual one."""
    return spec.binning if spec.binning != DiagnosisSpec().binning else None


def _judged(
    cases: SameCases, spec: DiagnosisSpec, effort: Effort, progress: Progress
) -> tuple[ComparedModel, ...]:
    """The verdict on each model, its p adjusted by Holm's method for the number of models."""
    k = len(cases.models)

    def report(place: int) -> Progress:
        name = list(cases.models)[place // 2]
        return lambda done, words: progress(LOOKING * (place + done) / (2 * k), f"{name}: {words}")

    surveys = [
        survey(p, spec, [spec.lens], report(2 * i), binning_of_many=spec.binning, effort=effort)
        for i, p in enumerate(cases.models.values())
    ]
    adjusted = holm([_own_pvalue(surveyed) for surveyed in surveys]).tolist()
    compared = []
    for i, (surveyed, (name, p)) in enumerate(zip(surveys, cases.models.items(), strict=True)):
        counted = surveyed.impossible
        if counted is not None and counted.adjusted is not None:
            counted = replace(counted, adjusted=min(1.0, k * counted.adjusted))
        # Through another lens than the whole the p of the model has them already.
        scaled = replace(surveyed, adjusted=(adjusted[i],), impossible=counted, at_rounded=())
        verdict = judge(p, scaled, report(2 * i + 1), hypotheses=k * surveyed.hypotheses)[0]
        compared.append(ComparedModel(name, surveyed.diagnoses[0], verdict))
    return tuple(compared)


def _left_out(cases: SameCases, compared: Sequence[ComparedModel]) -> Iterator[str]:
    """What the diagnosis of each model notes beside what its file did, with its name."""
    for model in compared:
        of_file = notes_beside(model.diagnosis.spec.unit, cases.models[model.name].notes)
        yield from (f"{model.name}: {note}" for note in model.diagnosis.notes if note not in of_file)


def _own_pvalue(surveyed: Survey) -> float:
    """p of calibration of one model through its lens; where probabilities were rounded, adjusted for both
    hypotheses."""
    if surveyed.impossible is None:
        return surveyed.adjusted[0]
    counted = surveyed.impossible.through(surveyed.at_rounded[0], surveyed.hypotheses).adjusted
    return min(surveyed.adjusted[0], 1.0 if counted is None else counted)


def _pairs(cases: SameCases, spec: DiagnosisSpec, betting: bool, binning: Binning | None) -> tuple[Pair, ...]:
    models, binned = cases.models, {}
    if cases.first.n >= gap_differences.FEWEST:
        binned = {name: BinnedResiduals.of(spec.lens(p), binning) for name, p in models.items()}
    pairs = [_pair(a, b, models, binned, spec.seed, betting) for a, b in combinations(models, 2)]
    by_gap = [pair.gap.pvalue for pair in pairs if pair.gap is not None]
    adjusted = iter(holm(by_gap).tolist())
    accuracies = holm([pair.accuracy.pvalue for pair in pairs]).tolist()
    return tuple(
        replace(pair, adjusted=None if pair.gap is None else next(adjusted), accuracy_adjusted=accuracy)
        for pair, accuracy in zip(pairs, accuracies, strict=True)
    )


def _in_one_direction(
    pairs: Sequence[Pair], models: Sequence[ComparedModel], alpha: float
) -> tuple[Pair, ...]:
    """A pair that would be told apart although the typical gaps point the other way has no p."""
    gaps = {model.name: model.verdict.typical_gap.value for model in models}

    def checked(pair: Pair) -> Pair:
        if pair.gap is None or pair.adjusted is None:
            return pair
        if points_the_other_way(pair.gap, pair.adjusted, (gaps[pair.a], gaps[pair.b]), alpha):
            return replace(pair, gap=None, adjusted=None, gap_withheld=OTHER_WAY)
        return pair

    return tuple(map(checked, pairs))


def _pair(
    a: str,
    b: str,
    models: Mapping[str, Predictions],
    binned: Mapping[str, BinnedResiduals],
    seed: int,
    betting: bool,
) -> Pair:
    p, q = models[a], models[b]
    few = too_few(p.n, score_differences.FEWEST)
    impossible = max(p.impossible_outcomes, q.impossible_outcomes)
    withheld = too_few(p.n)
    if binned:
        withheld = too_small_bins({shown(name): binned[name] for name in (a, b)})
    name = a if p.impossible_outcomes >= q.impossible_outcomes else b
    brier = None if few else brier_difference(p, q, seed)
    log_loss = None if few or impossible else log_difference(p, q)
    log_withheld = f"{name} gave {impossible:,} outcomes the probability 0" if impossible else ""
    if log_loss is None and not log_withheld and not few:
        log_withheld = RARE
    interval = None
    if brier is not None and betting:
        interval = betting_interval(brier_differences(p, q), -2.0, 2.0, seed=seed)
    return Pair(
        a=a,
        b=b,
        gap=None if withheld else gap_difference(binned[a], binned[b]),
        adjusted=None,
        brier=brier,
        log_loss=log_loss,
        accuracy=accuracy_difference(p, q),
        accuracy_adjusted=1.0,
        same=bool(np.array_equal(p.probs, q.probs)),
        brier_betting=interval,
        gap_withheld=withheld,
        scores_withheld=few,
        log_withheld=log_withheld,
    )


def _nested(cases: SameCases, resamples: int, seed: int) -> tuple[Nested, ...]:
    """None where only confidences are known: each model is then sure of an answer of its own."""
    if cases.first.confidence_only:
        return ()
    answers = []
    for name, tested in cases.models.items():
        rest = {other: p for other, p in cases.models.items() if other != name}
        results = held(tested, list(rest.values()), resamples, seed)
        answers += [(name, other, result) for other, result in zip(rest, results, strict=True)]
    adjusted = holm([result.pvalue for *_, result in answers]).tolist()
    return tuple(
        Nested(
            model,
            given,
            finite_or_none(result.statistic),
            result.pvalue,
            p,
            result.mean,
            result.deviation,
            result.refuted,
            none_as_extreme(result.pvalue, resamples) and not result.refuted,
        )
        for (model, given, result), p in zip(answers, adjusted, strict=True)
    )
