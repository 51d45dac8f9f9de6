r"""Arrows without bins: what happened around a place, from what was predicted there, and what chance allows.

Around a place t of the simplex predictions and outcomes are averaged with the weights of a kernel,
$\bar g(t) = \sum_j \kappa_t(g_j)\, g_j / \sum_j \kappa_t(g_j)$ and $\bar y(t)$ likewise. Both lie in the
simplex, so an arrow is drawn from $\bar g(t)$ to $\bar y(t)$, as one of a bin is. Under calibration
$\hat w(t) = \bar y(t) - \bar g(t)$ has mean 0 and
$E\|\hat w(t)\|^2 = \sum_j \kappa_t(g_j)^2 (1 - \|g_j\|^2) / (\sum_j \kappa_t(g_j))^2$. The statistic is the
largest $\|\hat w(t)\|^2 / E\|\hat w(t)\|^2$ over places that predictions alone decide. Labels redrawn from
the predictions give its law, and with it a band that holds at all places at once, exactly.

The bandwidth at a place is decided by predictions alone, too: the largest at which the predictions that are
averaged lie :data:`SIMILAR` away on average. Where that leaves fewer than :data:`LEAST_CASES` effective cases
$(\sum\kappa)^2/\sum\kappa^2$ it is as much larger as it takes, and where that would average over more than
:data:`FARTHEST` there is no place.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.data.arrays import as_array
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.diagram.binning import Binning, MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.diagram.bins import bins_of
from calibcore.display import WithFigure
from calibcore.errors import InputError
from calibcore.hypothesis_tests.result import ROUNDING, monte_carlo_pvalue, none_as_extreme
from calibcore.kernels import ExponentialKernel, Kernel
from calibcore.kernels.bandwidths import distances
from calibcore.numerics import loops
from calibcore.numerics.draws import Draws, chunks_of
from calibcore.numerics.progress import Report
from calibcore.numerics.resampling import edges_in_threads
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float, Labels

MOST_PLACES = 150
SIMILAR, FARTHEST = 0.05, 0.10
"""Total variation distance to what is averaged, on average: as wanted, and at most where cases lack."""
LEAST_CASES = 30
"""As sure as of so many a place has to be."""
_STEPS = 1_024
"""Of a distance, finer near 0, by which the bandwidths are found."""
_BANDWIDTHS = np.geomspace(1e-4, 10, 150)
_FINE = {2: UniformBinning(50), 3: SimplexBinning(12)}
_PARTS = 100
_SUMS = 8_000_000
"""Numbers that are kept of redrawn labels at a time."""


@dataclass(frozen=True, eq=False, repr=False)
class SmoothArrows(WithFigure):
    """What was predicted and what happened around J places: arrows of three classes, a curve of two.

    Attributes
    ----------
    places : (J, m) around which is averaged
    predicted, observed : (J, m) the averages ḡ and ȳ there, in the simplex; of two classes ḡ rises
    cases : (J,) how many cases alike would be as sure, (Σκ)²/Σκ²
    shares : (J,) share of the cases that are nearest to this place of all
    deviation : (J,) √E‖ŵ‖² under calibration
    critical : ‖ŵ‖ in units of ``deviation`` that chance allows, at all places at once, at the level α
    statistic, pvalue, n_resamples : exact, of the largest ‖ŵ‖²/E‖ŵ‖²
    bandwidths : (J,) of the kernel at each place
    n : cases
    reach : total variation distance from a place to what is averaged there, on average over the cases: of
        two classes how far the probabilities are apart

    >>> import numpy as np
    >>> from calibcore import Predictions, SmoothArrows, average_without_bins
    >>> p, labels = np.tile([0.2, 0.8], 200), np.tile([1, 1, 1, 0], 100)
    >>> arrows = average_without_bins(Predictions.from_arrays(np.column_stack([p, 1 - p]), labels))
    >>> isinstance(arrows, SmoothArrows), arrows.strong.tolist()
    (True, [True, True])
    """

    class_names: tuple[str, ...]
    places: Float
    predicted: Float
    observed: Float
    cases: Float
    shares: Float
    deviation: Float
    critical: float
    statistic: float
    pvalue: float
    n_resamples: int
    bandwidths: Float
    alpha: float
    n: int
    reach: float

    def __repr__(self) -> str:
        return f"SmoothArrows({self.n:,} cases, {len(self.places)} places, p {self.pvalue:.4g})"

    @property
    def arrows(self) -> Float:
        """(J, m) ŵ: observed less predicted, rows sum to 0."""
        return self.observed - self.predicted

    @property
    def lengths(self) -> Float:
        """(J,) ‖ŵ‖."""
        return np.asarray(np.sqrt(np.square(self.arrows).sum(axis=1)))

    @property
    def allowed(self) -> Float:
        """(J,) the ‖ŵ‖ that chance allows, at all places at once."""
        return self.critical * self.deviation

    @property
    def strong(self) -> NDArray[np.bool_]:
        """(J,) whether an arrow is longer than chance allows; if one is, p is α or less."""
        return np.asarray(self.lengths > self.allowed * (1 + ROUNDING) + ROUNDING)

    @property
    def band(self) -> Float:
        """(J,) of two classes: how far the first component may lie from 0, at all places at once."""
        if self.places.shape[1] != 2:
            raise InputError(f"There are {self.places.shape[1]} classes; a band around a curve needs 2.")
        return self.allowed / math.sqrt(2)

    @property
    def chance(self) -> tuple[Float, Float]:
        """Twice (J,) of two classes: from where to where the curve may lie, no frequency outside 0 to 1."""
        predicted = self.predicted[:, 0]
        return np.maximum(-self.band, -predicted), np.minimum(self.band, 1 - predicted)

    @property
    def curve(self) -> Float:
        """(J,) of two classes: how much more often than predicted the first one happens.

        It leaves 0 ± ``band`` at ``strong`` places and nowhere else.
        """
        return np.asarray(self.arrows[:, 0])

    @property
    def at_floor(self) -> bool:
        """Whether no redraw was as extreme."""
        return none_as_extreme(self.pvalue, self.n_resamples)


def places_of(predictions: Predictions) -> Float:
    """(J, m) where there are predictions: their means in fine bins, the :data:`MOST_PLACES` fullest.

    Labels are not looked at. Cost O(nm).
    """
    n, m = predictions.n, predictions.m
    binning: Binning = _FINE.get(m) or MedianVarianceBinning(max(2, n // _PARTS))
    bins = bins_of(predictions.probs, binning)
    fullest = np.argsort(-bins.counts, kind="stable")[:MOST_PLACES]
    return np.asarray(bins.mean_prediction[np.sort(fullest)])


def local_bandwidths(probs: Float, kernel: Kernel, places: Float) -> tuple[Float, NDArray[np.bool_]]:
    """(J,) the bandwidth at each place, and whether enough cases are similar there. Cost O(J·n·m).

    From distances in fine steps, so that one pass over the cases answers for all bandwidths.
    """
    widest = math.sqrt(2) if kernel.metric == "euclidean" else 1.0
    edges = widest * np.square(np.arange(_STEPS + 1) / _STEPS)
    counts, apart = np.zeros((2, len(places), _STEPS))
    first = _STEPS * np.arange(len(places))
    for chunk in chunks_of(len(probs)):
        steps = np.sqrt(distances(probs[chunk], places, kernel.metric) / widest) * _STEPS
        index = (first + np.minimum(steps.astype(np.int64), _STEPS - 1)).ravel()
        counts += np.bincount(index, minlength=counts.size).reshape(counts.shape)
        tv = distances(probs[chunk], places, "total-variation").ravel()
        apart += np.bincount(index, tv, minlength=apart.size).reshape(apart.shape)
    shapes = kernel.at_bandwidths((edges[:-1] + edges[1:]) / 2, _BANDWIDTHS)
    total, squares = counts @ shapes, counts @ np.square(shapes)
    with np.errstate(invalid="ignore", divide="ignore"):  # a tiny bandwidth: nobody has any weight
        reach, cases = apart @ shapes / total, np.square(total) / squares
    last = len(_BANDWIDTHS) - 1
    similar = last - np.argmax((reach <= SIMILAR)[:, ::-1], axis=1)
    similar[~(reach <= SIMILAR).any(axis=1)] = 0
    enough = np.where((cases >= LEAST_CASES).any(axis=1), np.argmax(cases >= LEAST_CASES, axis=1), last)
    chosen, rows = np.maximum(similar, enough), np.arange(len(places))
    good = (cases[rows, chosen] >= LEAST_CASES) & (reach[rows, chosen] <= FARTHEST)
    return _BANDWIDTHS[chosen], good


def _without_similar(kernel: Kernel) -> InputError:
    if not isinstance(kernel.bandwidth, str):
        return InputError(
            f"Nowhere does the bandwidth {kernel.bandwidth:g} hold {LEAST_CASES} cases. Take a larger one."
        )
    return InputError(
        f"Nowhere do {LEAST_CASES} cases lie within {100 * FARTHEST:.0f} points of each other on average, so "
        "there is nothing similar to average over. Take bins, or more cases."
    )


def smooth_arrows(
    predictions: Predictions,
    kernel: Kernel | None = None,
    n_resamples: int = 999,
    alpha: float = 0.05,
    rng: Seed = 0,
    *,
    places: Float | None = None,
    report: Report | None = None,
) -> SmoothArrows:
    """Averages of predictions and outcomes with an exact simultaneous band. Cost O(J·n·(m + B)).

    Parameters
    ----------
    kernel : its shape and metric, and its bandwidth if that is a number; where it is a rule, each place has
        its own, :func:`local_bandwidths`. None: the exponential kernel
    places : (J, m) fixed without looking at labels; None: those of :func:`places_of` where
        :data:`LEAST_CASES` are similar

    Raises
    ------
    InputError : weighted or pooled cases, places of another number of classes, too few redraws for
        ``alpha``, too few similar cases anywhere.
    """
    refuse_untested(predictions)
    if not predictions.rows_are_cases:
        raise InputError("Pooled pairs of one case depend on each other: arrows are about cases.")
    n, predictions = predictions.n, predictions.without_kept
    most = math.floor(alpha * (n_resamples + 1) * (1 + ROUNDING))
    if most < 1:
        raise InputError(f"{n_resamples} redraws are too few for a band at the level {alpha:g}.")
    where = places_of(predictions) if places is None else as_array(places, "places").astype(np.float64)
    if where.ndim != 2 or not len(where) or where.shape[1] != predictions.m:
        raise InputError(f"The places have the shape {where.shape}; expected (J, {predictions.m}).")
    smoother = _smoother(predictions, kernel or ExponentialKernel(), where, places is None)
    expected = smoother.expected
    observed = _largest(np.square(smoother.observed - smoother.predicted).sum(axis=1)[None], expected)[0]
    redrawn = _largest(smoother.redrawn(n_resamples, generator_of(rng), report), expected)
    return SmoothArrows(
        predictions.class_names,
        smoother.places,
        smoother.predicted,
        smoother.observed,
        smoother.cases,
        smoother.nearest / predictions.n,
        np.sqrt(expected),
        math.sqrt(float(np.sort(redrawn)[-most])),
        float(observed),
        monte_carlo_pvalue(float(observed), redrawn),
        n_resamples,
        smoother.bandwidths,
        alpha,
        n,
        float(smoother.nearest @ (smoother.distances / smoother.total)) / predictions.n,
    )


def _smoother(predictions: Predictions, kernel: Kernel, places: Float, choosing: bool) -> "_Smoother":
    """The averages at the places, if ``choosing`` only at those where enough cases are similar."""
    if isinstance(kernel.bandwidth, str):
        kernel.check(predictions.m)
        bandwidths, good = local_bandwidths(predictions.probs, kernel, places)
    else:
        bandwidths = np.full(len(places), float(kernel.bandwidth))
        if not choosing:
            return _Smoother(predictions, kernel, places, bandwidths)
        good = _Smoother(predictions, kernel, places, bandwidths).cases >= LEAST_CASES
    good |= not choosing
    if not good.any():
        raise _without_similar(kernel)
    places, bandwidths = places[good], bandwidths[good]
    smoother = _Smoother(predictions, kernel, places, bandwidths)
    if not choosing or predictions.m > 2:
        return smoother
    rising = np.argsort(smoother.predicted[:, 0], kind="stable")
    return _Smoother(predictions, kernel, places[rising], bandwidths[rising])


class _Smoother:
    """Weighted means at the places, a slice of the cases at a time: no weight is kept.

    total, distances : (J,) Σκ and Σκ·d, d the total variation distance
    cases : (J,) (Σκ)²/Σκ²
    nearest : (J,) cases that are nearest to this place of all
    predicted, observed : (J, m) means of predictions and of outcomes
    expected : (J,) E‖ŵ‖² under calibration
    """

    def __init__(self, predictions: Predictions, kernel: Kernel, places: Float, bandwidths: Float) -> None:
        self.predictions, self.kernel, self.places = predictions, kernel, places
        self.bandwidths = bandwidths
        self.probs = predictions.probs / predictions.probs.sum(axis=1, keepdims=True)
        self.chunks = chunks_of(predictions.n)
        parts = loops.in_threads(self._sums, self.chunks)
        self.total, squares, self.distances, varying, self.nearest, self._said, happened = (
            np.asarray(sum(sums)) for sums in zip(*parts, strict=True)
        )
        if (self.total <= 0).any():
            raise InputError("At a place no case has any weight. Choose places where there are predictions.")
        self.cases = self.total**2 / squares
        self.predicted, self.observed = (sums / self.total[:, None] for sums in (self._said, happened))
        self.expected = np.maximum(varying, 0.0) / self.total**2

    def _weights(self, rows: slice) -> Float:
        """(c, J)"""
        return self.kernel.matrix(self.predictions.probs[rows], self.places, self.bandwidths)

    def _sums(self, rows: slice) -> tuple[Float, ...]:
        weights, g, labels = self._weights(rows), self.probs[rows], self.predictions.labels[rows]
        happened = np.zeros((1, g.shape[1], len(self.places)))
        loops.add_weights(weights, loops.read_only(labels[None].astype(np.int16)), happened)
        squares, apart = np.square(weights), distances(g, self.places, "total-variation")
        return (
            weights.sum(axis=0),
            squares.sum(axis=0),
            (weights * apart).sum(axis=0),
            np.einsum("cj,ck->j", squares, g * (1 - g)),
            np.bincount(apart.argmin(axis=1), minlength=len(self.places)).astype(np.float64),
            np.einsum("cj,ck->jk", weights, g),
            happened[0].T,
        )

    def redrawn(self, n_resamples: int, rng: np.random.Generator, report: Report | None) -> Float:
        """(B, J) ‖ŵ‖² of redrawn labels: those of :func:`.redrawn_labels` with the same generator."""
        n, m = self.predictions.n, self.predictions.m
        edges, draws = edges_in_threads(self.predictions.probs), Draws(rng)
        squares = np.empty((n_resamples, len(self.places)))
        size = max(1, _SUMS // (m * len(self.places)))
        for first in range(0, n_resamples, size):
            redraws = range(first, min(first + size, n_resamples))
            sums = np.zeros((len(redraws), m, len(self.places)))
            for rows in self.chunks:
                self._add(draws, edges, rows, redraws, sums)
                if report is not None:
                    done = first * n + len(redraws) * min(rows.stop, n)
                    report(done / (n_resamples * n))
            off = (sums - self._said.T) / self.total
            squares[redraws.start : redraws.stop] = np.square(off).sum(axis=1)
        draws.passed(n_resamples * n)
        return squares

    def _add(self, draws: Draws, edges: Float, rows: slice, redraws: range, sums: Float) -> None:
        """To ``sums`` (b, m, J) the weights of some cases, at their redrawn labels."""
        weights, n = self._weights(rows), self.predictions.n

        def use(_cases: slice, b: int, labels: Labels) -> None:
            row = b - redraws.start
            loops.add_weights(weights, loops.read_only(labels), sums[row : row + len(labels)])

        draws.labels(rows.start, n, edges[rows], redraws, use, [slice(0, len(weights))])


def _largest(squares: Float, expected: Float) -> Float:
    """(b,) the largest ‖ŵ‖²/E‖ŵ‖² of (b, J); where nothing can vary, infinite if anything is off."""
    surely = np.where(squares > ROUNDING, np.inf, 0.0)
    varying = expected > ROUNDING**2
    ratios = np.where(varying, squares / np.where(varying, expected, 1.0), surely)
    return np.asarray(ratios.max(axis=1))
