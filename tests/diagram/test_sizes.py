"""Sizes in plain units: by hand, and how often their intervals hold the truth."""

import math

import numpy as np
import pytest

from calibcore.data.predictions import Predictions
from calibcore.diagram.gap_bins import parts_of, smallest_bin
from calibcore.diagram.gap_sizes import class_frequencies, frequencies
from calibcore.diagram.typical_gap import typical_gap
from calibcore.errors import InputError
from calibcore.transforms.lenses import TopKLens


def two(p, y) -> Predictions:
    p = np.asarray(p, float)
    return Predictions.from_arrays(np.column_stack([p, 1 - p]), 1 - np.asarray(y), ("ill", "well"))


# --- by hand ------------------------------------------------------------------


def test_frequencies_in_both_directions_by_hand() -> None:
    probs = [[0.5, 0.5, 0.0], [0.2, 0.7, 0.1], [0.1, 0.6, 0.3], [0.4, 0.4, 0.2]]
    a, b, c = class_frequencies(Predictions.from_arrays(probs, [1, 1, 2, 0], ("a", "b", "c")))
    assert (a.class_name, a.n, a.happened, a.called, a.called_and_happened) == (
        "a",
        4,
        1,
        2,
        1,
    )  # ties: lower
    assert (b.n, b.happened, b.called, b.called_and_happened) == (4, 2, 2, 1)
    assert (c.happened, c.called, c.called_and_happened, c.mean_when_called) == (1, 0, 0, None)
    assert [x.mean_prediction for x in (a, b, c)] == pytest.approx([0.3, 0.55, 0.15])
    assert (a.mean_when_called, b.mean_when_called) == pytest.approx((0.45, 0.65))


def test_signed_gaps_by_hand() -> None:
    p = Predictions.from_arrays([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]], [0, 0], ("a", "b", "c"))
    a, b, c = frequencies(p)
    assert [(x.class_name, x.hits, x.n, x.happened) for x in (a, b, c)] == [
        ("a", 2, 2, 1.0), ("b", 0, 2, 0.0), ("c", 0, 2, 0.0)
    ]  # fmt: skip
    assert [x.said for x in (a, b, c)] == pytest.approx([0.3, 0.45, 0.25])
    assert [x.gap.value for x in (a, b, c)] == pytest.approx([-0.7, 0.45, 0.25])
    for x in (a, b, c):
        assert -1 <= x.gap.low <= x.gap.value <= x.gap.high <= 1
    (one,) = frequencies(two([0.2, 0.9], [0, 1]))
    assert (one.class_name, one.hits) == ("ill", 1)


@pytest.mark.parametrize(("n", "hits"), [(20, 0), (20, 3), (20, 20), (1, 0), (400, 90)])
def test_for_one_prediction_the_interval_is_wilsons(n, hits) -> None:
    """All predictions alike: a proportion, by Wilson (1927) unless the sample's own variance is larger."""
    p = two(np.full(n, 0.3), np.arange(n) < hits)
    gap, h, z = frequencies(p)[0].gap, hits / n, 1.959963984540054
    centre, half = h + z * z / (2 * n), z * math.sqrt(h * (1 - h) / n + z * z / (4 * n * n))
    wald = z * math.sqrt(h * (1 - h) / max(1, n - 1))
    wilson = [(centre + sign * half) / (1 + z * z / n) for sign in (-1, 1)]
    assert gap.low == pytest.approx(0.3 - max(wilson[1], min(1, h + wald)), abs=1e-6)
    assert gap.high == pytest.approx(0.3 - min(wilson[0], max(0, h - wald)), abs=1e-6)


def few_values(n: int, right: float, m: int = 3) -> tuple[Predictions, float]:
    """A model with m different predictions, 0.9 for one class each, and the true √(½·mean ‖g − q‖²)."""
    rng = np.random.default_rng(n)
    called = np.arange(n) % m
    g = np.where(called[:, None] == np.arange(m), 0.9, 0.1 / (m - 1))
    q = np.where(called[:, None] == np.arange(m), right, (1 - right) / (m - 1))
    labels = (rng.random((n, 1)) > q.cumsum(axis=1)).sum(axis=1)
    return Predictions.from_arrays(g, labels), math.sqrt(0.5 * np.square(g - q).sum(axis=1).mean())


