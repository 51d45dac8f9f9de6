r"""plan: how many cases it takes to see an error of a given size 8 times in 10.

The smallest error that the exact omnibus test sees 8 times in 10, D80, falls with the number of cases like
$1/\sqrt n$: D80·√n was 1.60 and 1.61 at 800 and 3,200 cases through the confidence, and 2.05, 2.12 and 2.03
at 200, 800 and 3,200 for three classes. So D80 is simulated for few cases, and the number for a tolerance Δ
follows as n (D80/Δ)². How often Δ is seen with so many is checked with predictions drawn again, and the
number mended by what is missing to 8 times in 10. Only predictions are looked at: those of a pilot, drawn
again, or of a distribution that is sketched.
"""

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from calibcore import limits
from calibcore.assessment.omnibus_power import omnibus_detectable, omnibus_powers, patterns_of
from calibcore.assessment.power import POWER, check_cases, counting, smallest
from calibcore.assessment.survey import resamples_needed
from calibcore.assessment.verdict import LIMITS_FALL, MOST_OF_TOLERANCE, Verdict, limit_by_chance
from calibcore.bounds import AtLeastOne, Names, OneOf, Share
from calibcore.data.checks import shown
from calibcore.data.predictions import Predictions
from calibcore.diagnose.parts import check_given
from calibcore.display import Displayed
from calibcore.errors import InputError
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.kernels import Kernel
from calibcore.numerics.progress import Progress, silent
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float
from calibcore.questions.documents import ReadableAnswer
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.nulls import Identity

SKETCHES = ("dirichlet", "beta")


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


def is_sketch(words: str) -> bool:
    """Whether words sketch a distribution, and name no file."""
    kind, sign, _ = words.partition(":")
    return bool(sign) and kind in SKETCHES


def sketched(words: str) -> Sketch:
    """``dirichlet:2,1,1`` or ``beta:2,5``: one number above 0 a class.

    Raises
    ------
    InputError : another law, or other numbers.
    """
    kind, _, rest = words.partition(":")
    expected = "expected dirichlet:A,B,… or beta:A,B, numbers above 0"
    if kind not in SKETCHES:
        raise InputError(f"There is no distribution {shown(words)}; {expected}.")
    try:
        numbers = tuple(float(part) for part in rest.split(","))
    except ValueError:
        numbers = ()
    most = 2 if kind == "beta" else limits.LIMITS.max_classes
    if not 2 <= len(numbers) <= most or not all(0 < number < math.inf for number in numbers):
        raise InputError(f"The distribution is {shown(words)}; {expected}.")
    return Sketch(numbers, words)


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


@dataclass(frozen=True, eq=False, repr=False)
class Plan(ReadableAnswer, Displayed):
    """How many cases to collect.

    Attributes
    ----------
    pilot : how many predictions the pilot has, or the words of the sketch
    cases : to collect, so that an error of ``spec.tolerance`` is seen 8 times in 10
    share : of the cases that the lens looks at: less than 1 in a region
    check : the simulation at ``cases_to_see`` or next to it
    cases_to_see : so many see that error; ``cases`` may be more, so that the typical gap of a calibrated
        model has a limit that is called consistent, 8 times in 10

    >>> from calibcore import DiagnosisSpec, Plan, plan
    >>> found = plan("beta:2,5", DiagnosisSpec(tolerance=0.1))
    >>> Plan.from_json(found.to_json()).cases == found.cases
    True
    """

    WHAT = "The plan"
    DATA = ("pilot", "class_names")
    LATER = ("cases_to_see",)

    pilot: AtLeastOne | str
    class_names: Names
    cases: AtLeastOne
    share: Share
    check: Check
    cases_to_see: AtLeastOne | None = None

    def __repr__(self) -> str:
        return f"Plan({self.cases:,} cases for an error of {self.spec.tolerance:g})"

    @property
    def extrapolated(self) -> bool:
        """Whether so many cases were not simulated, only fewer."""
        return self.check.size > self.spec.tolerance

    def detectable(self, n: int) -> float:
        """D80 with ``n`` cases, as it falls like 1/√n."""
        return self.spec.tolerance * math.sqrt((self.cases_to_see or self.cases) / n)

    def to_document(self) -> dict[str, Any]:
        """The JSON document that ``plan --json`` prints."""
        sizes = {"tolerance": self.spec.tolerance} | self.entry(
            "share", "extrapolated", "check", "cases_to_see"
        )
        return self.headed("cases") | sizes


