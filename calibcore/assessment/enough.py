r"""How many cases it takes: to see an error of the tolerance, and to call a calibrated model consistent.

The smallest error that the exact omnibus test sees 8 times in 10, D80, falls with the number of cases like
$1/\sqrt n$: D80·√n was 1.60 and 1.61 at 800 and 3,200 cases through the confidence, and 2.05, 2.12 and 2.03
at 200, 800 and 3,200 for three classes. So D80 is simulated for few cases, and the number for a tolerance Δ
follows as n (D80/Δ)². How often Δ is seen with so many is checked with predictions drawn again, and the
number mended by what is missing to 8 times in 10. Only predictions are looked at: those of a pilot, drawn
again, or of a distribution that is sketched.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from calibcore.assessment.chance_limits import limit_by_chance, limits_fall, times_for_limit
from calibcore.assessment.defaults import as_surveyed, default_lenses, resamples_needed
from calibcore.assessment.impossible import is_hypothesis
from calibcore.assessment.omnibus_power import omnibus_detectable, omnibus_powers, patterns_of
from calibcore.assessment.power import POWER, check_cases, smallest
from calibcore.bounds import AtLeastOne, OneOf, Share
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.kernels import Kernel
from calibcore.numerics.progress import Progress, silent
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import Lens


@dataclass(frozen=True, eq=False)
class Pilot:
    """Rows of ``predictions``, drawn with replacement."""

    predictions: Predictions

    @property
    def class_names(self) -> tuple[str, ...]:
        return self.predictions.class_names

    def draw(self, n: int, rng: np.random.Generator) -> Predictions:
        """``n`` predictions; their labels mean nothing. Cost O(nm)."""
        return self.predictions.with_rows(rng.integers(self.predictions.n, size=n))


@dataclass(frozen=True)
class Sketch:
    """A Dirichlet law of the probabilities of all classes, or a Beta law of that of the first of two."""

    parameters: tuple[float, ...]
    words: str

    @property
    def class_names(self) -> tuple[str, ...]:
        return tuple(f"class {k}" for k in range(1, len(self.parameters) + 1))

    def draw(self, n: int, rng: np.random.Generator) -> Predictions:
        """``n`` predictions; their labels mean nothing. Cost O(nm)."""
        gammas = rng.standard_gamma(np.array(self.parameters), (n, len(self.parameters)))
        sums = gammas.sum(axis=1, keepdims=True)
        probs: Float = np.where(sums > 0, gammas, np.eye(len(self.parameters))[0])
        return Predictions.from_arrays(
            probs / probs.sum(axis=1, keepdims=True), np.zeros(n, np.int64), self.class_names
        )


@dataclass(frozen=True)
class Check:
    """What was found by simulation with ``n`` cases through the lens.

    size : of the error, the tolerance unless fewer cases were simulated than are planned
    power : how often it is seen, of the ``pattern`` that is the hardest to see, towards ``class_name``
    """

    n: AtLeastOne
    size: Share
    power: Share
    pattern: Annotated[str, OneOf("overconfidence", "bias", "uneven")]
    class_name: str


START, LEAST = 800, 10
"""Cases of the first simulation; fewest of any."""
MOST, MOST_PROBABILITIES = 20_000, 60_000
"""Cases and probabilities of the largest simulation: beyond it D80 is taken to fall like 1/√n."""
SIMULATED, REDRAWS = (1_000, 4_000), (1_999, 9_999)
"""Label sets and redraws of the check, the fewest and the most: as many as :data:`_WORK` is enough for."""
_WORK = 8_000_000
"""Labels that are drawn for either, if that is within those limits."""
NEAR = 0.03
"""How far the power of a check may be from 8 in 10; what is missing is mended in the number of cases."""
_CHECKS = 4
FEW, DRAWS = 200, 20
"""Below so many cases power depends on which predictions they have: it is the mean over so many draws."""
_FIRST_LOOK, _IN_DOUBT = 200, 0.12
"""Label sets with which every pattern is tried first, and how far above the least power those may be that are
tried with all."""
_SLOPE = 0.784
"""d power/d log Δ at 8 in 10, that of a normal statistic: φ(.84)·(.84 + 1.96)."""
MARGIN = 1.25
"""How many more cases than see an error make D80, as a survey simulates it, seldom larger than that error."""
_LIMITS = (199, 49)
"""Redraws of the typical gap's limit, of which 9 in 10 are to pass: of two classes, and of more."""
_SETTLED = 0.03


