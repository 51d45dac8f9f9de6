"""Arrows without bins: the smoothed residuals, and their exact simultaneous band."""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from calibcore import (
    DiagnosisSpec,
    ExponentialKernel,
    GaussianKernel,
    InputError,
    Predictions,
    TopKLens,
)
from calibcore.answers.without_bins import places_table
from calibcore.hypothesis_tests import smooth_arrows as own_module
from calibcore.hypothesis_tests.smooth_arrows import (
    FARTHEST,
    LEAST_CASES,
    MOST_PLACES,
    SIMILAR,
    places_of,
    smooth_arrows,
)
from calibcore.kernels import kernel as kernels
from calibcore.kernels.bandwidths import distances
from calibcore.numerics.types import Float
from calibcore.questions.without_bins import average_without_bins
from calibcore.transforms.lenses import PooledLens
from calibcore.transforms.redraws import redrawn_labels
from calibcore.words import smooth
from tests.oracles.next import reference


def world(seed: int, n: int = 200, sharper: float = 1.0, m: int = 3) -> Predictions:
    """softmax(1.5 x), x ~ N(1.5 e_y, I): calibrated where ``sharper`` is 1."""
    rng = np.random.default_rng([seed, n, m])
    labels = rng.integers(m, size=n)
    x = 1.5 * sharper * (rng.normal(size=(n, m)) + 1.5 * np.eye(m)[labels])
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return Predictions.from_arrays(e / e.sum(axis=1, keepdims=True), labels)


def six() -> tuple[Predictions, ExponentialKernel, np.ndarray]:
    case = reference("G", "smooth arrows at the predictions")
    p = Predictions.from_arrays(case["input"]["G"], case["input"]["y"])
    kernel = ExponentialKernel(case["input"]["bandwidth"], "total-variation")
    return p, kernel, np.array(case["output"]["arrows"])


def test_arrows_are_those_of_the_reference() -> None:
    p, kernel, expected = six()
    found = smooth_arrows(p, kernel, 99, places=p.probs)
    np.testing.assert_allclose(found.arrows, expected, atol=1e-12)


def test_the_p_and_the_expected_lengths_are_those_of_complete_enumeration() -> None:
    p, kernel, _ = six()
    found = smooth_arrows(p, kernel, 9_999, places=p.probs)
    kappa = kernel.matrix(p.probs, p.probs)
    weights = kappa / kappa.sum(axis=1, keepdims=True)
    squares, chances = [], []
    for labels in product(range(3), repeat=6):
        arrows = weights @ (np.eye(3)[list(labels)] - p.probs)
        squares.append(np.square(arrows).sum(axis=1))
        chances.append(np.prod(p.probs[np.arange(6), list(labels)]))
    every, chance = np.array(squares), np.array(chances)
    np.testing.assert_allclose(np.square(found.deviation), chance @ every, atol=1e-12)
    statistics = (every / (chance @ every)).max(axis=1)
    assert (np.abs(statistics - found.statistic) < 1e-9).any()
    exact = float(chance[statistics >= found.statistic - 1e-9].sum())
    assert found.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 9_999))


