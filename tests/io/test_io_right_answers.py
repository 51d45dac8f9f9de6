"""Columns that say whether the rounded answer was right, and not what happened."""

import numpy as np
import pytest

from calibcore.cli.arguments import parser
from calibcore.cli.flags import options_from
from calibcore.errors import InputError, NoLabelsError
from calibcore.io import ReadOptions, read
from calibcore.io.roles.right_answers import outcomes_of_answers, says_of_answers
from calibcore.io.row_groups import RowGroups
from calibcore.words.readings import flags_beyond, with_flags
from tests.io.readings import GUESS, RNG, THREE, WHICH, N, P, Y, choices, chosen, holds, table

RIGHT = (Y == GUESS).astype(int)
NAMES = (
    "correct",
    "right",
    "is_correct",
    "hit",
    "acc",
    "match",
    "was_correct",
    "correct_prediction",
    "Richtig",
)


@pytest.mark.parametrize("name", NAMES)
def test_whether_an_answer_was_right_is_a_question(name: str) -> None:
    """What happened is (prob > ½) == correct, or correct itself, or prob is how sure the model was of its
    answer: all are offered, none is taken.
    """
    data = table({"prob": P, name: RIGHT})
    remedies = choices(data)
    right, outcome, sure = chosen(data, remedies)
    assert [one.change.get("label_says") for one in remedies] == ["right", "outcome", None]
    assert remedies[2].change == {"confidence_column": "prob", "correct_column": name}
    assert sure.predictions.kind == "confidence"
    assert holds(sure, labels=RIGHT)
    assert holds(right)
    assert holds(outcome, labels=RIGHT)
    assert [row["was"] for row in remedies[0].rows] == [str(y) for y in Y[:3]]
    assert choices(data, label_column=name)[0].change == {"label_says": "right"}


@pytest.mark.parametrize(
    ("name", "says", "no", "yes"),
    [
        ("correct", "right", False, True), ("correct", "right", "no", "yes"),
        ("answer", "right", "wrong", "right"),
        ("answer", "right", "incorrect", "correct"), ("wrong", "wrong", 1, 0), ("is_error", "wrong", 1, 0),
        ("misclassified", "wrong", "yes", "no"),
    ],
)  # fmt: skip
def test_how_it_is_written(name: str, says: str, no: object, yes: object) -> None:
    data = table({"p_dog": P, name: np.where(RIGHT == 1, yes, no)})
    remedies = choices(data)
    assert remedies[0].change == {"label_column": name, "label_says": says}
    reading = chosen(data, remedies)[0]
    assert holds(reading)
    assert reading.predictions.class_names == ("not dog", "dog")


def test_flags_and_the_note() -> None:
    data = table({"prob": P, "correct": RIGHT})
    with pytest.raises(
        InputError, match="may say whether the rounded answer was right, or what happened"
    ) as caught:
        read(data)
    options = ReadOptions().mended(caught.value.remedies[0])
    flags = flags_beyond(options, ReadOptions())
    assert flags == "--label-column correct --label-says right"
    assert flags in with_flags(caught.value, ReadOptions())
    assert options_from(parser().parse_args(["survey", "x.csv", *flags.split()])) == options
    assert any(
        "says whether the rounded answer was right" in note for note in read(data, options=options).notes
    )
    with pytest.raises(InputError, match="expected one of outcome, right, wrong"):
        read(data, options=ReadOptions(label_says="maybe"))


def test_beside_a_label_or_another_column_of_two_values() -> None:
    assert holds(read(table({"prob": P, "correct": RIGHT, "label": Y})))
    data = table({"prob": P, "correct": RIGHT, "group": Y})
    assert holds(chosen(data, choices(data))[0])  # "group" may be the labels as well
    assert any(
        map(
            holds, chosen(data, [one for one in choices(data) if one.change.get("label_column") == "correct"])
        )
    )
    # Of what is called as the chance to be right it is the outcome.
    reading = read(table({"p_correct": P, "correct": Y}), options=ReadOptions(label_column="correct"))
    assert holds(reading)


def test_two_columns_and_three() -> None:
    data = table({"p_0": 1 - P, "p_1": P, "correct": RIGHT})
    assert holds(chosen(data, choices(data))[0])
    three = {name: THREE[:, k] for k, name in enumerate("abc")}
    with pytest.raises(NoLabelsError, match="and not which of the 3 classes it was"):
        read(table({**three, "correct": (THREE.argmax(axis=1) == WHICH).astype(int)}))


def test_an_answer_that_is_not_the_rounded_one() -> None:
    """Another threshold: what happened cannot be told from the probability."""
    assert holds(
        chosen(table(columns := {"prob": P, "pred": GUESS, "correct": RIGHT}), choices(table(columns)))[0]
    )
    other = (P > 0.3).astype(int)
    data = table({"prob": P, "pred": other, "correct": (other == Y).astype(int)})
    with pytest.raises(
        InputError, match="column 'pred', which may be that answer, is not the rounded probability"
    ):
        read(data)


def test_even_probabilities_say_nothing() -> None:
    even = np.where(np.arange(N) == 4, 0.5, P)
    data = table({"prob": even, "correct": RIGHT})
    with pytest.raises(InputError, match=r"Row 5 has 0\.5 for both classes") as caught:
        read(data, options=ReadOptions().mended(choices(data)[0]))
    assert caught.value.remedies[0].change == {"leave_out_rows": (5,)}


def test_outcomes_by_definition() -> None:
    probs = np.column_stack([1 - P, P])
    for says in ("right", "wrong"):
        yes = RNG.integers(0, 2, N)
        expected = [int((p > 0.5) == (bool(x) == (says == "right"))) for p, x in zip(P, yes, strict=True)]
        assert outcomes_of_answers(probs, yes, says).tolist() == expected


@pytest.mark.parametrize(
    "name", ["correct_label", "right_eye", "error_rate", "label", "class", "hit_rate", "p"]
)
def test_other_names_say_nothing_of_answers(name: str) -> None:
    assert says_of_answers(name) == ""


def test_a_stream_reads_what_happened(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match="not whether answers were right"):
        RowGroups(tmp_path / "x.parquet", ReadOptions(label_says="right"))
