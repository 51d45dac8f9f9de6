"""Settings as words of the command line, ``top-k:1`` or ``uniform:10``, and back.

What words cannot tell apart, such as a class whose name holds a colon in a region, is written as JSON.
"""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from typing import Any, cast

import numpy as np

from calibcore.data.checks import shown, spelled_out
from calibcore.diagram.binning import Binning
from calibcore.errors import InputError
from calibcore.kernels import BANDWIDTH_RULES
from calibcore.spec.codec import decode, encode
from calibcore.spec.kinds import BINNINGS, LENSES
from calibcore.transforms.lenses import (
    CanonicalLens,
    ClassLens,
    GroupsLens,
    Lens,
    PooledLens,
    RegionLens,
    TopKLens,
)
from calibcore.transforms.nulls import Identity, Mixture, Null, Temperature

LENS_WORDS = (
    "canonical, confidence, top-k:K, class:NAME, groups:A=x,y;B=z, pooled, region:NAME:LOW:HIGH[:LENS], "
    "or a lens as JSON"
)
BINNING_WORDS = (
    "uniform:N, equal-mass:N, median-variance:SIZE[:MAX], mean-variance:SIZE, simplex:K "
    "(each number optional)"
)


def lens_from_words(words: str) -> Lens:
    """A lens as on the command line; :data:`LENS_WORDS` lists them."""
    if words.startswith("{"):
        return cast(Lens, decode(_parsed(words, "lens"), Lens))
    kind, _, rest = words.partition(":")
    if kind == "canonical" and not rest:
        return CanonicalLens()
    if kind == "pooled" and not rest:
        return PooledLens()
    if kind == "confidence" and not rest:
        return TopKLens(1)
    if kind == "top-k":
        return TopKLens(_number(rest, words, "1"))
    if kind == "class" and rest:
        return ClassLens(rest)
    if kind == "groups" and rest:
        parts = [part.partition("=") for part in rest.strip("\"'").split(";")]
        return GroupsLens(tuple((name.strip(), tuple(_split(members))) for name, _, members in parts))
    if kind == "region":
        number = r"\d*\.?\d+"
        found = re.fullmatch(rf"(.+?):({number}):({number})(?::(.+))?", rest, re.DOTALL)
        if found:
            name, low, high, inner = found.groups()
            return RegionLens(lens_from_words(inner or "canonical"), name, float(low), float(high))
    raise InputError(f"There is no lens {words!r}; expected one of {LENS_WORDS}.")


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


def _split(members: str) -> list[str]:
    return [member.strip() for member in members.split(",") if member.strip()]


def binning_from_words(words: str) -> Binning:
    """A binning as on the command line; :data:`BINNING_WORDS` lists them."""
    kind, *numbers = words.split(":")
    most = 2 if kind == "median-variance" else 1
    if kind not in BINNINGS or len(numbers) > most:
        raise InputError(f"There is no binning {words!r}; expected one of {BINNING_WORDS}.")
    binning: Binning = BINNINGS[kind](*(_number(text, words, "") for text in numbers))
    return binning


def _number(text: str, words: str, default: str) -> int:
    text = text or default
    if not text.isdecimal() or len(text) > 18:
        raise InputError(f"In {words!r}, {text!r} is not a whole number.")
    return int(text)


def bandwidth_from_words(words: str) -> str | float:
    """A rule's name or a number; :class:`InputError` lists the rules."""
    if words in BANDWIDTH_RULES:
        return words
    try:
        return float(words)
    except ValueError:
        raise InputError(
            f"There is no bandwidth {words!r}; expected a number or one of {', '.join(BANDWIDTH_RULES)}."
        ) from None


def to_words(strategy: Lens | Binning) -> str:
    """The words of the command line for a lens or a binning, of which it can be made again."""
    words = _words(strategy)
    return _or_json(words, strategy, lens_from_words) if strategy.kind in LENSES else words


def _words(strategy: Lens | Binning) -> str:
    if isinstance(strategy, GroupsLens):
        return "groups:" + ";".join(f"{name}={','.join(members)}" for name, members in strategy.groups)
    if isinstance(strategy, RegionLens):
        low, high = (np.format_float_positional(v, trim="-") for v in (strategy.low, strategy.high))
        return f"region:{strategy.class_name}:{low}:{high}:{_words(strategy.lens)}"
    values = [getattr(strategy, f.name) for f in fields(cast(Any, strategy))]
    return ":".join([strategy.kind, *(str(v) for v in values if v is not None)])


NULL_WORDS = "identity, temperature:T, mixture:WEIGHT[:mean or a class], or one as JSON"


def null_from_words(words: str) -> Null:
    """A null hypothesis as on the command line; :data:`NULL_WORDS` lists them."""
    if words.startswith("{"):
        return cast(Null, decode(_parsed(words, "null"), Null))
    kind, _, rest = words.partition(":")
    number, _, towards = rest.partition(":")
    try:
        if kind == "identity" and not rest:
            return Identity()
        if kind == "temperature" and not towards:
            return Temperature(float(number))
        if kind == "mixture":
            return Mixture(float(number), towards or "mean")
    except InputError:
        raise
    except ValueError:
        pass
    raise InputError(f"There is no null {words!r}; expected one of {NULL_WORDS}.")


def null_to_words(null: Null) -> str:
    """The words of the command line for a null hypothesis."""
    values = [getattr(null, f.name) for f in fields(cast(Any, null))]
    return _or_json(":".join([null.kind, *map(str, values)]), null, null_from_words)
