"""The kernel calibration error without all pairs: along a line, and with a kernel of low rank."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare, ks_2samp

from calibcore.data.predictions import Predictions
from calibcore.estimators import _line, _low_rank, _redraws
from calibcore.estimators.skce import SKCE, residuals
from calibcore.hypothesis_tests import ExactTest
from calibcore.kernels import ExponentialKernel
from calibcore.transforms.redraws import redrawn_labels
from tests.estimators.test_skce import KERNELS, almost_normalised, by_the_loop, matrices, problem
from tests.estimators.test_tiles import TWO_CLASSES, every_sum, labels_for
from tests.oracles import literal_skce as literal
from tests.strategies import FEW
from tests.strategies import predictions as any_predictions

every_line = pytest.mark.parametrize("kernel", TWO_CLASSES, ids=lambda k: k.metric)


def pairwise(monkeypatch) -> None:
    monkeypatch.setattr(_line, "applies", lambda kernel, m: False)


# --- along a line -----------------------------------------------------------


@pytest.mark.some(1)
@every_line
@pytest.mark.parametrize("make", [problem, almost_normalised])
@pytest.mark.parametrize("n", [2, 3, 300, 1100])
def test_the_recursion_equals_the_sums_over_pairs(kernel, make, n, monkeypatch) -> None:
    p = make(n, 2, n)
    labels, e = labels_for(p, 70), SKCE(kernel, "biased")
    for M in [None, *matrices(2)]:
        e = SKCE(replace(kernel, class_matrix=M), "biased")
        u = replace(e, estimator="unbiased")
        found = [e(p), u(p), e.redrawn(p, labels), u.redrawn(p, labels), *every_sum(p, e.kernel, 70)]
        with monkeypatch.context() as patched:
            pairwise(patched)
            expected = [e(p), u(p), e.redrawn(p, labels), u.redrawn(p, labels), *every_sum(p, e.kernel, 70)]
        for one, other in zip(found, expected, strict=True):
            assert_allclose(one, other, rtol=1e-11, atol=1e-12 * np.abs(other).max())


@given(any_predictions(classes=(2, 2), cases=(2, 20)), st.sampled_from(TWO_CLASSES))
@FEW
def test_any_two_class_predictions(p, kernel) -> None:
    for estimator in ("biased", "unbiased"):
        expected = by_the_loop(estimator, kernel, p)
        assert SKCE(kernel, estimator)(p) == pytest.approx(expected, rel=1e-12, abs=1e-14)
        assert SKCE(kernel, estimator).redrawn(p, p.labels[None])[0] == pytest.approx(expected, abs=1e-14)


def test_drawn_labels_have_the_law_of_the_predictions() -> None:
    """Probabilities of 0 and 1, one that 16 bits hold, one beyond them, and one that only ties decide."""
    tiny = 0.3 / 65_536
    first = np.array([0.0, 1.0, 0.5, 1 / 3, tiny, 1 - tiny])
    draws = 40_000 // _line.BLOCK
    line = _line.Line(np.arange(6), np.zeros(6))
    zero, rng, chances = np.zeros((6, 6)), np.random.default_rng(8), _line.halved(first)
    # With d_i = y_i e_i the squares count the ones, one case at a time.
    ones = np.array([[line.drawn_sums(zero, np.diag(np.eye(6)[k]), chances, rng)[1].sum() for k in range(6)]
                     for _ in range(draws)]).sum(axis=0)  # fmt: skip
    total = draws * _line.BLOCK
    assert ones[0] == total
    assert ones[1] == 0
    for k in (2, 3):
        assert chisquare([ones[k], total - ones[k]], total * np.array([1 - first[k], first[k]])).pvalue > 0.01
    assert ones[4] > 0.999 * total
    assert ones[5] < 0.001 * total


def test_where_sixteen_bits_do_not_decide_a_uniform_number_does() -> None:
    threshold, rest = np.array([7, 7], np.uint16), np.array([0.25, 0.75])
    bits = np.full(2 * _line.BLOCK, 7, np.uint16)
    bits[:2] = 6, 8
    out = np.full(2 * _line.BLOCK, -1.0)
    assert _line._compare(bits, threshold, out) == 2 * _line.BLOCK - 2
    uniform = np.linspace(0, 1, 2 * _line.BLOCK - 2, endpoint=False)
    _line._decide(bits, threshold, rest, uniform, out)
    assert_allclose(out[:2], [0, 1])
    assert_allclose(out[2:], uniform >= np.repeat(rest, [_line.BLOCK - 2, _line.BLOCK]))


def test_the_uniform_number_is_compared_with_what_is_left_of_the_probability() -> None:
    class AllTies:
        def integers(self, high: int, size: int, dtype: type) -> np.ndarray:
            return np.full(size * 4, 9, np.uint16).view(dtype)

        def random(self, size: int) -> np.ndarray:
            return np.full(size, 0.3)

    first = np.array([9.25, 9.35, 8.9, 10.0]) / 65_536
    line, zero = _line.Line(np.arange(4), np.zeros(4)), np.zeros((4, 4))
    ones = [line.drawn_sums(zero, np.diag(row), _line.halved(first), AllTies())[1] for row in np.eye(4)]
    assert_allclose(ones, np.repeat([[1.0], [0.0], [1.0], [0.0]], _line.BLOCK, axis=1))


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_drawn_statistics_have_the_law_of_redrawn_ones(estimator) -> None:
    p = almost_normalised(60, 2, 5)
    prepared = SKCE(TWO_CLASSES[0], estimator).prepared(p)
    drawn = prepared.draw(3000, np.random.default_rng(1))
    assert drawn.shape == (3000,)
    assert ks_2samp(drawn, prepared(labels_for(p, 3000))).pvalue > 0.01
    assert_allclose(drawn, prepared.draw(3000, np.random.default_rng(1)), rtol=0)
    assert np.unique(drawn).size > 2900
    assert (drawn[:64] != prepared.draw(64, np.random.default_rng(2))).all()


def test_only_two_classes_and_the_exponential_kernel_lie_on_a_line() -> None:
    assert SKCE(TWO_CLASSES[0]).prepared(problem(9, 2, 1)).draw is not None
    assert SKCE(KERNELS[2]).prepared(problem(9, 2, 1)).draw is None
    assert SKCE(KERNELS[0]).prepared(problem(9, 3, 1)).draw is None


# --- low rank ---------------------------------------------------------------


def few(monkeypatch, rank: int, above: int = 20, candidates: int = 10_000) -> None:
    monkeypatch.setattr(_redraws, "FROM", above)
    monkeypatch.setattr(_low_rank, "RANK", rank)
    monkeypatch.setattr(_low_rank, "CANDIDATES", candidates)


@pytest.mark.some(3)
@pytest.mark.parametrize(("rank", "n", "m"), [(1, 30, 3), (7, 40, 3), (13, 40, 5), (130, 140, 4)])
@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_low_rank_against_the_literal_projection(rank, n, m, estimator, monkeypatch) -> None:
    few(monkeypatch, rank)
    monkeypatch.setattr(_low_rank, "ROWS", 32)
    monkeypatch.setattr(_low_rank, "SUMS_BYTES", 100_000)
    p, described = problem(n, m, n), (KERNELS[0].kind, KERNELS[0].metric, KERNELS[0].bandwidth)
    g = p.probs.tolist()
    K = [[literal.kappa(*described, a, b) for b in g] for a in g]
    pivots, _ = _low_rank.pivots(KERNELS[0], p.probs)
    assert len(pivots) == rank
    for M in [None, *matrices(m)]:
        kernel = replace(KERNELS[0], class_matrix=M)
        prepared = SKCE(kernel, estimator).prepared(p)
        labels = labels_for(p, 20)
        for y, found in list(zip(labels, prepared(labels), strict=True))[:: 19 if M is None else 25]:
            r = residuals(p.through(p.probs, y.astype(np.int64), p.class_names), kernel)
            pairs, left = literal.low_rank_pairs(K, pivots, r)
            expected = pairs / (n * (n - 1) / 2)
            if estimator == "biased":
                expected = (2 * pairs + np.square(r).sum()) / n**2
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
            assert prepared.details["rank"] == rank
            assert prepared.details["trace_left"] == pytest.approx(left, abs=1e-10)


def test_pivots_are_the_greedy_ones_and_see_predictions_only(monkeypatch) -> None:
    few(monkeypatch, 6)
    g = problem(50, 3, 3).probs
    found, lower = _low_rank.pivots(KERNELS[0], g)
    K = KERNELS[0].matrix(g, g)
    assert_allclose(lower @ lower.T, K[np.ix_(found, found)], atol=1e-12)
    chosen: list[int] = []
    for pivot in found:
        left = np.ones(50)
        if chosen:
            left -= np.diag(K[:, chosen] @ np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen]))
        assert left[pivot] == pytest.approx(left.max(), abs=1e-12)
        chosen.append(int(pivot))


def test_full_rank_is_all_pairs_and_equal_predictions_have_rank_one(monkeypatch) -> None:
    p = problem(60, 3, 6).with_rows(np.repeat(np.arange(30), 2))
    labels = labels_for(p, 9)
    all_pairs = SKCE(KERNELS[0]).redrawn(p, labels)
    few(monkeypatch, 100)
    prepared = SKCE(KERNELS[0]).prepared(p)
    assert prepared.details["rank"] == 30
    assert prepared.details["trace_left"] == pytest.approx(0, abs=1e-9)
    assert_allclose(prepared(labels), all_pairs, rtol=1e-7, atol=1e-10)
    same = Predictions.from_arrays(np.full((40, 3), 1 / 3), np.zeros(40, int))
    assert SKCE(KERNELS[0]).prepared(same).details["rank"] == 1


def test_an_estimate_is_never_of_low_rank(monkeypatch) -> None:
    p = problem(60, 3, 6)
    whole = SKCE(KERNELS[0])(p)
    few(monkeypatch, 2)
    assert SKCE(KERNELS[0])(p) == whole
    assert SKCE(KERNELS[0]).redrawn(p, p.labels[None])[0] != pytest.approx(whole, rel=1e-6)


@pytest.mark.slow
def test_the_exact_test_keeps_its_level_with_a_low_rank(monkeypatch) -> None:
    """The p-value is uniform on its steps for calibrated models, also where half of the trace is left."""
    few(monkeypatch, 5, above=10)
    rng = np.random.default_rng(20)
    found = []
    for _ in range(300):
        g = rng.dirichlet(np.ones(3), size=25)
        y = (rng.random((25, 1)) > g.cumsum(axis=1)).sum(axis=1)
        found.append(ExactTest(SKCE(ExponentialKernel(0.2)), 19)(Predictions.from_arrays(g, y), rng).pvalue)
    steps = np.bincount(np.rint(np.array(found) * 20).astype(int), minlength=21)[1:]
    assert chisquare(steps).pvalue > 0.01


@pytest.mark.parametrize("M", [None, *matrices(4)])
@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_low_rank_draws_the_labels_that_are_redrawn(M, estimator, monkeypatch) -> None:
    few(monkeypatch, 9)
    monkeypatch.setattr(_low_rank, "ROWS", 32)
    monkeypatch.setattr(_low_rank, "SUMS_BYTES", 8 * 4 * 128 * 7)  # seven redraws at a time
    p = problem(150, 4, 3)
    prepared = SKCE(replace(KERNELS[0], class_matrix=M), estimator).prepared(p)
    rng, other, told = np.random.default_rng(8), np.random.default_rng(8), []
    drawn = prepared.draw(40, rng, told.append)
    labels = np.concatenate(list(redrawn_labels(p, 40, other)))
    assert_allclose(drawn, prepared(labels), rtol=0, atol=1e-13)
    assert rng.random() == other.random()  # it goes on behind them
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)
    again = np.concatenate([prepared.draw(k, np.random.Generator(np.random.PCG64(8))) for k in (11,)])
    assert_array_equal(again, drawn[:11])


def test_low_rank_draws_from_any_generator(monkeypatch) -> None:
    few(monkeypatch, 9)
    p = problem(150, 4, 3)
    prepared = SKCE(KERNELS[0]).prepared(p)
    drawn = prepared.draw(400, np.random.Generator(np.random.Philox(1)))
    labels = np.concatenate(list(redrawn_labels(p, 400, np.random.default_rng(2))))
    assert ks_2samp(drawn, prepared(labels)).pvalue > 0.001
    assert_array_equal(prepared.draw(5, np.random.Generator(np.random.Philox(1))), drawn[:5])
