"""The judge of drawn files: what counts as right, wrong, asked and refused."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError, Remedy
from calibcore.io import ReadOptions
from tests.hostile.grammar.drawing import Truth
from tests.hostile.grammar.outcomes import Ends, ends, same, tally

PROBS = np.array([[0.9, 0.1], [0.3, 0.7], [0.2, 0.8]])
TRUTH = Truth(PROBS, np.array([0, 1, 1]), ("no", "yes"))
RIGHT = Predictions.from_arrays(PROBS, [0, 1, 1], ("no", "yes"))
TURNED = Predictions.from_arrays(PROBS, [1, 0, 0], ("no", "yes"))
ROWS: Any = ({"no": "0.9", "was": "no"},)


@dataclass(frozen=True)
class Answering:
    """A file of which it is known what each answer leads to."""

    read: Callable[[ReadOptions], Predictions]
    truth: Truth = field(default_factory=lambda: TRUTH)
    tags: tuple[str, ...] = ()
    answerable: bool = True
    must_ask: bool = False
    said: str = ""
    others: tuple[Truth, ...] = ()
    never: tuple[str, ...] = ()
    says: str = ""

    def reading(self, options: ReadOptions) -> Predictions:
        return self.read(options)


def taken(what: Predictions, **more: Any) -> Answering:
    return Answering(lambda _: what, **more)


def offering(sentence: str, *remedies: Remedy, **readings: Predictions) -> Answering:
    """A file that is refused until a column of labels is named."""

    def read(options: ReadOptions) -> Predictions:
        if options.label_column is None:
            raise InputError(sentence, remedies)
        return readings[options.label_column]

    return Answering(read)


A, B = (Remedy(f"The labels are {name}", {"label_column": name}, rows=ROWS) for name in "ab")


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (taken(RIGHT), "right right right"),
        (taken(TURNED), "wrong wrong wrong"),
        (taken(TURNED, others=(replace(TRUTH, labels=np.array([1, 0, 0])),)), "right right right"),
        (taken(RIGHT, answerable=False), "wrong wrong wrong"),
        (taken(RIGHT, must_ask=True), "wrong wrong wrong"),
        (taken(RIGHT, must_ask=True, said="censored"), "wrong wrong wrong"),
        (taken(RIGHT.noted(("The censored did not.",)), must_ask=True, said="censored"), "right right right"),
        (taken(RIGHT, never=("yes",)), "wrong wrong wrong"),
        (taken(RIGHT, never=("ye",)), "right right right"),
        (offering("?"), "refused refused refused"),
        (offering("?", A, a=RIGHT), "asked right right"),
        (offering("?", A, a=TURNED), "refused wrong wrong"),
        (offering("?", A, B, a=TURNED, b=RIGHT), "asked right wrong"),
        (offering("?", A, B, a=TURNED, b=TURNED), "refused wrong wrong"),
        (offering("?", Remedy("Name it", asks="label_column")), "refused refused refused"),
        (replace(offering("?", A, a=RIGHT), must_ask=True), "asked right right"),
        (replace(offering("?", A, a=RIGHT), said="censored"), "refused wrong wrong"),
        (replace(offering("Of the censored?", A, a=RIGHT), said="censored"), "asked right right"),
    ],
)
def test_ends(file: Answering, expected: str) -> None:
    found = ends(file)
    assert f"{found.alone} {found.after} {found.strictly}" == expected


def test_repairs_are_no_question() -> None:
    """Of softmax and of percent the first is pressed; of the question behind it the truth is taken."""

    def read(options: ReadOptions) -> Predictions:
        if options.values == "auto":
            raise InputError(
                "?", [Remedy("softmax", {"values": "logits"}), Remedy("%", {"values": "percent"})]
            )
        if options.values == "logits" and options.label_column is None:
            raise InputError("Which?", [A, B])
        return RIGHT if options.label_column == "b" else TURNED

    found = ends(Answering(read))
    assert (found.alone, found.after, found.strictly) == ("twice", "right", "wrong")


def test_who_presses_the_first_button_gives_up() -> None:
    def read(options: ReadOptions) -> Predictions:
        rows = options.leave_out_rows
        raise InputError("?", [Remedy("Leave out", {"leave_out_rows": (len(rows) + 1,)})])

    assert ends(Answering(read)).after == "refused"


def test_rows_that_are_used_as_they_come_are_right() -> None:
    near = PROBS * (1 + 8e-6)
    assert same(Predictions.from_arrays(near, [0, 1, 1], ("no", "yes")), TRUTH) is False
    assert same(Predictions.from_arrays(near, [0, 1, 1], ("no", "yes")), replace(TRUTH, probs=near))
    assert same(Predictions.from_arrays(PROBS, [0, 1, 1], ("yes", "no")), TRUTH) is False


def test_shares() -> None:
    right, wrong = Ends("right", "right", "right"), Ends("wrong", "wrong", "wrong")
    found = tally([right, wrong, Ends("asked", "right", "wrong"), Ends("refused", "wrong", "wrong")])
    assert found["wrong"] == found["wrong after the first proposal"] == 0.5
    assert (found["strictly"], found["without a question"], found["after one"]) == (0.75, 0.25, 0.5)
