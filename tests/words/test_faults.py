"""What programs are told of a file that cannot be read: where it lies, and what mends it."""

import pytest

from calibcore.cli.flags import options_from
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.io import read
from calibcore.remote.fields import arguments_of
from calibcore.words.faults import fault_of, in_words, where


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Row 1,204 sums to 1.2. Rows must sum to 1.", {"row": 1204}),
        ("3 of 9 rows have no number (row 2 is empty, row 5 is empty).", {"row": 2}),
        ("Row 7 has 1.2 in column 'p(cat)'.", {"row": 7, "column": "p(cat)"}),
        ('Row 7 has 1.2 in column "it\'s".', {"row": 7, "column": "it's"}),
        ("The column 'row 3' stands twice; columns must differ.", {"column": "row 3"}),
        ("Column 2 is of type list.", {"column": 2}),
        ("It has \x00 in column 'a'.", {"column": "a"}),
        ("There is no column 'abc…'.", {}),
        ("Expected a table. 'column 3' is none.", {}),
        ("The columns are 'a', 'b'.", {}),
    ],
)
def test_row_and_column_are_read_off_the_sentence(sentence: str, expected: dict[str, object]) -> None:
    assert where(sentence) == expected


def test_of_a_file_that_is_refused_all_is_told() -> None:
    with pytest.raises(InputError) as caught:
        read(b"cat,dog,label\n0.2,0.8,cat\n0.2,oops,dog\n0.3,0.7,cat\n0.4,0.6,dog\n", name="x.csv")
    fault = fault_of(caught.value)
    assert fault["error"] == str(caught.value)
    assert fault["row"] == 2
    assert fault["column"] == "dog"
    assert {"leave_out_rows": "2"} in [remedy.get("fields") for remedy in fault["remedies"]]


def test_what_mends_a_file_can_be_sent_as_it_is_said() -> None:
    with pytest.raises(InputError) as caught:
        Predictions.from_arrays([[0.9, 0.3], [0.5, 0.5]], [0, 1])
    assert fault_of(caught.value)["row"] == 1
    change = {
        "renormalise": True, "swap_files": False, "class_names": ("a,b", "c"), "leave_out_rows": (1, 2, 3, 9),
        "label_base": 1, "delimiter": "\t", "rows_where": ("model=a",),
    }  # fmt: skip
    sent = [("predictions", "x.csv"), *in_words(change).items()]
    options = options_from(arguments_of("survey", sent, "full"))
    assert {name: getattr(options, name) for name in change} == change
