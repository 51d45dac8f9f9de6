"""Squared kernel calibration error (W19 §5, Table 1).

With residuals ``r_i = e_{y_i} − g_i`` and ``k = κ·M``:
``h_ij = κ(g_i, g_j)·⟨r_i, M r_j⟩``.
"""

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_weights
from calibcore.errors import InputError
from calibcore.estimators import Estimator, Prepared, Progress, _redraws, _tiles
from calibcore.kernels import ExponentialKernel, Kernel
from calibcore.numerics.types import Float, Labels

Name = Literal["biased", "unbiased", "linear", "block"]
ESTIMATORS: tuple[Name, ...] = get_args(Name)
PRECISIONS = _tiles.PRECISIONS
_NUMBERS = 1 << 18
"""Predictions times classes that blocks are taken from at a time."""


@dataclass(frozen=True)
class SKCE(Estimator):
    r"""An estimator of the squared kernel calibration error (W19 Table 1).

    $$h_{ij} = (e_{y_i} - g_i)^\top k(g_i, g_j)\, (e_{y_j} - g_j), \qquad k = \kappa \cdot M$$

    ========  ==============================================  ==================
    biased    ``n⁻² Σ_{i,j} h_ij``                            ≥ 0, O(n²m)
    unbiased  mean of ``h_ij`` over i < j                     may be < 0, O(n²m)
    linear    mean of ``h_{2i−1,2i}``, i = 1..⌊n/2⌋           may be < 0, O(nm);
              uses the order of the rows
    block     mean over ⌊n/s⌋ consecutive blocks of s of      may be < 0, O(nsm);
              the unbiased estimate of each; s = 2 is linear  uses the order of the rows
    ========  ==============================================  ==================

    An unbiased estimate below 0 is shown as it is. On a 2-class lens with the exponential
    kernel the quadratic ones are O(n log n).

    Attributes
    ----------
    block_size : s, of the block estimator only
    precision : "float32" saves time in the quadratic ones, within 1e-3 standard deviations that they
        have under calibration; where predictions repeat, redraws take "float64" all the same, as equal
        numbers are rounded alike and their errors add up

    >>> from calibcore import SKCE, GaussianKernel, Predictions
    >>> p = Predictions.from_arrays([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], ["a", "b", "b"])
    >>> round(SKCE(GaussianKernel(0.5), estimator="biased")(p), 3)
    0.166
    """

    kernel: Kernel = ExponentialKernel()
    estimator: Name = "unbiased"
    block_size: int = 2
    precision: str = "float64"

    def __post_init__(self) -> None:
        if self.estimator not in ESTIMATORS:
            raise InputError(
                f"There is no SKCE estimator {shown(self.estimator)}; "
                f"expected one of {', '.join(ESTIMATORS)}."
            )
        if self.block_size < 2:
            raise InputError(f"The block size is {self.block_size}; expected 2 or more.")
        check_precision(self.precision)

    def resolved(self, predictions: Predictions) -> "SKCE":
        """The same with a number as bandwidth."""
        return replace(self, kernel=self.kernel.resolved(predictions.probs)[0])

    @property
    def least(self) -> int:
        """The fewest cases it can be computed from."""
        return {"biased": 1, "block": self.block_size}.get(self.estimator, 2)

    def __call__(self, predictions: Predictions) -> float:
        """The estimate. Needs 2 cases, the biased one 1, the block estimator one block."""
        _needs_cases(predictions.n, self.least)
        kernel = self.kernel.resolved(predictions.probs)[0]
        if self.estimator in ("linear", "block"):
            return float(block_terms(predictions, kernel, self.least).mean())
        return quadratic_estimates(predictions, kernel, precision=self.precision)[self.estimator]

    def prepared(self, predictions: Predictions) -> Prepared:
        """Kernel, ``κG`` and constants once; then (B, n) labels -> (B,).

        A redraw costs n²/2 additions, whatever the number of classes (as many look-ups if M is not
        diagonal); above 20,000 cases n·400 additions with κ of rank 400, the details naming ``rank``
        and ``trace_left``; O(n) on a 2-class lens with the exponential kernel; O(ns) in blocks of s.
        Weighted predictions are refused.
        """
        refuse_weights(predictions)
        _needs_cases(predictions.n, self.least)
        kernel = self.kernel.resolved(predictions.probs)[0]
        if self.estimator in ("linear", "block"):
            return _redraws.in_blocks(predictions.probs, kernel, self.least)
        precision = "float64" if _repeated(predictions.probs) else self.precision
        return _redraws.quadratic(predictions.probs, kernel, self.estimator == "biased", precision)


