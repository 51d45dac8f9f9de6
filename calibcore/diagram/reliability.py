"""Reliability: one row per bin, what was predicted beside what happened (V19 §4.4).

For a two-class problem a bin deviates by ``observed − predicted`` of the first
class, and its consistency bar comes from the exact Poisson-binomial law or from
redraws. For more classes the deviation is the total variation distance in the
bin, and the bar comes from redraws.
"""

import math
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from calibcore.bounds import MOST_COUNT, Names, Nonnegative, NullIs, OneOf, Shape, Share, Within
from calibcore.data.predictions import Predictions
from calibcore.diagram.bars import (
    check_bars,
    check_interval,
    corner_shifts,
    exact_bars,
    redrawn_distances,
    resampled_bars,
)
from calibcore.diagram.binning import Binning, intervals
from calibcore.diagram.bins import Bins, bins_and_frequencies, diagram_order, hit_laws
from calibcore.display import WithFigure
from calibcore.errors import InputError
from calibcore.numerics.engine import Progress
from calibcore.numerics.resampling import check_redraws
from calibcore.numerics.streams import Seed, generator_of
from calibcore.numerics.types import Float, Int

COLUMNS = (
    "counts", "lowest", "highest", "mean_prediction", "observed", "deviation", "low", "high", "outside",
    "histogram",
)  # fmt: skip
UNTESTED_BARS, LABELS_BARS = "cross-fitted", "labels"
"""Bars of recalibrated predictions of the very cases that the map was fitted to: none."""


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(WithFigure):
    """One entry per bin that holds cases, in the order of the bins' first-class prediction.

    Attributes
    ----------
    class_names : m names
    counts : (n_bins,) cases
    lowest, highest : (n_bins,) smallest and largest first-class prediction in the bin
    mean_prediction, observed : (n_bins, m)
    deviation : (n_bins,) observed − predicted of the first class; total variation for m ≥ 3
    low, high : (n_bins,) where the deviation lies under calibration, at the interval's levels
    outside : (n_bins,) whether the deviation lies strictly outside; for m ≥ 3 only above, as a small
        total variation speaks for calibration
    histogram : (40,) cases by first-class prediction, in 40 equal intervals of [0, 1]
    expected_outside : how many bins chance alone puts outside
    interval : the two levels
    bars : "exact" (Poisson-binomial), "resampled", or none: "none" for weighted cases (means are weighted,
        counts and histogram are not), "cross-fitted", and "labels", whose pairs of a case depend on each
        other; then low and high are NaN, nothing is outside
    shifts_by_chance : (m,) what :attr:`shifts` of a calibrated model exceed, any class, in at most 5 % of the
        time; None but for three and four classes, and where cases are weighted, streamed or read from JSON

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, diagnose
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> diagram = diagnose(p).reliability
    >>> diagram, diagram.observed[:, 0], diagram.outside
    (Reliability(2 bins, 100 cases, 'well', 2 outside their bars), array([0.5, 1. ]), array([ True,  True]))
    """

    KEYS: ClassVar = (*COLUMNS, "expected_outside", "interval", "bars")
    READ: ClassVar = ("class_names",)  # as its lens has them

    class_names: Annotated[Names, Shape("classes")]
    counts: Annotated[Int, Shape("bins"), Within(1, MOST_COUNT)]
    lowest: Annotated[Float, Shape("bins"), Within(0, 1)]
    highest: Annotated[Float, Shape("bins"), Within(0, 1)]
    mean_prediction: Annotated[Float, Shape("bins", "classes"), Within(0, 1)]
    observed: Annotated[Float, Shape("bins", "classes"), Within(0, 1)]
    deviation: Annotated[Float, Shape("bins"), Within(-1, 1)]
    low: Annotated[Float, Shape("bins"), Within(-1, 1), NullIs(math.nan)]
    high: Annotated[Float, Shape("bins"), Within(-1, 1), NullIs(math.nan)]
    outside: Annotated[NDArray[np.bool_], Shape("bins")]
    histogram: Annotated[Int, Shape("cells"), Within(0, MOST_COUNT)]
    expected_outside: Nonnegative
    interval: tuple[Share, Share]
    bars: Annotated[str, OneOf("exact", "resampled", "none", UNTESTED_BARS, LABELS_BARS)]
    shifts_by_chance: Float | None = None

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where lists of a document contradict each other."""
        if len(self.class_names) < 2 or not len(self.counts):
            raise InputError("It has no bins, or fewer than two classes.")
        if len(self.histogram) != HISTOGRAM_BINS:
            raise InputError(f"Its histogram has {len(self.histogram):,} entries; expected {HISTOGRAM_BINS}.")
        if self.has_bars and bool(np.isnan(self.low).any() or np.isnan(self.high).any()):
            raise InputError(f"A bin has no bar, and bars are {self.bars!r}.")

    def __repr__(self) -> str:
        outside = "" if not self.has_bars else f", {self.outside.sum():,} outside their bars"
        return f"Reliability({self.n_bins:,} bins, {self.n_cases:,} cases, {self.class_names[0]!r}{outside})"

    @property
    def has_bars(self) -> bool:
        """Whether it says what chance allows; of weighted and of cross-fitted cases nothing is known, nor of
        the labels of a case together."""
        return self.bars not in ("none", UNTESTED_BARS, LABELS_BARS)

    @property
    def n_bins(self) -> int:
        """Number of bins that hold cases."""
        return len(self.counts)

    @property
    def n_cases(self) -> int:
        """Number of cases in all bins, those left out by :meth:`only` too."""
        return int(self.histogram.sum())

    def fullest(self, least: int = 1, most: int | None = None) -> Int:
        """The bins with ``least`` cases or more, the ``most`` fullest of them, in the order they have."""
        enough = np.flatnonzero(self.counts >= least)
        return np.sort(enough[np.argsort(-self.counts[enough], kind="stable")[:most]])

    @property
    def shifts(self) -> Float:
        """(m,) observed − predicted of every class, over all cases."""
        return np.asarray(self.counts / self.n_cases @ (self.observed - self.mean_prediction))

    @property
    def fewest_worth_showing(self) -> int:
        """Cases below which a bin says little: 5, or 1 in 2,000; never more than the fullest holds."""
        return int(min(max(5, self.n_cases // 2000), self.counts.max()))

    @property
    def fewest_well_filled(self) -> int:
        """Cases from which a bin helps to set the scale of a figure: 1 in 100, but 5 at least, and 30 or 1 in
        2,000 at most; never more than the fullest holds."""
        n = self.n_cases
        return int(min(max(5, min(30, n // 100), n // 2000), self.counts.max()))

    @property
    def well_filled(self) -> Int:
        """The bins that set the scale of a figure: of :attr:`fewest_well_filled` cases or more. Of two
        classes also those of 5 cases in which 1 in 20 of what is uncertain lies: of a rare class there may be
        no fuller one but where nothing happens."""
        filled = self.counts >= self.fewest_well_filled
        if len(self.class_names) == 2:
            first = self.mean_prediction[:, 0]
            uncertain = self.counts * np.minimum(first, 1 - first)
            filled |= (self.counts >= LEAST_CASES) & (uncertain >= LEAST_UNCERTAIN * uncertain.sum())
        return np.flatnonzero(filled)

    def only(self, bins: Int) -> "Reliability":
        """The same with only ``bins``, in that order; the summary numbers stay those of all."""
        per_bin = {name: getattr(self, name)[bins] for name in COLUMNS if name != "histogram"}
        return replace(self, **per_bin)


HISTOGRAM_BINS = 40
LEAST_CASES, LEAST_UNCERTAIN = 5, 0.05
_SURE = 1e-12
"""Keeps apart from 0 what is divided by, where every case of a bin was given 0 or 1."""


def reliability(
    predictions: Predictions,
    binning: Binning,
    interval: tuple[float, float] = (0.05, 0.95),
    bars: str = "exact",
    n_resamples: int = 999,
    rng: Seed = 0,
    progress: Progress | None = None,
    *,
    drawn: Float | None = None,
) -> Reliability:
    """Bin the predictions and say where each bin's deviation would lie under calibration.

    Parameters
    ----------
    interval : levels of the consistency bars; the bar is [q(low), q(high)]
    bars : "exact" for two classes; "resampled" redraws labels from the fixed predictions
        (always so for m ≥ 3). Cost O(n log n) exact, O(nm) a redraw.
    rng : for the redraws
    progress : is told which fraction of the redraws is done; may raise to stop them
    drawn : of three and more classes, (B, n_bins) total variations of :func:`redrawn_distances` that are
        there already

    Raises
    ------
    InputError : an interval that is none, an unknown kind of bars, fewer than 1 redraw.
    """
    check_interval(interval)
    check_bars(bars)
    check_redraws(n_resamples)
    bins, observed = bins_and_frequencies(predictions, binning)
    deviation = bins.distances(observed, bins.measure)
    two = predictions.m == 2
    if predictions.untested:
        low = high = np.full(bins.n_bins, np.nan)
        outside, expected = np.zeros(bins.n_bins, np.bool_), 0.0
        of_labels = LABELS_BARS if predictions.case_of is not None else UNTESTED_BARS
        bars = "none" if predictions.weights is not None else of_labels
    elif two and bars == "exact":
        hits = np.bincount(bins.index[predictions.labels == 0], minlength=bins.n_bins)
        laws = ((0, law) for law in hit_laws(predictions, binning, bins))
        low, high, outside, expected = exact_bars(laws, hits, bins, interval)
    else:
        if drawn is None:
            measure, rng = bins.measure, generator_of(rng)
            drawn = redrawn_distances(predictions, bins, (measure,), n_resamples, rng, progress)[measure]
        low, high, outside, expected = resampled_bars(deviation, drawn, interval, two)
        bars = "resampled"
    return Reliability(
        predictions.class_names, bins.counts, *first_class_range(predictions.probs, bins),
        bins.mean_prediction, observed, deviation, low, high, outside, histogram(predictions.probs), expected,
        interval, bars, corner_shifts(predictions),
    ).only(diagram_order(bins))  # fmt: skip


def first_class_range(probs: Float, bins: Bins) -> tuple[Float, Float]:
    """(n_bins,) the smallest and the largest first-class prediction of each bin."""
    first_class = probs[bins.rows, 0]
    return np.minimum.reduceat(first_class, bins.starts), np.maximum.reduceat(first_class, bins.starts)


def histogram(probs: Float) -> Int:
    """(n, m) -> (40,) cases by first-class prediction; an interval holds its left end, the last one both."""
    inner = np.arange(1, HISTOGRAM_BINS) / HISTOGRAM_BINS
    below = np.nextafter(inner, 0.0)  # edge ≤ p just where the double before it is < p
    return np.bincount(intervals(probs, below), minlength=HISTOGRAM_BINS).astype(np.int64)


class Place(NamedTuple):
    """A bin and a class of a diagram, by their places in it."""

    bin: int
    class_: int


def clearest(diagram: Reliability) -> Place | None:
    """The first of :func:`places_by_evidence`; None where no bin is outside its bar."""
    return next(iter(places_by_evidence(diagram)), None)


def places_by_evidence(diagram: Reliability) -> list[Place]:
    """The bins outside their bars, and the classes in them, those first that chance explains least.

    By the tail of a binomial law with the bin's mean prediction, at least as large as that of the exact law
    (Hoeffding 1956): a bin of few cases that is far off may be chance, a full one that is less far off is
    not. Of two classes it is the first. Tails too small for a number are told apart by deviations divided by
    their standard errors. Cost O(n_bins·m).
    """
    bins = np.flatnonzero(diagram.outside)
    if not len(bins):
        return []
    n, p, hits, tail = _tails(diagram, bins)
    classes = p.shape[1]
    errors = np.abs(hits - n * p) / np.sqrt(n * p * (1 - p) + _SURE)
    order = np.lexsort((-errors.ravel(), tail.ravel()))
    return [Place(int(bins[place // classes]), int(place % classes)) for place in order]


def ranks_by_evidence(diagram: Reliability) -> Int:
    """(n_bins,) where each bin comes in :func:`places_by_evidence`, from 0; those inside their bars all come
    last. The one order of bins and of arrows that are told apart by nothing else."""
    ranks = np.full(diagram.n_bins, diagram.n_bins)
    for rank, b in enumerate(dict.fromkeys(place.bin for place in places_by_evidence(diagram))):
        ranks[b] = rank
    return ranks


def _tails(diagram: Reliability, bins: Int) -> tuple[Int, Float, Float, Float]:
    """(b, 1) cases of these bins; (b, classes) mean predictions, outcomes, and their binomial tails."""
    m = len(diagram.class_names)
    classes = 1 if m == 2 else m
    n = diagram.counts[bins, None]
    p = np.clip(diagram.mean_prediction[bins, :classes], 0.0, 1.0)
    hits = np.rint(n * diagram.observed[bins, :classes])
    above = hits > n * p
    tail = np.where(
        above,
        betainc(np.where(above, hits, 1), n - hits + 1, p),
        np.where(hits < n, betainc(np.where(hits < n, n - hits, 1), hits + 1, 1 - p), 1.0),
    )
    return n, p, hits, tail


def p_of_bins(diagram: Reliability) -> float | None:
    """An upper bound of the p of the farthest bin, adjusted for all of them, from the diagram alone.

    Outcomes in a bin have a Poisson-binomial law, whose tails from one outcome beyond the mean on are at most
    those of the binomial law with the mean prediction (Hoeffding 1956, Theorem 4); nearer to the mean,
    Markov's inequality bounds them. Twice the smallest of those outside their bars, times the number of bins
    and, of three and more classes, of classes (Bonferroni). None where outcomes of a bin are not independent,
    as of pooled pairs, and where nothing is known of chance. Cost O(n_bins·m).
    """
    if not diagram.has_bars or (len(diagram.class_names) == 2 and diagram.bars != "exact"):
        return None
    n, p, hits, tail = _tails(diagram, np.arange(diagram.n_bins))
    mean, beyond = n * p, np.abs(hits - n * p)
    above = hits > mean
    with np.errstate(divide="ignore", invalid="ignore"):
        markov = np.where(above, mean / hits, (n - mean) / (n - hits))
    bound = np.where(beyond >= 1, tail, np.where(hits == mean, 1.0, markov))
    outside = bound[diagram.outside]
    return min(1.0, 2.0 * bound.size * float(outside.min(initial=1.0)))
