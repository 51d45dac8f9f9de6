"""Consistency bars: where the deviation of a bin lies if the model is calibrated.

Of two classes by the exact Poisson-binomial law of its hits, or by redraws, as always of more.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from calibcore.data.checks import shown
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import Binning
from calibcore.diagram.bins import Bins, hit_laws
from calibcore.errors import InputError
from calibcore.numerics import loops, picking
from calibcore.numerics.drawn_hits import LANES, drawn_hits
from calibcore.numerics.draws import Draws
from calibcore.numerics.engine import Progress, in_order
from calibcore.numerics.poisson_binomial import hits_distribution, quantile_of_counts
from calibcore.numerics.resampling import edges_in_threads, first_class_chances
from calibcore.numerics.types import Float, Int
from calibcore.transforms.redraws import redrawn_labels

BARS = ("exact", "resampled")
_TABLES_BYTES = 32_000_000
Bars = tuple[Float, Float, NDArray[np.bool_], float]
"""Of (n_bins,) bins where deviations lie under calibration, low and high, and whether they lie outside; how
many bins chance alone puts outside."""


def check_bars(bars: str) -> None:
    """Raises :class:`InputError` for an unknown kind of consistency bars."""
    if bars not in BARS:
        raise InputError(f"There are no {shown(bars)} bars; expected one of {', '.join(BARS)}.")


def check_interval(interval: tuple[float, float]) -> None:
    """Raises :class:`InputError` unless 0 < low < high < 1."""
    low, high = interval
    if not 0 < low < high < 1:
        raise InputError(f"The interval is {low:g} to {high:g}; expected 0 < low < high < 1.")


def exact_bars(
    laws: Iterable[tuple[int, Float]], hits: Int, bins: Bins, interval: tuple[float, float]
) -> Bars:
    """Quantiles of the Poisson-binomial number of hits; outside is decided on whole counts.

    ``laws`` has for each bin a smallest count and the law from there on, without which nothing is left.
    """
    quantiles = np.empty((bins.n_bins, 2), np.int64)
    expected = 0.0
    for b, (first, law) in enumerate(laws):
        below, above = (quantile_of_counts(law, level) for level in interval)
        quantiles[b] = first + below, first + above
        expected += float(law[:below].sum() + law[above + 1 :].sum())
    low, high = (quantiles / bins.counts[:, None] - bins.mean_prediction[:, :1]).T
    outside = (hits < quantiles[:, 0]) | (hits > quantiles[:, 1])
    return low, high, outside, expected


def laws_of_hits(predictions: Predictions, binning: Binning, bins: Bins) -> list[Float]:
    """Per bin the law of its number of hits."""
    if predictions.pooled_from is None:
        return hit_laws(predictions, binning, bins)
    return [hits_distribution(chances) for chances in pooled_hit_chances(predictions, bins)]


def pooled_hit_chances(predictions: Predictions, bins: Bins) -> list[Float]:
    """Per bin the chance of each case to have its hit there; the hits of a bin are a sum of these Bernoullis.

    A case hits exactly one of its pairs, so its chances of all that lie in one bin add up. Cost O(n log n).
    """
    chances = first_class_chances(predictions.probs)[bins.rows]
    case = bins.rows // (predictions.n // predictions.cases.n)
    blocks = []
    for start, end in zip(bins.starts, bins.starts + bins.counts, strict=True):
        first = np.flatnonzero(np.diff(case[start:end], prepend=-1))
        blocks.append(np.minimum(np.add.reduceat(chances[start:end], first), 1.0))
    return blocks


def redrawn_distances(
    predictions: Predictions,
    bins: Bins,
    names: Iterable[str],
    n_resamples: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> dict[str, Float]:
    """Of each name (n_resamples, n_bins) :meth:`.Bins.distances` of redrawn frequencies.

    All of the same labels, redrawn from the fixed predictions.
    """
    out = {name: np.empty((n_resamples, bins.n_bins)) for name in names}
    # Of few classes, a label a row and a generator that jumps, labels need not be written down.
    few = predictions.m - 1 <= picking.FEW_EDGES and predictions.pooled_from is None
    if few and isinstance(rng.bit_generator, np.random.PCG64):
        _count_as_drawn(predictions, bins, out, n_resamples, rng, progress)
        return out
    done = 0
    for block in redrawn_labels(predictions, n_resamples, rng):
        for name, distances in out.items():
            distances[done : done + len(block)] = bins.of_distances(block, np.asarray, name)
        done += len(block)
        if progress is not None:
            progress(done / n_resamples)
    return out


def _count_as_drawn(
    predictions: Predictions,
    bins: Bins,
    out: dict[str, Float],
    n_resamples: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> None:
    """:func:`redrawn_distances` into ``out``, of the labels of :func:`redrawn_labels`.

    In threads; memory 32 MB a thread, or 4 redraws.
    """
    edges, index, draws = edges_in_threads(predictions.probs), loops.read_only(bins.index), Draws(rng)
    table = 8 * bins.mean_prediction.size

    def measure(some: slice) -> None:
        many = min(some.stop, n_resamples) - some.start
        hits = drawn_hits(edges, index, bins.n_bins, many, draws.at(some.start * predictions.n))
        frequencies = hits / bins.counts[:, None]
        for name, distances in out.items():
            distances[some] = bins.distances(frequencies, name)

    parts = loops.blocks(n_resamples, LANES * max(1, min(4, _TABLES_BYTES // (LANES * table))))
    for _ in in_order(measure, parts, progress, predictions.n):
        pass
    draws.passed(n_resamples * predictions.n)


def resampled_bars(deviation: Float, redrawn: Float, interval: tuple[float, float], two: bool) -> Bars:
    """Quantiles of (B, n_bins) redrawn deviations; ``two`` classes deviate to either side."""
    low, high = np.quantile(redrawn, interval, axis=0, method="inverted_cdf")
    slack = 1e-12  # the same count gives the same deviation up to rounding

    def outside(deviation: Float) -> NDArray[np.bool_]:
        above = np.asarray(deviation > high + slack)
        below = np.asarray(deviation < low - slack)
        return above | below if two else above

    return low, high, outside(deviation), float(outside(redrawn).mean(axis=0).sum())
