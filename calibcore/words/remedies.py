"""What would mend a file that cannot be read, as the command line says it."""

from dataclasses import fields

from calibcore.errors import InputError
from calibcore.io import ReadOptions
from calibcore.words.repeating import quoted, reading_flags

_ASKED = {
    "label_column": "--label-column NAME",
    "probability_columns": "--probability-columns A,B,…",
    "class_names": "--class-names A,B,…",
}
"""Flags whose value only a person knows."""


def with_flags(error: InputError, options: ReadOptions) -> str:
    """The sentence of an error and the flags that would mend it, beside those of ``options``."""
    ways: list[str] = []
    for remedy in error.remedies:
        flags = _ASKED[remedy.asks] if remedy.asks else flags_beyond(options.mended(remedy), options)
        first = ", ".join(f"{name} {cell}" for name, cell in remedy.rows[0].items()) if remedy.rows else ""
        words = remedy.words if not ways else remedy.words[0].lower() + remedy.words[1:]
        ways.append(f"{words} with {flags}" + (f" (first row: {first})" if first else ""))
    return f"{error} {'; or '.join(ways)}." if ways else str(error)


def flags_beyond(options: ReadOptions, before: ReadOptions) -> str:
    """The flags that say what ``options`` say beyond ``before``."""
    names = [one.name for one in fields(ReadOptions)]
    changes = {n: getattr(options, n) for n in names if getattr(options, n) != getattr(before, n)}
    return " ".join(map(quoted, reading_flags(ReadOptions(**changes))[0]))
