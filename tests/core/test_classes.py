"""Classes by evidence: each is what a diagnosis through its lens says, in the order of the exact p."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import diagnose
from calibcore.binning import EqualMassBinning, SimplexBinning, UniformBinning
from calibcore.classes import classes_by_evidence
from calibcore.diagnose import Cancelled, reliability_for
from calibcore.hypothesis_tests.adjust import holm
from calibcore.lenses import ClassLens
from calibcore.predictions import InputError, Predictions
from calibcore.resampling import draw_labels
from calibcore.spec import DiagnosisSpec
from calibcore.survey import MOST_CLASSES, resamples_needed
from tests.strategies import FEW, predictions

RNG = np.random.default_rng
QUICK = DiagnosisSpec(resamples=99, alpha=0.5, seed=3)


def one_is_off(n: int = 1500, m: int = 4, seed: int = 0) -> Predictions:
    """Classes a, b, c, d; half of what was a is called b, and the model does not know."""
    rng = RNG(seed)
    g = rng.dirichlet(np.ones(m), size=n)
    truth = g.copy()
    truth[:, 1] += truth[:, 0] / 2
    truth[:, 0] /= 2
    return Predictions.from_arrays(g, draw_labels(truth, rng), tuple("abcdefgh"[:m]))


@pytest.mark.parametrize("binning", [UniformBinning(10), EqualMassBinning(7)])
def test_each_class_is_what_a_diagnosis_through_its_lens_says(binning) -> None:
    p = one_is_off(200)
    spec = DiagnosisSpec(binning=binning, tests=("exact",), estimates=(), resamples=999, alpha=0.05)
    found = classes_by_evidence(p, spec)
    assert found.n_resamples == 999
    for c in found.classes:
        through = replace(spec, lens=ClassLens(c.name))
        there = diagnose(p, through)
        test = there.test("exact-ece")
        assert test is not None
        assert test.result is not None
        assert (c.ece, c.pvalue) == (test.result.statistic, test.result.pvalue)
        errors = there.calibration_error
        assert_allclose((c.mean, c.low, c.high), [errors[f"ece_{name}"] for name in ("mean", "low", "high")])
        assert_allclose(c.excess, (c.ece - errors["ece_mean"]) / errors["ece_sd"])
        assert_array_equal(c.diagram.deviation, reliability_for(p, through).deviation)


def test_the_classes_that_are_off_come_first() -> None:
    found = classes_by_evidence(one_is_off(), QUICK)
    assert {c.name for c in found.classes[:2]} == {"a", "b"}
    assert [c.pvalue for c in found.classes] == sorted(c.pvalue for c in found.classes)
    tied = [c.excess for c in found.classes if c.pvalue == found.classes[0].pvalue]
    assert len(tied) > 1
    assert tied == sorted(tied, reverse=True)


@FEW
@given(predictions(classes=(3, 6), cases=(1, 15)))
def test_any_predictions_can_be_looked_at(p: Predictions) -> None:
    found = classes_by_evidence(p, QUICK)
    assert sorted(c.name for c in found.classes) == sorted(p.class_names)
    assert not found.left_out
    assert_allclose([c.adjusted for c in found.classes], holm([c.pvalue for c in found.classes]))
    keys = [(c.pvalue, -c.excess) for c in found.classes]
    assert keys == sorted(keys)


def test_the_likeliest_twenty_are_looked_at_whatever_happened() -> None:
    rng = RNG(1)
    g = rng.dirichlet(np.r_[np.full(MOST_CLASSES, 2.0), np.full(5, 0.2)][::-1], size=60)
    looked_at = set()
    for _ in range(3):
        p = Predictions.from_arrays(g, rng.integers(25, size=60), [f"c{k}" for k in range(25)])
        found = classes_by_evidence(p, replace(QUICK, alpha=0.05))
        assert found.left_out == ("c0", "c1", "c2", "c3", "c4")
        looked_at.add(frozenset(c.name for c in found.classes))
        assert found.n_resamples == resamples_needed(MOST_CLASSES, 0.05) == 3999
    assert len(looked_at) == 1
    assert len(looked_at.pop()) == MOST_CLASSES


def test_a_class_that_was_ruled_out_is_no_evidence_unless_it_happened() -> None:
    g = np.tile([0.5, 0.5, 0.0], (20, 1))
    classes = classes_by_evidence(Predictions.from_arrays(g, [0, 1] * 10), QUICK).classes
    never = next(c for c in classes if c.name == "2")
    assert (never.ece, never.pvalue, never.excess, never.adjusted) == (0.0, 1.0, 0.0, 1.0)
    first = classes_by_evidence(Predictions.from_arrays(g, [0, 1] * 9 + [2, 2]), QUICK).classes[0]
    assert (first.name, first.excess) == ("2", float("inf"))
    assert first.pvalue < 0.05


def test_bins_that_do_not_fit_give_way_as_in_a_survey() -> None:
    found = classes_by_evidence(one_is_off(60), replace(QUICK, binning=SimplexBinning(4)))
    assert found.binning == UniformBinning(10)


def test_two_classes_and_weighted_cases_are_refused() -> None:
    two = Predictions.from_arrays([[0.2, 0.8], [0.6, 0.4]], [0, 1])
    with pytest.raises(InputError, match="expected three or more"):
        classes_by_evidence(two, QUICK)
    weighted = Predictions.from_arrays(np.full((4, 4), 0.25), [0, 1, 2, 3], weights=[1.0, 2.0, 1.0, 1.0])
    with pytest.raises(InputError, match="weighted"):
        classes_by_evidence(weighted, QUICK)


def test_progress_rises_and_may_stop_the_work() -> None:
    p, seen = one_is_off(60), []
    classes_by_evidence(p, QUICK, lambda fraction, words: seen.append((fraction, words)))
    fractions = [fraction for fraction, _ in seen]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    assert seen[2][1] == "class 2 of 4"

    def stop(fraction: float, words: str) -> None:
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        classes_by_evidence(p, QUICK, stop)


@pytest.mark.slow
def test_of_a_calibrated_model_rarely_any_class_stands_out() -> None:
    hits = []
    for seed in range(400):
        rng = RNG(seed)
        g = rng.dirichlet(np.full(5, 0.5), size=100)
        p = Predictions.from_arrays(g, draw_labels(g, rng))
        found = classes_by_evidence(p, replace(QUICK, alpha=0.5, resamples=199, seed=seed))
        hits.append(found.classes[0].adjusted <= 0.05)
    assert np.mean(hits) <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5
