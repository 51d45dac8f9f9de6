"""What arrows on paper share: filled where they stand out, else hollow; their widths; the keys."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.quiver import Quiver

from calibcore.charts import style
from calibcore.charts.arrows import Arrows, kinds, widths_shown
from calibcore.numerics.types import Float
from calibcore.painters.paper.letters import legible
from calibcore.painters.paper.sheets import LINE, MM, SMALL, TEXT, blank

KEYS = 13.5
"""Millimetres that the keys take below a drawing."""
POINTS = 0.75
"""Points of an arrow's line for a pixel of the screen's, whose triangles are larger."""
DOT = 1.1
"""Points: half of a dot at an arrow's tail."""


def draw_arrows(
    axes: Axes, arrows: Arrows, tail: Float | None = None, step: Float | None = None, scale: float = 1.0
) -> None:
    """In true length, on the paper: those of ``arrows`` unless given; thick below thin, hollow below filled.

    tail, step : (K, 2) in the order of ``arrows``
    scale : of their widths
    """
    places = arrows.tail if tail is None else tail
    steps = arrows.step if step is None else step
    for strong, width in kinds(arrows):
        alike = (arrows.strong == strong) & (arrows.widths == width)
        _quiver(axes, places[alike], steps[alike], scale * POINTS * width, strong)
    axes.plot(
        *places.T, "o", color=style.PREDICTED["light"], markersize=2 * DOT * scale, zorder=4, linestyle="none"
    )


def _quiver(axes: Axes, tail: Float, step: Float, points: float, strong: bool) -> Quiver:
    head = 1 + 2.8 / points**0.8
    return axes.quiver(
        *tail.T,
        *step.T,
        angles="xy",
        scale_units="xy",
        scale=1,
        units="inches",
        width=points / 72,
        headwidth=head,
        headlength=1.25 * head,
        headaxislength=1.2 * head,
        minlength=0.9,
        facecolors=style.OBSERVED if strong else "white",
        edgecolors=style.OBSERVED if strong else style.QUIET["light"],
        linewidths=0.55,
        joinstyle="miter",
        zorder=3 + 0.1 * strong,
    )


def corner_words(name: str, share: str, width: int = 18) -> str:
    """A class at its corner in lines of so many letters, at that of a part with its probability there."""
    lines = "\n".join(style.corner_lines(name, width))
    return f"{lines} {share}".rstrip()


def key_left(figure: Figure) -> float:
    """Millimetres from the edge of the paper to the keys."""
    return 5.0 if figure.get_size_inches()[0] / MM < 100 else 30.0


def keys(figure: Figure, arrows: Arrows, low: float = 0) -> None:
    """Below the drawing: what filled, hollow and wide mean; ``low`` millimetres up."""
    width, left = float(figure.get_size_inches()[0]) / MM, key_left(figure)
    half = (width - 2 * left) / 2
    key = blank(figure, left, low + 1.0, width - 2 * left, KEYS - 2)
    top = KEYS - 4
    key.plot([3.0], [top], "o", color=style.PREDICTED["light"], markersize=2 * DOT)
    key.text(8.2, top, "what the model said", va="center", fontsize=SMALL, color=TEXT)
    for i, words in enumerate(arrows.keys):
        y = top - (i + 1) * LINE
        _quiver(key, np.array([[0.5, y]]), np.array([[6.0, 0.0]]), POINTS * 3, not i)
        key.text(8.2, y, legible(words), va="center", fontsize=SMALL, color=TEXT)
    for i, (pixels, words) in enumerate(widths_shown(arrows)):
        y, points = top - i * LINE, POINTS * pixels
        key.plot([half, half + 6], [y, y], color=style.CHANCE, linewidth=points, solid_capstyle="butt")
        key.text(half + 7.7, y, legible(words), va="center", fontsize=SMALL, color=TEXT)
