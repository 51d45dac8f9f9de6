"""How long work may take: what would be long is not begun unasked, what the server would cut is not offered.

The rates were measured on two cores (10,000 to 1,000,000 cases); they are meant to be right within a
factor of two or three.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from calibcore import DiagnosisSpec, Predictions
from calibcore.assessment.temperature_set import REDRAWN
from calibcore.limits import LIMITS
from calibcore.questions.recalibrate.maps.map import few_numbers
from calibcore.sensitivity.bandwidths import planned
from calibcore.transforms.lenses import Lens, RegionLens
from calibcore.transforms.lenses.lens import refuse_but_confidence

AT_ONCE = 1.5
"""Seconds that a diagram may take without a bar of progress and a way to stop it."""
UNNOTICED = 0.1
"""Seconds that a change of settings may take longer without a job of its own."""
UNASKED = 60.0
"""Seconds of work that a page begins by itself."""
UNDER = "under a minute"
""":data:`UNASKED` in words."""
SPARE = 3.0
"""An estimate may be so many times too small: a sample that is offered is to be done within the limit."""
LEAST_SAMPLE = 100
"""Cases; fewer tell too little to be offered."""
_REDRAWS = 999


def limit() -> float:
    """Seconds after which the server ends work."""
    return LIMITS.job_seconds


@dataclass(frozen=True)
class Estimate:
    """Seconds of work on ``n`` cases, and of the same on others."""

    n: int
    seconds_for: Callable[[int], float]

    @property
    def seconds(self) -> float:
        """Expected of all cases."""
        return self.seconds_for(self.n)

    @property
    def too_long(self) -> bool:
        """Whether the server would end it before it is done."""
        return self.seconds > limit()

    def sample(self, slower: float = SPARE, within: float | None = None) -> int:
        """How many cases can be looked at within the server's limit, or so many seconds: 1, 2 or 5 and zeros.

        0 if too few. ``slower``: work may take so many times what is expected.
        """
        most = limit() if within is None else within
        sizes = (first * 10**zeros for zeros in range(9, 0, -1) for first in (5, 2, 1))
        fitting = (n for n in sizes if LEAST_SAMPLE <= n < self.n and self.seconds_for(n) * slower <= most)
        return next(fitting, 0)

    def sample_after(self, done: float) -> int:
        """The same once work was ended with a fraction ``done``: it takes longer than was expected."""
        took = limit() / max(done, 0.01)
        return self.sample(1.5 * max(1.0, took / self.seconds)) if self.seconds else 0


A_MOMENT = Estimate(0, lambda _n: 0.0)
"""Of work whose time does not depend on cases."""


def class_names_through(lens: Lens, p: Predictions) -> tuple[str, ...]:
    """The classes that a lens shows, by one case; :class:`InputError` says why it does not fit these
    predictions."""
    while isinstance(lens, RegionLens):
        p, lens = p.with_rows(lens.rows(p)), lens.lens
    refuse_but_confidence(p, lens)
    return lens(p.with_rows([0])).class_names


def classes_through(lens: Lens, p: Predictions) -> int:
    """How many classes a lens shows; :class:`InputError` says why it does not fit these predictions."""
    return len(class_names_through(lens, p))


def seconds(n: int, m: int, spec: DiagnosisSpec) -> float:
    """Expected seconds of a diagnosis of ``n`` cases through a lens of ``m`` classes.

    Two classes lie on a line, where sums over pairs cost O(n log n); more classes take all pairs.
    """
    share = spec.resamples / _REDRAWS
    total = 0.5 * seconds_of_omnibus(n, m) * share if "exact-omnibus" in spec.tests else 0.0
    if m == 2:
        total += 5e-6 * n
        total += 15e-6 * n * share if "exact" in spec.tests else 0.0
        total += 1e-4 * n * share if "asymptotic" in spec.tests else 0.0
        return total
    total += 5e-5 * n * share + 1e-9 * n**2 * (0.5 + m / 20)
    total += 3e-4 * n * share if "exact" in spec.tests else 0.0
    total += 3e-8 * n**2 * share if "asymptotic" in spec.tests else 0.0
    return total + (3e-8 * n**2 * share if "consistency" in spec.tests else 0.0)


def seconds_of_diagram(n: int, m: int, spec: DiagnosisSpec) -> float:
    """The same for the diagram alone, whose bars are redrawn for more than two classes."""
    redrawn = m > 2 or spec.bars == "resampled"
    return 2e-5 * n * spec.resamples / _REDRAWS if redrawn else 5e-7 * n


def seconds_of_omnibus(n: int, m: int) -> float:
    """The same for the omnibus test of a lens of ``m`` classes and what it could have shown, each about half.

    Large data are looked at in bins of a line or groups of neighbours.
    """
    if m == 2:
        return 0.05 + 1e-5 * min(n, 10_000) + 5e-6 * n
    return 0.2 + 1e-4 * min(n, 20_000) + 2e-5 * n * (1 + m / 10)


def seconds_of_curve(n: int, spec: DiagnosisSpec) -> float:
    """The same for a curve over the diagram with its band, two classes."""
    return 0.3 * spec.resamples / _REDRAWS + 5e-7 * n


def seconds_of_bin_tests(n: int, m: int, redraws: int) -> float:
    """The same for the p-values of a diagram's bins; those of two classes need no redraws."""
    return 1e-9 * n * m * redraws if redraws else 5e-6 * n