@pytest.mark.parametrize(("n", "m"), [(200, 3), (600, 3), (900, 5)])
def test_equal_predictions_do_not_hide_a_gap_of_many_classes(n, m) -> None:
    """A tree or rounded probabilities: the median is one of many equal values, and no class is off alone."""
    p, truth = few_values(n, 0.67, m)
    found = typical_gap(p, frequencies(p))
    assert found.low <= truth <= found.high
    assert found.value == pytest.approx(truth, abs=0.06)


def drawn(g, q, rng) -> tuple[Predictions, float]:
    labels = (rng.random((len(g), 1)) >= q.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return Predictions.from_arrays(g, labels), math.sqrt(0.5 * np.square(g - q).sum(axis=1).mean())


@pytest.mark.some(1)
@pytest.mark.parametrize(("m", "n"), [(6, 110), (10, 100), (100, 1_500)])
def test_gaps_of_classes_with_few_cases_are_not_made_up_for_by_others(m, n) -> None:
    """Always 80 % sure; half the classes then happen always, half 60 % of the time: 20 points off, each."""
    called = np.arange(n) % m
    at, sure = called[:, None] == np.arange(m), np.where(called < m // 2, 1.0, 0.6)[:, None]
    g, q = np.where(at, 0.8, 0.2 / (m - 1)), np.where(at, sure, (1 - sure) / (m - 1))
    rng, found, truths = np.random.default_rng(m), [], []
    for _ in range(20):
        p, truth = drawn(g, q, rng)
        found.append(typical_gap(p, ()))
        truths.append(truth)
    assert np.mean([one.value for one in found]) == pytest.approx(np.mean(truths), abs=0.02)
    assert min(one.high for one in found) > 0.05  # never "but small"
    assert sum(one.high < truth for one, truth in zip(found, truths, strict=True)) <= 3


@pytest.mark.some(1)
@pytest.mark.parametrize(("m", "n"), [(10, 150), (20, 400), (100, 2_000)])
def test_the_typical_gap_of_a_model_too_sure_does_not_shrink_with_the_classes(m, n) -> None:
    rng, values, truths = np.random.default_rng(m), [], []
    for _ in range(20):
        z = rng.normal(size=(n, m))
        z[np.arange(n), rng.integers(m, size=n)] += rng.uniform(4, 12, n) + math.log(m)
        g = np.exp(z - z.max(axis=1, keepdims=True))
        g /= g.sum(axis=1, keepdims=True)
        rows, first = np.arange(n), g.argmax(axis=1)
        less = np.minimum(0.2, g[rows, first] - 1 / m)
        q = g + less[:, None] / (m - 1)
        q[rows, first] = g[rows, first] - less
        p, truth = drawn(g, q / q.sum(axis=1, keepdims=True), rng)
        values.append(typical_gap(p, ()).value)  # the classes' own gaps bound its upper limit alone
        truths.append(truth)
    assert np.mean(values) == pytest.approx(np.mean(truths), abs=0.02)


def test_bins_hold_each_case_once_and_one_likeliest_class() -> None:
    rng = np.random.default_rng(8)
    g = rng.dirichlet(np.full(30, 0.1), 200)
    parts, first = parts_of(g, smallest_bin(200)), g.argmax(axis=1)
    assert sorted(np.concatenate(parts).tolist()) == list(range(200))
    times = np.bincount(first, minlength=30)
    lone = [rows for rows in parts if len(set(first[rows])) > 1]
    assert all((times[first[rows]] == 1).all() for rows in lone)
    assert len(lone) <= 1
    assert len(parts) >= 20
    together = parts_of(np.eye(5), 2)  # each first but once
    assert [sorted(rows.tolist()) for rows in together] == [[0, 1, 2, 3, 4]]


def test_the_upper_limit_is_what_confidence_may_be_off() -> None:
    """Each class is first but once: one bin mixes them all, and the gaps of single classes cancel out."""
    p, truth = few_values(10, 0.6, 10)
    sure = p.probs.max(axis=1).mean() - (p.probs.argmax(axis=1) == p.labels).mean()
    found = typical_gap(p, frequencies(p))
    assert found.high >= sure * math.sqrt(10 / 18)
    assert found.high >= truth


@pytest.mark.parametrize("m", [2, 3])
def test_the_lower_limit_is_what_the_confidence_is_off_on_average(m: int) -> None:
    """A root mean square is no less than a mean: few cases that are off one way leave 0 out."""
    rng = np.random.default_rng(m)
    probs = np.full((60, m), 0.05 / (m - 1))
    probs[np.arange(60), rng.integers(m, size=60)] = 0.95
    p = Predictions.from_arrays(probs, rng.integers(m, size=60))
    (own,) = frequencies(TopKLens(1)(p))
    assert own.gap.low > 0
    found = typical_gap(TopKLens(1)(p), (own,))
    assert own.gap.low <= found.low <= found.value
    whole = typical_gap(p, frequencies(p))
    assert m == 2 or math.sqrt(m / (2 * (m - 1))) * own.gap.low <= whole.low <= whole.value


def test_weighted_predictions_are_refused() -> None:
    p = Predictions.from_arrays([[0.2, 0.8], [0.5, 0.5]], [0, 1], weights=[1, 2])
    for work in (frequencies, class_frequencies, lambda p: typical_gap(p, ())):
        with pytest.raises(InputError, match="weights give estimates only"):
            work(p)


# --- coverage -------------------------------------------------------------------

DESIGNS = {
    "rare": lambda rng, n: rng.beta(1, 60, n),
    "sure": lambda rng, n: rng.beta(0.05, 0.05, n),
    "spread": lambda rng, n: rng.random(n),
    "middle": lambda rng, n: rng.beta(8, 8, n),
}
TRUTHS = {
    "calibrated": lambda p: p,
    "shifted": lambda p: 0.1 + 0.9 * p,
    "halved": lambda p: 0.5 * p,
    "overconfident": lambda p: 0.7 * p + 0.3 * p.mean(),
}


def covered(design: str, truth: str, n: int, sets: int) -> tuple[float, float]:
    """How often the intervals of the signed and of the typical gap hold what they are of."""
    rng = np.random.default_rng([n, *design.encode(), *truth.encode()])
    signed = typical = 0
    for _ in range(sets):
        p = DESIGNS[design](rng, n)
        q = TRUTHS[truth](p)
        given = two(p, rng.random(n) < q)
        found = frequencies(given)
        signed += found[0].gap.low <= (p - q).mean() <= found[0].gap.high
        gap = typical_gap(given, found)
        typical += gap.low <= math.sqrt(np.square(p - q).mean()) <= gap.high
    return signed / sets, typical / sets


@pytest.mark.parametrize(
    ("design", "truth"), [("rare", "shifted"), ("sure", "halved"), ("spread", "calibrated")]
)
@pytest.mark.parametrize("n", [30, 100, 300])
def test_intervals_hold_the_truth(design, truth, n) -> None:
    signed, typical = covered(design, truth, n, 100)
    assert signed >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / 100)
    assert n < 100 or typical >= 0.90 - 3 * math.sqrt(0.90 * 0.10 / 100)  # approximate, of the whole error


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100, 300])
@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_hold_the_truth_in_every_design(design, truth, n) -> None:
    """Signed gap 95 % within simulation error and 2 points, typical gap at least 90 %."""
    signed, typical = covered(design, truth, n, 1_000)
    assert signed >= 0.93 - 3 * math.sqrt(0.95 * 0.05 / 1_000)
    assert n < 100 or typical >= 0.90 - 3 * math.sqrt(0.90 * 0.10 / 1_000)
