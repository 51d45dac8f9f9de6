"""Exact Monte Carlo that stops early (Besag & Clifford 1991)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from calibcore import hypothesis_tests
from calibcore.data.examples import w19_model
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators import Prepared
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest, TestResult
from calibcore.hypothesis_tests.result import stopped_at
from calibcore.kernels import ExponentialKernel
from calibcore.transforms.lenses import PooledLens
from calibcore.transforms.nulls import Temperature
from tests.cases import each
from tests.oracles import literal_exact as literal

RNG = np.random.default_rng
KERNEL = ExponentialKernel(0.4, "total-variation")
P = Predictions.from_arrays([[0.5, 0.5]], [0])


@dataclass(frozen=True)
class Told:
    """Gives the numbers of a list, one a label set, whatever the labels."""

    values: Sequence[float]

    def prepared(self, predictions: Predictions) -> Prepared:
        left = list(self.values)

        def evaluate(labels, _progress):
            return np.array([left.pop(0) for _ in labels], dtype=np.float64)

        return Prepared(evaluate)


def told(values: Sequence[float], h: int | None) -> TestResult:
    return ExactTest(Told(values), len(values) - 1, stop_at=h)(P, RNG(0))


def level_holds(samples: list[Sequence[float]], h: int) -> Counter[Fraction]:
    """P(p ≤ α) ≤ α at every α, each sample as likely as any other; returns how often each p came."""
    found = Counter(Fraction(told(values, h).pvalue).limit_denominator(100) for values in samples)
    for alpha in found:
        assert sum(k for p, k in found.items() if p <= alpha) <= alpha * len(samples)
    return found


@pytest.mark.some(2)
@pytest.mark.parametrize("h", [1, 2, 3, 5, 9])
def test_the_level_is_exact_over_every_order_of_different_values(h: int) -> None:
    """The observed value is as likely to have any rank; where h/l is a p-value, P(p ≤ h/l) = h/l."""
    orders = list(permutations(range(6)))
    found = level_holds(orders, h)
    for p in found:
        assert sum(k for q, k in found.items() if q <= p) == p * len(orders)


@pytest.mark.some(2)
@pytest.mark.parametrize("h", [1, 2, 3, 4])
def test_the_level_is_kept_with_ties(h: int) -> None:
    level_holds(list(product((0.0, 0.5, 0.5 + 1e-15, 2.0), repeat=5)), h)


def test_a_rule_that_looks_at_p_instead_would_not_keep_it() -> None:
    """That this check can fail: stopping as soon as (1 + k)/(l + 1) ≤ 1/3 rejects too often."""
    orders = list(permutations(range(6)))

    def peeking(values):
        extreme = np.cumsum(np.array(values[1:]) >= values[0])
        return min((1 + k) / (j + 2) for j, k in enumerate(extreme) if j >= 1)

    assert np.mean([peeking(v) <= 1 / 3 for v in orders]) > 1 / 3


@each("h", [1, 2, 10, 50, 200])
@each("seed", range(6))
def test_against_the_rule_draw_by_draw(h: int, seed: int) -> None:
    rng = RNG(seed)
    values = np.round(rng.normal(size=200), rng.integers(0, 6))
    values[0] = rng.choice([-1.0, 0.5, 1.0, 2.0, 9.0])
    result = told(values, h)
    p, used = literal.besag_clifford(values[0], values[1:].tolist(), h)
    assert (result.pvalue, result.n_resamples) == (p, used)
    assert_array_equal(result.null_distribution, values[1 : used + 1])
    assert result.details["stop_at"] == h
    assert result.details["most_resamples"] == 199
    assert result.method == "exact Monte Carlo with early stopping"
    assert result.promise == "exact"


def test_stopping_by_hand() -> None:
    assert told([3, 1, 2, 4, 3, 0, 9], 2).pvalue == 2 / 4  # 4 and the tie 3
    assert told([3, 1, 2, 4, 3, 0, 9], 3).pvalue == 3 / 6  # with the last draw
    assert told([3, 1, 2, 4, 3, 0, 0], 3).pvalue == 3 / 7  # not reached: (1 + 2)/(6 + 1)
    assert told([10, 1, 2, 4, 3, 0, 9], 1).pvalue == 1 / 7
    assert told([0, 1, 0, 0, 0, 0, 0], 1).pvalue == 1
    assert told([0, 1, 0, 0, 0, 0, 0], None).pvalue == 1
    assert stopped_at(1.0, np.array([1.0 - 1e-15]), 1) == 1  # a tie up to rounding
    assert stopped_at(1.0, np.array([1.0 - 1e-9]), 1) is None


@pytest.mark.parametrize("estimator", ["biased", "unbiased", "linear"])
def test_the_batches_do_not_change_the_result(monkeypatch, estimator: str) -> None:
    rng = RNG(1)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(3), 40), rng.integers(3, size=40))
    whole = ExactTest(SKCE(KERNEL, estimator), 150)(p, RNG(4))
    result = ExactTest(SKCE(KERNEL, estimator), 150, stop_at=3)(p, RNG(4))
    for first, block in ((1, 8 * 40 * 3), (7, 10**7), (1000, 10**7)):
        monkeypatch.setattr(hypothesis_tests.exact, "_FIRST_BATCH", first)
        monkeypatch.setattr("calibcore.transforms.redraws._BLOCK_BYTES", block)
        again = ExactTest(SKCE(KERNEL, estimator), 150, stop_at=3)(p, RNG(4))
        assert (again.pvalue, again.n_resamples) == (result.pvalue, result.n_resamples)
        np.testing.assert_allclose(
            again.null_distribution, whole.null_distribution[: again.n_resamples], rtol=0, atol=1e-14
        )
        assert again.statistic == pytest.approx(whole.statistic, abs=1e-14)


def test_it_is_short_where_the_model_is_calibrated_and_complete_where_it_is_not() -> None:
    used = [
        ExactTest(SKCE(KERNEL), 999, stop_at=10)(w19_model("M1", 100, 10, RNG(i)), RNG(i)).n_resamples
        for i in range(30)
    ]
    assert np.median(used) < 50
    result = ExactTest(SKCE(KERNEL), 999, stop_at=10)(w19_model("M2", 250, 10, RNG(0)), RNG(0))
    assert (result.pvalue, result.n_resamples) == (1 / 1000, 999)


def test_few_label_sets_are_evaluated_when_it_stops_early() -> None:
    seen = []

    class Counting(Told):
        def prepared(self, predictions):
            return Prepared(lambda labels, _: seen.append(len(labels)) or np.zeros(len(labels)))

    assert ExactTest(Counting(()), 100_000, stop_at=10)(P, RNG(0)).pvalue == 1
    assert sum(seen) <= 64


@pytest.mark.slow
def test_the_level_holds_on_simulated_data() -> None:
    """500 calibrated data sets; P(p ≤ α) = α within 3.5 standard deviations and the steps of p."""
    rng = RNG(11)
    pvalues = []
    for _ in range(500):
        p = w19_model("M1", 40, 3, rng)
        pvalues.append(ExactTest(SKCE(KERNEL), 99, stop_at=5)(p, rng).pvalue)
    for alpha in (0.05, 0.1, 0.2, 0.5):
        tolerance = 3.5 * np.sqrt(alpha * (1 - alpha) / 500)
        assert alpha - 0.02 - tolerance <= np.mean(np.array(pvalues) <= alpha) <= alpha + tolerance


def test_progress_rises_to_one() -> None:
    fractions: list[float] = []
    p = w19_model("M3", 60, 3, RNG(0))
    ExactTest(SKCE(KERNEL), 200, stop_at=10)(p, RNG(0), fractions.append)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert fractions[0] >= 0


@pytest.mark.parametrize("h", [0, -3])
def test_there_is_something_to_stop_at(h: int) -> None:
    with pytest.raises(InputError, match=f"stops at {h} redraws as extreme; expected 1 or more"):
        ExactTest(ECE(), 99, stop_at=h)


class Drawing(Told):
    """Has a law of its own to draw from."""

    def prepared(self, predictions):
        return Prepared(
            lambda labels, _: np.zeros(len(labels)),
            {"rank": 7},
            lambda size, rng, _progress: rng.normal(1, 0.1, size),
        )


def test_an_estimator_that_draws_from_its_own_law_is_asked_to() -> None:
    whole = ExactTest(Drawing(()), 50)(P, RNG(3))
    assert_array_equal(whole.null_distribution, RNG(3).normal(1, 0.1, 50))
    assert (whole.statistic, whole.pvalue, whole.details["rank"]) == (0, 1, 7)
    early = ExactTest(Drawing(()), 50, stop_at=4)(P, RNG(3))
    assert (early.n_resamples, early.pvalue) == (4, 1)
    assert_array_equal(early.null_distribution, whole.null_distribution[:4])


def test_its_own_law_is_not_used_for_pooled_pairs_or_another_null() -> None:
    for p, null in ((PooledLens()(P), None), (P, Temperature(2.0))):
        test = ExactTest(Drawing(()), 20) if null is None else ExactTest(Drawing(()), 20, null=null)
        assert_array_equal(test(p, RNG(3)).null_distribution, np.zeros(20))
