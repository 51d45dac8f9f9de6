"""Sentences about a shared report: who, until when, what, by the user's noun."""

import pytest

from calibcore.data.predictions import Predictions
from calibcore.words.sharing import lenses_shared, no_report, open_until, rows_words, who_opens


@pytest.mark.parametrize(
    ("signs_in", "public", "signed_in_only"),
    [(False, False, False), (False, True, False), (True, False, True), (True, True, False)],
)
def test_who_can_open_a_link(signs_in: bool, public: bool, signed_in_only: bool) -> None:
    said = who_opens(signs_in, public)
    assert said.startswith("Whoever" if signed_in_only else "Anybody")
    assert ("signs in here" in said) == signed_in_only


def test_until_when_is_a_day_in_a_time_zone_that_is_named() -> None:
    assert open_until(86_399) == "It opens until 1 January 1970 (UTC), then the report is deleted."
    assert "2 January 1970" in open_until(86_400)
    assert "30 November 2026" in open_until(1_796_083_199)


def test_rows_are_counted_in_the_users_noun() -> None:
    assert rows_words(89, "biopsy", shared=False) == (
        "No rows: nobody can read off what was predicted for a single biopsy."
    )
    said = rows_words(1_204, "biopsy", shared=True)
    assert said.startswith("The rows of 1,204 biopsies are in the report: all probabilities and what")
    assert said.endswith("look up single biopsies.")
    assert "The rows of 1 case are" in rows_words(1, "case", shared=True)


def test_what_a_report_holds_and_that_weights_have_none() -> None:
    assert ", 1 check with numbers" in lenses_shared(1)
    assert ", 13 checks with numbers" in lenses_shared(13)
    weighted = Predictions.from_arrays([[0.9, 0.1], [0.2, 0.8]], [0, 1], weights=[1, 2])
    assert no_report(weighted, "patient").startswith("Weighted patients have no tests and no verdict")
