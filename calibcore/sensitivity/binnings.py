"""Binning sensitivity: the ECE over many ways of binning, each beside its level under calibration."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.diagnose.estimates import level_of
from calibcore.diagram.binning import (
    EDGE,
    Binning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
    uniform_edges,
)
from calibcore.diagram.bins import Bins, bins_by_number, bins_of
from calibcore.estimators.ece import ECE
from calibcore.hypothesis_tests.adjust import step_down_min_p
from calibcore.hypothesis_tests.result import monte_carlo_pvalue
from calibcore.numerics import loops
from calibcore.numerics.progress import Progress, Report, telling
from calibcore.numerics.resampling import drawn_counts, first_class_chances
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Int, Labels
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.redraws import redrawn_labels

MOST_BINS = 50
REDRAWS = {True: 499, False: 199}
"""Redraws at most for two classes, and for more."""


@dataclass(frozen=True)
class LeftClosedBinning(UniformBinning):
    """As :class:`UniformBinning`, but k/b ≤ p < (k + 1)/b, and 1 in the last interval.

    The rule of ``numpy.histogram`` and of tools built on ``digitize``. Through a lens of two classes it
    is what the right-closed rule makes of the other class. For comparison only, not a setting.
    """

    kind: ClassVar[str] = "uniform-left-closed"

    @property
    def inner_edges(self) -> Float:
        """(b − 1,) rising; a component lies in the interval after those that are at or below it."""
        return uniform_edges(self.n_bins)[:-1] - EDGE


@dataclass(frozen=True)
class Way:
    """The ECE with one binning.

    Attributes
    ----------
    number : bins that were asked for, where the scheme is told; else as many as hold cases
    held : bins that hold cases
    mean, low, high : of the ECE under calibration, and where 90 % of it lie
    pvalue : exact, by itself
    """

    binning: Binning
    number: int
    held: int
    ece: float
    mean: float
    low: float
    high: float
    pvalue: float


@dataclass(frozen=True, eq=False)
class BinningSensitivity:
    """The ECE over ways of binning on the same redraws, scheme by scheme, from few to many bins.

    ``chosen`` is the place of the settings' own binning. ``smallest`` is the smallest p after adjusting
    for all ways that were tried (step-down minimum p): exact, whichever bins please. ``m`` classes.
    """

    ways: tuple[Way, ...]
    chosen: int
    smallest: float
    m: int
    n_resamples: int
    distance: str
    alpha: float

    @property
    def schemes(self) -> dict[str, tuple[Way, ...]]:
        """Kind of binning -> its ways."""
        kinds = dict.fromkeys(way.binning.kind for way in self.ways)
        return {kind: tuple(way for way in self.ways if way.binning.kind == kind) for kind in kinds}


def ways_to_bin(n: int, m: int, chosen: Binning) -> tuple[Binning, ...]:
    """What is tried for ``n`` cases of ``m`` classes, and ``chosen``: nothing that looks at labels."""
    binnings: list[Binning]
    if m == 2:
        numbers = range(2, MOST_BINS + 1)
        binnings = [*map(UniformBinning, numbers), *map(LeftClosedBinning, numbers)]
        binnings += [EqualMassBinning(b) for b in numbers if b <= n]
    else:
        binnings = [UniformBinning(k) for k in range(2, 11)]
    if m == 3:
        binnings += [SimplexBinning(k) for k in (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20)]
    parts = [b for b in (2, 4, 8, 16, 32, *((64, 128, 256) if m > 2 else ())) if b <= n]
    binnings += [MedianVarianceBinning(n // b) for b in parts]
    if isinstance(chosen, MeanVarianceBinning):
        binnings += [MeanVarianceBinning(max(2, n // b)) for b in parts]
    return tuple(dict.fromkeys([*binnings, chosen]))


def binning_sensitivity(
    predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None = None
) -> BinningSensitivity:
    """The ECE through ``spec.lens`` with other bins than ``spec.binning``, and with that.

    Labels are redrawn from the fixed predictions, the same ones for all ways; of two classes only the
    hits of the finest cells that the bins have in common matter, so B redraws cost O(B · cells) after
    O(n log n) a way. More classes: O(n) a redraw and way.

    Raises
    ------
    InputError : weighted predictions; a lens or a binning that does not fit.
    """
    induced = spec.induced(predictions)
    refuse_untested(induced)
    two = induced.m == 2
    binnings = ways_to_bin(induced.n, induced.m, spec.binning)
    n_resamples = min(spec.resamples, REDRAWS[two])
    rng = stream(spec.seed, "binning-sensitivity")

    report = telling(progress, "redrawing outcomes for other bins")
    report(0.0)
    work = _of_two if two else _of_many
    statistics, bin_counts = work(induced, binnings, spec.distance, n_resamples, rng, report)
    ways = [_way(*results, two) for results in zip(binnings, bin_counts, statistics, strict=True)]
    kinds = list(dict.fromkeys(b.kind for b in binnings))
    ways.sort(key=lambda way: (kinds.index(way.binning.kind), way.number, way.held))
    report(1.0)
    return BinningSensitivity(
        tuple(ways),
        next(i for i, way in enumerate(ways) if way.binning == spec.binning),
        float(step_down_min_p(statistics)[1].min()),
        induced.m,
        n_resamples,
        spec.distance,
        spec.alpha,
    )


def _way(binning: Binning, n_bins: int, statistics: Float, two: bool) -> Way:
    """``statistics (1 + B,)``: observed, then redrawn."""
    observed, null = float(statistics[0]), statistics[1:]
    level = level_of(null)
    number = binning.n_bins if two and isinstance(binning, UniformBinning | EqualMassBinning) else n_bins
    pvalue = monte_carlo_pvalue(observed, null)
    return Way(binning, number, n_bins, observed, level["mean"], level["low"], level["high"], pvalue)


def _of_two(
    p: Predictions,
    binnings: Sequence[Binning],
    distance: str,
    n_resamples: int,
    rng: np.random.Generator,
    report: Report,
) -> tuple[Float, list[int]]:
    """(L, 1 + B) observed and redrawn ECEs, and how many bins hold cases. Labels are drawn by cells:

    all bins of two classes are intervals of the first component: whole runs of the cells between the
    edges of all of them.
    """
    order = np.argsort(p.probs[:, 0], kind="stable")
    rising = loops.read_only(np.ascontiguousarray(p.probs[order]))
    starts = []
    for i, binning in enumerate(binnings):
        starts.append(np.flatnonzero(np.diff(binning.assign(rising), prepend=-1)))
        report(0.6 * (i + 1) / len(binnings))
    first = np.unique(np.concatenate(starts))
    cell = np.empty(p.n, np.int64)
    cell[order] = np.repeat(np.arange(len(first)), np.diff(first, append=p.n))
    cells = bins_by_number(p.probs, cell)
    hits = _hits(p, cells, n_resamples, rng)
    report(0.8)
    below = np.concatenate([np.zeros((1, len(hits)), np.int64), np.cumsum(hits.T, axis=0)])
    sums = cells.counts[:, None] * cells.mean_prediction
    statistics = np.empty((len(binnings), len(hits)))
    for i, (binning, begin) in enumerate(zip(binnings, starts, strict=True)):
        edges = np.searchsorted(first, begin)
        counts = np.diff(begin, append=p.n)
        predicted = np.add.reduceat(sums, edges) / counts[:, None]
        of_bins = np.diff(below[np.append(edges, len(first))], axis=0).T
        observed = np.stack([of_bins, counts - of_bins], axis=-1) / counts[:, None]
        statistics[i] = ECE(binning, distance).of_bins(observed, predicted, counts)
        report(0.8 + 0.2 * (i + 1) / len(binnings))
    return statistics, [len(begin) for begin in starts]


def _of_many(
    p: Predictions,
    binnings: Sequence[Binning],
    distance: str,
    n_resamples: int,
    rng: np.random.Generator,
    report: Report,
) -> tuple[Float, list[int]]:
    """As :func:`_of_two` for three and more classes, label by label."""
    every = [bins_of(p.probs, binning) for binning in binnings]
    columns: list[Float] = []
    done = 0
    for labels in chain([p.labels[None]], redrawn_labels(p, n_resamples, rng)):
        rows = []
        for i, (binning, bins) in enumerate(zip(binnings, every, strict=True)):
            rows.append(ECE(binning, distance).of_labels(labels, bins))
            report((done + (i + 1) / len(binnings) * len(labels)) / (n_resamples + 1))
        columns.append(np.stack(rows))
        done += len(labels)
    return np.concatenate(columns, axis=1), [bins.n_bins for bins in every]


def _hits(p: Predictions, cells: Bins, n_resamples: int, rng: np.random.Generator) -> Int:
    """(1 + B, cells) observed and redrawn cases of the first class in each cell."""
    observed = _case_counts(cells, p.labels[None])
    if p.rows_are_cases:
        laws = [np.cumsum(law) for law in cells.hit_laws(first_class_chances(p.chances))]
        return np.concatenate([observed, drawn_counts(laws, n_resamples, rng)])
    return np.concatenate([observed, *(_case_counts(cells, y) for y in redrawn_labels(p, n_resamples, rng))])


def _case_counts(cells: Bins, labels: Labels) -> Int:
    """(B, n) labels -> (B, cells) how many are of the first class."""
    return np.rint(cells.frequencies(labels)[..., 0] * cells.counts).astype(np.int64)
