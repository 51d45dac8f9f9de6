"""One method in full: its cross-fitted predictions, diagrams before and after, what it does to some cases."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.units import one_row_a_unit
from calibcore.diagnose.parts import reliability_for
from calibcore.diagram.reliability import Reliability
from calibcore.numerics.tempering import LEAST, MOST, Powers
from calibcore.numerics.types import Float
from calibcore.questions.recalibrate.gain import folds_of, with_probabilities
from calibcore.questions.recalibrate.maps import MAPS, RecalibrationMap
from calibcore.questions.recalibrate.maps.map import cross_fitted
from calibcore.questions.recalibrate.result import Recalibration
from calibcore.questions.recalibrate.run import split_columns
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.lenses import TopKLens

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
    """Mean log loss (P,) of all cases at each temperature (P,)."""

    temperatures: Float
    log_loss: Float


def recalibrated(predictions: Predictions, kind: str, folds: int, seed: int) -> Predictions:
    """The cross-fitted predictions: each fold by the map that was fitted to the others. Never tested.

    A column of metadata marks them, so that they are known again wherever they go.
    """
    parts = folds_of(predictions.n, folds, seed)
    after = cross_fitted(MAPS[kind], predictions.probs, predictions.labels, parts)
    return with_probabilities(predictions, after, kind)


def look(predictions: Predictions, found: Recalibration, kind: str) -> Look:
    """One of the methods that were tried, in full. Cost: K fits and two diagrams."""
    method = found.method(kind)
    assert method is not None, "a method that was tried"
    spec = found.spec
    predictions = one_row_a_unit(predictions, spec.unit, spec.seed)
    if spec.lens(predictions).m > 2:
        spec = DiagnosisSpec(lens=TopKLens(1), seed=spec.seed, alpha=spec.alpha)
    after = recalibrated(predictions, kind, found.folds, found.spec.seed)
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
    confidence = predictions.probs.max(axis=1)
    order = np.argsort(confidence, kind="stable")
    rows = [int(order[round(share * (len(order) - 1))]) for share in EXAMPLES]
    before = predictions.probs[rows]
    return [
        Example(row, int(predictions.labels[row]), tuple(first), tuple(second))
        for row, first, second in zip(rows, before.tolist(), fitted(before).tolist(), strict=True)
    ]


def temperature_curve(predictions: Predictions, found: Recalibration) -> TemperatureCurve:
    """The log loss around the confidence set of the temperature. Cost O(nm) for each of 81 temperatures."""
    predictions = one_row_a_unit(predictions, found.spec.unit, found.spec.seed)
    g, y = predictions.probs, predictions.labels
    powers = Powers.of(g)
    of_set = found.temperature
    low = max(LEAST, min(1.0, of_set.low, of_set.estimate) / _BEYOND)
    high = min(MOST, max(1.0, of_set.high, of_set.estimate) * _BEYOND)
    temperatures = np.geomspace(low, high, _POINTS)
    observed = powers.happened(y)
    losses = [(powers.at(1 / t).value - observed / t) / predictions.n for t in temperatures.tolist()]
    return TemperatureCurve(temperatures, np.array(losses))
