"""Which bins deviate: an exact Monte Carlo p-value a bin, adjusted for their number."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.binning import Binning
from calibcore.bins import bins_of, diagram_order
from calibcore.distances import total_variation
from calibcore.hypothesis_tests.adjust import holm, step_down_min_p
from calibcore.hypothesis_tests.conditions import needs_independent_rows
from calibcore.hypothesis_tests.result import monte_carlo_pvalue
from calibcore.predictions import Float, InputError, Predictions
from calibcore.resampling import redrawn_counts

ADJUSTMENTS = ("step-down", "holm")
MOST_STATISTICS = 50_000_000
"""Bins times redraws at most; they are kept, 8 bytes each."""
MOST_KEPT = 10_000_000
"""The same where nobody asked for so many."""


@dataclass(frozen=True, eq=False)
class BinPvalues:
    """One entry per bin that holds cases, in the order of :class:`~calibcore.reliability.Reliability`.

    ``pvalue (n_bins,)`` of each bin alone; ``adjusted (n_bins,)`` for looking at all of them: the
    chance that calibration gives any adjusted p ≤ α is at most α. Promise "exact".
    """

    pvalue: Float
    adjusted: Float
    adjustment: str
    n_resamples: int

    def significant(self, alpha: float) -> NDArray[np.bool_]:
        """(n_bins,) whether a bin differs by more than chance, after adjusting."""
        return self.adjusted <= alpha


def redraws_for_bins(n_bins: int, least: int, alpha: float) -> int | None:
    """Redraws under which single bins can stand out: B + 1 ≥ 10·n_bins/α, ``least`` or more.

    Fewer where so many statistics could not be kept (:data:`MOST_KEPT`); None where then no adjusted p
    could reach ``alpha``, as the smallest is about n_bins/(B + 1), or where ``least`` are too many to keep.
    """
    wanted = max(least, math.ceil(10 * n_bins / alpha - 1e-9) - 1)
    redraws = min(wanted, max(least, MOST_KEPT // n_bins - 1))
    kept = n_bins * (redraws + 1) <= MOST_STATISTICS
    return redraws if kept and n_bins <= alpha * (redraws + 1) else None


def bin_pvalues(
    predictions: Predictions,
    binning: Binning,
    n_resamples: int,
    rng: np.random.Generator,
    adjust: str = "step-down",
    progress: Callable[[float], None] | None = None,
) -> BinPvalues:
    """Exact Monte Carlo p of each bin's total variation distance, for any number of classes.

    The outcomes of a bin are drawn from its own rows (Poisson-multinomial; a multinomial law with
    their mean would be too wide). ``adjust`` is "step-down" (minimum p over the same redraws,
    Westfall & Young 1993) or "holm". The smallest adjusted p is about n_bins/(B + 1), so take
    B + 1 ≥ 10·n_bins/α where single bins are to stand out. Cost O(nm) a redraw, some 4 s for
    1,000,000 × 3 and 999 redraws. ``progress`` is told which fraction of the cases is done; may raise to
    stop.

    Raises
    ------
    InputError : fewer than 1 redraw, too many bins times redraws, an unknown adjustment, weighted or
        pooled predictions.
    """
    if adjust not in ADJUSTMENTS:
        raise InputError(f"There is no adjustment {adjust!r}; expected one of {', '.join(ADJUSTMENTS)}.")
    if n_resamples < 1:
        raise InputError(f"The number of redraws is {n_resamples}; expected 1 or more.")
    needs_independent_rows(predictions, "bin by bin")
    bins = bins_of(predictions.probs, binning)
    if bins.n_bins * (n_resamples + 1) > MOST_STATISTICS:
        raise InputError(
            f"{bins.n_bins:,} bins and {n_resamples:,} redraws make {bins.n_bins * (n_resamples + 1):,} "
            f"numbers; expected {MOST_STATISTICS:,} at most. Use fewer bins or redraws."
        )
    observed = bins.frequencies(predictions.labels)
    statistics = np.empty((bins.n_bins, n_resamples + 1))
    rows = np.split(np.argsort(bins.index, kind="stable"), np.cumsum(bins.counts)[:-1])
    done = 0
    for i, b in enumerate(diagram_order(bins)):
        counts = redrawn_counts(predictions.probs[rows[b]], n_resamples, rng)
        frequencies = np.vstack([observed[b], counts / bins.counts[b]])
        statistics[i] = total_variation(frequencies, bins.mean_prediction[b])
        done += int(bins.counts[b])
        if progress is not None:
            progress(done / predictions.n)
    return of_statistics(statistics, adjust)


def of_statistics(statistics: Float, adjust: str) -> BinPvalues:
    """From (n_bins, 1 + B) distances, the observed ones first, in the order of the diagram."""
    if adjust == "step-down":
        pvalue, adjusted = step_down_min_p(statistics)
    else:
        pvalue = np.array([monte_carlo_pvalue(float(row[0]), row[1:]) for row in statistics])
        adjusted = holm(pvalue)
    return BinPvalues(pvalue, adjusted, adjust, statistics.shape[1] - 1)
