"""What would mend a refused file: each remedy does, is said on the command line, and can be said by flags."""

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from calibcore.cli.arguments import parser
from calibcore.cli.flags import options_from
from calibcore.errors import InputError, Remedy
from calibcore.io import Reading, ReadOptions, read
from calibcore.io.options import names_from_words, names_in_words, rows_from_words, rows_in_words
from calibcore.words.readings import with_flags
from calibcore.words.repeating import in_flags
from tests.cli.commands import run
from tests.io.io_errors import GOOD, csv, written

NAMES = ["a", "b", "c", "label"]


def offered(data: bytes, name: str = "x.csv", labels: bytes | None = None, **options) -> dict[str, Remedy]:
    """By their words."""
    with pytest.raises(InputError) as caught:
        read(data, name=name, labels=labels, labels_name="y.csv", options=ReadOptions(**options))
    return {remedy.words: remedy for remedy in caught.value.remedies}


def test_a_value_above_1_among_probabilities_is_refused_and_not_divided() -> None:
    for scale, header in ((1, "a,b,c,label"), (100, "a %,b %,c %,label")):
        rows = [[str(float(x) * scale) for x in row[:3]] + row[3:] for row in GOOD]
        rows[4][0], rows[7][2] = f"{1.7 * scale:g}", str(float(rows[7][2]) + 0.2 * scale)
        data = ("\n".join([header, *map(",".join, rows)]) + "\n").encode()
        assert [remedy.change for remedy in offered(data).values()] == [{"leave_out_rows": (5, 8)}]
        with pytest.raises(InputError, match=f"Row 5 has {1.7 * scale:g} in column 'a") as caught:
            read(data, options=ReadOptions(renormalise=True))
        assert [remedy.change for remedy in caught.value.remedies] == [{"leave_out_rows": (5,)}]
        rest = read(data, options=ReadOptions(renormalise=True, leave_out_rows=(5,)))
        assert "1 row was divided by the row's sum" in " ".join(rest.notes)


@pytest.mark.parametrize("scale", [1.048, 0.97])
def test_probabilities_that_were_multiplied_are_divided_however_sure(scale: float) -> None:
    rows = [f"{0.999 * scale!r},{0.001 * scale!r},a", f"{0.3 * scale!r},{0.7 * scale!r},b"] * 6
    data = ("\n".join(["a,b,label", *rows]) + "\n").encode()
    assert read(data, options=ReadOptions(renormalise=True)).predictions.probs[0, 0] == pytest.approx(0.999)


def test_votes_and_counts_may_be_divided() -> None:
    for votes in ("1,0,0,a\n0,0,1,c\n3,2,0,b\n" * 4, "12.5,7.5,0,a\n5.5,1,1,c\n2,2,1,b\n" * 4):
        read(("a,b,c,label\n" + votes).encode(), options=ReadOptions(renormalise=True))


def mended(data: bytes, most: int = 6) -> tuple[Reading, ReadOptions]:
    """By leaving out whatever is offered to be left out, error after error."""
    options = ReadOptions()
    for _ in range(most):
        try:
            return read(data, name="x", options=options), options
        except InputError as error:
            options = options.mended(next(r for r in error.remedies if "leave_out_rows" in r.change))
    raise AssertionError("not mended")


def test_rows_are_left_out_one_error_after_the_other_by_their_own_numbers() -> None:
    data = csv((2, 2, "oops"), (5, 1, "0.9"), (7, 4, "zebra"), (9, 4, ""), (11, 3, "0.5,0.5"))
    found, options = mended(data)
    assert options.leave_out_rows == (2, 5, 7, 9, 11)
    kept = [row for i, row in enumerate(GOOD, 1) if i not in options.leave_out_rows]
    assert_array_equal(found.predictions.probs, np.array([row[:3] for row in kept], float))
    assert [found.predictions.class_names[k] for k in found.predictions.labels] == [row[3] for row in kept]
    assert "5 of 12 rows were left out, as asked: 2, 5, 7, 9, 11." in found.predictions.notes


def test_blank_lines_and_quoted_lines_do_not_move_the_numbers() -> None:
    lines = csv((3, 2, "oops"), (6, 2, "oops")).decode().splitlines()
    lines[2:2] = ["", "   "]
    lines = [line.replace(",a", ',"a"') for line in lines]
    text = "\n".join(
        [f"{lines[0]},note", *(f'{line},"one\n\ntwo"' if line.strip() else line for line in lines[1:])]
    )
    found, options = mended(text.encode())
    assert options.leave_out_rows == (3, 6)
    assert found.predictions.n == 10


