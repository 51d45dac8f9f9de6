"""Consistency resampling: predictions resampled, labels drawn from them."""

from dataclasses import dataclass

import numpy as np

from calibcore.binning import Binning
from calibcore.estimators import Progress
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests.result import TestResult, monte_carlo_pvalue
from calibcore.predictions import InputError, Predictions
from calibcore.reliability import bins_by_number
from calibcore.resampling import draw_labels
from calibcore.weighted import refuse_weights


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
        """Promise "none". Of pooled predictions the cases are resampled; weighted ones are refused."""
        if self.n_resamples < 1:
            raise InputError(f"The number of redraws is {self.n_resamples}; expected 1 or more.")
        refuse_weights(predictions)
        # The bandwidth is found once, on the predictions as given.
        estimator = self.estimator
        estimator = estimator.resolved(predictions) if isinstance(estimator, SKCE) else estimator
        binning: Binning | None = None if isinstance(estimator, SKCE) else estimator.binning
        fixed_bins = binning.assign(predictions.probs) if binning and not binning.adaptive else None
        null = np.empty(self.n_resamples)
        cases = predictions.cases
        for b in range(self.n_resamples):
            rows = rng.integers(cases.n, size=cases.n)
            labels = draw_labels(cases.probs[rows], rng)
            if isinstance(estimator, ECE) and fixed_bins is not None and predictions.rows_are_cases:
                bins = bins_by_number(predictions.probs[rows], fixed_bins[rows])
                null[b] = estimator.from_bins(bins, labels[None])[0]
            else:
                null[b] = estimator(predictions.with_cases(rows, labels))
            if progress is not None:
                progress((b + 1) / self.n_resamples)
        statistic = estimator(predictions)
        pvalue = monte_carlo_pvalue(statistic, null)
        return TestResult(statistic, pvalue, "consistency resampling", "none", null, self.n_resamples)
