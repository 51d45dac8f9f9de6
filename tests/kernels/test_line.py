"""Mean and median of all distances on a line, against all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibcore.kernels import line
from calibcore.kernels.bandwidths import bandwidth_by_rule
from calibcore.kernels.line import PairsOnALine, pairs_within
from calibcore.numerics.loops import read_only
from tests.cases import each
from tests.strategies import FEW


def by_all_pairs(x: np.ndarray, diagonal: bool, positive: bool) -> float:
    d = np.abs(x[:, None] - x)
    d[d <= 1e-12] = 0
    pairs = d.ravel() if diagonal else d[np.triu_indices(len(x), 1)]
    if positive:
        pairs = pairs[pairs > 0]
    return float(np.median(pairs)) if len(pairs) else 0.0


def every_way(x: np.ndarray) -> list[tuple[float, float]]:
    pairs = PairsOnALine.of(x)
    ways = [(False, False), (True, False), (False, True)]
    return [(pairs.median(*way), by_all_pairs(x, *way)) for way in ways]


def check(x: np.ndarray) -> None:
    for found, expected in every_way(x):
        assert found == pytest.approx(expected, rel=1e-14, abs=5e-16)
    values, units = PairsOnALine.of(x), line.in_units(x)
    apart = np.abs(units[:, None] - units)[np.triu_indices(len(x), 1)]
    for d in {0, *apart[: len(x)].tolist()}:
        of_many = pairs_within(read_only(values.x), read_only(values.copies), d)
        assert values._up_to(d) == of_many == (apart <= d).sum()
    pairs = np.abs(x[:, None] - x)[np.triu_indices(len(x), 1)]
    if pairs.mean() > 1e-12:
        assert PairsOnALine.of(x).mean() == pytest.approx(pairs.mean(), rel=1e-12)


SHAPES = {
    "uniform": lambda rng, n: rng.random(n),
    "sure": lambda rng, n: rng.beta(0.02, 0.02, n),
    "one side": lambda rng, n: rng.beta(0.1, 5.0, n),
    "hundredths": lambda rng, n: np.round(rng.random(n), 2),
    "two values": lambda rng, n: rng.choice([0.3, 0.9], n),
    "two clusters": lambda rng, n: rng.choice([0.1, 0.8], n) + 1e-9 * rng.random(n),
    "one cluster": lambda rng, n: 0.5 + 1e-13 * rng.random(n),
    "half the same": lambda rng, n: np.where(np.arange(n) < n // 2, 0.25, rng.random(n)),
    "most the same": lambda rng, n: np.where(np.arange(n) < 0.8 * n, 0.25, rng.random(n)),
    "all the same": lambda rng, n: np.full(n, 0.7),
}


@each("shape", SHAPES)
@each("n", [2, 3, 4, 5, 50, 401])
def test_against_all_pairs(shape, n) -> None:
    check(SHAPES[shape](np.random.default_rng(n), n))


@given(
    st.lists(
        st.sampled_from([0.0, 0.1, 0.2, 0.1 + 0.2, 0.3, 0.7, 1.0, 1e-13, 1e-320]), min_size=2, max_size=12
    )
)
@FEW
def test_against_all_pairs_of_few_values(values) -> None:
    check(np.array(values))


def test_middle_distances_on_either_side_of_a_halving() -> None:
    """Distances ½ − ε and ½ + ε are the middle ones: the first halving separates them."""
    x = np.array([0.0, 0.25, 0.75 - 2**-20, 1.0])
    check(x)


@pytest.mark.slow
@each("shape", ["uniform", "sure", "one side", "half the same"])
def test_a_median_of_many_is_found_by_few_counts(shape, monkeypatch) -> None:
    x, counts = SHAPES[shape](np.random.default_rng(8), 3_000), []
    up_to = PairsOnALine._up_to
    monkeypatch.setattr(PairsOnALine, "_up_to", lambda self, d: counts.append(d) or up_to(self, d))
    found = PairsOnALine.of(x).median()
    assert found == pytest.approx(by_all_pairs(x, False, False), rel=1e-14, abs=5e-16)
    assert len(counts) <= 30


def test_a_hundred_thousand_rows_against_the_formula() -> None:
    """Uniform x, P(|x − x′| ≤ d) = 1 − (1 − d)²: on a grid of n the median is that within 1/n."""
    n = 100_000
    x = (np.arange(n) + 0.5) / n
    found = bandwidth_by_rule(np.column_stack([x, 1 - x]), "median", "total-variation")
    assert found.value == pytest.approx(1 - np.sqrt(0.5), abs=1 / n)
    assert found.pairs == "all"
    mean = bandwidth_by_rule(np.column_stack([x, 1 - x]), "mean", "total-variation").value
    assert mean == pytest.approx((n + 1) / (3 * n), rel=1e-12)


def test_more_values_than_a_block_holds() -> None:
    x = np.sort(np.random.default_rng(5).integers(0, 100_000, 150_000))
    values, times = np.unique(x, return_counts=True)
    distinct, copies = x.copy(), np.empty(len(x), np.int32)
    u = line.distinct(distinct, copies)
    assert (distinct[:u].tolist(), copies[:u].tolist()) == (values.tolist(), times.tolist())
    distances, pairs = line.pairs_between(values, times.astype(np.int32), 2, 4)
    for d in (3, 4):
        rows = np.isin(values + d, values)
        expected = (times[rows] * times[np.isin(values, values[rows] + d)]).sum()
        assert pairs[distances == d].sum() == expected
    assert set(distances.tolist()) == {3, 4}
