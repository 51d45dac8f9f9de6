"""Texts, JSON and sheets that are not what they seem: read as they were meant, or refused."""

import io
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import openpyxl
import pandas as pd

from calibcore.io import read
from tests.hostile.corpus import SHEET_END, SHEET_START, sheet_of
from tests.io.io_errors import refusal, written
from tests.io.readings import (
    NAMES,
    PROBS,
    THREE,
    TRUE,
    N,
    P,
    Y,
    holds,
    holds_three,
    table,
)

# --- texts that are not what they seem


TWO = [f"{p:.2f}" for p in P]


def test_decimal_commas_between_commas_are_refused():
    rows = [f"0,{p[2:]},0,{100 - int(p[2:]):02},{y}" for p, y in zip(TWO, Y, strict=True)]
    for header in ([], ["p_yes,p_no,label"], ["p,q,r,label"]):
        assert "Commas seem to be decimal marks and to separate the cells" in refusal(
            "\n".join([*header, *rows]).encode()
        )
    one = [f"{i},0,{p[2:]},{y}" for i, (p, y) in enumerate(zip(TWO, Y, strict=True), 1)]
    assert "Commas seem" in refusal("\n".join(["id,p,label", *one]).encode())
    quoted = [f'"0,{p[2:]}",{y}' for p, y in zip(TWO, Y, strict=True)]
    assert holds(read("\n".join(["p,label", *quoted]).encode()), np.array([float(p) for p in TWO]))


def test_a_thousand_is_not_one():
    rows = [f"{p};{y};1.000" for p, y in zip((str(p).replace(".", ",") for p in P), Y, strict=True)]
    found = read("\n".join(["p;label;cells", *rows]).encode())
    assert found.predictions.metadata["cells"][0] == "1.000"
    mixed = [row.replace("0,", "1.000;0,", 1) if i == 3 else row for i, row in enumerate(rows)]
    refusal("\n".join(["p;label;cells", *mixed]).encode())
    odd = [
        f"{str(p).replace('.', ',') if i != 3 else '1.000'};{y}"
        for i, (p, y) in enumerate(zip(P, Y, strict=True))
    ]
    assert "Row 4 has '1.000' in column 'p'." in refusal("\n".join(["p;label", *odd]).encode())


def test_a_header_one_name_short_names_no_other_columns():
    lines = [f"{a},{b},{c},{y}" for (a, b, c), y in zip(THREE, TRUE, strict=True)]
    assert "The header has 3 names and the rows below it have 4 fields" in refusal(
        "\n".join(["cat,dog,owl", *lines]).encode()
    )
    ids = [f"{i},{line}" for i, line in enumerate(lines, 1)]
    assert holds_three(read("\n".join(["cat,dog,owl,label", *ids]).encode()), NAMES)
    other = [f"{7 * i % 31},{line}" for i, line in enumerate(lines, 1)]
    refusal("\n".join(["cat,dog,owl,label", *other]).encode())


def test_a_quotation_mark_that_swallows_rows_is_refused():
    notes = ["fine"] * N
    for first, last in ((4, 21), (6, 7)):
        some = list(notes)
        some[first], some[last] = '"ouch', 'end"'
        for header, line in (
            ("p,note,label", "{p},{note},{y}"),
            ("p,label,note", "{p},{y},{note}"),
            ("note,p,label", "{note},{p},{y}"),
        ):
            text = [
                header,
                *(line.format(p=p, note=note, y=y) for p, note, y in zip(P, some, Y, strict=True)),
            ]
            assert "quotation mark" in refusal("\n".join(text).encode())
    several = table({"p": P, "note": ["one, two\nthree, four"] * N, "label": Y})
    assert holds(read(several))


def test_cases_that_begin_with_a_number_sign_are_not_dropped():
    lines = [f"{i},{p},{y}" for i, (p, y) in enumerate(zip(P, Y, strict=True), 1)]
    text = "\n".join(["#1" + lines[0][1:], "#2" + lines[1][1:], *lines[2:]])
    assert "Line 1 begins with '#' as comments do, and reads like a case" in refusal(text.encode())
    assert holds(read("\n".join(["# id,p,label", *lines]).encode()))
    assert holds(read("\n".join(["# made by model 3, 2024", "id,p,label", *lines]).encode()))


