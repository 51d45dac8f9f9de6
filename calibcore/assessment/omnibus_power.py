"""The smallest miscalibration that the exact omnibus test would have shown, from the predictions alone.

Patterns and their sizes are those of :mod:`.alternatives`. The power at a share λ of a pattern is
simulated with the very test: label sets drawn from ``q_λ`` are compared with the redraws of the test, as if
they were what was observed. Every λ and pattern draws from the same numbers, so that power rises smoothly.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from calibcore.assessment.alternatives import NOTHING, Alternative, alternatives, uneven
from calibcore.assessment.effort import USUAL, Effort
from calibcore.assessment.power import N_SIMULATED, POWER, Detectable, check_cases
from calibcore.data.predictions import Predictions
from calibcore.estimators import Progress
from calibcore.estimators._omnibus import statistics_of
from calibcore.hypothesis_tests.omnibus import Beside, log_tails
from calibcore.hypothesis_tests.result import ROUNDING
from calibcore.kernels import Kernel
from calibcore.numerics.engine import in_order
from calibcore.numerics.types import Float

_NEAR = -0.01, 0.02
"""How far from :data:`POWER` the simulated power may be; its own standard error is 0.02."""
_NEAR_FIRST = -0.08, 0.08
"""The same in a first look; only patterns that may be the hardest get all label sets."""
_NARROW = 0.01
"""How narrow a bracket of λ is enough."""
_SAME, _FAR = 0.05, 0.15
"""Sizes this near are alike, and this far are not, as far as a first look can tell."""
_SLOW = 0.6
"""A step that leaves more than this of a bracket is followed by its middle."""
_RARE, _FEW = 1e-3, 0.02
"""Shares of label sets below which their quantile, and below which its distance, says little."""
_STEEP = 2.5
"""About how the quantile of the power grows with log λ, rather less than more."""
_LARGEST = 100.0
_MOST = 20
_START = 0.2
_STEP, _WIDEST_STEP = 0.02, 16.0
_LEAST = 1e-9
_SLOPE = 2.3
"""Tails of log-probability grow about as this power of λ: squares of what is shifted, and a little more."""


def omnibus_detectable(
    predictions: Predictions,
    kernel: Kernel,
    level: float,
    redraws: Float,
    rng: np.random.Generator,
    effort: Effort = USUAL,
    progress: Progress | None = None,
) -> tuple[Detectable, ...]:
    """The smallest size of each pattern that the exact omnibus test rejects 8 times in 10.

    Parameters
    ----------
    predictions : through the lens; their labels are not looked at
    kernel : as of the test
    level : of this test, α/L
    redraws : (C, B) components of the test's redraws, see :meth:`.ExactOmnibusTest.redraws`
    effort : label sets with which a power is simulated, and those of a first look

    Returns
    -------
    The hardest to see first. After a first look at every pattern those that may be the hardest are simulated
    with all label sets, see ``Detectable.n_simulated``. Cost: redraws of the test, some 130 a pattern and
    800, and 400 more for each that is about as hard to see.

    Raises
    ------
    InputError : weighted or pooled predictions; fewer than 2 cases.
    """
    simulation = _Simulation(predictions, kernel, level, redraws, rng, progress)
    patterns = [_Pattern(alternative) for alternative in patterns_of(predictions)]
    simulation.first_look(patterns, effort.first_look)
    simulation.race(patterns, effort.label_sets)
    # Sizes are often equal but for last digits that each processor has its own: then the classes' order.
    return tuple(pattern.found() for pattern in sorted(patterns, key=lambda pattern: -round(pattern.size, 9)))


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

    Parameters as of :func:`omnibus_detectable`, and ``n_simulated`` label sets for each. Cost: as of so many
    redraws of the test each.
    """
    simulation = _Simulation(predictions, kernel, level, redraws, rng)
    return [simulation.power(_Pattern(alternative), share, n_simulated)[0] for alternative, share in errors]


def patterns_of(predictions: Predictions) -> tuple[Alternative, ...]:
    """All that are looked at: overconfidence, bias towards classes, uneven errors."""
    every = (*alternatives(predictions), uneven(predictions))
    return tuple(alternative for alternative in every if alternative.largest > NOTHING)


