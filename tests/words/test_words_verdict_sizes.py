"""How large and which way, what could have been seen and what is not said, in sentences."""

from dataclasses import replace

import pytest

from calibcore.answers.survey import detectable_table
from calibcore.assessment.power import Detectable
from calibcore.diagram.gap_sizes import Interval
from calibcore.transforms.lenses import CanonicalLens, ClassLens, GroupsLens, Lens, RegionLens, TopKLens
from calibcore.words.sizes import (
    balance_sentence,
    balance_words,
    gap_explained,
    size_and_ends,
    size_sentence,
    typical_sentence,
    typical_size,
)
from calibcore.words.verdicts import lenses_sentence, not_said
from tests.words.test_words_verdicts import CAT, FAR, SHIFT, SPACE, SURE, UNEVEN, verdict

# --- how large -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lens", "gap", "said"),
    [
        (ClassLens("cat"), Interval(-0.036, -0.05, -0.021), "the model gives 'cat' too low a probability"),
        (ClassLens("cat"), Interval(0.0004, 0.0001, 0.0007), "the model gives 'cat' too high a probability"),
        (CanonicalLens(), Interval(0.036, 0.021, 0.05), "the model gives 'cat' too high a probability"),
        (TopKLens(1), Interval(0.036, 0.021, 0.05), "the model is too sure of its answers"),
        (TopKLens(1), Interval(-0.036, -0.05, -0.021), "the model is too unsure of its answers"),
        (
            TopKLens(2),
            Interval(0.036, 0.021, 0.05),
            "the model gives its 'cat' choice too high a probability",
        ),
    ],
)
def test_which_way_a_model_leans_is_said_without_a_number(lens: Lens, gap: Interval, said: str) -> None:
    leans = (replace(FAR, gap=gap),)
    assert balance_sentence(lens, leans) == f"On balance {said}."
    cell = balance_words(lens, leans)
    named = isinstance(lens, ClassLens) or lens == TopKLens(1)
    assert cell.removeprefix("'cat' ") in said
    assert ("'cat'" in cell) != named


def test_what_chance_may_explain_is_no_leaning() -> None:
    level = (replace(FAR, gap=Interval(0.01, -0.02, 0.04)),)
    assert balance_sentence(CAT, level) == ""
    assert balance_words(CAT, level) == "–"
    gap = Interval(0.042, 0.030, 0.051)
    assert size_sentence(CAT, gap, level) == typical_sentence(CAT, gap)


def test_a_region_is_named() -> None:
    lens = RegionLens(ClassLens("cat"), "cat", 0.8, 1.0)
    assert balance_sentence(lens, (FAR,)) == (
        f"On balance, where 'cat' was given 80{SPACE}% to 100{SPACE}%, "
        "the model gives 'cat' too high a probability."
    )
    assert balance_words(lens, (FAR,)) == "too high"


def test_the_typical_gap_is_called_approximate() -> None:
    off = f"typically 4.2 points off (approximate 95{SPACE}% interval 3.0 to 5.1)."
    gap = Interval(0.042, 0.030, 0.051)
    for lens, whose in (
        (CanonicalLens(), "All probabilities together are"),
        (CAT, "The probabilities of 'cat' are"),
        (TopKLens(1), "The confidence is"),
        (TopKLens(2), "The probabilities of the 2 most likely classes are"),
        (GroupsLens((("A", ("cat",)), ("B", ("dog",)))), "The probabilities of the groups are"),
        (
            RegionLens(TopKLens(1), "cat", 0.8, 1.0),
            f"Where 'cat' was given 80{SPACE}% to 100{SPACE}%, the confidence is",
        ),
    ):
        assert typical_sentence(lens, gap) == f"{whose} {off}"


@pytest.mark.parametrize("value", [0.0, 0.025])
def test_where_the_interval_reaches_0_the_estimate_is_not_said_as_if_it_were_established(
    value: float,
) -> None:
    about = f"(approximate 95{SPACE}% interval 0.0 to 5.3)."
    none = Interval(value, 0.0, 0.053)
    for lens, whose in (
        (CanonicalLens(), "All probabilities together are"),
        (TopKLens(1), "The confidence is"),
        (
            RegionLens(TopKLens(1), "cat", 0.8, 1.0),
            f"Where 'cat' was given 80{SPACE}% to 100{SPACE}%, the confidence is",
        ),
    ):
        assert size_sentence(lens, none, (), off=True) == (
            f"{whose} off, typically by at most 5.3 points {about} How far, these cases do not show."
        )
        assert size_sentence(lens, none, ()) == (
            f"{whose} typically at most 5.3 points off {about} The interval cannot tell that from 0."
        )
    interval = f"approximate 95{SPACE}% interval; best estimate {100 * value:.1f}"
    assert gap_explained(none) == gap_explained(none, True) == ("0.0 to 5.3 points", interval)


