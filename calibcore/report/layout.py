"""How a report lies on its pages: so that no quarter of a page is blank."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product, starmap

import numpy as np
from numpy.typing import NDArray

MARGINS = {"top": 17.0, "bottom": 20.0}
"""Millimetres of a sheet above and below what is written; the template has them from here."""
COLUMN = 183.0
"""Millimetres that a line may be wide."""
MOST_BLANK = 0.2
"""Share of a page that may be one blank rectangle. Where no layout keeps to it, the best is taken."""
SCALES = (1.0, 0.96, 1.04, 0.92, 1.08, 1.05)
"""Of the type behind the first page, the best to read first; the last is for what none of them fits."""
DOTS = 9.0
"""To the inch: enough to see whether there is anything on a square of 3 mm."""


@dataclass(frozen=True)
class Layout:
    """How many figures have their numbers printed, and how large the type is behind the first page."""

    numbers: int
    scale: float


def best(figures: int, drawn: Callable[[Layout], Sequence[NDArray[np.floating]]]) -> Layout:
    """The plainest layout that leaves no large blank, see :data:`MOST_BLANK`; else that with the smallest.

    drawn : a layout -> its pages at :data:`DOTS`, (rows, columns) from 0, black, to 1, white
    """
    least, chosen = np.inf, Layout(0, 1.0)
    for layout in starmap(Layout, product(range(figures + 1), SCALES)):
        blank = max(largest_blank(page) for page in drawn(layout))
        if blank < least - 1e-9:
            least, chosen = blank, layout
        if least <= MOST_BLANK:
            break
    return chosen


def largest_blank(page: NDArray[np.floating]) -> float:
    """The largest rectangle on a page with nothing in it, as a share of what may be written on.

    Cost O(rows · columns).
    """
    mm = DOTS / 25.4
    rows, columns = page.shape
    side = (columns - COLUMN * mm) / 2
    height = slice(round(MARGINS["top"] * mm), round(rows - MARGINS["bottom"] * mm))
    inked = page[height, round(side) : round(columns - side)] < 0.98
    heights = np.zeros(inked.shape[1] + 1, np.int64)  # the last column ends all rectangles
    largest = 0
    for row in inked:
        heights[:-1] = np.where(row, 0, heights[:-1] + 1)
        open_: list[tuple[int, int]] = []  # where a rectangle begins, and how high it is
        for place, height in enumerate(heights.tolist()):
            start = place
            while open_ and open_[-1][1] >= height:
                start, high = open_.pop()
                largest = max(largest, (place - start) * high)
            open_.append((start, height))
    return largest / inked.size