def cases_that_would_tell(verdict: Verdict) -> int | None:
    """With how many such cases the verdict would no longer be "cannot tell", to two digits; no simulation.

    So many that D80 is the tolerance, and that the typical gap of a calibrated model has a limit that passes,
    8 times in 10. None where it is another verdict, or where even the largest error could go unseen.
    """
    if verdict.answer != "cannot-tell" or (seen := cases_for(verdict)) is None:
        return None
    return max(seen, cases_for_size(verdict))


def cases_for_size(verdict: Verdict) -> int:
    """With how many such cases the limit of a calibrated model's typical gap would pass, 8 times in 10.

    1 where it was not looked at.
    """
    if verdict.limit_by_chance is None:
        return 1
    return about(max(1.0, verdict.n * _times(verdict.limit_by_chance, verdict.tolerance)))


def _times(limit: float, tolerance: float) -> float:
    """How many times the cases it takes for a limit to be as small as passes."""
    return math.pow(limit / (MOST_OF_TOLERANCE * tolerance), 1 / LIMITS_FALL)


def cases_for(verdict: Verdict) -> int | None:
    """With how many such cases D80 would be the tolerance, whatever the verdict; None as above."""
    if verdict.smallest_detectable is None or not verdict.smallest_detectable > 0:
        return None
    return about(verdict.n * (verdict.smallest_detectable / verdict.tolerance) ** 2)


def detectable_with(verdict: Verdict, n: float) -> float:
    """D80 with ``n`` such cases, as it falls like 1/√n; 1 at most.

    Raises
    ------
    ValueError : D80 is not known of these cases.
    """
    if verdict.smallest_detectable is None:
        raise ValueError("What these cases could have shown is not known.")
    return min(1.0, verdict.smallest_detectable * math.sqrt(verdict.n / n))


def about(cases: float) -> int:
    """Up to two digits: 1,823 -> 1,900."""
    step: int = 10 ** max(0, math.floor(math.log10(max(cases, 1))) - 1)
    return int(math.ceil(cases / step - 1e-9) * step)


START, LEAST = 800, 10
"""Cases of the first simulation; fewest of any."""
MOST, MOST_PROBABILITIES = 20_000, 60_000
"""Cases and probabilities of the largest simulation: beyond it D80 is taken to fall like 1/√n."""
SIMULATED, REDRAWS = (1_000, 4_000), (1_999, 9_999)
"""Label sets and redraws of the check, the fewest and the most: as many as :data:`_WORK` is enough for."""
_WORK = 8_000_000
"""Labels that are drawn for either, if that is within those limits."""
NEAR = 0.06
"""How far the power of a check may be from 8 in 10; what is missing is mended in the number of cases."""
_CHECKS = 4
_ALIKE = 0.8
"""Patterns whose D80 is this share of the largest may be the hardest to see with another number of cases."""
_SLOPE = 0.784
"""d power/d log Δ at 8 in 10, that of a normal statistic: φ(.84)·(.84 + 1.96)."""


def plan(
    pilot: Predictions | str,
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
) -> Plan:
    """How many cases to collect so that an error of ``spec.tolerance`` is seen 8 times in 10.

    Through ``spec.lens`` and at the level ``spec.alpha``, by the exact omnibus test: then the verdict is no
    longer "cannot tell", and for a calibrated model 8 times in 10 the limit of the typical gap passes. Errors
    are the patterns of :mod:`calibcore.assessment.alternatives`, the hardest to
    see of those that could be as large. Cost: some seconds.

    Parameters
    ----------
    pilot : predictions that are like those to come, whose labels are not looked at; or a sketch of their
        distribution, "dirichlet:2,1,1" of all classes or "beta:2,5" of the first of two

    Raises
    ------
    InputError : weighted or pooled predictions, another null hypothesis, no such distribution, or predictions
        that cannot be off by so much.

    Examples
    --------
    >>> from calibcore import DiagnosisSpec, plan
    >>> found = plan("beta:2,5", DiagnosisSpec(tolerance=0.1))
    >>> 150 < found.cases_to_see < 250 < found.cases < 500
    True
    """
    law: Pilot | Sketch
    if isinstance(pilot, str):
        law = sketched(pilot)
    else:
        check_given("plan", pilot, spec)
        check_cases(pilot)
        spec = spec or DiagnosisSpec()
        pilot = spec.independent(pilot)
        law = Pilot(pilot.bare())
    spec = spec or DiagnosisSpec()
    if not isinstance(spec.null, Identity):
        raise InputError(f"The null hypothesis is '{spec.null.kind}'; a plan is for a test of calibration.")
    if not spec.tolerance > 0:
        raise InputError("The tolerance is 0: no number of cases sees an error of any size.")
    simulation = _Simulation(law, spec, progress or silent)
    cases = max(float(LEAST), simulation.from_few())
    checks: list[Check] = []
    while len(checks) < _CHECKS:
        check = simulation.at(cases)
        checks.append(check)
        cases *= math.exp(2 * min(max((POWER - check.power) / _SLOPE, -1.0), 1.0))
        if abs(check.power - POWER) <= NEAR or cases <= LEAST:
            break  # fewer are not planned for
    cases = max(cases, LEAST)
    known = simulation.for_size(cases)
    simulation.progress(1.0, "done")
    return Plan(
        spec=spec,
        pilot=pilot if isinstance(pilot, str) else pilot.n,
        class_names=law.class_names,
        cases=math.ceil(max(cases, known) / simulation.share),
        share=simulation.share,
        check=checks[-1],
        cases_to_see=math.ceil(cases / simulation.share),
    )


