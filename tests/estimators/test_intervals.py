"""Bootstrap intervals: the same numbers as one resample after the other, known spreads, and the label."""

import numpy as np
import pytest

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import EqualMassBinning, UniformBinning
from calibcore.errors import InputError
from calibcore.estimators import intervals
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.intervals import LABEL, bootstrap_interval
from calibcore.estimators.scores import accuracy, brier
from calibcore.numerics.distances import DISTANCES


def problem(n: int, m: int, seed: int) -> Predictions:
    rng = np.random.default_rng(seed)
    return Predictions.from_arrays(rng.dirichlet(np.ones(m), size=n), rng.integers(m, size=n))


def one_after_the_other(estimator, p: Predictions, n_resamples: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([estimator(p.with_rows(rng.integers(p.n, size=p.n))) for _ in range(n_resamples)])


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("m", [2, 4])
def test_ece_by_counts_is_that_of_each_resample(distance, m, monkeypatch) -> None:
    p = problem(40, m, m)
    monkeypatch.setattr(intervals, "_COUNTS_BYTES", 8 * 40 * 300)  # a few resamples a block
    e = ECE(UniformBinning(5), distance)
    expected = np.quantile(one_after_the_other(e, p, 50, seed=1), [0.05, 0.95])
    found = bootstrap_interval(e, p, 50, np.random.default_rng(1), level=0.9)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-13)
    assert (found.level, found.n_resamples) == (0.9, 50)


@pytest.mark.parametrize(
    "estimator", [ECE(EqualMassBinning(4)), MCE(), accuracy], ids=["adaptive", "mce", "a function"]
)
def test_any_estimator(estimator) -> None:
    p = problem(40, 2, 2)
    expected = np.quantile(one_after_the_other(estimator, p, 60, seed=3), [0.025, 0.975])
    found = bootstrap_interval(estimator, p, 60, np.random.default_rng(3))
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-14)


def test_a_mean_has_the_interval_of_a_mean() -> None:
    """For a Brier score: the mean ± 1.96 standard errors, nearly."""
    p = problem(800, 3, 4)
    cases = np.square(p.onehot() - p.probs).sum(axis=1)
    error = cases.std(ddof=1) / 800**0.5
    found = bootstrap_interval(brier, p, 2000, np.random.default_rng(5))
    assert (found.low, found.high) == pytest.approx(
        (brier(p) - 1.96 * error, brier(p) + 1.96 * error), abs=0.15 * error
    )


def test_it_promises_nothing_and_says_so() -> None:
    """Calibrated predictions: the true error is 0, and the interval lies above it."""
    rng = np.random.default_rng(6)
    x = rng.random(200)
    p = Predictions.from_arrays(np.column_stack([x, 1 - x]), (rng.random(200) > x).astype(int))
    found = bootstrap_interval(ECE(), p, 200, rng)
    assert found.low > 0.01
    assert found.label == LABEL == "approximate, promises no coverage"


def test_same_generator_same_interval_and_progress() -> None:
    p, heard = problem(30, 3, 7), []
    first = bootstrap_interval(ECE(), p, 20, np.random.default_rng(8), progress=heard.append)
    assert first == bootstrap_interval(ECE(), p, 20, np.random.default_rng(8))
    assert first != bootstrap_interval(ECE(), p, 20, np.random.default_rng(9))
    assert heard[-1] == 1
    bootstrap_interval(accuracy, p, 4, np.random.default_rng(0), progress=heard.append)
    assert heard[-4:] == [0.25, 0.5, 0.75, 1.0]


def test_settings_that_make_no_interval() -> None:
    p, rng = problem(5, 2, 0), np.random.default_rng(0)
    with pytest.raises(InputError, match="number of resamples is 1; expected 2 or more"):
        bootstrap_interval(accuracy, p, 1, rng)
    with pytest.raises(InputError, match="level is 1; expected"):
        bootstrap_interval(accuracy, p, 10, rng, level=1.0)
