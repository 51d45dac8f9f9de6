"""No more digits than a number carries, and one sign for what is below zero."""

from dataclasses import replace

import pytest

from calibcore import Diagnosis, DiagnosisSpec, Predictions, diagnose
from calibcore.answers.diagram import bins_table
from calibcore.data.examples import load_example
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.reliability import reliability
from calibcore.words.measures import score_decimals, score_words
from calibcore.words.results import methods
from calibcore.words.tables import csv_of

SPACE = "\N{NO-BREAK SPACE}"


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    return diagnose(load_example("wine"), DiagnosisSpec(tests=("exact",), resamples=49))


def test_the_bars_are_named_by_their_levels(found: Diagnosis) -> None:
    assert any(f"Consistency bars: 5{SPACE}% to 95{SPACE}%," in line for line in methods(found))


@pytest.mark.parametrize(
    ("value", "se", "words"),
    [
        (0.35573, 0.06574, "0.356 ± 0.066"),
        (0.66671, 0.13132, "0.67 ± 0.13"),
        (0.10382, 0.00401, "0.1038 ± 0.0040"),
        (0.10382, 0.000243, "0.10382 ± 0.00024"),
        (31.7, 24.2, "31.70 ± 24.20"),
        (0.5, 0.0, "0.5000 ± 0.0000"),
        (0.5, float("nan"), "0.5000 ± nan"),
    ],
)
def test_a_score_has_the_digits_of_its_error(found: Diagnosis, value: float, se: float, words: str) -> None:
    made = replace(found, scores={"brier": value}, score_errors={"brier": se})
    assert score_words(made, "brier") == words


def test_a_score_has_the_same_digits_down_a_column(found: Diagnosis) -> None:
    column = [
        replace(found, scores={"brier": value}, score_errors={"brier": se})
        for value, se in ((0.169, 0.0141), (0.1463, 0.0055))
    ]
    digits = score_decimals(column, "brier")
    assert [score_words(one, "brier", digits) for one in column] == ["0.1690 ± 0.0141", "0.1463 ± 0.0055"]


def test_below_zero_is_one_sign_for_people_and_a_number_in_the_csv() -> None:
    p = Predictions.from_arrays([[0.75, 0.25]] * 40, [0] * 24 + [1] * 16)
    found = reliability(p, UniformBinning(1))
    (row,) = bins_table(found).rows()
    assert row["Deviation (points)"] == "−15.0"
    assert str(row["If calibrated (points)"]).startswith("−")
    assert "-" not in str(row)
    assert ",-0.15" in csv_of(bins_table(found).rows(exact=True))


def test_rows_that_lack_a_number_keep_their_columns_in_the_csv() -> None:
    """A group that is not tested has no verdict: what stands after it is not moved to the left."""
    assert csv_of([{"a": 1, "why": "x"}, {"a": 2, "gap": 0.5, "why": ""}]) == "a,why,gap\n1,x,\n2,,0.5\n"