def _repeated(probs: Float) -> bool:
    """Whether more than one prediction in a hundred stands there twice."""
    rows = np.ascontiguousarray(probs).view(np.dtype((np.void, probs.dtype.itemsize * probs.shape[1])))
    return len(np.unique(rows)) < 0.99 * len(probs)


def check_precision(precision: str) -> None:
    """Raises :class:`InputError` for an unknown precision."""
    if precision not in PRECISIONS:
        raise InputError(
            f"There is no precision {shown(precision)}; expected one of {', '.join(PRECISIONS)}."
        )


def _needs_cases(n: int, least: int) -> None:
    if n < least:
        number = "There is 1 case" if n == 1 else f"There are {n} cases"
        raise InputError(f"{number}; this kernel calibration error needs at least {least}.")


def residuals(predictions: Predictions, kernel: Kernel) -> Float:
    """(n, rank of M) ``Lᵀ(e_{y_i} − g_i)`` with M = LLᵀ, so that ``h_ij = κ_ij·⟨r_i, r_j⟩``."""
    return _residuals(predictions.probs, predictions.labels, kernel.factor(predictions.m))


def _residuals(g: Float, labels: Labels, factor: Float | None) -> Float:
    r = -g
    r[np.arange(len(g)), labels] += 1.0
    return np.asarray(r if factor is None else r @ factor)


def quadratic_estimates(
    predictions: Predictions, kernel: Kernel, progress: Progress | None = None, precision: str = "float64"
) -> dict[str, float]:
    """``{"biased", "unbiased"}`` in one pass; ``kernel`` with a number as bandwidth.

    Weighted: ``Σ_{i,j} w_i w_j h_ij / (Σ w_i)²``, and the same over ``i ≠ j`` divided by ``Σ_{i≠j} w_i w_j``.
    """
    n, w = predictions.n, predictions.weights
    r = residuals(predictions, kernel)
    weight, pair_weight = float(n), n * (n - 1) / 2
    if w is not None:
        r = r * w[:, None]
        weight, pair_weight = float(w.sum()), float(w[1:] @ np.cumsum(w[:-1]))
    pairs = _tiles.pair_sum(kernel, predictions.probs, r, progress, precision)
    return {
        "biased": (2 * pairs + float(np.square(r).sum())) / weight**2,  # κ(g, g) = 1
        "unbiased": pairs / pair_weight if n > 1 else np.nan,
    }


def block_terms(predictions: Predictions, kernel: Kernel, block_size: int) -> Float:
    """(⌊n/s⌋,) unbiased estimates of consecutive blocks of s; the last n mod s cases are left out.

    Cost O(nsm) time; memory for some blocks at a time. Weighted predictions are refused: a pair has no weight
    of its own.
    """
    refuse_weights(predictions)
    _needs_cases(predictions.n, block_size)
    last = predictions.n - predictions.n % block_size
    sums, factor = np.zeros(last // block_size), kernel.factor(predictions.m)
    step = max(1, _NUMBERS // (block_size * predictions.m)) * block_size
    for start in range(0, last, step):
        rows = slice(start, min(start + step, last))
        g, into = predictions.probs[rows], sums[start // block_size : rows.stop // block_size]
        r = _residuals(g, predictions.labels[rows], factor)
        for lag in range(1, block_size):
            left = _redraws.within_blocks(len(g), block_size, lag)
            h = kernel.paired(g[left], g[left + lag]) * np.einsum("ij,ij->i", r[left], r[left + lag])
            into += h.reshape(len(into), block_size - lag).sum(axis=1)
    return np.asarray(sums / (block_size * (block_size - 1) / 2))