def in_every_format() -> dict[str, bytes]:
    rows = [[float(x) for x in row[:3]] + row[3:] for row in GOOD]
    rows[2][1], rows[6][0] = None, -0.5
    frame = pd.DataFrame(rows, columns=NAMES)
    book = openpyxl.Workbook()
    for row in [NAMES, *rows]:
        book.active.append(row)
    probs, labels = frame[NAMES[:3]].to_numpy(), frame["label"].to_numpy(str)
    return {
        "csv": frame.to_csv(index=False).encode(),
        "gz": written(frame.to_csv, index=False, compression={"method": "gzip", "mtime": 1}),
        "xlsx": written(book.save),
        "parquet": written(frame.to_parquet),
        "feather": written(frame.to_feather),
        "records": json.dumps(frame.replace({np.nan: None}).to_dict("records")).encode(),
        "rows": json.dumps([NAMES, *rows]).encode(),
        "npz": written(np.savez, probs=probs, labels=labels, class_names=NAMES[:3]),
    }


@pytest.mark.parametrize("kind", in_every_format())
def test_rows_are_left_out_of_every_format(kind: str) -> None:
    found, options = mended(in_every_format()[kind])
    assert options.leave_out_rows == (3, 7)
    assert found.predictions.n == 10
    assert_array_equal(found.predictions.probs[2], [0.2, 0.3, 0.5])  # the fourth row


def test_rows_are_left_out_of_both_files() -> None:
    rows = "".join(",".join(row[:3]) + "\n" for row in GOOD)
    labels = "truth\n" + "".join(row[3] + "\n" for row in GOOD).replace("c\n", "zebra\n", 1)
    (remedy,) = offered(f"a,b,c\n{rows}".encode(), labels=labels.encode()).values()
    found = read(f"a,b,c\n{rows}".encode(), labels=labels.encode(), options=ReadOptions().mended(remedy))
    assert remedy.change == {"leave_out_rows": (2,)}
    assert found.predictions.n == 11
    assert "Row 2 of 12 was left out, as asked." in found.notes


def test_rows_that_are_not_there_cannot_be_left_out() -> None:
    for data, name in ((csv(), "x.csv"), (in_every_format()["npz"], "x.npz")):
        with pytest.raises(InputError, match="Row 99 cannot be left out: there are 12 rows"):
            read(data, name=name, options=ReadOptions(leave_out_rows=(3, 99)))
    with pytest.raises(InputError, match="numbered from 1; row 0"):
        read(csv(), options=ReadOptions(leave_out_rows=(0,)))
    with pytest.raises(InputError, match="There are no cases"):
        read(csv(), options=ReadOptions(leave_out_rows=tuple(range(1, 13))))


def test_half_the_rows_are_not_offered_to_be_left_out() -> None:
    bad = [(i, 1, "-1") for i in range(1, 7)]
    assert [remedy.fields for remedy in offered(csv(*bad[:5])).values()] == [{"leave_out_rows"}]
    assert not [remedy for remedy in offered(csv(*bad)).values() if "leave_out_rows" in remedy.change]


PROBS = "a,b,c\n" + "".join(",".join(row[:3]) + "\n" for row in GOOD)
TRUTH = "label\n" + "".join(row[3] + "\n" for row in GOOD)


@pytest.mark.parametrize("truth", [TRUTH, TRUTH.replace("label\n", "")])
def test_files_given_the_other_way_round_are_swapped_and_that_is_said(truth: str) -> None:
    straight = read(PROBS.encode(), name="p.csv", labels=truth.encode(), labels_name="t.csv")
    found = read(truth.encode(), name="t.csv", labels=PROBS.encode(), labels_name="p.csv")
    assert found.predictions.fingerprint == straight.predictions.fingerprint
    assert (found.swapped, straight.swapped) == (True, False)
    assert found.notes[1] == (
        "The two files were swapped (by what they hold): the predictions are in 'p.csv', the labels in "
        "'t.csv'."
    )
    assert found.label_source == "file:t.csv"
    with pytest.raises(InputError):
        read(truth.encode(), labels=PROBS.encode(), options=ReadOptions(swap_files=False))


def test_arrays_given_the_other_way_round_are_swapped() -> None:
    labels = np.array([2, 0, 1] * 4)
    probs = np.array([[float(x) for x in row[:3]] for row in GOOD])
    found = read(written(np.savez, labels=labels), labels=written(np.savez, probs=probs), name="y.npz")
    assert_array_equal(found.predictions.probs, probs)
    found = read(written(np.save, labels), labels=written(np.save, probs))
    assert_array_equal(found.predictions.labels, labels)


def test_files_that_may_be_swapped_are_not_without_a_word() -> None:
    truth = "id,site,label\n" + "".join(f"{i},{i % 5},{row[3]}\n" for i, row in enumerate(GOOD))
    remedies = offered(truth.encode(), labels=PROBS.encode())
    swap = remedies["Swap the two files"]
    found = read(truth.encode(), labels=PROBS.encode(), options=ReadOptions().mended(swap))
    assert_array_equal(found.predictions.probs[0], [0.2, 0.3, 0.5])
    assert found.notes[1].startswith("The two files were swapped (as asked)")