def hypotheses_of(predictions: Predictions, spec: DiagnosisSpec, lenses: Sequence[Lens] | None = None) -> int:
    """How many a survey of such predictions tests together: through ``lenses``, else those of every survey,
    with what ``spec`` looks at."""
    cases = spec.independent(predictions)
    through = {*(default_lenses(cases) if lenses is None else lenses), as_surveyed(spec.lens, cases)}
    return len(through) + is_hypothesis(cases)


@dataclass(frozen=True)
class Enough:
    """What was found; fields as those of :class:`calibcore.Plan`."""

    cases: int
    cases_to_see: int
    share: float
    check: Check


def enough(
    law: Pilot | Sketch, spec: DiagnosisSpec, hypotheses: int, progress: Progress | None = None
) -> Enough:
    """With how many cases of this law an error of the tolerance is seen, and a calibrated model called so.

    hypotheses : that are tested together; each at the level α over so many

    Raises
    ------
    InputError : predictions that cannot be off by so much, or no cases that are looked at.
    """
    simulation = _Simulation(law, spec, hypotheses, progress or silent)
    cases = max(float(LEAST), simulation.from_few())
    checks: list[Check] = []
    while len(checks) < _CHECKS:
        check = simulation.at(cases)
        checks.append(check)
        cases *= math.exp(2 * min(max((POWER - check.power) / _SLOPE, -1.0), 1.0))
        if abs(check.power - POWER) <= NEAR or cases <= LEAST:
            break  # fewer are not planned for
    cases = max(cases, LEAST)
    known = simulation.for_size(cases * MARGIN)
    simulation.progress(1.0, "done")
    share = simulation.share
    return Enough(math.ceil(known / share), math.ceil(cases / share), share, checks[-1])


