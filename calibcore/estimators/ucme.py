"""Calibration errors at test locations (unnormalised calibration mean embedding)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibcore.data.arrays import as_array
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.errors import InputError
from calibcore.estimators import Estimator, Prepared, Progress
from calibcore.kernels import SAME, ExponentialKernel, Kernel
from calibcore.kernels.bandwidths import deciding_columns
from calibcore.numerics.resampling import draw_labels
from calibcore.numerics.types import Float, Int, Labels


@dataclass(frozen=True)
class UCME(Estimator):
    r"""Unnormalised calibration mean embedding at J locations (t_j, c_j).

    $$\frac{1}{J} \sum_j \Big[ \frac{1}{n} \sum_i \kappa(g_i, t_j)\, (M(e_{y_i} - g_i))_{c_j} \Big]^2$$

    The estimator of that name in CalibrationErrors.jl (Widmann et al. 2021, after the mean
    embedding test of Chwialkowski et al. 2015). The locations are fixed before labels are
    seen: t_j are predictions of random cases, all different (fewer than J if there are not so
    many), and c_j is drawn from t_j; or both are given. Biased upwards, ≥ 0.

    Attributes
    ----------
    n_locations, seed : of the locations that are drawn from the predictions
    locations, location_classes : (J, m) and (J,) classes from 0, given instead; J is then ``n_locations``

    Examples
    --------
    >>> from calibcore import UCME, Predictions
    >>> p = Predictions.from_arrays([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], ["a", "b", "b"])
    >>> round(UCME(n_locations=2)(p), 3)
    0.056
    """

    kernel: Kernel = ExponentialKernel()
    n_locations: int = 10
    seed: int = 0
    locations: tuple[tuple[float, ...], ...] | None = None
    location_classes: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if (self.locations is None) != (self.location_classes is None):
            raise InputError("Test locations need their classes, and classes their locations; give both.")
        if self.locations is not None and self.location_classes is not None:
            object.__setattr__(self, "locations", _rows_of_numbers(self.locations))
            object.__setattr__(self, "location_classes", _classes(self.location_classes))
            object.__setattr__(self, "n_locations", len(self.locations))
            if len(self.location_classes) != len(self.locations):
                raise InputError(
                    f"There are {len(self.locations)} test locations and {len(self.location_classes)} "
                    "classes of them; expected the same number of both."
                )
        if self.n_locations < 1:
            raise InputError(f"The number of test locations is {self.n_locations}; expected 1 or more.")
        if self.seed < 0:
            raise InputError(f"The seed is {self.seed}; expected a whole number from 0 up.")

    def prepared(self, predictions: Predictions) -> Prepared:
        """Locations, κ and expectations once; then (B, n) labels -> (B,), O(nJ) each."""
        kappa, weights, expected = self._parts(predictions)

        def evaluate(labels: Labels, progress: Progress | None) -> Float:
            out = np.empty(len(labels))
            for b, y in enumerate(labels):
                observed = np.einsum("ij,ij->j", kappa, weights[y])
                out[b] = np.square((observed - expected) / predictions.n).mean()
                if progress is not None:
                    progress((b + 1) / len(labels))
            return out

        J = kappa.shape[1]
        return Prepared(evaluate, {"locations": J}, cost=2 * J)

    def deviations(self, predictions: Predictions) -> Float:
        """(n, J) ``κ(g_i, t_j)·(M(e_{y_i} − g_i))_{c_j}``, each of mean 0 under calibration. Cost O(nJm)."""
        refuse_weights(predictions)
        kappa, weights, _ = self._parts(predictions)
        return np.asarray(kappa * (weights[predictions.labels] - predictions.probs @ weights))

    def test_locations(self, predictions: Predictions) -> tuple[Float, Int]:
        """(J, m) t_j and (J,) c_j; predictions alone decide."""
        g, m = predictions.probs, predictions.m
        if self.locations is not None and self.location_classes is not None:
            t, c = np.array(self.locations), np.array(self.location_classes)
            if t.shape[1] != m or c.max() >= m:
                raise InputError(
                    f"The test locations have {t.shape[1]} probabilities and classes up to {c.max()}; the "
                    f"predictions have {m} classes, from 0 to {m - 1}."
                )
            return t, c
        # Sorted, so that the order of the rows does not matter.
        rounded = np.rint(deciding_columns(g) / SAME).astype(np.int64)
        _, first, counts = np.unique(rounded, axis=0, return_index=True, return_counts=True)
        rng = np.random.default_rng(self.seed)
        chosen = rng.choice(len(first), min(self.n_locations, len(first)), replace=False, p=counts / len(g))
        t = g[first[chosen]]
        return t, draw_labels(t, rng)

    def _parts(self, predictions: Predictions) -> tuple[Float, Float, Float]:
        """(n, J) κ(g_i, t_j), (m, J) columns c_j of M, and (J,) ``Σ_i κ(g_i, t_j)(M g_i)_{c_j}``."""
        g = predictions.probs
        kernel = self.kernel.resolved(g)[0]
        t, c = self.test_locations(predictions)
        M = kernel.matrix_array(predictions.m)
        kappa = kernel.matrix(g, t)
        weights = (np.eye(predictions.m) if M is None else M)[:, c]
        return kappa, weights, np.einsum("ij,ij->j", kappa, g @ weights)


def _rows_of_numbers(locations: Sequence[Any]) -> tuple[tuple[float, ...], ...]:
    try:
        values = as_array(locations, "test locations").astype(np.float64)
    except (InputError, TypeError, ValueError):
        values = np.empty(0)
    if values.size == 0 and np.ndim(values) == 1 and len(locations) == 0:
        raise InputError("The number of test locations is 0; expected 1 or more.")
    if values.ndim != 2 or not values.size or not np.isfinite(values).all():
        raise InputError(
            f"The test locations are {locations!r:.60}; expected rows of finite numbers, one a class."
        )
    return tuple(tuple(row) for row in values.tolist())


def _classes(labels: Sequence[Any]) -> tuple[int, ...]:
    classes = as_array(labels, "classes of the test locations")
    if classes.ndim != 1 or classes.dtype.kind not in "iu" or (classes < 0).any():
        raise InputError(
            f"The classes of the test locations are {labels!r:.60}; expected integers from 0 up."
        )
    return tuple(classes.tolist())
