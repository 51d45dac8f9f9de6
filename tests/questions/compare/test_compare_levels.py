"""Level and power of comparisons, simulated beside the numbers in docs/statistics/compare.md.

Y is uniform on m classes, X_j | Y ~ N(1.5 e_Y, I) for j = 1, 2. softmax(1.5 X_j) and softmax(1.5 (X_1 + X_2))
are calibrated, softmax(1.5 c X_j) is overconfident by c.
"""

import math
from collections.abc import Callable, Iterable

import numpy as np
import pytest

from calibcore import Predictions, TopKLens, UniformBinning
from calibcore.diagram.binning import Binning
from calibcore.numerics.types import Float, Int
from calibcore.questions.compare.gap_differences import FEWEST_OF_A_BIN, BinnedResiduals, gap_difference
from calibcore.questions.compare.nested import held
from calibcore.questions.compare.score_differences import (
    betting_interval,
    brier_difference,
    brier_differences,
)
from calibcore.transforms.lenses import CanonicalLens, Lens

ALPHA = 0.05
Rng = np.random.Generator
World = tuple[Float, Float, Int]
Truth = Callable[[World], tuple[Float, Float]]


def softmax(x: Float) -> Float:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def world(rng: Rng, n: int, m: int) -> World:
    labels = rng.integers(m, size=n)
    one, two = rng.normal(size=(2, n, m)) + 1.5 * np.eye(m)[labels]
    return one, two, labels


def overconfident(a: float, b: float) -> Truth:
    return lambda w: (softmax(1.5 * a * w[0]), softmax(1.5 * b * w[1]))


def constant_and_sure(w: World) -> tuple[Float, Float]:
    """A says the same in every case; B is calibrated and nearly always above .99."""
    n, m = w[0].shape
    rng = np.random.default_rng(int(1e6 * abs(w[0][0, 0])))
    return np.full((n, m), 1 / m), softmax(6.0 * (rng.normal(size=(n, m)) + 6.0 * np.eye(m)[w[2]]))


EQUAL: dict[str, Truth] = {
    "B knows less": lambda w: (softmax(1.5 * (w[0] + w[1])), softmax(1.5 * w[0])),
    "other information": overconfident(1, 1),
    "A constant, B very sure": constant_and_sure,
    "equal, c = 1.15": overconfident(1.15, 1.15),
    "equal, c = 1.4": overconfident(1.4, 1.4),
    "equal, c = 2.5": overconfident(2.5, 2.5),
}
POWER = {"B 1.6": (overconfident(1, 1.6), 0.225), "A 2, B 1.3": (overconfident(2, 1.3), 0.306)}
"""And what was simulated elsewhere through the confidence, n = 300, m = 3, in ten equally wide bins."""


def rejects(a: BinnedResiduals, b: BinnedResiduals) -> bool | None:
    """As :func:`compare` does: None, no p, where a bin of either model has fewer than 10 cases."""
    if min(a.smallest_bin, b.smallest_bin) < FEWEST_OF_A_BIN:
        return None
    return gap_difference(a, b).pvalue <= ALPHA


def of_shown(found: Iterable[bool | None]) -> tuple[float, int]:
    """Rejections among those that have a p, as whoever sees a p asks for, and how many these are."""
    seen = [rejected for rejected in found if rejected is not None]
    return sum(seen) / max(1, len(seen)), len(seen)


def rejections(
    truth: Truth, lens: Lens, n: int, m: int, runs: int, binning: Binning | None = None
) -> tuple[float, int]:
    def one(run: int) -> bool | None:
        w = world(np.random.default_rng([run, n, m]), n, m)
        a, b = (BinnedResiduals.of(lens(Predictions.from_arrays(g, w[2])), binning) for g in truth(w))
        return rejects(a, b) if binning is None else gap_difference(a, b).pvalue <= ALPHA

    return of_shown(map(one, range(runs)))


def most(runs: int, level: float = ALPHA) -> float:
    """Three standard errors above the level."""
    return level + 3 * math.sqrt(level * (1 - level) / max(1, runs))


def assert_at_level(rejected: float, seen: int) -> None:
    assert rejected <= most(seen)


RUNS = [150, pytest.param(800, marks=pytest.mark.slow)]


@pytest.mark.some(2)
@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("truth", EQUAL)
def test_models_that_are_equally_wrong_differ_at_most_at_the_level(truth: str, runs: int) -> None:
    assert_at_level(*rejections(EQUAL[truth], TopKLens(1), 300, 3, runs))


