"""Settings as words of the command line, ``top-k:1`` or ``uniform:10``, and back.

What words cannot tell apart, such as a class whose name holds a colon in a region, is written as JSON.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from typing import Any, cast

from calibcore.data.checks import shown, spelled_out
from calibcore.diagram.binning import BINNINGS, Binning, binning_syntax
from calibcore.errors import InputError
from calibcore.kernels import BANDWIDTH_RULES
from calibcore.spec.codec import decode, encode
from calibcore.strategies import whole_number
from calibcore.transforms.lenses import LENSES, Lens, lens_syntax
from calibcore.transforms.nulls import NULLS, Null, null_syntax

LENS_WORDS = lens_syntax()
BINNING_WORDS = binning_syntax()
NULL_WORDS = null_syntax()


def lens_from_words(words: str) -> Lens:
    """A lens as on the command line; :data:`LENS_WORDS` lists them."""
    if words.startswith("{"):
        return cast(Lens, decode(_parsed(words, "lens"), Lens))
    for cls in LENSES.values():
        if words and words == cls.shorthand:
            return cast(Lens, cls())
    kind, _, rest = words.partition(":")
    lens: Lens | None = LENSES[kind].from_words(rest, lens_from_words) if kind in LENSES else None
    if lens is None:
        raise InputError(f"There is no lens {shown(words)}; expected one of {LENS_WORDS}.")
    return lens


def _parsed(words: str, what: str) -> object:
    try:
        return json.loads(words)
    except (ValueError, RecursionError):
        raise InputError(f"The {what} {shown(words)} is not JSON.") from None


def _or_json(words: str, strategy: Any, read: Callable[[str], Any]) -> str:
    """The words of a strategy where ``read`` makes it of them, else its JSON, in which all can be seen.

    No shell takes a zero byte.
    """
    with suppress(InputError):
        if "\0" not in words and read(words) == strategy:
            return words
    return spelled_out(json.dumps(encode(strategy), ensure_ascii=False))


def binning_from_words(words: str) -> Binning:
    """A binning as on the command line; :data:`BINNING_WORDS` lists them."""
    kind, *numbers = words.split(":")
    if kind not in BINNINGS or len(numbers) > len(fields(BINNINGS[kind])):
        raise InputError(f"There is no binning {shown(words)}; expected one of {BINNING_WORDS}.")
    binning: Binning = BINNINGS[kind](*(whole_number(text, words) for text in numbers))
    return binning


def bandwidth_from_words(words: str) -> str | float:
    """A rule's name or a number; :class:`InputError` lists the rules."""
    if words in BANDWIDTH_RULES:
        return words
    try:
        return float(words)
    except ValueError:
        raise InputError(
            f"There is no bandwidth {shown(words)}; expected a number or one of {', '.join(BANDWIDTH_RULES)}."
        ) from None


def lens_to_words(lens: Lens) -> str:
    """The words of the command line for a lens, of which it can be made again."""
    return _or_json(lens.to_words(), lens, lens_from_words)


def binning_to_words(binning: Binning) -> str:
    """The words of the command line for a binning, of which it can be made again."""
    values = [getattr(binning, f.name) for f in fields(cast(Any, binning))]
    return ":".join([binning.kind, *(str(value) for value in values if value is not None)])


def null_from_words(words: str) -> Null:
    """A null hypothesis as on the command line; :data:`NULL_WORDS` lists them."""
    if words.startswith("{"):
        return cast(Null, decode(_parsed(words, "null"), Null))
    kind, _, rest = words.partition(":")
    null: Null | None = None
    try:
        null = NULLS[kind].from_words(rest) if kind in NULLS else None
    except InputError:
        raise
    except ValueError:  # no number
        pass
    if null is None:
        raise InputError(f"There is no null {shown(words)}; expected one of {NULL_WORDS}.")
    return null


def null_to_words(null: Null) -> str:
    """The words of the command line for a null hypothesis."""
    return _or_json(null.to_words(), null, null_from_words)
