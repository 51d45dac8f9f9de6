"""Strategy objects to JSON and back; unknown keys and kinds are refused with what is allowed."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from types import NoneType
from typing import Any, cast

from calibcore.checks import InputError, shown

MOST_NESTED = 10

_WANTED: dict[object, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    int | None: ((int, NoneType), "a whole number or null"),
    float: ((int, float), "a number"),
    str: ((str,), "text"),
    str | float: ((str, int, float), "text or a number"),
}
"""Annotation of a field -> the types that JSON may give there, and their words."""


def check_types(cls: type, values: Mapping[str, Any], what: str) -> None:
    """Refuses values whose type is not the one that the dataclass ``cls`` states."""
    for f in fields(cast(Any, cls)):
        if f.name in values and f.type in _WANTED:
            check_type(what, f.name, values[f.name], f.type)


def check_type(what: str, name: str, value: object, annotation: object) -> None:
    types, words = _WANTED[annotation]
    fits = isinstance(value, types) and (isinstance(value, bool) <= (bool in types))
    # Whole numbers may be too large for a double.
    if not fits or (isinstance(value, int) and float in types and abs(value) > sys.float_info.max):
        raise InputError(f"{what} cannot be used: {name} is {shown(value)}; expected {words}.")


def built(make: Callable[[], Any], what: str) -> Any:
    """Call ``make``; a value of the wrong type becomes a sentence."""
    try:
        return make()
    except (TypeError, AttributeError) as error:
        raise InputError(f"{what} cannot be used: a value is missing or of the wrong type.") from error


def mapping(document: object, what: str, allowed: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(document, Mapping):
        raise InputError(f"{what} {shown(document)}; expected an object with {', '.join(allowed)}.")
    unknown = [key for key in document if key not in allowed]
    if unknown:
        raise InputError(
            f"{what} given with the unknown key {shown(unknown[0])}; allowed: {', '.join(allowed)}."
        )
    return dict(document)


def as_list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise InputError(f"The setting {name!r} is {shown(value)}; expected a list.")
    return list(value)


def encode(value: Any) -> Any:
    """A strategy object -> ``{"kind": …, field: …}``; tuples -> lists; the rest as it is."""
    if hasattr(value, "kind"):
        names = [f.name for f in fields(value)]
        return {"kind": value.kind} | {name: encode(getattr(value, name)) for name in names}
    return [encode(v) for v in value] if isinstance(value, tuple) else value


def decode(document: object, kinds: Mapping[str, type], what: str, depth: int = 1) -> Any:
    """The inverse of :func:`encode` for one of ``kinds``, nested at most :data:`MOST_NESTED` deep."""
    if depth > MOST_NESTED:
        raise InputError(f"The {what} is nested more than {MOST_NESTED} deep.")
    kind = document.get("kind") if isinstance(document, Mapping) else None
    if not isinstance(kind, str) or kind not in kinds:
        raise InputError(f"There is no {what} of kind {shown(kind)}; expected one of {', '.join(kinds)}.")
    names = tuple(f.name for f in fields(kinds[kind]))
    values = mapping(document, f"The {what} {kind!r} is", ("kind", *names))
    del values["kind"]
    if "lens" in values:
        values["lens"] = decode(values["lens"], kinds, what, depth + 1)
    if "groups" in values:
        values["groups"] = tuple((name, tuple(members)) for name, members in _groups(values["groups"]))
    check_types(kinds[kind], values, f"The {what} {kind!r}")
    return built(lambda: kinds[kind](**values), f"The {what} {kind!r}")


def _groups(value: object) -> list[tuple[str, list[str]]]:
    pairs = as_list(value, "groups")
    for pair in pairs:
        fits = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], list)
        if not fits or not all(isinstance(name, str) for name in (pair[0], *pair[1])):
            raise InputError(f'A group is {shown(pair)}; expected ["name", ["class", "class"]].')
    return pairs
