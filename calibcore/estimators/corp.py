"""CORP: isotonic recalibration, and a score split by it (Dimitriadis, Gneiting & Jordan 2021)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.optimize import isotonic_regression

from calibcore.data.predictions import Predictions
from calibcore.diagram.bins import Cells
from calibcore.diagram.two_classes import first_component, tied
from calibcore.estimators import Estimator, Prepared, Progress
from calibcore.estimators.scores import log_losses, squared_errors
from calibcore.numerics.types import Float, Int, Labels

SCORES: dict[str, Callable[[Predictions], Float]] = {"brier": squared_errors, "log-loss": log_losses}


@dataclass(frozen=True)
class CORPDecomposition:
    """``score = miscalibration − discrimination + uncertainty``, all ≥ 0 where rows sum to 1 exactly.

    score : mean score of the predictions
    miscalibration : what isotonic recalibration gains; biased upwards, as it is fitted to the same outcomes
    discrimination : what the recalibrated predictions gain over the frequency of the first class
    uncertainty : score of that frequency
    """

    score: float
    miscalibration: float
    discrimination: float
    uncertainty: float


def corp_decomposition(predictions: Predictions, score: str = "brier") -> CORPDecomposition:
    """CORP decomposition of the Brier score (summed over both classes) or the log loss.

    It adds up exactly. The recalibrated log loss is always finite: where the curve
    is 0 or 1 every outcome agrees with it. The score itself is that of
    :mod:`calibcore.estimators.scores`: an outcome that was given probability 0
    costs 744.4 nats, and miscalibration holds what of it recalibration saves.
    Cost O(n log n).
    """
    per_case = SCORES[score]
    x = first_component(predictions, "The CORP decomposition")
    _, index, counts = tied(x)
    hits = predictions.labels == 0
    recalibrated = _isotonic(np.bincount(index, hits) / counts, counts)[index]
    total = float(per_case(predictions).mean())
    after = float(per_case(_with_forecasts(predictions, recalibrated)).mean())
    base = float(per_case(_with_forecasts(predictions, np.full(len(x), hits.mean()))).mean())
    return CORPDecomposition(total, total - after, base - after, base)


@dataclass(frozen=True)
class CORPMiscalibration(Estimator):
    """The miscalibration part of the CORP decomposition of the Brier score; read it beside its level.

    Two classes. A number ≥ 0. Cost O(n log n).
    """

    two_classes_only: ClassVar[bool] = True

    def prepared(self, predictions: Predictions) -> Prepared:
        """Distinct predictions once; then (B, n) labels -> (B,), O(n) a redraw."""
        x = first_component(predictions, "The CORP decomposition")
        _, index, counts = tied(x)
        cells = Cells(index, counts)
        # What each case's score is if its class happens: (n, 2), then summed over the cases of a value.
        per_class = np.column_stack(
            [squared_errors(_as_two(predictions.probs, np.full(len(x), k))) for k in range(2)]
        )
        base, extra = per_class[:, 1].sum(), per_class[:, 0] - per_class[:, 1]

        def evaluate(labels: Labels, _progress: Progress | None) -> Float:
            out = np.empty(len(labels))
            for b, y in enumerate(labels):
                hits = y == 0
                hit_counts = cells.sums(hits)
                fitted = _isotonic(hit_counts / counts, counts)
                misses = counts - hit_counts
                after = float(2 * (hit_counts @ np.square(1 - fitted) + misses @ np.square(fitted)))
                out[b] = (base + extra[hits].sum() - after) / len(x)
            return out

        return Prepared(evaluate)


def _with_forecasts(predictions: Predictions, p: Float) -> Predictions:
    """The same cases with other probabilities of the first class."""
    return _as_two(np.column_stack([p, 1 - p]), predictions.labels)


def _as_two(probs: Float, labels: Int) -> Predictions:
    """Predictions for the scores alone, of pooled pairs too."""
    return Predictions(probs, labels, ("hit", "miss"))


def _isotonic(observed: Float, counts: Int) -> Float:
    fitted = isotonic_regression(observed, weights=counts).x
    return np.clip(fitted, 0.0, 1.0)
