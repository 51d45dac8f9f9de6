"""Distribution-free bounds of the p-value."""

from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests.result import TestResult, needs_independent_rows
from calibcore.numerics.streams import Seed


@dataclass(frozen=True)
class DistributionFreeSKCETest:
    r"""Bounds of the p-value that hold at every n (W19 Lemma 2, and one given the predictions).

    With b = 2K, K = sup κ times the spectral norm of M, of the biased and of the unbiased estimate t:

    $$e^{-\frac{1}{2} \max(0, \sqrt{nt/b} - 1)^2}, \qquad e^{-q t^2/(2b^2)}$$

    The second is 1 for t ≤ 0, with
    q = ⌊n/2⌋ pairs of cases that share none, and ⌊n/s⌋·⌊s/2⌋ for blocks of s (linear: s = 2).
    ``given_predictions`` (biased and M = I only): ``exp(−n max(0, √t − √(V/n))²)`` with
    ``V = mean(1 − ‖g_i‖²)``, McDiarmid's inequality on the labels; much sharper.
    Cost: one estimate.

    >>> import numpy as np
    >>> from calibcore import SKCE, DistributionFreeSKCETest, Predictions
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> DistributionFreeSKCETest(SKCE(estimator="biased"))(p, np.random.default_rng(0))
    TestResult(statistic=0.218861, pvalue=0.0697044, method='distribution-free bound', promise='bound')
    """

    estimator: SKCE
    given_predictions: bool = False

    def __post_init__(self) -> None:
        if self.given_predictions and self.estimator.estimator != "biased":
            raise InputError("The bound given the predictions is for the biased estimator only.")
        if self.given_predictions and self.estimator.kernel.class_matrix is not None:
            raise InputError("The bound given the predictions is for kernels without a class matrix only.")

    def __call__(self, predictions: Predictions, rng: Seed = None) -> TestResult:
        """Promise "bound"; draws nothing. Neither pooled nor weighted predictions."""
        needs_independent_rows(predictions, "distribution-free")
        return self.of_statistic(predictions, self.estimator(predictions))

    def of_statistic(self, predictions: Predictions, statistic: float) -> TestResult:
        """The same for an estimate that is there already."""
        needs_independent_rows(predictions, "distribution-free")
        spread = 0.0
        if self.given_predictions:
            spread = float(np.mean(1 - np.square(predictions.probs).sum(axis=1)))
        return self.of_cases(predictions.n, statistic, spread)

    def of_cases(self, n: int, statistic: float, spread: float = 0.0) -> TestResult:
        """The same for ``n`` cases; ``spread`` is V, of the bound given the predictions."""
        bound = 2 * self.estimator.kernel.upper_bound
        if self.given_predictions:
            excess = max(0.0, np.sqrt(max(statistic, 0.0)) - np.sqrt(max(spread, 0.0) / n))
            pvalue = np.exp(-n * excess**2)
        elif self.estimator.estimator == "biased":
            pvalue = np.exp(-0.5 * max(0.0, np.sqrt(n * max(statistic, 0.0) / bound) - 1) ** 2)
        else:
            # Disjoint pairs of cases: those of all, or those within each block.
            size = self.estimator.block_size if self.estimator.estimator == "block" else 2
            pairs = (n // size) * (size // 2)
            pvalue = np.exp(-pairs * statistic**2 / (2 * bound**2)) if statistic > 0 else 1.0
        return TestResult(statistic, float(pvalue), "distribution-free bound", "bound")
