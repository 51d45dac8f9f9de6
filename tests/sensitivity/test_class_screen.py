"""All classes ranked by their difference, against logistic regression's score and simulated data sets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.resampling import draw_labels
from calibcore.sensitivity import class_screen
from calibcore.sensitivity.class_screen import BY_CHANCE, FEWEST_EXPECTED, REDRAWS, screen_classes

RNG = np.random.default_rng


def network(n: int, m: int, seed: int, alike: float = 0.15) -> np.ndarray:
    """Predictions of a rather sure network whose classes are not equally common."""
    rng = RNG(seed)
    return rng.dirichlet(alike * rng.uniform(0.3, 3.0, m), size=n)


def made(g: np.ndarray, truth: np.ndarray, seed: int) -> Predictions:
    return Predictions.from_arrays(g, draw_labels(truth, RNG(seed)))


def test_the_difference_is_the_score_statistic_of_intercept_and_slope() -> None:
    g = network(800, 6, 0)
    g[::7] = np.eye(6)[np.arange(len(g[::7])) % 6]  # with certain cases
    p = made(g, g, 1)
    found = screen_classes(p)
    assert sorted(found.classes) == list(range(6))
    for j, k in enumerate(found.classes):
        chance = p.probs[:, k] / p.probs.sum(axis=1)
        inside = np.clip(chance, 1e-6, 1 - 1e-6)
        X = np.column_stack([np.ones(p.n), np.log(inside / (1 - inside))])
        y = p.labels == k
        score = X.T @ (y - chance)
        information = X.T @ (X * (chance * (1 - chance))[:, None])
        assert found.difference[j] ** 2 == pytest.approx(score @ np.linalg.solve(information, score))
        assert found.by_number[j] == pytest.approx(score[0] / np.sqrt(information[0, 0]))
        assert found.by_sureness[j] ** 2 == pytest.approx(found.difference[j] ** 2 - found.by_number[j] ** 2)
        assert found.expected[j] == pytest.approx(chance.sum())
        assert found.happened[j] == y.sum()
    assert_array_equal(found.difference, np.sort(found.difference)[::-1])


def test_too_sure_is_below_zero_and_said_too_often_too() -> None:
    g = network(4000, 5, 2, alike=1.0)
    sure = g**2 / (g**2).sum(axis=1, keepdims=True)
    assert (screen_classes(made(sure, g, 3)).by_sureness < 0).all()
    assert (screen_classes(made(g, sure, 3)).by_sureness > 0).all()
    more = g * [2, 1, 1, 1, 1]
    found = screen_classes(made(more / more.sum(axis=1, keepdims=True), g, 4))
    assert found.classes[0] == 0
    assert found.by_number[0] < -5


@pytest.mark.parametrize("block", [1, 1000, 1 << 20])
def test_cases_are_counted_once_however_they_are_cut(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    p = made(g := network(300, 30, 5), g, 6)
    whole = screen_classes(p)
    monkeypatch.setattr(class_screen, "_CELLS", block)
    found = screen_classes(p)
    assert_array_equal(found.classes, whole.classes)
    assert_allclose(found.difference, whole.difference, rtol=1e-11)
    assert_allclose(found.expected, whole.expected, rtol=1e-12)


def test_predictions_alone_decide_which_classes_are_ranked() -> None:
    g = network(400, 60, 7)
    first, second = (screen_classes(made(g, g, seed)) for seed in (8, 9))
    uncertain = np.minimum(g, 1 - g).sum(axis=0)
    enough = np.flatnonzero(uncertain >= FEWEST_EXPECTED)
    assert_array_equal(np.sort(first.classes), enough)
    assert_array_equal(np.sort(second.classes), enough)
    assert first.too_few == second.too_few == 60 - len(enough) > 0


@pytest.mark.slow
def test_of_calibrated_models_few_have_a_class_beyond_what_chance_allows() -> None:
    sets = 300
    g = network(400, 40, 10)
    beyond = sum(screen_classes(made(g, g, seed), seed=seed).beyond > 0 for seed in range(sets))
    spread = np.sqrt(sets * BY_CHANCE * (1 - BY_CHANCE))
    assert abs(beyond - sets * BY_CHANCE) < 3 * spread


@pytest.mark.slow
def test_the_reference_is_the_tenth_largest_of_the_redraws() -> None:
    """Against labels drawn elsewhere, through the same score."""
    g = network(400, 40, 11)
    largest = np.sort([screen_classes(made(g, g, seed)).difference[0] for seed in range(100, 300)])
    found = [screen_classes(made(g, g, 0), seed=seed).by_chance for seed in range(20)]
    assert largest[-30] < np.mean(found) < largest[-3]
    assert round(BY_CHANCE * (REDRAWS + 1)) == 10


@pytest.mark.slow
def test_a_rare_class_that_is_off_comes_first_of_hundreds() -> None:
    first = 0
    for seed in range(10):
        rng = RNG(seed)
        truth = network(6000, 300, seed, alike=0.03)
        k = np.argsort(-truth.sum(axis=0))[rng.integers(50, 150)]  # none that a survey would look at
        g = truth.copy()
        g[:, k] *= 4
        found = screen_classes(made(g / g.sum(axis=1, keepdims=True), truth, seed))
        first += int(found.classes[0] == k and found.beyond >= 1)
    assert first >= 9


def test_one_row_of_every_unit_and_no_weights() -> None:
    g = np.repeat(network(300, 6, 12), 2, axis=0)
    labels = np.repeat(draw_labels(g[::2], RNG(13)), 2)
    units = np.repeat(np.arange(300), 2).astype(str)
    p = Predictions.from_arrays(g, labels, metadata={"patient": units})
    alone = screen_classes(Predictions.from_arrays(g[::2], labels[::2]))
    found = screen_classes(p, "patient")
    assert_array_equal(found.happened, alone.happened)
    assert_allclose(found.difference, alone.difference)
    with pytest.raises(InputError, match="weight"):
        screen_classes(Predictions.from_arrays(g, labels, weights=np.arange(1.0, 601)))


def test_one_prediction_for_all_has_no_sureness_and_nothing_expected_no_rank() -> None:
    g = np.tile([0.5, 0.3, 0.2, 0.0], (200, 1))
    found = screen_classes(Predictions.from_arrays(g, RNG(0).integers(0, 3, 200)))
    assert_array_equal(found.by_sureness, 0.0)
    assert found.too_few == 1
    none = screen_classes(Predictions.from_arrays(np.eye(4), np.arange(4)))
    assert (len(none.classes), none.too_few, none.beyond, none.by_chance) == (0, 4, 0, 0.0)
