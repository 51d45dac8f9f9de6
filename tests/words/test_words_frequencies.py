"""Natural frequencies in both directions, for none, one, few and many cases."""

import pytest
from scipy.stats import binom

from calibcore.answers.survey import classes_table
from calibcore.diagram.gap_sizes import ClassFrequencies
from calibcore.words.frequencies import frequencies_note, frequency_sentence

SPACE = "\N{NO-BREAK SPACE}"
SURE = f"It was 91{SPACE}% sure on average."


def cat(happened: int, called: int, both: int, sure: float | None = 0.91, n: int = 5000) -> ClassFrequencies:
    return ClassFrequencies("cat", n, happened, 0.2, called, both, sure)


@pytest.mark.parametrize(
    ("found", "called", "happened"),
    [
        (
            cat(1006, 971, 855),
            f"Of 100 patients that the model calls 'cat', 88 are (855 of 971). {SURE}",
            "Of 100 patients that are 'cat', it calls 85 'cat' (855 of 1,006).",
        ),
        (
            cat(12, 7, 5),
            f"Of 7 patients that the model calls 'cat', 5 are. {SURE}",
            "Of 12 patients that are 'cat', it calls 5 'cat'.",
        ),
        (
            cat(3, 7, 1),
            f"Of 7 patients that the model calls 'cat', 1 is. {SURE}",
            "Of 3 patients that are 'cat', it calls 1 'cat'.",
        ),
        (
            cat(1, 1, 1),
            f"The one patient that the model calls 'cat' is. It was 91{SPACE}% sure.",
            "The one patient that is 'cat' it calls 'cat'.",
        ),
        (
            cat(1, 1, 0, 1.0),
            f"The one patient that the model calls 'cat' is not. It was 100{SPACE}% sure.",
            "The one patient that is 'cat' it calls something else.",
        ),
        (cat(0, 0, 0, None), "The model calls no patient 'cat'.", "No patient is 'cat'."),
        (
            cat(40, 200, 0),
            f"Of 100 patients that the model calls 'cat', none is. {SURE}",
            "Of 40 patients that are 'cat', it calls none 'cat'.",
        ),
        (
            cat(200, 200, 200),
            f"Of 100 patients that the model calls 'cat', all are (200 of 200). {SURE}",
            "Of 100 patients that are 'cat', it calls all 'cat' (200 of 200).",
        ),
        (
            cat(2000, 2000, 1999),
            "Of 100 patients that the model calls 'cat', more than 99 are (1,999 of 2,000). " + SURE,
            "Of 100 patients that are 'cat', it calls more than 99 'cat' (1,999 of 2,000).",
        ),
        (
            cat(2000, 2000, 1),
            "Of 100 patients that the model calls 'cat', fewer than 1 is (1 of 2,000). " + SURE,
            "Of 100 patients that are 'cat', it calls fewer than 1 'cat' (1 of 2,000).",
        ),
    ],
)
def test_both_directions(found: ClassFrequencies, called: str, happened: str) -> None:
    assert frequency_sentence(found, "patient") == f"{called} {happened}"


def test_the_rows_hold_the_counts() -> None:
    many, none = cat(1006, 971, 855), cat(0, 0, 0, None)
    assert classes_table([many, none]).rows() == [
        {
            "Class": "cat",
            "Model's answer": "971",
            "Of these right": f"855 (88{SPACE}%, 86 to 90)",
            "Sure on average": f"91{SPACE}%",
            "Happened": "1,006",
            "Of these found": f"855 (85{SPACE}%, 83 to 87)",
        },
        {
            "Class": "cat",
            "Model's answer": "0",
            "Of these right": "–",
            "Sure on average": "–",
            "Happened": "0",
            "Of these found": "–",
        },
    ]
    exact, empty = classes_table([many, none]).rows(exact=True)
    assert (exact["called"], exact["happened"], exact["called and happened"]) == (971, 1006, 855)
    assert empty["mean prediction when called"] is None


def test_rows_of_one_unit_have_no_exact_intervals() -> None:
    (row,) = classes_table([cat(1006, 971, 855)], unit="patient").rows()
    assert row["Of these right"] == f"855 (88{SPACE}%)"
    assert "patient" in frequencies_note("patient")
    assert "exact 95" in frequencies_note()


def test_few_cases_leave_much_open() -> None:
    found = cat(43, 14, 5)
    assert found.right is not None
    # Of the binomial with either end as its chance, 5 and more or 5 and fewer come 2.5 times in 100.
    assert binom.sf(4, 14, found.right.low) == pytest.approx(0.025)
    assert binom.cdf(5, 14, found.right.high) == pytest.approx(0.025)
    assert classes_table([found]).rows()[0]["Of these right"] == f"5 (36{SPACE}%, 13 to 65)"
