"""What single tools and people write otherwise than others: titles, vectors in cells, arrays, Weka."""

import numpy as np
import openpyxl
import pandas as pd
import pytest

from calibcore.io import read
from tests.io.io_errors import refusal, written
from tests.io.readings import (
    NAMES,
    PROBS,
    THREE,
    TRUE,
    WHICH,
    N,
    P,
    Y,
    choices,
    holds,
    holds_three,
    table,
)

GUESSED = THREE.argmax(axis=1)
ROWS = table(PROBS | {"truth": TRUE}).decode()


def sheet(*rows: list[object]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    return written(book.save)


CELLS = [[*map(float, row), str(name)] for row, name in zip(THREE, TRUE, strict=True)]
HEAD = [*PROBS, "truth"]


# --- titles


@pytest.mark.parametrize(
    "above",
    ["Validation\n", "Model 3, spring\n", "Validation\nward 7\n\n", "Validation,,,\n,,,\n", "\n\nReport\n"],
)
def test_titles_of_a_text_are_left_out_and_said(above):
    reading = read((above + ROWS).encode())
    assert holds_three(reading, NAMES)
    assert any("taken for a title: '" in note for note in reading.notes)


def test_titles_of_a_sheet_are_left_out_and_said():
    for above in ([["Reader study"]], [["Reader study"], [], ["ward 7"]]):
        reading = read(sheet(*above, HEAD, *CELLS))
        assert holds_three(reading, NAMES)
        assert any("taken for a title: 'Reader study'" in note for note in reading.notes)


def test_what_stands_above_and_is_no_title_is_not_left_out():
    assert "Row 1" in refusal(("a group,,the other,\n" + ROWS).encode())
    assert refusal(("2024\n" + ROWS).encode())
    assert refusal(
        ("cat\n" + "\n".join(ROWS.splitlines()[1:])).encode()
    )  # nothing below it names the columns
    assert "Row 1" in refusal(sheet(["A", None, "B"], HEAD, *CELLS))
    assert refusal(("Validation\n" + ROWS).encode(), header=False)
    assert refusal(b"Validation\n" + table({"p": P, "label": Y}))  # of two columns one may be missing


def test_a_row_left_out_is_counted_below_the_title():
    text = ROWS.splitlines()
    text[3] = "no," * 3 + "cat"
    data = "\n".join(["Validation", *text]).encode()
    (one,) = [one for one in choices(data) if one.change]
    assert one.change == {"leave_out_rows": (3,)}


# --- vectors


def vectors(form: str) -> list[str]:
    return [form % ", ".join(map(str, row)) for row in THREE.tolist()]


def test_vectors_in_cells_are_columns():
    for form in ("[%s]", '{"type": 1, "values": [%s]}'):
        assert holds_three(read(table({"probability": vectors(form), "label": WHICH})))
    named = table({"probs": vectors("[%s]"), "label": TRUE, "classes": str(NAMES.tolist())})
    assert holds_three(read(named), NAMES)


def test_other_lists_in_cells_are_none():
    """Lists of something else, of several lengths, or beside the predictions."""
    shares = {"shares": vectors("[%s]")}
    assert holds_three(read(table(PROBS | shares | {"truth": TRUE})), NAMES)
    assert holds_three(read(table(PROBS | {"softmax": vectors("[%s]")[::-1]} | {"truth": TRUE})), NAMES)
    assert refusal(table(shares | {"label": WHICH}))
    ragged = vectors("[%s]")
    ragged[4] = "[0.5, 0.5]"
    assert refusal(table({"probs": ragged, "label": WHICH}))
    assert refusal(table({"probs": ["[1, 2, 3]"] * N, "label": WHICH}))


def test_lists_of_parquet_are_named_where_nothing_else_is_there():
    data = written(pd.DataFrame({"probs": THREE.tolist(), "label": WHICH}).to_parquet)
    said = refusal(data, name="x.parquet")
    assert "No column of numbers was found" in said
    assert "such as lists, were left out: 'probs'." in said


# --- Weka


def weka(star: np.ndarray, actual: list[str]) -> bytes:
    lines = ["inst#,actual,predicted,error,distribution"]
    for i, row in enumerate(THREE):
        cells = [f"{'*' if k == star[i] else ''}{x}" for k, x in enumerate(row)]
        lines.append(f"{i + 1},{actual[i]},{GUESSED[i] + 1}:{NAMES[GUESSED[i]]},,{','.join(cells)}")
    return "\n".join(lines).encode()


def test_distributions_of_weka():
    actual = [f"{k + 1}:{NAMES[k]}" for k in WHICH]
    reading = read(weka(GUESSED, actual))
    assert holds_three(reading, NAMES)
    assert reading.probability_columns == tuple(f"distribution ({name})" for name in NAMES)
    assert refusal(weka((GUESSED + 1) % 3, actual))  # the star is not at the class that is predicted
    assert refusal(weka(GUESSED, ["1:?"] * N))  # not known


# --- arrays


def arrays(**named: np.ndarray) -> bytes:
    return written(np.savez, **named)


def test_one_hot_labels_of_fractional_type():
    for kind in ("float32", "float64", "uint8"):
        assert holds_three(read(arrays(y_test=np.eye(3)[WHICH].astype(kind), y_proba=THREE)))


def test_names_of_arrays():
    assert holds_three(read(arrays(classes_=NAMES, proba=THREE, y=TRUE)), NAMES)
    assert holds_three(read(arrays(label_ids=WHICH, predictions=THREE)))


# --- names


def test_a_class_that_is_called_like_a_word_between_others():
    columns = {f"{name}_prob": THREE[:, k] for k, name in enumerate(["de", "en", "la"])}
    truth = np.array(["de", "en", "la"])[WHICH]
    assert holds_three(read(table(columns | {"lang": truth})), ["de", "en", "la"])


def test_columns_that_are_called_numbers_belong_together():
    numbers = {str(k): THREE[:, k] for k in range(3)}
    for beside in ({"ndwi": P}, {"ndwi": P, "dice": 1 - P / 2}):
        columns = {"0": numbers["0"], **beside, "1": numbers["1"], "2": numbers["2"], "y_true": WHICH}
        assert holds_three(read(table(columns)), ["0", "1", "2"])


def test_a_score_of_a_hundred_is_asked_about():
    for name, values in {"lung score": 100 * P, "score": 10 * np.round(10 * P)}.items():
        asked = choices(table({name: values, "cancer": Y}))
        assert "percent" in asked[0].words
    assert holds(read(table({"P(lung cancer) %": 100 * P, "cancer": Y})))


def test_a_column_that_says_the_same_in_every_row_is_no_rival():
    columns = {"status": TRUE, "model": "cat", "prediction": NAMES[GUESSED]}
    assert holds_three(read(table(PROBS | columns)), NAMES)


def test_a_column_that_is_called_like_a_label_is_about_that_label():
    """Its last word is the name of the other one."""
    for other, own in (
        ("récidive", "pas de récidive"),
        ("fraud", "no fraud"),
        ("event", "free of the event"),
    ):
        for labels in (Y, 1 - Y):  # a model may be worse than a guess
            reading = read(table({own: P, "classe": np.array([other, own])[labels]}))
            assert reading.predictions.class_names == (other, own)
            assert holds(reading, P, labels)