@dataclass(eq=False)
class _Simulation:
    """What errors are seen in predictions of one law."""

    law: Pilot | Sketch
    spec: DiagnosisSpec
    progress: Progress
    share: float = 1.0
    """Of the cases that are looked at through the lens: less than 1 in a region."""
    most: int = MOST
    hard: tuple[tuple[str, str], ...] = ()
    """Patterns and classes that may be the hardest to see."""
    done: float = 0.0

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
            seen = omnibus_detectable(induced, kernel, self.spec.alpha, redraws, rng, progress=self._report)
            if not seen:
                raise InputError("All predictions are certain: a small error is none of theirs.")
            most = max(one.largest for one in seen)
            if most <= self.spec.tolerance:
                raise InputError(
                    f"The largest error that was tried with such predictions is {most:.3g}, no more than the "
                    f"tolerance of {self.spec.tolerance:g}. Plan for a smaller one."
                )
            counted = counting(seen, self.spec.tolerance)
            largest = smallest(seen, self.spec.tolerance)
            if largest is not None:
                alike = [one for one in counted if one.size is not None and one.size >= _ALIKE * largest]
                self.hard = tuple((one.pattern, one.class_name) for one in alike)
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
        induced, rng = self._drawn(n)
        sets, many = (min(max(_WORK // (n * induced.m), least), most) for least, most in (SIMULATED, REDRAWS))
        kernel, redraws = self._redraws(induced, rng, many)
        patterns = [one for one in patterns_of(induced) if (one.pattern, one.class_name) in self.hard]
        errors = [(one, min(1.0, size / one.largest)) for one in patterns or patterns_of(induced)]
        powers = omnibus_powers(induced, kernel, self.spec.alpha, redraws, rng, errors, sets)
        self._report(1.0)
        least = int(np.argmin(powers))
        one = errors[least][0]
        return Check(n, size, powers[least], one.pattern, one.class_name)

    def for_size(self, cases: float) -> float:
        """From how many cases on the typical gap of a calibrated model has a limit that passes."""
        known = cases
        for _ in range(_CHECKS):
            n = min(math.ceil(known), self.most)
            induced, rng = self._drawn(n)
            limit = limit_by_chance(induced, rng) * math.pow(n / known, LIMITS_FALL)
            self._report(1.0)
            known = max(cases, known * _times(limit, self.spec.tolerance))
        return known

    def _redraws(self, induced: Predictions, rng: np.random.Generator, least: int) -> tuple[Kernel, Float]:
        kernel = self.spec.kernel.resolved(induced.probs)[0]
        resamples = max(least, resamples_needed(1, self.spec.alpha))
        return kernel, ExactOmnibusTest(kernel, resamples).redraws(induced, rng)

    def _drawn(self, n: int) -> tuple[Predictions, np.random.Generator]:
        """``n`` cases that the lens looks at."""
        rng = stream(self.spec.seed, f"plan-{n}")
        wanted = n if self.share == 1 else math.ceil(1.2 * n / self.share) + 20
        induced = self.spec.lens(self.law.draw(wanted, rng))
        return (induced if induced.n <= n else induced.with_rows(np.arange(n))), rng

    def _report(self, _fraction: float) -> None:
        self.done += 0.05 * (1 - self.done)
        self.progress(self.done, "what so many cases would show")