@dataclass(eq=False)
class _Simulation:
    """What errors are seen in predictions of one law."""

    law: Pilot | Sketch
    spec: DiagnosisSpec
    hypotheses: int
    progress: Progress
    share: float = 1.0
    """Of the cases that are looked at through the lens: less than 1 in a region."""
    most: int = MOST
    done: float = 0.0

    @property
    def level(self) -> float:
        """Of the test."""
        return self.spec.alpha / self.hypotheses

    def from_few(self) -> float:
        """How many cases it takes, by D80 of the first number with which every error that counts is seen."""
        probed = self.law.draw(4 * START, stream(self.spec.seed, "plan-share"))
        through = self.spec.lens(probed)
        check_cases(through)
        self.share = through.n / probed.n
        self.most = max(START, min(MOST, MOST_PROBABILITIES // through.m))
        n = START
        while True:
            induced, rng = self._drawn(n)
            kernel, redraws = self._redraws(induced, rng, self.spec.resamples)
            seen = omnibus_detectable(induced, kernel, self.level, redraws, rng, progress=self._report)
            if not seen:
                raise InputError("All predictions are certain: a small error is none of theirs.")
            most = max(alternative.largest for alternative in seen)
            if most <= self.spec.tolerance:
                raise InputError(
                    f"The largest error that was tried with such predictions is {most:.3g}, no more than the "
                    f"tolerance of {self.spec.tolerance:g}. Plan for a smaller one."
                )
            if (largest := smallest(seen, self.spec.tolerance)) is not None:
                return n * (largest / self.spec.tolerance) ** 2
            if n == self.most:
                raise InputError(
                    f"Even {n:,} cases would not show the largest error that such predictions can have. "
                    "Plan for a larger tolerance."
                )
            n = min(4 * n, self.most)

    def at(self, cases: float) -> Check:
        """How often an error of the tolerance is seen with so many cases; of more than can be simulated, the
        error that is as hard to see in fewer."""
        wanted = max(math.ceil(cases), LEAST)
        n = min(wanted, self.most)
        size = self.spec.tolerance * math.sqrt(wanted / n)
        draws = DRAWS if n < FEW else 1
        powers: dict[tuple[str, str], list[float]] = {}
        for draw in range(draws):
            induced, rng = self._drawn(n, draw)
            for name, power in self._powers(induced, rng, size, draws).items():
                powers.setdefault(name, []).append(power)
            self._report(1.0)
        # In few cases a pattern may lack the predictions that it needs: it counts where most draws have them.
        means = {name: float(np.mean(values)) for name, values in powers.items() if 2 * len(values) > draws}
        hardest = min(means, key=means.__getitem__)
        return Check(n, size, means[hardest], *hardest)

    def _powers(
        self, induced: Predictions, rng: np.random.Generator, size: float, draws: int
    ) -> dict[tuple[str, str], float]:
        """How often each pattern that could be as large as that is seen; of the easy ones about."""
        affordable = _WORK // (induced.n * induced.m)
        sets, many = (min(max(affordable, least), most) for least, most in (SIMULATED, REDRAWS))
        if draws > 1:
            sets, many = max(SIMULATED[1] // draws, _FIRST_LOOK), REDRAWS[0]
        kernel, redraws = self._redraws(induced, rng, many)
        every = patterns_of(induced)
        errors = [
            (alternative, size / alternative.largest) for alternative in every if alternative.largest > size
        ]
        errors = errors or [(alternative, 1.0) for alternative in every]
        powers = omnibus_powers(induced, kernel, self.level, redraws, rng, errors, _FIRST_LOOK)
        if sets > _FIRST_LOOK:
            doubted = [i for i, power in enumerate(powers) if power <= min(powers) + _IN_DOUBT]
            again = omnibus_powers(
                induced, kernel, self.level, redraws, rng, [errors[i] for i in doubted], sets
            )
            for i, power in zip(doubted, again, strict=True):
                powers[i] = power
        return {(e.pattern, e.class_name): power for (e, _), power in zip(errors, powers, strict=True)}

    def for_size(self, cases: float) -> float:
        """From how many cases on the typical gap of 9 in 10 calibrated models has a limit that passes.

        Each look tells a number that chance moves by a fifth: it is their mean but for the first, from afar.
        """
        known, sizes = cases, []
        for _ in range(_CHECKS):
            n = min(math.ceil(known), self.most)
            induced, rng = self._drawn(n)
            limit = limit_by_chance(induced, rng, _LIMITS[induced.m > 2], 0.9)
            limit *= math.pow(n / known, limits_fall(induced.m))
            self._report(1.0)
            times = times_for_limit(limit, self.spec.tolerance, induced.m)
            before, known = known, max(cases, known * times)
            sizes.append(known)
            if abs(known / before - 1) <= _SETTLED:
                break
        return float(np.exp(np.log(sizes[1:] or sizes).mean()))

    def _redraws(self, induced: Predictions, rng: np.random.Generator, least: int) -> tuple[Kernel, Float]:
        kernel = self.spec.kernel.resolved(induced.probs)[0]
        resamples = max(least, resamples_needed(self.hypotheses, self.spec.alpha))
        return kernel, ExactOmnibusTest(kernel, resamples).redraws(induced, rng)

    def _drawn(self, n: int, draw: int = 0) -> tuple[Predictions, np.random.Generator]:
        """``n`` cases that the lens looks at."""
        rng = stream(self.spec.seed, f"plan-{n}" + f"-{draw}" * (draw > 0))
        wanted = n if self.share == 1 else math.ceil(1.2 * n / self.share) + 20
        induced = self.spec.lens(self.law.draw(wanted, rng))
        return (induced if induced.n <= n else induced.with_rows(np.arange(n))), rng

    def _report(self, _fraction: float) -> None:
        self.done += 0.05 * (1 - self.done)
        self.progress(self.done, "what so many cases would show")
