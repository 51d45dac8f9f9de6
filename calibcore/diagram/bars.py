"""Consistency bars: where the deviation of a bin lies if the model is calibrated.

Of two classes by the exact Poisson-binomial law of its hits, or by redraws, as always of more.
"""

import math
from collections.abc import Iterable
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.diagram.bins import Bins
from calibcore.errors import InputError
from calibcore.numerics import loops, picking
from calibcore.numerics.drawn_hits import LANES, drawn_hits
from calibcore.numerics.draws import Draws
from calibcore.numerics.engine import Progress, in_order
from calibcore.numerics.poisson_binomial import hits_distribution, quantile_of_counts
from calibcore.numerics.resampling import edges_in_threads
from calibcore.numerics.types import Float, Int
from calibcore.transforms.redraws import redrawn_labels

BARS = ("exact", "resampled")
_TABLES_BYTES = 32_000_000
MANY_HITS = 1_000
"""Variance of a number of hits above which its law is taken for normal."""
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


def redrawn_distances(
    predictions: Predictions,
    bins: Bins,
    names: Iterable[str],
    n_resamples: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> dict[str, Float]:
    """Of each name (n_resamples, n_bins) :meth:`.Bins.distances` of redrawn frequencies.

    All of the same labels, those of :func:`redrawn_labels`. In threads; memory 32 MB a thread, or 4 redraws.
    """
    out = {name: np.empty((n_resamples, bins.n_bins)) for name in names}
    # Of few classes, a label a row and a generator that jumps, labels are counted and never written down.
    few = predictions.m - 1 <= picking.FEW_EDGES and predictions.pooled_from is None
    if few and isinstance(rng.bit_generator, np.random.PCG64):
        edges, index, draws = edges_in_threads(predictions.chances), loops.read_only(bins.index), Draws(rng)

        def measure(part: slice) -> None:
            many = min(part.stop, n_resamples) - part.start
            hits = drawn_hits(edges, index, bins.n_bins, many, draws.at(part.start * predictions.n))
            frequencies = hits / bins.counts[:, None]
            for name, distances in out.items():
                distances[part] = bins.distances(frequencies, name)

        at_once = _TABLES_BYTES // (8 * bins.mean_prediction.size * LANES)
        parts = loops.blocks(n_resamples, LANES * max(1, min(4, at_once)))
        for _ in in_order(measure, parts, progress, predictions.n):
            pass
        draws.passed(n_resamples * predictions.n)
        return out
    done = 0
    for block in redrawn_labels(predictions, n_resamples, rng):
        for name, distances in out.items():
            distances[done : done + len(block)] = bins.of_distances(block, np.asarray, name)
        done += len(block)
        if progress is not None:
            progress(done / n_resamples)
    return out


def resampled_bars(deviation: Float, redrawn: Float, interval: tuple[float, float], two: bool) -> Bars:
    """Quantiles of (B, n_bins) redrawn deviations; ``two`` classes deviate to either side."""
    low, high = np.quantile(redrawn, interval, axis=0, method="inverted_cdf")
    slack = 1e-12  # the same count gives the same deviation up to rounding

    def outside(deviation: Float) -> NDArray[np.bool_]:
        above = np.asarray(deviation > high + slack)
        below = np.asarray(deviation < low - slack)
        return above | below if two else above

    return low, high, outside(deviation), float(outside(redrawn).mean(axis=0).sum())


def corner_shifts(predictions: Predictions) -> Float | None:
    """:func:`shifts_by_chance` where arrows are drawn: three or four classes, cases that are tested."""
    has_figure = predictions.m in (3, 4) and not predictions.untested
    return shifts_by_chance(predictions.probs, chances=predictions.chances) if has_figure else None


def shifts_by_chance(probs: Float, level: float = 0.05, chances: Float | None = None) -> Float:
    """(n, m) -> (m,) how far a calibrated model's classes may be from happening as often as predicted.

    Observed less predicted frequency over all cases exceeds this, for any class, in at most ``level`` of the
    time: Bonferroni over the classes, each with the Poisson-binomial law of its hits. ``chances``: what
    labels are drawn from, where those are others. Cost O(mn log n).
    """
    n, m = probs.shape
    tail = level / (2 * m)
    drawn = np.clip(probs if chances is None else chances, 0.0, 1.0).T
    return np.array(
        [_farthest_hits(own, float(p.sum()), tail) / n for own, p in zip(drawn, probs.T, strict=True)]
    )


def _farthest_hits(chances: Float, mean: float, tail: float) -> float:
    """How far the hits of (n,) cases lie from that mean but for ``tail`` of the time on either side."""
    variance = float((chances * (1 - chances)).sum())
    if variance > MANY_HITS:
        shift = abs(float(chances.sum()) - mean)
        return NormalDist().inv_cdf(1 - tail) * math.sqrt(variance) + shift
    law = hits_distribution(chances)
    below, above = (quantile_of_counts(law, end) for end in (tail, 1 - tail))
    return max(0.0, above - mean, mean - below)
