"""decide: what the probabilities are worth at thresholds, and whether they keep what they promise."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibcore.assessment.defaults import resamples_needed
from calibcore.data.arrays import as_array, numbers_in, widened
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.times import DayOrder
from calibcore.data.weights import refuse_untested
from calibcore.diagnose.parts import settings_for
from calibcore.diagram.gap_sizes import NORMAL, Interval
from calibcore.errors import InputError
from calibcore.hypothesis_tests.result import ROUNDING, monte_carlo_pvalue
from calibcore.numerics.poisson_binomial import hits_distribution
from calibcore.numerics.progress import Progress, silent
from calibcore.numerics.resampling import drawn_counts, first_class_chances
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int
from calibcore.questions.compare.ask import check_lens
from calibcore.questions.compare.cases import one_row_each, same_cases
from calibcore.questions.decide.by_group import by_group
from calibcore.questions.decide.guarantee import RISK, Guarantee, guarantee_of, ruled_out
from calibcore.questions.decide.prevalence import AtPrevalence, at_prevalence, checked_prevalence
from calibcore.questions.decide.promise_at_prevalence import (
    GuaranteeAtPrevalence,
    guarantee_at_prevalence,
    ruled_out_at_prevalence,
)
from calibcore.questions.decide.result import Commonest, Decisions
from calibcore.questions.decide.sets import sets_of
from calibcore.questions.decide.thresholds import (
    ADDED,
    FEWEST,
    FEWEST_ON_A_SIDE,
    AtThreshold,
    Counted,
    OtherModel,
)
from calibcore.questions.groups.columns import column_of
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import Lens, SetLens
from calibcore.transforms.nulls import Identity
from calibcore.wording import listed

MOST_THRESHOLDS = 999
STREAM = "decisions"
RANGES = {
    "low": tuple(k / 200 for k in range(1, 41)),
    "middle": tuple(k / 100 for k in range(5, 51)),
    "high": tuple(k / 100 for k in range(50, 96)),
}
"""Thresholds to choose from before looking: of rare events, of others, of the model's own answers."""
FIRST = {"middle": 0.2, "high": 0.8, "low": 0.05}
"""The threshold of each range that is told first: no advice."""
_AT = 1e-12
"""How far below a threshold a sum of probabilities counts as on it: rounding does not decide."""

Masks = NDArray[np.bool_]


def default_thresholds(lens: Lens) -> tuple[float, ...]:
    """.05 to .50; .50 to .95 where the question is whether to act on the model's answer. A choice."""
    return RANGES["high" if lens.within.answers else "middle"]


