"""A fault of a file for programs: its sentence, where it lies, and what would mend it, as flags are typed."""

import re
from collections.abc import Mapping
from typing import Any

from calibcore.data.outside_text import visible
from calibcore.errors import InputError
from calibcore.flags import entries
from calibcore.io import ReadOptions

_QUOTED = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
_ROW = re.compile(r"\b[Rr]ow (\d[\d,]*)")
_COLUMN = re.compile(r"\b[Cc]olumn (?:\x00(\d+)\x00|(\d[\d,]*))")
_CUT = "…"


def fault_of(error: InputError) -> dict[str, Any]:
    """The sentence as ``error``; ``row`` and ``column``, of several the first, where it names them; and
    ``remedies``, each in words with the fields of a reading that it changes, or the one that it asks for."""
    fault: dict[str, Any] = {"error": visible(str(error))}
    fault |= where(str(error))
    if error.remedies:
        fault["remedies"] = [
            {"words": visible(remedy.words)}
            | ({"fields": in_words(remedy.change)} if remedy.change else {})
            | ({"asks": remedy.asks} if remedy.asks else {})
            for remedy in error.remedies
        ]
    return fault


def where(sentence: str) -> dict[str, Any]:
    """The first row and column that a sentence of ours names, beside what it quotes: ``{"row": 3, "column":
    "cat"}``. A column without a name has its number; a name that was cut is none."""
    quotes: list[str] = []

    def marked(match: re.Match[str]) -> str:
        quotes.append(match[0])
        return f"\x00{len(quotes) - 1}\x00"

    bare = _QUOTED.sub(marked, sentence.replace("\x00", " "))
    place: dict[str, Any] = {}
    if row := _ROW.search(bare):
        place["row"] = int(row[1].replace(",", ""))
    if column := _COLUMN.search(bare):
        name = int(column[2].replace(",", "")) if column[1] is None else _unquoted(quotes[int(column[1])])
        place |= {} if name is None else {"column": name}
    return place


def _unquoted(quote: str) -> str | None:
    if _CUT in quote[-2:]:
        return None
    # As Python wrote it; its parser would do the same, and may fail where two threads use it at once.
    try:
        return quote[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape")
    except UnicodeDecodeError:
        return None


def in_words(change: Mapping[str, Any]) -> dict[str, str]:
    """Fields of a reading and what they become, as the flags are typed."""
    by_field = {entry.field: entry for entry in entries(ReadOptions)}
    return {name: by_field[name].flag.words(value) for name, value in change.items()}
