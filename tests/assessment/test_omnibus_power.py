"""The smallest detectable size against the literal test, its random numbers, and its edges."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.assessment import omnibus_power
from calibcore.assessment.alternatives import alternatives, uneven
from calibcore.assessment.effort import Effort
from calibcore.assessment.omnibus_power import omnibus_detectable, patterns_of
from calibcore.assessment.power import Detectable
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators._omnibus import PAIRS_UP_TO, statistics_of
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.kernels import ExponentialKernel, GaussianKernel, Kernel
from calibcore.numerics.progress import Cancelled
from calibcore.transforms.lenses import PooledLens
from tests.oracles import literal_omnibus_power as literal
from tests.quick import FEW

LEVEL = 0.05 / 3
KERNEL = ExponentialKernel()


def predictions(n: int, m: int, concentration: float = 1.0, seed: int = 3) -> Predictions:
    rng = np.random.default_rng(seed)
    probs = rng.dirichlet(np.full(m, concentration), size=n)
    return Predictions.from_arrays(probs, rng.integers(m, size=n), [str(k) for k in range(m)])


def redraws_of(p: Predictions, kernel: Kernel = KERNEL, seed: int = 4, B: int = 119) -> np.ndarray:
    return ExactOmnibusTest(kernel, B).redraws(p, np.random.default_rng(seed))


def seen(
    p: Predictions, kernel: Kernel = KERNEL, n_simulated: int = 400, seed: int = 5, **more
) -> tuple[Detectable, ...]:
    rng = np.random.default_rng(seed)
    return omnibus_detectable(
        p, kernel, LEVEL, redraws_of(p, kernel), rng, Effort(label_sets=n_simulated), **more
    )


# --- against the definition ---------------------------------------------------


@pytest.mark.parametrize(
    ("n", "m", "concentration"),
    [
        pytest.param(60, 2, 1.0, marks=pytest.mark.slow),  # see also test_verdict_levels.py
        pytest.param(50, 3, 0.15, marks=pytest.mark.slow),
        pytest.param(40, 5, 3.0, marks=pytest.mark.slow),
    ],
)
def test_fresh_label_sets_are_rejected_8_times_in_10(n: int, m: int, concentration: float) -> None:
    """Other draws, the literal test: within the error of both simulations; bisection ends near it."""
    p = predictions(n, m, concentration)
    redraws, statistics = redraws_of(p), statistics_of(p, KERNEL)
    targets = literal.targets(p.probs)
    found = seen(p)
    assert {(one.pattern, one.class_name) for one in found} == set(targets)
    for one in found:
        target = targets[one.pattern, one.class_name]
        draw = literal.draws(p.probs, target, 400, np.random.default_rng(15))

        def reached(share: float, draw: literal.Draw = draw) -> float:
            return literal.power(statistics.evaluate(draw(share)), redraws, LEVEL)

        assert one.largest == pytest.approx(literal.size(p.probs, target, 1.0), rel=1e-9)
        if one.size is None:
            assert one.power < 0.8
            assert reached(1.0) < 0.8 + 0.1
            continue
        assert one.size == pytest.approx(literal.size(p.probs, target, one.share), rel=1e-9)
        slack = 3 * np.sqrt(0.8 * 0.2 * (1 / 400 + 1 / one.n_simulated)) + 0.02
        assert abs(reached(one.share) - 0.8) <= slack + (0.06 if one.n_simulated < 400 else 0)


def _sure(n: int, m: int, rng: np.random.Generator, least: float, most: float) -> np.ndarray:
    """One class each, but for a chance between 10^least and 10^most."""
    rest = 10.0 ** rng.uniform(least, most, n)
    g = np.tile((rest / (m - 1))[:, None], (1, m))
    g[np.arange(n), rng.integers(m, size=n)] = 1 - rest
    return g


SHAPES: dict[str, Callable[[int, int, np.random.Generator], np.ndarray]] = {
    "Dir(0.05)": lambda n, m, rng: rng.dirichlet(np.full(m, 0.05), n),
    "Dir(0.3)": lambda n, m, rng: rng.dirichlet(np.full(m, 0.3), n),
    "Dir(3)": lambda n, m, rng: rng.dirichlet(np.full(m, 3.0), n),
    "sure": lambda n, m, rng: _sure(n, m, rng, -8, -2),
    "so sure that redraws show nothing": lambda n, m, rng: _sure(n, m, rng, -9, -8),
    "certain": lambda n, m, rng: np.eye(m)[rng.integers(m, size=n)],
    "one prediction": lambda n, m, rng: np.tile(rng.dirichlet(np.ones(m)), (n, 1)),
    "all alike": lambda n, m, rng: np.full((n, m), 1 / m),
}


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(20, 2), (20, 10), (40, 5), (60, 3), (100, 10)])
@pytest.mark.parametrize("shape", SHAPES)
def test_small_data_of_every_shape_have_the_smallest_size(shape: str, n: int, m: int) -> None:
    """Fresh label sets and the literal test: seen 8 times in 10 at the hardest's size, and not below.

    The hardest is the largest of up to 12 sizes with errors of their own, so its power may be more by them.
    """
    g = SHAPES[shape](n, m, np.random.default_rng([n, m, *shape.encode()]))
    p = Predictions.from_arrays(g, np.zeros(n, int), [str(k) for k in range(m)])
    redraws, statistics, targets = redraws_of(p), statistics_of(p, KERNEL), literal.targets(g)
    found = omnibus_detectable(p, KERNEL, LEVEL, redraws, np.random.default_rng(5))

    def reached(one: Detectable, share: float, size: int = 400) -> float:
        draw = literal.draws(g, targets[one.pattern, one.class_name], size, np.random.default_rng(15))
        return literal.power(statistics.evaluate(draw(share)), redraws, LEVEL)

    unseen = [one for one in found if one.size is None]
    seen = [one for one in found if one.size is not None]
    assert all(reached(one, 1.0) < 0.8 + 0.085 for one in unseen)
    if not seen:
        return
    hardest = seen[0]
    assert hardest.n_simulated == 400
    assert hardest.share is not None
    assert -0.085 <= reached(hardest, hardest.share) - 0.8 <= 0.12
    # Half of it is not enough. Where one surprise refutes, and with few cases a class, power rises slowly
    # there: it was 0.55 to 0.785.
    assert reached(hardest, 0.5 * hardest.share) < 0.8
    for one in seen[1:4]:
        assert reached(one, min(1.0, hardest.size / one.largest), 200) >= 0.8 - 0.15


def test_the_hardest_is_simulated_to_the_end_and_stands_first() -> None:
    for m, concentration in ((2, 1.0), (2, 0.1), (3, 1.0), (6, 0.3)):
        p = predictions(100, m, concentration)
        found = seen(p)
        assert found[0].n_simulated == 400
        assert abs(found[0].power - 0.8) <= 0.0201
        sizes = [one.size for one in found if one.size is not None]
        assert sizes == sorted(sizes, reverse=True)


@pytest.mark.slow
def test_on_the_same_numbers_the_power_is_reached_at_the_hardest_share_and_not_below() -> None:
    p = predictions(120, 3)
    redraws, statistics = redraws_of(p), statistics_of(p, KERNEL)
    found = omnibus_detectable(p, KERNEL, LEVEL, redraws, np.random.default_rng(5))[0]
    pattern = next(
        a for a in patterns_of(p) if (a.pattern, a.class_name) == (found.pattern, found.class_name)
    )
    seed = int(np.random.default_rng(5).integers(2**63))

    def reached(share: float) -> bool:
        values = statistics.draw(pattern.probs(p.probs, share), 400, np.random.default_rng(seed))
        return literal.power(values, redraws, LEVEL) >= 0.8

    slack = max(0.07 * found.share, 2**-6)
    assert not reached(found.share - slack)
    assert reached(found.share + slack)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel",
    [GaussianKernel(), ExponentialKernel(metric="total-variation", class_matrix=((2, 0.5), (0.5, 1)))],
)
def test_other_kernels(kernel: Kernel) -> None:
    p = predictions(120, 2)
    redraws, statistics = redraws_of(p, kernel), statistics_of(p, kernel)
    one = seen(p, kernel)[0]
    target = literal.targets(p.probs)[one.pattern, one.class_name]
    labels = literal.draws(p.probs, target, 400, np.random.default_rng(8))(one.share)
    share = literal.power(statistics.evaluate(labels), redraws, LEVEL)
    assert abs(share - 0.8) <= 3 * np.sqrt(2 * 0.8 * 0.2 / 400) + 0.01


def test_uneven_moves_the_sure_away_and_the_unsure_towards() -> None:
    g = np.array([[0.9, 0.06, 0.04], [0.5, 0.3, 0.2], [1.0, 0.0, 0.0], [0.4, 0.35, 0.25]])
    p = Predictions.from_arrays(g, [0, 1, 0, 2], ["a", "b", "c"])
    target = uneven(p).towards(p.probs, slice(0, 4))
    assert_allclose(target, [[0, 0.6, 0.4], [1, 0, 0], [0, 0.5, 0.5], [1, 0, 0]])


# --- what it must not see, and its edges ---------------------------------------


@pytest.mark.some(1)
@pytest.mark.parametrize("n", [80, PAIRS_UP_TO + 10])
def test_labels_are_not_seen(n: int) -> None:
    p = predictions(n, 3)
    rng = np.random.default_rng(9)
    found = set()
    for labels in (p.labels, rng.permutation(p.labels), np.zeros(p.n, int)):
        other = Predictions.from_arrays(p.probs, labels, p.class_names)
        redraws = redraws_of(other)
        found.add(
            omnibus_detectable(other, KERNEL, LEVEL, redraws, np.random.default_rng(5), Effort(label_sets=80))
        )
    assert len(found) == 1


def test_what_cannot_be_seen_has_no_size() -> None:
    p = predictions(8, 2)
    for one in seen(p):
        if one.size is None:
            assert one.share is None
            assert one.power < 0.8
    assert seen(p)[0].size is None  # what cannot be seen stands first
    redraws = redraws_of(p, B=99)
    too_few = omnibus_detectable(p, KERNEL, 0.001, redraws, np.random.default_rng(5), FEW)
    assert {(one.size, one.power) for one in too_few} == {(None, 0.0)}


@pytest.mark.parametrize("n", [30, PAIRS_UP_TO + 10])
def test_patterns_that_change_no_prediction_are_left_out(n: int) -> None:
    same = Predictions.from_arrays(np.tile([1.0, 0.0], (n, 1)), np.zeros(n, int), ("a", "b"))
    assert [(one.pattern, one.class_name) for one in alternatives(same)] == [("bias", "b")]
    (found,) = seen(same)
    assert found.largest == 1.0
    assert found.size is not None
    assert 0 < found.size < 0.1  # one case of class b refutes these predictions
    assert found.power >= 0.78


def test_pooled_and_weighted_predictions_are_refused() -> None:
    p = predictions(20, 3)
    with pytest.raises(InputError, match="depend on each other"):
        omnibus_detectable(PooledLens()(p), KERNEL, LEVEL, np.zeros((7, 99)), np.random.default_rng(5))
    weighted = Predictions.from_arrays(p.probs, p.labels, weights=np.arange(1, 21))
    with pytest.raises(InputError, match="weights give estimates only"):
        omnibus_detectable(weighted, KERNEL, LEVEL, np.zeros((9, 99)), np.random.default_rng(5))


@pytest.mark.parametrize("n", [50, PAIRS_UP_TO + 10])
def test_progress_rises_and_may_stop_the_work(n: int) -> None:
    p, told = predictions(n, 3), []
    seen(p, n_simulated=50, progress=told.append)
    assert told == sorted(told)
    assert 0.5 < told[-1] <= 1

    def stop(fraction: float) -> None:
        if fraction > 0.2:
            raise Cancelled

    with pytest.raises(Cancelled):
        seen(p, n_simulated=50, progress=stop)


@pytest.mark.parametrize(("n", "m"), [(40, 2), (40, 3), (900, 3)])
def test_every_share_draws_from_the_same_numbers(n: int, m: int) -> None:
    """The same share gives the same labels; a little more of a pattern changes few of them."""
    p = predictions(n, m)
    statistics, bias = statistics_of(p, KERNEL), alternatives(p)[-1]

    def drawn(share: float) -> np.ndarray:
        return statistics.draw(bias.probs(p.probs, share), 64, np.random.default_rng(1))

    assert_array_equal(drawn(0.1), drawn(0.1))
    mix, near, far = drawn(0.10)[6], drawn(0.11)[6], drawn(0.5)[6]
    assert np.abs(near - mix).mean() < 0.25 * np.abs(far - mix).mean()


def test_the_next_share_stays_within_the_bracket() -> None:
    between, tried, inf = omnibus_power._between, omnibus_power._Tried, float("inf")
    low, high = tried(0.1, 0.2, -1.0), tried(0.4, 0.99, 2.0)
    assert 0.1 < between(low, high, 1.02) < 0.4
    assert between(low, high, 1.02, halve=True) == pytest.approx(0.2)
    assert 0.1 < between(tried(0.1, 0.0, -inf), tried(0.1001, 1.0, inf), 1.02) < 0.1001
    assert 0.2 < between(tried(0.2, 0.7, -0.3), tried(inf, 1.0, inf), 1.02) <= 1
    assert between(tried(0.2, 0.0, -inf), tried(inf, 1.0, inf), 1.02) == 1
    assert 0.2 / 16 <= between(tried(0.0, 0.0, -inf), tried(0.2, 1.0, inf), 1.02) < 0.2
