"""What the arrows of triangle and tetrahedron share: their ends, colours by share of cases, and hover."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from plotly.colors import find_intermediate_color, hex_to_rgb, sample_colorscale

from calibcore.diagram.reliability import Reliability
from calibcore.errors import InputError
from calibcore.figures import style
from calibcore.figures.formats import MOST_ARROWS
from calibcore.hypothesis_tests import BinPvalues
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.types import Float, Int
from calibcore.wording import count, percent, plural
from calibcore.words.arrows import arrow_p, stands_out
from calibcore.words.looking import arrow_words, sentence_case
from calibcore.words.phrases import points
from calibcore.words.smooth import place_lines


@dataclass(frozen=True)
class Arrows:
    """The arrows that a triangle or a tetrahedron draws, on the screen and on paper.

    bins (K,) : their bins
    tail, tip (K, d) : what was predicted and what happened, as points of the drawing
    share (K,) : of all cases
    strong (K,) : whether it stands out
    most : the share at the end of the scale of colours
    """

    bins: Int
    tail: Float
    tip: Float
    share: Float
    strong: NDArray[np.bool_]
    most: float

    @property
    def step(self) -> Float:
        """(K, d) from tail to tip."""
        return self.tip - self.tail

    def only(self, some: Any) -> "Arrows":
        """Some of them, in that order."""
        return Arrows(
            self.bins[some], self.tail[some], self.tip[some], self.share[some], self.strong[some], self.most
        )


def arrows_of(
    diagram: Reliability,
    corners: Float,
    least: int,
    tests: BinPvalues | None,
    alpha: float,
    most: float | None,
) -> Arrows:
    """The arrows of the fullest bins; ``corners`` (m, d) are the points of the m classes.

    Raises
    ------
    InputError : another number of classes than corners.
    """
    m = len(corners)
    if len(diagram.class_names) != m:
        shape = "triangle" if m == 3 else "tetrahedron"
        raise InputError(f"There are {len(diagram.class_names)} classes; a {shape} shows {m}.")
    bins = diagram.fullest(least, MOST_ARROWS[m])
    tail, tip = diagram.mean_prediction[bins] @ corners, diagram.observed[bins] @ corners
    share, strong = diagram.counts / diagram.n_cases, stands_out(diagram, tests, alpha)
    return Arrows(bins, tail, tip, share[bins], strong[bins], float(share.max()) if most is None else most)


def smooth_arrows_of(found: SmoothArrows, corners: Float, most: float | None = None) -> Arrows:
    """Arrows without bins; ``bins`` are the numbers of their places.

    Raises
    ------
    InputError : another number of classes than corners.
    """
    if len(found.class_names) != len(corners):
        raise InputError(f"There are {len(found.class_names)} classes; expected {len(corners)}.")
    tail = found.places @ corners
    share = float(found.shares.max()) if most is None else most
    return Arrows(
        np.arange(len(tail)), tail, tail + found.arrows @ corners, found.shares, found.strong, share
    )


def smooth_hovers(found: SmoothArrows, chosen: Int) -> Any:
    """(len(chosen), 2) what an arrow's hover says, and the number of its place."""
    out = np.empty((len(chosen), 2), object)
    for row, j in zip(out, chosen.tolist(), strict=True):
        row[:] = "<br>".join(style.escaped(place_lines(found, j))), j
    return out


def _cut(name: str, low: float) -> list[list[Any]]:
    """The named colour scale from ``low`` to its end, stretched to 0–1."""
    shares = np.linspace(0, 1, 12)
    return [
        [x, color]
        for x, color in zip(shares.tolist(), sample_colorscale(name, low + (1 - low) * shares), strict=True)
    ]


SHARES = _cut("cividis_r", 0.12)
"""Cividis reversed, cut to 0.12–1: pale for few cases, dark for many, always visible on white."""
SHARES_DARK = _cut("cividis", 0.38)
"""On the dark theme the other way round, bright for many cases; its dark end would be lost on the page."""


def scale(theme: str, pale: bool = False) -> list[list[Any]]:
    """The colour scale of shares on that theme; the pale one is mixed with the page.

    Arrows have no opacity of their own, and see-through solids draw badly.
    """
    strong = SHARES if theme == "light" else SHARES_DARK
    if not pale:
        return strong
    page = f"rgb{hex_to_rgb(style.BACKGROUND[theme])}"
    return [[x, find_intermediate_color(page, color, style.PALE, "rgb")] for x, color in strong]


def color_axis(noun: str, most: float, theme: str) -> dict[str, Any]:
    """The scale of shares from 0 to ``most``, below the figure."""
    return {
        "colorscale": scale(theme),
        "cmin": 0,
        "cmax": most,
        "colorbar": {
            "title": {"text": f"Share of {plural(noun)}", "side": "top"},
            "orientation": "h",
            "thickness": 10,
            "len": 0.5,
            "x": 0.5,
            "y": -0.02,
            "yanchor": "top",
            "tickformat": ".0%" if most >= 0.03 else ".1%",
            "nticks": 4,
            "outlinewidth": 0,
        },
    }


def colors_of(arrows: Arrows, theme: str) -> list[str]:
    """Each arrow's colour by its share, pale where it does not stand out."""
    shares = np.minimum(arrows.share / arrows.most, 1.0).tolist()
    both = zip(
        sample_colorscale(scale(theme), shares), sample_colorscale(scale(theme, True), shares), strict=True
    )
    return [bold if strong else pale for (bold, pale), strong in zip(both, arrows.strong, strict=True)]


def hovers(diagram: Reliability, chosen: Int, noun: str, tests: BinPvalues | None = None) -> Any:
    """(len(chosen), 2) what an arrow's hover says, and the number of its bin."""
    names = style.escaped(diagram.class_names)
    out = np.empty((len(chosen), 2), object)
    for row, b in zip(out, chosen.tolist(), strict=True):
        row[:] = _hover(diagram, b, names, noun, arrow_p(tests, b)), b
    return out


def _hover(diagram: Reliability, b: int, names: tuple[str, ...], noun: str, p: str) -> str:
    sentences, seen = arrow_words(diagram, b, names)
    share = percent(float(diagram.counts[b] / diagram.n_cases))
    chance = (
        ""
        if not diagram.has_bars
        else (f"<br>If calibrated: {100 * diagram.low[b]:.1f} to {points(diagram.high[b])}")
    )
    return (
        f"Predicted: {sentences}<br>Happened: {seen}<br>"
        f"{count(int(diagram.counts[b]), noun)} ({share}), {points(diagram.deviation[b])} apart{chance}"
        f"{f'<br>{sentence_case(p)}' if p else ''}"
    )
