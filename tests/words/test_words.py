"""Every sentence against the numbers it is about."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore import DiagnosisSpec, Predictions, diagnose
from calibcore.answers.diagnosis import p_values_table
from calibcore.answers.diagram import bins_table
from calibcore.answers.measures import measures_table
from calibcore.data.examples import load_example
from calibcore.diagram.binning import (
    BINNINGS,
    EqualMassBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.diagram.reliability import reliability
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.families import names_of
from calibcore.kernels import ExponentialKernel
from calibcore.transforms.lenses import CanonicalLens, ClassLens, GroupsLens, RegionLens, TopKLens
from calibcore.wording import count, in_noun, percent, plural
from calibcore.words.phrases import (
    PROMISES,
    error,
    error_level,
    expected,
    kernel_error,
    kernel_errors,
    number_p,
    points,
    pvalue,
    pvalue_remark,
    top_bins,
)
from calibcore.words.results import (
    bins_heading,
    bins_outside,
    claim_and_outcome,
    impossible_outcomes,
    narrow_bandwidth,
)
from calibcore.words.testing import sentence_of_test, verdict_test_sentence

SPACE = "\N{NO-BREAK SPACE}"


def monte_carlo(p: float, n_resamples: int = 999, promise: str = "exact") -> TestResult:
    return TestResult(0.1, p, "", promise, None, n_resamples)


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0363, "3.6 points"), (0.01, "1.0 point"), (0, "0.0 points"), (-0.12345, "−12.3 points")],
)
def test_points(value: float, words: str) -> None:
    assert points(value) == words


@pytest.mark.parametrize(
    ("value", "decimals", "words"),
    [
        (0.9412, 1, "94.1 %"),
        (0, 1, "0.0 %"),
        (1, 1, "100.0 %"),
        (0.99999, 1, "> 99.9 %"),
        (0.00001, 1, "< 0.1 %"),
        (0.999, 0, "> 99 %"),
        (0.5, 0, "50 %"),
    ],
)
def test_percent_is_never_rounded_to_certainty(value: float, decimals: int, words: str) -> None:
    assert percent(value, decimals).replace(SPACE, " ") == words


def test_counts_and_plurals() -> None:
    assert count(0, "case") == "0 cases"
    assert count(1, "case") == "1 case"
    assert count(1204, "patient") == "1,204 patients"
    assert [plural(noun) for noun in ("biopsy", "day", "box", "lens")] == [
        "biopsies",
        "days",
        "boxes",
        "lenses",
    ]


@pytest.mark.parametrize(
    ("value", "words"),
    [(1.30142e-4, "1.30 × 10⁻⁴"), (-2e-12, "−2.00 × 10⁻¹²"), (0, "0"), (0.5, "5.00 × 10⁻¹")],
)
def test_kernel_errors_have_three_digits(value: float, words: str) -> None:
    assert kernel_error(value) == words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (-0.00106, 0.00162, "(−1.06 to 1.62) × 10⁻³"),
        (-0.00012, 0.0999999, "(0.00 to 1.00) × 10⁻¹"),
        (0.0, 0.0, "0"),
        (2.0, 30.0, "(0.20 to 3.00) × 10¹"),
    ],
)
def test_a_range_of_kernel_errors_has_one_power(low: float, high: float, words: str) -> None:
    assert kernel_errors(low, high) == words


def test_errors_have_the_unit_of_their_distance() -> None:
    assert error(0.0363, "total-variation") == "3.6 points"
    assert error(0.0363, "squared-euclidean") == "0.0363"
    assert error_level(0.013, 0.051, "euclidean") == "1.3 to 5.1 points"


def test_p_values_are_never_zero() -> None:
    assert pvalue(monte_carlo(0.034)) == "p = 0.034"
    assert pvalue(monte_carlo(1e-300, 0, "asymptotic")) == "p < 0.0001"
    assert pvalue(monte_carlo(0.39, 0, "bound")) == "p ≤ 0.39"
    assert pvalue(monte_carlo(1.0, 0, "bound")) == "p ≤ 1"
    assert pvalue(monte_carlo(float("nan"), 0, "asymptotic")) == "–"


def test_a_p_value_at_its_floor_says_so() -> None:
    assert pvalue(monte_carlo(0.001)) == "p = 0.001, the smallest possible"
    assert pvalue(monte_carlo(0.002)) == "p = 0.002"
    assert pvalue_remark(monte_carlo(0.001)) == "none of 999 redraws was as extreme"
    assert pvalue_remark(monte_carlo(0.002)) == ""
    assert "not defined" in pvalue_remark(monte_carlo(float("nan"), 0))


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.0344, "0.034"),
        (0.417, "0.42"),
        (1, "1"),
        (0.996, "> 0.99"),
        (0.05, "0.05"),
        (0.0496, "0.0496"),
        (0.0499, "0.0499"),
        (0.0504, "0.0504"),
        (0.04996, "0.04996"),
    ],
)
def test_p_values_have_two_digits_or_as_many_as_tell_the_side_of_the_level(p: float, words: str) -> None:
    assert number_p(p) == words


@given(st.floats(1e-4, 1.0))
@settings(max_examples=200)
def test_a_bound_is_never_rounded_down_and_no_p_crosses_a_level(p: float) -> None:
    assert float(number_p(p, bound=True)) >= p * (1 - 1e-9)
    shown = float(number_p(p).removeprefix("> "))
    for level in (0.01, 0.05):
        assert (shown <= level) == (p <= level) or abs(p - level) < 1e-5


def test_every_strategy_has_words() -> None:
    lenses = (
        CanonicalLens(),
        TopKLens(1),
        TopKLens(3),
        ClassLens("cat"),
        GroupsLens((("A", ("x",)), ("B", ("y",)))),
        RegionLens(CanonicalLens(), "cat", 0.2, 1.0),
    )
    assert len({lens.phrase() for lens in lenses}) == len(lenses)
    assert len({kind().phrase() for kind in BINNINGS.values()}) == len(BINNINGS)
    assert "20 at most" in MedianVarianceBinning(100, 20).phrase()
    assert EqualMassBinning(1).phrase() == "1 equal-mass bin"
    assert UniformBinning(10).phrase(5) == "10 equal-width intervals per class"


def test_the_heading_says_how_many_bins_hold_cases() -> None:
    forest = load_example("digits-forest")
    confidence = reliability(TopKLens(1)(forest), UniformBinning(10))
    assert bins_heading(confidence, UniformBinning(10)) == "10 equal-width bins, 9 with cases"
    equal = reliability(TopKLens(1)(forest), EqualMassBinning(15))
    assert bins_heading(equal, EqualMassBinning(15)) == "15 equal-mass bins"
    split = reliability(forest, MedianVarianceBinning(500), n_resamples=9)
    assert bins_heading(split, MedianVarianceBinning(500)) == (
        "2 bins: split at the median, 500 cases or more each"
    )
    wide = reliability(load_example("wine"), UniformBinning(2), n_resamples=9)
    assert "bins: 2 equal-width intervals per class" in bins_heading(wide, UniformBinning(2))
    wine = reliability(load_example("wine"), SimplexBinning(2), n_resamples=9)
    assert bins_heading(wine, SimplexBinning(2)).startswith("4 triangles")


def test_the_claim_and_what_happened() -> None:
    p = Predictions.from_arrays([[0.9, 0.1], [0.8, 0.2], [0.4, 0.6]], [0, 0, 1], ("ill", "well"))
    found = reliability(ClassLens("ill")(p), UniformBinning(10))
    words = claim_and_outcome(found, ClassLens("ill"), "patient").replace(SPACE, " ")
    assert (
        words == "The model gives 'ill' 70.0 % on average, and it happens 66.7 % of the time "
        "(2 of 3 patients, 95 % interval 9.4 % to 99.2 %)."
    )
    confidence = reliability(TopKLens(1)(p), UniformBinning(10))
    words = claim_and_outcome(confidence, TopKLens(1)).replace(SPACE, " ")
    assert words == (
        "The model is 76.7 % sure of its answer on average, and right 100.0 % of the time "
        "(3 of 3 cases, 95 % interval 29.2 % to 100.0 %)."
    )


def test_a_region_is_part_of_the_claim() -> None:
    p = Predictions.from_arrays([[0.9, 0.1], [0.8, 0.2], [0.4, 0.6]], [0, 0, 1], ("ill", "well"))
    lens = RegionLens(TopKLens(1), "ill", 0.5, 1.0)
    words = claim_and_outcome(reliability(lens(p), UniformBinning(10)), lens).replace(SPACE, " ")
    assert words == (
        "Where 'ill' was given 50 % to 100 %, the model is 85.0 % sure of its answer on average, "
        "and right 100.0 % of the time (2 of 2 cases, 95 % interval 15.8 % to 100.0 %)."
    )


def test_few_expected() -> None:
    assert expected(1.44) == "about 1.4"
    assert expected(0.03) == "fewer than 0.1"


def test_a_narrow_bandwidth_is_said() -> None:
    probs = np.tile([0.999999, 0.000001], (400, 1))
    probs[:, 0] -= np.linspace(0, 1e-7, 400)
    probs[:80, 0] = np.linspace(0.5, 0.9, 80)
    probs[:, 1] = 1 - probs[:, 0]
    labels = (np.arange(400) < 30).astype(int)
    rows = np.random.default_rng(0).permutation(400)
    p = Predictions.from_arrays(probs[rows], labels[rows])
    found = diagnose(p, DiagnosisSpec(tests=("exact",), resamples=19))
    assert "nearly alike" in narrow_bandwidth(found)
    wide = diagnose(p, DiagnosisSpec(kernel=ExponentialKernel("mean"), tests=("exact",), resamples=19))
    assert narrow_bandwidth(wide) == ""


def test_impossible_outcomes_are_said() -> None:
    p = Predictions.from_arrays([[1, 0], [1, 0], [0.5, 0.5]], [1, 0, 0])
    found = diagnose(p, DiagnosisSpec(tests=("exact",), resamples=19))
    assert impossible_outcomes(found, "patient").startswith("In 1 patient something happened")


def test_bins_outside_in_the_singular() -> None:
    p = Predictions.from_arrays(np.tile([0.99, 0.01], (40, 1)), np.ones(40, int))
    found = reliability(p, UniformBinning(1))
    assert bins_outside(found).startswith("1 of 1 bin lies outside what chance allows.")


def test_sentences_about_a_diagnosis_hold_its_numbers() -> None:
    found = diagnose(load_example("breast-cancer"), DiagnosisSpec(lens=TopKLens(1), resamples=199))
    exact = found.test("exact-skce")
    assert exact is not None
    assert exact.result is not None
    assert exact.result.null_distribution is not None
    as_extreme = int((exact.result.null_distribution >= exact.result.statistic).sum())
    assert sentence_of_test(found, "exact-skce").startswith(f"{as_extreme:,} of 199 sets of outcomes")
    result = found.test("exact-omnibus").result
    as_extreme = int((result.null_distribution >= result.statistic).sum())
    times = f"{as_extreme:,}" if as_extreme else "None"
    assert verdict_test_sentence(found) == (
        f"{times} of 199 sets of outcomes drawn from the model's own predictions stood out at least as much."
    )
    measures = {row["Measure"]: row["Value"] for row in measures_table(found).rows()}
    assert measures["Average gap (ECE)"] == points(found.calibration_error["ece"])
    rows = p_values_table(found).rows()
    assert [row["Test"] for row in rows] == [names_of(test.name).full for test in found.tests]
    withheld = [test.name for test in found.tests if test.result is None]
    assert withheld == ["asymptotic-cme"]  # most confidences here are nearly the same
    assert {row["Promise"] for row in rows} == {*PROMISES.values(), "–"}
    bins = bins_table(found.reliability).rows()
    assert sum(int(row["Cases"]) for row in bins) == 285
    assert [row["Outside"] == "yes" for row in bins] == found.reliability.outside.tolist()


def test_a_diagnosis_without_the_exact_test_says_nothing_about_it() -> None:
    found = diagnose(load_example("wine"), DiagnosisSpec(tests=("asymptotic",), resamples=49))
    assert verdict_test_sentence(found) == ""


def test_none_of_the_redraws() -> None:
    found = diagnose(load_example("wine"), DiagnosisSpec(tests=("exact",), resamples=49))
    assert verdict_test_sentence(found) == (
        "None of 49 sets of outcomes drawn from the model's own predictions "
        "had a kernel error at least as large."
    )


def test_the_largest_predictions_of_a_bin() -> None:
    words = top_bins([0.2, 0.7, 0.1], ("a", "b", "c"), 2).replace(SPACE, " ")
    assert words == "b: 70 %, a: 20 %"


def test_regions_within_regions_are_all_said() -> None:
    p = Predictions.from_arrays(np.full((4, 3), 1 / 3), [0, 1, 2, 0], ("a", "b", "c"))
    lens = RegionLens(RegionLens(TopKLens(1), "b", 0.1, 0.6), "a", 0.2, 0.9)
    words = claim_and_outcome(reliability(lens(p), UniformBinning(10)), lens).replace(SPACE, " ")
    assert words.startswith("Where 'a' was given 20 % to 90 % and 'b' was given 10 % to 60 %, the model is")


def test_a_text_about_cases_is_said_of_what_they_are() -> None:
    said = in_noun("A case, the cases and a case; in case of cascades.", "image")
    assert said == "An image, the images and an image; in image of cascades."
    assert in_noun("a case of cases", "test case") == "a test case of test cases"
