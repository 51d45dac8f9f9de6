"""Passes over cases for many temperatures, beside the plain formulas, and redraws of the same numbers."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore import Predictions, limits, survey
from calibcore.assessment.assess import assess
from calibcore.assessment.temperature_set import temperature_set
from calibcore.numerics.draws import Draws
from calibcore.numerics.progress import Cancelled
from calibcore.numerics.tempering import Powers, exp_below, logarithms, smallest_of, softmax
from calibcore.numerics.types import Float
from calibcore.transforms.lenses import TopKLens
from calibcore.words.temperature import estimate_words

SHAPES = [(7, 2), (64, 3), (700, 33), (700, 34), (300, 200), (9_000, 3), (2_500, 40)]
"""Fewer and more cases than a panel and than a task; classes on either side of where a table pays."""


def probabilities(n: int, m: int) -> Float:
    """With zeros, and rows that do not quite sum to 1."""
    rng = np.random.default_rng([n, m])
    g = rng.dirichlet(np.full(m, 0.3), n)
    g[rng.random((n, m)) < 0.1] = 0.0
    g[g.sum(axis=1) == 0] = 1.0
    return np.asarray(g / g.sum(axis=1, keepdims=True) * (1 + 1e-6 * rng.random((n, 1))))


def below(g: Float) -> Float:
    logs = logarithms(g, smallest_of(g))
    return np.asarray(logs - logs.max(axis=1, keepdims=True))


@pytest.mark.parametrize(("n", "m"), SHAPES)
def test_one_pass_tells_the_sums_of_the_formulas(n: int, m: int) -> None:
    g = probabilities(n, m)
    powers, l = Powers.of(g), below(g)  # noqa: E741 (its name in the formulas)
    for b in (0.05, 0.7, 1.0, 20.0):
        q = softmax(b * l)
        mean = (q * l).sum(axis=1)
        found = powers.at(b)
        assert found.value == pytest.approx(np.log(np.exp(b * l).sum(axis=1)).sum(), rel=1e-12)
        assert found.mean == pytest.approx(mean.sum(), rel=1e-12)
        assert found.variance == pytest.approx(((q * l**2).sum(axis=1) - mean**2).sum(), rel=1e-9)
    y = np.random.default_rng(0).integers(m, size=n)
    assert powers.happened(y) == pytest.approx(l[np.arange(n), y].sum(), rel=1e-12)
    assert powers.expected() == pytest.approx((g / g.sum(axis=1, keepdims=True) * l).sum(), rel=1e-12)


@pytest.mark.parametrize(("n", "m"), SHAPES)
@pytest.mark.parametrize("b", [1.0, 0.6])
def test_redraws_are_those_of_the_generators_numbers_row_by_row(n: int, m: int, b: float) -> None:
    """At 1 from the probabilities as they are: what has none never happens."""
    g, resamples = probabilities(n, m), 150
    found = Powers.of(g).redrawn(b, Draws(np.random.default_rng(5)), resamples)
    l = below(g)  # noqa: E741
    edges = np.cumsum(g if b == 1 else softmax(b * l), axis=1)
    edges /= edges[:, -1:]
    rng = np.random.default_rng(5)
    for sum_found in found.tolist():
        labels = (edges[:, :-1] <= rng.random((n, 1))).sum(axis=1)
        assert b != 1 or (g[np.arange(n), labels] > 0).all()
        assert sum_found == pytest.approx(l[np.arange(n), labels].sum(), rel=1e-11)


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    p = Predictions.from_arrays(probabilities(9_000, 40), np.zeros(9_000, int), renormalise=True)
    found = []
    for threads in (1, 3):
        monkeypatch.setattr(limits, "LIMITS", replace(limits.LIMITS, threads=threads))
        found.append(temperature_set(p, 40))
    assert found[0] == found[1]


def test_exponentials_are_right_to_a_few_units_in_the_last_place() -> None:
    for x in (*np.linspace(-700, 0, 3_001).tolist(), -1e-300, -0.0):
        assert exp_below(x) == pytest.approx(np.exp(x), rel=2e-13 * max(1.0, abs(x) / 100))
    assert 0 <= exp_below(-1e6) < 1e-300


@pytest.mark.parametrize(
    ("probs", "labels", "expected"),
    [
        ([[0.5, 0.5]] * 30, [0, 1] * 15, 1.0),  # nothing to change
        ([[0.9, 0.1]] * 20 + [[0.1, 0.9]] * 20, [0] * 20 + [1] * 20, 0.05),  # always right
        ([[0.9, 0.1]] * 20 + [[0.1, 0.9]] * 20, [1] * 20 + [0] * 20, 20.0),  # always wrong
        ([[1.0, 0.0]] * 30, [0] * 30, 1.0),
    ],
)
def test_where_no_temperature_is_best_it_stands_at_a_bound_or_changes_nothing(
    probs: list[list[float]], labels: list[int], expected: float
) -> None:
    found = temperature_set(Predictions.from_arrays(np.array(probs), labels))
    assert found.estimate == pytest.approx(expected, rel=1e-12)
    beyond = {20.0: "20 or more", 0.05: "0.05 or less"}
    assert estimate_words(found) == beyond.get(expected, "1")


@pytest.mark.slow
def test_a_survey_has_the_temperature_however_large_and_stops_in_it() -> None:
    rng = np.random.default_rng(1)
    n, m = 2_100, 1_000
    p = Predictions.from_arrays(rng.dirichlet(np.ones(m), n), rng.integers(m, size=n))
    looked = survey(p, lenses=[TopKLens(1)])
    found = assess(p, looked).temperature
    assert found is not None
    assert found.pvalue == 0.001
    assert found.estimate > 1

    def stop(_fraction: float, words: str) -> None:
        if words == "the temperature":
            raise Cancelled

    with pytest.raises(Cancelled):
        assess(p, looked, stop)
