"""One column of probabilities: of two classes, of which one it is, and what the numbers are."""

import pytest
from numpy.testing import assert_array_equal

from calibcore.io import Reading, ReadOptions, read


def taken(data: bytes, labels: bytes | None = None, **options) -> Reading:
    return read(data, labels=labels, options=ReadOptions(**options))


def binary(header: str | None, labels: list[str], values=("0.3", "0.9", "0.25")) -> bytes:
    lines = [*([header] if header else []), *(f"{p},{y}" for p, y in zip(values, labels, strict=True))]
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("header", "labels", "options", "names"),
    [
        ("prob,label", "010", {}, ("0", "1")),
        ("y_score,label", "121", {"class_names": ("1", "2")}, ("1", "2")),
        ("p,y", ["-1", "1", "-1"], {}, ("-1", "1")),
        (None, "010", {}, ("0", "1")),
        ("p_ill,label", "010", {}, ("not ill", "ill")),
        ("ill,label", "010", {}, ("not ill", "ill")),
        ("p_ill,label", ["well", "ill", "well"], {}, ("well", "ill")),
        ("p_ill,diagnosis", ["well", "ill", "well"], {}, ("well", "ill")),
        ("prob,label", ["no", "yes", "no"], {}, ("no", "yes")),
        ("prob,label", ["control", "case", "control"], {}, ("control", "case")),
        ("prob,label", ["negative", "sick", "negative"], {}, ("negative", "sick")),
        ("prob,label", ["False", "True", "False"], {}, ("False", "True")),
        ("prob,label", ["well", "ill", "well"], {"class_names": ("well", "ill")}, ("well", "ill")),
        ("prob,label", "010", {"class_names": ("well", "ill")}, ("well", "ill")),
        ("prob,label", "111", {"label_base": 0}, ("0", "1")),
    ],
)
def test_one_column_of_probabilities(header, labels, options, names):
    reading = taken(binary(header, list(labels)), **options)
    p = reading.predictions
    assert p.class_names == names
    assert_array_equal(p.probs[:, 1], [0.3, 0.9, 0.25])  # the positive class is last
    assert_array_equal(p.probs[:, 0], [0.7, 1 - 0.9, 0.75])
    assert_array_equal(p.labels, [1, 1, 1] if labels == "111" else [0, 1, 0])
    assert any(f"positive class {names[1]!r}" in note and "last" in note for note in reading.notes)


def test_proba_0_is_about_class_0():
    p = taken(binary("proba_0,label", list("010"))).predictions
    assert p.class_names == ("1", "0")
    assert_array_equal(p.labels, [1, 0, 1])


def test_one_column_of_percent_and_of_logits():
    reading = taken(binary("p,y", list("010"), ("30", "90", "25")))
    assert_array_equal(reading.predictions.probs[:, 1], [0.3, 0.9, 0.25])
    assert "The values are percent (they go up to 90) and were divided by 100." in reading.notes
    reading = taken(binary("p,y", list("010"), ("-800", "0", "800")), values="logits")
    assert_array_equal(reading.predictions.probs[:, 1], [0, 0.5, 1])
    assert "The logistic function was applied to the scores." in reading.notes


def test_one_column_beside_metadata():
    data = b"prob,age,sex,label\n0.3,33,0,1\n0.9,44.5,1,0\n0.25,50,0,1\n"
    reading = taken(data)
    assert (reading.probability_columns, reading.metadata_columns) == (("prob",), ("age", "sex"))