def test_of_many_classes_those_that_lean_most_are_named() -> None:
    dog = replace(FAR, class_name="dog", gap=Interval(-0.08, -0.1, -0.06))
    fox = replace(FAR, class_name="fox", gap=Interval(0.02, 0.001, 0.039))
    assert balance_sentence(CanonicalLens(), (FAR, dog, fox)) == (
        "On balance the model gives 'cat' too high a probability and 'dog' too low a probability."
    )
    assert balance_words(CanonicalLens(), (FAR, dog, fox)) == "'cat' too high, 'dog' too low"
    # 1.9 points times z(1 − 0.025/3) / z(0.975) = 2.394/1.960 are more than 2: of three it may be chance
    assert balance_sentence(CanonicalLens(), (fox, fox, fox)) == ""
    assert (
        balance_sentence(CanonicalLens(), (dog, dog, fox))
        == "On balance the model gives 'dog' too low a probability."
    )


# --- what could have been seen, what is not said -----------------------------------------


def test_the_patterns_stand_with_their_sizes() -> None:
    none = Detectable("bias", "dog", None, None, 0.4)
    found = verdict(detectable=(none, SHIFT, SURE, replace(UNEVEN, size=0.204)))
    assert detectable_table(found).rows() == [
        {"Pattern": "Shift towards 'dog'", "Seen 8 times in 10 from": "not even the largest (100.0 points)"},
        {"Pattern": "Shift towards 'cat'", "Seen 8 times in 10 from": "3.1 points"},
        {"Pattern": "Overconfidence", "Seen 8 times in 10 from": "2.0 points"},
        {"Pattern": "Uneven errors", "Seen 8 times in 10 from": "20 points"},
    ]
    exact = detectable_table(found).rows(exact=True)
    assert [row["smallest detectable"] for row in exact] == [None, 0.031, 0.02, 0.204]


def test_what_is_not_said_is_one_line_in_the_users_word() -> None:
    assert "subgroups of these patients" in not_said("patient")
    assert "subgroups of these cases" in not_said()
    assert "drift" in not_said()
    assert "other populations" in not_said()


BAD, FINE, UNCLEAR = ("miscalibrated",), ("consistent",), ("cannot-tell",)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (BAD * 2, "Both checks found a problem."),
        (BAD + FINE, "1 of 2 checks found a problem: 'cat'."),
        (FINE * 2, "Neither check found a problem."),
        (BAD, "The one check found a problem."),
        (FINE, "The one check found no problem."),
        (BAD * 3, "All 3 checks found a problem."),
        (FINE * 3, "None of 3 checks found a problem."),
        (UNCLEAR, "The one check found no problem. It is inconclusive."),
        (UNCLEAR * 2, "Neither check found a problem. Both are inconclusive."),
        (UNCLEAR * 3, "None of 3 checks found a problem. All are inconclusive."),
        (FINE + UNCLEAR, "Neither check found a problem. 1 of them is inconclusive."),
        (FINE + UNCLEAR * 2, "None of 3 checks found a problem. 2 of them are inconclusive."),
        (BAD + UNCLEAR, "1 of 2 checks found a problem: 'cat'. The other is inconclusive."),
        (BAD * 2 + UNCLEAR * 4, "2 of 6 checks found a problem: 'cat', 'cat'. The other 4 are inconclusive."),
        (BAD + FINE + UNCLEAR * 2, "1 of 4 checks found a problem: 'cat'. 2 of the others are inconclusive."),
        (BAD * 5 + FINE, "5 of 6 checks found a problem: 'cat', 'cat', 'cat' and 2 more."),
    ],
)
def test_the_lenses_are_counted(answers: tuple[str, ...], said: str) -> None:
    assert lenses_sentence([verdict(answer) for answer in answers]) == said


def test_a_whole_that_others_reject_for_is_not_counted_among_them() -> None:
    whole = verdict("miscalibrated", CanonicalLens(), by_lenses=("class:cat",))
    assert lenses_sentence([whole, verdict("miscalibrated")]) == "1 of 2 checks found a problem: 'cat'."


def test_an_upper_limit_has_its_own_digits_where_the_estimate_is_not_said() -> None:
    gap = Interval(0.0001, 0.0, 0.0489)
    assert typical_size(gap) == "at most 4.9 points"
    assert size_and_ends(gap) == "at most 4.9 points (0.0 to 4.9)"
    assert size_and_ends(Interval(0.0001, 0.0, 0.0004)) == "at most 0.04 points (0.00 to 0.04)"
