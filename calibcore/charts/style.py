"""The one visual language: what each colour means, and how names are cut, on the screen and on paper."""

import re
import textwrap
import unicodedata
from typing import Literal

from calibcore.data.outside_text import visible

PREDICTED = {"light": "#0072B2", "dark": "#56B4E9"}
"""On white, and on the dark theme, where the first would be too dark to read."""
OBSERVED = "#D55E00"
OBSERVED_TEXT = {"light": "#B04A00", "dark": "#FF9A5C"}
"""Darker, or lighter, kin of the mark for text."""
CHANCE = "#8A94A0"
CHANCE_FILL = "rgba(138, 148, 160, 0.35)"
PRINT_GRID, PRINT_FILL = "#E1E4E7", "#D6DADE"
"""Grid and fill on paper, where nothing shines through."""
CLOUD, PRINT_CLOUD = (0.10, 0.07), ("#D5E8F3", "#EDF5FA")
"""Of the ground where predictions are densest, the innermost first: opacity of their blue, and on paper the
shades that come of it."""
GRID = "rgba(138, 148, 160, 0.25)"
QUIET = {"light": "#5F6873", "dark": "#8A94A0"}
"""Small text beside the marks."""
VERDICT = {"miscalibrated": OBSERVED, "consistent": "#009E73", "cannot-tell": "#E69F00"}
"""Marks of the three answers; beside each stands its word and its icon, and amber has an edge."""
VERDICT_TEXT = {
    "miscalibrated": OBSERVED_TEXT,
    "consistent": {"light": "#007A58", "dark": "#3CCFA3"},
    "cannot-tell": {"light": "#8A5D00", "dark": "#F2B93B"},
}
VERDICT_EDGE = VERDICT_TEXT["cannot-tell"]["light"]
"""The outline of an amber mark, which alone is too light to be seen on white."""
VERDICT_BADGE: dict[str, Literal["red", "green", "orange"]] = {
    "miscalibrated": "red",
    "consistent": "green",
    "cannot-tell": "orange",
}
"""What the theme in .streamlit/config.toml calls these colours: for badges and coloured words."""
TEXT = {"light": "#1B1F24", "dark": "#E8EBEF"}
"""As on the page; drawings in three dimensions do not take it from there."""
BACKGROUND = {"light": "#FFFFFF", "dark": "#12161C"}
"""Of the page; figures are transparent and use it only to make a colour pale."""
WITHIN = 0.7
"""Opacity of a cross within its bar: paler than one outside, and still seen on the dark theme."""
PALE_ARROW = {"light": "#B9BFC6", "dark": "#5F6771"}
"""Of an arrow that could be chance: the grey of chance, mixed with the page. So much nearer to the page than
vermilion that the two are told apart in grey, too; on the dark theme 3 to 1, as it would be lost there."""
PALE_DOT = 0.5
"""Opacity of a dot above the level: half, as a small mark would be lost on the dark theme."""

LONGEST = 80
"""Characters of a name in a figure."""


def short(text: str) -> str:
    """Text of a user for a hover, in one line that is not too long."""
    text = visible(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def wrapped(*sentences: str) -> tuple[str, ...]:
    """Sentences for a hover, in lines that are not too long."""
    return tuple(short(line) for words in sentences for line in textwrap.wrap(words))


def shortened(text: str, most: int) -> str:
    """A text that takes no more room than ``most`` letters of usual width."""
    room = float(most)
    for place, letter in enumerate(text):
        room -= _width(letter)
        if room < 0:
            return f"{text[:place].rstrip()[: most - 1]}…"
    return text


def letters(text: str) -> float:
    """How wide a line is, in small letters of usual width, rather too much than too little."""
    return sum(map(_width, text))


def _width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 2.0
    if letter in "WMm@%":
        return 1.75
    return 1.25 if letter.isupper() else 1.0


class _Names(textwrap.TextWrapper):
    """Breaks behind _, / and . as well: they part words in names of columns."""

    def _split(self, text: str) -> list[str]:
        return [part for chunk in super()._split(text) for part in re.split(r"(?<=[_/.])(?=\w)", chunk)]


def corner_lines(name: str, width: int = 18) -> tuple[str, ...]:
    """A class name in two lines at most, so that neighbours do not touch."""
    return tuple(_Names(width, max_lines=2, placeholder="…").wrap(visible(name)[:1_000]))
