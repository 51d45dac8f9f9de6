"""The codec: of every shape of annotation what is written is as its schema says, and comes back as it was."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, ClassVar, Literal, NotRequired, TypedDict

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from numpy.typing import NDArray

from calibcore.bounds import As, Count, Holds, Length, NullIs, OneOf, Shape, Share, Within
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.settings.annotations import expected, unnamed
from calibcore.settings.codec import form_of, from_entry, schema_of_object, write_object
from calibcore.settings.forms import Shared
from calibcore.settings.layout import headed
from calibcore.transforms.lenses import CanonicalLens, Lens, RegionLens


class Known(TypedDict):
    """An object of which every key is known."""

    a: Share
    b: NotRequired[str | None]


@dataclass(frozen=True)
class Within2:
    """A part of another object."""

    NAMES: ClassVar = {"y": "why"}

    x: Share
    y: str = ""


@dataclass(frozen=True)
class Spread:
    """What stands among other keys."""

    NAMES: ClassVar = {"pvalue": "p_value"}

    statistic: float
    pvalue: Share


@dataclass(frozen=True, eq=False)
class Everything:
    """One field of each shape."""

    HEAD: ClassVar = headed("everything")
    NAMES: ClassVar = {"n": "data.n", "m": "data.m", "beside": "part.beside", "doubled": "twice"}
    KEYS: ClassVar = (
        "n", "m", "flag", "number", "infinite", "share", "word", "literal", "text", "either", "pair", "many",
        "some", "lines", "grid", "whole", "flags", "names", "numbered", "known", "part", "beside", "lens",
        "spread", "optional", "doubled", "through",
    )  # fmt: skip
    READ: ClassVar = ("secret",)
    OPTIONAL: ClassVar = ("optional",)
    SPREAD: ClassVar = ("spread",)

    n: Count
    m: Annotated[int, Within(2, 10)]
    flag: bool
    number: float
    infinite: Annotated[float, NullIs(math.inf)]
    share: Annotated[float, Within(0, 1, strict=True)]
    word: Annotated[str, OneOf("a", "b")]
    literal: Literal["x", "y"]
    text: Annotated[str, Length(1, 5)]
    either: int | str | None
    pair: tuple[str, float]
    many: Annotated[tuple[Share, ...], Length(1)]
    some: frozenset[str]
    lines: Annotated[list[Float], Shape("rows", "columns"), Length(0, 9)]
    grid: Annotated[Float, Shape("rows", "columns"), NullIs(math.nan)]
    whole: Annotated[Int, Shape("rows"), Within(0, 9)]
    flags: Annotated[NDArray[np.bool_], Shape("rows")]
    names: Annotated[Mapping[str, float], Holds("must")]
    numbered: Mapping[float, str]
    known: Annotated[Mapping[str, Any], As(Known)]
    part: Within2
    beside: Share
    lens: Lens
    spread: Spread | None
    secret: float = 0.0
    optional: Within2 | None = None
    through: Annotated[str, As(str | None, lambda text: text or "", lambda text: text or None)] = ""
    not_told: float = field(default=7.0)

    @property
    def doubled(self) -> Count:
        """What follows from the rest."""
        return 2 * self.n


GRID = np.array([[0.5, math.nan, 1.0], [2.0, 3.0, 4.0]])
FULL = Everything(
    3, 2, True, 1.5, math.inf, 0.5, "a", "y", "abc", "text", ("a", 1.0), (0.0, 1.0), frozenset({"b", "a"}),
    [np.array([1.0, 2.0, 3.0]), np.zeros(3)], GRID, np.array([1, 2]), np.array([True, False]), {"must": 1.0},
    {0.5: "half"}, {"a": 0.5, "b": None}, Within2(0.5, "so"), 0.25,
    RegionLens(CanonicalLens(), "a", 0.1, 0.9), Spread(0.1, 0.2), optional=Within2(1.0),
)  # fmt: skip
BARE = replace(FULL, either=None, infinite=2.0, spread=None, optional=None, through="now", some=frozenset())


def schema() -> dict[str, Any]:
    shared = Shared()
    return schema_of_object(Everything, shared) | {"$defs": shared.schemas, "additionalProperties": False}


@pytest.mark.parametrize("of", [FULL, BARE], ids=["full", "bare"])
def test_what_is_written_is_as_the_schema_says_and_comes_back(of: Everything) -> None:
    document = write_object(of)
    Draft202012Validator(schema()).validate(document)
    again = from_entry(Everything, document)
    for f in fields(Everything):
        np.testing.assert_equal(getattr(again, f.name), getattr(of, f.name), f.name)


def test_it_stands_where_the_class_says() -> None:
    full, bare = write_object(FULL), write_object(BARE)
    assert list(full)[:4] == ["schema", "document", "data", "flag"]
    assert full["data"] == {"n": 3, "m": 2}
    assert full["part"] == {"x": 0.5, "why": "so", "beside": 0.25}
    assert (full["infinite"], full["grid"][0][1], full["some"]) == (None, None, ["a", "b"])
    assert (full["numbered"], full["twice"], full["through"]) == ([[0.5, "half"]], 6, None)
    assert (full["statistic"], full["p_value"]) == (0.1, 0.2)
    assert (bare["statistic"], bare["p_value"], bare["through"]) == (None, None, "now")
    assert "optional" not in bare
    assert not {"secret", "not_told", "spread"} & (full.keys() | bare.keys())


def test_what_is_not_among_its_keys_is_read_where_the_class_says_so_alone() -> None:
    again = from_entry(Everything, write_object(FULL) | {"secret": 1.0, "not_told": 1.0})
    assert (again.secret, again.not_told) == (1.0, 7.0)


BEYOND = ("is inf;", "entries; expected 1", "rows; expected", "twice", "'z'", "p_value is None")
"""What a schema cannot say, or leaves open."""
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"data": {"n": -1, "m": 2}}, r"data\.n is -1; expected a whole number from 0 to"),
    ({"data": {"n": 1}}, r"data\.m is missing"),
    ({"data": 3}, r"data is 3; expected an object"),
    ({"flag": 1}, r"flag is 1; expected true or false"),
    ({"number": math.inf}, r"number is inf; expected a finite number"),
    ({"share": 0}, r"share is 0; expected a finite number above 0, 1 at most"),
    ({"word": "c"}, r"word is 'c'; expected one of 'a', 'b'"),
    ({"text": ""}, r"text has 0 characters; expected 1 to 5"),
    ({"either": 1.5}, r"either is 1\.5; expected a whole number or text or null"),
    ({"pair": ["a"]}, r"pair is \['a'\]; expected \[text, finite number\]"),
    ({"many": [0.5, 2]}, r"many\[1\] is 2; expected a finite number from 0 to 1"),
    ({"grid": [[1.0], [2.0, 3.0]]}, r"grid\[1\] has 2 entries; expected 1"),
    ({"whole": [1]}, r"whole has 1 rows; expected 2, as lines has"),
    ({"flags": [True, 1]}, r"flags\[1\] is 1; expected true or false"),
    ({"names": {}}, r"names\.must is missing"),
    ({"numbered": [[1, "a"], [1, "b"]]}, r"numbered\[1\] names 1 twice"),
    ({"known": {"a": 0.5, "c": 1}}, r"known has the unknown key 'c'; allowed: a, b"),
    (
        {"part": {"x": 0.5, "why": "", "beside": 0.5, "z": 1}},
        r"part has the unknown key 'z'; allowed: x, why",
    ),
    ({"part": {"x": 0.5}}, r"part\.beside is missing"),
    ({"p_value": 2}, r"p_value is 2; expected a finite number from 0 to 1"),
    ({"p_value": None}, r"p_value is None; expected a finite number from 0 to 1"),
    ({"lens": {"kind": "top"}}, r"There is no lens of kind 'top'"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG, ids=[sentence[:30] for _, sentence in WRONG])
def test_what_does_not_fit_is_named_with_its_path(change: dict[str, Any], sentence: str) -> None:
    document = write_object(FULL) | change
    with pytest.raises(InputError, match=sentence):
        from_entry(Everything, document)
    valid = Draft202012Validator(schema()).is_valid(document)
    assert valid == any(words in sentence for words in BEYOND)


def test_a_form_is_made_once() -> None:
    assert form_of(Share) is form_of(Annotated[float, Within(0, 1)])


class Named:
    """Stands for a name of Python 3.12's statement ``type``, with a parameter and without."""

    def __init__(self, value: Any) -> None:
        self.__value__ = value


def test_an_annotation_may_have_a_name_as_numpys_arrays_have_since_2_5() -> None:
    assert unnamed(Named(float)) is float
    assert unnamed(Named(Named(str))) is str
    assert unnamed(list[int]) == list[int]
    assert form_of(Named(int)).write(3) == 3
    array = form_of(NDArray[np.float64])
    assert array.write(np.array([0.5])) == [0.5]
    assert expected(NDArray[np.float64]) == "a list"
