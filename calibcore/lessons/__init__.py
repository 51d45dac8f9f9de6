"""What the Learn page shows: toy data sets whose truth is known, and what is found in them.

Everything is drawn with fixed seeds, so that a lesson is the same for everyone, and computed when asked for.
V19 = Vaicenavicius et al. 2019, W19 = Widmann et al. 2019.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from calibcore.data.examples import SEED, load_example, w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ConsistencyTest, ExactTest, TestResult
from calibcore.numerics.resampling import draw_labels
from calibcore.questions.decide import Decisions, decide
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import ClassLens, Lens, TopKLens

DAYS = 3_650
"""Ten years of forecasts, so that chance hides little of the gap."""
PATIENTS = 2_000
THRESHOLDS = tuple(k / 20 for k in range(1, 20))
"""From which one treats them."""
DAYS_OF_BARS = 300
"""Few, so that the bars are wide enough to be seen."""
OUTCOME_SETS = 20
SIZES = (50, 100, 250, 500, 1_000, 2_500)
"""Cases of the calibrated model whose ECE is shown."""
BINS = (2, 5, 10, 20, 50)
"""Numbers of bins with which two calibrated forecasters are looked at."""
SAID = (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
"""How sure the language model of the letters says it is."""
BORDERS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2)
"""By how much the log odds of "above grade 2" are too high in the lesson on grades."""
TUMOURS = 1_500
ALPHA = 0.05
MOST_TRIALS = 100
TRIAL_DRAWS = 199
_TEST_DRAWS = 999
"""(draws + 1)·ALPHA is whole in both, so that the exact test rejects just that share."""
_BINNED = ECE(UniformBinning(10))
_TWO = ("rain", "dry")


def forecasts(stretch: float, n: int = DAYS) -> Predictions:
    """n days with uniform chances of rain; the forecaster multiplies their log odds by ``stretch``.

    Calibrated at 1; above it the stated probability lies closer to 0 and 1 than the chance does.
    Chances and weather are the same for every ``stretch``. Cost O(n).

    Raises
    ------
    InputError : ``stretch`` is not above 0.
    """
    if not stretch > 0:
        raise InputError(f"The stretch is {stretch:g}; expected a number above 0.")
    rng = np.random.default_rng(SEED)
    chance = rng.random(n)
    labels = draw_labels(np.column_stack([chance, 1 - chance]), rng)
    wet, dry = chance**stretch, (1 - chance) ** stretch
    forecast = wet / (wet + dry)
    return Predictions.from_arrays(np.column_stack([forecast, 1 - forecast]), labels, _TWO)


def promises(stretch: float) -> Reliability:
    """Ten bins of :func:`forecasts`: what was said beside how often it rained."""
    return reliability(forecasts(stretch), UniformBinning(10))


def treated() -> Decisions:
    """What a model that is too sure is worth to 2,000 made-up patients, from each threshold on."""
    days = forecasts(2.0, PATIENTS)
    patients = Predictions.from_arrays(days.probs, days.labels, ("ill", "well"))
    return decide(patients, DiagnosisSpec(lens=ClassLens("ill"), seed=SEED), THRESHOLDS)


def through(lens: Lens) -> Reliability:
    """3,000 cases with exactly the frequencies of V19 Table 1, through a lens; a bin for each prediction."""
    return reliability(lens(load_example("v19-table-1")), UniformBinning(10))


def sure() -> Reliability:
    """How often a language model is right in 1,200 simulated letters: one bin for each of :data:`SAID`."""
    return reliability(TopKLens(1)(load_example("letters")), UniformBinning(20))


def grades(off: float) -> Predictions:
    """1,500 made-up tumours of four grades; the log odds of "above grade 2" are said ``off`` too high.

    Tumours and outcomes are the same for every ``off``; what is said of the other borders is right.

    Raises
    ------
    InputError : ``off`` is below 0, or so large that the next border is crossed.
    """
    true_cuts = np.array((-1.2, 1.0, 2.4))
    if not 0 <= off < true_cuts[1] - true_cuts[0]:
        raise InputError(f"The log odds are {off:g} too high; expected a number from 0 to below 2.2.")
    rng = np.random.default_rng(SEED)
    score = rng.normal(0.3, 1.6, (TUMOURS, 1))
    happened = (rng.random((TUMOURS, 1)) < 1 / (1 + np.exp(true_cuts - score))).sum(axis=1)
    above = 1 / (1 + np.exp(true_cuts - (0, off, 0) - score))
    ends = np.column_stack([np.ones(TUMOURS), above, np.zeros(TUMOURS)])
    names = tuple(f"grade {k}" for k in range(1, 5))
    return Predictions.from_arrays(ends[:, :-1] - ends[:, 1:], happened, names, ordered=True)


@dataclass(frozen=True)
class ChanceGap:
    """The ECE of n cases of a calibrated model, and where 90 % of such lie by chance alone."""

    n: int
    ece: float
    mean: float
    low: float
    high: float


def chance_gap(n: int) -> ChanceGap:
    """W19's calibrated M1, the first n of its largest data set: ECE(TV, uniform(10)) and 199 redraws.

    Cost some 0.1 s at n = 2,500.
    """
    model = w19_model("M1", max(SIZES))
    if not 1 <= n <= model.n:
        raise InputError(f"There are {n:,} cases; expected 1 to {model.n:,}.")
    return _gap(_BINNED, model.with_rows(np.arange(n)))


def _gap(ece: ECE, p: Predictions) -> ChanceGap:
    test = ExactTest(ece, TRIAL_DRAWS)(p, np.random.default_rng(SEED))
    null = test.null_distribution
    assert null is not None
    low, high = np.quantile(null, (0.05, 0.95), method="inverted_cdf")
    return ChanceGap(p.n, test.statistic, float(null.mean()), float(low), float(high))


def two_forecasters(bins: int) -> tuple[ChanceGap, ChanceGap]:
    """The ECE of two calibrated forecasters of the same days in so many bins, and what chance makes of each.

    The first says the chance of rain, which is uniform; the second says ¼ where it is below ½, else ¾: the
    mean of what it does not know. Cost 20 ms.
    """
    if bins not in BINS:
        raise InputError(f"There are {bins} bins; expected one of {', '.join(map(str, BINS))}.")
    known = forecasts(1.0, DAYS_OF_BARS)
    vague = np.where(known.probs[:, 0] < 0.5, 0.25, 0.75)
    ece = ECE(UniformBinning(bins))
    return _gap(ece, known), _gap(ece, replace(known, probs=np.column_stack([vague, 1 - vague])))


def redrawn_weather(number: int) -> Reliability:
    """Fifteen bins of a calibrated forecaster's 300 days with the ``number``-th set of outcomes, from 1.

    The bars are the same for every number, as they look at predictions only.
    """
    if not 1 <= number <= OUTCOME_SETS:
        raise InputError(f"There is no set {number} of outcomes; expected 1 to {OUTCOME_SETS}.")
    p = forecasts(1.0, DAYS_OF_BARS)
    labels = draw_labels(p.probs, np.random.default_rng([SEED, number]))
    return reliability(p.with_cases(np.arange(p.n), labels), EqualMassBinning(15))


@lru_cache(1)
def mean_outside() -> float:
    """Bins outside their bars, averaged over all sets of outcomes of :func:`redrawn_weather`."""
    return float(np.mean([redrawn_weather(k + 1).outside.sum() for k in range(OUTCOME_SETS)]))


def neighbours(model: str) -> TestResult:
    """The exact test of SKCE_uq on 250 cases of W19's M1, M2 or M3. Cost some 20 ms."""
    return ExactTest(SKCE(), _TEST_DRAWS)(w19_model(model), np.random.default_rng(SEED))


@dataclass(frozen=True)
class Trial:
    """Two p-values for the same ECE of the same calibrated data set."""

    resampling: float
    exact: float


@lru_cache(MOST_TRIALS)
def trial(number: int) -> Trial:
    """The ``number``-th data set of W19's M1: ECE(TV, uniform(10)), by resampling and exactly. Cost 30 ms."""
    rng = np.random.default_rng([SEED, number])
    p = w19_model("M1", rng=rng)
    resampling, exact = (test(_BINNED, TRIAL_DRAWS)(p, rng).pvalue for test in (ConsistencyTest, ExactTest))
    return Trial(resampling, exact)
