"""Distances between predictions, and the rules that choose a bandwidth from them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TypeVar

import numpy as np
from scipy.spatial.distance import cdist

from calibcore.bounds import MOST_NUMBER, OneOf, Within
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.kernels.line import SAME, PairsOnALine
from calibcore.numerics import loops
from calibcore.numerics.distances import distance
from calibcore.numerics.types import Float, Int

METRICS = ("euclidean", "total-variation")


@dataclass(frozen=True)
class BandwidthRule:
    """What a rule is called in the side bar, and what it takes, in a sentence."""

    label: str
    phrase: str


BANDWIDTH_RULES = {
    "median": BandwidthRule("Median distance", "the median of the distances between predictions"),
    "median-with-diagonal": BandwidthRule(
        "Median, with each case's zero",
        "the median of the distances between predictions, zeros to itself counted",
    ),
    "mean": BandwidthRule("Mean distance", "the mean distance between predictions"),
}
"""In the order in which they are offered."""
ALL_PAIRS_UP_TO = 10_000
SAMPLED_PAIRS = 1_000_000
_PAIR_SEED = 20190501  # Fixed: a bandwidth is a property of the predictions, not of a run.
_BLOCK = 64
_CACHED = 1 << 18
"""Numbers that stay in a processor's cache, with what is made of them."""
SMALL = 1_000
NARROW = 0.1
T = TypeVar("T")


@dataclass(frozen=True)
class Bandwidth:
    """A bandwidth and where it comes from."""

    value: Annotated[float, Within(0, MOST_NUMBER, strict=True)]
    rule: Annotated[str, OneOf(*BANDWIDTH_RULES, "number")]
    """One of :data:`BANDWIDTH_RULES` or "number"."""
    pairs: Annotated[str, OneOf("all", "sampled", "none", "same")]
    """"all", "sampled" (10⁶ seeded pairs), "none" for a number, "same" where all predictions are one."""
    only_positive: bool = False
    """True if half the pairs coincide, so that only the positive distances were used."""
    narrow: bool = False
    """True if a rule gave less than a tenth of the mean distance: most predictions are nearly alike, and
    the kernel compares little else. The level of a test holds, its power may be gone."""


def bandwidth_from_words(words: str) -> str | float:
    """A rule's name or a number; :class:`InputError` lists the rules."""
    if words in BANDWIDTH_RULES:
        return words
    try:
        return float(words)
    except ValueError:
        raise InputError(
            f"There is no bandwidth {shown(words)}; expected a number or one of {', '.join(BANDWIDTH_RULES)}."
        ) from None


def deciding_columns(probs: Float) -> Float:
    """The columns that a distance looks at: the first of two, otherwise all."""
    return probs[:, :1] if probs.shape[1] == 2 else probs


def distances(p: Float, q: Float, metric: str) -> Float:
    """(n_p, m), (n_q, m) -> (n_p, n_q) Euclidean or total variation distances.

    Two classes: ``√2·|p_0 − q_0|`` and ``|p_0 − q_0|``, from the first component alone, so that
    predictions lie on a line even where rows sum to 1 only nearly.
    """
    if p.shape[1] == 2:
        return np.abs(p[:, :1] - q[:, 0]) * _line_scale(metric)
    if metric == "euclidean":
        return np.asarray(cdist(p, q, "euclidean"))
    return np.asarray(0.5 * cdist(p, q, "cityblock"))


def paired_distances(p: Float, q: Float, metric: str) -> Float:
    """(n, m), (n, m) -> (n,) distances row by row, as :func:`distances`."""
    if p.shape[1] == 2:
        return np.abs(p[:, 0] - q[:, 0]) * _line_scale(metric)
    return distance(metric)(p, q)


def _line_scale(metric: str) -> float:
    return math.sqrt(2) if metric == "euclidean" else 1.0


def bandwidth_by_rule(probs: Float, rule: str, metric: str) -> Bandwidth:
    """The median or mean distance between predictions.

    "median" and "mean" run over pairs i < j, "median-with-diagonal" over all n²
    ordered pairs (CalibrationErrors.jl). Two classes: exact at any n, by sorting.
    More: exact up to 10⁴ rows, above from 10⁶ seeded pairs. If half the pairs
    coincide, the median of the positive distances. Cost O(n²m) time, O(n)
    memory, 0.2 s at 10,000 × 10; two classes O(n log n).

    Raises
    ------
    InputError : fewer than two cases, or all pairs coincide.
    """
    n = len(probs)
    if n < 2:
        raise InputError(f"The bandwidth rule {rule!r} needs at least 2 cases; there is {n}.")

    def alike() -> bool:
        return bool((probs == probs[0]).all())

    if probs.shape[1] == 2:
        return bandwidth_on_a_line(PairsOnALine.of(probs[:, 0]), rule, metric, n, alike)
    sampled = _sampled_distances(probs, metric) if n > SMALL else np.empty(0)
    if n > ALL_PAIRS_UP_TO:
        return bandwidth_of_sample(sampled, rule, n, alike)
    exact = n <= SMALL or rule == "mean"
    mean = _exact_mean(probs, metric) if exact else float(sampled.mean())
    return _chosen(rule, "all", mean, partial(_median, probs, metric, sampled), n, alike)


