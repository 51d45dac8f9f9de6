"""Names and numbers of rows as they are typed: on the command line and in the app."""

import json
import re
from collections.abc import Sequence

from calibcore import limits
from calibcore.data.checks import spelled_out
from calibcore.errors import InputError
from calibcore.io.tables import runs


def names_from_words(words: str) -> tuple[str, ...] | None:
    """Names between commas, or a JSON list of them; None for no names."""
    try:
        names = json.loads(words) if words.lstrip().startswith("[") else None
    except (ValueError, RecursionError):
        names = None
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return tuple(names)
    return tuple(name.strip() for name in words.split(",")) if words.strip() else None


def names_in_words(names: Sequence[str], may_be: bool = True) -> str:
    """The inverse of :func:`names_from_words`: as JSON where commas would not do, or ``may_be`` is False."""
    words = ",".join(names)
    if not names:
        return words
    plain = may_be and not words.lstrip().startswith("[") and names_from_words(words) == tuple(names)
    return words if plain else spelled_out(json.dumps(list(names), ensure_ascii=False))


_MOST_LISTED = 20


def rows_from_words(words: str) -> tuple[int, ...]:
    """Numbers of rows as in ``3, 17, 25-40``; :class:`InputError` for anything else."""
    rows: set[int] = set()
    for part in filter(None, re.split(r"[\s,;]+", re.sub(r"\s*[-–]\s*", "-", words))):
        match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= limits.LIMITS.max_rows:
            raise InputError(f"The rows are {words!r:.60}; expected their numbers, as in 3, 17, 25-40.")
        rows.update(range(first, last + 1))
    return tuple(sorted(rows))


def _places(rows: Sequence[int], dash: str) -> list[str]:
    return [str(run[0]) if len(run) == 1 else f"{run[0]}{dash}{run[-1]}" for run in runs(rows)]


def rows_in_words(rows: Sequence[int]) -> str:
    """The inverse of :func:`rows_from_words` for rows in order: "3,17,25-40"."""
    return ",".join(_places(rows, "-"))


def left_out_note(rows: Sequence[int], n: int) -> tuple[str, ...]:
    """The sentence that ``rows``, in order, were left out, so that ``n`` are left; none for no rows."""
    if not rows:
        return ()
    total, places = n + len(rows), _places(rows, "–")
    if len(rows) == 1:
        return (f"Row {places[0]} of {total:,} was left out, as asked.",)
    more = f" and {len(places) - _MOST_LISTED:,} more places" if len(places) > _MOST_LISTED else ""
    numbers = ", ".join(places[:_MOST_LISTED])
    return (f"{len(rows):,} of {total:,} rows were left out, as asked: {numbers}{more}.",)
