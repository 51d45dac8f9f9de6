"""What annotations of fields say: which values documents may have there, in words, and lengths that agree."""

from collections.abc import Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np

from calibcore.bounds import NullIs, Shape, Within
from calibcore.data.outside_text import shown
from calibcore.diagram.binning import BINNINGS, Binning
from calibcore.kernels import KERNELS, Kernel
from calibcore.settings import forms
from calibcore.settings.faults import FieldError
from calibcore.strategies import Strategies
from calibcore.transforms.lenses import LENSES, Lens
from calibcore.transforms.nulls import NULLS, Null

STRATEGIES: dict[object, Strategies] = {Lens: LENSES, Binning: BINNINGS, Kernel: KERNELS, Null: NULLS}
"""Annotation of a field that holds a strategy -> its kinds."""


def unnamed(kind: Any) -> Any:
    """An annotation in place of its name: numpy 2.5 names ``NDArray`` by a statement of Python 3.12."""
    name = get_origin(kind) or kind
    if not hasattr(name, "__value__"):
        return kind
    parts = get_args(kind)
    return unnamed(name.__value__[parts] if parts else name.__value__)


def expected(kind: Any, within: bool = False) -> str:
    """What is expected, in words; within a list as JSON is written: ``[[text, [text, …]], …]``."""
    kind = unnamed(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        words = expected(parts[0], within)
        bounds = [mark for mark in parts[1:] if isinstance(mark, Within)]
        nulls = [mark for mark in parts[1:] if isinstance(mark, NullIs)]
        return " ".join(filter(None, [words, *map(forms.in_words, bounds)])) + " or null" * bool(nulls)
    if kind in STRATEGIES:
        kinds = STRATEGIES[kind]
        return f"a {kinds.sort}, one of {', '.join(kinds)}"
    if kind in SCALARS:
        words = SCALARS[kind]
        return words.removeprefix("a ") if within else words
    if origin in (Union, UnionType):
        return " or ".join(expected(part, within) for part in parts)
    if origin is tuple and parts:
        each = ["…" if part is Ellipsis else expected(part, within=True) for part in parts]
        return f"[{', '.join(each)}]"
    if origin in (list, frozenset, np.ndarray):
        return "a list"
    if origin is Literal:
        return f"one of {', '.join(map(shown, parts))}"
    return "an object"


SCALARS: dict[object, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a finite number",
    str: "text",
    NoneType: "null",
}
"""Annotation -> what JSON may hold there, in words."""


def mark_among(marks: Sequence[Any], kind: type, instead: Any) -> Any:
    """The first mark of that type, else ``instead``."""
    return next((mark for mark in marks if isinstance(mark, kind)), instead)


@cache
def shape_of(kind: Any) -> Shape | None:
    """How long an array is by its annotation, if that says so."""
    if get_origin(kind) in (Union, UnionType):
        return next((s for part in get_args(kind) if (s := shape_of(part)) is not None), None)
    shape: Shape | None = (
        mark_among(get_args(kind)[1:], Shape, None) if get_origin(kind) is Annotated else None
    )
    return shape


def check_shape(value: Any, shape: Shape, dims: dict[str, tuple[int, str]], name: str) -> None:
    """Lengths of the same name are the same throughout an object."""
    sizes = []
    for _ in shape.dims:
        sizes.append(len(value))
        if not len(value):
            break
        if len({len(row) for row in value} if len(sizes) < len(shape.dims) else ()) > 1:
            raise FieldError("has rows of several lengths; expected one")
        value = value[0] if len(sizes) < len(shape.dims) else value
    for dim, size in zip(shape.dims, sizes, strict=False):
        most, first = dims.setdefault(dim, (size, name))
        if size != most:
            raise FieldError(f"has {size:,} {dim}; expected {most:,}, as {first} has")