@pytest.mark.parametrize("m", [2, 3, 5])
def test_redraws_are_those_of_whole_label_sets(m: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice of the cases and some redraws at a time: the same numbers as with all weights in memory."""
    monkeypatch.setattr("calibcore.hypothesis_tests.smooth_arrows._SUMS", 20 * m * MOST_PLACES)
    p = world(6, n=5_000, m=m)
    found = smooth_arrows(p, n_resamples=49, rng=np.random.default_rng(3))
    weights = np.exp(-cdist(found.places, p.probs) / found.bandwidths[:, None])
    apart = 0.5 * cdist(found.places, p.probs, "cityblock")
    nearest = np.bincount(apart.argmin(axis=0), minlength=len(weights)) / p.n
    weights /= weights.sum(axis=1, keepdims=True)
    labels = np.concatenate(list(redrawn_labels(p, 49, np.random.default_rng(3))))
    squares = [np.square(weights @ (np.eye(m)[row] - p.probs)).sum(axis=1) for row in labels]
    expected = np.square(weights) @ (1 - np.square(p.probs).sum(axis=1))
    largest = np.sort((np.array(squares) / expected).max(axis=1))
    assert found.critical == pytest.approx(math.sqrt(largest[-2]), rel=1e-9)
    np.testing.assert_allclose(found.predicted, weights @ p.probs, atol=1e-12)
    np.testing.assert_allclose(found.observed, weights @ p.onehot(), atol=1e-12)
    assert found.reach == pytest.approx(float(nearest @ (weights * apart).sum(axis=1)), rel=1e-9)
    np.testing.assert_allclose(np.square(found.deviation), expected, rtol=1e-9)
    np.testing.assert_allclose(found.cases, 1 / np.square(weights).sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(found.shares, nearest)


@pytest.mark.parametrize("m", [2, 3, 10])
def test_the_work_grows_with_the_number_of_cases_and_no_faster(
    m: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pairs of a case and a place whose distance is asked for."""
    pairs = list[int]()

    def counted(p: Float, q: Float, metric: str) -> Float:
        pairs.append(len(p) * len(q))
        return distances(p, q, metric)

    for module in (kernels, own_module):
        monkeypatch.setattr(module, "distances", counted)

    def work(n: int) -> int:
        pairs.clear()
        found = smooth_arrows(world(1, n=n, m=m), n_resamples=19, places=places)
        assert len(found.places) == len(places)
        return sum(pairs)

    places = places_of(world(1, n=2_000, m=m))[:20]
    assert work(2_000) == 2 * work(1_000) > 0


def test_an_arrow_is_strong_where_the_p_is_small_and_nowhere_else() -> None:
    for seed in range(30):
        found = smooth_arrows(world(seed, sharper=1.3), n_resamples=199)
        assert found.strong.any() == (found.pvalue <= 0.05)


def test_places_see_no_labels_and_lie_where_predictions_are() -> None:
    for m in (2, 3, 4):
        p = world(1, n=500, m=m)
        other = Predictions.from_arrays(p.probs, (p.labels + 1) % m)
        places = places_of(p)
        np.testing.assert_array_equal(places, places_of(other))
        assert len(places) <= MOST_PLACES
        np.testing.assert_allclose(places.sum(axis=1), 1, atol=1e-12)
        assert np.abs(places[:, None] - p.probs[None]).sum(axis=2).min(axis=1).max() < 0.5


@pytest.mark.parametrize("m", [2, 3, 4])
def test_what_is_averaged_is_similar_and_enough(m: int) -> None:
    """By the literal weights: 5 points away, or as far as 30 cases take, and never beyond 10."""
    p = world(8, n=1_500, m=m)
    for kernel in (ExponentialKernel(), GaussianKernel()):
        found = smooth_arrows(p, kernel, 99)
        distance = cdist(found.places, p.probs) / found.bandwidths[:, None]
        weights = np.exp(-distance) if kernel == ExponentialKernel() else np.exp(-0.5 * distance**2)
        apart = 0.5 * cdist(found.places, p.probs, "cityblock")
        reach = (weights * apart).sum(axis=1) / weights.sum(axis=1)
        cases = weights.sum(axis=1) ** 2 / np.square(weights).sum(axis=1)
        assert (reach <= FARTHEST * 1.02).all()
        assert (cases >= LEAST_CASES * 0.98).all()
        for far, of in zip(reach, cases, strict=True):  # one step of the bandwidth is 8 in 100
            assert SIMILAR * 0.88 <= far <= SIMILAR * 1.02 or LEAST_CASES * 0.98 <= of <= LEAST_CASES * 1.3


def _worlds() -> Iterator[Predictions]:
    """Certain, crowded, scattered, tied, skewed and wrong predictions of two to four classes."""
    for m in (2, 3, 4):
        rng = np.random.default_rng(m)
        for alpha in (0.02, 0.3, 1.0, 20.0):
            probs = rng.dirichlet(np.full(m, alpha), 600)
            yield Predictions.from_arrays(probs, rng.integers(m, size=600))
            yield Predictions.from_arrays(probs, np.full(600, 0) if m > 2 else probs.argmin(axis=1))
        yield Predictions.from_arrays(np.eye(m)[rng.integers(m, size=200)], rng.integers(m, size=200))
        tied = rng.dirichlet(np.full(m, 0.5), 5)[rng.integers(5, size=300)]
        yield Predictions.from_arrays(tied, rng.integers(m, size=300))


def test_every_frequency_lies_in_the_simplex() -> None:
    """Whatever was predicted and happened: no arrow leaves the triangle, no curve and no band 0 to 1."""
    drawn = 0
    for p in _worlds():
        for kernel in (ExponentialKernel(), GaussianKernel(0.3)):
            try:
                found = smooth_arrows(p, kernel, 19)
            except InputError as error:
                assert "Nowhere do 30 cases lie within 10 points" in str(error)  # noqa: PT017
                continue
            drawn += 1
            for ends in (found.predicted, found.observed):
                assert ends.min() >= 0
                np.testing.assert_allclose(ends.sum(axis=1), 1, atol=1e-9)
            np.testing.assert_allclose(found.observed - found.predicted, found.arrows)
            if p.m == 2:
                low, high = (end + found.predicted[:, 0] for end in found.chance)
                assert low.min() >= -1e-12
                assert high.max() <= 1 + 1e-12
                assert (np.diff(found.predicted[:, 0]) >= 0).all()
    assert drawn >= 40


def test_cases_that_are_all_apart_are_not_averaged() -> None:
    apart = np.random.default_rng(0).dirichlet([1.0, 1.0, 1.0], 60)
    with pytest.raises(InputError, match="Nowhere do 30 cases lie within 10 points of each other"):
        smooth_arrows(Predictions.from_arrays(apart, np.zeros(60, int)), n_resamples=19)
    with pytest.raises(InputError, match=r"Nowhere does the bandwidth 0\.01 hold 30 cases"):
        smooth_arrows(Predictions.from_arrays(apart, np.zeros(60, int)), GaussianKernel(0.01), 19)


def test_two_classes_are_a_curve_with_a_band() -> None:
    p = world(2, n=2_000, sharper=2.0)
    found = average_without_bins(p, DiagnosisSpec(lens=TopKLens(1), kernel=GaussianKernel(0.1)))
    assert found.class_names == ("hit", "miss")
    assert (np.diff(found.places[:, 0]) > 0).all()
    np.testing.assert_allclose(found.arrows[:, 0], -found.arrows[:, 1], atol=1e-12)
    np.testing.assert_array_equal(np.abs(found.arrows[:, 0]) > found.band, found.strong)
    assert found.arrows[found.strong, 0].mean() < 0  # too sure
    with pytest.raises(InputError, match="There are 3 classes; a band around a curve needs 2"):
        _ = smooth_arrows(p, n_resamples=19).band


def test_certain_predictions() -> None:
    right = Predictions.from_arrays(np.eye(3)[[0, 1, 2] * 40], [0, 1, 2] * 40)
    assert smooth_arrows(right, n_resamples=99).pvalue == 1
    assert not smooth_arrows(right, n_resamples=99).strong.any()
    wrong = Predictions.from_arrays(np.eye(3)[[0, 1, 2] * 40], [0, 1, 2] * 39 + [0, 1, 1])
    found = smooth_arrows(wrong, GaussianKernel(0.1), 99)
    assert found.pvalue == pytest.approx(0.01)
    assert found.strong.sum() == 1


def test_refusals() -> None:
    p = world(3, n=50)
    with pytest.raises(InputError, match=r"The places have the shape \(4, 2\); expected \(J, 3\)"):
        smooth_arrows(p, places=np.full((4, 2), 0.5))
    with pytest.raises(InputError, match=r"10 redraws are too few for a band at the level 0\.05"):
        smooth_arrows(p, n_resamples=10)
    with pytest.raises(InputError, match="Pooled pairs"):
        smooth_arrows(PooledLens()(p))
    weighted = Predictions.from_arrays(p.probs, p.labels, weights=np.linspace(1, 2, 50))
    with pytest.raises(InputError, match="weights give estimates only"):
        smooth_arrows(weighted)
    far = np.array([[0.0, 0.0, 1.0]])
    near = Predictions.from_arrays([[1.0, 0, 0], [0.99, 0.01, 0]], [0, 0])
    with pytest.raises(InputError, match="At a place no case has any weight"):
        smooth_arrows(near, GaussianKernel(0.01), places=far)


def test_words() -> None:
    found = average_without_bins(world(4, n=1_000, sharper=1.5))
    said = smooth.sentence(found)
    assert f"At {int(found.strong.sum())} of {len(found.places)} places outcomes lie further" in said
    assert f"(p = {found.pvalue:.3f}" in said
    assert "for all at once). Most where '" in said
    assert places_table(found).rows()[0]["Stands out"] == "yes"
    strong = int(np.argmax(found.strong))
    lines = smooth.place_lines(found, strong)
    assert lines[0].startswith("Around ")
    assert lines[-1].endswith("cases, longer than chance allows")
    assert found.shares.sum() == pytest.approx(1)
    calm = average_without_bins(world(5))
    assert smooth.sentence(calm).startswith("At none of ")


@pytest.mark.slow
@pytest.mark.parametrize("runs", [60, pytest.param(1_000, marks=pytest.mark.slow)])
def test_level_and_power(runs: int) -> None:
    """With the median distance as bandwidth .053 where calibrated, and .44 at c = 1.5, of 200 cases."""
    rejected = {1.0: 0, 1.5: 0}
    for sharper in rejected:
        for seed in range(runs):
            p = world(10_000 + seed, sharper=sharper)
            rng = np.random.default_rng(seed)
            rejected[sharper] += smooth_arrows(p, n_resamples=199, rng=rng).pvalue <= 0.05
    print({sharper: count / runs for sharper, count in rejected.items()})
    assert abs(rejected[1.0] / runs - 0.05) <= 3 * math.sqrt(0.05 * 0.95 / runs)
    assert rejected[1.5] / runs >= 0.7 - 3 * math.sqrt(0.7 * 0.3 / runs)
