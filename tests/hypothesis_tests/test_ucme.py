"""UCME and the asymptotic test at its locations."""

from itertools import product
from math import exp

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests import AsymptoticCMETest, ExactTest
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.transforms.redraws import redrawn_labels
from tests.made import problem
from tests.oracles import literal_embeddings as literal

M = ((2.0, 1.0, 0.0), (1.0, 2.0, 1.0), (0.0, 1.0, 2.0))
WEIGHTS = (1.0, 0.5, 3.0)
KERNEL = ExponentialKernel(0.4, "total-variation")
JULIA = ((1.0, 0.0), (0.5, 0.5), (0.0, 1.0))
every_matrix = pytest.mark.parametrize("M", [None, WEIGHTS, M], ids=["identity", "weights", "full"])


def relabelled(p: Predictions, labels: np.ndarray) -> Predictions:
    return p.through(p.probs, labels.astype(np.int64), p.class_names)


def whole(M, m: int) -> np.ndarray:
    return np.eye(m) if M is None else np.array(M) if np.ndim(M) == 2 else np.diag(M)


# --- the estimator ----------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ((0, 1), 0.0),
        ((0, 0), (exp(-2) + exp(-0.5) + 1) / 12),
        ((1, 1), (exp(-2) + exp(-0.5) + 1) / 12),
        ((1, 0), (1 - exp(-1)) ** 2 / 6),
    ],
)
def test_two_points_against_calibration_errors_jl(labels, expected) -> None:
    """Their test suite: Gaussian, ν = 1, predictions (1, 0) and (0, 1), three locations."""
    p = Predictions.from_arrays(np.eye(2), labels)
    e = UCME(GaussianKernel(1.0), locations=JULIA, location_classes=(0, 0, 1))
    assert e(p) == pytest.approx(expected, rel=1e-14, abs=1e-16)


@every_matrix
@pytest.mark.parametrize("locations", [1, 4])
@pytest.mark.parametrize("n", [1, 7, 40])
def test_against_the_literal_definition(M, locations, n) -> None:
    p = problem(n, 3, n)
    rng = np.random.default_rng(1)
    t, c = rng.dirichlet(np.ones(3), locations).tolist(), rng.integers(3, size=locations).tolist()
    e = UCME(ExponentialKernel(0.4, class_matrix=M), locations=t, location_classes=c)
    described = ("exponential", "euclidean", 0.4)
    g, y, places = p.probs.tolist(), p.labels.tolist(), list(zip(t, c, strict=True))
    expected = literal.ucme(described, whole(M, 3), g, y, places)
    assert e(p) == pytest.approx(expected, rel=1e-12)
    terms = [
        [literal.deviation(described, whole(M, 3), row, k, x) for x in places]
        for row, k in zip(g, y, strict=True)
    ]
    assert_allclose(e.deviations(p), terms, rtol=1e-12, atol=1e-15)


@every_matrix
@pytest.mark.parametrize("m", [2, 3])
def test_redrawn_equals_single_calls(M, m) -> None:
    M = M if m == 3 or M is None else tuple(w[:2] if isinstance(w, tuple) else w for w in M[:2])
    p = problem(30, m, 2)
    e = UCME(ExponentialKernel("median", class_matrix=M), 5)
    labels = next(redrawn_labels(p, 12, np.random.default_rng(3)))
    singles = [e(relabelled(p, y)) for y in labels]
    seen: list[float] = []
    assert_allclose(e.redrawn(p, labels, seen.append), singles, rtol=1e-13, atol=1e-17)
    assert (len(seen), seen[-1]) == (12, 1)
    assert e.prepared(p).details == {"locations": 5}


def test_the_mean_under_calibration_is_the_mean_variance() -> None:
    """E[UCME] = mean_j n⁻² Σ_i κ_ij² g_i,c(1 − g_i,c) when labels are drawn from the predictions."""
    p = problem(25, 3, 4)
    e = UCME(KERNEL, 6)
    t, c = e.test_locations(p)
    variance = p.probs[:, c] * (1 - p.probs[:, c])
    expected = (KERNEL.matrix(p.probs, t) ** 2 * variance).sum(axis=0).mean() / 25**2
    labels = np.concatenate(list(redrawn_labels(p, 4000, np.random.default_rng(5))))
    found = e.redrawn(p, labels)
    assert found.mean() == pytest.approx(expected, abs=4 * found.std() / np.sqrt(4000))


# --- locations --------------------------------------------------------------


