"""What is offered where a file leaves something open: never one column that a guess makes the labels."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from calibcore import Predictions
from calibcore.errors import InputError, Remedy
from calibcore.io import ReadOptions, read
from tests.io.readings import (
    GUESS,
    GUESSED,
    NAMES,
    PROBS,
    RNG,
    THREE,
    TRUE,
    WHICH,
    N,
    P,
    Y,
    choices,
    chosen,
    holds,
    holds_three,
    table,
)  # fmt: skip

Q = np.round(1 - P, 3)
COIN = np.arange(N) % 2
LOGITS = np.round(np.log(THREE + 0.002) - 1.5, 4)
SURE = np.maximum(P, Q)


def refused(data: bytes, labels: bytes | None = None, **options: str) -> InputError:
    with pytest.raises(InputError) as caught:
        read(data, name="x.csv", labels=labels, options=ReadOptions(**options))
    return caught.value


def changes(remedies: Sequence[Remedy]) -> list[dict]:
    return [dict(one.change) for one in remedies if one.change]


# What was looked at for the labels holds no classes.

CAMERAS = {
    "fewer than classes": np.array(["cam-east", "cam-west"])[COIN],
    "one": np.full(N, "cam-east"),
    "more than classes": np.array(["cam-a", "cam-b", "cam-c", "cam-d"])[np.arange(N) % 4],
    "numbers": 100 + np.arange(N) % 5,
}
NUMBERED = {f"prob_{k}": column for k, column in enumerate(PROBS.values())}
COLUMNS = {"classes by name": PROBS, "classes by number": NUMBERED, "one column": {"p_ill": P}}


def leads(error: InputError) -> set[str]:
    return {field for remedy in error.remedies for field in remedy.fields}


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("cameras", CAMERAS)
def test_what_holds_no_classes_is_no_lead_to_other_names_of_these(cameras: str, columns: str) -> None:
    values = CAMERAS[cameras]
    if columns == "one column" and len(set(values)) < 3:
        return  # two values may well be what it is about
    data = table({**COLUMNS[columns], "camera": values})
    for options in ({}, {"label_column": "camera"}):
        error = refused(data, **options)
        assert "If the" in str(error)
        assert "in a file of their own, give that too." in str(error)
        assert leads(error) == {"label_column"}
        if cameras != "numbers":
            assert "column 'camera'" in str(error).casefold()
            assert "'cam-" in str(error)


def test_the_sentence_says_what_the_column_holds_instead_of_classes() -> None:
    error = refused(table({**PROBS, "camera": CAMERAS["fewer than classes"]}))
    assert str(error) == (
        "No column holds the classes. Column 'camera' holds 2 different values, 'cam-east', 'cam-west', and "
        "none of them is a class. The 3 classes are 'cat', 'dog', 'owl'. If the labels are in a file of "
        "their own, give that too."
    )


@pytest.mark.parametrize("name", ["label", "species"])
def test_of_a_wrong_column_that_was_chosen_the_right_one_is_offered(name: str) -> None:
    data = table({**PROBS, "camera": CAMERAS["fewer than classes"], name: TRUE})
    error = refused(data, label_column="camera")
    assert changes(error.remedies) == [{"label_column": name}]
    assert [holds_three(reading) for reading in chosen(data, error.remedies)] == [True]


def test_as_many_other_names_as_classes_may_well_be_these() -> None:
    for name in ("camera", "label"):
        error = refused(table({**PROBS, name: np.array(["bat", "cow", "hen"])[WHICH]}))
        assert {"class_names"} <= leads(error)
    error = refused(table({**PROBS, "label": np.array(["bat", "cow", "cow"])[WHICH]}))  # one did not happen
    assert leads(error) == {"class_names"}
    error = refused(table({**PROBS, "label": np.array(["bat", "cow", "hen", "ox"])[np.arange(N) % 4]}))
    assert leads(error) == {"label_column"}


def test_a_file_of_labels_without_classes_is_no_lead_to_other_names() -> None:
    cameras = {"camera": CAMERAS["fewer than classes"]}
    error = refused(table(PROBS), table(cameras))
    assert "Expected the class of every row in the file of labels." in str(error)
    assert not error.remedies
    error = refused(table(PROBS), table({**cameras, "species": TRUE}), label_column="camera")
    assert changes(error.remedies) == [{"label_column": "species"}]


# No column is called a label.

WITHOUT = {
    "fold": {"fold": np.arange(N) % 3},
    "a site of three": {"site": np.arange(N) % 3},
    "a decision": {"y_pred": GUESSED},
    "the same in every row": {"date": "2026-03-01"},
    "a flag": {"flag": COIN.astype(bool)},
}


@pytest.mark.parametrize("title", WITHOUT)
def test_no_column_is_offered_as_labels_by_a_guess(title: str) -> None:
    error = refused(table({**PROBS, **WITHOUT[title]}))
    assert "No column of labels" in str(error)
    assert [one.asks for one in error.remedies] == ["label_column"]


def test_a_column_that_has_nothing_to_do_with_the_predictions_is_not_offered() -> None:
    coins = np.r_[Y[1:], Y[0]]  # of other rows
    against = coins if np.corrcoef(coins, P)[0, 1] < 0 else 1 - coins
    with_names = {"p_no": Q, "p_yes": P}
    assert changes(choices(table({**with_names, "reviewed": against}))) == []
    (remedy,) = choices(table({**with_names, "reviewed": Y}))
    assert remedy.change == {"label_column": "reviewed"}


def test_all_columns_that_may_be_meant_stand_beside_each_other() -> None:
    data = table({"reviewed": COIN, "p_no": Q, "p_yes": P, "group name": Y})
    remedies = choices(data)
    assert [one["label_column"] for one in changes(remedies)] == ["reviewed", "group name"]
    assert holds(chosen(data, remedies)[1])


def test_a_decision_is_not_the_only_way_out_where_another_column_may_be_meant() -> None:
    runner_up = NAMES[np.argsort(THREE, axis=1)[:, 1]]
    data = table({"best by hand": runner_up, **PROBS, "group name": TRUE})
    assert {one["label_column"] for one in changes(choices(data))} == {"best by hand", "group name"}


# How sure a model is of whatever it predicts.

HOW_SURE = {
    "a decision beside": {"y_true": Y, "y_pred": GUESS, "confidence": SURE},
    "words": {"label": NAMES[Y], "prediction": NAMES[GUESS], "max_prob": SURE},
    "and whether it is right": {"y_true": Y, "y_pred": GUESS, "confidence": SURE, "correct": GUESS == Y},
}


@pytest.mark.parametrize("title", HOW_SURE)
def test_how_sure_a_model_is_says_whether_its_answer_is_right(title: str) -> None:
    reading = read(table(HOW_SURE[title]), name="x.csv")
    assert reading.predictions.kind == "confidence"
    assert holds(reading, SURE, GUESS == Y)


def test_how_sure_a_model_is_says_nothing_without_its_answer() -> None:
    error = refused(table({"y_true": Y, "certainty": SURE}))
    assert "how sure the model is" in str(error)
    assert not error.remedies


def test_a_confidence_below_one_half_is_one_of_an_event() -> None:
    data = table({"confidence": P, "y_pred": GUESS, "y_true": Y})
    assert any(holds(one) for one in chosen(data, choices(data)))


# Labels and their columns.

TWO = {
    "rev": ("outcome", "outcome_rev"),
    "brackets": ("y", "y (2)"),
    "counted": ("class", "class.1"),
    "reviewed": ("target", "target_reviewed"),
}


@pytest.mark.parametrize("names", TWO.values(), ids=TWO)
def test_two_versions_of_the_labels_are_a_question(names: tuple[str, str]) -> None:
    other = np.where(np.arange(N) % 6 == 0, 1 - Y, Y)
    data = table({"prob": P, names[0]: Y, names[1]: other})
    remedies = choices(data)
    assert {one["label_column"] for one in changes(remedies)} == set(names)
    assert any(holds(one) for one in chosen(data, remedies))


@pytest.mark.parametrize("name", ["score_0_no_1_yes", "prob_1_yes_0_no", "p 0 no 1 yes"])
def test_a_name_says_what_0_and_1_are(name: str) -> None:
    reading = read(table({name: P, "label": Y}), name="x.csv")
    assert holds(reading)
    assert reading.predictions.class_names == ("no", "yes")


@pytest.mark.parametrize("name", ["risk_0_day_1_year", "p_0_run_1_fold"])
def test_a_name_of_units_or_counters_does_not(name: str) -> None:
    reading = read(table({"y": Y, name: P}), name="x.csv", options=ReadOptions(class_names=("no", "yes")))
    assert holds(reading)
    with pytest.raises(InputError) if "risk" not in name else np.errstate():
        assert "day" not in read(table({name: P, "y": Y}), name="x.csv").predictions.class_names


@pytest.mark.parametrize("time", ["t_event", "years_followed", "days_observed", "time_death"])
def test_a_time_beside_an_event_is_said(time: str) -> None:
    error = refused(table({time: 1.5 + np.arange(N), "died": Y, "prob_event": P}))
    assert "follow-up time" in str(error)
    assert holds(chosen(*_data(time, error))[0])


def _data(time: str, error: InputError) -> tuple[bytes, Sequence[Remedy]]:
    return table({time: 1.5 + np.arange(N), "died": Y, "prob_event": P}), error.remedies


def test_lists_of_0_and_1_are_several_labels_although_the_rows_sum_to_1() -> None:
    hot = (RNG.random((N, 3)) < THREE).astype(int)
    for name in ("labels", "tags"):
        data = table(
            {**{x: THREE[:, k] for k, x in enumerate(NAMES)}, name: [str(row.tolist()) for row in hot]}
        )
        error = refused(data)
        assert "may be several of them" in str(error)
        pairs = [(f"{name}[{k}]", (x,)) for k, x in enumerate(NAMES)]
        assert [(c["label_column"], c["probability_columns"]) for c in changes(error.remedies)] == pairs


def test_one_hot_columns_are_no_several_labels_where_one_is_called_otherwise() -> None:
    names = ("Class 2", "Other", "Class 1")
    data = table(
        {f"{x} in Prozent": np.round(100 * THREE[:, k], 6) for k, x in enumerate(names)}
        | {f"y_{x}": (k == WHICH).astype(int) for k, x in enumerate(names)}
    )
    assert holds_three(read(data, name="x.csv"))


# Scores.


@pytest.mark.parametrize("ones", ["oh_{}", "is_{}"])
def test_columns_of_0_and_1_named_like_scores_are_their_outcomes(ones: str) -> None:
    hot = {ones.format(x): (x == TRUE).astype(int) for x in NAMES}
    data = table({f"z_{x}": LOGITS[:, k] for k, x in enumerate(NAMES)} | hot | {"y_pred": THREE.argmax(1)})
    (remedy,) = choices(data)
    assert remedy.change == {"values": "logits"}
    reading = chosen(data, [remedy])[0]
    names = [name.removeprefix("z_") for name in reading.predictions.class_names]
    assert [names[k] for k in reading.predictions.labels] == TRUE.tolist()


def test_a_class_called_loss_has_scores_below_0() -> None:
    data = table({x: LOGITS[:, k] for k, x in enumerate(("win", "draw", "loss"))} | {"label": WHICH + 1})
    assert "'loss'" in str(refused(data))
    (remedy,) = choices(data)
    assert chosen(data, [remedy])[0].predictions.class_names == ("win", "draw", "loss")


@pytest.mark.parametrize("factor", [0.96, 1.045])
def test_rows_that_sum_to_the_same_are_divided_before_softmax(factor: float) -> None:
    data = table({f"p_{x}": THREE[:, k] * factor for k, x in enumerate(NAMES)} | {"label": TRUE})
    first, second = choices(data)
    assert first.change == {"renormalise": True}
    assert second.change == {"values": "logits"}
    assert holds_three(chosen(data, [first])[0], NAMES.tolist())


def test_rows_that_sum_to_anything_get_softmax_first() -> None:
    scores = THREE + RNG.random((N, 3))
    data = table({f"p_{x}": scores[:, k] for k, x in enumerate(NAMES)} | {"label": TRUE})
    assert choices(data)[0].change == {"values": "logits"}


def test_decisions_that_add_up_in_half_of_the_rows_are_no_classes() -> None:
    data = table({"prob": P, "conf": SURE, "class_pred": GUESS, "age": 30 + np.arange(N) % 40})
    assert holds(read(data, name="x.csv", labels=table({"y": Y}), labels_name="y.csv"))


# Text.


def test_names_of_rows_stand_beside_columns_called_after_a_word_for_classes() -> None:
    rows = [f'"{i + 1}";{c};"{GUESSED[i]}"' for i, c in enumerate(";".join(map(str, row)) for row in THREE)]
    header = '"W(class_a)";"W(class_b)";"W(class_c)";"label"'
    labels = {"cat": "class_a", "dog": "class_b", "owl": "class_c"}
    text = "\n".join([header, *(re.sub("cat|dog|owl", lambda m: labels[m[0]], row) for row in rows)])
    found = read(text.encode(), name="x.csv", options=ReadOptions(label_column="label")).predictions
    assert found.n == N
    assert np.allclose(found.probs, THREE)


def test_labels_of_one_word_or_two_are_one_column() -> None:
    names = np.array(["Class 2", "Other", "Class 1"])
    probs = table({f"proba_{x}": THREE[:, k] for k, x in enumerate(names)})
    labels = "\n".join(names[WHICH]).encode()
    assert holds_three(read(probs, name="x.csv", labels=labels, labels_name="labels.csv"), names.tolist())


def test_labels_that_begin_like_the_columns_are_refused() -> None:
    frame = pd.DataFrame(THREE, columns=["G1", "G2", "G3"])
    with pytest.raises(InputError, match="G2x"):
        Predictions.from_arrays(frame, np.array(["G2x", "G3x", "?"])[WHICH])
    assert Predictions.from_arrays(frame, np.array(["G2", "G3", "G1"])[WHICH]).class_names == (
        "G1",
        "G2",
        "G3",
    )


@pytest.mark.parametrize("name", ["m1_prob", "M2_PROB", "y_cal probability"])
def test_a_model_or_an_aggregate_names_no_class(name: str) -> None:
    reading = read(table({"y": Y, name: P}), name="x.csv")
    assert holds(reading)
    assert reading.predictions.class_names == ("0", "1")


def test_m1_is_a_class_where_the_labels_say_so() -> None:
    reading = read(table({"y": np.array(["m0", "m1"])[Y], "p_m1": P}), name="x.csv")
    assert holds(reading)
    assert reading.predictions.class_names == ("m0", "m1")
