"""Sums over pairs: tiles, threads, precisions; the sums along a line; the low rank."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import limits
from calibcore.data.predictions import Predictions
from calibcore.estimators import _compiled, _low_rank, _tiles
from calibcore.estimators._warm import warm
from calibcore.estimators.skce import SKCE, residuals
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.numerics import engine, loops
from calibcore.transforms.redraws import redrawn_labels
from tests.cases import each
from tests.estimators.test_skce import KERNELS, every_kernel, matrices, problem
from tests.strategies import FEW
from tests.strategies import predictions as any_predictions

TWO_CLASSES = [ExponentialKernel(0.2), ExponentialKernel(0.2, "total-variation")]


def threads(monkeypatch, number: int) -> None:
    monkeypatch.setattr(limits, "LIMITS", replace(limits.LIMITS, threads=number))
    monkeypatch.setattr(engine, "THREADS_FROM", 0)


def labels_for(p: Predictions, B: int, seed: int = 4) -> np.ndarray:
    return np.concatenate(list(redrawn_labels(p, B, np.random.default_rng(seed))))


def counts_for(p: Predictions, B: int) -> np.ndarray:
    return np.random.default_rng(3).multinomial(p.n, np.full(p.n, 1 / p.n), size=B).T


def every_sum(p: Predictions, kernel, B: int = 9, precision: str = "float64") -> list[np.ndarray]:
    r = residuals(p, kernel)
    return [
        np.array([_tiles.pair_sum(kernel, p.probs, r, precision=precision)]),
        np.array([_tiles.pair_sum_in_tiles(kernel, p.probs, r, precision=precision)]),
        _tiles.off_diagonal_product(kernel, p.probs, p.probs, precision),
        _tiles.agreement_sums(kernel, p.probs, labels_for(p, B), precision=precision),
        *_tiles.bootstrap_sums(kernel, p.probs, r, counts_for(p, B), precision=precision),
    ]


def by_the_whole_matrix(p: Predictions, kernel, B: int = 9) -> list[np.ndarray]:
    K, r, counts = kernel.matrix(p.probs, p.probs), residuals(p, kernel), counts_for(p, B)
    M = kernel.matrix_array(p.m)
    M = np.eye(p.m) if M is None else M
    H, off = K * (r @ r.T), K - np.diag(np.diag(K))
    return [
        *[np.array([np.triu(H, 1).sum()])] * 2,
        off @ p.probs,
        np.array([np.triu(K * M[np.ix_(y, y)], 1).sum() for y in labels_for(p, B)]),
        np.einsum("ib,ij,jb->b", counts, H, counts),
        H.sum(axis=1),
    ]


def assert_same(
    found: list[np.ndarray], expected: list[np.ndarray], within: float, least: float = 1e-9
) -> None:
    for one, other in zip(found, expected, strict=True):
        assert_allclose(one, other, rtol=within, atol=within * max(np.abs(other).max(), least))


# --- tiles ------------------------------------------------------------------


@pytest.mark.some(3)
@every_kernel
@each(("n", "m"), [(2, 3), (127, 5), (128, 2), (129, 4), (260, 3), (140, 130)])
def test_the_sums_against_the_whole_matrix(kernel, n, m) -> None:
    p = problem(n, m, n + m)
    assert_same(every_sum(p, kernel), by_the_whole_matrix(p, kernel), 1e-12)
    assert_same(every_sum(p, kernel, precision="float32"), by_the_whole_matrix(p, kernel), 1e-4)


@pytest.mark.parametrize("B", [1, 127, 128, 130, 257])
def test_any_number_of_redraws(B) -> None:
    p, kernel = problem(40, 3, B), KERNELS[0]
    assert_same(every_sum(p, kernel, B), by_the_whole_matrix(p, kernel, B), 1e-12)


@pytest.mark.parametrize("m", [2, 3, 140])
def test_the_sums_with_a_class_matrix(m) -> None:
    p = problem(150, m, m)
    for M in matrices(m):
        for kernel in (GaussianKernel(0.3, class_matrix=M), ExponentialKernel(0.3, class_matrix=M)):
            assert_same(every_sum(p, kernel), by_the_whole_matrix(p, kernel), 1e-11)


@pytest.mark.parametrize("strip", [4, 64, 260])
def test_no_sum_depends_on_the_size_of_the_strips(strip, monkeypatch) -> None:
    p = problem(270, 4, 9)
    whole = every_sum(p, KERNELS[0])
    monkeypatch.setattr(_tiles, "STRIP", strip)
    assert_same(every_sum(p, KERNELS[0]), whole, 1e-13)


@pytest.mark.slow
@given(any_predictions(classes=(2, 1000), cases=(2, 8)), st.sampled_from(KERNELS[:3]))
@FEW
def test_any_predictions_of_2_to_1000_classes(p, kernel) -> None:
    if p.m > 2 and kernel.kind == "gaussian":
        kernel = replace(kernel, metric="euclidean")
    assert_same(every_sum(p, kernel, 2), by_the_whole_matrix(p, kernel, 2), 1e-12, 0.01)  # sums may cancel


@pytest.mark.parametrize("bandwidth", [1e-320, 1e-200, 1e-6, 1e6, 1e300])
def test_extreme_bandwidths(bandwidth) -> None:
    p = problem(30, 3, 2).with_rows(np.repeat(np.arange(15), 2))
    for kernel in KERNELS:
        extreme = replace(kernel, bandwidth=bandwidth)
        K = (kernel.matrix(p.probs, p.probs) == 1) if bandwidth < 1e-5 else np.ones((30, 30))
        found = _tiles.off_diagonal_product(extreme, p.probs, p.probs)
        assert_allclose(found, (K - np.eye(30)) @ p.probs, rtol=1e-5)


# --- threads ----------------------------------------------------------------


def test_the_number_of_threads_changes_no_bit(monkeypatch) -> None:
    p, two = problem(300, 5, 11), problem(300, 2, 11)
    monkeypatch.setattr(_tiles, "STRIP", 32)
    monkeypatch.setattr(_low_rank, "ROWS", 64)
    found = []
    for number in (1, 2, 5):
        threads(monkeypatch, number)
        low_rank = _low_rank.LowRank.of(KERNELS[0], p.probs).squares(labels_for(p, 150), None)
        on_a_line = SKCE(TWO_CLASSES[0], "biased").redrawn(two, labels_for(two, 150))
        drawn = SKCE(TWO_CLASSES[0]).prepared(two).draw(150, np.random.default_rng(5))
        blocks = SKCE(KERNELS[0], "block", 7).redrawn(p, labels_for(p, 150))
        sums = [s for kernel in KERNELS for s in every_sum(p, kernel, 150)]
        found.append([low_rank, on_a_line, drawn, blocks, *sums])
    for one, other, third in zip(*found, strict=True):
        assert_array_equal(one, other)
        assert_array_equal(one, third)


def test_progress_rises_to_one_and_may_stop_the_work(monkeypatch) -> None:
    class Stop(Exception):
        pass

    p = problem(300, 3, 12)
    labels = labels_for(p, 5)
    monkeypatch.setattr(_tiles, "STRIP", 64)
    seen: list[float] = []
    SKCE(KERNELS[0]).redrawn(p, labels, seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 1
    assert seen[-1] == 1
    for number in (1, 3):
        threads(monkeypatch, number)
        calls: list[float] = []

        def stop(fraction: float, calls: list[float] = calls) -> None:
            calls.append(fraction)
            raise Stop

        with pytest.raises(Stop):
            SKCE(KERNELS[0]).redrawn(p, labels, stop)
        assert len(calls) == 1


@pytest.mark.slow
def test_everything_is_compiled_beforehand() -> None:
    warm()


def test_without_a_place_to_keep_what_is_compiled(monkeypatch) -> None:
    def refused(**options: bool):
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(loops, "njit", refused)
    assert _compiled.compiled(lambda x: x + 1)(1) == 2


# --- single precision -------------------------------------------------------


def hard(n: int) -> Predictions:
    """Nearly certain predictions, nearly all of them alike: distances far below the bandwidth or 1."""
    rng = np.random.default_rng(7)
    near = rng.dirichlet([2000.0, 1.0, 1.0], size=n)
    near[: n // 3] = near[: n // 3, [1, 0, 2]]
    return Predictions.from_arrays(near, rng.integers(3, size=n))


@pytest.mark.some(2)
@pytest.mark.parametrize("kernel", [ExponentialKernel(), GaussianKernel()], ids=lambda k: k.kind)
@pytest.mark.parametrize("p", [problem(2000, 10, 1), hard(2000)], ids=["smooth", "hard"])
@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.slow
def test_single_precision_errs_by_less_than_a_thousandth_of_the_null_deviation(kernel, p, estimator) -> None:
    e = SKCE(kernel, estimator).resolved(p)
    labels = labels_for(p, 99)
    exact = e.redrawn(p, labels)
    single = replace(e, precision="float32")
    allowed = 1e-3 * exact.std()
    assert np.abs(single.redrawn(p, labels) - exact).max() < allowed
    observed = p.through(p.probs, labels[0].astype(np.int64), p.class_names)
    assert abs(single(observed) - e(observed)) < allowed
    assert (single.redrawn(p, labels) != exact).any()


@pytest.mark.parametrize("kernel", [ExponentialKernel(0.3), GaussianKernel(0.3)], ids=lambda k: k.kind)
def test_repeated_predictions_take_double_precision_as_their_errors_would_add_up(kernel) -> None:
    sure = [[0.99, 0.005, 0.005]] * 400 + [[0.98, 0.01, 0.01]] * 400
    p = Predictions.from_arrays(sure, [0] * 800)
    labels = np.random.default_rng(0).integers(3, size=(20, 800)).astype(np.int8)
    single = SKCE(kernel, precision="float32").redrawn(p, labels)
    assert_array_equal(single, SKCE(kernel).redrawn(p, labels))
