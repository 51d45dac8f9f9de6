"""Integer labels whose classes another column names, or the digits in the names of the columns."""

import numpy as np
import pandas as pd
import pytest

from calibcore.io import read
from tests.io.readings import THREE, WHICH, P, Y, choices, chosen, holds, holds_three, table

CLASSES = np.array(["L1", "L2", "hem"])


@pytest.mark.parametrize("few", [5, 24])
@pytest.mark.parametrize(
    "names", [("label_id", "label_name"), ("target", "target_name"), ("class_idx", "kind")]
)
def test_a_column_that_names_the_codes_otherwise_is_a_question(names: tuple[str, str], few: int) -> None:
    """By position 0 is "hem (all)"; the column of names says "L1"."""
    code, name = names
    columns = {"p_hem (all)": THREE[:, 2], "p_L1": THREE[:, 0], "p_L2": THREE[:, 1]}
    some = {key: column[:few] for key, column in (columns | {code: WHICH, name: CLASSES[WHICH]}).items()}
    data = table(some)
    remedies = choices(data)
    right = [
        one
        for one in chosen(data, remedies)
        if one.predictions.class_names[one.predictions.labels[0]].startswith(CLASSES[WHICH[0]])
    ]
    assert remedies[0].change["label_column"] == name
    assert right
    assert right[0].predictions.n == few
    assert "hem (all)" in right[0].predictions.class_names


def test_a_column_that_names_the_codes_alike_is_no_question() -> None:
    data = table(
        {
            "p_L1": THREE[:, 0],
            "p_L2": THREE[:, 1],
            "p_hem": THREE[:, 2],
            "label_id": WHICH,
            "name": CLASSES[WHICH],
        }
    )
    assert holds_three(read(data))
    # What says several classes of one code does not name them.
    other = np.where(np.arange(len(Y)) % 4 == 0, np.roll(CLASSES[WHICH], 1), CLASSES[WHICH])
    data = table(
        {"p_L1": THREE[:, 0], "p_L2": THREE[:, 1], "p_hem": THREE[:, 2], "label_id": WHICH, "name": other}
    )
    assert holds_three(read(data))


def test_names_of_two_codes() -> None:
    words = np.array(["ill", "well"])[1 - Y]
    data = table({"p_ill": P, "label": 1 - Y, "label_name": words})
    remedies = choices(data)
    assert remedies[0].change["label_column"] == "label_name"
    assert holds(chosen(data, remedies)[0])
    assert holds(read(table({"p_ill": P, "label": Y, "label_name": words})))


@pytest.mark.parametrize("form", ["P(L{})", "prob_C{}", "score stage{}", "T{} (%)"])
@pytest.mark.parametrize("count", [4, 24])
def test_digits_in_the_names_count_for_more_than_the_order(form: str, count: int) -> None:
    order = (1, 2, 0)
    scale = 100 if "%" in form else 1
    columns = {form.format(k): scale * THREE[:count, k] for k in order}
    reading = read(table({**columns, "label": WHICH[:count]}))
    assert np.allclose(reading.predictions.probs, THREE[:count][:, order])
    assert [order[k] for k in reading.predictions.labels] == WHICH[:count].tolist()


def test_a_label_that_begins_as_a_class() -> None:
    data = table({"L1": THREE[:, 0], "L2": THREE[:, 1], "hem (all)": THREE[:, 2], "label": CLASSES[WHICH]})
    assert holds_three(read(data))


def test_another_opinion_in_the_same_words_names_no_codes() -> None:
    columns = {"P_targetTrue": P, "gt": Y.astype(bool), "second_class": (1 - Y).astype(bool)}
    for words in (str, bool):
        data = pd.DataFrame(columns).astype({"gt": words, "second_class": words}).to_json(orient="records")
        assert holds(read(data.encode(), name="x.json"))