@pytest.mark.parametrize(("n", "m"), [(50, 2), (50, 5), (10, 3)])
def test_locations_are_distinct_predictions_that_labels_and_row_order_do_not_change(n, m) -> None:
    p = problem(n, m, 6)
    t, c = UCME(KERNEL, 10).test_locations(p)
    assert (t.shape, c.shape) == ((10, m), (10,))
    assert len(np.unique(t, axis=0)) == 10
    assert all((row == p.probs).all(axis=1).any() for row in t)
    assert (t[np.arange(10), c] > 0).all()
    for other in (relabelled(p, (p.labels + 1) % m), p.with_rows(np.random.default_rng(7).permutation(n))):
        for found, expected in zip(UCME(KERNEL, 10).test_locations(other), (t, c), strict=True):
            assert_array_equal(found, expected)
    assert UCME(KERNEL, 10, seed=1).test_locations(p)[0].tolist() != t.tolist()


@pytest.mark.slow
def test_locations_are_drawn_as_often_as_predictions_occur_and_classes_from_them() -> None:
    probs = np.repeat([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]], [75, 25], axis=0)
    p = Predictions.from_arrays(probs, np.zeros(100, int))
    drawn = [UCME(KERNEL, 1, seed).test_locations(p) for seed in range(2000)]
    first = np.array([t[0, 0] == 0.9 for t, _ in drawn])
    assert first.mean() == pytest.approx(0.75, abs=3.5 * np.sqrt(0.75 * 0.25 / 2000))
    classes = np.array([c[0] for _, c in drawn])
    for where, row in ((first, probs[0]), (~first, probs[-1])):
        shares = np.bincount(classes[where], minlength=3) / where.sum()
        assert_allclose(shares, row, rtol=0, atol=3.5 * 0.5 / np.sqrt(where.sum()))


def test_equal_predictions_make_one_location() -> None:
    half = Predictions.from_arrays(np.repeat([[0.5, 0.5], [0.2, 0.8]], [8, 8], axis=0), [0, 1] * 8)
    assert UCME(KERNEL, 10).prepared(half).details == {"locations": 2}
    same = Predictions.from_arrays(np.tile([0.3, 0.7], (10, 1)), [0] * 5 + [1] * 5)
    e = UCME(ExponentialKernel(), 10)
    assert e.prepared(same).details == {"locations": 1}
    assert e(same) == pytest.approx((0.5 - 0.3) ** 2, rel=1e-12)  # κ = 1 throughout
    nearly = Predictions.from_arrays([[0.1 + 0.2, 0.7], [0.3, 0.7], [0.3, 0.700004]], [0, 1, 1])
    assert len(UCME(KERNEL, 10).test_locations(nearly)[0]) == 1


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"n_locations": 0}, "number of test locations is 0; expected 1 or more"),
        ({"n_locations": -3}, "expected 1 or more"),
        ({"seed": -1}, "seed is -1"),
        ({"locations": JULIA}, "give both"),
        ({"location_classes": (0, 1)}, "give both"),
        ({"locations": (), "location_classes": ()}, "number of test locations is 0"),
        ({"locations": JULIA, "location_classes": (0, 1)}, "There are 3 test locations and 2 classes"),
        ({"locations": ((1.0, 0.0), (1.0,)), "location_classes": (0, 1)}, "rows of finite numbers"),
        ({"locations": ((1.0, float("nan")),), "location_classes": (0,)}, "rows of finite numbers"),
        ({"locations": (1.0, 0.0), "location_classes": (0,)}, "rows of finite numbers"),
        ({"locations": ("a",), "location_classes": (0,)}, "rows of finite numbers"),
        ({"locations": JULIA, "location_classes": (0, 1, -1)}, "integers from 0 up"),
        ({"locations": JULIA, "location_classes": (0, 1, 0.5)}, "integers from 0 up"),
    ],
)
def test_bad_settings(settings, sentence) -> None:
    with pytest.raises(InputError, match=sentence):
        UCME(KERNEL, **settings)


def test_locations_must_fit_the_classes() -> None:
    p = problem(20, 3, 8)
    with pytest.raises(InputError, match="have 2 probabilities and classes up to 1; the predictions have 3"):
        UCME(KERNEL, locations=JULIA, location_classes=(0, 0, 1))(p)
    with pytest.raises(InputError, match="classes up to 3; the predictions have 3 classes, from 0 to 2"):
        UCME(KERNEL, locations=((1.0, 0.0, 0.0),), location_classes=(3,))(p)
    with pytest.raises(InputError, match="class matrix is for 2 classes"):
        UCME(ExponentialKernel(0.4, class_matrix=(1.0, 2.0)))(p)


