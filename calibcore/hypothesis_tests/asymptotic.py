"""Approximations for large n: by normal and chi-squared laws, and the bootstrap of the degenerate limit."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, ndtr, ndtri

from calibcore.data.predictions import Predictions
from calibcore.diagram.two_classes import first_component
from calibcore.errors import InputError
from calibcore.estimators import Progress, _tiles
from calibcore.estimators.skce import SKCE, block_terms, residuals
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests.result import ROUNDING, TestResult, monte_carlo_pvalue, needs_independent_rows
from calibcore.numerics.poisson_binomial import check_level
from calibcore.numerics.resampling import check_redraws, first_class_chances
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float

_COUNTS_BYTES = 256_000_000
_SINGULAR = 1e-10
_NO_INVERSE = (
    "The deviations at the test locations have a singular covariance: some locations say the same, or "
    "nothing; take fewer or other locations."
)
_NO_VARIANCE = 1e-20


@dataclass(frozen=True)
class Terms:
    """``count`` numbers in few: their mean, squared deviations from it added up, smallest and largest."""

    count: int
    mean: float
    squares: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Float) -> "Terms":
        """Of (k,) numbers, at least one."""
        mean = float(values.mean())
        squares = float(np.square(values - mean).sum())
        return cls(len(values), mean, squares, float(values.min()), float(values.max()))

    def __add__(self, other: "Terms") -> "Terms":
        """Of both together (Chan, Golub & LeVeque 1979)."""
        count, step = self.count + other.count, other.mean - self.mean
        return Terms(
            count,
            self.mean + step * other.count / count,
            self.squares + other.squares + step**2 * self.count * other.count / count,
            min(self.low, other.low),
            max(self.high, other.high),
        )


@dataclass(frozen=True)
class AsymptoticBlockSKCETest:
    """``1 − Φ(√blocks·t/σ̂)`` for the block estimator, the linear one with blocks of two (W19 Lemma 3).

    σ̂ is the blocks' standard deviation with blocks − 1 (CalibrationTests.jl divides by their
    number). The confidence interval of the SKCE, ``t ± z·σ̂/√blocks`` at ``level``, holds
    whether the model is calibrated or not. Cost O(nsm).

    If all terms are equal: p = 1 for t ≤ 0, otherwise not defined (NaN), and no interval.

    >>> import numpy as np
    >>> from calibcore import AsymptoticBlockSKCETest, Predictions
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> AsymptoticBlockSKCETest()(p, np.random.default_rng(0))
    TestResult(statistic=0.117721, pvalue=1.07176e-08, method='normal approximation', promise='asymptotic')
    """

    estimator: SKCE = SKCE(estimator="linear")
    level: float = 0.95

    def __post_init__(self) -> None:
        check_level(self.level, "level of the interval")
        if self.estimator.estimator not in ("linear", "block"):
            raise InputError(
                f"The block test is given the {self.estimator.estimator} estimator; expected linear or block."
            )

    def __call__(self, predictions: Predictions, rng: Seed = None) -> TestResult:
        """Promise "asymptotic"; draws nothing. Needs 2 blocks of cases, neither pooled nor weighted."""
        needs_independent_rows(predictions, "asymptotic block")
        self.check_cases(predictions.n)
        kernel = self.estimator.kernel.resolved(predictions.probs)[0]
        return self.of_terms(Terms.of(block_terms(predictions, kernel, self.size)))

    @property
    def size(self) -> int:
        """Cases in a block."""
        return self.estimator.block_size if self.estimator.estimator == "block" else 2

    def check_cases(self, n: int) -> None:
        """Raises :class:`InputError` for fewer than 2 blocks."""
        if n < 2 * self.size:
            raise InputError(
                f"There are {n} cases; the asymptotic test with blocks of {self.size} needs at least "
                f"{2 * self.size}."
            )

    def of_terms(self, terms: Terms) -> TestResult:
        """The test from what is known of the blocks' terms."""
        statistic = terms.mean
        details = {"block_size": self.size, "blocks": terms.count}
        # The floating deviation of equal terms can be above 0.
        if terms.high - terms.low > ROUNDING * max(abs(terms.low), abs(terms.high)):
            error = math.sqrt(terms.squares / (terms.count - 1)) / math.sqrt(terms.count)
            pvalue = float(ndtr(-statistic / error))
            interval = _normal_interval(statistic, error, self.level)
        else:
            pvalue = 1.0 if statistic <= 0 else float("nan")
            interval = None
        return TestResult(statistic, pvalue, "normal approximation", "asymptotic", None, 0, interval, details)