def test_a_blank_line_among_labels_is_a_question_of_its_own():
    lines = TRUE.tolist()
    labels = "\n".join(["label", *lines[:7], "", *lines[7:]]).encode()
    assert "A line is blank below value 7" in refusal(table(PROBS), labels=labels)
    shifted = "\n".join(["label", *lines[:7], "", *lines[8:], "cat"]).encode()
    assert "is blank" in refusal(table(PROBS), labels=shifted)
    assert holds_three(read(table(PROBS), labels="\n\n".join(["label", *lines]).encode()), NAMES)
    assert holds_three(read(table(PROBS), labels="\n".join(["", "label", *lines, "", ""]).encode()), NAMES)


def test_rounding_does_not_explain_what_is_missing():
    tenths = np.zeros((N, 20))
    tenths[:, :2] = 0.3
    names = {f"c{k:02}": tenths[:, k] for k in range(20)}
    assert "sums to 0.6" in refusal(table(names | {"label": ["c00", "c01"] * (N // 2)}))


# --- JSON and workbooks


def test_keys_of_json_are_kept_together():
    keys = [f"k{i}" for i in range(N)]
    probs = {name: dict(zip(keys, column.tolist(), strict=True)) for name, column in PROBS.items()}
    labels = dict(zip(keys, TRUE.tolist(), strict=True))
    turned = {key: labels[key] for key in reversed(keys)}
    for some in (labels, turned):
        assert holds_three(read(json.dumps(probs | {"label": some}).encode(), name="x.json"), NAMES)
    fewer = dict(list(turned.items())[1:]) | {"other": "cat"}
    assert "have other keys" in refusal(json.dumps(probs | {"label": fewer}).encode(), name="x.json")
    rows = {"probs": dict(zip(keys, THREE.tolist(), strict=True)), "labels": turned}
    data = json.dumps(rows | {"class_names": NAMES.tolist()}).encode()
    assert holds_three(read(data, name="x.json"), NAMES)
    bare = {"probs": rows["probs"], "labels": TRUE.tolist(), "class_names": NAMES.tolist()}
    assert "has a key for each value, and" in refusal(json.dumps(bare).encode(), name="x.json")
    frame = pd.DataFrame(PROBS | {"label": TRUE}, index=keys)
    for orient in ("index", "columns", "records", "split"):
        assert holds_three(read(frame.to_json(orient=orient).encode(), name="x.json"), NAMES)


def test_a_name_that_stands_twice_in_json_is_refused():
    text = '[{"p": 0.25, "label": 1, "p": 0.75}, {"p": 0.5, "label": 0}]'
    assert "The name 'p' stands twice" in refusal(text.encode(), name="x.json")
    assert "stands twice" in refusal(b'{"p": [0.1, 0.2], "label": [0, 1], "p": [0.3, 0.4]}', name="x.json")


def sheet(rows: Sequence[tuple[int, Sequence[Any]]]) -> bytes:
    """A workbook with these rows, by their numbers, in this order."""
    xml = b"".join(
        b'<row r="%d">' % line
        + b"".join(
            b'<c r="%c%d" t="str"><v>%s</v></c>' % (65 + j, line, str(cell).encode())
            if isinstance(cell, str)
            else b'<c r="%c%d"><v>%r</v></c>' % (65 + j, line, float(cell))
            for j, cell in enumerate(cells)
        )
        + b"</row>"
        for line, cells in rows
    )
    return sheet_of(SHEET_START + xml + SHEET_END)


def test_rows_of_a_sheet_in_any_order():
    rows = [(1, ["p", "label"]), *((i + 2, [p, float(y)]) for i, (p, y) in enumerate(zip(P, Y, strict=True)))]
    assert holds(read(sheet(rows), name="x.xlsx"))
    turned = [rows[i] for i in np.random.default_rng(6).permutation(len(rows))]
    assert holds(read(sheet(turned), name="x.xlsx"))


def test_two_values_at_one_place_of_a_sheet_are_refused():
    rows = [(1, ["p", "label"]), *((i + 2, [p, float(y)]) for i, (p, y) in enumerate(zip(P, Y, strict=True)))]
    assert "holds two values at one place" in refusal(sheet([*rows, (5, [0.5, 0.0])]), name="x.xlsx")
    assert holds(read(sheet([*rows, rows[3]]), name="x.xlsx"))
    book = openpyxl.Workbook()
    book.active.append(["p", "label"])
    assert "no cases" in refusal(written(book.save), name="x.xlsx")


def test_the_same_text_in_pieces_of_any_format_is_read_alike():
    frame = pd.DataFrame(PROBS | {"label": TRUE})
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    assert (
        read(buffer.getvalue()).predictions.fingerprint
        == read(table(PROBS | {"label": TRUE})).predictions.fingerprint
    )
