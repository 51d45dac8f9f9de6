"""Text and values from outside, in a sentence: visible, on one line and cut."""

import json
import re
import sys
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.wording import listed

_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]+"
)


def visible(text: str) -> str:
    """Text from outside without what cannot be seen: controls of terminals and lines, marks that turn the
    direction of what follows, characters of no width; a space stands for them. Joiners within words stay.
    """
    return _HIDDEN.sub(" ", text)


def spelled_out(document: str) -> str:
    """JSON text in which what cannot be seen is written as escapes: the same document, safe on a terminal."""
    return _HIDDEN.sub(lambda match: json.dumps(match[0])[1:-1], document)


def shown(value: object, most: int = 60) -> str:
    """Something from outside in a sentence: as Python writes it, on one line and cut."""
    try:
        text = repr(value[: 2 * most] if isinstance(value, str) else value)
    except (RecursionError, ValueError):  # nested too deeply; an integer of too many digits
        return f"a {type(value).__name__}"
    return text if len(text) <= most else f"{text[: most - 1]}…"


def called(name: str) -> str:
    """A name from outside with which a sentence begins: no quotes, and what is not printable is escaped."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in name)


def is_text(array: NDArray[Any]) -> bool:
    """False where what should be text holds numbers of no character, with which Python could end badly."""
    if array.dtype.names is not None:
        return all(is_text(array[name]) for name in array.dtype.names)
    if array.dtype.kind != "U" or not array.dtype.itemsize:
        return True
    codes = np.ascontiguousarray(array).view(np.dtype("u4").newbyteorder(array.dtype.byteorder))
    return bool(codes.max(initial=0) <= sys.maxunicode)


def no_column(name: str, columns: Collection[str], what: str = "") -> str:
    """That no column beside predictions and labels has this name: "There is no column 'label' beside …".

    what : "of units", where that is asked for
    """
    asked = f"There is no column {shown(name)}{what and ' '}{what}"
    return f"{asked} beside predictions and labels; the other columns are {listed(tuple(columns)) or 'none'}."
