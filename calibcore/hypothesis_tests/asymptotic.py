"""Approximations for large n: normal, and the bootstrap of the degenerate limit."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from calibcore.estimators import Progress, _tiles
from calibcore.estimators.skce import SKCE, linear_terms
from calibcore.hypothesis_tests.conditions import needs_independent_rows
from calibcore.hypothesis_tests.result import ROUNDING, TestResult, monte_carlo_pvalue
from calibcore.predictions import InputError, Predictions

_COUNTS_BYTES = 256_000_000


@dataclass(frozen=True)
class AsymptoticBlockSKCETest:
    """``1 − Φ(√⌊n/2⌋·t/σ̂)`` for blocks of two, the linear estimator (W19 Lemma 3). Cost O(nm).

    σ̂ is the blocks' standard deviation with ⌊n/2⌋ − 1 (CalibrationTests.jl divides by ⌊n/2⌋).

    If all terms are equal: p = 1 for t ≤ 0, otherwise not defined (NaN).
    """

    __test__ = False

    estimator: SKCE = SKCE(estimator="linear")

    def __call__(self, predictions: Predictions, rng: np.random.Generator | None = None) -> TestResult:
        """Promise "asymptotic"; draws nothing. Needs 4 cases, neither pooled nor weighted."""
        needs_independent_rows(predictions, "asymptotic linear")
        if predictions.n < 4:
            raise InputError(f"There are {predictions.n} cases; the asymptotic linear test needs at least 4.")
        kernel = self.estimator.kernel.resolved(predictions.probs)[0]
        terms = linear_terms(predictions, kernel)
        statistic = float(terms.mean())
        # The floating deviation of equal terms can be above 0.
        if np.ptp(terms) > ROUNDING * np.abs(terms).max():
            sigma = float(terms.std(ddof=1))
            pvalue = float(norm.sf(np.sqrt(len(terms)) * statistic / sigma))
        else:
            pvalue = 1.0 if statistic <= 0 else float("nan")
        return TestResult(statistic, pvalue, "normal approximation", "asymptotic")


@dataclass(frozen=True)
class AsymptoticSKCETest:
    """Bootstrap of the unbiased estimator's degenerate limit (CalibrationTests.jl `AsymptoticSKCETest`).

    With multinomial counts c and H = (h_ij):
    ``T′ = (cᵀHc − Σ_a c_a h_aa)/(n(n−1)) − (2/n²)·cᵀH1`` against
    ``n/(n−1)·SKCE_uq − SKCE_b``. The null distribution is given on the scale of
    SKCE_uq: ``(n−1)/n·(T′ + SKCE_b)``. Cost O(n²(m + B)).
    """

    __test__ = False

    estimator: SKCE = SKCE()
    n_resamples: int = 999

    def __call__(
        self, predictions: Predictions, rng: np.random.Generator, progress: Progress | None = None
    ) -> TestResult:
        """Promise "asymptotic". Needs 2 cases, neither pooled nor weighted."""
        needs_independent_rows(predictions, "asymptotic")
        n, g = predictions.n, predictions.probs
        if n < 2:
            raise InputError(f"There is {n} case; the asymptotic test needs at least 2.")
        if self.n_resamples < 1:
            raise InputError(f"The number of redraws is {self.n_resamples}; expected 1 or more.")
        kernel = self.estimator.kernel.resolved(g)[0]
        residuals = predictions.onehot() - g
        diagonal = kernel.upper_bound * np.square(residuals).sum(axis=1)
        null = np.empty(self.n_resamples)
        block = max(1, _COUNTS_BYTES // (8 * n))
        for start in range(0, self.n_resamples, block):
            counts = np.empty((n, min(block, self.n_resamples - start)))
            for b in range(counts.shape[1]):
                counts[:, b] = np.bincount(rng.integers(n, size=n), minlength=n)

            def inner(fraction: float, start: int = start, size: int = counts.shape[1]) -> None:
                if progress is not None:
                    progress((start + fraction * size) / self.n_resamples)

            quadratic, row_sums = _tiles.bootstrap_sums(kernel, g, residuals, counts, inner)
            total = float(row_sums.sum())
            biased, unbiased = total / n**2, (total - float(diagonal.sum())) / (n * (n - 1))
            t = (quadratic - diagonal @ counts) / (n * (n - 1)) - 2 / n**2 * (row_sums @ counts)
            null[start : start + block] = (n - 1) / n * (t + biased)
        pvalue = monte_carlo_pvalue(unbiased, null)
        return TestResult(unbiased, pvalue, "bootstrap approximation", "asymptotic", null, self.n_resamples)
