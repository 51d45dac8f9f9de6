"""What the font of printed figures can write, and what stands for the names that it cannot."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from matplotlib.font_manager import FontProperties, findfont, get_font

from calibcore.data.outside_text import visible

FONT = "DejaVu Sans"
"""Comes with matplotlib, so that a figure looks alike everywhere; others are not asked."""
BOX = "□"
"""Stands for a letter that the font lacks, where there is no number to say instead."""


@dataclass
class MissingLetters:
    """What could not be written as it is: names with what stands for them, and whether there are boxes."""

    names: dict[str, str] = field(default_factory=dict)
    boxes: bool = False


_now: ContextVar[tuple[Mapping[str, str], MissingLetters]] = ContextVar(
    "stand-ins", default=({}, MissingLetters())
)


def stand_ins(class_names: Sequence[str]) -> dict[str, str]:
    """Each name with letters that the font lacks -> what is left of it and its number, or its number alone.

    As in "café (class 3)" and "class 3", counted from 1 in the order given; all of them differ.
    """
    letters: dict[str, str] = {}
    for k, name in enumerate(class_names, start=1):
        text = visible(name)
        left = " ".join("".join(filter(_has, text)).split())
        if all(map(_has, text)):
            continue
        short = f"{left} (class {k})" if any(map(str.isalnum, left)) else f"class {k}"
        while short in class_names:
            short += "*"
        letters[name] = short
    return letters


@contextmanager
def standing_in(names: Mapping[str, str]) -> Iterator[MissingLetters]:
    """Within, :func:`legible` writes the values in place of the keys; tells what it came upon."""
    longest_first = sorted(names, key=len, reverse=True)  # a name may be a part of another
    missed = MissingLetters()
    token = _now.set(({visible(name): names[name] for name in longest_first}, missed))
    try:
        yield missed
    finally:
        _now.reset(token)


def legible(text: str) -> str:
    """One line of any text with only what the font can draw: names by what stands for them, else □."""
    text = visible(text)
    if all(map(_has, text)):
        return text
    names, missed = _now.get()
    for name, instead in names.items():
        if name in text:
            text = text.replace(name, instead)
            missed.names[name] = instead
    if not all(map(_has, text)):
        missed.boxes = True
    return "".join(letter if _has(letter) else BOX for letter in text)


def printable(text: str) -> bool:
    """Whether the font has every letter."""
    return all(map(_has, text))


def _has(letter: str) -> bool:
    return ord(letter) in _glyphs()


@cache
def _glyphs() -> frozenset[int]:
    """What the font can draw, bold too."""
    faces = (get_font(findfont(FontProperties(family=FONT, weight=weight))) for weight in ("normal", "bold"))
    return frozenset.intersection(*(frozenset(face.get_charmap()) for face in faces))


def font_folder() -> str:
    """Where the font of the figures lies, for other text on the same paper."""
    return str(Path(findfont(FontProperties(family=FONT))).parent)
