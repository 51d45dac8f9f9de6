"""A diagnosis: what stands in its document, and that each number is the one computed by hand."""

import json
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from calibcore import __version__
from calibcore.data.predictions import Predictions
from calibcore.diagnose import Diagnosis, diagnose, gap_for, reliability_for
from calibcore.diagnose.estimates import level_of
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, UniformBinning
from calibcore.diagram.reliability import reliability
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE, MCE
from calibcore.estimators.scores import accuracy, brier, log_loss, spherical
from calibcore.estimators.skce import SKCE
from calibcore.estimators.ucme import UCME
from calibcore.hypothesis_tests import (
    AsymptoticBlockSKCETest,
    AsymptoticCMETest,
    AsymptoticSKCETest,
    ConsistencyTest,
    DistributionFreeSKCETest,
    ExactOmnibusTest,
    ExactTest,
    SpiegelhalterTest,
)
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.numerics.progress import Cancelled
from calibcore.numerics.streams import stream
from calibcore.settings import TESTS, DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, GroupsLens, RegionLens, TopKLens
from tests.oracles import literal_skce as literal

NAMES = {
    "exact-omnibus": ["exact-omnibus"],
    "exact": ["exact-ece", "exact-skce"],
    "consistency": ["consistency-ece"],
    "distribution-free": [
        "distribution-free-biased",
        "distribution-free-unbiased",
        "distribution-free-linear",
        "distribution-free-block",
        "distribution-free-given-predictions",
    ],
    "asymptotic": ["asymptotic-linear", "asymptotic-block", "asymptotic-unbiased", "asymptotic-cme"],
}
"""With three and more classes; two have Spiegelhalter's test too."""
PROMISES = {
    "exact-omnibus": "exact",
    "exact": "exact",
    "consistency": "none",
    "distribution-free": "bound",
    "asymptotic": "asymptotic",
}
KERNEL = ExponentialKernel("median", "total-variation")
SPEC = DiagnosisSpec(resamples=49, kernel=KERNEL, seed=3)


def problem(n: int = 120, m: int = 4, seed: int = 1) -> Predictions:
    rng = np.random.default_rng(seed)
    return Predictions.from_arrays(
        rng.dirichlet(np.ones(m), size=n), rng.integers(m, size=n), list("abcdefgh"[:m])
    )


def in_order_of_the_labels(p: Predictions) -> Predictions:
    return p.with_rows(np.argsort(p.labels, kind="stable"))


def pvalues(diagnosis: Diagnosis) -> dict[str, float | None]:
    return {test.name: None if test.result is None else test.result.pvalue for test in diagnosis.tests}


# --- the document -----------------------------------------------------------


def test_the_document_has_its_keys() -> None:
    p = problem()
    document = json.loads(diagnose(p, SPEC).to_json())
    keys = {"schema", "version", "data", "spec", "scores", "calibration_error", "skce", "tests"}
    assert keys <= set(document)
    assert (document["schema"], document["version"]) == (1, __version__)
    names = {"class_names": list("abcd"), "fingerprint": p.fingerprint}
    assert document["data"] == {"kind": "probabilities", "n": 120, "m": 4} | names
    assert document["spec"] == SPEC.to_document()
    assert set(document["scores"]) == {"accuracy", "brier", "log_loss", "spherical"}
    assert {"ece", "mce", "n_bins", "under_calibration"} <= set(document["calibration_error"])
    assert set(document["calibration_error"]["under_calibration"]) == {"mean", "sd", "low", "high"}
    assert {"biased", "unbiased", "linear", "bandwidth"} <= set(document["skce"])
    assert [test["name"] for test in document["tests"]] == [
        name for family in TESTS for name in NAMES[family]
    ]
    for test in document["tests"]:
        assert {"name", "estimator", "statistic", "p_value", "promise"} <= set(test)
        family = next(family for family in TESTS if test["name"] in NAMES[family])
        assert test["promise"] == PROMISES[family]
        assert 0 <= test["p_value"] <= 1


@pytest.mark.parametrize("family", TESTS)
def test_only_the_tests_that_are_asked_for_are_run(family) -> None:
    found = diagnose(problem(), replace(SPEC, tests=(family,)))
    assert [test.name for test in found.tests] == NAMES[family]
    assert found.test("no such test") is None


@pytest.mark.parametrize(
    "spec",
    [
        SPEC,
        replace(SPEC, tests=()),
        replace(SPEC, lens=TopKLens(1), binning=EqualMassBinning(5)),
        replace(SPEC, lens=GroupsLens({"x": ["a", "b"], "y": ["c", "d"]}), bars="resampled", shuffle=True),
        replace(SPEC, lens=RegionLens(ClassLens("b"), "a", 0.1, 0.9), kernel=GaussianKernel(0.3)),
        replace(SPEC, resamples=1),
    ],
    ids=range(6),
)
def test_json_round_trip_is_bit_identical(spec) -> None:
    found = diagnose(problem(), spec)
    again = Diagnosis.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert (again.spec, again.skce, again.bandwidth) == (spec, found.skce, found.bandwidth)
    assert pvalues(again) == pvalues(found)
    for one, other in zip(found.tests, again.tests, strict=True):
        assert (one.name, one.note) == (other.name, other.note)
        if one.result is None:
            assert other.result is None
            continue
        assert_array_equal(one.result.null_distribution, other.result.null_distribution)
        assert one.result.components == other.result.components
        assert bool(one.result.components) == (one.name == "exact-omnibus")


