"""Accuracy, Brier score and log loss: by hand, and as scikit-learn has them."""

from math import log

import numpy as np
import pytest

from calibcore.data.predictions import Predictions
from calibcore.estimators.scores import accuracy, brier, log_loss, spherical, with_standard_errors


def test_three_cases_by_hand() -> None:
    p = Predictions.from_arrays([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.25, 0.25, 0.5]], [0, 2, 1])
    assert accuracy(p) == pytest.approx(2 / 3, rel=1e-15)
    by_hand = (0.25 + 0.09 + 0.04) + (0.01 + 0.01 + 0.04) + (0.0625 + 0.5625 + 0.25)
    assert brier(p) == pytest.approx(by_hand / 3, rel=1e-14)
    assert log_loss(p) == pytest.approx(-(log(0.5) + log(0.8) + log(0.25)) / 3, rel=1e-14)


def test_spherical_score_by_hand() -> None:
    """½, ½: 1/√2; 3/7 and 4/7: ⅗ and ⅘; a third each of three: 1/√3; certain: 1 or 0."""
    assert spherical(Predictions.from_arrays([[0.5, 0.5]], [0])) == pytest.approx(0.5**0.5, rel=1e-15)
    assert spherical(Predictions.from_arrays([[3 / 7, 4 / 7]] * 2, [0, 1])) == pytest.approx(0.7, rel=1e-14)
    assert spherical(Predictions.from_arrays(np.full((1, 3), 1 / 3), [2])) == pytest.approx(
        3**-0.5, rel=1e-14
    )
    assert spherical(Predictions.from_arrays(np.eye(2), [0, 0])) == 0.5


def test_spherical_score_is_proper() -> None:
    """The expected score Σ_k p_k·g_k/‖g‖ is largest at g = p."""
    rng = np.random.default_rng(9)
    p = rng.dirichlet(np.ones(4))
    others = rng.dirichlet(np.ones(4), size=200)

    def expected(g) -> float:
        return sum(p[k] * spherical(Predictions.from_arrays([g], [k])) for k in range(4))

    assert max(map(expected, others)) < expected(p) == pytest.approx(np.linalg.norm(p), rel=1e-12)


def test_ties_of_the_largest_go_to_the_lower_class() -> None:
    assert accuracy(Predictions.from_arrays([[0.5, 0.5], [0.5, 0.5]], [0, 1])) == 0.5
    assert accuracy(Predictions.from_arrays([[0.2, 0.4, 0.4]], [2])) == 0.0


def test_best_and_worst() -> None:
    right = Predictions.from_arrays(np.eye(3), range(3))
    wrong = Predictions.from_arrays(np.eye(3), [1, 2, 0])
    assert (accuracy(right), brier(right), log_loss(right)) == (1.0, 0.0, 0.0)
    assert (accuracy(wrong), brier(wrong)) == (0.0, 2.0)
    # An outcome of probability 0 counts as the smallest positive double, 2⁻¹⁰⁷⁴.
    assert log_loss(wrong) == pytest.approx(1074 * log(2), rel=1e-14)


def test_tiny_probabilities_are_not_clipped() -> None:
    p = Predictions.from_arrays([[1 - 1e-300, 1e-300]], [1])
    assert log_loss(p) == pytest.approx(300 * log(10), rel=1e-14)


@pytest.mark.parametrize("m", [2, 3, 10])
def test_scores_against_scikit_learn(m: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(m)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(m), size=500), rng.integers(m, size=500))
    assert log_loss(p) == pytest.approx(metrics.log_loss(p.labels, p.probs, labels=range(m)), rel=1e-12)
    assert accuracy(p) == metrics.accuracy_score(p.labels, p.probs.argmax(axis=1))
    if m == 2:  # scikit-learn's binary score is of one class: half the sum over two
        assert brier(p) == pytest.approx(2 * metrics.brier_score_loss(p.labels, p.probs[:, 1]), rel=1e-12)


@pytest.mark.slow
def test_standard_errors_against_repeated_draws() -> None:
    """The spread of each score over 2,000 data sets, against the standard errors stated for them."""
    rng = np.random.default_rng(8)
    found, stated = [], []
    for _ in range(2000):
        probs = rng.dirichlet(np.ones(3), 80)
        labels = (rng.random((80, 1)) > probs.cumsum(axis=1)).sum(axis=1).clip(max=2)
        means, errors = with_standard_errors(Predictions.from_arrays(probs, labels))
        found.append(list(means.values()))
        stated.append(list(errors.values()))
    np.testing.assert_allclose(np.mean(stated, axis=0), np.std(found, axis=0, ddof=1), rtol=0.06)


def test_means_are_the_scores_and_one_case_has_no_spread() -> None:
    p = Predictions.from_arrays([[0.2, 0.8]], [1])
    means, errors = with_standard_errors(p)
    assert means == {
        "accuracy": accuracy(p), "brier": brier(p), "log_loss": log_loss(p), "spherical": spherical(p)
    }  # fmt: skip
    assert set(errors.values()) == {0.0}
