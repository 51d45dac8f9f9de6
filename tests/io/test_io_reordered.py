"""Columns that are taken for other classes than they say, and back."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.io.reading import file_columns_are, reordered
from tests.io.io_errors import csv

TURNED = ("b", "c", "a")
NOTE = (
    "Columns were taken for other classes, as asked: that of 'a' for 'b', that of 'b' for 'c', "
    "that of 'c' for 'a'."
)


def test_columns_are_taken_for_other_classes_and_labels_stay() -> None:
    straight, found = read(csv()), read(csv(), options=ReadOptions(columns_are=TURNED))
    p, q = straight.predictions, found.predictions
    assert (q.class_names, q.labels.tolist()) == (p.class_names, p.labels.tolist())
    for column, name in zip(p.class_names, TURNED, strict=True):
        assert_array_equal(q.probs[:, q.class_index(name)], p.probs[:, p.class_index(column)])
    assert found.probability_columns == ("c", "a", "b")
    assert found.notes[1] == NOTE
    assert q.notes == found.notes
    assert found.options.columns_are == TURNED
    assert not q.probs.flags.writeable


def test_what_was_read_is_turned_and_turned_back_without_the_file() -> None:
    straight = read(csv())
    found = reordered(straight, TURNED)
    assert (
        found.predictions.fingerprint
        == read(csv(), options=ReadOptions(columns_are=TURNED)).predictions.fingerprint
    )
    assert reordered(found, TURNED) is found
    for again in (reordered(found, None), reordered(found, ("a", "b", "c"))):
        assert again.predictions.fingerprint == straight.predictions.fingerprint
        assert (again.notes, again.options) == (straight.notes, straight.options)
        assert again.probability_columns == straight.probability_columns
    other = reordered(found, ("c", "b", "a"))
    assert other.predictions.fingerprint == reordered(straight, ("c", "b", "a")).predictions.fingerprint


def test_orders_of_orders() -> None:
    found = reordered(read(csv()), TURNED)
    own = found.predictions.class_names
    columns_are = ("c", "b", "a")  # of the predictions as they are now
    again = reordered(found, file_columns_are(found, columns_are))
    for column, name in zip(own, columns_are, strict=True):
        assert_array_equal(
            again.predictions.probs[:, own.index(name)], found.predictions.probs[:, own.index(column)]
        )


def test_remarks_are_those_of_the_order() -> None:
    data = b"a,b,label\n" + b"0,1,a\n1,0,b\n" * 4
    straight = read(data)
    assert any("given probability 0" in note for note in straight.notes)
    found = reordered(straight, ("b", "a"))
    assert not any("given probability 0" in note for note in found.notes)
    assert reordered(found, None).notes == straight.notes


def test_a_sample_in_another_order_is_one_of_all_cases() -> None:
    one = reordered(read(csv()).of_sample(8), TURNED)
    other = read(csv(), options=ReadOptions(columns_are=TURNED, sample=8))
    assert one.predictions.fingerprint == other.predictions.fingerprint
    assert (one.predictions.drawn_from, one.options) == (12, other.options)
    assert set(one.notes) == set(other.notes)
    assert one.predictions.sampled(5).drawn_from == 12


def test_one_column_and_columns_beside() -> None:
    data = b"id,p,y\n" + b"7,0.2,0\n8,0.9,1\n9,0.3,1\n" * 3
    straight = read(data)
    found = read(data, options=ReadOptions(columns_are=straight.predictions.class_names[::-1]))
    np.testing.assert_allclose(found.predictions.probs, straight.predictions.probs[:, ::-1])
    assert_array_equal(found.predictions.metadata["id"], straight.predictions.metadata["id"])
    assert found.probability_columns == ("p",)


def test_many_columns_are_not_all_named() -> None:
    m = 9
    header = ",".join(f"k{i}" for i in range(m)) + ",label\n"
    data = header + "".join(",".join([f"{1 / m:.12f}"] * m) + f",k{i % m}\n" for i in range(20))
    names = tuple(f"k{(i + 1) % m}" for i in range(m))
    assert (
        "that of 'k5' for 'k6', and 3 more."
        in read(data.encode(), options=ReadOptions(columns_are=names)).notes[1]
    )


@pytest.mark.parametrize("columns_are", [("a", "b"), ("a", "a", "b"), ("a", "b", "x"), ("a", "b", "c", "c")])
def test_other_classes_are_refused(columns_are: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="expected each class once: 'a', 'b', 'c'"):
        read(csv(), options=ReadOptions(columns_are=columns_are))
