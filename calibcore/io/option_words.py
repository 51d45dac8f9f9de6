"""Names as they are typed: on the command line and in the app."""

import json
from collections.abc import Sequence

from calibcore.data.checks import spelled_out


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
