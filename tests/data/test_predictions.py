"""Predictions: what is taken as it comes, what is changed and said, what is refused and why.

What the order of the labels says, and whole tables of any numbers, are in test_predictions_any.py.
"""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from tests.cases import each

G = [[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]]
UP = np.nextafter(0.5, 1.0)


def made(probs, labels=None, **others) -> Predictions:
    return Predictions.from_arrays(probs, [0] * len(probs) if labels is None else labels, **others)


def refusal(probs, labels=None, **others) -> str:
    with pytest.raises(InputError) as caught:
        made(probs, labels, **others)
    return " ".join([str(caught.value), *getattr(caught.value, "__notes__", ())])


def test_contents_and_types():
    p = made(G, [2, 0], class_names=("a", "b", "c"), metadata={"site": ["x", "y"]})
    assert (p.n, p.m, p.class_names, p.notes) == (2, 3, ("a", "b", "c"), ())
    assert (p.probs.dtype, p.labels.dtype) == (np.float64, np.int64)
    assert_array_equal(p.probs, G)
    assert_array_equal(p.labels, [2, 0])
    assert_array_equal(p.onehot(), [[0, 0, 1], [1, 0, 0]])
    assert_array_equal(p.class_counts, [1, 0, 1])
    assert_array_equal(p.metadata["site"], ["x", "y"])
    assert made(G).class_names == ("0", "1", "2")


@each(
    ("probs", "labels", "others", "sentence"),
    [
        (np.zeros(2, [("a", "f8")]), [0], {}, "The predictions have 1 dimension; expected 2"),
        ([0.5, 0.5], [0], {}, "There are 2 rows of predictions and 1 labels"),
        ([0.5, 0.5], ["a", "a"], {}, "The labels name 1 class, 'a', and there is one probability a case"),
        ([0.5, 0.5], [0, 1], {"class_names": "abc"}, "There are 3 class names for one probability a case"),
        ([0.5, 0.5], [0, 2], {}, "Row 2 has label 2. Expected labels from 0 to 1."),
        ([-2.0, 3.0], [0, 1], {}, "Row 1 has -2; row 2 has 3. One number a case is the probability of the s"),
        ([-2.0, 3.0], [0, 1], {}, "If these are logits, give them to Predictions.from_logits."),
        ([90, 30], [0, 1], {}, "expected 0 to 1. Divide per cent by 100."),
        (
            [0.5, np.nan],
            [0, 1],
            {},
            "Row 2 has nan. One number a case is the probability of the second class",
        ),
        ([0, 1], [0.9, 0.3], {}, "Row 1 has label 0.9; row 2 has label 0.3. Expected whole numbers, or nam"),
        ([0, 1], [0.9, 0.3], {}, "If these are the probabilities, they come first; Predictions.from_predict"),
        ([0, 1], [[0.9, 0.1], [0.3, 0.7]], {}, "Row 1 holds 0.9; row 2 holds 0.3. Labels in 2 columns are"),
        (G, [[0, 1, 1], [0, 0, 0]], {}, "Row 1 has 2 ones; row 2 has no ones. Labels in 3 columns are expec"),
        (np.ones((2, 2, 2)), [0, 0], {}, "The predictions have 3 dimensions; expected 2"),
        ([[0.5, 0.5], [1.0]], [0, 0], {}, "differ in length"),
        ([["0.5", "0.5"]], [0], {}, "are of type <U3; expected numbers"),
        ([[None, 1.0]], [0], {}, "are of type object; expected numbers"),
        ([[0.5 + 0j, 0.5]], [0], {}, "are of type complex128; expected numbers"),
        (np.empty((0, 3)), [], {}, "no cases; expected at least one row"),
        (np.empty((2, 0)), [0, 0], {}, "There are no columns of probabilities"),
        (G, [[0, 0]], {}, "The labels have 2 dimensions; expected 1"),
        (G, [0], {}, "There are 2 rows of predictions and 1 labels"),
        (G, [0.0, 1.5], {}, "Row 2 has label 1.5. Expected whole numbers, or names of classes."),
        (G, [np.nan, 1.0], {}, "Row 1 has label nan. Expected whole numbers, or names of classes."),
        (G, ["0", "1"], {}, "The labels name 2 classes, '0', '1', and there are 3 columns"),
        (G, ["b", "x"], {"class_names": "abc"}, "Row 2 has label 'x'. Expected one of 'a', 'b', 'c'."),
        (G, [0, 3], {"class_names": [1, 2, 3]}, "Row 1 has label 0. Expected one of '1', '2', '3'."),
        (G, ["a", None], {}, "The labels are of type object; expected integers from 0 to 2, or names of cl"),
        (G, [b"a", b"b"], {}, "The labels are of type |S1; expected integers"),
        (G, ["a", "\ud800"], {"class_names": "abc"}, "Row 2 has label '\\ud800'. Expected one of"),
        (G, [0, 3], {}, "Row 2 has label 3. Expected labels from 0 to 2."),
        (G, [-1, 3], {}, "Row 1 has label -1; row 2 has label 3. Expected labels from 0 to 2."),
        (G, [0, 0], {"class_names": "ab"}, "There are 2 class names for 3 columns"),
        (G, [0, 0], {"class_names": "aba"}, "The class name 'a' stands twice"),
        (G, [0, 0], {"class_names": [1, "1", 2]}, "The class name '1' stands twice"),
        (G, [0, 0], {"metadata": {"age": [1]}}, "Metadata column 'age' has shape (1,); expected (2,)"),
        (
            G,
            [0, 0],
            {"metadata": {"age": [[1], [2]]}},
            "Metadata column 'age' has shape (2, 1); expected (2,)",
        ),
    ],
)
def test_what_has_the_wrong_shape_or_type_is_refused(probs, labels, others, sentence):
    assert sentence in refusal(probs, labels, **others)