def test_given_locations_are_kept_as_tuples_and_set_their_number() -> None:
    e = UCME(KERNEL, 99, locations=np.eye(2), location_classes=[1, 0])
    assert (e.locations, e.location_classes, e.n_locations) == (((1.0, 0.0), (0.0, 1.0)), (1, 0), 2)
    assert hash(e) == hash(UCME(KERNEL, locations=[[1, 0], [0, 1]], location_classes=(1, 0)))


# --- the test ---------------------------------------------------------------


@pytest.mark.parametrize(("n", "seed"), list(product((3, 8, 200), (1, 2))))
def test_the_statistic_with_two_locations_inverted_by_hand(n, seed) -> None:
    p = problem(n, 3, seed)
    places = [((0.6, 0.3, 0.1), 0), ((0.2, 0.2, 0.6), 1)]
    e = UCME(KERNEL, locations=[t for t, _ in places], location_classes=[c for _, c in places])
    rows = zip(p.probs.tolist(), p.labels.tolist(), strict=True)
    described = ("exponential", "total-variation", 0.4)
    expected = literal.hotelling(
        [[literal.deviation(described, np.eye(3), g, y, x) for x in places] for g, y in rows]
    )
    found = AsymptoticCMETest(e)(p)
    assert found.statistic == pytest.approx(expected, rel=1e-9)
    assert found.pvalue == pytest.approx(1 - chi2.cdf(expected, 2), rel=1e-7, abs=1e-12)
    assert (found.promise, found.details) == ("asymptotic", {"degrees_of_freedom": 2})


@every_matrix
def test_the_statistic_is_that_of_the_inverse_covariance(M) -> None:
    p = problem(300, 3, 9)
    e = UCME(ExponentialKernel(0.4, class_matrix=M), 7)
    d = e.deviations(p)
    expected = 300 * d.mean(axis=0) @ np.linalg.inv(np.cov(d, rowvar=False)) @ d.mean(axis=0)
    found = AsymptoticCMETest(e)(p)
    assert found.statistic == pytest.approx(expected, rel=1e-9)
    assert found.details["degrees_of_freedom"] == 7


def test_one_location_is_the_squared_t_statistic() -> None:
    """All predictions (0.3, 0.7): n(0.5 − 0.3)²/s², s² = n/(n−1)·¼."""
    p = Predictions.from_arrays(np.tile([0.3, 0.7], (10, 1)), [0] * 5 + [1] * 5)
    found = AsymptoticCMETest(UCME(ExponentialKernel()))(p)
    assert found.statistic == pytest.approx(10 * 0.04 / (0.25 * 10 / 9), rel=1e-12)


@pytest.mark.parametrize(("n", "J"), [(1, 1), (5, 5), (5, 6), (11, 11)])
def test_no_more_cases_than_locations_is_refused(n, J) -> None:
    rng = np.random.default_rng(0)
    e = UCME(KERNEL, locations=rng.dirichlet(np.ones(3), J), location_classes=rng.integers(3, size=J))
    with pytest.raises(InputError, match=f"There are {n} cases and {J} test locations"):
        AsymptoticCMETest(e)(problem(n, 3, n))


@pytest.mark.parametrize(
    ("locations", "classes"),
    [
        (((0.5, 0.5), (0.5, 0.5)), (0, 0)),  # the same twice
        (((0.5, 0.5), (0.5, 0.5)), (0, 1)),  # residuals that are opposite
        (((0.5, 0.5), (0.5 + 1e-9, 0.5)), (0, 0)),  # nearly the same
        (((0.5, 0.5), (0.2, 0.8), (500.0, 0.0)), (0, 0, 0)),  # κ = 0
    ],
)
def test_a_singular_covariance_is_refused(locations, classes) -> None:
    with pytest.raises(InputError, match="singular covariance: some locations say the same, or nothing"):
        AsymptoticCMETest(UCME(KERNEL, locations=locations, location_classes=classes))(problem(50, 2, 1))


@pytest.mark.parametrize("label", [0, 1])
def test_deviations_that_do_not_vary_are_refused(label) -> None:
    for probs in (np.tile([0.3, 0.7], (14, 1)), np.tile(np.eye(2)[label], (14, 1))):
        p = Predictions.from_arrays(probs, np.full(14, label))
        with pytest.raises(InputError, match="singular covariance"):
            AsymptoticCMETest(UCME(ExponentialKernel()))(p)


def test_all_labels_of_one_class_are_tested() -> None:
    p = problem(200, 3, 3)
    one = relabelled(p, np.zeros(200))
    assert AsymptoticCMETest(UCME(KERNEL, 4))(one).pvalue < 1e-6
    assert ExactTest(UCME(KERNEL, 4), 99)(one, np.random.default_rng(1)).pvalue == 1 / 100
