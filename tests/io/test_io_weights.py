"""Columns of counts and of weights in files."""

import io
import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.words.readings import first_rows

TABLE = pd.DataFrame(
    {
        "cat": [0.1, 0.5, 0.6, 0.9],
        "dog": [0.9, 0.5, 0.4, 0.1],
        "times": [1, 2, 0, 5],
        "label": ["cat", "dog", "dog", "cat"],
        "weight": [0.5, 1, 1, 2.5],
        "age": [30, 40, 50, 60],
    }
)


def csv(**options) -> bytes:
    return TABLE.to_csv(index=False, **options).encode()


def test_a_column_of_weights() -> None:
    found = read(csv(), options=ReadOptions(weight_column="weight"))
    assert_allclose(found.predictions.weights, [0.4, 0.8, 0.8, 2.0], rtol=1e-14)
    assert found.probability_columns == ("cat", "dog")
    assert found.metadata_columns == ("times", "age")
    assert "Weights: column 'weight' (as asked)." in found.notes
    assert found.notes[0].endswith("4 rows, 6 columns.")
    assert any("weights give estimates only" in note for note in found.notes)


def test_the_first_rows_are_those_of_the_file() -> None:
    """A row that counts twice is one row of the file, and one that counts 0 is none of the predictions."""
    found = read(csv(), options=ReadOptions(count_column="times"))
    assert first_rows(found) == (
        "row 1: cat 0.1, dog 0.9, was cat",
        "row 2: cat 0.5, dog 0.5, was dog",
        "row 4: cat 0.9, dog 0.1, was cat",
    )
    answers = b"answer,target,confidence,n\ncat,cat,0.9,3\ndog,owl,0.4,0\nowl,cat,0.7,2\n"
    found = read(answers, options=ReadOptions(count_column="n"))
    assert first_rows(found) == (
        "row 1: answered cat, 0.9 sure, truth cat: right",
        "row 3: answered owl, 0.7 sure, truth cat: wrong",
    )


def test_a_column_of_counts() -> None:
    found = read(csv(), options=ReadOptions(count_column="Times"))
    p = found.predictions
    assert_array_equal(p.labels, [0, 1, 1, 0, 0, 0, 0, 0])
    assert_array_equal(p.metadata["age"], [30, 40, 40, 60, 60, 60, 60, 60])
    assert found.metadata_columns == ("weight", "age")
    assert "Counts: column 'times' (as asked)." in found.notes
    assert "4 rows stand for 8 independent cases: each was repeated by its count." in found.notes


def test_not_asked_for_they_are_metadata() -> None:
    found = read(csv())
    assert found.predictions.weights is None
    assert found.predictions.n == 4
    assert set(found.metadata_columns) == {"times", "weight", "age"}


def test_weights_that_look_like_probabilities_are_not_predictions() -> None:
    table = TABLE.assign(weight=[0.2, 0.4, 0.3, 0.1]).drop(columns=["times", "age"])
    found = read(table.to_csv(index=False).encode(), options=ReadOptions(weight_column="weight"))
    assert found.probability_columns == ("cat", "dog")


def test_weights_with_decimal_commas() -> None:
    found = read(csv(sep=";", decimal=","), options=ReadOptions(weight_column="weight"))
    assert_allclose(found.predictions.weights, [0.4, 0.8, 0.8, 2.0], rtol=1e-14)


@pytest.mark.parametrize("place", ["first", "last"])
def test_weights_among_arrays(place: str) -> None:
    arrays = {"probs": TABLE[["cat", "dog"]].to_numpy(), "labels": [0, 1, 1, 0]}
    own = {"w": TABLE["weight"].to_numpy()}
    buffer = io.BytesIO()
    np.savez(buffer, **(own | arrays if place == "first" else arrays | own))
    found = read(buffer.getvalue(), options=ReadOptions(weight_column="w"))
    assert_allclose(found.predictions.weights, [0.4, 0.8, 0.8, 2.0], rtol=1e-14)
    assert_array_equal(found.predictions.probs, arrays["probs"])
    assert_array_equal(found.predictions.labels, arrays["labels"])


def test_weights_before_a_list_of_predictions() -> None:
    records = [{"w": w, "probs": [p, 1 - p], "y": y} for w, p, y in ((1, 0.2, 1), (2, 0.5, 0), (3, 0.9, 0))]
    found = read(json.dumps(records).encode(), options=ReadOptions(weight_column="w"))
    assert_allclose(found.predictions.weights, [0.5, 1, 1.5], rtol=1e-14)
    assert_allclose(found.predictions.probs[:, 0], [0.2, 0.5, 0.9])
    assert_array_equal(found.predictions.labels, [1, 0, 0])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"weight_column": "mass"}, "no column 'mass' to take the weights from. The columns are 'cat'"),
        ({"weight_column": "times"}, "Row 3 has weight 0. Expected numbers above 0."),
        ({"weight_column": "label"}, "label"),
        ({"count_column": "weight"}, "Row 1 has count 0.5; row 4 has count 2.5. Expected whole numbers"),
        ({"count_column": "times", "weight_column": "weight"}, "There are counts and weights"),
        ({"count_column": "times", "weight_column": "times"}, "no column 'times' to take the weights from"),
        ({"weight_column": "label", "label_column": "label"}, "no column 'label' to take the labels from"),
    ],
)
def test_columns_that_cannot_be_used(options: dict, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        read(csv(), options=ReadOptions(**options))
    assert sentence in str(caught.value)


def test_without_names_there_is_nothing_to_name() -> None:
    with pytest.raises(InputError, match="weights should be in column '5', but the columns have no names"):
        read(csv(header=False), options=ReadOptions(weight_column="5"))


def test_a_text_among_weights_is_named_by_its_row() -> None:
    table = TABLE.assign(weight=["1", "2", "many", "3"])
    with pytest.raises(InputError, match="Row 3 has weight nan"):
        read(table.to_csv(index=False).encode(), options=ReadOptions(weight_column="weight"))


def test_predictions_are_no_weights() -> None:
    buffer = io.BytesIO()
    np.savez(buffer, probs=TABLE[["cat", "dog"]].to_numpy(), labels=[0, 1, 1, 0])
    with pytest.raises(InputError, match="which holds the predictions"):
        read(buffer.getvalue(), options=ReadOptions(weight_column="probs[0]"))
