"""The text of a document: JSON of bounded size and depth, in which every key stands once."""

import json
import math
from collections.abc import Mapping
from typing import Any

from calibcore.errors import InputError
from calibcore.settings.faults import FieldError, Key

MOST_CHARACTERS = 64_000_000
MOST_VALUES = 1_000_000
"""Entries of all lists and objects together: each takes some 50 to 100 bytes, however short it is written."""


class _Twice(dict[str, Any]):
    """An object that has a key twice."""

    name = ""


def parsed(text: str, what: str, most_values: int = MOST_VALUES) -> Mapping[str, Any]:
    """A JSON object out of text.

    Raises
    ------
    InputError : it is none, or too large; a key that stands twice in one object, with its path.
    """
    document = loaded(text, f"{what} is", most_values)
    if not isinstance(document, dict):
        raise InputError(f"{what} is not a JSON object.")
    return document


def loaded(text: str, start: str, most_values: int = MOST_VALUES) -> Any:
    """What JSON text holds; ``start`` is how a sentence about it begins: "The settings are".

    Raises
    ------
    InputError : as of :func:`parsed`, but for what is no object.
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"{start} {len(text):,} characters long; expected {MOST_CHARACTERS:,} characters at most."
        )
    if (values := sum(map(text.count, ",[{"))) > most_values:
        raise InputError(f"{start} a document of {values:,} values; expected {most_values:,} at most.")
    twice: list[_Twice] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) == len(pairs):
            return value
        names = set()
        repeated = _Twice(value)
        for name, _ in pairs:
            if name in names:
                repeated.name = name
            names.add(name)
        twice.append(repeated)
        return repeated

    try:
        document = json.loads(text, parse_float=_finite, parse_constant=_finite, object_pairs_hook=once)
    except RecursionError:
        raise InputError(f"{start} nested too deeply.") from None
    except ValueError as error:
        line = getattr(error, "lineno", 0)
        where = f" at line {line:,}, character {getattr(error, 'colno', 1):,}" if line else ""
        raise InputError(f"{start} not JSON{where}.") from None
    if twice:
        path = _path_of(twice, document)
        raise FieldError("stands twice in the JSON; expected it once", path).of(start.rpartition(" ")[0])
    return document


def _finite(text: str) -> float:
    """JSON has no word for what is not finite, but 1e999 would become it."""
    if not math.isfinite(value := float(text)):
        raise ValueError
    return value


def _path_of(twice: list[_Twice], document: Any) -> tuple[Key, ...]:
    """Where a key stands twice; its name alone where another object took the place of the one that has it."""
    left: list[tuple[tuple[Key, ...], Any]] = [((), document)] if isinstance(document, dict | list) else []
    while left:
        path, value = left.pop()
        if isinstance(value, _Twice):
            return (*path, value.name)
        items: Any = value.items() if isinstance(value, dict) else enumerate(value)
        left += [((*path, key), item) for key, item in items if isinstance(item, dict | list)]
    return (twice[0].name,)
