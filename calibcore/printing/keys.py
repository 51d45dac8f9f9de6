"""Keys below printed diagrams, and the room around their panels."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from calibcore.printing.letters import legible
from calibcore.printing.paper import LINE, MM

LEFT, RIGHT = 10.0, 3.5
"""Millimetres beside a panel: numbers on the left, half a number on the right."""
FOOT, HEAD, STRIP = 10.5, 5.5, 10.0
"""Millimetres: numbers and label below a panel; label above it; height of the histogram."""
Entries = list[tuple[Patch | Line2D, str]]
"""A mark and what it is."""


def _columns(entries: Entries, width: float) -> int:
    return 1 if width < 100 else min(len(entries), 3 if len(entries) <= 3 else 2)


def key_height(entries: Entries, width: float) -> float:
    """Millimetres of a key below a figure."""
    return LINE * -(-len(entries) // _columns(entries, width))


def draw_key(figure: Figure, entries: Entries, corner: tuple[float, float], beside: bool = False) -> None:
    """With its upper left ``corner`` at so many millimetres; one column where it stands ``beside``."""
    whole, high = figure.get_size_inches() / MM
    figure.legend(
        [mark for mark, _ in entries],
        [legible(words) for _, words in entries],
        loc="upper left",
        bbox_to_anchor=(corner[0] / whole, corner[1] / high),
        ncols=1 if beside else _columns(entries, whole),
        borderpad=0,
        borderaxespad=0,
        labelspacing=0.35,
        handlelength=1.2,
        handleheight=0.7,
        handletextpad=0.6,
        columnspacing=1.6,
    )