def test_json_round_trip_of_withheld_and_undefined_tests() -> None:
    p = Predictions.from_arrays(np.tile([0.3, 0.7], (14, 1)), [0] * 14)
    found = diagnose(p, replace(SPEC, kernel=ExponentialKernel(1.0)))
    assert np.isnan(pvalues(found)["asymptotic-linear"])  # all terms are equal and above 0
    written = {test["name"]: test for test in json.loads(found.to_json())["tests"]}
    assert (written["asymptotic-linear"]["p_value"], written["asymptotic-linear"]["note"]) == (None, "")
    assert Diagnosis.from_json(found.to_json()).to_json() == found.to_json()
    few = diagnose(problem(3, 3), SPEC)
    assert pvalues(few)["asymptotic-linear"] is None
    assert "at least 4" in few.test("asymptotic-linear").note
    assert Diagnosis.from_json(few.to_json()).to_json() == few.to_json()


# --- the numbers ------------------------------------------------------------


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "lens",
    [CanonicalLens(), TopKLens(1), TopKLens(2), ClassLens("c"), RegionLens(CanonicalLens(), "a", 0.0, 0.3)],
)
@pytest.mark.parametrize("binning", [UniformBinning(7), MedianVarianceBinning(9)])
def test_a_diagnosis_equals_the_estimators_and_tests_called_by_hand(lens, binning) -> None:
    p = problem()
    spec = replace(SPEC, lens=lens, binning=binning, distance="euclidean")
    found, q = diagnose(p, spec), lens(p)
    number = literal.bandwidth("median", "total-variation", q.probs.tolist())
    assert found.bandwidth.value == pytest.approx(number, rel=1e-12)
    kernel = KERNEL.resolved(q.probs)[0]
    assert (found.n, found.lens_n, found.fingerprint) == (p.n, q.n, p.fingerprint)
    assert found.scores == {
        "accuracy": accuracy(p), "brier": brier(p), "log_loss": log_loss(p), "spherical": spherical(p)
    }  # fmt: skip
    ece, mce = ECE(binning, "euclidean"), MCE(binning, "euclidean")
    assert found.calibration_error["ece"] == pytest.approx(ece(q), rel=1e-12)
    assert found.calibration_error["mce"] == pytest.approx(mce(q), rel=1e-12)
    skce = {e: SKCE(kernel, e, 10) for e in ("biased", "unbiased", "linear", "block")}
    assert found.skce == {name: pytest.approx(e(q), rel=1e-11) for name, e in skce.items()}
    by_hand = {
        "exact-omnibus": ExactOmnibusTest(kernel, 49),
        "exact-ece": ExactTest(ece, 49),
        "exact-skce": ExactTest(skce["unbiased"], 49),
        "consistency-ece": ConsistencyTest(ece, 49),
        **{f"distribution-free-{name}": DistributionFreeSKCETest(e) for name, e in skce.items()},
        "distribution-free-given-predictions": DistributionFreeSKCETest(skce["biased"], True),
        "asymptotic-linear": AsymptoticBlockSKCETest(skce["linear"]),
        "asymptotic-block": AsymptoticBlockSKCETest(skce["block"]),
        "asymptotic-unbiased": AsymptoticSKCETest(skce["unbiased"], 49),
        "asymptotic-cme": AsymptoticCMETest(UCME(kernel, 10, spec.seed)),
    }
    if q.m == 2:
        by_hand["spiegelhalter"] = SpiegelhalterTest()
    assert set(by_hand) == set(pvalues(found))
    for name, test in by_hand.items():
        if found.test(name).result is None:
            if "with two outcomes the test locations" in found.test(name).note:
                continue
            with pytest.raises(InputError, match=re.escape(found.test(name).note.partition(": ")[2])):
                test(q, stream(spec.seed, name))
            continue
        expected = test(q, stream(spec.seed, name))
        assert found.test(name).result.statistic == pytest.approx(expected.statistic, rel=1e-11)
        assert found.test(name).result.pvalue == pytest.approx(expected.pvalue, rel=1e-10)


def test_the_exact_test_of_the_ece_and_the_level_under_calibration_agree() -> None:
    found = diagnose(problem(), SPEC)
    result = found.test("exact-ece").result
    error = found.calibration_error
    assert result.statistic == error["ece"]
    assert len(result.null_distribution) == 49
    assert error["ece_mean"] == result.null_distribution.mean()
    assert error["ece_sd"] == result.null_distribution.std(ddof=1)
    assert result.pvalue == (1 + (result.null_distribution >= error["ece"] - 1e-12).sum()) / 50


