"""Squared kernel calibration error (W19 §5, Table 1).

With residuals ``r_i = e_{y_i} − g_i`` and ``k = κ·I``:
``h_ij = κ(g_i, g_j)·⟨r_i, r_j⟩``.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators import Labels, Prepared, Progress, Redrawable, _tiles
from calibcore.kernels import ExponentialKernel, Kernel
from calibcore.predictions import Float, InputError, Predictions
from calibcore.weighted import refuse_weights

ESTIMATORS = ("biased", "unbiased", "linear", "block")
PRECISIONS = ("float64", "float32")


@dataclass(frozen=True)
class SKCE(Redrawable):
    """An estimator of the squared kernel calibration error (W19 Table 1).

    ========  ==============================================  ==================
    biased    ``n⁻² Σ_{i,j} h_ij``                            ≥ 0, O(n²m)
    unbiased  mean of ``h_ij`` over i < j                     may be < 0, O(n²m)
    linear    mean of ``h_{2i−1,2i}``, i = 1..⌊n/2⌋           may be < 0, O(nm);
              uses the order of the rows
    ========  ==============================================  ==================

    An unbiased estimate below 0 is shown as it is.
    """

    kernel: Kernel = ExponentialKernel()
    estimator: str = "unbiased"
    block_size: int = 2
    precision: str = "float64"

    def __post_init__(self) -> None:
        if self.estimator not in ESTIMATORS:
            raise InputError(
                f"There is no SKCE estimator {self.estimator!r}; expected one of {', '.join(ESTIMATORS)}."
            )

    def resolved(self, predictions: Predictions) -> "SKCE":
        """The same with a number as bandwidth."""
        return replace(self, kernel=self.kernel.resolved(predictions.probs)[0])

    def __call__(self, predictions: Predictions) -> float:
        """The estimate. Needs 2 cases, the biased one 1."""
        _needs_cases(predictions.n, 1 if self.estimator == "biased" else 2)
        kernel = self.kernel.resolved(predictions.probs)[0]
        if self.estimator == "linear":
            return float(linear_terms(predictions, kernel).mean())
        if self.estimator == "block":
            return float(block_terms(predictions, kernel, self.block_size).mean())
        return quadratic_estimates(predictions, kernel)[self.estimator]

    def prepared(self, predictions: Predictions) -> Prepared:
        """Kernel, ``κG`` and constants once; then (B, n) labels -> (B,).

        Expanded in the labels, ``⟨r_i, r_j⟩ = 1[y_i = y_j] − g_i,y_j − g_j,y_i + ⟨g_i, g_j⟩``,
        a redraw costs n²/2 additions, whatever the number of classes (O(n) if linear).
        Weighted predictions are refused.
        """
        refuse_weights(predictions)
        n, g = predictions.n, predictions.probs
        _needs_cases(n, 1 if self.estimator == "biased" else 2)
        kernel = self.kernel.resolved(g)[0]
        if self.estimator == "block":
            return Prepared(
                lambda labels, _p: np.array(
                    [
                        block_terms(
                            predictions.through(g, np.asarray(y, np.int64), predictions.class_names),
                            kernel,
                            self.block_size,
                        ).mean()
                        for y in labels
                    ]
                )
            )
        if self.estimator == "linear":
            return Prepared(lambda labels, _progress: _linear_redrawn(predictions, kernel, labels))
        kappa_g = _tiles.off_diagonal_product(kernel, g, g)
        constant = 0.5 * float(np.vdot(kappa_g, g))

        def evaluate(labels: Labels, progress: Progress | None) -> Float:
            agreements = _tiles.agreement_sums(kernel, g, labels, progress)
            pairs = agreements - _picked_sums(kappa_g, labels) + constant
            if self.estimator == "unbiased":
                return pairs / (n * (n - 1) / 2)
            squares = n + float(np.square(g).sum()) - 2 * _picked_sums(g, labels)
            return (2 * pairs + kernel.upper_bound * squares) / n**2

        return Prepared(evaluate)


def _needs_cases(n: int, least: int) -> None:
    if n < least:
        raise InputError(f"There is {n} case; the kernel calibration error needs at least {least}.")


def _picked_sums(values: Float, labels: NDArray[np.integer]) -> Float:
    """(n, m) values, (B, n) labels -> (B,) ``Σ_i values[i, labels[b, i]]``."""
    rows = np.arange(len(values))
    return np.array([values[rows, y].sum() for y in labels])


def quadratic_estimates(
    predictions: Predictions, kernel: Kernel, progress: Progress | None = None, precision: str = "float64"
) -> dict[str, float]:
    """``{"biased", "unbiased"}`` in one pass; ``kernel`` with a number as bandwidth.

    Weighted: ``Σ_{i,j} w_i w_j h_ij / (Σ w_i)²``, and the same over ``i ≠ j`` divided by ``Σ_{i≠j} w_i w_j``.
    """
    n, w = predictions.n, predictions.weights
    residuals = predictions.onehot() - predictions.probs
    weight, pair_weight = float(n), n * (n - 1) / 2
    if w is not None:
        residuals *= w[:, None]
        weight, pair_weight = float(w.sum()), float(w[1:] @ np.cumsum(w[:-1]))
    pairs = _tiles.pair_sum(kernel, predictions.probs, residuals, progress)
    squares = kernel.upper_bound * float(np.square(residuals).sum())
    unbiased = pairs / pair_weight if n > 1 else np.nan
    return {"biased": (2 * pairs + squares) / weight**2, "unbiased": unbiased}


def linear_terms(predictions: Predictions, kernel: Kernel) -> Float:
    """(⌊n/2⌋,) ``h_{2i−1,2i}``; an odd last case is left out. Cost O(nm).

    Weighted predictions are refused: a pair has no weight of its own.
    """
    refuse_weights(predictions)
    g = predictions.probs
    residuals = predictions.onehot() - g
    last = predictions.n - predictions.n % 2
    kappa = kernel.paired(g[0:last:2], g[1:last:2])
    return np.asarray(kappa * np.einsum("ij,ij->i", residuals[0:last:2], residuals[1:last:2]))


def _linear_redrawn(predictions: Predictions, kernel: Kernel, labels: NDArray[np.integer]) -> Float:
    g = predictions.probs
    last = predictions.n - predictions.n % 2
    p, q = g[0:last:2], g[1:last:2]
    rows = np.arange(len(p))
    kappa = kernel.paired(p, q)
    products = np.einsum("ij,ij->i", p, q)
    out = np.empty(len(labels))
    for b, y in enumerate(labels):
        a, c = y[0:last:2], y[1:last:2]
        out[b] = (kappa * ((a == c) - p[rows, c] - q[rows, a] + products)).mean()
    return out


def block_terms(predictions: Predictions, kernel: Kernel, size: int) -> Float:
    _needs_cases(predictions.n, size)
    out = []
    for b in range(predictions.n // size):
        rows = np.arange(b * size, (b + 1) * size)
        out.append(quadratic_estimates(predictions.with_rows(rows), kernel)["unbiased"])
    return np.array(out)


def check_precision(precision: str) -> None:
    if precision not in PRECISIONS:
        raise InputError(f"There is no precision {precision!r}; expected one of {', '.join(PRECISIONS)}.")
