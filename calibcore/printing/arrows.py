"""What arrows on paper share: filled where longer than chance allows, else hollow; their shade; the keys."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.quiver import Quiver
from matplotlib.ticker import MaxNLocator
from plotly.colors import unlabel_rgb

from calibcore.diagram.reliability import Reliability
from calibcore.figures.arrows import SHARES, Arrows
from calibcore.hypothesis_tests import BinPvalues
from calibcore.numerics.types import Float
from calibcore.printing.letters import legible
from calibcore.printing.paper import BODY, LINE, MM, SMALL, TEXT, blank, panel, percents
from calibcore.wording import plural

SHADES = LinearSegmentedColormap.from_list(
    "shares", [np.array(unlabel_rgb(color)) / 255 for x, color in SHARES if x > 0.25]
)
"""That of the screen without its palest part: the outlines of hollow arrows stay darker than the lines
below them, in grey too, where more is darker as well."""
STEPS = 60
"""Of the scale of shares: a smooth one would be a picture in an SVG."""
KEYS = 12.0
"""Millimetres that the keys take below a drawing."""


def draw_arrows(axes: Axes, tail: Float, step: Float, arrows: Arrows) -> Quiver:
    """(arrows, 2) tails and steps on the paper, in true length and in that order; strong ones are filled."""
    edges = SHADES(Normalize(0, arrows.most)(arrows.share))
    fills = np.where(arrows.strong[:, None], edges, 1.0)
    return _quiver(axes, tail, step, fills, edges)


def _quiver(axes: Axes, tail: Float, step: Float, fills: Float, edges: Float) -> Quiver:
    return axes.quiver(
        *tail.T,
        *step.T,
        angles="xy",
        scale_units="xy",
        scale=1,
        units="inches",
        width=1.3 / 72,
        headwidth=3.2,
        headlength=3.6,
        headaxislength=3.4,
        minlength=0.9,
        facecolors=fills,
        edgecolors=edges,
        linewidths=0.55,
        joinstyle="miter",
        zorder=3,
    )


def key_words(diagram: Reliability, tests: BinPvalues | None, alpha: float) -> tuple[str, str] | None:
    """What filled and hollow arrows are; None where nothing is known of chance."""
    if tests is not None:
        return f"adjusted p ≤ {alpha:g}", f"adjusted p > {alpha:g}"
    return None if not diagram.has_bars else ("longer than chance allows", "within what chance allows")


def key_left(figure: Figure) -> float:
    """Millimetres from the edge of the paper to the keys."""
    return 5.0 if figure.get_size_inches()[0] / MM < 100 else 30.0


def keys(figure: Figure, noun: str, most: float, labels: tuple[str, str] | None, low: float = 0) -> None:
    """Below the drawing: the scale of shares and what filled and hollow mean; ``low`` millimetres up."""
    width, left = float(figure.get_size_inches()[0]) / MM, key_left(figure)
    bar = panel(figure, left, low + 4.2, 34.0, 2.0)
    steps = np.linspace(0, most, STEPS + 1)
    bar.bar(steps[:-1], 1, np.diff(steps), align="edge", color=SHADES(np.linspace(0, 1, STEPS)), linewidth=0)
    bar.grid(visible=False)
    bar.spines[:].set_visible(False)
    bar.set(xlim=(0, most), ylim=(0, 1), yticks=[])
    bar.xaxis.set_major_locator(MaxNLocator(3))
    bar.tick_params(length=1.5, pad=1)
    percents(bar, "x")
    bar.annotate(
        legible(f"Share of {plural(noun)}"), (0, 1), (0, 2), xycoords="axes fraction",
        textcoords="offset points", ha="left", va="bottom", fontsize=BODY,
    )  # fmt: skip
    if labels is None:
        return
    key = blank(figure, width - left - 41, low + 2.0, 41, KEYS - 3)
    dark: Any = SHADES([1.0, 1.0])
    places = np.array([[0.5, 1.2 + LINE], [0.5, 1.2]])
    _quiver(key, places, np.array([[6.0, 0.0]] * 2), np.where([[True], [False]], dark, 1.0), dark)
    for (_, y), words in zip(places.tolist(), labels, strict=True):
        key.text(8.2, y, words, va="center", fontsize=SMALL, color=TEXT)
