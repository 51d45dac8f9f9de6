"""W19 §7: estimates and tests of calibration on data sets from three models.

n = 250, m = 10, predictions from Dir(0.1, …, 0.1), kernel exp(−d/ν)·I with d the total variation distance
and ν its median over all ordered pairs, as the authors' code has it.
"""

import time
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from calibcore import (
    ECE,
    SKCE,
    AsymptoticBlockSKCETest,
    AsymptoticSKCETest,
    ConsistencyTest,
    DistributionFreeSKCETest,
    ExactTest,
    Predictions,
    TestResult,
)
from calibcore.data.examples import w19_model
from calibcore.diagram.binning import UniformBinning
from calibcore.kernels import ExponentialKernel
from calibcore.numerics.types import Float
from experiments.processes import generator

MODELS = ("M1", "M2", "M3")
ESTIMATES = ("ECE", "SKCE_b", "SKCE_uq", "SKCE_ul")
TESTS = ("C", "D_b", "D_uq", "D_ul", "A_uq", "A_l", "D_g")
"""The six of W19 Figure 2, and the distribution-free bound given the predictions."""
EXACT_TESTS = ("E_ece", "E_uq")
EXACT_DRAWS = 99
"""So that 0.05·(draws + 1) is whole."""
_KERNEL = ExponentialKernel("median-with-diagonal", "total-variation")
_BINNED = ECE(UniformBinning(10))
CHUNK = 20
"""Data sets that are one task."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """One model's data sets.

    ``estimates (sets, 4)`` by :data:`ESTIMATES`, ``pvalues (sets, 9)`` by :data:`TESTS` and then
    :data:`EXACT_TESTS`; seconds are processor time, the mean of one data set.
    """

    estimates: Float
    pvalues: Float
    seconds: float
    exact_seconds: float

    def pvalues_of(self, test: str) -> Float:
        """(sets,) of one test."""
        return self.pvalues[:, (*TESTS, *EXACT_TESTS).index(test)]


def run(model: str, sets: int, draws: int, pool: Executor, chunk: int = CHUNK) -> Outcome:
    """``sets`` data sets of one model; ``draws`` for the bootstrap and for consistency resampling.

    ``chunk`` of them are one task.
    """
    chunks = [range(start, min(start + chunk, sets)) for start in range(0, sets, chunk)]
    rows = np.concatenate(list(pool.map(partial(_some, model, draws), chunks)))
    n_estimates, n_tests = len(ESTIMATES), len(TESTS) + len(EXACT_TESTS)
    estimates, pvalues, seconds = np.split(rows, [n_estimates, n_estimates + n_tests], axis=1)
    return Outcome(estimates, pvalues, *(float(s) for s in seconds.mean(axis=0)))


def warm() -> None:
    """Compiles, or loads what is compiled."""
    _one("M1", 1, 0)


def _some(model: str, draws: int, numbers: range) -> Float:
    """(len(numbers), 4 + 9 + 2) estimates, p-values, seconds of the tests and of the exact ones."""
    return np.array([_one(model, draws, number) for number in numbers])


def _one(model: str, draws: int, number: int) -> list[float]:
    start = time.process_time()
    rng = generator(1, MODELS.index(model), number)
    predictions = w19_model(model, rng=rng)
    kernel = _KERNEL.resolved(predictions.probs)[0]
    results = _seven(predictions, kernel, draws, rng)
    middle = time.process_time()
    exact = [
        ExactTest(estimator, EXACT_DRAWS)(predictions, rng).pvalue for estimator in (_BINNED, SKCE(kernel))
    ]
    end = time.process_time()
    estimates = [results[name].statistic for name in ("C", "D_b", "A_uq", "A_l")]
    pvalues = [results[name].pvalue for name in TESTS]
    return [*estimates, *pvalues, *exact, middle - start, end - middle]


def _seven(
    p: Predictions, kernel: ExponentialKernel, draws: int, rng: np.random.Generator
) -> dict[str, TestResult]:
    """Each test carries its statistic, so that no estimate is made twice."""
    biased, unbiased, linear = (SKCE(kernel, name) for name in ("biased", "unbiased", "linear"))
    found = {
        "C": ConsistencyTest(_BINNED, draws)(p, rng),
        "D_b": DistributionFreeSKCETest(biased)(p),
        "A_uq": AsymptoticSKCETest(unbiased, draws)(p, rng),
        "A_l": AsymptoticBlockSKCETest(linear)(p),
    }
    for name, base, estimator in (("D_uq", "A_uq", unbiased), ("D_ul", "A_l", linear)):
        found[name] = DistributionFreeSKCETest(estimator).of_statistic(p, found[base].statistic)
    given = DistributionFreeSKCETest(biased, given_predictions=True)
    return {**found, "D_g": given.of_statistic(p, found["D_b"].statistic)}


def test_errors(outcome: Outcome, model: str, test: str, levels: Float) -> Float:
    """(k,) levels -> (k,) share rejected on M1 (type I error), not rejected on the others (type II)."""
    rejected = (outcome.pvalues_of(test)[:, None] <= levels).mean(axis=0)
    return np.asarray(rejected if model == "M1" else 1 - rejected)
