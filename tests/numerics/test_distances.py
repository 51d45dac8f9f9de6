"""Distances between probability vectors."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from calibcore.errors import InputError
from calibcore.numerics.distances import DEFAULT, DISTANCES, distance
from tests.strategies import FEW, probabilities

P, Q = np.array([0.7, 0.2, 0.1]), np.array([0.1, 0.2, 0.7])


@pytest.mark.parametrize(
    ("name", "value", "largest"),
    [
        ("total-variation", 0.6, 1.0),
        ("squared-euclidean", 0.72, 2.0),
        ("euclidean", math.sqrt(0.72), math.sqrt(2)),
        ("cityblock", 1.2, 2.0),
    ],
)
def test_two_vectors_by_hand(name: str, value: float, largest: float):
    assert distance(name)(P, Q) == pytest.approx(value, abs=1e-15)
    assert distance(name)(np.eye(4)[0], np.eye(4)[3]) == pytest.approx(largest, abs=1e-15)


def test_total_variation_is_the_largest_difference_over_all_events():
    rng = np.random.default_rng(0)
    p, q = rng.dirichlet(np.ones(5), 2)
    events = (np.arange(32)[:, None] >> np.arange(5)) & 1
    assert distance("total-variation")(p, q) == pytest.approx(np.abs(events @ (p - q)).max(), abs=1e-15)


@pytest.mark.parametrize(
    ("name", "metric"),
    [("squared-euclidean", "sqeuclidean"), ("euclidean", "euclidean"), ("cityblock", "cityblock")],
)
def test_against_scipy(name: str, metric: str):
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet(np.ones(6), 7), rng.dirichlet(np.ones(6), 9)
    assert_allclose(distance(name)(p[:, None], q[None]), cdist(p, q, metric), atol=1e-15)


@FEW
@given(st.sampled_from(sorted(DISTANCES)), probabilities(cases=(3, 3)))
def test_every_distance_is_symmetric_and_zero_only_for_equal_vectors(name: str, g: np.ndarray):
    d, (p, q, r) = distance(name), g
    assert d(p, q) == d(q, p)
    assert d(p, p) == 0
    assert (d(p, q) > 0) == (p != q).any()
    if name != "squared-euclidean":
        assert d(p, r) <= d(p, q) + d(q, r) + 1e-12


@pytest.mark.parametrize("name", DISTANCES)
def test_the_last_axis_is_the_one_of_the_classes(name: str):
    p = np.random.default_rng(2).dirichlet(np.ones(3), (4, 5))
    q = np.random.default_rng(3).dirichlet(np.ones(3), 5)
    found = distance(name)(p, q)
    assert found.shape == (4, 5)
    assert found[2, 3] == distance(name)(p[2, 3], q[3])


def test_the_default_is_total_variation():
    assert DEFAULT == "total-variation"
    assert set(DISTANCES) >= {"total-variation", "squared-euclidean", "euclidean", "cityblock"}


def test_an_unknown_name_lists_the_names_there_are():
    with pytest.raises(InputError, match=r"no distance 'hellinger'.*total-variation, .*cityblock"):
        distance("hellinger")
