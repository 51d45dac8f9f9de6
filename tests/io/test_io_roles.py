"""Reading files: which columns are labels and predictions, and which class a label is."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from calibcore.errors import InputError
from calibcore.io import Reading, ReadOptions, read

ROWS = ["0.2,0.3,0.5", "0.1,0.1,0.8", "0.4,0.5,0.1", "0.9,0.05,0.05"]
G = np.array([[float(x) for x in row.split(",")] for row in ROWS])


def table(header: str | None, labels: list[str] | str, rows=ROWS, before: list[str] | None = None) -> bytes:
    """CSV text of the rows, each with what stands before it and its label."""
    lines = [] if header is None else [header]
    first = [f"{x}," for x in before] if before else [""] * len(rows)
    last = [f",{y}" for y in labels] if labels else [""] * len(rows)
    lines += [a + row + z for a, row, z in zip(first, rows, last, strict=True)]
    return ("\n".join(lines) + "\n").encode()


def taken(data: bytes, labels: bytes | None = None, **options) -> Reading:
    return read(data, labels=labels, options=ReadOptions(**options))


@pytest.mark.parametrize(
    "names",
    [
        "cat,dog,owl", "p_cat,p_dog,p_owl", "prob_cat,prob_dog,prob_owl", "P(cat),P(dog),P(owl)",
        "cat_prob,dog_prob,owl_prob", "probability.cat,probability.dog,probability.owl",
        "Prob [cat],Prob [dog],Prob [owl]",
        "P(y=cat|x),P(y=dog|x),P(y=owl|x)", "resnet/cat,resnet/dog,resnet/owl",
        "cat: model 1,dog: model 1,owl: model 1",
        "y_pred_cat,y_pred_dog,y_pred_owl", "score_cat,score_dog,score_owl", "Cat,Dog,Owl",
    ],
)  # fmt: skip
@pytest.mark.parametrize("label", ["label", "Y-True", " target ", "diagnosis"])
def test_labels_are_class_names(names, label):
    reading = taken(table(f"{names},{label}", ["cat", "owl ", "dog", "cat"]))
    assert [name.lower() for name in reading.predictions.class_names] == ["cat", "dog", "owl"]
    assert_array_equal(reading.predictions.labels, [0, 2, 1, 0])
    assert_array_equal(reading.predictions.probs, G)
    assert reading.label_kind == "names"
    assert reading.probability_columns == tuple(names.split(","))


@pytest.mark.parametrize(
    ("header", "labels", "kind", "names", "expected"),
    [
        ("a,b,c,label", "0210", "0-based", "abc", [0, 2, 1, 0]),
        ("a,b,c,label", "1321", "1-based", "abc", [0, 2, 1, 0]),
        ("a,b,c,label", ["1.0", "3.0", "2.0", "1.0"], "1-based", "abc", [0, 2, 1, 0]),
        (None, "0210", "0-based", "012", [0, 2, 1, 0]),
        (None, "1321", "1-based", "123", [0, 2, 1, 0]),
        ("1,2,3,label", "1121", "names", "123", [0, 0, 1, 0]),
        ("0,1,2,label", "1121", "names", "012", [1, 1, 2, 1]),
        ("proba_0,proba_1,proba_2,label", "1121", "names", "012", [1, 1, 2, 1]),
        ("p1,p2,p3,label", "1121", "names", "123", [0, 0, 1, 0]),
        ("class_3,class_5,class_7,y", "3577", "names", "357", [0, 1, 2, 2]),
        ("0,1,2,3", "1321", "1-based", "123", [0, 2, 1, 0]),
        ("V1,V2,V3,V4", "1321", "1-based", "123", [0, 2, 1, 0]),
    ],
)
def test_integer_labels(header, labels, kind, names, expected):
    reading = taken(table(header, labels))
    assert reading.label_kind == kind
    assert reading.predictions.class_names == tuple(names)
    assert_array_equal(reading.predictions.labels, expected)
    assert_array_equal(reading.predictions.probs, G)


def test_integer_names_decide_and_that_is_said():
    notes = taken(table("1,2,3,label", "1121")).notes
    assert "The labels are integers and name the classes '1', '2', '3'; they were not counted." in notes
    notes = taken(table("0,1,2,3", "1321")).notes
    assert any("only count; they name no classes" in note for note in notes)


def test_open_base_asks_and_is_answered():
    data = table("a,b,c,label", "1121")
    with pytest.raises(InputError, match=r"run from 1 to 2 with 3 classes: neither 0 nor 3") as caught:
        taken(data)
    zero, one = caught.value.remedies
    assert (zero.change, one.change) == ({"label_base": 0}, {"label_base": 1})
    assert [row["was"] for row in zero.rows] == list("bbc")
    assert [row["was"] for row in one.rows] == list("aab")
    assert one.rows[0] == {"a": "0.2", "b": "0.3", "c": "0.5", "was": "a"}
    assert_array_equal(taken(data, label_base=0).predictions.labels, [1, 1, 2, 1])
    reading = taken(data, label_base=1)
    assert_array_equal(reading.predictions.labels, [0, 0, 1, 0])
    assert reading.label_kind == "1-based"
    assert "Labels count from 1, as asked: 1 is the first class, 'a'." in reading.notes
    # The user's word counts for more than the names.
    assert_array_equal(taken(table("1,2,3,label", "0120"), label_base=0).predictions.labels, [0, 1, 2, 0])


def test_truth_values():
    rows = ["0.2,0.8", "0.5,0.5", "0.9,0.1"]
    reading = taken(table("no,yes,label", ["True", "false", "TRUE"], rows))
    assert_array_equal(reading.predictions.labels, [1, 0, 1])
    assert reading.label_kind == "boolean"
    assert "False is the first class, 'no', and True is the second, 'yes'." in reading.notes
    reading = taken(table("True,False,label", ["True", "False", "True"], rows))
    assert_array_equal(reading.predictions.labels, [0, 1, 0])
    frame = pd.DataFrame({"a": [0.2, 0.5], "b": [0.8, 0.5], "label": [True, False]})
    assert_array_equal(taken(frame.to_csv(index=False).encode()).predictions.labels, [1, 0])


ONE_HOT = ["1,0,0", "0,0,1", "0,1,0", "1,0,0"]


@pytest.mark.parametrize(
    "header",
    [None, "a,b,c,y_a,y_b,y_c", "p_a,p_b,p_c,true_a,true_b,true_c", "p_a,p_b,p_c,a,b,c", "h,i,j,k,l,m"],
)
def test_one_hot_in_the_table(header):
    reading = taken(table(header, ONE_HOT))
    assert reading.label_kind == "one-hot"
    assert_array_equal(reading.predictions.labels, [0, 2, 1, 0])
    assert_array_equal(reading.predictions.probs, G)
    assert any("one-hot (exactly one 1 a row)" in note for note in reading.notes)


def test_one_hot_is_paired_by_name():
    reading = taken(table("p_a,p_b,p_c,y_c,y_b,y_a", ONE_HOT))
    assert_array_equal(reading.predictions.labels, [2, 0, 1, 2])


def test_indicators_are_no_labels_beside_a_label():
    both = [f"{'1,0' if i % 2 else '0,1'},{y}" for i, y in enumerate("abca")]
    reading = taken(table("p_a,p_b,p_c,male,female,diagnosis", both))
    assert reading.label_source == "column:diagnosis"
    assert reading.metadata_columns == ("male", "female")


@pytest.mark.parametrize(
    ("header", "before", "found"),
    [
        ("id,a,b,c,label", "7395", ("id",)),
        ("id,age,p_a,p_b,p_c,label", ["7,30.5", "3,41.5", "9,22", "5,77"], ("id", "age")),
        ("share,age,a,b,c,label", ["0.5,30.5", "0.25,41.5", "0.125,22", "0.3,77"], ("share", "age")),
        (",a,b,c,label", "0123", ("column 1",)),
        ("site,a,b,c,label", ["Ulm", "Bonn", "Ulm", "Bonn"], ("site",)),
        ("formula,a,b,c,label", ["=1+1", '"<b>"', "@x", "-"], ("formula",)),
    ],
)
def test_other_columns_are_metadata(header, before, found):
    reading = taken(table(header, "abca", before=list(before)))
    assert reading.metadata_columns == found
    assert reading.predictions.class_names == ("a", "b", "c")
    assert_array_equal(reading.predictions.probs, G)


def test_a_confidence_is_no_class():
    rows = [f"{row},{max(row.split(','))}" for row in ROWS]
    reading = taken(table("a,b,c,confidence,label", "abca", rows))
    assert reading.metadata_columns == ("confidence",)


def test_two_models_side_by_side_are_an_error_that_names_answer():
    data = table("m_a,m_b,m_c,n_a,n_b,n_c,label", "abca", [f"{row},{row}" for row in ROWS])
    with pytest.raises(InputError, match=r"predictions of 2 models: 'm', 'n', beside each other") as caught:
        taken(data)
    assert [remedy.words for remedy in caught.value.remedies] == ["Only m", "Only n"]
    reading = taken(data, model="n")
    assert reading.probability_columns == ("a", "b", "c")
    assert_array_equal(reading.predictions.labels, [0, 1, 2, 0])
    reading = taken(data, class_names=("n_a", "n_b", "n_c"), label_column="label")
    assert reading.probability_columns == ("n_a", "n_b", "n_c")
    assert_array_equal(reading.predictions.labels, [0, 1, 2, 0])


def test_a_class_that_never_occurs_stays_a_class():
    reading = taken(table("a,b,c,label", "aaca"))
    assert reading.predictions.class_names == ("a", "b", "c")


@pytest.mark.parametrize(("at", "expected"), [("first", "column:column 1"), ("last", "column:column 4")])
def test_label_by_position(at, expected):
    data = table(None, [], before=list("0210")) if at == "first" else table(None, "0210")
    reading = taken(data)
    assert reading.label_source == expected
    assert_array_equal(reading.predictions.labels, [0, 2, 1, 0])
    assert any(f"the {at} column, which holds whole numbers" in note for note in reading.notes)


def test_row_numbers_before_and_labels_behind():
    reading = taken(table(None, "0210", before=list("1234")))
    assert reading.label_source == "column:column 5"
    assert_array_equal(reading.predictions.probs, G)


def test_label_column_is_obeyed():
    data = table("a,b,c,label,second", [f"{x},{y}" for x, y in zip("aaaa", "abca", strict=True)])
    assert_array_equal(taken(data, label_column="label").predictions.labels, [0, 0, 0, 0])
    with pytest.raises(InputError, match="'label' says the same in every row"):
        taken(data)
    for name in ("second", "SECOND"):
        reading = taken(data, label_column=name)
        assert_array_equal(reading.predictions.labels, [0, 1, 2, 0])
        assert reading.metadata_columns == ("label",)
    assert taken(table(None, "0210"), label_column="4").label_source == "column:column 4"


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (b"a\nc\nb\na\n", "names"), (b"label\na\nc\nb\na\n", "names"), (b"diagnosis\na\nc\nb\na\n", "names"),
        (b"0\n2\n1\n0\n", "0-based"), (b"1\n3\n2\n1", "1-based"), (b"0\n0\n2\n1\n0\n", "0-based"),
        (b"x\n1\n3\n2\n1\n", "1-based"),
        (b"id,label\n1,a\n2,c\n3,b\n4,a\n", "names"), (b",0\n0,0\n1,2\n2,1\n3,0\n", "0-based"),
        (b"1,0,0\n0,0,1\n0,1,0\n1,0,0\n", "one-hot"), (b"c,b,a\n0,0,1\n1,0,0\n0,1,0\n0,0,1\n", "one-hot"),
        (b'["a", "c", "b", "a"]', "names"), (b'{"labels": [0, 2, 1, 0]}', "0-based"),
        (b'[{"label": "a"}, {"label": "c"}, {"label": "b"}, {"label": "a"}]', "names"),
        (b"[[1,0,0],[0,0,1],[0,1,0],[1,0,0]]", "one-hot"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("header", ["a,b,c", "p_a,p_b,p_c"])
def test_labels_in_a_second_file(header, labels, kind):
    reading = read(table(header, []), labels=labels, labels_name="truth.csv")
    assert_array_equal(reading.predictions.labels, [0, 2, 1, 0])
    assert_array_equal(reading.predictions.probs, G)
    assert (reading.label_kind, reading.label_source) == (kind, "file:truth.csv")


def test_number_of_rows_settles_a_doubtful_header():
    rows = ["0.25,0.75"] * 3
    reading = taken(table("0,1", [], rows), labels=b"0\n1\n1\n")
    assert reading.predictions.n == 3
    rows = [*rows[:2], "1,0"]
    reading = taken(table("0,1", [], rows), labels=b"0\n1\n1\n0\n", header=False)
    assert_array_equal(reading.predictions.probs[0], [0, 1])


def test_a_first_label_that_sounds_like_a_title_is_a_label_where_it_names_a_class():
    probs = table("p_kY,p_k0", [], ["0.25,0.75", "1.0,0.0"])
    assert_array_equal(taken(probs, labels=b"kY\nk0\n").predictions.labels, [0, 1])
    assert_array_equal(taken(probs, labels=b"true class\nk0\nkY\n").predictions.labels, [1, 0])
    with pytest.raises(InputError, match="2 rows of predictions and 1 labels"):
        taken(probs, labels=b"true class\nk0\n")


def test_a_first_row_of_0_and_1_is_a_header_where_all_else_has_decimals():
    """As pandas writes a table without names, and labels without a name."""
    probs, labels = table("0,1", [], ["0.25,0.75", "0.5,0.5", "1.0,0.0"]), b"0\n1\n1\n0\n"
    assert_array_equal(taken(probs, labels).predictions.labels, [1, 1, 0])
    both = table("0,1,2", [], ["0.25,0.75,2.0", "0.5,0.5,1.0", "1.0,0.0,1.0"])
    assert_array_equal(taken(both).predictions.labels, [1, 0, 0])
    assert taken(table("0,1,y", [], ["0.25,0.75,1", "1,0,0"])).predictions.n == 2  # a name settles it


def test_a_first_row_of_0_and_1_that_may_be_a_case_is_a_question():
    data = table("0,1,2", [], ["0.25,0.75,1", "1,0,1", "0,1,2"])
    with pytest.raises(InputError, match="numbers the 3 columns, or is a case") as caught:
        taken(data)
    named, case = caught.value.remedies
    assert (named.change, case.change) == ({"header": True}, {"header": False})
    assert case.rows[0] == {"1": "0", "2": "1", "was": "2"}
    assert taken(data, header=False).predictions.n == 4


def test_labels_in_the_table_give_way_to_a_second_file():
    reading = taken(table("a,b,c,label", "abca"), labels=b"c\nc\na\nb\n")
    assert_array_equal(reading.predictions.labels, [2, 2, 0, 1])
    assert "Column 'label' was not used: the labels are in the second file." in reading.notes
    assert reading.metadata_columns == ("label",)


def test_label_column_names_a_column_of_the_second_file():
    labels = b"first,second\na,b\na,c\na,a\nb,b\n"
    with pytest.raises(InputError, match=r"The columns 'first', 'second' could all be the labels"):
        taken(table("a,b,c", []), labels=labels)
    reading = taken(table("a,b,c", []), labels=labels, label_column="second")
    assert_array_equal(reading.predictions.labels, [1, 2, 0, 1])


def test_class_names_given():
    reading = taken(table(None, "0210"), class_names=("x", "y", "z"))
    assert reading.predictions.class_names == ("x", "y", "z")
    reading = taken(table(None, "xzyx"), class_names=["x", "y", "z"])
    assert_array_equal(reading.predictions.labels, [0, 2, 1, 0])
    reading = taken(table("a,b,c,label", "acba"), class_names=("c", "a", "b"))  # columns in this order
    assert_array_equal(reading.predictions.probs, G[:, [2, 0, 1]])
    reading = taken(table("u,v,w,label", "acba"), class_names=("a", "b", "c"))  # by order
    assert_array_equal(reading.predictions.labels, [0, 2, 1, 0])
    assert reading.predictions.class_names == ("a", "b", "c")


@pytest.mark.parametrize("number", ["1.5e308", "-1.7e308"])
def test_the_largest_numbers_are_compared_with_others(number: str) -> None:
    rows = "".join(f"{number},0.5,0.25,{'ab'[i % 2]}\n" for i in range(12))
    with pytest.raises(InputError, match="12 of 12 rows"):
        read(f"a,b,x,label\n{rows}".encode(), name="x.csv")
