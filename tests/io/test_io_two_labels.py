"""Two columns that are named as labels and disagree are a question; each of them is offered."""

import numpy as np
import pytest

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from tests.io.readings import GUESSED, NAMES, PROBS, TRUE, P, Y, choices, chosen, holds, table

OTHER = np.where(np.arange(len(Y)) % 5 == 0, 1 - Y, Y)
"""(24,) labels of which every fifth is another."""
VERSIONS = [
    ("label_x", "label_y"), ("outcome_x", "outcome_y"), ("label", "label.1"), ("y", "y.1"),
    ("target", "target_2"),
    ("label", "label_corrected"), ("label_old", "label_new"), ("died_x", "died_y"), ("label1", "label2"),
    ("y_true_x", "y_true_y"), ("Outcome.x", "Outcome.y"), ("churned", "churned_v2"), ("y_true", "label"),
    ("truth", "class"), ("actual", "target_2"),
]  # fmt: skip


@pytest.mark.some(5)
@pytest.mark.parametrize("names", VERSIONS, ids="-".join)
def test_two_labels_that_disagree_are_a_question(names: tuple[str, str]) -> None:
    one, two = names
    for data in (table({one: Y, "prob": P, two: OTHER}), table({two: OTHER, one: Y, "prob": P})):
        # "label" beside "truth" may be an answer: that is a third way, and says so.
        remedies = [remedy for remedy in choices(data) if "confidence_column" not in remedy.change]
        assert {remedy.change["label_column"] for remedy in remedies} == {one, two}
        readings = {
            remedy.change["label_column"]: r
            for remedy, r in zip(remedies, chosen(data, remedies), strict=True)
        }
        assert holds(readings[one], labels=Y)
        assert holds(readings[two], labels=OTHER)


@pytest.mark.parametrize("names", VERSIONS, ids="-".join)
def test_two_labels_that_agree_are_read(names: tuple[str, str]) -> None:
    one, two = names
    assert holds(read(table({one: Y, "prob": P, two: Y})))


def test_a_column_that_corrects_some_rows() -> None:
    some = np.where(np.arange(len(Y)) % 3 == 0, OTHER.astype(object), None)
    data = table({"label": Y, "prob": P, "label_corrected": some})
    with pytest.raises(
        InputError, match="differ in 2 rows; column 'label_corrected' has empty cells"
    ) as caught:
        read(data)
    one, two = caught.value.remedies
    assert holds(read(data, options=ReadOptions().mended(one)))
    with pytest.raises(InputError, match="no label in column 'label_corrected'"):
        read(data, options=ReadOptions().mended(two))
    same = np.where(np.arange(len(Y)) % 3 == 0, Y.astype(object), None)
    assert holds(read(table({"label": Y, "prob": P, "label_corrected": same})))


def test_what_is_merged_is_no_label_for_its_suffix() -> None:
    """Of "marker_x" and "marker_y" the y says nothing."""
    data = table({"marker_x": OTHER, "prob": P, "marker_y": OTHER[::-1], "result": Y})
    assert all("marker_y" not in one.change.values() for one in choices(data))
    assert any(map(holds, chosen(data, choices(data))))


def test_one_hot_labels_and_what_a_model_said_are_no_second_label() -> None:
    hot = {f"y_{k}": (name == TRUE).astype(int) for k, name in enumerate(NAMES)}
    reading = read(table({f"p_{k}": column for k, column in enumerate(PROBS.values())} | hot))
    assert reading.label_kind == "one-hot"
    reading = read(table({**PROBS, "true_label": TRUE, "label": GUESSED}))
    assert reading.label_source == "column:true_label"
