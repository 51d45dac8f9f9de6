r"""Arrows without bins: which way outcomes lie from predictions around a place, and what chance allows.

At a place t of the simplex the residuals $r_j = e_{y_j} - g_j$ are averaged with the weights of a kernel,
$\hat w(t) = \sum_j \kappa(t, g_j)\, r_j / \sum_j \kappa(t, g_j)$. Under calibration its mean is 0 and
$E\|\hat w(t)\|^2 = \sum_j \kappa(t, g_j)^2 (1 - \|g_j\|^2) / (\sum_j \kappa(t, g_j))^2$. The statistic is
the largest $\|\hat w(t)\|^2 / E\|\hat w(t)\|^2$ over places that predictions alone decide. Labels redrawn
from the predictions give its law, and with it a band that holds at all places at once, exactly.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
from calibcore.numerics.types import Float, Labels

MOST_PLACES = 150
_FINE = {2: UniformBinning(50), 3: SimplexBinning(12)}
_PARTS = 100
_SUMS = 8_000_000
"""Numbers that are kept of redrawn labels at a time."""


@dataclass(frozen=True, eq=False, repr=False)
class SmoothArrows(WithFigure):
    """The smoothed residuals at J places: arrows of three classes, a curve with a band of two.

    Attributes
    ----------
    places, arrows : (J, m) where, and ŵ there: observed less predicted, rows sum to 0
    cases : (J,) how many cases alike would be as sure, (Σκ)²/Σκ²
    shares : (J,) share of the cases that have most weight at this place of all
    deviation : (J,) √E‖ŵ‖² under calibration
    critical : ‖ŵ‖ in units of ``deviation`` that chance allows, at all places at once, at the level α
    statistic, pvalue, n_resamples : exact, of the largest ‖ŵ‖²/E‖ŵ‖²
    bandwidth : of the kernel
    n : cases
    reach : total variation distance from a place to what is averaged there, on average over the cases: of
        two classes how far the probabilities are apart

    >>> import numpy as np
    >>> from calibcore import Predictions, SmoothArrows, without_bins
    >>> p, labels = np.tile([0.2, 0.8], 200), np.tile([1, 1, 1, 0], 100)
    >>> found = without_bins(Predictions.from_arrays(np.column_stack([p, 1 - p]), labels))
    >>> isinstance(found, SmoothArrows), found.strong.tolist()
    (True, [True, True])
    """

    class_names: tuple[str, ...]
    places: Float
    arrows: Float
    cases: Float
    shares: Float
    deviation: Float
    critical: float
    statistic: float
    pvalue: float
    n_resamples: int
    bandwidth: float
    alpha: float
    n: int
    reach: float

    def __repr__(self) -> str:
        return f"SmoothArrows({self.n:,} cases, {len(self.places)} places, p {self.pvalue:.4g})"

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


def smooth_arrows(
    predictions: Predictions,
    kernel: Kernel | None = None,
    n_resamples: int = 999,
    alpha: float = 0.05,
    rng: np.random.Generator | None = None,
    *,
    places: Float | None = None,
    report: Report | None = None,
) -> SmoothArrows:
    """Smoothed residuals with their exact simultaneous band. Cost O(J·n·(m + B)).

    Parameters
    ----------
    kernel : None: the exponential kernel with the median of the distances as bandwidth
    places : (J, m) fixed without looking at labels; None: :func:`places_of`

    Raises
    ------
    InputError : weighted or pooled cases, places of another number of classes, too few redraws for ``alpha``.
    """
    refuse_untested(predictions)
    if not predictions.rows_are_cases:
        raise InputError("Pooled pairs of one case depend on each other: arrows are about cases.")
    most = math.floor(alpha * (n_resamples + 1) * (1 + ROUNDING))
    if most < 1:
        raise InputError(f"{n_resamples} redraws are too few for a band at the level {alpha:g}.")
    where = places_of(predictions) if places is None else np.asarray(places, np.float64)
    if where.ndim != 2 or not len(where) or where.shape[1] != predictions.m:
        raise InputError(f"The places have the shape {where.shape}; expected (J, {predictions.m}).")
    resolved, bandwidth = (kernel or ExponentialKernel()).resolved(predictions.probs)
    smoother = _Smoother(predictions, resolved, where)
    arrows, expected = smoother.observed()
    observed = _largest(np.square(arrows).sum(axis=1)[None], expected)[0]
    redrawn = _largest(smoother.redrawn(n_resamples, rng or np.random.default_rng(0), report), expected)
    return SmoothArrows(
        predictions.class_names,
        where,
        arrows,
        smoother.total**2 / smoother.squares,
        smoother.nearest / predictions.n,
        np.sqrt(expected),
        math.sqrt(float(np.sort(redrawn)[-most])),
        float(observed),
        monte_carlo_pvalue(float(observed), redrawn),
        n_resamples,
        bandwidth.value,
        alpha,
        predictions.n,
        float(smoother.nearest @ (smoother.distances / smoother.total)) / predictions.n,
    )


class _Smoother:
    """Weighted means at the places, a slice of the cases at a time: no weight is kept.

    total, squares, distances : (J,) Σκ, Σκ² and Σκ·d, d the total variation distance
    nearest : (J,) cases that have most weight at this place of all
    """

    def __init__(self, predictions: Predictions, kernel: Kernel, places: Float) -> None:
        self.predictions, self.kernel, self.places = predictions, kernel, places
        self.probs = predictions.probs / predictions.probs.sum(axis=1, keepdims=True)
        self.chunks = chunks_of(predictions.n)
        parts = loops.in_threads(self._sums, self.chunks)
        self.total, self.squares, self.distances, self._varying, self.nearest, self._said, self._happened = (
            np.asarray(sum(some)) for some in zip(*parts, strict=True)
        )
        if (self.total <= 0).any():
            raise InputError("At a place no case has any weight. Choose places where there are predictions.")

    def _weights(self, some: slice) -> Float:
        """(c, J)"""
        return self.kernel.matrix(self.predictions.probs[some], self.places)

    def _sums(self, some: slice) -> tuple[Float, ...]:
        weights, g, labels = self._weights(some), self.probs[some], self.predictions.labels[some]
        happened = np.zeros((1, g.shape[1], len(self.places)))
        loops.add_weights(weights, loops.read_only(labels[None].astype(np.int16)), happened)
        squares = np.square(weights)
        return (
            weights.sum(axis=0),
            squares.sum(axis=0),
            (weights * distances(g, self.places, "total-variation")).sum(axis=0),
            np.einsum("cj,ck->j", squares, g * (1 - g)),
            np.bincount(weights.argmax(axis=1), minlength=len(self.places)).astype(np.float64),
            np.einsum("cj,ck->jk", weights, g),
            happened[0].T,
        )

    def observed(self) -> tuple[Float, Float]:
        """(J, m) ŵ, and (J,) E‖ŵ‖² under calibration."""
        arrows = (self._happened - self._said) / self.total[:, None]
        return arrows, np.maximum(self._varying, 0.0) / self.total**2

    def redrawn(self, n_resamples: int, rng: np.random.Generator, report: Report | None) -> Float:
        """(B, J) ‖ŵ‖² of redrawn labels: those of :func:`.redrawn_labels` with the same generator."""
        n, m = self.predictions.n, self.predictions.m
        edges, draws = edges_in_threads(self.predictions.probs), Draws(rng)
        squares = np.empty((n_resamples, len(self.places)))
        size = max(1, _SUMS // (m * len(self.places)))
        for first in range(0, n_resamples, size):
            redraws = range(first, min(first + size, n_resamples))
            sums = np.zeros((len(redraws), m, len(self.places)))
            for some in self.chunks:
                self._add(draws, edges, some, redraws, sums)
                if report is not None:
                    done = first * n + len(redraws) * min(some.stop, n)
                    report(done / (n_resamples * n))
            off = (sums - self._said.T) / self.total
            squares[redraws.start : redraws.stop] = np.square(off).sum(axis=1)
        draws.passed(n_resamples * n)
        return squares

    def _add(self, draws: Draws, edges: Float, some: slice, redraws: range, sums: Float) -> None:
        """To ``sums`` (b, m, J) the weights of some cases, at their redrawn labels."""
        weights, n = self._weights(some), self.predictions.n

        def use(_cases: slice, b: int, labels: Labels) -> None:
            at = b - redraws.start
            loops.add_weights(weights, loops.read_only(labels), sums[at : at + len(labels)])

        draws.labels(some.start, n, edges[some], redraws, use, [slice(0, len(weights))])


def _largest(squares: Float, expected: Float) -> Float:
    """(b,) the largest ‖ŵ‖²/E‖ŵ‖² of (b, J); where nothing can vary, infinite if anything is off."""
    surely = np.where(squares > ROUNDING, np.inf, 0.0)
    varying = expected > ROUNDING**2
    ratios = np.where(varying, squares / np.where(varying, expected, 1.0), surely)
    return np.asarray(ratios.max(axis=1))