def bandwidth_on_a_line(
    line: PairsOnALine, rule: str, metric: str, n: int, alike: Callable[[], bool]
) -> Bandwidth:
    """:func:`bandwidth_by_rule` of two classes; ``alike`` as in :func:`bandwidth_of_sample`."""
    scale = _line_scale(metric)
    return _chosen(rule, "all", line.mean() * scale, lambda *args: line.median(*args) * scale, n, alike)


def bandwidth_of_sample(sampled: Float, rule: str, n: int, alike: Callable[[], bool]) -> Bandwidth:
    """:func:`bandwidth_by_rule` from the distances of :func:`sampled_pairs`, above 10⁴ rows.

    ``alike`` is asked whether all predictions are the same, if no distance is above 0.
    """

    def median(_diagonal: bool, positive: bool) -> float:
        counted = sampled[sampled > 0] if positive else sampled
        return float(np.median(counted)) if len(counted) else 0.0

    return _chosen(rule, "sampled", float(sampled.mean()), median, n, alike)


def _chosen(
    rule: str,
    pairs: str,
    mean: float,
    median: Callable[[bool, bool], float],
    n: int,
    alike: Callable[[], bool],
) -> Bandwidth:
    """The bandwidth from the mean distance and ``median(diagonal, positive)``."""
    value = mean if rule == "mean" else median(rule == "median-with-diagonal", False)
    only_positive = rule != "mean" and value == 0
    if only_positive:
        value = median(False, True)
    if not value > 0:
        raise InputError(
            f"{'All' if alike() else 'Nearly all'} {n:,} predictions are the same, so the bandwidth rule "
            f"{rule!r} has no distance to go by; give a number."
        )
    return Bandwidth(value, rule, pairs, only_positive, narrow=bool(value < NARROW * mean))


def sampled_pairs(n: int) -> tuple[Int, Int]:
    """10⁶ seeded pairs of different rows out of ``n``."""
    rng = np.random.default_rng(_PAIR_SEED)
    i = rng.integers(n, size=SAMPLED_PAIRS)
    return i, (i + rng.integers(1, n, size=SAMPLED_PAIRS)) % n


def _sampled_distances(probs: Float, metric: str) -> Float:
    """Distances of the :func:`sampled_pairs`."""
    i, j = sampled_pairs(len(probs))
    out = np.empty(SAMPLED_PAIRS)

    def measure(part: slice) -> None:
        out[part] = paired_distances(probs[i[part]], probs[j[part]], metric)

    loops.in_threads(measure, loops.blocks(SAMPLED_PAIRS, max(64, _CACHED // probs.shape[1])))
    out[out <= SAME] = 0.0
    return out


def _upper_blocks(probs: Float, metric: str, look: Callable[[Float], T]) -> list[T]:
    """``look`` at the distances of all pairs i < j, a block at a time, as flat arrays; in threads."""

    def block(start: int) -> T:
        block = distances(probs[start : start + _BLOCK], probs[start:], metric)
        block[block <= SAME] = 0.0
        size = len(block)
        corner = block[:, :size][np.triu(np.ones((size, size), bool), 1)]
        return look(np.concatenate([corner, block[:, size:].ravel()]))

    return loops.in_threads(block, range(0, len(probs), _BLOCK))


def _exact_mean(probs: Float, metric: str) -> float:
    n = len(probs)
    return sum(_upper_blocks(probs, metric, lambda block: float(block.sum()))) / (n * (n - 1) / 2)


def _median(probs: Float, metric: str, sampled: Float, diagonal: bool, positive: bool) -> float:
    """Median of the distances of all pairs, or of the positive ones.

    The sample brackets it: one pass over all pairs counts those below the
    bracket and keeps those inside, among which it is found by sorting. Zeros
    stand for the diagonal; pairs i < j count twice there.
    """
    n = len(probs)
    if positive:
        sampled = sampled[sampled > 0]
    everything = (-np.inf, np.inf)
    bracket = tuple(np.quantile(sampled, [0.49, 0.51])) if len(sampled) else everything

    def look(block: Float) -> tuple[int, int, Float, Int]:
        """How many there are, how many below the bracket, the values inside and how often each."""
        if positive:
            block = block[block > 0]
        inside = block[(block >= bracket[0]) & (block <= bracket[1])]
        below = int(np.count_nonzero(block < bracket[0]))
        return len(block), below, *np.unique(inside, return_counts=True)  # ties take no memory

    while True:
        sizes, belows, *inside = zip(*_upper_blocks(probs, metric, look), strict=True)
        total, below = sum(sizes), sum(belows)
        if not total:
            return 0.0
        values, counts = (np.concatenate(part) for part in inside)
        order = np.argsort(values)
        ordered, up_to = values[order], np.cumsum(counts[order])
        copies, zeros = (2, n) if diagonal else (1, 0)
        middle = []
        for rank in ((copies * total + zeros - 1) // 2, (copies * total + zeros) // 2):
            k = (rank - zeros) // copies - below
            if rank < zeros:
                middle.append(0.0)
            elif len(ordered) and 0 <= k < up_to[-1]:
                middle.append(float(ordered[np.searchsorted(up_to, k, side="right")]))
        if len(middle) == 2:
            return sum(middle) / 2
        bracket = everything
