"""Labels and columns that do not belong together are found, weak models are left alone."""

import json
from dataclasses import asdict
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.data.examples import EXAMPLES, load_cases
from calibcore.data.mismatch import Mismatch, _cumulants, _log_tail, mismatch
from calibcore.data.predictions import Predictions
from calibcore.settings.codec import from_entry

Rows = tuple[np.ndarray, np.ndarray]


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def drawn(rng: np.random.Generator, probs: np.ndarray) -> np.ndarray:
    return (rng.random((len(probs), 1)) > probs.cumsum(axis=1)[:, :-1]).sum(axis=1)


def found(probs: np.ndarray, labels: np.ndarray, names: tuple[str, ...] | None = None) -> Mismatch | None:
    return mismatch(Predictions.from_arrays(probs, labels, names, renormalise=True))


# Weak models: n from 20 to 10,000, m from 2 to 50, classes from equally to very unequally common, signals
# from next to none to weak. What they claim may be just right, more or less than that.
SIGNALS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)


def weak(rng: np.random.Generator, n: int, m: int, common: float | None = None) -> np.ndarray:
    base = rng.dirichlet(np.full(m, rng.choice([0.3, 1.0, 10.0])))
    if common is not None:
        base = np.r_[common, np.full(m - 1, (1 - common) / (m - 1))]
    return softmax(np.log(base + 1e-12) + rng.choice(SIGNALS) * rng.normal(size=(n, m)))


def calibrated(rng: np.random.Generator, n: int, m: int) -> Rows:
    q = weak(rng, n, m)
    return q, drawn(rng, q)


def one_class_in_100_cases(rng: np.random.Generator, n: int, m: int) -> Rows:
    q = weak(rng, n, m, common=0.99)
    return q, drawn(rng, q)


def constant(rng: np.random.Generator, n: int, m: int) -> Rows:
    q = np.repeat(weak(rng, 1, m), n, axis=0)
    return q, drawn(rng, q)


def constant_and_off(rng: np.random.Generator, n: int, m: int) -> Rows:
    q = np.repeat(weak(rng, 1, m), n, axis=0)
    return q, drawn(rng, softmax(np.log(q) + 0.7 * rng.normal(size=m)))


def few_values(rng: np.random.Generator, n: int, m: int) -> Rows:
    q = weak(rng, n, m)[rng.integers(0, min(n, 5), n)]
    return np.round(q, 3) + 1e-9, drawn(rng, q)


def too_sure(rng: np.random.Generator, n: int, m: int) -> Rows:
    """Logits three times too large, from those of the base rates or from 0."""
    q = weak(rng, n, m)
    scores = np.log(q + 1e-300)
    start = scores.mean(axis=0) * rng.integers(2)
    return softmax(start + 3 * (scores - start)), drawn(rng, q)


def not_sure_enough(rng: np.random.Generator, n: int, m: int) -> Rows:
    q = weak(rng, n, m)
    return softmax(0.5 * np.log(q + 1e-300)), drawn(rng, q)


def shifted(rng: np.random.Generator, n: int, m: int) -> Rows:
    q = weak(rng, n, m)
    return softmax(np.log(q + 1e-300) + 0.7 * rng.normal(size=m)), drawn(rng, q)


WEAK = (
    calibrated, one_class_in_100_cases, constant, constant_and_off, few_values, too_sure, not_sure_enough,
    shifted,
)  # fmt: skip


def false_alarms(made, sets: int, seed: int) -> int:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    count = 0
    for i in range(sets):
        n = 10_000 if i % 50 == 0 else int(rng.choice([20, 50, 100, 300, 1_000, 3_000]))
        count += found(*made(rng, n, int(rng.choice([2, 2, 3, 5, 10, 50])))) is not None
    return count


@pytest.mark.some(2)
@pytest.mark.parametrize("made", WEAK)
def test_weak_models_are_left_alone(made) -> None:  # type: ignore[no-untyped-def]
    assert false_alarms(made, 150, 2_026) == 0