@dataclass(frozen=True)
class AsymptoticSKCETest:
    """Bootstrap of the unbiased estimator's degenerate limit (CalibrationTests.jl `AsymptoticSKCETest`).

    With multinomial counts c and H = (h_ij):
    ``T′ = (cᵀHc − Σ_a c_a h_aa)/(n(n−1)) − (2/n²)·cᵀH1`` against
    ``n/(n−1)·SKCE_uq − SKCE_b``. The null distribution is given on the scale of
    SKCE_uq: ``(n−1)/n·(T′ + SKCE_b)``. Cost O(n²(m + B)).

    The confidence interval is that of the SKCE *away from the null*: SKCE_uq is a U-statistic,
    and where the SKCE is above 0 asymptotically normal (Hoeffding 1948),
    ``SKCE_uq ± z·2·sd(h̄_i)/√n`` with the row means ``h̄_i = (n−1)⁻¹ Σ_{j≠i} h_ij``. For a
    calibrated model it means nothing. None below 3 cases, and where all h̄_i are equal.

    >>> import numpy as np
    >>> from calibcore import AsymptoticSKCETest, Predictions
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> AsymptoticSKCETest(n_resamples=99)(p, np.random.default_rng(0)).pvalue
    0.01
    """

    estimator: SKCE = SKCE()
    n_resamples: int = 999
    level: float = 0.95

    def __post_init__(self) -> None:
        check_level(self.level, "level of the interval")

    def __call__(
        self, predictions: Predictions, rng: Seed = None, progress: Progress | None = None
    ) -> TestResult:
        """Promise "asymptotic". Needs 2 cases, neither pooled nor weighted."""
        needs_independent_rows(predictions, "asymptotic")
        n, g = predictions.n, predictions.probs
        if n < 2:
            raise InputError(f"There is {n} case; the asymptotic test needs at least 2.")
        check_redraws(self.n_resamples)
        rng = generator_of(rng)
        kernel = self.estimator.kernel.resolved(g)[0]
        r = residuals(predictions, kernel)
        diagonal = np.square(r).sum(axis=1)  # κ(g, g) = 1
        null = np.empty(self.n_resamples)
        block = max(1, _COUNTS_BYTES // (8 * n))
        for start in range(0, self.n_resamples, block):
            counts = np.empty((n, min(block, self.n_resamples - start)))
            for b in range(counts.shape[1]):
                counts[:, b] = np.bincount(rng.integers(n, size=n), minlength=n)

            def inner(fraction: float, start: int = start, size: int = counts.shape[1]) -> None:
                if progress is not None:
                    progress((start + fraction * size) / self.n_resamples)

            quadratic, row_sums = _tiles.bootstrap_sums(kernel, g, r, counts, inner, self.estimator.precision)
            total = float(row_sums.sum())
            biased, unbiased = total / n**2, (total - float(diagonal.sum())) / (n * (n - 1))
            t = (quadratic - diagonal @ counts) / (n * (n - 1)) - 2 / n**2 * (row_sums @ counts)
            null[start : start + block] = (n - 1) / n * (t + biased)
        pvalue = monte_carlo_pvalue(unbiased, null)
        interval = self._interval(unbiased, (row_sums - diagonal) / (n - 1))
        return TestResult(
            unbiased, pvalue, "bootstrap approximation", "asymptotic", null, self.n_resamples, interval
        )

    def _interval(self, unbiased: float, row_means: Float) -> tuple[float, float] | None:
        n = len(row_means)
        if n < 3 or np.ptp(row_means) <= ROUNDING * np.abs(row_means).max():
            return None
        return _normal_interval(unbiased, 2 * float(row_means.std(ddof=1)) / math.sqrt(n), self.level)


@dataclass(frozen=True)
class AsymptoticCMETest:
    """``n·d̄ᵀ S⁻¹ d̄`` against χ²_J (CalibrationTests.jl `AsymptoticCMETest`).

    d̄ (J,) and S (J, J), with n − 1, are the mean and the covariance of the deviations at the J
    test locations of ``estimator``. Slow to become right, as S is estimated: on W19's M1 it rejects
    7 % at the level of 5 % with 1,000 cases and 10 locations, 5.3 % with 10,000; with three classes 21 %
    with 200 cases and 9 % with 1,000; with two classes, whose locations say nearly the same, up to 65 %
    with 200 and 8 % with 10,000. The exact test of the same estimator has no such flaw. Cost O(nJ(m + J)).

    >>> import numpy as np
    >>> from calibcore import UCME, AsymptoticCMETest, Predictions
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> result = AsymptoticCMETest(UCME(n_locations=1))(p, np.random.default_rng(0))
    >>> round(result.statistic, 2), result.pvalue < 1e-12
    (52.56, True)
    """

    estimator: UCME = UCME()

    def __call__(self, predictions: Predictions, rng: Seed = None) -> TestResult:
        """Promise "asymptotic"; draws nothing. Refused unless n > J and S can be inverted."""
        needs_independent_rows(predictions, "asymptotic CME")
        d = self.estimator.deviations(predictions)
        n, J = d.shape
        if n <= J:
            raise InputError(
                f"There are {n} cases and {J} test locations; expected more cases than locations."
            )
        mean, spread = d.mean(axis=0), d.std(axis=0, ddof=1)
        if not (spread > ROUNDING * np.abs(d).max(axis=0)).all():
            raise InputError(_NO_INVERSE)
        # Of unit variances: the statistic does not change, and what is nearly singular can be told.
        scaled = mean / spread
        values, vectors = np.linalg.eigh(np.atleast_2d(np.cov((d - mean) / spread, rowvar=False)))
        if values[0] < _SINGULAR * values[-1]:
            raise InputError(_NO_INVERSE)
        statistic = n * float(np.square(vectors.T @ scaled) @ (1 / values))
        pvalue, details = float(chdtrc(J, statistic)), {"degrees_of_freedom": J}
        return TestResult(statistic, pvalue, "chi-squared approximation", "asymptotic", details=details)


@dataclass(frozen=True)
class SpiegelhalterTest:
    """``z = Σ(y − p)(1 − 2p) / √Σ(1 − 2p)²p(1 − p)`` against a normal law, two-sided (Spiegelhalter 1986).

    It is the Brier score less its mean under calibration, so it sees over- and
    underconfidence, and is blind to predictions that are wrong by nothing on average
    of ``(1 − 2p)``. z > 0: the score is worse than the model says of itself.

    Predictions of 0, ½ and 1 alone leave no variance: z = 0 and p = 1 if every
    certain one came true, otherwise neither is defined (NaN). Cost O(n).
    """

    def __call__(self, predictions: Predictions, rng: Seed = None) -> TestResult:
        """Promise "asymptotic"; draws nothing."""
        return self.of_sums(*self.sums(predictions), predictions.n)

    def sums(self, predictions: Predictions) -> tuple[float, float]:
        """``Σ(y − p)(1 − 2p)`` and ``Σ(1 − 2p)²p(1 − p)``."""
        needs_independent_rows(predictions, "Spiegelhalter")
        first_component(predictions, "Spiegelhalter's test")
        p = first_class_chances(predictions.probs)
        tilt = 1 - 2 * p
        excess = float((((predictions.labels == 0) - p) * tilt).sum())
        return excess, float((np.square(tilt) * p * (1 - p)).sum())

    def of_sums(self, excess: float, variance: float, n: int) -> TestResult:
        """The test from :meth:`sums` of ``n`` cases, added up."""
        if variance > _NO_VARIANCE * n:
            z = excess / variance**0.5
            pvalue = float(2 * ndtr(-abs(z)))
        else:
            z, pvalue = (0.0, 1.0) if abs(excess) < 0.5 else (float("nan"), float("nan"))
        details = {} if z == z else {"undefined": "a certain prediction did not come true"}
        return TestResult(z, pvalue, "normal approximation, two-sided", "asymptotic", details=details)


def _normal_interval(estimate: float, error: float, level: float) -> tuple[float, float]:
    reach = float(ndtri((1 + level) / 2)) * error
    return estimate - reach, estimate + reach