def test_one_column_of_probabilities_is_not_taken_for_labels() -> None:
    for labels in ("y\n0\n1\n1\n", "y,p0,p1\n0,0.5,0.5\n1,0,1\n1,1,0\n"):
        assert not read(b"p\n0.25\n0.75\n0.5\n", labels=labels.encode()).swapped


def test_columns_are_known_whether_or_not_a_file_is_read() -> None:
    found = read(csv())
    assert (found.columns, found.label_columns) == (tuple(NAMES), ())
    with pytest.raises(InputError) as caught:
        read(b"u,v,w,z\n" + b".2,.3,.5,5\n" * 3, labels=b"x,y\n" + b"1,2\n" * 3)
    assert caught.value.columns == ("u", "v", "w", "z")
    assert caught.value.label_columns == ("x", "y")


def test_a_file_of_labels_offers_its_columns_with_their_first_rows() -> None:
    truth = "".join(f"{row[3]},{'bca'['abc'.index(row[3])]}\n" for row in GOOD)
    one, two = offered(PROBS.encode(), labels=("mine,theirs\n" + truth).encode()).values()
    assert (one.change, two.change) == ({"label_column": "mine"}, {"label_column": "theirs"})
    assert two.rows[0] == {"a": "0.2", "b": "0.3", "c": "0.5", "was": "b"}
    assert [row["was"] for row in two.rows] == list("bac")
    one, two = offered(PROBS.encode(), labels=truth.encode(), header=None).values()
    found = read(PROBS.encode(), labels=truth.encode(), options=ReadOptions().mended(two))
    assert found.predictions.n == 12


EVERY = ReadOptions(
    label_column="the label",
    probability_columns=("p, 1", "p2"),
    values="percent",
    label_base=1,
    label_says="right",
    header=False,
    delimiter="\t",
    class_names=("a, b", 'c "d"', "e"),
    renormalise=True,
    transpose=True,
    model="a, b",
    model_column="the model",
    count_column="n",
    weight_column="w",
    leave_out_rows=(3, 17, 18, 19, 40),
    swap_files=True,
    join="case id",
    sample=60,
    columns_are=("e", "a, b", "c"),
    rows_where=("model=a, b", "seed=1"),
    confidence_column="how sure",
    prediction_column="said",
    correct_column="right, or not",
    confidence_words=("very high=0.9", "low, or none=20%"),
    by_length=True,
    label="pleural effusion, left",
    unsure_labels="no",
    ordered=("e", "a, b", "c"),
)


def test_every_option_is_a_flag_and_comes_back_from_it() -> None:
    assert not [one.name for one in fields(ReadOptions) if getattr(EVERY, one.name) == one.default]
    for options in (EVERY, ReadOptions(), replace(EVERY, header=True, swap_files=False, delimiter=";")):
        arguments = parser().parse_args(["survey", "x.csv", *in_flags(options)[0]])
        assert options_from(arguments) == options


def test_rows_and_names_as_words() -> None:
    assert rows_from_words(" 3, 17;40 25 – 27,26") == (3, 17, 25, 26, 27, 40)
    assert rows_in_words((3, 17, 25, 26, 27, 40)) == "3,17,25-27,40"
    for words in ("x", "0", "5-3", "1-999999999", "-4", "3.5"):
        with pytest.raises(InputError, match="expected their numbers"):
            rows_from_words(words)
    assert rows_from_words("") == ()
    for names in (("a", 'd"e'), ("b, c", "d"), ("[a]", "b"), (" a", "b"), ('["', "é"), ("a",)):
        assert names_from_words(names_in_words(names)) == names
    assert names_from_words(" ") is None
    assert names_in_words(()) == ""
    assert names_in_words(("cat", "dog")) == "cat,dog"


def test_the_command_line_says_the_flags_of_all_that_is_left_out_so_far() -> None:
    before = ReadOptions(leave_out_rows=(2,))
    with pytest.raises(InputError) as caught:
        read(csv((2, 2, "oops"), (5, 1, "0.9")), options=before)
    assert with_flags(caught.value, before) == (
        "Row 5 sums to 1.8. Rows must sum to 1. Rows are counted below the names: row 5 is row 6 of a "
        "spreadsheet. Divide every row by its sum with --renormalise; or leave out this row with "
        "--leave-out-rows 2,5."
    )


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(csv((5, 2, "oops")))

    words = ("diagnose", path, "--resamples", 19, "--json")
    code, said, error = run(capsys, *words)
    assert error == (
        "Row 5 has 'oops' in column 'b'. Expected a number in every cell. Rows are counted below the names: "
        "row 5 is row 6 of a spreadsheet. Leave out this row with --leave-out-rows 5.\n"
    )
    assert (code, said) == (2, "")
    assert json.loads(run(capsys, *words, "--leave-out-rows", 5)[1])["data"]["n"] == 11