def first_threshold(decisions: Decisions) -> AtThreshold:
    """The threshold that is told first: that of its range, of others the one in the middle. No advice."""
    grid = {*decisions.grid}
    for name, first in FIRST.items():
        if grid <= {*RANGES[name]}:
            return decisions.at(first)
    return decisions.thresholds[len(decisions.thresholds) // 2]


def decide(
    predictions: Predictions,
    spec: DiagnosisSpec | None = None,
    thresholds: Sequence[float] | None = None,
    progress: Progress | None = None,
    *,
    against: Predictions | None = None,
    by: str | None = None,
    target: float | None = None,
    risk: float = RISK,
    prevalence: float | None = None,
    groups: str | None = None,
    dates: DayOrder | None = None,
) -> Decisions:
    """What acting from each threshold on is worth: promised and achieved (Vickers & Elkin 2006).

    Through a lens of two classes, of which the first is what one acts for. All p-values and bands are of one
    set of redraws: only how many hits lie between neighbouring thresholds is drawn. Cost O(n log n) and
    O(B·thresholds): 0.2 s for 100,000 cases at 46 thresholds.

    Parameters
    ----------
    thresholds : above 0 and below 1, chosen beforehand; None: :func:`default_thresholds`
    against : another model's predictions of the same cases, to be compared at each threshold
    by : the column of metadata that says which rows of both are one case; see :func:`.same_cases`
    target, risk : a share of right answers, and the chance at most that fewer are: from which threshold on
        it is kept, exact for independent cases; see :func:`.guarantee_of`
    prevalence : how frequent the event is where one acts, if cases and controls were collected apart: what
        acting is worth there, besides, see :class:`.AtPrevalence`; a target is kept there, see
        :func:`.guarantee_at_prevalence`
    groups : a column of metadata: also a threshold in each of its groups, all of them together at that risk;
        see :func:`.by_group`
    dates : "day-first" or "month-first", where the dates of that column fit both

    Raises
    ------
    InputError : other than two classes through the lens; weighted or pooled cases; another null hypothesis;
        a threshold that is none; groups without a target; other cases of the other model, or a lens through
        which the two are not about the same outcome, such as the confidence; another prevalence of what is no
        event, or with groups.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import ClassLens, DiagnosisSpec, Predictions, decide
    >>> probs, labels = np.tile([[0.9, 0.1], [0.3, 0.7]], (60, 1)), np.tile([0, 1, 1, 1], 30)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> decisions = decide(p, DiagnosisSpec(lens=ClassLens("ill")), [0.2, 0.5])
    >>> [(t.treated.cases, round(t.net_benefit, 3), round(t.promised, 3)) for t in decisions.thresholds]
    [(120, 0.062, 0.5), (60, 0.0, 0.4)]
    >>> decisions.simultaneous_pvalue
    0.001
    """
    spec = settings_for("decide", predictions, spec)
    progress = progress or silent
    refuse_untested(predictions)
    if not isinstance(spec.null, Identity):
        raise InputError(
            f"The null hypothesis is '{spec.null.kind}'; what a model promises is tested against calibration."
        )
    spec = replace(spec, resamples=max(spec.resamples, resamples_needed(1, spec.alpha)))
    if prevalence is not None:
        _check_design(predictions, spec.lens, checked_prevalence(prevalence), groups)
    models = _both(predictions, against, by, spec)
    induced = [_two_classes(model, spec.lens) for model in models]
    grid = _checked(default_thresholds(spec.lens) if thresholds is None else thresholds)
    pvalue, critical, at_each = _at_thresholds(induced[0], grid, spec)
    progress(0.9, "thresholds")
    if len(induced) > 1:
        at_each = [
            replace(point, other=_beside(induced[0], induced[1], point.threshold)) for point in at_each
        ]
    if groups is not None and target is None:
        raise InputError("Groups are of a target; say which, such as 0.95.")
    promises = _promises(induced[0], spec.lens, target if prevalence is None else None, risk)
    promises_there = _promises_there(induced[0], prevalence, target, risk)
    in_groups = None
    if groups is not None and target is not None:
        chances, hits = induced[0].probs[:, 0], (induced[0].labels == 0).astype(np.int64)
        column = column_of(induced[0], groups, dates)
        in_groups = by_group(column, chances, hits, bool(spec.lens.within.answers), target, risk)
    sets = sets_of(models[0], spec.lens.level) if isinstance(spec.lens, SetLens) else None
    progress(1.0, "done")
    return Decisions(
        spec=spec,
        class_names=predictions.class_names,
        fingerprint=predictions.fingerprint,
        event=induced[0].class_names[0],
        simultaneous_pvalue=pvalue,
        critical=critical,
        thresholds=tuple(at_each),
        sets=sets,
        guarantee=promises[0],
        rule_out=promises[1],
        at_prevalence=None if prevalence is None else _at_prevalence(induced[0], grid, prevalence),
        guarantee_at_prevalence=promises_there[0],
        rule_out_at_prevalence=promises_there[1],
        by_group=in_groups,
        commonest=_commonest(models[0], spec.lens),
    )


def _commonest(predictions: Predictions, lens: Lens) -> Commonest | None:
    """The class that most of the cases have; None where one does not act on the model's own answer."""
    if not lens.within.shows_confidence or predictions.confidence_only:
        return None
    counts = np.bincount(predictions.labels[lens.rows(predictions)], minlength=predictions.m)
    return Commonest(predictions.class_names[int(counts.argmax())], int(counts.max()))


def _check_design(predictions: Predictions, lens: Lens, prevalence: float, groups: str | None) -> None:
    """Raises :class:`InputError` where another prevalence has no meaning."""
    if lens.within.answers:
        raise InputError(
            f"A prevalence of {prevalence:g} is of one class, and through this lens one acts on the model's "
            f"own {lens.within.answers}. Look through a class: --lens class:{predictions.class_names[0]}."
        )
    if groups is not None:
        raise InputError(
            "How frequent the event is in each group is not known: ask for groups or for the prevalence."
        )


def _at_prevalence(
    induced: Predictions, grid: Sequence[float], prevalence: float
) -> tuple[AtPrevalence, ...]:
    treated = [_treated(induced, t) for t in grid]
    return at_prevalence(treated, induced.labels == 0, grid, prevalence)


def _promises(
    induced: Predictions, lens: Lens, target: float | None, risk: float
) -> tuple[Guarantee | None, Guarantee | None]:
    """From where on one may act, and of one class up to where one need not, if a target is asked for."""
    if target is None:
        return None, None
    chances, hits = induced.probs[:, 0], (induced.labels == 0).astype(np.int64)
    acting = guarantee_of(chances, hits, target, risk)
    return acting, None if lens.within.answers else ruled_out(chances, hits, target, risk)


def _promises_there(
    induced: Predictions, prevalence: float | None, target: float | None, risk: float
) -> tuple[GuaranteeAtPrevalence | None, GuaranteeAtPrevalence | None]:
    """The same of one class where it has that prevalence."""
    if prevalence is None or target is None:
        return None, None
    chances, event = induced.probs[:, 0], induced.labels == 0
    return (
        guarantee_at_prevalence(chances, event, prevalence, target, risk),
        ruled_out_at_prevalence(chances, event, prevalence, target, risk),
    )


def _both(
    predictions: Predictions, against: Predictions | None, by: str | None, spec: DiagnosisSpec
) -> list[Predictions]:
    if against is None:
        return [spec.independent(predictions)]
    if spec.lens.within.answers:
        raise InputError(
            f"Through this lens each model is right or wrong in its own {spec.lens.within.answers}, in other "
            "cases than the other. Compare two models at a threshold through one class."
        )
    joined = same_cases({"this model": predictions, "the other model": against}, by)
    _, cases = one_row_each(joined, spec.unit, spec.seed)
    check_lens(cases, spec)
    return list(cases.models.values())


def _two_classes(predictions: Predictions, lens: Lens) -> Predictions:
    induced = lens(predictions)
    if not induced.rows_are_cases:
        raise InputError("Pairs of one case depend on each other: no decision is about them.")
    if induced.m != 2:
        raise InputError(
            f"A decision is about two outcomes, and through this lens there are {induced.m}. Look through "
            f"one of the classes, {listed(predictions.class_names, 5)}, or through the confidence."
        )
    if induced.n < 2:
        raise InputError("There is 1 case to look at; decisions need at least 2.")
    return induced


def _checked(thresholds: Sequence[float]) -> tuple[float, ...]:
    given = numbers_in(as_array(list(thresholds), "thresholds"))
    if given.ndim != 1 or given.dtype.kind not in "fiu":
        raise InputError(f"The thresholds are {shown(thresholds)}; expected a list of numbers.")
    grid = sorted(set(widened(given).tolist()))
    if not grid:
        raise InputError("There is no threshold; expected at least one.")
    for t in grid:
        if not 0 < t < 1:
            raise InputError(f"The threshold is {shown(t)}; expected a number above 0 and below 1.")
    if len(grid) > MOST_THRESHOLDS:
        raise InputError(f"There are {len(grid):,} thresholds; {MOST_THRESHOLDS} is the most.")
    return tuple(grid)


def _treated(induced: Predictions, threshold: float) -> Masks:
    """(n,) whether p ≥ t, p as it is given."""
    return np.asarray(induced.probs[:, 0] >= threshold - _AT)


def _at_thresholds(
    induced: Predictions, grid: Sequence[float], spec: DiagnosisSpec
) -> tuple[float, float, list[AtThreshold]]:
    """The p-value for all thresholds together, the critical deviation, and what is found at each."""
    chances, hits = first_class_chances(induced.probs), induced.labels == 0
    between = np.searchsorted(np.array(grid) - _AT, induced.probs[:, 0], side="right")
    parts = [np.flatnonzero(between == k) for k in range(len(grid) + 1)]
    counted = [_counted(chances[rows], hits[rows]) for rows in parts]
    redrawn_from = first_class_chances(induced.chances)
    drawn = _redrawn_hits([redrawn_from[rows] for rows in parts[1:]], spec)
    none = Counted(0, 0, 0.0, 0.0)
    treated = [sum(counted[k:], none) for k in range(1, len(parts))]
    untreated = [sum(counted[:k], none) for k in range(1, len(parts))]
    promised = np.array([side.promised for side in treated])
    off = np.abs(drawn - promised)  # (B, T)
    observed = np.abs(np.array([side.hits for side in treated]) - promised)
    scale = np.sqrt([side.variance for side in treated])
    most = int(spec.alpha * (spec.resamples + 1) * (1 + ROUNDING))
    allowed = np.sort(off, axis=0)[-most]
    pvalues = [monte_carlo_pvalue(observed[k], off[:, k]) for k in range(len(grid))]
    largest = _in_deviations(off, scale).max(axis=1)
    pvalue = monte_carlo_pvalue(float(_in_deviations(observed, scale).max()), largest)
    return pvalue, float(np.sort(largest)[-most]), [
        AtThreshold(t, treated[k], untreated[k], float(allowed[k]), pvalues[k], spec.resamples)
        for k, t in enumerate(grid)
    ]  # fmt: skip


def _counted(chances: Float, hits: Masks) -> Counted:
    return Counted(
        len(chances),
        int(np.count_nonzero(hits)),
        float(chances.sum()),
        float((chances * (1 - chances)).sum()),
    )


def _redrawn_hits(parts: Sequence[Float], spec: DiagnosisSpec) -> Int:
    """(B, T) hits at and above each threshold, of the exact laws between neighbouring thresholds."""
    laws = [np.cumsum(hits_distribution(chances)) if len(chances) else np.ones(1) for chances in parts]
    counts = drawn_counts(laws, spec.resamples, stream(spec.seed, STREAM))
    return np.asarray(np.cumsum(counts[:, ::-1], axis=1)[:, ::-1])


def _in_deviations(off: Float, scale: Float) -> Float:
    """In standard deviations; where nothing can vary, 0 if nothing is off and else infinite."""
    surely = np.where(off > ROUNDING * (1 + off), np.inf, 0.0)
    return np.asarray(np.where(scale > 0, off / np.where(scale > 0, scale, 1.0), surely))


def _beside(a: Predictions, b: Predictions, t: float) -> OtherModel:
    """Paired differences: only cases that one of the two alone treats count.

    The interval is that of :meth:`.Counted.interval`, with the four cases shared between those that A alone
    treats and those that B alone treats, where there are both (Agresti & Caffo 2000).
    """
    n, hit = a.n, a.labels == 0
    of_a, of_b = _treated(a, t), _treated(b, t)
    sign = of_a.astype(np.float64) - of_b
    d = sign * (hit - t) / (1 - t)
    other = (np.count_nonzero(hit & of_b) - t * np.count_nonzero(of_b)) / (n * (1 - t))
    difference, interval = float(d.mean()), None
    if n >= FEWEST and np.count_nonzero(sign) >= FEWEST_ON_A_SIDE:
        claimed = []
        for model in (a, b):
            p = first_class_chances(model.probs)
            promised = sign * (p - t) / (1 - t)
            claimed.append(float((sign**2 * p * (1 - p)).mean() / (1 - t) ** 2 + promised.var(ddof=1)))
        sides = np.unique(sign[sign != 0])
        d = np.append(d, np.outer(np.repeat(sides, ADDED // len(sides)), [1, -t / (1 - t)]))
        variance = max(float(d.var(ddof=1)) / len(d), min(claimed) / n)
        middle, half = float(d.mean()), NORMAL * math.sqrt(variance)
        interval = Interval(difference, middle - half, middle + half)
    return OtherModel(int(np.count_nonzero(of_b)), float(other), difference, interval)