@dataclass(frozen=True)
class _Tried:
    """λ, the share of label sets that are seen there, and how far beyond what is needed 8 in 10 lie."""

    share: float
    power: float
    margin: float

    def width(self, high: "_Tried") -> float:
        """How wide the bracket up to ``high`` is, in log λ; infinite where an end is not known."""
        known = self.share > 0 and math.isfinite(high.share)
        return math.log(high.share / self.share) if known else math.inf

    @property
    def quantile(self) -> float:
        """The power as a quantile of the normal law, from that of :data:`POWER`: about linear in log λ."""
        return float(ndtri(min(max(self.power, _RARE), 1 - _RARE)) - ndtri(POWER))

    @property
    def factor(self) -> float:
        """About how many times too small or too large λ is, at least 1."""
        if _FEW < self.power < 1 - _FEW:
            return math.exp(abs(self.quantile) / _STEEP)
        return math.exp(min(abs(self.margin), _LARGEST) / _SLOPE)


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

    def correct(self) -> None:
        """From where the power is near :data:`POWER` to where it should be that."""
        if self.share <= 1:
            factor = _Tried(self.share, self.power, 0.0).factor
            self.share = min(1.0, self.share * (factor if self.power < POWER else 1 / factor))

    def found(self) -> Detectable:
        alternative = self.alternative
        size, share = (self.size, self.share) if self.share <= 1 else (None, None)
        return Detectable(
            alternative.pattern,
            alternative.class_name,
            size,
            share,
            self.power,
            alternative.largest,
            self.n_simulated,
        )


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
        self.g = predictions.probs
        self.statistics, self.test = statistics_of(predictions, kernel), Beside(redraws, level)
        most = self.test.most
        self.critical = float(np.sort(self.test.null)[-most]) if most else math.inf
        self.seed, self.progress, self.done = int(rng.integers(2**63)), progress, 0.0

    def power(self, pattern: _Pattern, share: float, size: int) -> tuple[float, float]:
        """Of ``size`` label sets at λ = ``share`` the share that the test rejects, and by how much.

        That is about 0 at :data:`POWER`. Unlike the share of the sets it says how far away λ is, also where
        all sets are rejected, or none.
        """
        rng = np.random.default_rng(self.seed)
        chances = pattern.alternative.row_by_row(self.g, share)
        values = self.statistics.draw(chances, size, rng)
        # By the moments of the redraws alone: what lies far out adds to its own, and would hide how far.
        margin = self.margin(log_tails(values, self.test.moments).max(axis=0))
        return float(self.test.rejected(values).mean()), margin

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

    def first_look(self, patterns: list[_Pattern], size: int) -> None:
        """Where 8 in 10 of few label sets are seen; the first pattern's size starts the others' search."""
        if not patterns:
            return
        first, *rest = patterns
        first.share = min(1.0, _START / first.alternative.largest)
        self.search(first, size, _NEAR_FIRST, self.report)
        first.correct()
        known = first.size if first.share <= 1 else _START

        def look(pattern: _Pattern) -> None:
            pattern.share = min(1.0, known / pattern.alternative.largest)
            self.search(pattern, size, _NEAR_FIRST)
            pattern.correct()

        for _ in in_order(look, rest, None, len(self.g)):
            self.report()

    def race(self, patterns: list[_Pattern], size: int) -> None:
        """All label sets for what may be the hardest to see, until nothing else may be."""
        left, hardest = list(patterns), 0.0
        while left:
            leader = max(left, key=lambda pattern: pattern.size)
            if leader.size <= hardest * (1 - _SAME):
                break
            left.remove(leader)
            # What cannot be seen at all is known; how large it may be decides whether it counts.
            low = None
            share = hardest / leader.alternative.largest
            if 0 < share <= 1 and leader.share <= share * (1 + _FAR):
                now = _Tried(share, *self.power(leader, share, size))
                self.report()
                if now.power - POWER > _NEAR[1] + ROUNDING:  # easier to see than the hardest so far
                    leader.share = min(leader.share, share / now.factor)
                    continue
                if now.power - POWER >= _NEAR[0] - ROUNDING:  # as hard
                    leader.share, leader.power, leader.n_simulated = share, now.power, size
                    continue
                low, leader.share = now, max(leader.share, share * max(now.factor, 1 + _STEP))
            leader.share = min(1.0, leader.share)
            self.search(leader, size, _NEAR, self.report, low)
            hardest = max(hardest, leader.size if leader.share <= 1 else 0.0)

    def search(
        self,
        pattern: _Pattern,
        size: int,
        near: tuple[float, float],
        tell: Callable[[], None] | None = None,
        low: _Tried | None = None,
    ) -> None:
        """The λ from which :data:`POWER` of the label sets are seen; starts from ``pattern.share``.

        ``low`` is a smaller λ at which fewer are.
        """
        share, halve = pattern.share, False
        low, high = low or _Tried(0.0, 0.0, -math.inf), _Tried(math.inf, 1.0, math.inf)
        for tried in range(_MOST):
            now = _Tried(share, *self.power(pattern, share, size))
            if tell is not None:
                tell()
            pattern.n_simulated, width = size, low.width(high)
            if near[0] - ROUNDING <= now.power - POWER <= near[1] + ROUNDING:
                low = high = now
                break
            if now.power < POWER:
                low = now
                if share == 1:
                    high = _Tried(math.inf, now.power, math.inf)
                    break
            else:
                high = now
            if low.width(high) <= _NARROW:
                break
            halve = low.width(high) > _SLOW * width
            share = _between(low, high, 1 + _STEP * 2**tried, halve)
        pattern.share, pattern.power = high.share, high.power


def _between(low: _Tried, high: _Tried, least: float, halve: bool = False) -> float:
    """The next λ to try: between two, or beyond the one that is known.

    Beyond it steps are as long as that one says, at least by the factor ``least``. Between two ``halve``
    takes the middle, so that none is approached from one side only.
    """
    if math.isfinite(low.width(high)):
        part = 0.5 if halve else -low.quantile / (high.quantile - low.quantile)
        return low.share * math.exp(low.width(high) * min(max(part, 0.1), 0.9))
    if low.share > 0:
        return min(1.0, low.share * min(max(least, low.factor), _WIDEST_STEP))
    return high.share / min(max(least, high.factor), _WIDEST_STEP)
