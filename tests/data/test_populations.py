"""Toy populations: exactly what the papers say about them."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data.examples import (
    EXAMPLES,
    SEED,
    gaussian_mixture,
    load_example,
    v19_table1,
    v19_table2,
    w19_model,
)
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE
from calibcore.limits import asset_path
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, TopKLens
from calibcore.transforms.redraws import redrawn_labels

ROOT = Path(__file__).parents[2]
KEYS = [example.key for example in EXAMPLES]
INDEX = json.loads(asset_path("examples", "index.json").read_text(encoding="utf-8"))
REAL = [entry["key"] for entry in INDEX["examples"]]

Maker = Callable[[int], Predictions]
Table = dict[tuple[float, ...], tuple[float, ...]]

# V19, Tables 1 and 2: prediction -> true conditional distribution.
TABLE_1: Table = {
    (0.1, 0.3, 0.6): (0.2, 0.2, 0.6),
    (0.1, 0.6, 0.3): (0.0, 0.7, 0.3),
    (0.3, 0.1, 0.6): (0.2, 0.2, 0.6),
    (0.3, 0.6, 0.1): (0.4, 0.5, 0.1),
    (0.6, 0.1, 0.3): (0.7, 0.0, 0.3),
    (0.6, 0.3, 0.1): (0.5, 0.4, 0.1),
}
TABLE_2: Table = {(0.6, 0.1, 0.3): (0.7, 0.2, 0.1), (0.4, 0.6, 0.0): (0.3, 0.5, 0.2)}


def frequencies(predictions: Predictions) -> dict[tuple[float, ...], np.ndarray]:
    """Distinct prediction -> how often each class happened (differences of rounding merged)."""
    keys, index = np.unique(np.round(predictions.probs, 12), axis=0, return_inverse=True)
    onehot = np.eye(predictions.m)[predictions.labels]
    return {tuple(key.tolist()): onehot[index == i].mean(axis=0) for i, key in enumerate(keys)}


def largest_gap(predictions: Predictions) -> float:
    """Largest difference of predicted and observed frequency over distinct predictions."""
    return max(float(np.abs(np.array(g) - f).max()) for g, f in frequencies(predictions).items())


# --- V19, Tables 1 and 2 ----------------------------------------------------


@pytest.mark.parametrize("repeats", [1, 7])
@pytest.mark.parametrize(("make", "table"), [(v19_table1, TABLE_1), (v19_table2, TABLE_2)])
def test_tables_have_exactly_their_frequencies(make: Maker, table: Table, repeats: int) -> None:
    p = make(repeats)
    assert p.n == 10 * len(table) * repeats
    found = frequencies(p)
    assert set(found) == set(table)
    for g, truth in table.items():
        assert_allclose(found[g], truth, rtol=0, atol=1e-12)
        assert (p.probs == g).all(axis=1).sum() == 10 * repeats


def test_table_1_is_calibrated_by_confidence_and_class_but_not_as_a_whole() -> None:
    p = v19_table1(3)
    assert largest_gap(TopKLens(1)(p)) < 1e-12
    assert all(largest_gap(ClassLens(name)(p)) < 1e-12 for name in p.class_names)
    assert largest_gap(p) == pytest.approx(0.1, abs=1e-12)


def test_table_2_is_calibrated_by_confidence_and_for_no_class() -> None:
    p = v19_table2(3)
    assert largest_gap(TopKLens(1)(p)) < 1e-12
    gaps = [largest_gap(ClassLens(name)(p)) for name in p.class_names]
    assert_allclose(gaps, [0.1, 0.1, 0.2], rtol=0, atol=1e-12)


def test_an_estimator_agrees_about_the_tables() -> None:
    ece = ECE(UniformBinning(10))
    assert ece(TopKLens(1)(v19_table1())) < 1e-12
    assert ece(v19_table1()) == pytest.approx(0.1, abs=1e-12)  # TV 0.1 in each of the six rows
    assert ece(TopKLens(1)(v19_table2())) < 1e-12
    assert ece(v19_table2()) == pytest.approx(0.2, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "lenses"),
    [
        ("v19-table-1", [CanonicalLens()]),
        ("v19-table-2", [CanonicalLens(), ClassLens("1"), ClassLens("2"), ClassLens("3")]),
    ],
)
def test_the_table_examples_are_large_enough_to_be_found_out(key: str, lenses: list[Lens]) -> None:
    """No redraw of the labels gives as large an SKCE, so five lenses corrected for do not hide it."""
    for lens in lenses:
        p = lens(load_example(key))
        redrawn = np.concatenate(list(redrawn_labels(p, 499, np.random.default_rng(0))))
        assert SKCE()(p) > SKCE().redrawn(p, redrawn).max()


@pytest.mark.parametrize("make", [v19_table1, v19_table2])
def test_no_repeats_is_an_error(make: Maker) -> None:
    with pytest.raises(InputError, match="expected 1 or more"):
        make(0)


# --- W19 §7 -----------------------------------------------------------------


def test_w19_predictions_come_from_the_dirichlet_distribution() -> None:
    """Mean 1/m, variance (1/m)(1 − 1/m)/(m·α + 1) with m = 10, α = 0.1; the mean of n rows."""
    n = 20_000
    p = w19_model("M1", n=n, rng=np.random.default_rng(1)).probs
    assert p.shape == (n, 10)
    variance = 0.1 * 0.9 / 2
    assert_allclose(p.mean(axis=0), 0.1, rtol=0, atol=4 * np.sqrt(variance / n))
    assert_allclose(p.var(axis=0), variance, rtol=0.05)


@pytest.mark.parametrize("name", ["M1", "M2", "M3"])
def test_w19_labels_follow_the_model(name: str) -> None:
    """Sum of (1[y = k] − q_k)·w over cases is 0 in the mean for w = 1 and for w = g_k."""
    n = 50_000
    p = w19_model(name, n=n, rng=np.random.default_rng(2))
    first = np.eye(10)[0]
    truth = {"M1": p.probs, "M2": 0.5 * p.probs + 0.5 * first, "M3": np.full((n, 10), 0.1)}[name]
    onehot = np.eye(10)[p.labels]
    for weight in (np.ones((n, 10)), p.probs):
        expected_variance = (truth * (1 - truth) * weight**2).sum(axis=0)
        z = ((onehot - truth) * weight).sum(axis=0) / np.sqrt(expected_variance)
        assert np.abs(z).max() < 4


def test_w19_models_are_told_apart_by_the_first_class() -> None:
    share = {
        name: (w19_model(name, n=20_000, rng=np.random.default_rng(3)).labels == 0).mean()
        for name in ("M1", "M2", "M3")
    }
    assert share["M1"] == pytest.approx(0.1, abs=0.01)
    assert share["M2"] == pytest.approx(0.55, abs=0.015)
    assert share["M3"] == pytest.approx(0.1, abs=0.01)


def test_w19_examples_share_their_predictions_and_are_drawn_with_the_seed() -> None:
    loaded = [load_example(f"w19-m{i}") for i in (1, 2, 3)]
    for name, p in zip(("M1", "M2", "M3"), loaded, strict=True):
        assert (p.n, p.m) == (250, 10)
        assert p.fingerprint == w19_model(name, rng=np.random.default_rng(SEED)).fingerprint
        assert_array_equal(p.probs, loaded[0].probs)


def test_dirichlet_rows_stay_valid_where_probabilities_underflow() -> None:
    p = w19_model("M1", n=100_000, m=3, rng=np.random.default_rng(4))
    assert p.probs.min() < 1e-30
    assert (p.probs[np.arange(p.n), p.labels] > 0).all()
    assert_allclose(p.probs.sum(axis=1), 1, rtol=0, atol=1e-12)


def test_an_unknown_w19_model_is_an_error() -> None:
    with pytest.raises(InputError, match="expected M1, M2 or M3"):
        w19_model("M4")


# --- V19 §5.1 ---------------------------------------------------------------


def mixture_miscalibration(beta0: float, beta1: float) -> float:
    """Expected TV miscalibration by quadrature; where g is constant the truth is the mean, ½."""
    x = np.linspace(-12, 12, 200_001)
    density = (np.exp(-((x + 1) ** 2) / 2) + np.exp(-((x - 1) ** 2) / 2)) / np.sqrt(8 * np.pi)
    predicted = 1 / (1 + np.exp(-(beta0 + beta1 * x)))
    truth = 1 / (1 + np.exp(2 * x)) if beta1 else np.full_like(x, 0.5)
    return float(np.trapezoid(np.abs(truth - predicted) * density, x))


MIXTURES = [(0.0, -2.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, 0.56375)]


@pytest.mark.parametrize(("beta0", "beta1", "expected"), MIXTURES)
def test_the_mixture_has_the_miscalibration_of_the_paper(beta0: float, beta1: float, expected: float) -> None:
    assert mixture_miscalibration(beta0, beta1) == pytest.approx(expected, abs=1e-5)
    # The generator: bins narrow enough for their bias to stay below the tolerance.
    p = gaussian_mixture(200_000, beta0, beta1, np.random.default_rng(5))
    assert ECE(UniformBinning(50))(p) == pytest.approx(expected, abs=0.01)


def test_the_mixture_is_made_of_two_unit_gaussians() -> None:
    """With β = (0, 1) the logit of the first class is x itself."""
    p = gaussian_mixture(100_000, 0, 1, np.random.default_rng(6))
    x = np.log(p.probs[:, 0]) - np.log(p.probs[:, 1])
    assert p.class_names == ("-1", "1")
    assert p.labels.mean() == pytest.approx(0.5, abs=0.007)
    for label, mean in ((0, -1), (1, 1)):
        assert x[p.labels == label].mean() == pytest.approx(mean, abs=0.02)
        assert x[p.labels == label].std() == pytest.approx(1, abs=0.02)


def test_the_mixture_survives_extreme_parameters() -> None:
    p = gaussian_mixture(100, 0, -2000, np.random.default_rng(7))
    assert_allclose(p.probs.sum(axis=1), 1, rtol=0, atol=1e-12)


def test_generators_default_to_the_seed() -> None:
    rng = np.random.default_rng(SEED)
    assert gaussian_mixture(50, 1, 1).fingerprint == gaussian_mixture(50, 1, 1, rng).fingerprint
