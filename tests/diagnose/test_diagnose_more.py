"""Estimates, recalibration, decompositions, bins, other nulls, early stopping, weighted and pooled cases."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from calibcore.assessment.survey import survey
from calibcore.data.examples import w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagnose import Diagnosis, diagnose
from calibcore.diagram.binning import MedianVarianceBinning, UniformBinning
from calibcore.errors import InputError
from calibcore.estimators.bias_reduced import BiasReducedECE
from calibcore.estimators.classwise import ClasswiseECE, TopLabelECE
from calibcore.estimators.corp import CORPMiscalibration, corp_decomposition
from calibcore.estimators.decompositions import binned_brier
from calibcore.estimators.ece import ECE
from calibcore.estimators.ici import E50, E90, ICI
from calibcore.estimators.intervals import bootstrap_interval
from calibcore.estimators.mmce import MMCE
from calibcore.estimators.recalibration import calibration_in_the_large, cox_intercept_slope
from calibcore.estimators.skce import SKCE
from calibcore.estimators.smooth_ece import SmoothECE
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests import ExactOmnibusTest, ExactTest
from calibcore.hypothesis_tests.bins import bin_pvalues, redraws_for_bins
from calibcore.kernels import ExponentialKernel
from calibcore.numerics.progress import Cancelled
from calibcore.numerics.streams import stream
from calibcore.settings import ESTIMATES, DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, PooledLens, RegionLens, TopKLens
from calibcore.transforms.nulls import Mixture, Temperature

SPEC = DiagnosisSpec(resamples=49, seed=3)
BINS = UniformBinning(10)


def problem(weights=None) -> Predictions:
    rng = np.random.default_rng(1)
    return Predictions.from_arrays(
        rng.dirichlet(np.ones(4), size=120), rng.integers(4, size=120), list("abcd"), weights=weights
    )


def by_hand(kernel) -> dict:
    return {
        "bias-reduced-brocker": BiasReducedECE(BINS, "brocker"),
        "bias-reduced-pairwise": BiasReducedECE(BINS, "pairwise"),
        "smooth-ece": SmoothECE(),
        "corp-miscalibration": CORPMiscalibration(),
        "ici": ICI(),
        "e50": E50(),
        "e90": E90(),
        "skce-block": SKCE(kernel, "block", 10),
        "ucme": UCME(kernel, 10, 3),
        "classwise-ece": ClasswiseECE(BINS),
        "top-label-ece": TopLabelECE(BINS),
        "mmce": MMCE(),
    }


@pytest.mark.parametrize("lens", [CanonicalLens(), ClassLens("b"), RegionLens(TopKLens(1), "a", 0.0, 0.4)])
def test_estimates_are_those_made_by_hand(lens) -> None:
    p = problem()
    found = diagnose(p, replace(SPEC, lens=lens, tests=()))
    q = lens(p)
    given = p.with_rows(lens.rows(p)) if isinstance(lens, RegionLens) else p
    estimators = by_hand(SPEC.kernel.resolved(q.probs)[0])
    one = {"smooth-ece", "corp-miscalibration", "ici", "e50", "e90"}
    assert [e.name for e in found.estimates] == [name for name in ESTIMATES if q.m == 2 or name not in one]
    for estimate in found.estimates:
        of_predictions = estimate.name in ("classwise-ece", "top-label-ece", "mmce")
        assert estimate.of == ("predictions" if of_predictions else "lens")
        rng = stream(3, estimate.name)
        expected = ExactTest(estimators[estimate.name], 49)(given if of_predictions else q, rng)
        assert estimate.value == pytest.approx(expected.statistic, rel=1e-11)
        assert estimate.pvalue == expected.pvalue
        assert estimate.level["mean"] == pytest.approx(expected.null_distribution.mean(), rel=1e-11)
        assert estimate.level["low"] <= estimate.level["high"]
    assert Diagnosis.from_json(found.to_json()).to_json() == found.to_json()


def test_only_the_estimates_that_are_asked_for_and_the_same_whichever_others_are_made() -> None:
    everything = {e.name: e for e in diagnose(problem(), replace(SPEC, tests=())).estimates}
    found = diagnose(problem(), replace(SPEC, tests=(), estimates=("mmce", "ucme")))
    assert [e.name for e in found.estimates] == ["mmce", "ucme"]
    for estimate in found.estimates:
        assert asdict(estimate) == asdict(everything[estimate.name])


def test_recalibration_and_decompositions_stand_in_the_document() -> None:
    p = problem()
    found = json.loads(diagnose(p, replace(SPEC, lens=ClassLens("a"), tests=(), estimates=())).to_json())
    q = ClassLens("a")(p)
    cox, large = cox_intercept_slope(q), calibration_in_the_large(q)
    written = found["recalibration"]
    for name, coefficient in (
        ("cox_intercept", cox.cox_intercept),
        ("cox_slope", cox.cox_slope),
        ("intercept_with_slope_fixed_at_1", large.intercept_with_slope_fixed_at_1),
    ):
        assert written[name]["estimate"] == coefficient.estimate
        assert written[name]["interval"] == list(coefficient.interval)
    assert found["decompositions"]["brier-binned"] == asdict(binned_brier(q, BINS))
    assert found["decompositions"]["log-loss-corp"] == asdict(corp_decomposition(q, "log-loss"))
    many = json.loads(diagnose(p, replace(SPEC, tests=(), estimates=())).to_json())
    assert many["recalibration"] == {}
    assert set(many["decompositions"]) == {"brier-binned", "log-loss-binned"}


def test_bins_have_exact_pvalues_where_exact_tests_are_asked_for() -> None:
    p = problem()
    found = diagnose(p, replace(SPEC, lens=TopKLens(1), estimates=(), bin_adjustment="holm"))
    expected = bin_pvalues(TopKLens(1)(p), BINS, 0, stream(3, "bins"), "holm")
    assert found.bin_pvalues == {
        "p_value": expected.pvalue.tolist(),
        "adjusted_p_value": expected.adjusted.tolist(),
        "adjustment": "holm",
        "resamples": 0,  # their laws are known
    }
    assert len(expected.pvalue) == found.reliability.n_bins
    together = diagnose(p, replace(SPEC, tests=("exact-omnibus",), estimates=()))
    many = redraws_for_bins(together.reliability.n_bins, p.m, 49, SPEC.alpha)
    assert many is not None
    assert many > 49  # as on the page: enough for one bin to stand out
    assert together.bin_pvalues["resamples"] == many
    assert diagnose(p, replace(SPEC, tests=("asymptotic",), estimates=())).bin_pvalues is None


def test_the_bootstrap_interval_is_made_when_asked_for() -> None:
    p = problem()
    found = diagnose(p, replace(SPEC, tests=(), estimates=(), bootstrap=29))
    expected = asdict(bootstrap_interval(ECE(BINS), p, 29, stream(3, "interval-ece")))
    assert found.ece_interval == expected
    assert json.loads(found.to_json())["calibration_error"]["interval"] == expected
    assert diagnose(p, replace(SPEC, tests=(), estimates=())).ece_interval is None


@pytest.mark.parametrize("binning", [BINS, MedianVarianceBinning(20)])
def test_the_bootstrap_interval_can_be_stopped_before_all_is_said_to_be_done(binning) -> None:
    heard: list[tuple[float, str]] = []

    def progress(fraction: float, words: str) -> None:
        heard.append((fraction, words))
        if "again" in words and fraction > 0.9:
            raise Cancelled

    spec = replace(SPEC, tests=(), estimates=(), bootstrap=29, binning=binning)
    with pytest.raises(Cancelled):
        diagnose(problem(), spec, progress)
    assert heard[-1][1] == "drawing cases again for the interval"
    assert 0.9 < heard[-1][0] <= 1
    assert heard == sorted(heard, key=lambda told: told[0])


@pytest.mark.some(1)
@pytest.mark.parametrize("null", [Temperature(2.0), Mixture(0.3), Mixture(0.5, "b")])
def test_another_null_is_tested_by_the_exact_tests_alone(null) -> None:
    p = problem()
    found = diagnose(p, replace(SPEC, null=null, estimates=()))
    plain = diagnose(p, replace(SPEC, estimates=()))
    assert found.calibration_error == plain.calibration_error  # their level stays that of calibration
    for test in found.tests:
        if test.name.startswith("exact"):
            by_hand = {
                "exact-omnibus": ExactOmnibusTest(SPEC.kernel, 49, None, null),
                "exact-ece": ExactTest(ECE(BINS), 49, None, null),
                "exact-skce": ExactTest(SKCE(SPEC.kernel), 49, None, null),
            }[test.name]
            assert test.result.pvalue == by_hand(p, stream(3, test.name)).pvalue
            assert test.result.details["null"] == null.kind
        else:
            assert (test.result, test.note[:9]) == (None, "withheld:")


def test_early_stopping_reaches_every_exact_test() -> None:
    p = w19_model("M1", n=200, m=4)  # calibrated: the answer is plain
    found = diagnose(p, replace(SPEC, resamples=999, stop_at=3, estimates=()))
    for name in ("exact-omnibus", "exact-ece", "exact-skce"):
        result = found.test(name).result
        assert result.details["stop_at"] == 3
        assert result.n_resamples < 999
        assert result.pvalue == 3 / result.n_resamples
    assert Diagnosis.from_json(found.to_json()).to_json() == found.to_json()


def test_weighted_cases_give_estimates_and_no_tests() -> None:
    weights = np.random.default_rng(2).uniform(0.5, 2, size=120)
    p = problem(weights)
    for lens in (CanonicalLens(), TopKLens(1)):
        found = diagnose(p, replace(SPEC, lens=lens, bootstrap=9))
        assert {test.result for test in found.tests} == {None}
        assert all("weighted" in test.note for test in found.tests)
        assert (found.estimates, found.ece_interval, found.bin_pvalues) == ((), None, None)
        assert set(found.calibration_error) == {"ece", "mce"}
        assert found.calibration_error["ece"] == pytest.approx(ECE(BINS)(lens(p)))
        assert set(found.skce) == {"biased", "unbiased"}
        assert found.reliability.bars == "none"
        assert json.loads(found.to_json())["calibration_error"]["under_calibration"] is None
        assert Diagnosis.from_json(found.to_json()).to_json() == found.to_json()
    with pytest.raises(InputError, match="weighted"):
        survey(p, SPEC)


@pytest.mark.parametrize("name", sorted(by_hand(None)))
def test_no_estimator_ignores_weights(name) -> None:
    p = problem(np.random.default_rng(2).uniform(0.5, 2, size=120))
    estimator = by_hand(ExponentialKernel(0.5))[name]
    q = TopKLens(1)(p) if getattr(estimator, "two_classes_only", False) else p
    unweighted = Predictions(q.probs, q.labels, q.class_names)
    if name == "mmce":  # through the biased SKCE, which takes weights
        assert estimator(q) != estimator(unweighted)
        return
    with pytest.raises(InputError, match="weighted"):
        estimator(q)


def test_pooled_pairs_are_tested_exactly_and_nothing_else_is_claimed() -> None:
    p = problem()
    found = diagnose(p, replace(SPEC, lens=PooledLens(), shuffle=True))
    assert (found.n, found.lens_n) == (120, 480)
    for test in found.tests:
        held = test.name in ("exact-omnibus", "exact-ece", "exact-skce", "consistency-ece")
        assert (test.result is not None) == held, test.name
    for name in ("exact-omnibus", "exact-skce"):
        assert found.test(name).result.details["tests"] == "canonical calibration"
    notes = {e.name: e.note for e in found.estimates}
    assert "independent rows" in notes["skce-block"]
    assert found.bin_pvalues is None
    assert set(found.skce) == {"biased", "unbiased"}
    assert Diagnosis.from_json(found.to_json()).to_json() == found.to_json()


def test_a_survey_tests_calibration_and_nothing_else() -> None:
    with pytest.raises(InputError, match="a survey tests calibration"):
        survey(problem(), replace(SPEC, null=Temperature(2.0)))


def test_test_locations_of_two_classes_are_left_to_the_exact_test() -> None:
    """By the approximation 65 of 100 calibrated models would be rejected (200 cases)."""
    found = diagnose(w19_model("M1", n=200, m=4), replace(SPEC, lens=TopKLens(1), estimates=("ucme",)))
    test = found.test("asymptotic-cme")
    assert test.result is None
    assert "the exact p of the UCME" in test.note
    assert found.estimates[0].pvalue is not None
    assert diagnose(problem(), SPEC).test("asymptotic-cme").result is not None


def test_a_document_from_before_these_parts_is_still_read() -> None:
    document = diagnose(problem(), SPEC).to_document()
    for key in ("estimates", "decompositions", "recalibration", "bins"):
        del document[key]
    for key in ("estimates", "null", "stop_at", "block_size", "locations", "precision", "adjustment"):
        del document["spec"][key]
    del document["spec"]["kernel"]["class_matrix"], document["calibration_error"]["interval"]
    del document["skce"]["block"]
    for test in document["tests"]:
        for key in ("confidence_interval", "details"):
            test.pop(key, None)
    again = Diagnosis.from_document(document)
    assert again.spec == SPEC
    assert set(again.skce) == {"biased", "unbiased", "linear"}
    assert (again.estimates, again.bin_pvalues, again.ece_interval) == ((), None, None)
