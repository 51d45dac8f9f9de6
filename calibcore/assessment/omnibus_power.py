"""The smallest miscalibration that the exact omnibus test would have shown, from the predictions alone.

Patterns and their sizes are those of :mod:`.alternatives`. The power at a share λ of a pattern is
simulated with the very test: label sets drawn from ``q_λ`` are compared with the redraws of the test, as if
they were what was observed. Every λ and pattern draws from the same numbers, so that power rises smoothly.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.assessment.alternatives import NOTHING, Alternative, alternatives, uneven
from calibcore.assessment.power import N_SIMULATED, POWER, Detectable, check_cases
from calibcore.data.predictions import Predictions
from calibcore.estimators import Progress
from calibcore.estimators._omnibus import statistics_of
from calibcore.hypothesis_tests.omnibus import Moments, log_tails, log_tails_beside
from calibcore.hypothesis_tests.result import ROUNDING, rejected
from calibcore.kernels import Kernel
from calibcore.numerics.engine import in_order
from calibcore.numerics.types import Float

_FIRST = 64
"""Label sets of a first look; only patterns that may be the hardest get all of them."""
_NEAR = -0.01, 0.02
"""How far from :data:`POWER` the simulated power may be; its own standard error is 0.02."""
_NEAR_FIRST = -0.08, 0.08
_NARROW = 0.01
"""How narrow a bracket of λ is enough."""
_SAME = 0.05
"""Sizes this near are alike, as far as a first look can tell."""
_MOST = 12
_START = 0.2
_STEP, _WIDEST_STEP = 0.02, 16.0
_LEAST = 1e-9
_FAR = 0.3
_SLOPE = 2.3
"""Tails of log-probability grow about as this power of λ: squares of what is shifted, and a little more."""


def omnibus_detectable(
    predictions: Predictions,
    kernel: Kernel,
    level: float,
    redraws: Float,
    rng: np.random.Generator,
    n_simulated: int = N_SIMULATED,
    progress: Progress | None = None,
) -> tuple[Detectable, ...]:
    """The smallest size of each pattern that the exact omnibus test rejects 8 times in 10.

    Parameters
    ----------
    predictions : through the lens; their labels are not looked at
    kernel : as of the test
    level : of this test, α/L
    redraws : (C, B) components of the test's redraws, see :meth:`.ExactOmnibusTest.redraws`
    n_simulated : label sets with which a power is simulated

    Returns
    -------
    The hardest to see first. A first look takes 64 label sets a pattern; those that may be the hardest are
    simulated with all, see ``Detectable.n_simulated``. Cost: redraws of the test, some 120 a pattern and
    800.

    Raises
    ------
    InputError : weighted or pooled predictions; fewer than 2 cases.
    """
    simulation = _Simulation(predictions, kernel, level, redraws, rng, progress)
    patterns = [_Pattern(one) for one in patterns_of(predictions)]
    simulation.first_look(patterns)
    simulation.race(patterns, n_simulated)
    return tuple(pattern.found() for pattern in sorted(patterns, key=lambda one: -one.size))


def omnibus_powers(
    predictions: Predictions,
    kernel: Kernel,
    level: float,
    redraws: Float,
    rng: np.random.Generator,
    errors: Sequence[tuple[Alternative, float]],
    n_simulated: int = N_SIMULATED,
) -> list[float]:
    """How often the exact omnibus test sees each error, a pattern of these predictions and its share λ.

    Parameters as of :func:`omnibus_detectable`. Cost: as of ``n_simulated`` redraws of the test each.
    """
    simulation = _Simulation(predictions, kernel, level, redraws, rng)
    return [simulation.power(_Pattern(one), share, n_simulated)[0] for one, share in errors]


def patterns_of(predictions: Predictions) -> tuple[Alternative, ...]:
    """All that are looked at: overconfidence, bias towards classes, uneven errors."""
    every = (*alternatives(predictions), uneven(predictions))
    return tuple(one for one in every if one.largest > NOTHING)


@dataclass(eq=False)
class _Pattern:
    """An alternative and what is known of it so far; ``share`` is inf where λ = 1 falls short."""

    alternative: Alternative
    share: float = _START
    power: float = 0.0
    n_simulated: int = 0

    @property
    def size(self) -> float:
        return self.share * self.alternative.largest

    def found(self) -> Detectable:
        one = self.alternative
        size, share = (self.size, self.share) if self.share <= 1 else (None, None)
        return Detectable(one.pattern, one.class_name, size, share, self.power, one.largest, self.n_simulated)


class _Simulation:
    """Label sets against the redraws of one test."""

    def __init__(
        self,
        predictions: Predictions,
        kernel: Kernel,
        level: float,
        redraws: Float,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> None:
        check_cases(predictions)
        self.g, self.level = predictions.probs, level
        self.statistics, self.moments = statistics_of(predictions, kernel), Moments.of(redraws)
        self.null = log_tails(redraws, self.moments).max(axis=0)
        most = math.floor(level * (len(self.null) + 1) * (1 + ROUNDING))
        self.critical = float(np.sort(self.null)[-most]) if most else math.inf
        self.seed, self.progress, self.done = int(rng.integers(2**63)), progress, 0.0

    def power(self, pattern: _Pattern, share: float, size: int) -> tuple[float, float]:
        """Of ``size`` label sets at λ = ``share`` the share that the test rejects, and by how much.

        That is 0 at :data:`POWER`. Unlike the share of the sets it says how far away λ is, also where
        all sets are rejected, or none.
        """
        rng = np.random.default_rng(self.seed)
        values = self.statistics.draw(pattern.alternative.probs(self.g, share), size, rng)
        combined = log_tails_beside(values, self.moments).max(axis=0)
        margin = self.margin(combined)
        if margin > _FAR:  # what lies far out adds to its own moments: it must not hide how far
            margin = self.margin(log_tails(values, self.moments).max(axis=0))
        return float(rejected(combined, self.null, self.level).mean()), margin

    def report(self) -> None:
        """One more step is done; how many there are is not known. In the thread that was asked only."""
        if self.progress is not None:
            self.done += 0.15 * (1 - self.done)
            self.progress(self.done)

    def margin(self, combined: Float) -> float:
        """The log of what 8 in 10 of (S,) label sets reach, in units of what is needed."""
        if not 0 < self.critical < math.inf:
            return -math.inf
        reached = float(np.sort(combined)[len(combined) - math.ceil(POWER * len(combined))])
        return math.inf if math.isinf(reached) else math.log(max(reached, _LEAST) / self.critical)

    def first_look(self, patterns: list[_Pattern]) -> None:
        """Where 8 in 10 of few label sets are seen; the first pattern's size starts the others' search."""
        if not patterns:
            return
        first, *others = patterns
        first.share = min(1.0, _START / first.alternative.largest)
        self.search(first, _FIRST, _NEAR_FIRST, self.report)
        size = first.size if first.share <= 1 else _START

        def look(pattern: _Pattern) -> None:
            pattern.share = min(1.0, size / pattern.alternative.largest)
            self.search(pattern, _FIRST, _NEAR_FIRST)

        for _ in in_order(look, others, None, len(self.g)):
            self.report()

    def race(self, patterns: list[_Pattern], size: int) -> None:
        """All label sets for what may be the hardest to see, until nothing else may be."""
        finished: list[_Pattern] = []
        while True:
            left = [pattern for pattern in patterns if pattern not in finished]
            # What cannot be seen at all is known; how large it may be decides whether it counts.
            hardest = max((p.size for p in finished if p.share <= 1), default=0.0)
            leader = max(left, key=lambda pattern: pattern.size, default=None)
            if leader is None or leader.size <= hardest * (1 + _SAME):
                break
            leader.share = min(1.0, leader.share)
            self.search(leader, size, _NEAR, self.report)
            finished.append(leader)
        for pattern in left:  # within the error of the simulation
            pattern.share = min(pattern.share, hardest / pattern.alternative.largest)

    def search(
        self, pattern: _Pattern, size: int, near: tuple[float, float], tell: Callable[[], None] | None = None
    ) -> None:
        """The λ from which :data:`POWER` of the label sets are seen; starts from ``pattern.share``."""
        share = pattern.share
        low, high = (0.0, -math.inf), (math.inf, math.inf)
        reached = math.inf, 0.0
        for tried in range(_MOST):
            power, margin = self.power(pattern, share, size)
            if tell is not None:
                tell()
            pattern.power, pattern.n_simulated = power, size
            if near[0] - ROUNDING <= power - POWER <= near[1] + ROUNDING:
                pattern.share = share
                return
            if power < POWER:
                low = share, min(margin, 0.0)
                if share == 1:
                    pattern.share = math.inf
                    return
            else:
                high, reached = (share, max(margin, 0.0)), (share, power)
            if high[0] <= low[0] * (1 + _NARROW):
                break
            share = _between(low, high, 1 + _STEP * 2**tried)
        pattern.share, pattern.power = reached


def _between(low: tuple[float, float], high: tuple[float, float], least: float) -> float:
    """The next λ to try, of two λ and their margins: between them, or beyond the one that is known.

    Margins are about linear in log λ. ``least`` is the smallest step beyond.
    """
    if low[0] > 0 and math.isfinite(high[0]):
        a, b = math.log(low[0]), math.log(high[0])
        part = 0.5
        if math.isfinite(low[1]) and math.isfinite(high[1]):
            part = -low[1] / max(high[1] - low[1], _LEAST)
        return math.exp(a + (b - a) * min(max(part, 0.1), 0.9))
    if low[0] > 0:
        return min(1.0, low[0] * min(max(least, math.exp(-low[1] / _SLOPE)), _WIDEST_STEP))
    return high[0] / min(max(least, math.exp(high[1] / _SLOPE)), _WIDEST_STEP)
