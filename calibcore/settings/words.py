"""Settings as words of the command line, ``top-k:1`` or ``uniform:10``, and back.

What words cannot tell apart, such as a class whose name holds a colon in a region, is written as JSON.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from functools import partial
from typing import Any, cast

from calibcore.data.outside_text import shown, spelled_out
from calibcore.diagram.binning import BINNINGS, Binning, binning_syntax
from calibcore.errors import InputError
from calibcore.settings.annotations import STRATEGIES
from calibcore.settings.codec import MOST_NESTED, decode, write
from calibcore.settings.text import loaded
from calibcore.strategies import whole_number, words_of
from calibcore.transforms.lenses import LENSES, Lens
from calibcore.transforms.nulls import NULLS, Null

LENS_WORDS = (
    ", ".join(word for kind, cls in LENSES.items() for word in (cls.shorthand, f"{kind}{cls.syntax}") if word)
    + ", or a lens as JSON"
)
"""All lenses as the command line takes them: "canonical, confidence, top-k:K, …"."""
LENSES_ALONE = [
    word
    for kind, cls in LENSES.items()
    for word in (cls.shorthand, kind)
    if word and (word != kind or not cls.syntax)
]
"""Lenses that are a word and no more: "canonical", "confidence", …"""
BINNING_WORDS = binning_syntax()
NULL_WORDS = ", ".join([*(f"{kind}{cls.syntax}" for kind, cls in NULLS.items()), "or one as JSON"])
"""The same of nulls: "identity, temperature:T, …"."""
NULLS_ALONE = [kind for kind, cls in NULLS.items() if not cls.syntax]


def lens_from_words(words: str, depth: int = 1) -> Lens:
    """A lens as on the command line; :data:`LENS_WORDS` lists them. ``depth``: within how many others."""
    if depth > MOST_NESTED:
        raise InputError(f"The lens is nested more than {MOST_NESTED} deep.")
    for cls in LENSES.values():
        if words and words == cls.shorthand:
            return cast(Lens, cls())
    within = partial(lens_from_words, depth=depth + 1)
    return cast(Lens, _from_words(words, Lens, LENS_WORDS, within))


def null_from_words(words: str) -> Null:
    """A null hypothesis as on the command line; :data:`NULL_WORDS` lists them."""
    return cast(Null, _from_words(words, Null, NULL_WORDS))


def _from_words(words: str, sort: object, allowed: str, *read: Callable[[str], Any]) -> Any:
    """A strategy of JSON, or as the ``from_words`` of its kind makes it, to which ``read`` is handed."""
    kinds = STRATEGIES[sort]
    if words.startswith("{"):
        return decode(loaded(words, f"The {kinds.sort} {shown(words)} is"), sort)
    kind, _, rest = words.partition(":")
    strategy = None
    try:
        strategy = kinds[kind].from_words(rest, *read) if kind in kinds else None
    except InputError:
        raise
    except ValueError:  # no number
        pass
    if strategy is None:
        raise InputError(f"There is no {kinds.sort} {shown(words)}; expected one of {allowed}.")
    return strategy


def _or_json(words: str, strategy: Any, read: Callable[[str], Any]) -> str:
    """The words of a strategy where ``read`` makes it of them, else its JSON, in which all can be seen.

    No shell takes a zero byte.
    """
    with suppress(InputError):
        if "\0" not in words and read(words) == strategy:
            return words
    return spelled_out(json.dumps(write(strategy), ensure_ascii=False))


def binning_from_words(words: str) -> Binning:
    """A binning as on the command line; :data:`BINNING_WORDS` lists them."""
    kind, *numbers = words.split(":")
    if kind not in BINNINGS or len(numbers) > len(fields(BINNINGS[kind])):
        raise InputError(f"There is no binning {shown(words)}; expected one of {BINNING_WORDS}.")
    binning: Binning = BINNINGS[kind](*(whole_number(text, words) for text in numbers))
    return binning


def lens_to_words(lens: Lens) -> str:
    """The words of the command line for a lens, of which it can be made again."""
    return _or_json(lens.to_words(), lens, lens_from_words)


def binning_to_words(binning: Binning) -> str:
    """The words of the command line for a binning, of which it can be made again."""
    return words_of(binning)


def null_to_words(null: Null) -> str:
    """The words of the command line for a null hypothesis."""
    return _or_json(words_of(null), null, null_from_words)
