"""What the user says about a file, as words: what is typed, and the flags of the command line."""

import csv
import shlex
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from calibcore.errors import InputError
from calibcore.io.left_out import rows_in_words
from calibcore.io.options import ReadOptions

_PLACES = {"label_column": "NAME", "class_names": "A,B,…", "probability_columns": "A,B,…"}
"""What the value of a flag is called where only a person knows it."""


def names_from_words(words: str) -> tuple[str, ...] | None:
    """Names separated by commas; one that holds a comma stands in quotation marks. None for no names."""
    try:
        names = next(csv.reader([words], skipinitialspace=True), [])
    except csv.Error:
        raise InputError(f"The names are {words!r:.60}; expected one line, as in cat, dog, bird.") from None
    return tuple(name.strip() for name in names) if words.strip() else None


def names_in_words(names: Sequence[str]) -> str:
    """The inverse of :func:`names_from_words`."""
    return ",".join(f'"{n.replace(chr(34), 2 * chr(34))}"' if {*n} & {*',"'} else n for n in names)


def flags_of(options: ReadOptions, before: ReadOptions = ReadOptions()) -> tuple[str, ...]:
    """The flags of the command line that say what ``options`` say beyond ``before``."""
    found: list[str] = []
    for one in fields(ReadOptions):
        value = getattr(options, one.name)
        if value not in (getattr(before, one.name), one.default):
            found += [_name(one.name), *_value(one.name, value)]
    return tuple(found)


def _name(field: str) -> str:
    return f"--{field.replace('_', '-')}"


def _value(field: str, value: Any) -> tuple[str, ...]:
    if field == "renormalise":
        return ()
    if field == "leave_out_rows":
        return (rows_in_words(value),)
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    words = names_in_words(value) if isinstance(value, tuple) else str(value)
    return ("tab" if words == "\t" else words,)


def with_flags(error: InputError, options: ReadOptions) -> str:
    """The sentence of an error with the flags that would mend it, beside those of ``options``."""
    ways: list[str] = []
    for remedy in error.remedies:
        if remedy.asks:
            flags = f"{_name(remedy.asks)} {_PLACES[remedy.asks]}"
        else:
            flags = shlex.join(flags_of(options.mended(remedy), options))
        first = ", ".join(f"{name} {cell}" for name, cell in remedy.rows[0].items()) if remedy.rows else ""
        words = remedy.words if not ways else remedy.words[0].lower() + remedy.words[1:]
        ways.append(f"{words} with {flags}" + (f" (first row: {first})" if first else ""))
    return f"{error} {'; or '.join(ways)}." if ways else str(error)
