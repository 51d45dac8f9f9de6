"""The smallest detectable size against a literal bisection, its random numbers, and its edges."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import power
from calibcore.alternatives import LabelSets, alternatives
from calibcore.diagnose import Cancelled
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest, monte_carlo_pvalue
from calibcore.hypothesis_tests.result import rejected
from calibcore.kernels import ExponentialKernel, GaussianKernel, Kernel
from calibcore.lenses import PooledLens
from calibcore.power import Detectable, detectable
from calibcore.predictions import InputError, Predictions
from tests.oracles import literal_power as literal

LEVEL = 0.05 / 3


def predictions(n: int, m: int, concentration: float = 1.0, seed: int = 3) -> Predictions:
    rng = np.random.default_rng(seed)
    probs = rng.dirichlet(np.full(m, concentration), size=n)
    return Predictions.from_arrays(probs, rng.integers(m, size=n), [f"c{k}" for k in range(m)])


def null_of(p: Predictions, kernel: Kernel, seed: int = 4, B: int = 599) -> np.ndarray:
    null = ExactTest(SKCE(kernel), B)(p, np.random.default_rng(seed)).null_distribution
    assert null is not None
    return null


def seen(
    p: Predictions, kernel: Kernel, n_simulated: int = 400, seed: int = 5, **more
) -> tuple[Detectable, ...]:
    return detectable(p, kernel, LEVEL, null_of(p, kernel), np.random.default_rng(seed), n_simulated, **more)


def target_of(p: Predictions, one: Detectable) -> np.ndarray:
    return literal.targets(p.probs)[1 + p.class_index(one.class_name) if one.class_name else 0]


# --- against the definition ---------------------------------------------------


@pytest.mark.parametrize(
    ("n", "m", "concentration"), [(60, 2, 1.0), (60, 2, 0.2), (50, 3, 1.0), (50, 3, 0.15), (40, 5, 3.0)]
)
def test_on_the_same_random_numbers_the_power_is_the_literal_one(n, m, concentration) -> None:
    """At the stated share exactly; and bisection on these numbers ends near it."""
    p, kernel = predictions(n, m, concentration), ExponentialKernel(0.3)
    null, found = null_of(p, kernel), seen(p, kernel)
    sets = LabelSets(p, 400, np.random.default_rng(5))
    assert {(one.pattern, one.class_name) for one in found} == {
        ("overconfidence", ""), *(("bias", name) for name in p.class_names)
    }  # fmt: skip
    for one in found:
        target = target_of(p, one)

        def share_rejected(share: float, target: np.ndarray = target) -> float:
            labels = np.concatenate(list(sets.drawn(target, share)))
            return literal.power(p.probs, labels, 0.3, null, LEVEL)

        assert one.largest == pytest.approx(literal.size(p.probs, target, 1.0), rel=1e-9)
        assert one.power == share_rejected(one.share or 1.0)
        if one.size is None:
            assert one.power < 0.8
            continue
        assert one.size == pytest.approx(literal.size(p.probs, target, one.share), rel=1e-9)
        assert abs(one.power - 0.8) <= 0.0101
        bisected = literal.smallest_share(lambda share: share_rejected(share) >= 0.8, 7)
        assert one.share == pytest.approx(bisected, rel=0.04, abs=2**-7)


@pytest.mark.parametrize(("n", "m"), [(60, 2), (50, 3)])
def test_with_other_random_numbers_it_agrees_within_simulation_error(n, m) -> None:
    p, kernel = predictions(n, m), ExponentialKernel(0.3)
    null = null_of(p, kernel, seed=14, B=2_999)
    for one in detectable(p, kernel, LEVEL, null, np.random.default_rng(6)):
        target = target_of(p, one)
        draw = literal.draws(p.probs, target, 400, np.random.default_rng(15))

        def reached(share: float, draw: literal.Draw = draw) -> bool:
            return literal.power(p.probs, draw(share), 0.3, null, LEVEL) >= 0.8

        share = literal.smallest_share(reached, 7)
        if share is None or one.share is None:
            assert (share or 1) == pytest.approx(one.share or 1, rel=0.15)
        else:
            assert one.share == pytest.approx(share, rel=0.12)


def test_where_each_is_raced_the_hardest_is_simulated_to_the_end_and_the_others_are_near(monkeypatch) -> None:
    for m, concentration in ((2, 1.0), (2, 0.1), (3, 1.0), (6, 0.3)):
        p, kernel = predictions(400, m, concentration), ExponentialKernel(0.3)
        monkeypatch.setattr(power, "EACH_UP_TO", 400)
        each = {(one.pattern, one.class_name): one for one in seen(p, kernel)}
        monkeypatch.setattr(power, "EACH_UP_TO", 399)
        raced = seen(p, kernel)
        assert {one.n_simulated for one in each.values()} == {400}
        assert raced[0].n_simulated == 400
        assert {(one.pattern, one.class_name) for one in raced} == set(each)
        for one in raced:
            other = each[one.pattern, one.class_name]
            assert (one.size is None) == (other.size is None)
            if one.size is not None:
                assert one.size == pytest.approx(other.size, rel=0.03 if one.n_simulated == 400 else 0.15)
        sizes = [one.size for one in raced if one.size is not None]
        assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize(
    "kernel", [GaussianKernel(0.2), ExponentialKernel(0.3, "total-variation", ((2, 0.5), (0.5, 1)))]
)
def test_other_kernels(kernel) -> None:
    """Fresh label sets, the estimator itself, the Monte Carlo p: rejected 8 times in 10."""
    p = predictions(120, 2)
    null = null_of(p, kernel)
    for one in detectable(p, kernel, LEVEL, null, np.random.default_rng(7)):
        assert one.share is not None
        labels = literal.draws(p.probs, target_of(p, one), 400, np.random.default_rng(8))(one.share)
        found = SKCE(kernel).redrawn(p, labels)
        share = np.mean([monte_carlo_pvalue(float(t), null) <= LEVEL for t in found])
        assert abs(share - 0.8) <= 3 * np.sqrt(2 * 0.8 * 0.2 / 400) + 0.01


# --- what it must not see, and its edges ---------------------------------------


@pytest.mark.parametrize("n", [80, 1_200])
def test_labels_are_not_seen(n) -> None:
    p, kernel = predictions(n, 3), ExponentialKernel(0.3)
    null = null_of(p, kernel, B=299)
    rng = np.random.default_rng(9)
    found = set()
    for labels in (p.labels, rng.permutation(p.labels), np.zeros(p.n, int)):
        other = Predictions.from_arrays(p.probs, labels, p.class_names)
        found.add(detectable(other, kernel, LEVEL, null, np.random.default_rng(5), 80))
    assert len(found) == 1


def test_what_cannot_be_seen_has_no_size() -> None:
    p, kernel = predictions(8, 2), ExponentialKernel(0.3)
    for one in seen(p, kernel):
        if one.size is None:
            assert one.share is None
            assert one.power < 0.8
    assert seen(p, kernel)[0].size is None  # what cannot be seen stands first
    too_few = detectable(p, kernel, 0.001, null_of(p, kernel, B=99), np.random.default_rng(5), 50)
    assert {(one.size, one.power) for one in too_few} == {(None, 0.0)}


@pytest.mark.parametrize("n", [30, 1_200])
def test_patterns_that_change_no_prediction_are_left_out(n) -> None:
    same = Predictions.from_arrays(np.tile([1.0, 0.0], (n, 1)), np.zeros(n, int), ("a", "b"))
    assert [(one.pattern, one.class_name) for one in alternatives(same)] == [("bias", "b")]
    (found,) = seen(same, ExponentialKernel(1.0))
    assert found.largest == 1.0
    assert 0 < found.size < 0.1  # one case of class b refutes these predictions
    assert found.power >= 0.78


def test_more_than_ten_classes_are_biased_towards_the_three_most_predicted() -> None:
    p = predictions(40, 11)
    expected = np.sort(np.argsort(-p.probs.mean(axis=0))[:3])
    found = [one.class_name for one in alternatives(p)]
    assert found == ["", *(p.class_names[c] for c in expected)]
    assert len(alternatives(predictions(40, 10))) == 11


def test_pooled_and_weighted_predictions_are_refused() -> None:
    p, kernel = predictions(20, 3), ExponentialKernel(0.3)
    with pytest.raises(InputError, match="depend on each other"):
        detectable(PooledLens()(p), kernel, LEVEL, np.zeros(99), np.random.default_rng(5))
    weighted = Predictions.from_arrays(p.probs, p.labels, weights=np.arange(1, 21))
    with pytest.raises(InputError, match="weights give estimates only"):
        detectable(weighted, kernel, LEVEL, np.zeros(99), np.random.default_rng(5))


@pytest.mark.parametrize("n", [50, 1_200])
def test_progress_rises_and_may_stop_the_work(n) -> None:
    p, told = predictions(n, 3), []
    seen(p, ExponentialKernel(0.3), 50, progress=told.append)
    assert told == sorted(told)
    assert 0.5 < told[-1] <= 1

    def stop(fraction: float) -> None:
        if fraction > 0.2:
            raise Cancelled

    with pytest.raises(Cancelled):
        seen(p, ExponentialKernel(0.3), 50, progress=stop)


# --- label sets -----------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_label_sets_are_samples_of_the_alternative(share) -> None:
    p = predictions(5, 4)
    target = np.array([0.1, 0.0, 0.6, 0.3])
    labels = np.concatenate(list(LabelSets(p, 40_000, np.random.default_rng(5)).drawn(target, share)))
    q = (1 - share) * p.probs + share * target
    observed = np.stack([(labels == k).mean(axis=0) for k in range(4)], axis=1)
    assert (np.abs(observed - q) <= 4.5 * np.sqrt(q * (1 - q) / 40_000)).all()
    pairs = np.corrcoef((labels == 2).T)  # cases do not depend on each other
    assert np.abs(pairs - np.eye(5))[np.isfinite(pairs)].max() < 0.03


@pytest.mark.parametrize(("n", "size"), [(20, 90), (700, 400), (70_000, 20)])
def test_each_case_changes_its_source_once(n, size) -> None:
    p = predictions(n, 3)
    sets = LabelSets(p, size, np.random.default_rng(5))
    target = np.eye(3)[1]
    before = np.concatenate(list(sets.drawn(target, 0.0)))
    assert before.shape == (size, n)
    changed = np.zeros(before.shape, bool)
    for share in (0.1, 0.4, 0.9, 1.0):
        labels = np.concatenate(list(sets.drawn(target, share)))
        now = labels != before
        assert (labels[now] == 1).all()
        assert (now | ~changed).all()  # what changed stays so
        assert now.sum() > changed.sum()
        changed = now
    assert_array_equal(np.concatenate(list(sets.drawn(target, 0.0))), before)
    assert len({row.tobytes() for row in before}) == size


def test_what_has_probability_zero_does_not_happen() -> None:
    p = Predictions.from_arrays(np.tile([0.0, 1.0, 0.0], (2_000, 1)), np.ones(2_000, int))
    for share in (0.0, 0.5):
        labels = np.concatenate(list(LabelSets(p, 50, np.random.default_rng(5)).drawn(p.probs[0], share)))
        assert (labels == 1).all()


# --- what it is made of ------------------------------------------------------------


@pytest.mark.parametrize("low_rank", [False, True])
@pytest.mark.parametrize(("m", "kind"), [(2, ExponentialKernel), (2, GaussianKernel), (4, ExponentialKernel)])
def test_products_are_sums_over_the_others(m, kind, low_rank, monkeypatch) -> None:
    if low_rank:
        monkeypatch.setattr("calibcore.estimators._redraws.FROM", 10)
    p, kernel = predictions(70, m), kind(0.4)
    values = np.random.default_rng(1).normal(size=(70, 3))
    found = SKCE(kernel).prepared(p).products(values)
    others = kernel.matrix(p.probs, p.probs) - np.eye(70)
    assert_allclose(found, others @ values, atol=1e-8)


def test_rejected_is_the_monte_carlo_p_at_most_the_level() -> None:
    rng = np.random.default_rng(2)
    null = np.round(rng.normal(size=199), 1)  # ties
    statistics = np.concatenate([null, null + 1e-10, null - 1e-10, rng.normal(1.5, 1, size=200)])
    for level in (0.05, 0.05 / 3, 0.1, 0.005, 0.001, 1.0):
        expected = [monte_carlo_pvalue(float(t), null) <= level + 1e-12 for t in statistics]
        assert_array_equal(rejected(statistics, null, level), expected)


def test_single_precision_changes_no_size(monkeypatch) -> None:
    p, kernel = predictions(300, 3), ExponentialKernel(0.3)
    one, other = (seen(p, kernel, precision=precision) for precision in ("float64", "float32"))
    for a, b in zip(one, other, strict=True):
        assert replace(a, size=0, share=0, power=0) == replace(b, size=0, share=0, power=0)
        assert a.size == pytest.approx(b.size, rel=0.005)
