"""Kernels on the simplex and the rules that choose their bandwidth (W19 §3.3, §7).

``k(s, t) = κ(s, t)·I``: a class here is the scalar part κ with values in (0, 1].
A kernel whose bandwidth is the name of a rule must be resolved against the
predictions before it can be evaluated; the rule never sees labels.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, Self

import numpy as np
from scipy.spatial.distance import cdist

from calibcore.distances import euclidean, total_variation
from calibcore.predictions import Float, InputError, Int

METRICS = ("euclidean", "total-variation")
BANDWIDTH_RULES = ("median", "median-with-diagonal", "mean")
ALL_PAIRS_UP_TO = 10_000
SAMPLED_PAIRS = 1_000_000
_PAIR_SEED = 20190501  # Fixed: a bandwidth is a property of the predictions, not of a run.
_BLOCK = 512
SMALL = 1_000
NARROW = 0.1
SAME = 1e-12
"""Distances up to this count as 0: lenses add, and the same prediction may be summed in two ways."""


class Kernel(Protocol):
    """A scalar kernel κ(p, q) = shape(d(p, q)/ν), symmetric and positive semi-definite."""

    kind: ClassVar[str]
    upper_bound: ClassVar[float]
    """sup κ, the constant K of the distribution-free tests."""

    @property
    def bandwidth(self) -> str | float: ...

    @property
    def metric(self) -> str: ...

    def matrix(self, p: Float, q: Float) -> Float:
        """(n_p, m), (n_q, m) -> (n_p, n_q). Cost O(n_p n_q m)."""
        ...

    def paired(self, p: Float, q: Float) -> Float:
        """(n, m), (n, m) -> (n,) row by row. Cost O(nm)."""
        ...

    def resolved(self, probs: Float) -> "tuple[Self, Bandwidth]":
        """The kernel with a number as bandwidth, and how that was found.

        Where all predictions are one, κ is 1 whatever the bandwidth, and 1 is taken.
        """
        ...


@dataclass(frozen=True)
class Bandwidth:
    """A bandwidth and where it comes from."""

    value: float
    rule: str
    """One of :data:`BANDWIDTH_RULES` or "number"."""
    pairs: str
    """"all", "sampled" (10⁶ seeded pairs), "none" for a number, "same" where all predictions are one."""
    only_positive: bool = False
    """True if half the pairs coincide, so that only the positive distances were used."""
    narrow: bool = False
    """True if a rule gave less than a tenth of the mean distance: most predictions are nearly alike, and
    the kernel compares little else. The level of a test holds, its power may be gone."""


@dataclass(frozen=True)
class _DistanceKernel(ABC):
    bandwidth: str | float = "median"
    metric: str = "euclidean"
    upper_bound: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise InputError(f"There is no metric {self.metric!r}; expected one of {', '.join(METRICS)}.")
        if isinstance(self.bandwidth, str):
            if self.bandwidth not in BANDWIDTH_RULES:
                raise InputError(
                    f"There is no bandwidth rule {self.bandwidth!r}; expected a number above 0 or one of "
                    f"{', '.join(BANDWIDTH_RULES)}."
                )
        elif not (np.isfinite(self.bandwidth) and self.bandwidth > 0):
            raise InputError(f"The bandwidth is {self.bandwidth:g}; expected a number above 0.")

    def check(self, m: int) -> None:  # noqa: B027 (nothing to refuse unless a kernel says so)
        """Raises :class:`InputError` where the kernel is not positive semi-definite."""

    def matrix(self, p: Float, q: Float) -> Float:
        return self._of_distances(p.shape[1], distances(p, q, self.metric))

    def paired(self, p: Float, q: Float) -> Float:
        return self._of_distances(p.shape[1], paired_distances(p, q, self.metric))

    def _of_distances(self, m: int, d: Float) -> Float:
        self.check(m)
        if isinstance(self.bandwidth, str):
            raise InputError(f"The bandwidth is the rule {self.bandwidth!r}; resolve the kernel first.")
        with np.errstate(over="ignore"):  # a tiny bandwidth: κ is then 0
            return self._shape(d / self.bandwidth)

    def resolved(self, probs: Float) -> tuple[Self, Bandwidth]:
        self.check(probs.shape[1])
        if not isinstance(self.bandwidth, str):
            return self, Bandwidth(float(self.bandwidth), "number", "none")
        if len(probs) > 1 and np.ptp(probs, axis=0).max() <= SAME:
            return replace(self, bandwidth=1.0), Bandwidth(1.0, self.bandwidth, "same")
        found = bandwidth_by_rule(probs, self.bandwidth, self.metric)
        return replace(self, bandwidth=found.value), found

    @abstractmethod
    def _shape(self, u: Float) -> Float:
        """κ as a function of u = d/ν."""


@dataclass(frozen=True)
class ExponentialKernel(_DistanceKernel):
    """``κ = exp(−d/ν)`` (Laplacian; W19 §7). Positive definite for both metrics."""

    kind: ClassVar[str] = "exponential"

    def _shape(self, u: Float) -> Float:
        return np.exp(-u)


@dataclass(frozen=True)
class GaussianKernel(_DistanceKernel):
    """``κ = exp(−d²/(2ν²))``. With total variation only for two classes: else not positive definite."""

    kind: ClassVar[str] = "gaussian"

    def check(self, m: int) -> None:
        if self.metric == "total-variation" and m > 2:
            raise InputError(
                f"The Gaussian kernel on total variation is no kernel for {m} classes (not positive "
                "definite); take the exponential kernel or the Euclidean metric."
            )

    def _shape(self, u: Float) -> Float:
        return np.exp(-0.5 * u * u)


def distances(p: Float, q: Float, metric: str) -> Float:
    """(n_p, m), (n_q, m) -> (n_p, n_q) Euclidean or total variation distances."""
    if metric == "euclidean":
        return np.asarray(cdist(p, q, "euclidean"))
    return np.asarray(0.5 * cdist(p, q, "cityblock"))


def paired_distances(p: Float, q: Float, metric: str) -> Float:
    """(n, m), (n, m) -> (n,) distances row by row."""
    return euclidean(p, q) if metric == "euclidean" else total_variation(p, q)


def bandwidth_by_rule(probs: Float, rule: str, metric: str) -> Bandwidth:
    """The median or mean distance between predictions.

    "median" and "mean" run over pairs i < j, "median-with-diagonal" over all n²
    ordered pairs (CalibrationErrors.jl). Exact up to 10⁴ rows, above from 10⁶
    seeded pairs. If half the pairs coincide, the median of the positive
    distances. Cost O(n²m) time, O(n) memory; 0.2 s at 10,000 × 10.

    Raises
    ------
    InputError : fewer than two cases, or all pairs coincide.
    """
    n = len(probs)
    if n < 2:
        raise InputError(f"The bandwidth rule {rule!r} needs at least 2 cases; there is {n}.")
    pairs = "all" if n <= ALL_PAIRS_UP_TO else "sampled"
    sampled = _sampled_distances(probs, metric) if n > SMALL else np.empty(0)
    mean = _exact_mean(probs, metric) if n <= SMALL or (rule == "mean" and pairs == "all") else sampled.mean()
    only_positive = False
    if rule == "mean":
        value = float(mean)
    else:
        value = _median(probs, metric, sampled, rule == "median-with-diagonal", positive=False)
        if value == 0:
            only_positive = True
            value = _median(probs, metric, sampled[sampled > 0], False, positive=True)
    if not value > 0:
        which = "All" if (probs == probs[0]).all() else "Nearly all"
        raise InputError(
            f"{which} {n:,} predictions are the same, so the bandwidth rule {rule!r} has no distance to go "
            "by; give a number."
        )
    return Bandwidth(value, rule, pairs, only_positive, narrow=bool(value < NARROW * mean))


def _sampled_distances(probs: Float, metric: str) -> Float:
    """Distances of 10⁶ seeded pairs of different rows."""
    n = len(probs)
    rng = np.random.default_rng(_PAIR_SEED)
    i = rng.integers(n, size=SAMPLED_PAIRS)
    j = (i + rng.integers(1, n, size=SAMPLED_PAIRS)) % n
    out = np.empty(SAMPLED_PAIRS)
    for start in range(0, SAMPLED_PAIRS, 65_536):
        part = slice(start, start + 65_536)
        out[part] = paired_distances(probs[i[part]], probs[j[part]], metric)
    out[out <= SAME] = 0.0
    return out


def _upper_blocks(probs: Float, metric: str) -> Iterator[Float]:
    """Distances of all pairs i < j, a block at a time, as flat arrays."""
    n = len(probs)
    for start in range(0, n, _BLOCK):
        block = distances(probs[start : start + _BLOCK], probs[start:], metric)
        block[block <= SAME] = 0.0
        yield block[np.triu(np.ones(block.shape, bool), 1)]


def _exact_mean(probs: Float, metric: str) -> float:
    n = len(probs)
    return sum(float(block.sum()) for block in _upper_blocks(probs, metric)) / (n * (n - 1) / 2)


def _median(probs: Float, metric: str, sampled: Float, diagonal: bool, positive: bool) -> float:
    """Median of the distances; exact where all pairs are looked at.

    The sample brackets it: one pass over all pairs counts those below the
    bracket and keeps those inside, among which it is found by sorting. Zeros
    stand for the diagonal; pairs i < j count twice there.
    """
    n = len(probs)
    if n > ALL_PAIRS_UP_TO:
        return float(np.median(sampled)) if len(sampled) else 0.0
    everything = (-np.inf, np.inf)
    bracket = tuple(np.quantile(sampled, [0.49, 0.51])) if len(sampled) else everything
    while True:
        below, total = 0, 0
        inside: list[tuple[Float, Int]] = []
        for block in _upper_blocks(probs, metric):
            if positive:
                block = block[block > 0]
            total += len(block)
            below += int(np.count_nonzero(block < bracket[0]))
            kept = block[(block >= bracket[0]) & (block <= bracket[1])]
            inside.append(np.unique(kept, return_counts=True))  # ties take no memory
        if not total:
            return 0.0
        values, counts = (np.concatenate(part) for part in zip(*inside, strict=True))
        order = np.argsort(values)
        found, up_to = values[order], np.cumsum(counts[order])
        copies, zeros = (2, n) if diagonal else (1, 0)
        middle = []
        for rank in ((copies * total + zeros - 1) // 2, (copies * total + zeros) // 2):
            k = (rank - zeros) // copies - below
            if rank < zeros:
                middle.append(0.0)
            elif len(found) and 0 <= k < up_to[-1]:
                middle.append(float(found[np.searchsorted(up_to, k, side="right")]))
        if len(middle) == 2:
            return sum(middle) / 2
        bracket = everything
