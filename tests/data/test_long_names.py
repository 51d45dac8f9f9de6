"""Names that are longer than a page: sentences that name them stay sentences."""

from collections.abc import Callable

import numpy as np
import pytest

from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.io.options import ReadOptions
from calibcore.io.reader import read
from calibcore.settings.words import binning_from_words, lens_from_words
from calibcore.transforms.lenses import ClassLens, GroupsLens
from calibcore.wording import LONGEST_LIST, LONGEST_QUOTE, listed

LONG = "x" * 10_000
NAMES = tuple(f"{LONG}{k}" for k in range(30))
TABLE = b"a,b,c,label\n0.2,0.3,0.5,a\n0.1,0.2,0.7,b\n0.3,0.3,0.4,c\n"


def predictions(names: tuple[str, ...] = NAMES) -> Predictions:
    m = len(names)
    return Predictions(np.full((4, m), 1 / m), np.arange(4), class_names=names)


REFUSED: dict[str, Callable[[], object]] = {
    "names that stand twice": lambda: Predictions.from_arrays(
        np.full((4, 3), 1 / 3), np.arange(3), (LONG, LONG, "c")
    ),
    "an order of other names": lambda: predictions().in_order(("c", "a", "b")),
    "an order of long names": lambda: predictions(("a", "b", "c", "d")).in_order(NAMES),
    "a class that is not there": lambda: ClassLens(LONG)(predictions()),
    "a class in two groups": lambda: GroupsLens((("a", NAMES[:2]), (LONG, NAMES[1:])))(predictions()),
    "an empty group": lambda: GroupsLens(((LONG, ()), ("b", NAMES)))(predictions()),
    "groups of one name": lambda: GroupsLens(((LONG, NAMES[:2]), (LONG, NAMES[2:]))),
    "classes in no group": lambda: GroupsLens((("a", NAMES[:2]), ("b", NAMES[2:4])))(predictions()),
    "a number of classes": lambda: lens_from_words(f"top-k:{LONG}"),
    "a number of bins": lambda: binning_from_words(f"uniform:{LONG}"),
    "an example": lambda: load_example(LONG),
    "a column of labels": lambda: read(TABLE, name="t.csv", options=ReadOptions(label_column=LONG)),
    "an order in a file": lambda: read(
        TABLE, name="t.csv", options=ReadOptions(class_names=NAMES[:3], ordered=("c", "a", "b"))
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_refusal_of_long_names_is_short(what) -> None:
    with pytest.raises(InputError) as refused:
        REFUSED[what]()
    assert 20 < len(str(refused.value)) < 1_000


def test_a_list_of_names_has_an_end() -> None:
    assert listed(("a", "b")) == "'a', 'b'"
    assert listed(tuple("abcde"), 3) == "'a', 'b', 'c' and 2 more"
    text = listed(NAMES)
    assert len(text) < LONGEST_LIST + 2 * LONGEST_QUOTE
    assert text.endswith("…' and 24 more")
