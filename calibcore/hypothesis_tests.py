"""Tests of the null hypothesis that the model is calibrated.

Each test is built, then called: ``test(predictions, rng) -> TestResult``. What
its p-value promises stands in ``TestResult.promise``:

============  ====================================================================
exact         level α at any n, for independent cases
bound         an upper bound of the p-value at every n; conservative
asymptotic    approximate, for large n
none          no guarantee; for comparison
============  ====================================================================
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from calibcore.binning import Binning
from calibcore.estimators import Estimator, Progress, _tiles
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.skce import SKCE, linear_terms
from calibcore.predictions import Float, InputError, Predictions
from calibcore.reliability import bins_by_number
from calibcore.resampling import draw_labels, redrawn_labels

_TIE = 1e-9
_ROUNDING = 1e-12
_NOISE = 1e-14
_BATCH_BYTES = 64_000_000
_COUNTS_BYTES = 256_000_000


@dataclass(frozen=True, eq=False)
class TestResult:
    """What a test found, with SciPy's names.

    ``null_distribution (n_resamples,)`` holds the statistic under the null
    hypothesis, None for tests by formula. ``pvalue`` is NaN where it is not defined.
    """

    __test__ = False  # not a test case of pytest

    statistic: float
    pvalue: float
    method: str
    promise: str
    null_distribution: Float | None = None
    n_resamples: int = 0


def monte_carlo_pvalue(statistic: float, null_distribution: Float) -> float:
    """``(1 + #{T_b ≥ T}) / (B + 1)``, never 0; T_b counts as ≥ from 1e-9 null deviations below T.

    Also from 1e-12·|T| + 1e-14 below, so that rounding does not order redraws that are all equal.
    """
    slack = _TIE * float(null_distribution.std()) + _ROUNDING * abs(statistic) + _NOISE
    as_extreme = int(np.count_nonzero(null_distribution >= statistic - slack))
    return (1 + as_extreme) / (len(null_distribution) + 1)


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

        columns.append(np.stack([e.redrawn(predictions, labels, inner) for e in estimators]))
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


@dataclass(frozen=True)
class ConsistencyTest:
    """Consistency resampling (Bröcker & Smith 2007; V19 §4.2): predictions resampled, labels drawn.

    No promise: with sparse bins it rejects every calibrated model (W19 Fig. 2).
    For comparison with the literature. Cost: B estimates.
    """

    __test__ = False

    estimator: ECE | MCE | SKCE
    n_resamples: int = 999

    def __call__(
        self, predictions: Predictions, rng: np.random.Generator, progress: Progress | None = None
    ) -> TestResult:
        """Promise "none"."""
        if self.n_resamples < 1:
            raise InputError(f"The number of redraws is {self.n_resamples}; expected 1 or more.")
        # The bandwidth is found once, on the predictions as given.
        estimator = self.estimator
        estimator = estimator.resolved(predictions) if isinstance(estimator, SKCE) else estimator
        binning: Binning | None = None if isinstance(estimator, SKCE) else estimator.binning
        fixed_bins = binning.assign(predictions.probs) if binning and not binning.adaptive else None
        null = np.empty(self.n_resamples)
        for b in range(self.n_resamples):
            rows = rng.integers(predictions.n, size=predictions.n)
            probs = predictions.probs[rows]
            labels = draw_labels(probs, rng)
            if isinstance(estimator, ECE) and fixed_bins is not None:
                bins = bins_by_number(probs, fixed_bins[rows])
                null[b] = estimator.from_bins(bins, labels[None])[0]
            else:
                null[b] = estimator(predictions.through(probs, labels, predictions.class_names, rows))
            if progress is not None:
                progress((b + 1) / self.n_resamples)
        statistic = estimator(predictions)
        pvalue = monte_carlo_pvalue(statistic, null)
        return TestResult(statistic, pvalue, "consistency resampling", "none", null, self.n_resamples)


@dataclass(frozen=True)
class DistributionFreeSKCETest:
    """Bounds of the p-value that hold at every n (W19 Lemma 2, and one given the predictions).

    With ``bound = 2K``, K = sup κ: biased ``exp(−½ max(0, √(nt/bound) − 1)²)``;
    unbiased and linear ``exp(−⌊n/2⌋ t²/(2·bound²))``, 1 for t ≤ 0.
    ``given_predictions`` (biased only): ``exp(−n max(0, √t − √(V/n))²/K)`` with
    ``V = K·mean(1 − ‖g_i‖²)``, McDiarmid's inequality on the labels; much sharper.
    Cost: one estimate.
    """

    __test__ = False

    estimator: SKCE
    given_predictions: bool = False

    def __call__(self, predictions: Predictions, rng: np.random.Generator | None = None) -> TestResult:
        """Promise "bound"; draws nothing."""
        statistic = self.estimator(predictions)
        return self.of_statistic(predictions, statistic)

    def of_statistic(self, predictions: Predictions, statistic: float) -> TestResult:
        """The same for an estimate that is there already."""
        n, t = predictions.n, statistic
        largest = self.estimator.kernel.upper_bound
        bound = 2 * largest
        if self.given_predictions:
            if self.estimator.estimator != "biased":
                raise InputError("The bound given the predictions is for the biased estimator only.")
            spread = largest * float(np.mean(1 - np.square(predictions.probs).sum(axis=1)))
            excess = max(0.0, np.sqrt(max(t, 0.0)) - np.sqrt(max(spread, 0.0) / n))
            pvalue = np.exp(-n * excess**2 / largest)
        elif self.estimator.estimator == "biased":
            pvalue = np.exp(-0.5 * max(0.0, np.sqrt(n * max(t, 0.0) / bound) - 1) ** 2)
        else:
            pvalue = np.exp(-(n // 2) * t**2 / (2 * bound**2)) if t > 0 else 1.0
        return TestResult(statistic, float(pvalue), "distribution-free bound", "bound")


@dataclass(frozen=True)
class AsymptoticBlockSKCETest:
    """``1 − Φ(√⌊n/2⌋·t/σ̂)`` for blocks of two, the linear estimator (W19 Lemma 3). Cost O(nm).

    σ̂ is the blocks' standard deviation with ⌊n/2⌋ − 1 (CalibrationTests.jl divides by ⌊n/2⌋).

    If all terms are equal: p = 1 for t ≤ 0, otherwise not defined (NaN).
    """

    __test__ = False

    estimator: SKCE = SKCE(estimator="linear")

    def __call__(self, predictions: Predictions, rng: np.random.Generator | None = None) -> TestResult:
        """Promise "asymptotic"; draws nothing. Needs 4 cases."""
        if predictions.n < 4:
            raise InputError(f"There are {predictions.n} cases; the asymptotic linear test needs at least 4.")
        kernel = self.estimator.kernel.resolved(predictions.probs)[0]
        terms = linear_terms(predictions, kernel)
        statistic = float(terms.mean())
        # The floating deviation of equal terms can be above 0.
        if np.ptp(terms) > _ROUNDING * np.abs(terms).max():
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
        """Promise "asymptotic". Needs 2 cases."""
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
