"""The smallest miscalibration that a test would have shown, from the predictions alone.

Patterns and their sizes are those of :mod:`calibcore.alternatives`. The power at λ is simulated with
the very test; where to simulate is foretold. With ``δ_i = τ − g_i`` and the noise ``ε_i = e_{y_i} − q_λ,i``
of a label set the sum over pairs is ``S = Σ_{i<j} κ_ij ε_iᵀMε_j + λ·Σ_i ε_iᵀv_i + λ²A``, where
``v_i = Σ_{j≠i} κ_ij Mδ_j`` and ``A = ½Σ_i δ_iᵀv_i``. Noise changes little with λ, so that the noise at
λ = 0 foretells S at any λ, for all patterns alike, and what was simulated at one λ mends it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from calibcore.alternatives import Alternative, LabelSets, alternatives
from calibcore.estimators import Labels, Prepared, Progress
from calibcore.estimators._redraws import picked_sums
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests.exact import evaluated
from calibcore.hypothesis_tests.result import ROUNDING, rejected
from calibcore.kernels import Kernel
from calibcore.predictions import Float, InputError, Predictions
from calibcore.weighted import refuse_weights

POWER = 0.8
N_SIMULATED = 400
EACH_UP_TO = 1_000
"""Up to so many cases every pattern is simulated to the end, above only those that may be the hardest."""
_FIRST = 4
_NEAR = 0.01
"""How far from :data:`POWER` the simulated power may be, and how narrow a bracket of λ is enough."""
_FAR = 0.2
"""How far a share may lie from where it was simulated."""
_SAME = 0.05
_GUESSES = 4
_MOST = 40


@dataclass(frozen=True)
class Detectable:
    """What one pattern of miscalibration must measure to be seen 8 times in 10.

    Attributes
    ----------
    pattern : "overconfidence" or "bias"
    class_name : towards which class, for a bias; else empty
    size : d80, mean total variation as a probability; None where even λ = 1 falls short
    share : λ at which the test reaches that power; None likewise
    power : share of the simulated label sets that were rejected at ``share`` (at λ = 1 where size is
        None; near ``share`` for a pattern that was not simulated to the end)
    largest : the size at λ = 1: with these predictions the pattern cannot measure more
    n_simulated : label sets that were drawn at ``share``
    """

    pattern: str
    class_name: str
    size: float | None
    share: float | None
    power: float
    largest: float = 1.0
    n_simulated: int = N_SIMULATED


def detectable(
    predictions: Predictions,
    kernel: Kernel,
    level: float,
    null_distribution: Float,
    rng: np.random.Generator,
    n_simulated: int = N_SIMULATED,
    precision: str = "float64",
    progress: Progress | None = None,
) -> tuple[Detectable, ...]:
    """The smallest size of each pattern that the exact test of the unbiased SKCE rejects 8 times in 10.

    Parameters
    ----------
    predictions : through the lens; their labels are not looked at
    kernel : with a number as bandwidth
    level : of this test, α/L
    null_distribution : (B,) the statistic of redrawn labels, which the test compares with
    n_simulated : label sets with which a power is simulated

    Returns
    -------
    The hardest to see first. Up to 1,000 cases each is simulated with all label sets; above, those
    that are clearly easier to see with a quarter, see ``Detectable.n_simulated``, and in single precision,
    which is right within 1e-3 standard deviations of the null. Cost: redraws of the estimator, about 2,000
    up to 10 classes.

    Raises
    ------
    InputError : weighted or pooled predictions; fewer than 2 cases.
    """
    check_cases(predictions)
    few = predictions.n <= EACH_UP_TO
    prepared = SKCE(kernel, precision=precision if few else "float32").prepared(predictions)
    sets = LabelSets(predictions, n_simulated, rng)
    simulation = _Simulation(prepared, sets, null_distribution, level, progress)
    patterns = _patterns(predictions, kernel, prepared)
    simulation.begin(patterns)
    if few:
        for pattern in patterns:
            simulation.finish(pattern)
    else:
        simulation.race(patterns)
    found = sorted(patterns, key=lambda pattern: -pattern.size)
    return tuple(pattern.found() for pattern in found)


def check_cases(predictions: Predictions) -> None:
    """Raises :class:`InputError` for weighted and for pooled predictions."""
    refuse_weights(predictions)
    if predictions.pooled_from is not None:
        raise InputError(
            "Pooled pairs of one case depend on each other: what could be seen in them is not known, and "
            "there is no verdict on them. Look through the canonical lens."
        )


@dataclass(eq=False)
class _Pattern:
    """An alternative and what is known of it so far; ``share`` is inf where λ = 1 falls short."""

    alternative: Alternative
    v: Float
    """(n, m) ``v_i``, in units of the statistic."""
    square: float
    """A, likewise."""
    mean: tuple[float, float]
    """``Σ_i g_iᵀv_i`` and ``Σ_i τᵀv_i``."""
    share: float = math.inf
    power: float = 0.0
    n_simulated: int = 0

    @property
    def size(self) -> float:
        return self.share * self.alternative.largest

    def linear(self, labels: Labels, share: float) -> Float:
        """(B, n) labels drawn at ``share`` -> (B,) ``Σ_i ε_iᵀv_i``."""
        expected = (1 - share) * self.mean[0] + share * self.mean[1]
        return picked_sums(self.v, labels) - expected

    def found(self) -> Detectable:
        seen = self.share <= 1
        one, share = self.alternative, self.share if seen else None
        size = self.size if seen else None
        return Detectable(one.pattern, one.class_name, size, share, self.power, one.largest, self.n_simulated)


def _patterns(predictions: Predictions, kernel: Kernel, prepared: Prepared) -> list[_Pattern]:
    """One pass over all pairs for all patterns."""
    assert prepared.products is not None
    g, n = predictions.probs, predictions.n
    M = kernel.matrix_array(predictions.m)
    products = prepared.products(np.column_stack([g, np.ones(n)]))
    pairs, found = n * (n - 1) / 2, []
    for alternative in alternatives(predictions):
        towards = alternative.target
        v = (products[:, -1:] * towards - products[:, :-1]) / pairs
        v = np.ascontiguousarray(v if M is None else v @ M)
        mean = float(np.vdot(g, v)), float(towards @ v.sum(axis=0))
        found.append(_Pattern(alternative, v, 0.5 * (mean[1] - mean[0]), mean))
    return found


def _possible(share: float) -> float:
    """A λ to simulate at: 1 where none was foretold."""
    return share if 0 < share < 1 else 1.0


class _Simulation:
    """Label sets against the critical value of one test."""

    def __init__(
        self, prepared: Prepared, sets: LabelSets, null: Float, level: float, progress: Progress | None
    ) -> None:
        self.prepared, self.sets, self.null, self.level = prepared, sets, null, level
        self.progress, self.done = progress, 0.0
        most = math.floor(level * (len(null) + 1) * (1 + ROUNDING))
        self.critical = float(np.sort(null)[-most]) if most else math.inf

    def report(self, share: float) -> Progress:
        """Progress of a step that takes ``share`` of what is left."""
        start = self.done
        self.done += share * (1 - start)

        def inner(fraction: float) -> None:
            if self.progress is not None:
                self.progress(start + fraction * share * (1 - start))

        return inner

    def at(self, points: list[tuple[_Pattern, float]], size: int, step: float) -> list[tuple[Float, Float]]:
        """Of each pattern at its share: (size,) statistics of the first label sets, linear parts of all."""
        linear: list[list[Float]] = [[] for _ in points]

        def blocks() -> Iterator[Labels]:
            for (pattern, share), parts in zip(points, linear, strict=True):
                left = size
                for labels in self.sets.drawn(pattern.alternative.target, share):
                    parts.append(pattern.linear(labels, share))
                    if left > 0:
                        yield labels[:left]
                    left -= len(labels)

        statistics = evaluated([self.prepared], blocks(), self.report(step), 0, size * len(points))[0]
        of_each = statistics.reshape(len(points), size)
        return [(t, np.concatenate(parts)) for t, parts in zip(of_each, linear, strict=True)]

    def foretold(self, pattern: _Pattern, noise: Float, linear: Float) -> float:
        """The λ up to which 8 in 10 sets reach the critical value, if each is ``noise + λ·linear + λ²A``."""
        missing = self.critical - noise
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(linear**2 + 4 * pattern.square * missing)
            share = np.where(missing > 0, (root - linear) / (2 * pattern.square), 0.0)
        share = np.where(np.isfinite(share) & (share >= 0), share, math.inf)
        return float(np.sort(share)[math.ceil(POWER * len(share)) - 1])

    def begin(self, patterns: list[_Pattern]) -> None:
        """Foretell every share."""
        linear: list[list[Float]] = [[] for _ in patterns]
        for labels in self.sets.drawn(patterns[0].alternative.target, 0.0):
            for pattern, parts in zip(patterns, linear, strict=True):
                parts.append(pattern.linear(labels, 0.0))
        noise = np.resize(self.null, self.sets.size)
        for pattern, parts in zip(patterns, linear, strict=True):
            pattern.share = self.foretold(pattern, noise, np.concatenate(parts))

    def mended(self, pattern: _Pattern, share: float, statistics: Float, linear: Float) -> float:
        """The share foretold from what was simulated at ``share``; the noise of some sets stands for all."""
        noise = statistics - share * linear[: len(statistics)] - share**2 * pattern.square
        return self.foretold(pattern, np.resize(noise, len(linear)), linear)

    def quick(self, patterns: list[_Pattern], size: int) -> None:
        """With few label sets."""
        waiting = patterns
        for _ in range(_GUESSES):
            points = [(pattern, _possible(pattern.share)) for pattern in waiting]
            again = []
            for (pattern, share), found in zip(points, self.at(points, size, 0.5), strict=True):
                pattern.power, pattern.n_simulated = (
                    float(rejected(found[0], self.null, self.level).mean()),
                    size,
                )
                next_share = self.mended(pattern, share, *found)
                if share == 1 and pattern.power < POWER:
                    pattern.share = math.inf
                else:
                    pattern.share = min(next_share, 1.0) if next_share > 0 else share
                if abs(_possible(pattern.share) / share - 1) > _FAR:
                    again.append(pattern)
            if not (waiting := again):
                break

    def race(self, patterns: list[_Pattern]) -> None:
        """Simulate each with some label sets, and with all those that may be the hardest to see."""
        self.quick(patterns, max(1, self.sets.size // _FIRST))
        finished: list[_Pattern] = []
        while True:
            left = [pattern for pattern in patterns if pattern not in finished]
            hardest = max((pattern.size for pattern in finished), default=0.0)
            leader = max(left, key=lambda pattern: pattern.size, default=None)
            if leader is None or leader.size <= hardest * (1 + _SAME):
                break
            self.finish(leader)
            finished.append(leader)
        for pattern in left:  # within the error of the simulation
            pattern.share = min(pattern.share, hardest / pattern.alternative.largest)

    def finish(self, pattern: _Pattern) -> None:
        """Simulate with all label sets until the power is near 8 in 10."""
        low, high = 0.0, math.inf
        share, reached = _possible(pattern.share), (math.inf, 0.0)
        for guess in range(_MOST):
            found = self.at([(pattern, share)], self.sets.size, 0.3)[0]
            power = float(rejected(found[0], self.null, self.level).mean())
            if power >= POWER:
                high, reached = share, (share, power)
            elif share == 1:
                reached = math.inf, power
                break
            else:
                low = share
            if abs(power - POWER) <= _NEAR + 1e-9:
                reached = share, power
                break
            if high <= low * (1 + _NEAR):
                break
            share = min(self.mended(pattern, share, *found), 1.0)
            if guess >= _GUESSES or not low < share < high:
                share = (low + high) / 2 if high <= 1 else min(2 * low, 1.0)
        pattern.share, pattern.power = reached
        pattern.n_simulated = self.sets.size
