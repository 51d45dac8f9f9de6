"""ECE and MCE against loops over their definition, and what must not change them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from calibcore.data.predictions import Predictions
from calibcore.diagram import bins as bins_module
from calibcore.diagram.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE, MCE
from calibcore.transforms.redraws import redrawn_labels
from tests.cases import each
from tests.made import almost_normalised, problem
from tests.oracles import literal_skce as literal

DISTANCES = tuple(literal.DISTANCES)
BINNINGS = [
    UniformBinning(10),
    UniformBinning(1),
    UniformBinning(37),
    EqualMassBinning(7),
    MedianVarianceBinning(5),
    MedianVarianceBinning(3, max_bins=4),
    MeanVarianceBinning(12),
    SimplexBinning(4),
]
CASES = [(b, m) for b in BINNINGS for m in (2, 3, 6) if b.fits(m)]
every_binning = pytest.mark.parametrize(("binning", "m"), CASES, ids=lambda v: str(v))


@every_binning
@each("distance", DISTANCES)
def test_estimates_against_the_literal_loops(binning, m, distance) -> None:
    p = problem(60, m, seed=m)
    bins = binning.assign(p.probs).tolist()
    expected = literal.ece(bins, distance, p.probs.tolist(), p.labels.tolist())
    assert ECE(binning, distance)(p) == pytest.approx(expected, rel=1e-12, abs=1e-15)
    largest = literal.mce(bins, distance, p.probs.tolist(), p.labels.tolist())
    assert MCE(binning, distance)(p) == pytest.approx(largest, rel=1e-12, abs=1e-15)


@given(st.integers(1, 40), st.integers(2, 5), st.integers(1, 12), st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_uniform_ece_against_literal_bins_and_loops(n, m, b, seed) -> None:
    rng = np.random.default_rng(seed)
    probs = rng.multinomial(20, np.full(m, 1 / m), size=n) / 20  # on edges as often as not
    p = Predictions.from_arrays(probs, rng.integers(m, size=n))
    g, y = p.probs.tolist(), p.labels.tolist()
    expected = literal.ece(literal.uniform_bins(b, g), "total-variation", g, y)
    found = ECE(UniformBinning(b))(p)
    assert found == pytest.approx(expected, abs=1e-13)
    assert 0 <= found <= MCE(UniformBinning(b))(p) + 1e-15 <= 1 + 2e-15


def test_one_bin_by_hand() -> None:
    """Four cases, mean prediction (0.5, 0.3, 0.2), observed (¼, ¼, ½)."""
    p = Predictions.from_arrays(np.tile([0.5, 0.3, 0.2], (4, 1)), [0, 1, 2, 2])
    by_hand = {"total-variation": 0.3, "cityblock": 0.6, "squared-euclidean": 0.155, "euclidean": 0.155**0.5}
    for distance, expected in by_hand.items():
        assert ECE(distance=distance)(p) == pytest.approx(expected, rel=1e-14)
        assert MCE(distance=distance)(p) == pytest.approx(expected, rel=1e-14)


def test_two_bins_by_hand() -> None:
    """Three cases at 0.9, none of them hit 1 of 3; one at 0.2 that hit: ECE ¾·(0.9 − ⅓) + ¼·0.8."""
    p = Predictions.from_arrays([[0.9, 0.1]] * 3 + [[0.2, 0.8]], [0, 1, 1, 0])
    assert ECE()(p) == pytest.approx(0.75 * (0.9 - 1 / 3) + 0.25 * 0.8, rel=1e-14)
    assert MCE()(p) == pytest.approx(0.8, rel=1e-14)


def test_one_case() -> None:
    p = Predictions.from_arrays([[0.3, 0.6, 0.1]], [1])
    assert ECE()(p) == MCE()(p) == pytest.approx(0.4, rel=1e-14)


def test_perfect_and_worst_predictions() -> None:
    right = Predictions.from_arrays(np.eye(4), range(4))
    wrong = Predictions.from_arrays(np.eye(4), [1, 2, 3, 0])
    for estimator in (ECE(), MCE(), ECE(UniformBinning(1000), "cityblock")):
        largest = 2 if estimator.distance == "cityblock" else 1
        assert estimator(right) == 0
        assert estimator(wrong) == largest


@every_binning
@each("estimator", [ECE, MCE])
@each("make", [problem, almost_normalised])
def test_redrawn_equals_single_calls(binning, m, estimator, make) -> None:
    p = make(45, m, 7)
    labels = np.concatenate(list(redrawn_labels(p, 23, np.random.default_rng(1))))
    e = estimator(binning, "euclidean")
    singles = [e(p.through(p.probs, y.astype(np.int64), p.class_names)) for y in labels]
    assert_allclose(e.redrawn(p, labels), singles, rtol=0, atol=1e-14)


@pytest.mark.parametrize("cells", [1, 45, 100, 1000])
def test_redrawn_does_not_depend_on_how_the_work_is_cut(cells, monkeypatch) -> None:
    p = problem(45, 4, 8)
    labels = np.concatenate(list(redrawn_labels(p, 31, np.random.default_rng(2))))
    whole = [e.redrawn(p, labels) for e in (ECE(), MCE())]
    monkeypatch.setattr(bins_module, "_CACHED", cells)
    for e, expected in zip((ECE(), MCE()), whole, strict=True):
        assert_allclose(e.redrawn(p, labels), expected, rtol=0, atol=1e-14)


def test_no_piece_of_the_work_holds_more_than_its_cells(monkeypatch) -> None:
    """With many classes bins × classes outgrow the cases: 200 bins of 150 classes, 40 redraws."""
    p = problem(200, 150, 9, alpha=0.05)
    labels = np.concatenate(list(redrawn_labels(p, 40, np.random.default_rng(3))))
    sizes = []
    frequencies = bins_module.Bins.frequencies

    def watched(self, some):
        found = frequencies(self, some)
        sizes.append(found.size)
        return found

    monkeypatch.setattr(bins_module, "_CACHED", 100_000)
    monkeypatch.setattr(bins_module.Bins, "frequencies", watched)
    assert len(ECE(distance="cityblock").redrawn(p, labels)) == 40
    assert max(sizes) <= 100_000 + 200 * 150  # one redraw more, where the pieces are uneven
    sizes.clear()
    assert len(ECE().redrawn(p, labels)) == 40
    assert not sizes  # only the classes that happened are looked at


@pytest.mark.some(2)
@pytest.mark.parametrize("m", [33, 34, 90])
@pytest.mark.parametrize("binning", [UniformBinning(2), MedianVarianceBinning(12)])
def test_redraws_of_many_classes_are_those_of_the_definition(m: int, binning) -> None:
    """Classes that cannot happen, bins of one case and of all, and whatever the labels are."""
    rng = np.random.default_rng(m)
    g = rng.dirichlet(np.full(m, 0.05), 70)
    g[:9] = np.eye(m)[:9]
    p = Predictions.from_arrays(g, rng.integers(m, size=70))
    labels = np.concatenate([next(redrawn_labels(p, 40, rng)), rng.integers(m, size=(9, 70))])
    index = binning.assign(p.probs).tolist()
    for e, judge in ((ECE(binning), literal.ece), (MCE(binning), literal.mce)):
        expected = [judge(index, "total-variation", p.probs.tolist(), y.tolist()) for y in labels]
        assert_allclose(e.redrawn(p, labels), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("m", [127, 128, 129, 200])
def test_more_classes_than_a_byte_counts(m: int) -> None:
    p = problem(30, m, m)
    labels = next(redrawn_labels(p, 5, np.random.default_rng(4)))
    assert labels.dtype == (np.int8 if m <= 127 else np.int16)
    assert labels.min() >= 0
    for e in (ECE(), MCE()):
        singles = [e(p.through(p.probs, y.astype(np.int64), p.class_names)) for y in labels]
        assert_allclose(e.redrawn(p, labels), singles, rtol=0, atol=1e-14)


@pytest.mark.parametrize("binning", [UniformBinning(10), MedianVarianceBinning(5), MeanVarianceBinning(10)])
@pytest.mark.parametrize("distance", DISTANCES)
def test_the_order_of_rows_and_classes_does_not_matter(binning, distance) -> None:
    p = problem(80, 4, 10)
    rng = np.random.default_rng(5)
    rows, classes = rng.permutation(80), rng.permutation(4)
    swapped = Predictions.from_arrays(p.probs[:, classes], np.argsort(classes)[p.labels])
    for estimator in (ECE, MCE):
        e = estimator(binning, distance)
        assert e(p.with_rows(rows)) == pytest.approx(e(p), abs=1e-13)
        assert e(swapped) == pytest.approx(e(p), abs=1e-13)


@pytest.mark.parametrize("distance", DISTANCES)
def test_every_case_twice_changes_nothing(distance) -> None:
    p = problem(50, 3, 11)
    twice = p.with_rows(np.repeat(np.arange(50), 2))
    for e in (ECE(UniformBinning(5), distance), MCE(UniformBinning(5), distance)):
        assert e(twice) == pytest.approx(e(p), abs=1e-14)


@pytest.mark.parametrize("estimator", [ECE, MCE])
def test_an_unknown_distance_is_answered_with_those_there_are(estimator) -> None:
    with pytest.raises(InputError, match="total-variation, squared-euclidean, euclidean, cityblock"):
        estimator(distance="hellinger")(problem(5, 2, 0))


def test_bins_that_do_not_fit_are_an_error() -> None:
    with pytest.raises(InputError, match="two classes"):
        ECE(EqualMassBinning())(problem(5, 3, 0))
    with pytest.raises(InputError, match="three classes"):
        ECE(SimplexBinning())(problem(5, 2, 0))
