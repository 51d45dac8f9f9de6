"""Which bins deviate: an exact p-value a bin, adjusted for their number."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning
from calibcore.diagram.bins import Bins, bins_of, diagram_order, hit_laws
from calibcore.errors import InputError
from calibcore.hypothesis_tests.adjust import (
    holm,
    smallest_adjusted,
    step_down_min_p,
    step_down_of_independent,
)
from calibcore.hypothesis_tests.result import ROUNDING, monte_carlo_pvalue, needs_independent_rows, stopped_at
from calibcore.numerics.draws import Draws
from calibcore.numerics.engine import in_order
from calibcore.numerics.resampling import check_redraws, redrawn_distances
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float, Int

ADJUSTMENTS = ("step-down", "holm")
MOST_STATISTICS = 50_000_000
"""Bins times redraws at most; they are kept, 8 bytes each."""
MOST_KEPT = 10_000_000
"""The same where nobody asked for so many."""
_SAME_HITS = 1e-9
"""Of distances between numbers of hits: nearer ones are equal up to rounding."""
_CUT = 1e-13
"""Laws leave out what is less likely than this."""
_NUMBERS = 1 << 20
"""Numbers that a thread draws at a time."""
_REDRAWS = 16
"""At least so many redraws at a time, as what they are drawn from is made anew."""
MANY_CLASSES, MOST_LABELS = 10, 50_000_000
"""From so many classes and labels on single bins stop early; see :func:`stops_early`."""
STOP_AT = 100
"""A bin whose redraws were as far away so often is not drawn on then: most that do not deviate."""
_FIRST_REDRAWS, _GROWTH = 256, 4
"""Redraws until bins are first looked at, and how many times as many until the next time."""


@dataclass(frozen=True, eq=False)
class BinPvalues:
    """One entry per bin that holds cases, in the order of :class:`~.reliability.Reliability`.

    ``pvalue (n_bins,)`` of each bin alone; ``adjusted (n_bins,)`` for looking at all of them: the
    chance that calibration gives any adjusted p ≤ α is at most α. Promise "exact". ``n_resamples``, at most
    for each bin, is 0 for two classes, where the law of each bin is known.
    """

    pvalue: Float
    adjusted: Float
    adjustment: str
    n_resamples: int

    @property
    def at_floor(self) -> NDArray[np.bool_]:
        """(n_bins,) whether the redraws allow no smaller adjusted p."""
        if not self.n_resamples:
            return np.zeros(len(self.pvalue), np.bool_)
        return smallest_adjusted(self.pvalue, self.adjusted, self.n_resamples)

    def significant(self, alpha: float) -> NDArray[np.bool_]:
        """(n_bins,) whether a bin differs by more than chance, after adjusting."""
        return self.adjusted <= alpha


def redraws_for_bins(n_bins: int, m: int, least: int, alpha: float) -> int | None:
    """Redraws under which single bins of ``m`` classes can stand out: B + 1 ≥ 10·n_bins/α, ``least`` or more.

    0 for two classes, which need none.

    Fewer where so many statistics could not be kept (:data:`MOST_KEPT`); None where then no adjusted p
    could reach ``alpha``, as the smallest is about n_bins/(B + 1), or where ``least`` are too many to keep.
    """
    if m == 2:
        return 0
    wanted = max(least, math.ceil(10 * n_bins / alpha - 1e-9) - 1)
    redraws = min(wanted, max(least, MOST_KEPT // n_bins - 1))
    storable = n_bins * (redraws + 1) <= MOST_STATISTICS
    return redraws if storable and n_bins <= alpha * (redraws + 1) else None


def stops_early(n: int, m: int, n_resamples: int) -> bool:
    """Whether each bin of (n, m) predictions has only as many redraws as its own p needs.

    Its p is exact all the same (Besag & Clifford 1991), and the adjustment takes the p of other bins as
    uniform. Of fewer classes p of single bins are few numbers. Adjusting redraws of all bins together makes
    use of that: with three classes it finds up to a fifth more, with ten no more.
    """
    return m >= MANY_CLASSES and n * n_resamples > MOST_LABELS


def bin_pvalues(
    predictions: Predictions,
    binning: Binning,
    n_resamples: int,
    rng: Seed,
    adjust: str = "step-down",
    progress: Callable[[float], None] | None = None,
) -> BinPvalues:
    """Exact p of each bin's total variation distance, for any number of classes.

    Of two classes by :func:`of_laws`, without redraws, O(n log² n). Of more by Monte Carlo: the outcomes of a
    bin are drawn from its own rows (Poisson-multinomial; a multinomial law with
    their mean would be too wide). ``adjust`` is "step-down" (minimum p over the same redraws,
    Westfall & Young 1993; of large data see :func:`stops_early`) or "holm". The smallest adjusted p is about
    n_bins/(B + 1), so take B + 1 ≥ 10·n_bins/α where single bins are to stand out. Cost O(nm) a redraw, some
    3 s for 1,000,000 × 3 and 999 redraws on one core, in threads. ``progress`` is told which fraction of the
    redraws is done; may raise to stop.

    Raises
    ------
    InputError : fewer than 1 redraw, too many bins times redraws, an unknown adjustment, weighted or
        pooled predictions.
    """
    if adjust not in ADJUSTMENTS:
        raise InputError(f"There is no adjustment {shown(adjust)}; expected one of {', '.join(ADJUSTMENTS)}.")
    if predictions.m > 2:
        check_redraws(n_resamples)
    needs_independent_rows(predictions, "bin by bin")
    rng = generator_of(rng)
    bins = bins_of(predictions.probs, binning)
    if predictions.m == 2:
        order = diagram_order(bins)
        laws = hit_laws(predictions, binning, bins)
        hits = np.bincount(bins.index[predictions.labels == 0], minlength=bins.n_bins)
        counts, mean = bins.counts[order], bins.mean_prediction[order, 0]
        return of_laws([(0, laws[b]) for b in order], hits[order], counts, mean, adjust)
    if bins.n_bins * (n_resamples + 1) > MOST_STATISTICS:
        raise InputError(
            f"{bins.n_bins:,} bins and {n_resamples:,} redraws make {bins.n_bins * (n_resamples + 1):,} "
            f"numbers; expected {MOST_STATISTICS:,} at most. Use fewer bins or redraws."
        )
    draws = Draws(rng)
    distances = _redrawn(predictions, bins, n_resamples, draws, progress)
    draws.passed(predictions.n * n_resamples)
    return of_distances(distances, predictions.n, predictions.m, adjust)


def _redrawn(
    predictions: Predictions,
    bins: Bins,
    n_resamples: int,
    draws: Draws,
    progress: Callable[[float], None] | None,
) -> Float:
    """(n_bins, 1 + B) as :func:`of_distances` takes them; infinite is what is not drawn any more."""
    order = diagram_order(bins)
    counts, means, groups = bins.counts[order], bins.mean_prediction[order], bins.groups
    first_number = (np.cumsum(counts) - counts) * n_resamples
    distances = np.full((bins.n_bins, n_resamples + 1), np.inf)
    distances[:, 0] = bins.distances(bins.frequencies(predictions.labels), bins.measure)[order]

    def redrawn(part: tuple[int, int, int]) -> None:
        b, start, stop = part
        rng = draws.at(int(first_number[b] + start * counts[b]))
        own = predictions.chances[groups[order[b]]]
        distances[b, 1 + start : 1 + stop] = redrawn_distances(own, means[b], stop - start, rng)

    def report(fraction: float) -> None:
        if progress is not None:
            progress((done + fraction * (upto - done)) / n_resamples)

    early = stops_early(predictions.n, predictions.m, n_resamples)
    open_bins, done = list(range(bins.n_bins)), 0
    while open_bins and done < n_resamples:
        upto = min(max(_FIRST_REDRAWS, _GROWTH * done), n_resamples) if early else n_resamples
        parts: list[tuple[int, int, int]] = []
        for b in open_bins:
            size = max(_REDRAWS, _NUMBERS // int(counts[b]))
            parts += [(b, start, min(start + size, upto)) for start in range(done, upto, size)]
        for _ in in_order(redrawn, parts, report):
            pass
        done = upto
        if done < n_resamples:
            open_bins = [b for b in open_bins if _used(distances[b, : 1 + done]) is None]
    if progress is not None:
        progress(1.0)
    return distances


def of_laws(
    laws: Sequence[tuple[int, Float]], hits: Int, counts: Int, mean: Float, adjust: str
) -> BinPvalues:
    """From each bin's law of hits, a smallest count and the law from there on, without any redraw.

    Given the predictions bins are independent. So the smallest p of some bins has
    ``P(min p_b ≤ x) = 1 − Π_b (1 − F_b(x))``, where ``F_b(x)`` is the largest p that bin b can have up to x,
    and the step-down minimum p (Westfall & Young 1993) is exact. Cost O(n_bins² log n).

    Parameters
    ----------
    hits, counts, mean : (n_bins,) outcomes of the first class, cases, and its mean prediction
    """
    possible, pvalue = [], np.empty(len(laws))
    for b, (first, law) in enumerate(laws):
        far = np.abs(first + np.arange(len(law)) - counts[b] * mean[b])
        order = np.argsort(-far, kind="stable")
        falling, p = far[order], np.minimum(np.cumsum(law[order]), 1.0)
        reached = np.searchsorted(-falling, _SAME_HITS - abs(hits[b] - counts[b] * mean[b]), side="right")
        pvalue[b] = max(p[reached - 1] if reached else 0.0, _CUT)
        last_of_equals = np.append(falling[:-1] - falling[1:] > _SAME_HITS, True)
        possible.append(p[last_of_equals])
    if adjust == "holm":
        return BinPvalues(pvalue, holm(pvalue), adjust, 0)
    order = np.argsort(pvalue, kind="stable")
    rising = pvalue[order]
    none_smaller = np.zeros(len(laws))
    for place, b in enumerate(order):
        upto = np.searchsorted(possible[b], rising[: place + 1] * (1 + ROUNDING), side="right")
        largest = np.where(upto > 0, possible[b][upto - 1], 0.0)
        with np.errstate(divide="ignore"):
            none_smaller[: place + 1] += np.log1p(-largest)
    adjusted = np.empty(len(laws))
    adjusted[order] = np.maximum.accumulate(np.maximum(-np.expm1(none_smaller), rising))
    return BinPvalues(pvalue, adjusted, adjust, 0)


def of_distances(distances: Float, n: int, m: int, adjust: str) -> BinPvalues:
    """From (n_bins, 1 + B) of (n, m) predictions, the observed ones first, in the order of the diagram.

    Where :func:`stops_early`, what comes after the last redraw that is needed changes nothing.
    """
    n_resamples = distances.shape[1] - 1
    if stops_early(n, m, n_resamples):
        pvalue = np.array([_early_pvalue(row) for row in distances])
        adjusted = step_down_of_independent(pvalue)
    elif adjust == "step-down":
        pvalue, adjusted = step_down_min_p(distances)
    else:
        pvalue = np.array([monte_carlo_pvalue(float(row[0]), row[1:]) for row in distances])
    return BinPvalues(pvalue, holm(pvalue) if adjust == "holm" else adjusted, adjust, n_resamples)


def _early_pvalue(distances: Float) -> float:
    used = _used(distances)
    return monte_carlo_pvalue(float(distances[0]), distances[1:]) if used is None else STOP_AT / used


def _used(distances: Float) -> int | None:
    """How many redraws it took until so many were as far away."""
    return stopped_at(float(distances[0]), distances[1:], STOP_AT)