@pytest.mark.parametrize(
    ("value", "found"), [(-0.1, "-0.1"), (1.25, "1.25"), (np.nan, "nan"), (np.inf, "inf")]
)
def test_a_value_outside_names_row_and_column(value: float, found: str):
    message = refusal([[0.5, 0.5], [0.25, 0.75], [1.0, value]], class_names=("no", "yes"))
    assert message.startswith(f"Row 3 has {found} in column 'yes'. Expected probabilities from 0 to 1.")
    assert "logits" not in message


def test_scores_are_suspected_only_where_most_rows_are_off():
    for probs in ([[0.5, 0.5], [2.0, -1.0], [-3.0, 4.0]], [[0.5, 0.5], [0.1, 0.1234567], [0.2, 0.1]]):
        with pytest.raises(InputError) as caught:
            made(probs)
        assert caught.value.remedies[0].words == "These look like logits: apply softmax"
    message = refusal([[0.5, 0.5], [0.25, 0.75], [0.4, 0.53]])
    assert "logits" not in message
    assert message.endswith("Divide every row by its sum (renormalise=True).")


@pytest.mark.parametrize(
    ("bad", "rest"), [(10, ""), (11, "; and 1 more row"), (1510, "; and 1,500 more rows")]
)
def test_at_most_ten_rows_are_listed_and_the_rest_counted(bad: int, rest: str):
    g = np.full((bad + 1, 2), 0.4)
    g[0] = 0.5
    rows = "; ".join(f"{'row' if i else 'Row'} {i + 2} sums to 0.8" for i in range(10))
    assert refusal(g).startswith(f"{rows}{rest}. Rows must sum to 1.")
    g[1:, 0] = np.nan
    assert refusal(g).count("has nan") == 10
    assert refusal(np.full((bad, 2), 0.5), [5] * bad).count("has label 5") == 10


# The rule of the row sums.


@pytest.mark.parametrize("by", [1e-5, -1e-5, 9e-6, -9e-6, 1e-16, 0.0])
def test_rows_within_1e5_of_1_are_used_as_they_come(by: float):
    g = np.array([[0.123456789 + by, 1 - 0.123456789], [0.1, 0.9]])
    p = made(g)
    assert p.probs.tobytes() == g.tobytes()
    assert p.notes == ()


def test_float32_softmax_is_used_as_it_comes():
    z = np.random.default_rng(0).normal(0, 3, (2000, 100)).astype(np.float32)
    g = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    p = made(g)
    assert p.notes == ()
    assert_array_equal(p.probs.astype(np.float32), g)


