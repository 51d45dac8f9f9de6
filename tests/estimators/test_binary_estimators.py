"""What every estimator beside ECE and SKCE must do, whatever it estimates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from calibcore.data.predictions import Predictions
from calibcore.diagram import bins
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.errors import InputError
from calibcore.estimators.bias_reduced import BiasReducedECE
from calibcore.estimators.classwise import ClasswiseECE, TopLabelECE
from calibcore.estimators.corp import CORPMiscalibration
from calibcore.estimators.ici import E50, E90, ICI
from calibcore.estimators.smooth_ece import SmoothECE
from calibcore.hypothesis_tests import ExactTest, SpiegelhalterTest
from calibcore.transforms.redraws import redrawn_labels
from tests.cases import each
from tests.strategies import FEW, predictions

ANY_CLASSES = [
    BiasReducedECE(),
    BiasReducedECE(method="pairwise"),
    BiasReducedECE(MedianVarianceBinning(3), "pairwise"),
    ClasswiseECE(),
    ClasswiseECE(EqualMassBinning(4)),
    TopLabelECE(),
    TopLabelECE(MedianVarianceBinning(3)),
]
TWO_CLASSES = [SmoothECE(), CORPMiscalibration(), ICI(), E50(0.5), E90()]
every = pytest.mark.parametrize("estimator", ANY_CLASSES + TWO_CLASSES, ids=str)


def problem(n: int, m: int, seed: int, off: float = 0.0) -> Predictions:
    """``off``: by how much rows miss the sum 1."""
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.full(m, 0.5), size=n) * (1 + rng.uniform(-off, off, size=(n, 1)))
    return Predictions.from_arrays(g, rng.integers(m, size=n))


def with_labels(p: Predictions, labels) -> Predictions:
    return p.through(p.probs, np.asarray(labels, np.int64), p.class_names)


def classes_for(estimator) -> int:
    return 2 if estimator.two_classes_only else 4


def test_which_are_for_two_classes_only() -> None:
    assert not any(e.two_classes_only for e in ANY_CLASSES)
    assert all(e.two_classes_only for e in TWO_CLASSES)


@every
@each("off", [0.0, 9e-6])
def test_redrawn_equals_single_calls(estimator, off) -> None:
    p = problem(45, classes_for(estimator), 7, off)
    labels = np.concatenate(list(redrawn_labels(p, 23, np.random.default_rng(1))))
    singles = [estimator(with_labels(p, y)) for y in labels]
    assert_allclose(estimator.redrawn(p, labels), singles, rtol=0, atol=1e-13)
    assert len(set(np.round(singles, 12))) > 5


@every
def test_redrawn_does_not_depend_on_how_the_work_is_cut(estimator, monkeypatch) -> None:
    p = problem(45, classes_for(estimator), 8)
    labels = np.concatenate(list(redrawn_labels(p, 31, np.random.default_rng(2))))
    whole = estimator.redrawn(p, labels)
    monkeypatch.setattr(bins, "_CELLS", 100)
    assert_allclose(estimator.redrawn(p, labels), whole, rtol=0, atol=1e-14)


@every
def test_what_is_prepared_has_not_seen_the_labels(estimator) -> None:
    p = problem(60, classes_for(estimator), 9)
    other = with_labels(p, np.zeros(60))
    assert estimator.prepared(other)(p.labels[None])[0] == pytest.approx(estimator(p), abs=1e-14)


@every
def test_labels_that_have_nothing_to_do_with_the_predictions_are_seen(estimator) -> None:
    p = problem(300, classes_for(estimator), 10)
    assert ExactTest(estimator, 99)(p, np.random.default_rng(4)).pvalue == 0.01


@pytest.mark.slow
@every
def test_level_of_the_exact_test(estimator) -> None:
    """400 calibrated label sets, 49 redraws each: rejected at 0.1 within four standard errors of 10 %."""
    p = problem(60, classes_for(estimator), 10)
    labels = np.concatenate(list(redrawn_labels(p, 400 * 50, np.random.default_rng(5))))
    found = estimator.redrawn(p, labels).reshape(400, 50)
    pvalues = (1 + (found[:, 1:] >= found[:, :1] - 1e-12).sum(axis=1)) / 50
    assert 0.04 <= (pvalues <= 0.1).mean() <= 0.16


@pytest.mark.parametrize("estimator", [*TWO_CLASSES, SpiegelhalterTest()], ids=lambda e: type(e).__name__)
def test_three_classes_are_refused_where_two_are_needed(estimator) -> None:
    with pytest.raises(InputError, match=r"needs a lens with two classes; this one has 3\."):
        estimator(problem(5, 3, 0))


@pytest.mark.parametrize("estimator", [ClasswiseECE, TopLabelECE])
def test_bins_for_a_triangle_are_refused_where_one_probability_is_binned(estimator) -> None:
    with pytest.raises(InputError, match="one probability at a time, which simplex bins cannot"):
        estimator(SimplexBinning(3))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BiasReducedECE(method="jackknife"), "expected one of brocker, pairwise"),
        (lambda: ICI(0.0), "The span is 0; expected"),
        (lambda: E90(1.5), "The span is 1.5; expected"),
    ],
)
def test_settings_that_do_not_exist(make, message) -> None:
    with pytest.raises(InputError, match=message):
        make()


# --- whatever a file may hold -----------------------------------------------


def suitable(draw: st.DataObject, estimator) -> Predictions:
    most = 2 if estimator.two_classes_only else 5
    return draw.draw(predictions(classes=(2, most), cases=(1, 20)))


@every
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
@FEW
def test_any_predictions_give_a_number_that_ignores_the_order_of_rows(estimator, data, seed) -> None:
    """Zeros, ones, ties, one case, classes that never happened."""
    p = suitable(data, estimator)
    found = estimator(p)
    low = -2 if isinstance(estimator, BiasReducedECE) else -1e-12
    high = 745 if getattr(estimator, "score", "") == "log-loss" else 2
    assert low <= found <= high
    if isinstance(getattr(estimator, "binning", None), MedianVarianceBinning):
        return  # among bins of equal variance the older is split, and rows make them old
    shuffled = p.with_rows(np.random.default_rng(seed).permutation(p.n))
    assert estimator(shuffled) == pytest.approx(found, rel=1e-9, abs=1e-7)


DUPLICABLE = [
    SmoothECE(), CORPMiscalibration(), ClasswiseECE(UniformBinning(7)),
    TopLabelECE(), ICI(0.5),
]  # fmt: skip


@pytest.mark.parametrize("estimator", DUPLICABLE, ids=str)
@given(data=st.data())
@FEW
def test_every_case_twice_changes_nothing(estimator, data) -> None:
    p = suitable(data, estimator)
    if isinstance(estimator, ICI):  # the span must be the same share of the cases: a whole number, 2 or more
        p = p.with_rows(np.arange(4 * max(1, p.n // 4)) % p.n)
    twice = p.with_rows(np.repeat(np.arange(p.n), 2))
    assert estimator(twice) == pytest.approx(estimator(p), rel=1e-9, abs=1e-7)


@pytest.mark.parametrize("estimator", [*TWO_CLASSES, ClasswiseECE(), TopLabelECE()], ids=str)
def test_right_certain_predictions_are_perfect(estimator) -> None:
    right = Predictions.from_arrays(np.eye(2), range(2))
    assert estimator(right) == 0
    wrong = estimator(Predictions.from_arrays(np.eye(2), [1, 0]))
    assert wrong > 0.3