def seconds_of_survey(n: int, classes: Sequence[int], spec: DiagnosisSpec) -> float:
    """The same for a survey of lenses of so many ``classes``, with its verdicts."""
    return sum(seconds_of_omnibus(n, m) + 4e-9 * n * spec.resamples for m in classes)


def seconds_of_temperature(n: int, m: int) -> float:
    """The same for the temperatures of ``m`` classes; few cases have labels redrawn at several."""
    labels = n * _REDRAWS
    redrawn = labels * (1 if labels > REDRAWN else 8)
    return 0.01 + redrawn * (2e-9 if m <= 33 else 5e-9) + 4e-8 * n * m


def seconds_of_screen(n: int, m: int) -> float:
    """The same for all ``m`` classes at a glance."""
    return n * (2e-8 * m + 5e-6)


def seconds_of_comparison(n: int, m: int, classes: int, models: int, spec: DiagnosisSpec) -> float:
    """The same for a comparison of so many models of ``classes``, through a lens of ``m``."""
    pairs = models * (models - 1) / 2
    verdicts = models * seconds_of_survey(n, [m], spec)
    return verdicts + pairs * n * (2e-7 * m * m + 2e-7 * classes + 2e-8 * spec.resamples)


def seconds_of_training(n: int, m: int, epochs: int, spec: DiagnosisSpec) -> float:
    """The same for a training run of so many epochs, through a lens of ``m`` classes."""
    return epochs * 0.5 * seconds_of_survey(n, [m], spec)


def seconds_of_decisions(n: int, spec: DiagnosisSpec) -> float:
    """The same for decisions at thresholds."""
    return 0.1 * spec.resamples / _REDRAWS + 3e-6 * n


def seconds_of_wrong_labels(n: int, m: int, spec: DiagnosisSpec) -> float:
    """The same for the shares of wrong labels that are tried."""
    return 10 * seconds_of_omnibus(n, m) * max(1.0, spec.resamples / _REDRAWS)


def seconds_of_plan(n: int, m: int) -> float:
    """The same for how many cases would tell: so many are simulated as it takes, whatever their number."""
    return 2.0 + 2.0 * m + 1e-7 * n * m


def seconds_of_smooth_arrows(n: int, m: int, spec: DiagnosisSpec) -> float:
    """The same for arrows without bins."""
    return 0.1 + n * (2e-5 * spec.resamples / _REDRAWS + 2e-7 * m)


def seconds_of_groups(n: int, m: int, columns: int, spec: DiagnosisSpec) -> float:
    """The same for the groups of so many columns, with their verdicts."""
    return columns * 2.0 * seconds_of_survey(n, [m], spec)


def seconds_of_search(n: int, columns: int) -> float:
    """The same for a search among so many columns."""
    return 0.1 + 8e-6 * n * (1 + columns / 8)


def seconds_of_monitoring(n: int, m: int) -> float:
    """The same for the evidence in time, with what it takes to read dates."""
    return n * (6e-8 * (22 + 6 * m) + 5e-6)


def seconds_of_recalibration(n: int, classes: int, m: int, spec: DiagnosisSpec) -> float:
    """The same for all ways to recalibrate predictions of ``classes``, looked at through a lens of ``m``."""
    share = spec.resamples / _REDRAWS
    curvatures = 4e-9 * n * classes**2  # of the class mix, which is fitted and tested in every fold
    methods = 1e-6 * n * classes + 1.2e-4 * n * share + curvatures
    if few_numbers(n, classes):
        methods += 1.2e-4 * n * classes * share
    return 0.3 + methods + seconds_of_temperature(n, classes) + seconds_of_survey(n, [m], spec)


def seconds_of_method(n: int, classes: int, kind: str) -> float:
    """The same for one of the ways in full."""
    steps = 100 if kind == "matrix" else 10
    return 1e-7 * n * classes * steps


def seconds_of_split(n: int, classes: int, m: int, kinds: Iterable[str], spec: DiagnosisSpec) -> float:
    """The same for a map of one part that is judged on the other: the part chooses which of the ``kinds``."""
    fits = sum(seconds_of_method(n // 2, classes, kind) for kind in kinds)
    return fits + seconds_of_survey(n, [m], spec)


def seconds_of_curve_of_temperature(n: int, classes: int) -> float:
    """The same for the log loss over temperatures."""
    return 1.5e-6 * n * classes


def seconds_of_other_bins(n: int, m: int, spec: DiagnosisSpec) -> float:
    """The same for trying other bins; pairs of pooled classes are redrawn case by case."""
    if m > 2:
        return 3e-5 * n
    return 0.2 + (5e-5 if spec.lens.kind == "pooled" else 3e-6) * n


def seconds_of_bandwidths(n: int, m: int, spec: DiagnosisSpec) -> float:
    """The same for the exact kernel test at all bandwidths of two decades."""
    per_decade, redraws = planned(n, m, spec)
    if m == 2 and spec.kernel.kind == "exponential":
        each = 5e-9 * n * redraws
    elif n > 20_000:  # a kernel of low rank
        each = (3e-5 + 1e-7 * redraws) * n
    else:
        each = 1e-9 * n * n * (0.5 + m / 20) + 2e-11 * n * n * redraws
    return (2 * per_decade + 2) * each