@pytest.mark.parametrize("distance", ["total-variation", "euclidean"])
def test_bars_ece_and_mce_of_three_classes_are_of_the_same_redraws(distance: str) -> None:
    """Those of the exact test of the ECE; what is made alone is the same."""
    p, spec = problem(), replace(SPEC, lens=CanonicalLens(), distance=distance)
    found = diagnose(p, spec)
    mce = ExactTest(MCE(spec.binning, distance), spec.resamples)(p, stream(spec.seed, "exact-ece"))
    assert found.calibration_error["mce_mean"] == mce.null_distribution.mean()
    assert found.calibration_error["mce_high"] == level_of(mce.null_distribution)["high"]
    rng = stream(spec.seed, "exact-ece")
    bars = reliability(p, spec.binning, spec.interval, spec.bars, spec.resamples, rng)
    assert_array_equal(found.reliability.low, bars.low)
    assert_array_equal(found.reliability.high, bars.high)
    assert_array_equal(reliability_for(p, spec).high, bars.high)
    alone = gap_for(p, spec)
    assert_array_equal(alone.null_distribution, found.test("exact-ece").result.null_distribution)
    assert alone.pvalue == found.test("exact-ece").result.pvalue


def test_the_bins_are_those_of_the_diagram() -> None:
    found = diagnose(problem(), replace(SPEC, lens=TopKLens(1)))
    share = found.reliability.counts / found.reliability.counts.sum()
    assert share @ np.abs(found.reliability.deviation) == pytest.approx(found.calibration_error["ece"])
    assert np.abs(found.reliability.deviation).max() == pytest.approx(found.calibration_error["mce"])


# --- randomness -------------------------------------------------------------


def test_each_pvalue_is_the_same_whichever_other_tests_run() -> None:
    p = problem()
    everything = diagnose(p, SPEC)
    for family in TESTS:
        alone = diagnose(p, replace(SPEC, tests=(family,)))
        for name in NAMES[family]:
            assert pvalues(alone)[name] == pvalues(everything)[name]
        assert alone.calibration_error == everything.calibration_error
    backwards = diagnose(p, replace(SPEC, tests=TESTS[::-1]))
    assert pvalues(backwards) == pvalues(everything)


def test_the_same_seed_gives_the_same_document_and_another_seed_another() -> None:
    p = problem()
    one = diagnose(p, SPEC)
    assert one.to_json() == diagnose(p, SPEC).to_json()
    other = diagnose(p, replace(SPEC, seed=4))
    for name in ("exact-omnibus", "exact-ece", "exact-skce", "consistency-ece", "asymptotic-unbiased"):
        null, other_null = (d.test(name).result.null_distribution for d in (one, other))
        assert not np.array_equal(null, other_null)
    assert other.skce == one.skce


def test_streams_differ_by_seed_and_name() -> None:
    drawn = {
        stream(seed, name).random()
        for seed, name in product((0, 1, 2**80), ("exact-ece", "exact-skce", "bars"))
    }
    assert len(drawn) == 9
    assert stream(5, "bars").random() == stream(5, "bars").random()


# --- progress and what is refused -------------------------------------------


@pytest.mark.parametrize("tests", [TESTS, ("exact",), ("distribution-free",), ()])
def test_progress_rises_to_one(tests) -> None:
    seen: list[tuple[float, str]] = []
    diagnose(problem(), replace(SPEC, tests=tests), lambda fraction, words: seen.append((fraction, words)))
    fractions = [fraction for fraction, _ in seen]
    assert fractions == sorted(fractions)
    assert fractions[0] == 0
    assert seen[-1] == (1.0, "done")
    assert all(words for _, words in seen)


@pytest.mark.slow
def test_a_progress_that_raises_stops_the_work() -> None:
    calls: list[float] = []
    diagnose(problem(), SPEC, lambda fraction, words: calls.append(fraction))
    for last in range(0, len(calls), 7):
        seen = 0

        def stop(fraction: float, words: str, last: int = last) -> None:
            nonlocal seen
            seen += 1
            if seen > last:
                raise Cancelled

        with pytest.raises(Cancelled):
            diagnose(problem(), SPEC, stop)
        assert seen == last + 1


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (replace(SPEC, lens=TopKLens(4)), "expected k from 1 to 3"),
        (replace(SPEC, lens=ClassLens("z")), "There is no class 'z'"),
        (replace(SPEC, binning=EqualMassBinning(5)), "two classes"),
        (replace(SPEC, kernel=GaussianKernel(1.0, "total-variation")), "no kernel for 4 classes"),
        (replace(SPEC, lens=RegionLens(CanonicalLens(), "a", 0.999999, 1.0)), "region is empty"),
    ],
)
def test_settings_that_do_not_fit_are_an_error(spec, said) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        diagnose(problem(), spec)


@pytest.mark.parametrize("kernel", [KERNEL, ExponentialKernel(0.5)])
def test_one_case_is_too_few(kernel) -> None:
    one = Predictions.from_arrays([[0.3, 0.7]], [1])
    with pytest.raises(InputError, match="at least 2"):
        diagnose(one, replace(SPEC, kernel=kernel))
    two = Predictions.from_arrays([[0.3, 0.7], [0.6, 0.4]], [1, 0])
    assert diagnose(two, replace(SPEC, kernel=kernel)).to_json()
