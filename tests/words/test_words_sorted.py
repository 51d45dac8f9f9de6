"""Cells that begin with a number: what they are sorted by, and that they are shown as they are."""

import math

import pytest

from calibcore.words import tables
from calibcore.words.tables import columns_of_numbers, number_in, numbers_in, sortable


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("4.2 points (3.0 to 5.1)", 4.2),
        ("0.0 to 6.9 points (best estimate 0.4)", 0.4),
        ("3.6 points too high (2.1 to 5.0)", 3.6),
        ("3.6 too low (2.1 to 5.0)", -3.6),
        ("'cat' 3.6 points too low (2.1 to 5.0)", -3.6),
        ("+0.0123 (+0.0100 to +0.0146)", 0.0123),
        ("−0.5", -0.5),
        ("0.005 (smallest)", 0.005),
        ("≤ 0.39", 0.39),
        ("p = 0.03", 0.03),
        ("1.30 × 10⁻⁴", 1.3e-4),
        ("(−1.06 to 1.62) × 10⁻³", -1.06e-3),
        ("1,204 (23.1\N{NO-BREAK SPACE}%)", 1204),
        ("35.2\N{NO-BREAK SPACE}%", 35.2),
        ("0.1234 ± 0.0040", 0.1234),
        ("not even the largest (6.8 points)", math.inf),
        ("–", math.inf),
        ("no cases", math.inf),
        ("missing", math.inf),
        ("at most 5.1 points", 5.1),
        ("≥ 0.9", 0.9),
        (3, 3.0),
    ],
)
def test_a_cell_is_sorted_by_the_number_it_begins_with(cell: object, number: float) -> None:
    assert number_in(cell) == pytest.approx(number)


def test_what_is_below_or_above_a_number_comes_before_or_after_it() -> None:
    assert number_in("< 0.0001") < 0.0001 < number_in("0.00011")  # type: ignore[operator]
    assert number_in("> 0.99") > 0.99  # type: ignore[operator]
    quartiles = ["up to −3", "above −3 to 0.5", "above 0.5 to 12", "above 12", "missing"]
    numbers = [number_in(cell) for cell in quartiles]
    assert numbers == sorted(set(numbers))  # type: ignore[type-var]


@pytest.mark.parametrize("cell", ["cat", "2025-07-02", "10:30", "3a", "555-123", "5.1.2", "", True, None])
def test_what_is_no_number_has_none(cell: object) -> None:
    assert number_in(cell) is None or math.isinf(number_in(cell) or 0)


def test_columns_of_words_and_of_numbers_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    assert numbers_in(["1", "cat"]) is None
    assert numbers_in(["–", "none"]) is None
    assert numbers_in([1, 2]) is None
    assert columns_of_numbers([{"Class": "cat", "Cases": 3}, {"Class": "dog", "Cases": 12}]) == {}
    assert columns_of_numbers([]) == {}
    rows = [{"Gap": "0.0"}] * 6
    assert list(columns_of_numbers(rows)) == ["Gap"]
    monkeypatch.setattr(tables, "MOST_CELLS", 5)
    assert columns_of_numbers(rows) == {}


@pytest.mark.parametrize(
    "gaps",
    [
        ["0.0", "13.3", "18.2", "8.7", "8.7 (smallest)", "–"],
        [
            "−0.5",
            "3.6 too low (2.1 to 5.0)",
            "< 0.0001",
            "1.30 × 10⁻⁴",
            "1,204",
            "not even the largest (6.8 points)",
        ],
        ["4.2 points (3.0 to 5.1)"],
        [f"{(37 * k) % 301 / 10}" for k in range(301)],
    ],
)
def test_cells_are_sorted_as_numbers_shown_in_words_and_read_as_they_are_shown(gaps: list[str]) -> None:
    rows = [{"Gap": gap, "<b>": None} for gap in gaps]
    numbers = columns_of_numbers(rows)
    styler = sortable(rows, numbers)
    values = list(styler.data["Gap"])
    # A browser's order of words: a tab before a blank, and both before letters.
    by_browser = sorted(range(len(gaps)), key=lambda place: values[place])
    in_order = [number_in(gaps[place]) for place in by_browser]
    assert in_order == sorted(in_order)
    assert [value.strip() for value in values] == gaps  # white space around it is not read
    shown = styler._translate(False, False)["body"]
    assert [row[1]["display_value"] for row in shown] == gaps
    assert {row[2]["display_value"] for row in shown} == {""}