@pytest.mark.slow
@pytest.mark.parametrize("made", WEAK)
def test_at_most_one_weak_model_in_a_thousand_is_doubted(made) -> None:  # type: ignore[no-untyped-def]
    # 16 of 8,000 happen in 1 of 100 studies of models that are doubted 1 time in 1,000.
    assert false_alarms(made, 8_000, 7) < 16


# Ordinary models: calibrated, with the logits of normal scores, as often right as is asked.


@cache
def spread_of(m: int, accuracy: float) -> float:
    """Of the scores of a calibrated model that is right so often."""
    sample = np.random.default_rng(0).normal(size=(4_000, m))
    low, high = 0.01, 20.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if softmax(middle * sample).max(axis=1).mean() < accuracy else (low, middle)
        )
    return low


def ordinary(rng: np.random.Generator, n: int, m: int, accuracy: float) -> Rows:
    q = softmax(spread_of(m, accuracy) * rng.normal(size=(n, m)))
    return q, drawn(rng, q)


def moved_columns(rng: np.random.Generator, m: int) -> np.ndarray:
    order = np.arange(m)
    while (order == np.arange(m)).any():
        order = rng.permutation(m)
    return order


ENOUGH_FOR_AN_ORDER = [(2, 0.6, 1_500), (2, 0.8, 100), (3, 0.6, 200), (3, 0.95, 60), (10, 0.6, 100)]
ENOUGH_FOR_LABELS = [(2, 0.8, 400), (2, 0.95, 100), (3, 0.8, 150), (3, 0.6, 800), (10, 0.6, 150)]
"""Classes, how often the model is right, and cases that are enough."""


@pytest.mark.parametrize(("m", "accuracy", "n"), ENOUGH_FOR_AN_ORDER)
def test_columns_in_another_order_are_found_and_put_right(m: int, accuracy: float, n: int) -> None:
    rng = np.random.default_rng(3)
    for _ in range(25):
        probs, labels = ordinary(rng, n, m, accuracy)
        order = moved_columns(rng, m)
        names = tuple(f"k{k}" for k in range(m))
        doubt = found(probs[:, order], labels, names)
        assert doubt is not None
        assert doubt.kind == "order"
        assert doubt.columns_are == tuple(names[k] for k in order)
        right = float(np.mean(probs.argmax(axis=1) == labels))
        assert doubt.accuracy_then == pytest.approx(right)
        assert doubt.accuracy == pytest.approx(float(np.mean(probs[:, order].argmax(axis=1) == labels)))


def test_two_of_ten_columns_that_changed_places_are_found() -> None:
    rng = np.random.default_rng(5)
    order = np.array([1, 0, *range(2, 10)])
    for _ in range(10):
        probs, labels = ordinary(rng, 400, 10, 0.7)
        doubt = found(probs[:, order], labels)
        assert doubt is not None
        assert doubt.columns_are == tuple(map(str, order))


@pytest.mark.some(2)
@pytest.mark.parametrize(("m", "accuracy", "n"), ENOUGH_FOR_LABELS)
@pytest.mark.parametrize("how", ["shuffled", "of another set"])
def test_labels_of_other_cases_are_found(how: str, m: int, accuracy: float, n: int) -> None:
    rng = np.random.default_rng(9)
    caught = 0
    for _ in range(40):
        probs, labels = ordinary(rng, n, m, accuracy)
        other = rng.permutation(labels) if how == "shuffled" else ordinary(rng, n, m, accuracy)[1]
        doubt = found(probs, other)
        caught += doubt is not None and doubt.kind == "unrelated" and doubt.claimed > doubt.accuracy
        assert found(probs, labels) is None
    assert caught >= 36


def test_the_probability_of_the_wrong_class_is_found_where_one_class_is_rare() -> None:
    rng = np.random.default_rng(1)
    q = softmax(np.array([np.log(99), 0.0]) + 0.05 * rng.normal(size=(400, 2)))
    labels = drawn(rng, q)
    assert found(q, labels) is None
    doubt = found(q[:, ::-1], labels)
    assert doubt is not None
    assert doubt.columns_are == ("1", "0")


