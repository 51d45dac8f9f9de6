"""The kernel calibration error and its tests, beside cdist with full matrices and beside GEMM and exp."""

from collections.abc import Callable
from math import log

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks.common import line, memory_line, overconfident, timed
from calibcore import SKCE, AsymptoticSKCETest, ExactTest, Predictions
from calibcore.diagnose.warm import warm
from calibcore.kernels import ExponentialKernel
from calibcore.transforms.lenses import TopKLens

KERNEL = ExponentialKernel(0.5)


def full_matrices(p: Predictions) -> float:
    """What one writes in an afternoon: cdist and n × n matrices."""
    residuals = p.onehot() - p.probs
    h = np.exp(-cdist(p.probs, p.probs) / KERNEL.bandwidth) * (residuals @ residuals.T)
    return float((h.sum() - np.trace(h)) / (p.n * (p.n - 1)))


def gemm_and_exp(n: int, m: int) -> float:
    """Seconds for (n, m)·(m, n), at most 10,000 rows at a time, and n² exponentials, in cache."""
    rng = np.random.default_rng(0)
    size = min(n, 10_000)
    # Two different matrices: of one and its transpose the BLAS takes only half of the products.
    left, right, square = rng.random((size, m)), rng.random((m, size)), rng.random((500, 500))
    gemm = timed(lambda: (left @ right, None)) * (n / len(left)) ** 2
    return gemm + timed(lambda: np.exp(square), 9) * (n / len(square)) ** 2


def estimates(p: Predictions) -> None:
    ours = timed(lambda: SKCE(KERNEL)(p), 5)
    line(
        "SKCE biased + unbiased, 10,000 × 10", ours, "cdist + full matrices", timed(lambda: full_matrices(p))
    )
    line("", ours, "its GEMM and exp", gemm_and_exp(p.n, p.m))
    memory_line("  memory above start", lambda: SKCE(KERNEL)(p))
    single = SKCE(KERNEL, precision="float32")
    line("  the same in float32", timed(lambda: single(p), 5), "float64", ours)
    for n, m in ((50_000, 10), (10_000, 1_000)):
        other = overconfident(n, m, np.random.default_rng(1))
        seconds = timed(lambda other=other: SKCE(KERNEL)(other), 1)
        line(f"SKCE biased + unbiased, {n:,} × {m:,}", seconds, "its GEMM and exp", gemm_and_exp(n, m))


def tests(p: Predictions) -> None:
    def run(test: Callable[..., object], predictions: Predictions = p) -> Callable[[], object]:
        return lambda: test(predictions, np.random.default_rng(0))

    counts = np.random.default_rng(0).random((2_000, 1_000))
    tile = np.random.default_rng(1).random((2_000, 2_000))
    gemm = timed(lambda: tile @ counts) * (p.n / 2_000) ** 2 / 2
    bootstrap = AsymptoticSKCETest(SKCE(KERNEL), 1_000)
    asymptotic = timed(run(bootstrap), 1)
    line("asymptotic SKCE_uq test, 10,000 × 10, B = 1,000", asymptotic, "its GEMM", gemm)
    memory_line("  memory above start", run(bootstrap))
    for precision in ("float64", "float32"):
        exact = timed(run(ExactTest(SKCE(KERNEL, precision=precision), 999)), 1)
        name = f"exact SKCE_uq test, 10,000 × 10, B = 999, {precision}"
        line(name, exact, "the asymptotic test", asymptotic)
    many = overconfident(50_000, 10, np.random.default_rng(2))
    low_rank = timed(run(ExactTest(SKCE(KERNEL), 999), many), 1)
    line("exact SKCE_uq test, 50,000 × 10, rank 400, B = 999", low_rank)
    for n in (10_000, 1_000_000):
        two = TopKLens(1)(overconfident(n, 10, np.random.default_rng(3)))
        line(f"exact SKCE_uq test, {n:,} × 2, B = 999", timed(run(ExactTest(SKCE(KERNEL), 999), two), 1))


def slopes() -> None:
    """How the cost grows with n: 2 for all pairs, 1 along a line and in blocks; memory flat."""
    tasks = (
        ("all pairs", SKCE(KERNEL), 10, 4_000),
        ("two classes", SKCE(KERNEL), 2, 200_000),
        ("linear", SKCE(KERNEL, "linear"), 10, 200_000),
        ("blocks of 10", SKCE(KERNEL, "block", 10), 10, 50_000),
    )
    for name, estimator, m, n in tasks:
        small, large = (overconfident(size, m, np.random.default_rng(4)) for size in (n, 4 * n))
        times = [timed(lambda p=p, estimator=estimator: estimator(p), 3) for p in (small, large)]
        slope = log(times[1] / times[0]) / log(4)
        print(f"{f'slope of the cost, {name}':<58}{slope:9.2f}", flush=True)


def run() -> None:
    """All of it, about a minute on two cores."""
    warm()
    p = overconfident(10_000, 10, np.random.default_rng(20190501))
    estimates(p)
    tests(p)
    slopes()
