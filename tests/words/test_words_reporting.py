"""The words of a report: every setting is named, and its numbers are those of the result."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibcore import DiagnosisSpec, Predictions, Survey, diagnose, survey
from calibcore.answers.measures import checks_measured
from calibcore.answers.survey import checks_table, classes_table, strongest_first
from calibcore.assessment.assess import Assessment
from calibcore.assessment.defaults import MOST_CLASSES
from calibcore.diagram.binning import (
    Binning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.errors import InputError
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.transforms.lenses import CanonicalLens, ClassLens, RegionLens, TopKLens
from calibcore.words.phrases import points
from calibcore.words.reported_methods import (
    BARS,
    EXACT,
    MMDAGG,
    STOPPED,
    TRIPOD,
    V19,
    W19,
    methods_parts,
    references,
)
from calibcore.words.reporting import (
    classes_left_out,
    classes_told,
    date_words,
    left_out_words,
    prediction_rows,
    subtitle,
    verdicts_note,
)
from calibcore.words.verdicts import worst_class
from tests.report.reported import drawn, judged_of

START = DiagnosisSpec(resamples=199, alpha=0.2)
LENSES = (TopKLens(1), CanonicalLens())


def methods_with(p: Predictions, spec: DiagnosisSpec, noun: str = "case") -> str:
    """Methods need the survey, not the verdicts."""
    found = Assessment(survey(p, spec, LENSES), (), ())
    return " ".join(f"{head}: {words}" for head, words in methods_parts(found, "net", noun))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"alpha": 0.1}, "(level α = 0.1)."),
        ({"tolerance": 0.03}, "the tolerance of 3 points"),
        ({"seed": 7}, "seed 7"),
        ({"resamples": 399}, "redrawn 399 times"),
        ({"interval": (0.025, 0.975)}, "2.5\N{NO-BREAK SPACE}% to 97.5\N{NO-BREAK SPACE}%"),
        ({"bars": "resampled"}, "under calibration, from redraws."),
        ({"distance": "squared-euclidean"}, "the squared Euclidean distance"),
        ({"distance": "cityblock"}, "the sum of absolute differences"),
        ({"binning": UniformBinning(7)}, "7 equal-width bins"),
        ({"binning": MedianVarianceBinning(12)}, "bins split at the median, 12 cases or more"),
        ({"kernel": GaussianKernel()}, "gaussian kernel"),
        (
            {"kernel": ExponentialKernel(metric="total-variation")},
            "exponential kernel on total variation distance",
        ),
        ({"stop_at": 10}, "stopped at 10 redraws as large"),
        ({"adjustment": "benjamini-hochberg"}, "Benjamini and Hochberg"),
        ({"bin_adjustment": "holm"}, "Single bins and arrows: exact p, adjusted by Holm's method"),
    ],
)
@pytest.mark.some(6)
def test_every_setting_is_named(change: dict, said: str) -> None:
    p = drawn(60, 3)
    first, other = methods_with(p, START), methods_with(p, replace(START, **change))
    assert said in other
    assert said not in first


@cache
def earlier_methods(spec: DiagnosisSpec) -> str:
    """Of a survey whose verdicts came from the exact kernel test."""
    p = drawn(60, 3)
    diagnoses = tuple(diagnose(p, replace(spec, lens=lens, tests=("exact",))) for lens in LENSES)
    found = Assessment(Survey(diagnoses, (0.5, 0.5)), (), ())
    return " ".join(words for _, words in methods_parts(found, "net"))


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kernel": ExponentialKernel(bandwidth=0.3)}, "Bandwidth: 0.3, as set."),
        (
            {"kernel": ExponentialKernel(bandwidth="mean")},
            "the mean distance between predictions over all pairs",
        ),
        ({"kernel": ExponentialKernel(bandwidth="median-with-diagonal")}, "zeros to itself counted"),
        ({"precision": "float32"}, "sums in float32"),
    ],
)
def test_of_an_earlier_version_the_one_bandwidth_is_named(change: dict, said: str) -> None:
    first, other = earlier_methods(START), earlier_methods(replace(START, **change))
    assert said in other
    assert said not in first
    for words in ("omnibus", "uneven", "refutes", "D/4"):
        assert words not in other


def test_the_bandwidths_of_the_omnibus_are_the_tests_own() -> None:
    p = drawn(60, 3)
    said = methods_with(p, START)
    widest = [
        d.test("exact-omnibus").result.details["widest_bandwidth"]  # type: ignore[union-attr]
        for d in survey(p, START, LENSES).diagnoses
    ]
    assert "bandwidths D, D/4, D/16, D/64 and D/256, D the range of the predictions" in said
    assert f"({min(widest):.3g} to {max(widest):.3g}, check by check in the JSON)" in said
    assert "median of the distances" not in said


def test_the_outcomes_given_0_are_counted_where_they_are_a_hypothesis() -> None:
    p = drawn(60, 3)
    assert "adjusted for 2 checks by" in methods_with(p, START)
    probs = np.round(p.probs, 1)
    rounded = Predictions.from_arrays(probs / probs.sum(axis=1, keepdims=True), p.labels)
    assert "adjusted for 2 checks by" in methods_with(rounded, START)  # divided: no rounded chances any more
    rounded = Predictions.from_arrays([[0.0, 0.4, 0.6]] * 30, [1, 2, 2] * 10)
    assert "adjusted for 2 checks and the outcomes given 0 by Holm's method" in methods_with(rounded, START)


def test_the_methods_name_data_version_and_promise() -> None:
    p = drawn(60, 3)
    said = methods_with(p, START, "patient")
    for words in (
        p.fingerprint, "60 patients with 3 classes", "exact for independent patients", "Caliblens 1.0.0",
        "The calibration of net", "confidence in the answer and all classes together.",
        "adjusted for 2 checks by Holm's method", "TRIPOD+AI", "a value on an edge belongs to the bin below",
    ):  # fmt: skip
        assert words in said, words


def test_the_lenses_are_named_and_counted() -> None:
    _, of = judged_of(150, 3)
    said = dict(methods_parts(of, "", "case"))["What was assessed"]
    assert "the model" in said
    assert "all classes together and each class against all others (5 checks)" in said
    p = drawn(60, 4, names=("a", "b", "c", "d"))
    some = Assessment(survey(p, START, (*LENSES, ClassLens("a"))), (), ())
    assert "1 class of 4, each against all others (3 checks)" not in said
    assert "1 class of 4" in dict(methods_parts(some, "net"))["What was assessed"]
    refused = Assessment(survey(p, START, (*LENSES, ClassLens("x"))), (), ())
    assert "1 other check could not be tested" in dict(methods_parts(refused, "net"))["What was assessed"]


@pytest.mark.parametrize(
    ("binning", "said"),
    [
        (UniformBinning(10), "bin below, 0 to the first"),
        (EqualMassBinning(5), "equal values share a bin"),
        (SimplexBinning(3), "upright triangle"),
        (MedianVarianceBinning(10), "below the median"),
        (MeanVarianceBinning(10), "below the mean"),
    ],
)
def test_the_rule_for_edges(binning: Binning, said: str) -> None:
    assert said in binning.edge_rule


def test_references_are_those_that_are_used() -> None:
    found = references(replace(START, tests=("exact-omnibus",)))
    assert found[:5] == [V19, W19, EXACT, MMDAGG, BARS]
    assert references(replace(START, tests=("exact",)))[:3] == [V19, W19, BARS]  # of an earlier version
    assert found[-1] == TRIPOD
    assert any("Holm" in line for line in found)
    assert STOPPED not in found
    assert STOPPED in references(replace(START, stop_at=10))
    assert any("Benjamini" in line for line in references(replace(START, adjustment="benjamini-hochberg")))


def test_dates() -> None:
    assert date_words("2026-11-21") == "21 November 2026"
    assert date_words("2024-02-29") == "29 February 2024"
    for wrong in ("2025-02-29", "2026-1-1", "20261121", "2026-W47-6", "1 May"):
        with pytest.raises(InputError):
            date_words(wrong)


def test_single_sentences() -> None:
    p = drawn(60, 3)
    assert subtitle("", p, "image") == "60 images · 3 classes"
    assert left_out_words(0) == ""
    assert left_out_words(1, "image") == "1 bin of one image is not drawn, but counted in all numbers."
    assert left_out_words(2).startswith("2 bins of one case are not drawn")
    _, of = judged_of(150, 3)
    worst = worst_class(of.verdicts)
    assert worst is not None
    assert verdicts_note(of, "image").startswith(worst[1])
    assert "exact for independent images" in verdicts_note(of, "image")


@pytest.mark.slow
def test_rows_of_lenses_and_classes() -> None:
    _, of = judged_of(150, 3)
    diagnoses = strongest_first(of.survey.diagnoses, of.verdicts)
    cells = checks_table(of.survey.diagnoses, of.verdicts).rows()
    measures = checks_measured(diagnoses).rows()
    assert [row["Check"] for row in cells] == [row["Check"] for row in measures]
    assert len(cells) == 5
    for row, diagnosis in zip(measures, diagnoses, strict=True):
        assert f"{row['ECE (points)']} points" == points(diagnosis.calibration_error["ece"])
        assert (row["Net gap (points)"] == "–") == isinstance(diagnosis.spec.lens, CanonicalLens)
        assert "Cases" not in row
    region = Assessment(
        survey(drawn(60, 3), START, (*LENSES, RegionLens(TopKLens(1), "0", 0.0, 0.4))), (), ()
    )
    cases = [row["Cases"] for row in checks_measured(region.survey.diagnoses).rows()]
    assert cases[0] == cases[1] == "60" != cases[2]
    table = classes_table(classes_told(of, MOST_CLASSES), shares=True)
    assert [row["Class"] for row in table.rows()] == ["0", "1", "2"]
    assert table.notes[0].startswith("Behind the shares of right and found stands their exact 95")
    assert classes_left_out(of) == ""
    _, many = judged_of(80, 30)
    shown = classes_table(classes_told(many, MOST_CLASSES), shares=True).rows()
    assert len(shown) == 20
    happened = sorted((f.happened for f in many.frequencies), reverse=True)
    assert sorted((int(row["Happened"].split()[0]) for row in shown), reverse=True) == happened[:20]
    assert classes_left_out(many).endswith(" then those that happened most. The JSON has all.")


def test_rows_of_cases_are_exact() -> None:
    p = drawn(5, 3, names=("a", "b", "c"))
    row = prediction_rows(p)[2]
    assert list(row) == ["p_a", "p_b", "p_c", "label"]
    assert [row[name] for name in ("p_a", "p_b", "p_c")] == p.probs[2].tolist()
    assert row["label"] == "abc"[p.labels[2]]
