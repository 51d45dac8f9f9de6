"""All classes by their difference, in words: how many beyond chance, which way, no p but the survey's."""

from dataclasses import replace

import numpy as np

from calibcore.answers.classes import screen_table
from calibcore.sensitivity.class_screen import ClassScreen
from calibcore.sensitivity.each_class import ClassesByEvidence
from calibcore.words.classes import MOST_LISTED, screen_note, screen_sentence, which_way

NOBODY = ClassesByEvidence((), (), 2, 2)


def screen(*parts: tuple[float, float], by_chance: float = 4.25, too_few: int = 0) -> ClassScreen:
    """Of parts (by number, by sureness), the largest difference first."""
    parts = tuple(sorted(parts, key=lambda part: -np.hypot(*part)))
    number, sureness = np.array(parts).reshape(-1, 2).T
    k = np.arange(len(parts))
    names = tuple(f"kind {j}" for j in k)
    return ClassScreen(
        k, names, 12.34 + k, 1000 + k, number, sureness, np.hypot(number, sureness), by_chance, too_few
    )


def test_it_says_how_many_differ_and_what_a_calibrated_model_does() -> None:
    two = screen((-3, 4), (5, 0), (1, 1), too_few=17)
    assert screen_sentence(two) == (
        "2 of 3 classes differ from what was predicted by more than chance allows. "
        "A calibrated model has a class beyond 4.2 in at most 5\N{NO-BREAK SPACE}% of the time. "
        "17 with fewer than 5 expected less likely outcomes are not ranked."
    )
    assert screen_sentence(screen((5, 0), (1, 1))).startswith("1 of 2 classes differs from")
    none = screen_sentence(screen((1, 0), (1, 1)))
    assert none.startswith("None of 2 classes differs from what was predicted by more than chance allows.")
    assert "not ranked" not in none
    assert screen_sentence(screen(too_few=3)).startswith("No class is ranked")


def test_no_words_speak_of_evidence_or_a_p_that_nobody_computed() -> None:
    found = screen(*[(0.1 * j, 0.0) for j in range(30)])
    words = f"{screen_sentence(found)} {screen_note(found)}"
    assert "evidence" not in words
    assert "an order, not a p" in words
    assert "Here are the first 20" in words
    assert "the first" not in screen_note(screen((1, 0)))
    assert {row["Adjusted p"] for row in screen_table(found, NOBODY).rows()} == {"no check"}


def test_a_row_says_which_way() -> None:
    ways = [(-3, 1), (3, 1), (1, -3), (1, 3)]
    assert [which_way(screen(way), 0) for way in ways] == ["too high", "too low", "too sure", "too unsure"]


def test_the_table_has_the_first_and_the_file_all() -> None:
    found = screen(*[(0.2 * j, 0.0) for j in range(30)])
    shown, exact = screen_table(found, NOBODY).rows(), screen_table(found, NOBODY).rows(exact=True)
    assert (len(shown), len(exact)) == (MOST_LISTED, 30)
    assert shown[0] == {
        "Class": "kind 0", "Difference": "5.8", "Beyond chance": "yes", "Mostly": "too low",
        "Expected": "12.3", "Happened": "1,000", "Adjusted p": "no check",
    }  # fmt: skip
    assert [row["Beyond chance"] for row in shown] == ["yes"] * 8 + ["no"] * 12
    assert exact[0]["difference"] == found.difference[0]
    assert [row["beyond chance"] for row in exact] == (found.difference > found.by_chance).tolist()
    assert exact[0]["adjusted p"] is None
    assert replace(found, by_chance=9.0).beyond == 0