@pytest.mark.parametrize("by", [1.2e-5, -1.2e-5, 1e-3, -1e-3])
def test_rows_within_1e3_of_1_are_divided_by_their_sum_and_that_is_said(by: float):
    g = np.array([[0.123456789 + by, 1 - 0.123456789], [0.1, 0.9]])
    p = made(g)
    assert_allclose(p.probs[0], g[0] / (1 + by), rtol=1e-15)
    assert p.probs[1].tobytes() == g[1].tobytes()
    (note,) = p.notes
    assert note.startswith("1 row was divided by the row's sum")
    assert f"{1 + by:.6g}" in note


def test_the_note_counts_the_rows_and_names_the_furthest_sum():
    (note,) = made([[0.12345678, 0.8765], [0.5, 0.4991234], [0.5, 0.5]]).notes
    assert note.startswith("2 of 3 rows were divided")
    assert "0.999123" in note


@pytest.mark.parametrize("by", [1.1e-3, -1.1e-3, 0.01, -0.07])
def test_sums_further_off_are_refused(by: float):
    message = refusal([[0.5, 0.5], [0.123456789 + by, 1 - 0.123456789]])
    assert message.startswith(f"Row 2 sums to {1 + by:.6g}. Rows must sum to 1.")


def with_sum(m: int, decimals: int, off: int) -> list[float]:
    """A row of m multiples of 10^-d that sums to 1 + off·10^-d."""
    whole = [10**decimals // m] * m
    whole[0] += 10**decimals - sum(whole) + off
    return [w / 10**decimals for w in whole]


@pytest.mark.parametrize(
    ("row", "used"),
    [
        ([0.33, 0.33, 0.33], True),
        ([0.67, 0.17, 0.17], True),
        ([0.33, 0.33, 0.27], False),  # 0.93: rounding to two decimals explains 0.015
        (with_sum(10, 2, 5), True),
        (with_sum(10, 2, -5), True),
        (with_sum(10, 2, 6), False),
        (with_sum(10, 2, -6), False),
        (with_sum(3, 1, -1), True),
        (with_sum(3, 1, -2), False),
        (with_sum(7, 3, 3), True),
        (with_sum(7, 3, -4), False),
    ],
)
def test_rounding_explains_half_a_last_digit_a_class(row: list[float], used: bool):
    if not used:
        assert f"Row 1 sums to {sum(row):.6g}." in refusal([row])
        return
    p = made([row])
    assert_allclose(p.probs.sum(axis=1), 1, atol=1e-15)
    assert_allclose(p.probs[0], np.array(row) / sum(row), rtol=1e-15)
    assert len(p.notes) == 1


def test_one_row_with_more_digits_ends_the_allowance():
    assert made([[0.33, 0.33, 0.33], [0.25, 0.25, 0.5]]).notes
    assert "Row 1 sums to 0.99" in refusal([[0.33, 0.33, 0.33], [0.1234567, 0.3765433, 0.5]])


@pytest.mark.parametrize("m", [3, 19, 20, 21, 40, 1000])
def test_onehot_rows_with_two_ones_or_none_are_refused_for_any_number_of_classes(m: int):
    rows = np.eye(m)[[0, 1, 2]]
    rows[1, 0] = 1
    assert refusal(rows).startswith("Row 2 sums to 2.")
    rows[1] = 0
    assert refusal(rows).startswith("Row 2 sums to 0.")


def test_rounding_up_explains_a_sum_above_1_by_the_values_that_are_not_zero():
    sparse = np.zeros((1, 40))
    sparse[0, :3] = 0.5
    assert "Row 1 sums to 1.5" in refusal(sparse)
    dense = np.full((1, 12), 0.1)
    assert_allclose(made(dense).probs, 1 / 12, rtol=1e-15)


def test_renormalise_divides_every_row_however_far_it_is_from_1():
    g = np.array([[2.0, 6.0], [0.1, 0.1], [0.25, 0.75]])
    p = made(g, renormalise=True)
    assert_array_equal(p.probs, [[0.25, 0.75], [0.5, 0.5], [0.25, 0.75]])
    assert p.notes[0].startswith("2 of 3 rows were divided")
    assert "8" in p.notes[0]
    assert made([[0.25, 0.75]], renormalise=True).notes == ()
    thirds = [[0.7, 0.2, 0.1], [0.8, 0.15, 0.05], [0.5, 0.3, 0.1]]
    assert 0.7 + 0.2 + 0.1 != 1  # by the last digit of a float
    assert made(thirds, renormalise=True).notes[0].startswith("1 row was divided by the row's sum")


def test_renormalise_cannot_mend_zeros_or_negative_values():
    assert refusal([[1.0, 1.0], [0.0, 0.0]], renormalise=True).startswith("Row 2 sums to 0.")
    assert refusal([[1.0, 1.0], [2.0, -0.5]], renormalise=True).startswith("Row 2 has -0.5 in column '1'.")
    assert refusal([[1.0, np.inf]], renormalise=True).startswith("Row 1 has inf in column '1'.")


# Narrow floats.


@pytest.mark.parametrize(
    ("dtype", "decimals"), [(np.float32, 6), (np.float32, 1), (np.float16, 3), (np.float16, 1)]
)
def test_narrow_floats_that_are_rounded_decimals_are_read_as_those(dtype: type, decimals: int):
    whole = np.random.default_rng(1).multinomial(10**decimals, np.ones(4) / 4, size=200)
    p = made((whole / 10**decimals).astype(dtype))
    assert_array_equal(p.probs, whole / 10**decimals)
    assert p.notes == ()


def test_narrow_floats_that_are_no_decimals_keep_their_value():
    third = np.array([[1 / 3, 2 / 3]], np.float32)
    assert_array_equal(made(third).probs, third.astype(np.float64))
    assert made(third).probs[0, 0] != 1 / 3


def test_float64_values_keep_every_bit():
    g = np.array([[UP, 1 - UP], [0.1 + 0.2, 0.7]])
    assert made(g).probs.tobytes() == g.tobytes()


def test_integers_and_truth_values_may_be_probabilities_and_labels():
    assert_array_equal(made(np.array([[1, 0], [0, 1]], np.uint8), np.array([True, False])).labels, [1, 0])
    assert made(np.array([[True, False]])).probs.dtype == np.float64


# Contents stay what they were.


def test_nothing_can_be_written():
    p = made(G, metadata={"age": [1, 2]})
    for array in (p.probs, p.labels, p.metadata["age"], p.with_rows(np.array([1])).metadata["age"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError):
        p.metadata["sex"] = np.array([0, 1])  # type: ignore[index]
    with pytest.raises(AttributeError):
        p.labels = p.labels  # type: ignore[misc]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_later_changes_of_the_input_change_nothing(dtype: type):
    g, y, age = np.array(G, dtype), np.array([1, 0]), np.array([30, 40])
    p = made(g, y, metadata={"age": age})
    before = p.fingerprint
    g[:], y[:], age[:] = 0, 2, 0
    assert_array_equal(p.probs, G)
    assert_array_equal(p.labels, [1, 0])
    assert_array_equal(p.metadata["age"], [30, 40])
    assert made(p.probs, p.labels).fingerprint == before
    assert g.flags.writeable
    assert y.flags.writeable


def test_the_fingerprint_is_of_the_contents():
    p = made(G, [0, 1], class_names="abc")
    assert re.fullmatch("[0-9a-f]{64}", p.fingerprint)
    fortran = made(
        np.asfortranarray(G), np.array([0, 1], np.int8), class_names=["a", "b", "c"], metadata={"x": [1, 2]}
    )
    assert fortran.fingerprint == p.fingerprint
    others = [
        made([[0.2, 0.3, UP], G[1]], [0, 1], class_names="abc"),
        made(G, [0, 2], class_names="abc"),
        made(G, [0, 1], class_names="abd"),
        made(G, [0, 1], class_names=["ab", "c", ""]),
        made(G, [0, 1], class_names=["a", "bc", ""]),
        made(G[::-1], [1, 0], class_names="abc"),
    ]
    assert len({p.fingerprint, *(q.fingerprint for q in others)}) == 7


def test_with_rows_keeps_rows_with_their_metadata_and_notes():
    p = made([[0.33, 0.66], [0.5, 0.5], [0.25, 0.75]], [0, 1, 1], metadata={"age": [10, 20, 30]})
    q = p.with_rows(np.array([2, 0]))
    assert_array_equal(q.probs, p.probs[[2, 0]])
    assert (q.labels.tolist(), q.metadata["age"].tolist()) == ([1, 0], [30, 10])
    assert (q.class_names, q.notes, p.n) == (p.class_names, p.notes, 3)


def test_impossible_outcomes_are_those_given_probability_zero():
    p = made([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [5e-324, 1.0], [0.0, 1.0]], [0, 1, 0, 0, 1])
    assert p.impossible_outcomes == 2