def test_of_the_bundled_examples_only_predictions_that_mean_nothing_are_doubted() -> None:
    examples = {example.key: load_cases(example.key) for example in EXAMPLES}
    of_one_label = {key: p for key, p in examples.items() if isinstance(p, Predictions)}
    doubts = {key: doubt for key, p in of_one_label.items() if (doubt := mismatch(p))}
    assert {key: doubt.kind for key, doubt in doubts.items()} == {"w19-m3": "unrelated"}


def test_what_is_right_by_guessing_and_what_was_claimed() -> None:
    probs = np.array([[0.9, 0.1]] * 60 + [[0.2, 0.8]] * 40)
    labels = np.array([1] * 55 + [0] * 5 + [0] * 38 + [1] * 2)
    doubt = found(probs, labels, ("well", "ill"))
    assert doubt is not None
    assert (doubt.n, doubt.columns_are) == (100, ("ill", "well"))
    assert doubt.accuracy == pytest.approx(0.07)
    assert doubt.accuracy_then == pytest.approx(0.93)
    assert doubt.by_guessing == pytest.approx(0.6 * 0.43 + 0.4 * 0.57)
    assert doubt.claimed == pytest.approx(0.86)
    assert from_entry(Mismatch, json.loads(json.dumps(asdict(doubt)))) == doubt


def test_nothing_is_said_of_one_class_and_of_one_case() -> None:
    sure = np.array([[0.9, 0.1]] * 50 + [[0.1, 0.9]] * 50)
    assert found(sure, np.zeros(100, int)) is None
    assert found(sure[:1], np.array([1])) is None


def test_classes_that_never_happen_keep_their_columns() -> None:
    rng = np.random.default_rng(2)
    probs, labels = ordinary(rng, 300, 3, 0.8)
    wide = np.column_stack([0.97 * probs, np.full((300, 2), 0.015)])
    assert found(wide, labels) is None
    doubt = found(wide[:, [1, 2, 0, 3, 4]], labels)
    assert doubt is not None
    assert doubt.columns_are == ("1", "2", "0", "3", "4")


def test_many_cases_are_looked_at_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibcore.data.mismatch.MOST_CELLS", 3_000)
    rng = np.random.default_rng(4)
    probs, labels = ordinary(rng, 20_000, 3, 0.8)
    doubt = found(probs[:, [2, 0, 1]], labels)
    assert doubt is not None
    assert doubt.n == 20_000
    assert doubt.accuracy_then == pytest.approx(float(np.mean(probs.argmax(axis=1) == labels)))


@pytest.mark.parametrize("m", [2, 3])
def test_the_tail_is_bounded_and_nearly_exact(m: int) -> None:
    rng = np.random.default_rng(m)
    n = 11 if m == 3 else 17
    values, chances = rng.normal(size=(n, m)), rng.dirichlet(np.ones(m), size=n)
    ways = np.array(list(product(range(m), repeat=n)))
    sums = values[np.arange(n), ways].sum(axis=1)
    weights = chances[np.arange(n), ways].prod(axis=1)
    mean = float(sums @ weights)
    for share in (0.5, 0.6, 0.8):
        reached = mean + share * (float(sums.max()) - mean)
        exact = float(weights[sums >= reached].sum())
        bound, nearly = _log_tail(values, chances, reached)
        assert np.exp(bound) >= exact
        assert bound < -1
        assert np.exp(nearly) == pytest.approx(exact, rel=0.4)
    assert _log_tail(values, chances, mean - 1) == (0.0, 0.0)
    assert _log_tail(values, chances, float(sums.max()) + 1)[0] < -30


def test_classes_that_did_not_happen_set_no_scale() -> None:
    """A sure model of many rare classes: what one of them would have said must not hide all others."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(50, 6))
    chances = np.array([[0.4, 0.3, 0.2, 0.1, 0.0, 0.0]])
    values[:, 4:] = 2_000.0
    for theta in (0.5, 3.0, 40.0):
        expected = _cumulants(values[:, :4], chances[:, :4], theta)
        assert_allclose(_cumulants(values, chances, theta), expected)
    reached = 0.9 * values[:, :4].max(axis=1).sum()
    assert_allclose(_log_tail(values, chances, reached), _log_tail(values[:, :4], chances[:, :4], reached))
