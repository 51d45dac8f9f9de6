"""recalibrate: what each way to recalibrate would do, and whether its map is itself off."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibcore.assessment.survey import survey
from calibcore.assessment.temperature_set import powers_of, temperature_set
from calibcore.assessment.verdict import judge
from calibcore.data.outside_text import no_column, shown
from calibcore.data.predictions import Predictions
from calibcore.data.units import rows_looked_at, units_of
from calibcore.data.weights import refuse_untested
from calibcore.diagnose.parts import in_usual_bins, reliability_for, settings_for, sizes_for, typical_gap_for
from calibcore.diagram.gap_sizes import Interval
from calibcore.diagram.reliability import Reliability
from calibcore.errors import InputError
from calibcore.estimators.scores import accuracy
from calibcore.hypothesis_tests.adjust import holm
from calibcore.numerics.progress import Progress, Report, silent, telling
from calibcore.numerics.streams import stream
from calibcore.numerics.tempering import LEAST, MOST
from calibcore.numerics.types import Float, Int
from calibcore.questions.given import enough_redraws
from calibcore.questions.recalibrate.class_mix import ClassMixTest, class_mix_test
from calibcore.questions.recalibrate.gain import (
    folds_of,
    gain,
    gain_test,
    possible,
    widened,
    wider,
    with_probabilities,
)
from calibcore.questions.recalibrate.maps import MAPS, RecalibrationMap
from calibcore.questions.recalibrate.maps.isotonic import FEW
from calibcore.questions.recalibrate.maps.map import cross_fitted
from calibcore.questions.recalibrate.result import Answer, Method, Recalibration, Split
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import TopKLens, order_decides
from calibcore.wording import count

FOLDS = 5
WORTH = 0.01
"""Share of the loss below which a gain is not worth it: a choice."""
FEWEST = 40
"""Cases that a split needs: 20 to fit, 20 to judge."""
NEVER_FAILED = (
    "this map says 100\N{NO-BREAK SPACE}% for what never failed here: the first other case refutes it"
)
NEVER_SEEN = "this map says 0\N{NO-BREAK SPACE}% for what was never seen here: the first such case refutes it"
_NEEDS_ALL = "needs the probabilities of all classes, and only the confidence is known"


def recalibrate(
    predictions: Predictions,
    methods: Sequence[str] | None = None,
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
    *,
    folds: int = FOLDS,
    split_by: str | None = None,
) -> Recalibration:
    """What recalibration would do: gains that are cross-fitted, with exact p-values.

    Maps are fitted to the predictions with all their classes; the typical gap and the split's verdict look
    through the lens of ``spec``. Cost: at 10,000 cases of ten classes some 20 s for all methods, 1 s for the
    temperature alone.

    Parameters
    ----------
    methods : kinds of :data:`.MAPS`; None: all that fit and do not take hours
    folds : each is mapped by what was fitted to the others
    split_by : a column of metadata with two values: the first fits, the other judges; None: random halves

    Raises
    ------
    InputError : another method, fewer than 2 folds or more than cases, weights, pooled pairs, no such column.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, recalibrate
    >>> probs, labels = np.tile([[0.97, 0.03], [0.1, 0.9]], (60, 1)), np.tile([0, 1, 1, 1, 0, 1], 20)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> recalibration = recalibrate(p, ["temperature"], folds=3)
    >>> round(recalibration.methods[0].map.temperature, 2), recalibration.methods[0].answer
    (2.15, 'worthwhile')
    """
    by_default = spec is None
    spec = settings_for("recalibrate", predictions, spec)
    refuse_untested(predictions)
    if by_default:
        spec = in_usual_bins(predictions, spec)
    if not predictions.rows_are_cases:
        raise InputError("Pooled pairs of one case depend on each other; recalibrate before pooling.")
    tell = progress or silent
    all_rows, predictions = predictions, spec.independent(predictions)
    n, m = predictions.n, predictions.m
    if not 2 <= folds <= n:
        raise InputError(f"The number of folds is {folds}; expected 2 to {n:,}, the number of cases.")
    chosen = list(MAPS) if methods is None else list(methods)
    for kind in chosen:
        if kind not in MAPS:
            raise InputError(f"There is no method {shown(kind)}; expected one of {', '.join(MAPS)}.")
    refused = {kind: why for kind in chosen if (why := MAPS[kind].why_not(n - n // folds, m))}
    if predictions.confidence_only:
        refused |= {kind: f"it {_NEEDS_ALL}" for kind in chosen if MAPS[kind].of_classes}
    if methods is None:
        refused |= {kind: why for kind in MAPS if (why := MAPS[kind].why_not_unasked(n, m))} | refused
    tried = [MAPS[kind] for kind in chosen if kind not in refused]
    tests = sum(method.redrawn for method in tried)
    redraws = enough_redraws(tests, spec, count(tests, "method"), "recalibration takes", "methods")
    spec = replace(spec, resamples=redraws)
    steps = len(tried) + 3
    parts = folds_of(n, folds, spec.seed)
    answered: list[Method] = []
    for place, method in enumerate(tried):
        report = telling(tell, method.label, place, steps)
        answered.append(_tried(all_rows, predictions, method, parts, spec, report))
    right = accuracy(predictions)
    answered = _answered(answered, spec.alpha, refutable(predictions.class_counts, right))
    tell(len(tried) / steps, "the temperature")
    temperature = temperature_set(predictions, alpha=spec.alpha, seed=spec.seed)
    tell((len(tried) + 1) / steps, "the class mix")
    mix, note = _class_mix(predictions, spec, telling(tell, "exchanging labels", len(tried) + 1, steps))
    tell((len(tried) + 2) / steps, "the split")
    answered.sort(key=lambda method: (method.answer != "worthwhile", -method.brier.cautious))
    kinds = [method.kind for method in answered]
    split = split_of(predictions, kinds, spec, split_by, folds=folds) if answered else None
    tell(1.0, "done")
    return Recalibration(
        spec=spec,
        n=n,
        class_names=predictions.class_names,
        fingerprint=all_rows.fingerprint,
        folds=folds,
        typical_gap=typical_gap_for(all_rows, spec.for_classes(spec.lens(predictions).m)),
        accuracy=right,
        confidence=_confidence(all_rows, replace(spec, lens=TopKLens(1))),
        methods=tuple(answered),
        refused=refused,
        temperature=temperature,
        class_mix=mix,
        class_mix_note=note,
        split=split,
        unseen=_unseen(predictions),
    )


def _tried(
    all_rows: Predictions,
    predictions: Predictions,
    method: type[RecalibrationMap],
    folds: Int,
    spec: DiagnosisSpec,
    report: Report,
) -> Method:
    g, y = predictions.probs, predictions.labels
    rows, every = np.arange(len(y)), folds
    if spec.unit is not None:  # gaps are of all rows, each mapped as the row of its unit that is looked at
        unit, names = units_of(all_rows, spec.unit)
        rows, of_unit = rows_looked_at(all_rows, spec.unit, spec.seed), np.empty(len(names), np.int64)
        of_unit[unit[rows]] = folds
        every = of_unit[unit]
    after = cross_fitted(method, all_rows.probs, all_rows.labels, every, rows)
    mapped = with_probabilities(all_rows, after, method.kind)
    after = after[rows]
    few, note = int(predictions.class_counts.min()), ""
    if method.kind == "isotonic" and few < FEW:
        note = f"too few cases: the rarest outcome has {few:,}, expected {FEW:,}"
    brier, log_loss = gain(g, after, y, False), gain(g, after, y, True) if method.has_log_loss else None
    fitted = method.fit(g, y)
    note = "; ".join(filter(None, (note, _certain(g, fitted(g)))))
    test = gain_test(predictions, method, folds, spec.resamples, spec.seed, report)
    times = widened(log_loss or brier, test, len(y))
    return Method(
        fitted,
        possible(wider(brier, times), False),
        None if log_loss is None else possible(wider(log_loss, times), True),
        test,
        None,
        typical_gap_for(mapped, spec.for_classes(spec.lens(mapped).m)),
        accuracy(mapped.with_rows(rows)),
        "cannot-tell",
        note,
    )


def refutable(class_counts: Int, accuracy: float) -> bool:
    """Whether these cases can show a map that calls one outcome certain to be wrong.

    Not so where one class alone happened, or where all answers were right, or all wrong.
    """
    return int((class_counts > 0).sum()) > 1 and 0 < accuracy < 1


def _unseen(predictions: Predictions) -> tuple[str, ...] | None:
    """Classes that never happened; right and wrong are none."""
    if predictions.confidence_only:
        return None
    counts = predictions.class_counts.tolist()
    names = tuple(name for name, n in zip(predictions.class_names, counts, strict=True) if n == 0)
    return names or None


def _certain(before: Float, after: Float) -> str:
    """What to know of a map that says 0 % or 100 % where the model does not."""
    if ((after == 1) & (before < 1)).any():
        return NEVER_FAILED
    return NEVER_SEEN if ((after == 0) & (before > 0)).any() else ""


def _answered(methods: Sequence[Method], alpha: float, refutable: bool) -> list[Method]:
    tested = [method.test for method in methods if method.test is not None]
    adjusted = iter(holm([test.pvalue for test in tested]).tolist())
    made = [replace(method, adjusted=None if method.test is None else next(adjusted)) for method in methods]
    return [replace(method, answer=_answer(method, alpha)) for method in made] if refutable else made


def _answer(method: Method, alpha: float) -> Answer:
    if method.gain.high < WORTH * method.gain.before:  # chance or not, it is too small to matter
        return "not-worthwhile"
    tested = method.adjusted is not None and method.adjusted <= alpha
    return "worthwhile" if tested and method.gain.value > 0 else "cannot-tell"


def _confidence(all_rows: Predictions, spec: DiagnosisSpec) -> Interval | None:
    """What the model said of its answers less how often they were right; None where ties may decide that."""
    if order_decides(spec.lens.ties(all_rows), all_rows.n):
        return None
    return sizes_for(all_rows, spec)[1][0].gap


def _class_mix(
    predictions: Predictions, spec: DiagnosisSpec, report: Report
) -> tuple[ClassMixTest | None, str]:
    if predictions.confidence_only:
        return None, f"That {_NEEDS_ALL}."
    try:
        test = class_mix_test(
            predictions, spec.kernel, n_resamples=spec.resamples, seed=spec.seed, report=report
        )
    except InputError as error:
        return None, str(error)
    return test, ""


def split_of(
    predictions: Predictions,
    kinds: Sequence[str],
    spec: DiagnosisSpec,
    by: str | None = None,
    *,
    folds: int = FOLDS,
    asked: str | None = None,
) -> Split | None:
    """One map fitted to one part of the cases and judged exactly on the other.

    The part that fits also chooses which of ``kinds``, by the Brier gain of each, cross-fitted within it:
    no label that judges has a say. ``asked`` is judged in its place where somebody looks at that one.
    ``by`` is a column of metadata with two values, the first of which fits; None: a random half.
    None where there are too few cases. Cost: K fits of every kind, and a survey of one lens.

    Raises
    ------
    InputError : no such column, or one with more or fewer values.
    """
    predictions = spec.independent(predictions)
    if predictions.n < FEWEST:
        return None
    first = _first_part(predictions, spec.seed, by)
    fitting, judging = (predictions.with_rows(np.flatnonzero(rows)) for rows in (first, ~first))
    chosen = _most_gained(fitting, kinds, min(folds, fitting.n), spec.seed)
    kind = asked or chosen
    if kind is None or MAPS[kind].why_not(fitting.n, predictions.m) or judging.n < 2:
        return None
    fitted = MAPS[kind].fit(fitting.probs, fitting.labels)
    judged = with_probabilities(judging, fitted(judging.probs))
    surveyed = survey(judged, spec, [spec.lens], binning_of_many=spec.binning)
    verdict = judge(judged, surveyed)[0]
    return Split(fitted, fitting.n, judging.n, by, verdict, chosen)


def _most_gained(predictions: Predictions, kinds: Sequence[str], folds: int, seed: int) -> str | None:
    """The kind of largest cross-fitted Brier gain, less about a standard error: every kind has that score.
    None where no fold leaves enough cases.

    In an order that no label made: of equal ones it takes the first.
    """
    if len(kinds) == 1:
        return kinds[0]
    g, y, n = predictions.probs, predictions.labels, predictions.n
    parts, cautious = folds_of(n, folds, seed), {}
    for kind, method in MAPS.items():
        if kind in kinds and not method.why_not(n - -(-n // folds), predictions.m):
            cautious[kind] = gain(g, cross_fitted(method, g, y, parts), y, False).cautious
    return max(cautious, key=lambda kind: cautious[kind], default=None)


def split_columns(predictions: Predictions) -> tuple[str, ...]:
    """Columns of metadata with two values, which may part the cases. Cost O(n log n) a column."""
    return tuple(name for name, column in predictions.metadata.items() if len(_values(column)) == 2)


def _values(column: NDArray[np.generic]) -> list[str]:
    """The different values as text, in the order in which they come."""
    return list(dict.fromkeys(column.astype(str).tolist()))


def _first_part(predictions: Predictions, seed: int, by: str | None) -> NDArray[np.bool_]:
    """(n,) which cases fit."""
    if by is None:
        rows = stream(seed, "split").permutation(predictions.n)
        first = np.zeros(predictions.n, np.bool_)
        first[rows[: predictions.n // 2]] = True
        return first
    if by not in predictions.metadata:
        raise InputError(no_column(by, predictions.metadata))
    kinds = _values(predictions.metadata[by])
    if len(kinds) != 2:
        raise InputError(
            f"The column {shown(by)} has {len(kinds):,} values; expected two, the first of which fits."
        )
    return np.asarray(predictions.metadata[by].astype(str) == kinds[0])


EXAMPLES = (0.1, 0.5, 0.9)
"""Where among the cases, from the least to the most confident, the examples stand."""
_POINTS = 81
_BEYOND = 1.6
"""How far the curve goes beyond the confidence set, as a factor."""


@dataclass(frozen=True)
class Example:
    """A case before and after; ``row`` from 0, ``label`` the class that happened."""

    row: int
    label: int
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Look:
    """A method in full.

    Attributes
    ----------
    spec : the lens of the diagrams: the confidence where the one in use has more than two classes
    before, after : diagrams of the model as it is and of its cross-fitted predictions, which have no bars
    recalibrated : the cross-fitted predictions, marked as such
    columns : those with two values, by which a person may part the cases
    examples : a case of low, of middle and of high confidence, chosen by predictions alone; by the map fitted
        to all cases
    """

    kind: str
    spec: DiagnosisSpec
    before: Reliability
    after: Reliability
    recalibrated: Predictions
    columns: tuple[str, ...]
    examples: tuple[Example, ...]


@dataclass(frozen=True, eq=False)
class TemperatureCurve:
    """Mean log loss (P,) at each temperature (P,), of the cases that the set of temperatures is of."""

    temperatures: Float
    log_loss: Float


def recalibrated(predictions: Predictions, kind: str, folds: int, seed: int) -> Predictions:
    """The cross-fitted predictions: each fold by the map that was fitted to the others. Never tested.

    A column of metadata marks them, so that they are known again wherever they go.
    """
    parts = folds_of(predictions.n, folds, seed)
    after = cross_fitted(MAPS[kind], predictions.probs, predictions.labels, parts)
    return with_probabilities(predictions, after, kind)


def look(predictions: Predictions, recalibration: Recalibration, kind: str) -> Look:
    """One of the methods that were tried, in full. Cost: K fits and two diagrams."""
    method = recalibration.method(kind)
    assert method is not None, "a method that was tried"
    spec = recalibration.spec
    predictions = spec.independent(predictions)
    if spec.lens(predictions).m > 2:
        spec = DiagnosisSpec(lens=TopKLens(1), seed=spec.seed, alpha=spec.alpha)
    after = recalibrated(predictions, kind, recalibration.folds, recalibration.spec.seed)
    return Look(
        kind,
        spec,
        reliability_for(predictions, spec),
        reliability_for(after, spec),
        after,
        split_columns(predictions),
        tuple(_examples(predictions, method.map)),
    )


def _examples(predictions: Predictions, fitted: RecalibrationMap) -> Sequence[Example]:
    alone = predictions.confidence_only  # which may be below one half, and is no largest of two
    confidence = predictions.probs[:, 0] if alone else predictions.probs.max(axis=1)
    order = np.argsort(confidence, kind="stable")
    rows = [int(order[round(share * (len(order) - 1))]) for share in EXAMPLES]
    before = predictions.probs[rows]
    return [
        Example(row, int(predictions.labels[row]), tuple(first), tuple(second))
        for row, first, second in zip(rows, before.tolist(), fitted(before).tolist(), strict=True)
    ]


def temperature_curve(predictions: Predictions, recalibration: Recalibration) -> TemperatureCurve:
    """The log loss around the confidence set of the temperature, of the cases that the set is of.

    Cost O(nm) for each of 81 temperatures.
    """
    powers, observed, n = powers_of(recalibration.spec.independent(predictions))
    of_set = recalibration.temperature
    low = max(LEAST, min(1.0, of_set.low, of_set.estimate) / _BEYOND)
    high = min(MOST, max(1.0, of_set.high, of_set.estimate) * _BEYOND)
    temperatures = np.geomspace(low, high, _POINTS)
    losses = [(powers.at(1 / t).value - observed / t) / n for t in temperatures.tolist()]
    return TemperatureCurve(temperatures, np.array(losses))
