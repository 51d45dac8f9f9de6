"""The one visual language: what each colour means, and what every figure shares."""

import html
import re
import textwrap
import unicodedata
from typing import Any, Literal

from calibcore.data.checks import visible

PREDICTED = {"light": "#0072B2", "dark": "#56B4E9"}
"""On white, and on the dark theme, where the first would be too dark to read."""
OBSERVED = "#D55E00"
OBSERVED_TEXT = {"light": "#B04A00", "dark": "#FF9A5C"}
"""Darker, or lighter, kin of the mark for text."""
CHANCE = "#8A94A0"
CHANCE_FILL = "rgba(138, 148, 160, 0.35)"
PRINT_GRID, PRINT_FILL = "#E1E4E7", "#D6DADE"
"""Grid and fill on paper, where nothing shines through."""
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
PALE = 0.35
"""Opacity of what is not chosen beside what is."""
PALE_ARROW = {"light": "#B9BFC6", "dark": "#5F6771"}
"""Of an arrow that could be chance: the grey of chance, mixed with the page. So much nearer to the page than
vermilion that the two are told apart in grey, too; on the dark theme 3 to 1, as it would be lost there."""
PALE_DOT = 0.5
"""Opacity of a dot above the level: half, as a small mark would be lost on the dark theme."""

CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "plotlyServerURL": "",
    "modeBarButtonsToRemove": ["sendChartToCloud", "lasso2d", "select2d", "autoScale2d"],
    "responsive": True,
}
SELECTABLE = CONFIG | {
    "modeBarButtonsToRemove": [b for b in CONFIG["modeBarButtonsToRemove"] if b != "select2d"]
}
"""Where bins can be chosen in the figure."""

KEY_BELOW: dict[str, Any] = {
    "orientation": "h", "x": 0.5, "xanchor": "center", "y": 0, "yref": "container", "yanchor": "bottom",
    "itemclick": False, "itemdoubleclick": False, "itemsizing": "trace", "title": None,
}  # fmt: skip
"""A key at the lower edge of a figure, whose margin has room for it; nothing is hidden by a click on it."""

KEY_AT_FOOT: dict[str, Any] = {"y": 0, "yref": "container", "yanchor": "bottom"}
"""Of a key that may have several lines."""
LONGEST = 80
"""Characters of a name in a figure."""


def escaped(text: str) -> str:
    """User text for a figure: plotly reads a little HTML, which must not come from outside."""
    text = visible(text)
    return html.escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…", quote=False)


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


def rgb(colour: str) -> str:
    """ "#5F6873" -> "rgb(95, 104, 115)", as the style sheet finds it, which lets it follow the theme."""
    return f"rgb({', '.join(str(part) for part in bytes.fromhex(colour.removeprefix('#')))})"


def corner_name(name: str, width: int = 18) -> str:
    """A class name for a corner of a figure on the screen; the hover has the rest of a long one."""
    return "<br>".join(map(escaped, corner_lines(name, width)))


class _Names(textwrap.TextWrapper):
    """Breaks behind _, / and . as well: they part words in names of columns."""

    def _split(self, text: str) -> list[str]:
        return [part for chunk in super()._split(text) for part in re.split(r"(?<=[_/.])(?=\w)", chunk)]


def corner_lines(name: str, width: int = 18) -> tuple[str, ...]:
    """A class name in two lines at most, so that neighbours do not touch."""
    return tuple(_Names(width, max_lines=2, placeholder="…").wrap(visible(name)[:1_000]))


AXIS: dict[str, Any] = {"gridcolor": GRID, "gridwidth": 1, "zeroline": False, "automargin": True}


PERCENTS: dict[str, Any] = {
    "tickformat": ".0%",
    "labelalias": {f"{percents}%": f"{percents}\N{NO-BREAK SPACE}%" for percents in range(101)},
}
"""Of an axis of shares: "40 %", as in every text; plotly alone would write "40%"."""


def axis_label(words: str, top: float, axis: str | None = None) -> dict[str, Any]:
    """The y axis in words, level and above its panel, whose upper edge is at ``top`` of the figure, or of
    the panel of the y axis ``axis``."""
    return {
        "text": words, "xref": "paper", "x": 0,
        "yref": "paper" if axis is None else f"{axis} domain", "y": top,
        "xanchor": "left", "yanchor": "bottom", "showarrow": False,
    }  # fmt: skip


def titled(words: str) -> dict[str, Any]:
    """An axis with words near its numbers."""
    return {"title": {"text": words, "standoff": 6}}


def layout(height: int, **margin: int) -> dict[str, Any]:
    """Transparent, no boxes; room for direct labels on top, unless another ``margin`` is given by side. A
    layout given whole is ten times as quick to make as one that is put together in a figure."""
    return {
        "height": height,
        # "100 %" at the end of a narrow axis is whole
        "margin": {"l": 8, "r": 14, "t": 28, "b": 8} | margin,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"align": "left"},
        "legend": {"orientation": "h", "x": 0, "y": -0.16, "yanchor": "top", "title": None},
        "bargap": 0,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": CHANCE, "activecolor": OBSERVED},
    }