@pytest.mark.slow
@pytest.mark.parametrize("m", [2, 3, 10])
@pytest.mark.parametrize("n", [50, 300, 1_000, 5_000])
@pytest.mark.parametrize("truth", EQUAL)
def test_the_level_of_all_classes(truth: str, n: int, m: int) -> None:
    runs = 400 if n < 5_000 else 150
    assert_at_level(*rejections(EQUAL[truth], CanonicalLens(), n, m, runs))


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("truth", POWER)
@pytest.mark.slow
def test_the_power_is_that_which_was_published(truth: str, runs: int) -> None:
    generator, expected = POWER[truth]
    slack = 3 * math.sqrt(expected * (1 - expected) * (1 / runs + 1 / 800))
    ten, _ = rejections(generator, TopKLens(1), 300, 3, runs, UniformBinning(10))
    assert ten == pytest.approx(expected, abs=slack)
    own, seen = rejections(generator, TopKLens(1), 300, 3, runs)
    assert seen >= 0.9 * runs
    assert own >= 0.6 * expected - 3 * math.sqrt(expected * (1 - expected) / runs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "truth", "expected", "runs"),
    [(3, 0, 0.21, 400), (3, 1, 0.31, 400), (10, 0, 0.73, 150), (10, 1, 0.88, 150)],
)
def test_the_power_through_all_classes(m: int, truth: int, expected: float, runs: int) -> None:
    generator = [generator for generator, _ in POWER.values()][truth]
    slack = 3 * math.sqrt(expected * (1 - expected) * 2 / runs)
    found, _ = rejections(generator, CanonicalLens(), 300, m, runs)
    assert found == pytest.approx(expected, abs=slack)


@pytest.mark.slow
@pytest.mark.parametrize("decimals", [1, 2])
def test_the_level_with_ties(decimals: int) -> None:
    def rounded(w: World) -> tuple[Float, Float]:
        a, b = (np.round(g, decimals) + 1e-3 for g in overconfident(1.4, 1.4)(w))
        return a / a.sum(axis=1, keepdims=True), b / b.sum(axis=1, keepdims=True)

    assert_at_level(*rejections(rounded, TopKLens(1), 300, 3, 800))


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.02, 0.05])
def test_the_level_with_a_rare_class(share: float) -> None:
    found = []
    for run in range(800):
        rng = np.random.default_rng([run, int(1000 * share)])
        y = (rng.random(600) < share).astype(int)
        prior = math.log(share / (1 - share))
        logits = [prior + 1.5 * (2 * 1.5 * (rng.normal(size=600) + y) - 1.5 * 1.0) / 1.5 for _ in range(2)]
        pair = [
            BinnedResiduals.of(
                Predictions.from_arrays(np.column_stack([1 - 1 / (1 + np.exp(-z)), 1 / (1 + np.exp(-z))]), y)
            )
            for z in logits
        ]
        found.append(rejects(*pair))
    assert_at_level(*of_shown(found))


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 100, 200, 300, 500])
def test_the_level_where_a_large_error_is_rare(n: int) -> None:
    """Equal gaps: A is 63 points off in 2 % of the cases, B a little everywhere.

    Files with a p that hold such a case keep the level. Those that hold none reject more often than not: B is
    further off in their cases, and no rule that looks at predictions knows what they lack.
    """
    rng, with_rare, without = np.random.default_rng(n), [], []
    for _ in range(2_000):
        rare = rng.random(n) < 0.02
        right = np.where(rare, 0.25, 0.97)
        y = (rng.random(n) > right).astype(int)
        little = 0.63 * math.sqrt(0.02 / 0.98)
        a, b = (
            BinnedResiduals.of(Predictions.from_arrays(np.column_stack([p, 1 - p]), y))
            for p in (np.where(rare, 0.88, 0.97), np.where(rare, 0.25, 0.97 - little))
        )
        (with_rare if rare.any() else without).append(rejects(a, b))
    print(n, of_shown(with_rare), of_shown(without), of_shown([*with_rare, *without]))
    assert_at_level(*of_shown(with_rare))
    rejected, seen = of_shown(without)
    assert seen == len(without)
    assert seen < 20 or rejected > 0.35


