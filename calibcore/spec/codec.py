"""Strategy objects to JSON and back; unknown keys and kinds are refused with what is allowed.

What a field may hold is read off its annotation, once: :func:`check_fields` refuses a class with an
annotation that is not known here, so that no field is passed on unchecked.
"""

import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from types import EllipsisType, NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin

from calibcore.data.checks import shown
from calibcore.diagram.binning import BINNINGS, Binning
from calibcore.errors import InputError
from calibcore.kernels import KERNELS, Kernel
from calibcore.strategies import Strategies
from calibcore.transforms.lenses import LENSES, Lens
from calibcore.transforms.nulls import NULLS, Null

STRATEGIES: dict[object, Strategies] = {Lens: LENSES, Binning: BINNINGS, Kernel: KERNELS, Null: NULLS}
"""Annotation of a field that holds a strategy -> its kinds."""
MOST_NESTED = 10

_SCALARS: dict[object, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a finite number"),
    str: ((str,), "text"),
    NoneType: ((NoneType,), "null"),
}
"""Annotation -> the types that JSON may give there, and their words."""


class _MisfitError(Exception):
    """A value is not what its annotation says."""


def check_fields(cls: type) -> None:
    """Raises :class:`TypeError` for a dataclass with a field whose annotation is not known here."""
    for f in fields(cast(Any, cls)):
        try:
            _expected(f.type)
        except TypeError as error:
            raise TypeError(f"{cls.__name__}.{f.name}: {error}") from None


def _expected(annotation: object, within: bool = False) -> str:
    """What is expected, in words; within a list as JSON is written: ``[[text, [text, …]], …]``."""
    if annotation in STRATEGIES:
        kinds = STRATEGIES[annotation]
        return f"a {kinds.sort}, one of {', '.join(kinds)}"
    if annotation in _SCALARS:
        words = _SCALARS[annotation][1]
        return words.removeprefix("a ") if within else words
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return " or ".join(_expected(part, within) for part in parts)
    if origin is tuple and parts:
        each = ["…" if part is Ellipsis else _expected(part, within=True) for part in parts]
        return f"[{', '.join(each)}]"
    raise TypeError(f"an annotation that settings cannot have: {annotation}")


def _converted(value: object, annotation: Any, depth: int) -> Any:
    """A value of JSON as its annotation says, lists as tuples; strategy objects may be made already."""
    if annotation in STRATEGIES:
        kinds = STRATEGIES[annotation]
        return value if type(value) in kinds.values() else decode(value, annotation, depth)
    if annotation in _SCALARS:
        types, _ = _SCALARS[annotation]
        fits = isinstance(value, types) and (isinstance(value, bool) <= (bool in types))
        # Whole numbers may be too large for a double; no comparison holds for what is not a number.
        if not fits or (float in types and not abs(cast(float, value)) <= sys.float_info.max):
            raise _MisfitError
        return value
    parts: tuple[Any, ...] = get_args(annotation)
    if get_origin(annotation) is not tuple:
        for part in parts:
            with suppress(_MisfitError):
                return _converted(value, part, depth)
        raise _MisfitError
    if not isinstance(value, list | tuple):
        raise _MisfitError
    each = parts[:1] * len(value) if isinstance(parts[-1], EllipsisType) else parts
    if len(each) != len(value):
        raise _MisfitError
    return tuple(_converted(v, part, depth) for v, part in zip(value, each, strict=True))


def converted(cls: type, values: Mapping[str, Any], what: str, depth: int = 0) -> dict[str, Any]:
    """Values of the fields of a dataclass ``cls`` as their annotations say, out of those of JSON.

    Raises
    ------
    InputError : names the field whose value is of another type, and what was expected.
    """
    result = dict(values)
    for f in fields(cast(Any, cls)):
        if f.name in values:
            try:
                result[f.name] = _converted(values[f.name], f.type, depth + 1)
            except _MisfitError:
                raise InputError(
                    f"{what} cannot be used: {f.name} is {shown(values[f.name])}; "
                    f"expected {_expected(f.type)}."
                ) from None
    return result


def mapping(document: object, what: str, allowed: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(document, Mapping):
        raise InputError(f"{what} {shown(document)}; expected an object with {', '.join(allowed)}.")
    unknown = [key for key in document if key not in allowed]
    if unknown:
        raise InputError(
            f"{what} given with the unknown key {shown(unknown[0])}; allowed: {', '.join(allowed)}."
        )
    return dict(document)


def encode(value: Any) -> Any:
    """A strategy object -> ``{"kind": …, field: …}``; tuples -> lists; the rest as it is."""
    if hasattr(value, "kind"):
        names = [f.name for f in fields(value)]
        return {"kind": value.kind} | {name: encode(getattr(value, name)) for name in names}
    return [encode(v) for v in value] if isinstance(value, tuple) else value


def decode(document: object, sort: object, depth: int = 1) -> Any:
    """The inverse of :func:`encode` for a ``sort`` of strategy, such as :class:`.Lens`.

    Nested at most :data:`MOST_NESTED` deep.
    """
    kinds = STRATEGIES[sort]
    what = kinds.sort
    if depth > MOST_NESTED:
        raise InputError(f"The {what} is nested more than {MOST_NESTED} deep.")
    if not isinstance(document, Mapping):
        raise InputError(f"The {what} is {shown(document)}; expected one of {', '.join(kinds)}.")
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise InputError(f"There is no {what} of kind {shown(kind)}; expected one of {', '.join(kinds)}.")
    cls = kinds[kind]
    names = tuple(f.name for f in fields(cast(Any, cls)))
    values = mapping(document, f"The {what} {kind!r} is", ("kind", *names))
    del values["kind"]
    made = converted(cls, values, f"The {what} {kind!r}", depth)
    try:
        return cls(**made)
    except (TypeError, AttributeError) as error:
        raise InputError(
            f"The {what} {kind!r} cannot be used: a value is missing or of the wrong type."
        ) from error


for _kinds in STRATEGIES.values():
    for _class in _kinds.values():
        check_fields(_class)
