"""Exact Monte Carlo: labels redrawn from the fixed predictions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.estimators import Estimator, Progress
from calibcore.hypothesis_tests.result import TestResult, monte_carlo_pvalue
from calibcore.predictions import Float, InputError, Predictions
from calibcore.resampling import redrawn_labels

_BATCH_BYTES = 64_000_000


def redrawn_statistics(
    estimators: Sequence[Estimator],
    predictions: Predictions,
    n_resamples: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> tuple[Float, Float]:
    """(L,) observed and (L, B) redrawn statistics of L estimators on the same redraws.

    Labels are redrawn from the fixed predictions; observed and redrawn labels go
    through the same code.
    """
    if n_resamples < 1:
        raise InputError(f"The number of redraws is {n_resamples}; expected 1 or more.")
    prepared = [e.prepared(predictions) for e in estimators]
    blocks = redrawn_labels(predictions, n_resamples, rng)
    columns: list[Float] = []
    batch = [predictions.labels[None].astype(np.int16 if predictions.m > 127 else np.int8)]
    done = 0

    def evaluate() -> None:
        nonlocal done
        labels = np.concatenate(batch)

        def inner(fraction: float) -> None:
            if progress is not None:
                progress((done + fraction * len(labels)) / (n_resamples + 1))

        columns.append(np.stack([evaluate_one(labels, inner) for evaluate_one in prepared]))
        done += len(labels)
        inner(0.0)
        batch.clear()

    for block in blocks:
        batch.append(block)
        if sum(part.nbytes for part in batch) >= _BATCH_BYTES:
            evaluate()
    if batch:
        evaluate()
    statistics = np.concatenate(columns, axis=1)
    return statistics[:, 0], statistics[:, 1:]


@dataclass(frozen=True)
class ExactTest:
    """Exact Monte Carlo: labels redrawn from the *fixed* predictions, any estimator.

    Level α at any n if rows are independent and no label was used to train,
    recalibrate, or choose lens, bins or bandwidth. Cost: B redraws of the estimator.
    """

    __test__ = False

    estimator: Estimator
    n_resamples: int = 999

    def __call__(
        self, predictions: Predictions, rng: np.random.Generator, progress: Progress | None = None
    ) -> TestResult:
        """Promise "exact". Raises :class:`InputError` if ``n_resamples`` is below 1."""
        observed, null = redrawn_statistics([self.estimator], predictions, self.n_resamples, rng, progress)
        statistic = float(observed[0])
        pvalue = monte_carlo_pvalue(statistic, null[0])
        return TestResult(statistic, pvalue, "exact Monte Carlo", "exact", null[0], self.n_resamples)
