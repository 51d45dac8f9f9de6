"""Predictions that tests make up, calibrated or not."""

from collections.abc import Sequence

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators import Estimator
from calibcore.numerics.types import Float
from calibcore.transforms.nulls import Identity, Null
from calibcore.transforms.redraws import redrawn_labels


def problem(n: int, m: int, seed: int, alpha: float = 0.5) -> Predictions:
    """Predictions from Dir(alpha), and labels that do not heed them."""
    rng = np.random.default_rng(seed)
    return Predictions.from_arrays(rng.dirichlet(np.full(m, alpha), size=n), rng.integers(m, size=n))


def almost_normalised(n: int, m: int, seed: int) -> Predictions:
    """Rows that sum to 1 within 1e-5 only, as from single precision."""
    p = problem(n, m, seed)
    factors = 1 + np.random.default_rng(seed + 1).uniform(-9e-6, 9e-6, size=(n, 1))
    return Predictions.from_arrays(p.probs * factors, p.labels)


def binary(x, hits) -> Predictions:
    """(n,) probabilities of the first of two classes, and whether it happened."""
    x = np.asarray(x, float)
    return Predictions.from_arrays(np.column_stack([x, 1 - x]), 1 - np.asarray(hits, int))


def redrawn_statistics(
    estimators: Sequence[Estimator], p: Predictions, n: int, rng: np.random.Generator, null: Null = Identity()
) -> tuple[Float, Float]:
    """(L,) observed and (L, n) redrawn statistics of L estimators on the same redraws."""
    labels = np.concatenate([p.labels[None].astype(np.int8), *redrawn_labels(p, n, rng, null)])
    statistics = np.stack([one.prepared(p)(labels, None) for one in estimators])
    return statistics[:, 0], statistics[:, 1:]