@pytest.mark.some(1)
@pytest.mark.parametrize("runs", [300, 1_000])
@pytest.mark.parametrize("n", [30, 100, 400])
@pytest.mark.slow
def test_score_intervals_cover_where_rare_losses_are_large(n: int, runs: int) -> None:
    """A constant against a very sure, calibrated model: the plain t interval covers .26 to .79."""
    covered = [0, 0]
    for run in range(runs):
        rng = np.random.default_rng([run, n])
        sure = np.where(rng.random(n) < 0.5, 0.99, 0.01)
        y = (rng.random(n) < sure).astype(int)
        b = Predictions.from_arrays(np.column_stack([1 - sure, sure]), y)
        a = Predictions.from_arrays(np.full((n, 2), 0.5), y)
        truth = 0.5 - 2 * 0.01 * 0.99
        found = brier_difference(a, b, run)
        covered[0] += found.low <= truth <= found.high
        if run < 100:
            low, high = betting_interval(brier_differences(a, b), -2, 2, seed=run)
            covered[1] += low <= truth <= high
    assert covered[0] / runs >= 0.93 - 3 * math.sqrt(0.93 * 0.07 / runs)
    assert covered[1] / 100 >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize(("n", "runs"), [(100, 400), pytest.param(300, 1_500, marks=pytest.mark.slow)])
def test_the_level_and_power_of_what_a_model_leaves_out(n: int, runs: int) -> None:
    rejected = [0, 0]
    for run in range(runs):
        one, two, _ = world(np.random.default_rng([run, n]), n, 3)
        both = softmax(1.5 * (one + two))
        rng = np.random.default_rng([run, n, 1])
        labels = (rng.random((n, 1)) > both.cumsum(axis=1)).sum(axis=1).clip(max=2)
        a = Predictions.from_arrays(both, labels)
        b = Predictions.from_arrays(softmax(1.5 * one), labels)
        rejected[0] += held(a, [b], 99, run)[0].pvalue <= ALPHA
        rejected[1] += held(b, [a], 99, run)[0].pvalue <= ALPHA
    assert rejected[0] / runs <= most(runs)
    assert rejected[1] / runs >= 0.99


def mended(c: float, shift: float = 0.0) -> Callable[[Rng, int], World]:
    """B is calibrated, and A is B with its logit times ``c`` and shifted: B knows nothing that A does not."""

    def world(rng: Rng, n: int) -> World:
        logit = rng.normal(0, 1.5, n)
        labels = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
        a, b = (np.column_stack([np.zeros(n), z]) for z in (c * logit + shift, logit))
        return softmax(a), softmax(b), labels

    return world


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "n", "expected"),
    [
        (mended(1.2), 500, 0.49),
        (mended(1.15), 1_000, 0.54),
        (mended(1.1), 3_000, 0.71),
        (mended(1.0, 0.2), 1_000, 0.74),
    ],
)
def test_whoever_mends_a_model_adds_to_it_without_knowing_more(
    world: Callable[[Rng, int], World], n: int, expected: float
) -> None:
    """Why a sentence on what a model leaves out always names its own errors."""
    rejected = 0
    for run in range(150):
        a, b, labels = world(np.random.default_rng([run, 3, n]), n)
        tested, other = (Predictions.from_arrays(g, labels) for g in (a, b))
        rejected += held(tested, [other], 199, run)[0].pvalue <= ALPHA / 2
    assert rejected / 150 == pytest.approx(expected, abs=0.13)


def test_what_is_added_makes_a_mixture_better() -> None:
    """Also of B that knows more and scores far worse: A^0.9·B^0.1, on fresh cases."""

    def knows_more(rng: Rng, n: int) -> World:
        labels = rng.integers(2, size=n)
        one, two = rng.normal(size=(2, n, 2)) + 0.7 * np.eye(2)[labels]
        return softmax(0.7 * one), softmax(5 * two), labels

    for made in (mended(1.3), mended(1.0, 0.4), knows_more):
        a, b, labels = made(np.random.default_rng(1), 1_000)
        tested, other = (Predictions.from_arrays(g, labels) for g in (a, b))
        assert held(tested, [other], 199, 0)[0].pvalue <= ALPHA
        a, b, labels = made(np.random.default_rng(2), 100_000)
        mixture = softmax(0.9 * np.log(a) + 0.1 * np.log(b))
        rows = np.arange(len(labels))
        assert np.log(mixture[rows, labels]).mean() > np.log(a[rows, labels]).mean()
        if made is knows_more:
            assert np.log(b[rows, labels]).mean() < np.log(a[rows, labels]).mean() - 0.3
