"""Rows and sentences about the estimates beside ECE and SKCE, compared with their numbers."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore.answers.diagnosis import p_values_table
from calibcore.answers.diagram import bins_table
from calibcore.answers.measures import estimates_table, measures_table, parts_table, recalibration_table
from calibcore.assessment.assess import assess
from calibcore.assessment.survey import survey
from calibcore.data.examples import load_example, w19_model
from calibcore.data.predictions import Predictions
from calibcore.diagnose import Diagnosis, diagnose
from calibcore.hypothesis_tests import TestResult
from calibcore.settings import ESTIMATES, DiagnosisSpec
from calibcore.settings.words import null_from_words
from calibcore.terminal import diagnosis_text, survey_text
from calibcore.transforms.lenses import PooledLens, TopKLens
from calibcore.transforms.nulls import Identity, Mixture, Temperature
from calibcore.words.measures import (
    DECOMPOSITION_NAMES,
    ESTIMATE_NAMES,
    IN_POINTS,
    level_words,
)
from calibcore.words.phrases import as_extreme, kernel_error, number_p, points, pvalue_remark
from calibcore.words.repeating import diagnosis_command
from calibcore.words.results import (
    claim_and_outcome,
    interval_sentence,
    null_range,
)
from calibcore.words.testing import verdict_test_sentence

SPEC = DiagnosisSpec(lens=TopKLens(1), resamples=99, bootstrap=49)


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    return diagnose(load_example("breast-cancer"), SPEC)


def weighted() -> Predictions:
    p = load_example("breast-cancer")
    weights = np.random.default_rng(0).uniform(0.5, 2.0, size=p.n)
    return Predictions.from_arrays(p.probs, p.labels, p.class_names, weights=weights)


def test_every_estimate_and_every_part_has_a_name(found: Diagnosis) -> None:
    assert set(ESTIMATE_NAMES) == set(ESTIMATES)
    assert set(IN_POINTS) < set(ESTIMATES)
    of_order = {"rps-binned", "rps-corp"}  # of classes in order alone
    assert set(found.decompositions) == set(DECOMPOSITION_NAMES) - of_order


def test_rows_of_estimates_hold_their_numbers(found: Diagnosis) -> None:
    rows = estimates_table(found).rows()
    assert len(rows) == len(found.estimates) == len(ESTIMATES)
    for row, estimate in zip(rows, found.estimates, strict=True):
        number = points if estimate.name in IN_POINTS else kernel_error
        assert row["Estimate"] == ESTIMATE_NAMES[estimate.name]
        assert row["Value"] == number(estimate.value)
        low, high = number(estimate.level["low"]), number(estimate.level["high"])
        assert row["If calibrated, 9 times in 10"].startswith(low.partition(" point")[0])
        assert row["If calibrated, 9 times in 10"].endswith(f" to {high}")
        assert row["Exact p"].startswith(number_p(estimate.pvalue))
        assert ("smallest possible" in row["Exact p"]) == (estimate.pvalue == 0.01)
        assert ("as given" in row["Remark"]) == (estimate.of == "predictions")


def test_recalibration_and_decompositions_hold_their_numbers(found: Diagnosis) -> None:
    rows = recalibration_table(found).rows()
    assert [row["Value"].replace("−", "-") for row in rows] == [
        f"{found.recalibration[name]['estimate']:.3f}"
        for name in ("cox_intercept", "cox_slope", "intercept_with_slope_fixed_at_1")
    ]
    for row in rows:
        low, high = (float(part) for part in row["95 % interval"].replace("−", "-").split(" to "))
        assert low < float(row["Value"].replace("−", "-")) < high
    parts = parts_table(found).rows()
    assert len(parts) == sum(map(len, found.decompositions.values()))
    corp = [float(row["Value"]) for row in parts if row["Score"] == DECOMPOSITION_NAMES["brier-corp"]]
    assert corp[0] == pytest.approx(corp[1] - corp[2] + corp[3], abs=2e-5)


def test_what_is_not_defined_says_why() -> None:
    p = Predictions.from_arrays(np.tile([0.3, 0.7], (20, 1)), [0, 1] * 10)
    rows = recalibration_table(diagnose(p, replace(SPEC, lens=DiagnosisSpec().lens, tests=()))).rows()
    assert rows[1]["Value"] == "–"
    assert "all predictions are equal" in rows[1]["Remark"]


def test_the_interval_is_said_with_what_it_promises(found: Diagnosis) -> None:
    sentence = interval_sentence(found)
    assert points(found.ece_interval["high"]) in sentence
    assert "promises no coverage" in sentence
    assert interval_sentence(diagnose(load_example("wine"), replace(SPEC, bootstrap=0, tests=()))) == ""


def test_every_null_has_words() -> None:
    assert Identity().phrase() == "the model's own predictions"
    assert Temperature(1.5).phrase() == "the lens's predictions at temperature 1.5"
    assert Mixture(0.25).phrase().replace("\N{NO-BREAK SPACE}", " ") == (
        "the lens's predictions moved 25 % towards the mean prediction"
    )
    assert "'cat'" in Mixture(0.1, "cat").phrase()


def test_another_null_is_named_wherever_its_pvalue_stands() -> None:
    found = diagnose(load_example("wine"), replace(SPEC, null=Temperature(2), estimates=()))
    assert "drawn from the lens's predictions at temperature 2 " in verdict_test_sentence(found)
    text = diagnosis_text(found)
    assert "outcomes follow the lens's predictions at temperature 2;" in text
    assert "only the exact tests can test another null hypothesis" in text


def test_an_early_stop_is_said_in_counts() -> None:
    p = w19_model("M1", n=150, m=4)
    found = diagnose(p, DiagnosisSpec(resamples=999, stop_at=5, tests=("exact",), estimates=()))
    result = found.test("exact-skce").result
    assert result.n_resamples < 999
    assert as_extreme(result) == 5
    assert verdict_test_sentence(found).startswith(f"5 of {result.n_resamples:,} sets")
    assert f"stopped after {result.n_resamples:,} redraws, 5 of them as extreme" in diagnosis_text(found)
    full = TestResult(1.0, 0.05, "exact Monte Carlo", "exact", np.zeros(99), 99)
    assert as_extreme(full) == 4
    assert pvalue_remark(full) == ""


def test_weighted_cases_are_never_counted_as_if_they_were_not() -> None:
    found = diagnose(weighted(), SPEC)
    assert level_words(found, "ece") == "–"
    assert {row["If calibrated, 9 times in 10"] for row in measures_table(found).rows()} <= {"–", ""}
    assert "Weighted" in claim_and_outcome(found.reliability, found.spec.lens)
    assert {row["p-value"] for row in p_values_table(found).rows()} == {"–"}
    assert {row["If calibrated (points)"] for row in bins_table(found.reliability).rows()} == {"–"}
    text = diagnosis_text(found)
    assert "none, as the cases are weighted" in text
    assert "nan" not in text


def test_pooled_pairs_are_called_pairs_and_the_test_says_what_it_tests() -> None:
    found = diagnose(load_example("wine"), replace(SPEC, lens=PooledLens(), bootstrap=0))
    n = found.lens_n
    assert f"of {n:,} pairs)" in claim_and_outcome(found.reliability, found.spec.lens, "patient")
    remark = {row["Test"]: row["Remark"] for row in p_values_table(found).rows()}
    assert remark["Kernel calibration error, exact"].startswith("tests canonical calibration")


def test_the_command_names_the_rarer_settings_that_are_not_at_their_start() -> None:
    assert "--null" not in diagnosis_command(SPEC).command
    spec = replace(
        SPEC, null=Mixture(0.1, "a b"), stop_at=10, block_size=4, precision="float32", estimates=()
    )
    words = diagnosis_command(spec).command
    for flag in (
        "--stop-at 10",
        "--block-size 4",
        "--precision float32",
        "--estimates none",
        "--bootstrap 49",
    ):
        assert flag in words
    assert "--null 'mixture:0.1:a b'" in words
    assert null_from_words("mixture:0.1:a b") == Mixture(0.1, "a b")


def test_a_survey_says_how_it_adjusted() -> None:
    spec = DiagnosisSpec(resamples=99, alpha=0.5, adjustment="benjamini-hochberg")
    p = load_example("wine")
    text = survey_text(assess(p, survey(p, spec, [TopKLens(1)])))
    assert "Benjamini–Hochberg" in text
    assert "positive dependence" in text
    assert "0.01 (smallest)" in text


def test_where_nothing_says_the_range_under_calibration_none_is_shown() -> None:
    p = load_example("wine")
    plain = DiagnosisSpec(resamples=99, tests=("exact",), estimates=())
    assert " to " in null_range(diagnose(p, plain))
    assert null_range(diagnose(p, replace(plain, null=Temperature(3.0)))) == "–"
    assert null_range(diagnose(w19_model("M1", n=150, m=4), replace(plain, stop_at=1))) == "–"


def test_a_certain_prediction_that_failed_is_named() -> None:
    p = Predictions.from_arrays(np.tile([1.0, 0.0], (20, 1)), [0] * 19 + [1])
    table = p_values_table(diagnose(p, DiagnosisSpec(resamples=19, estimates=())))
    rows = {row["Test"]: row for row in table.rows()}
    assert (
        rows["Spiegelhalter's z, two-sided"]["Remark"]
        == "not defined: a certain prediction did not come true"
    )


def test_early_stopping_is_said_of_a_survey() -> None:
    p, spec = load_example("wine"), DiagnosisSpec(resamples=99, alpha=0.5, stop_at=3)
    text = survey_text(assess(p, survey(p, spec, [TopKLens(1)])))
    assert "up to 99 redraws, fewer where 3 were as extreme before" in text


def test_pvalues_of_many_estimates_are_said_to_be_unadjusted(found: Diagnosis) -> None:
    assert "not adjusted for their number" in diagnosis_text(found)
