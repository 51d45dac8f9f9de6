"""What the arrows of triangle and tetrahedron share: their ends, widths, keys and hovers.

Colour, or on paper what fills them, says the evidence, width the share of cases.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.charts import style
from calibcore.charts.formats import MOST_ARROWS
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.zoom import Zoom
from calibcore.errors import InputError
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

    names : of the corners
    noun : what one case is called
    keys : what strong and pale arrows are; only what arrows are where nothing is known of chance
    hover : the number of a bin -> the lines that a hand that rests on its arrow reads
    bins (K,) : their bins
    tail, tip (K, d) : what was predicted and what happened, as points of the drawing
    share (K,) : of all cases
    strong (K,) : whether it stands out
    """

    names: tuple[str, ...]
    noun: str
    keys: tuple[str, str] | tuple[str]
    hover: Callable[[int], tuple[str, ...]]
    bins: Int
    tail: Float
    tip: Float
    share: Float
    strong: NDArray[np.bool_]

    @property
    def step(self) -> Float:
        """(K, d) from tail to tip."""
        return self.tip - self.tail

    @property
    def widths(self) -> Float:
        """(K,) pixels, see :func:`widths_of`."""
        return widths_of(self.share)

    def only(self, chosen: Any) -> "Arrows":
        """Some of them, in that order."""
        tail, tip, share, strong = (
            self.tail[chosen],
            self.tip[chosen],
            self.share[chosen],
            self.strong[chosen],
        )
        return replace(self, bins=self.bins[chosen], tail=tail, tip=tip, share=share, strong=strong)

    def alike(self) -> list["Arrows"]:
        """The arrows in groups, in the order of :func:`kinds`."""
        return [self.only((self.strong == strong) & (self.widths == width)) for strong, width in kinds(self)]


def kinds(arrows: Arrows) -> list[tuple[bool, float]]:
    """Whether arrows stand out, and their widths, in the order to draw them: those that stand out on top,
    and thin ones above thick ones."""
    pairs = set(zip(arrows.strong.tolist(), arrows.widths.tolist(), strict=True))
    return sorted(pairs, key=lambda pair: (pair[0], -pair[1]))


PIXELS, THINNEST, THICKEST = 16.0, 1.5, 9.0
"""Width of an arrow of all cases, were there no thickest; of the least and of the most."""
SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
"""Shares of cases that a key shows the width of."""


def widths_of(share: Float) -> Float:
    """(K,) shares of all cases -> widths in pixels, in steps of a half: the square is as the share.

    One scale for all figures, so that two can be compared.
    """
    return np.asarray(np.round(2 * np.clip(PIXELS * np.sqrt(share), THINNEST, THICKEST)) / 2)


def widths_shown(arrows: Arrows) -> list[tuple[float, str]]:
    """Widths for a key, each with the share that it stands for; one where all are about the same."""
    if not len(arrows.share):
        return []
    low, high = float(arrows.share.min()), float(arrows.share.max())
    if high < 1.5 * low:
        return [_width_shown(float(np.median(arrows.share)), "each ", arrows.noun)]
    inside = [share for share in SHARES if low <= share <= high]
    ends = (inside[0], inside[-1]) if len(inside) > 1 else (low, high)
    return [_width_shown(share, "", arrows.noun) for share in ends]


def _width_shown(share: float, each: str, noun: str) -> tuple[float, str]:
    words = f"{each}{percent(share, 0 if share >= 0.095 else 1)} of {plural(noun)}"
    return float(widths_of(np.array([share]))[0]), words.replace(".0\N{NO-BREAK SPACE}", "\N{NO-BREAK SPACE}")


def arrows_of(
    diagram: Reliability,
    corners: Float,
    noun: str,
    least: int,
    tests: BinPvalues | None,
    alpha: float,
    zoom: Zoom,
) -> Arrows:
    """The arrows of the fullest bins; ``corners`` (m, d) are the points of the m classes.

    tests, alpha : an arrow is strong with an adjusted p up to ``alpha``; without them if outside its bar
    zoom : only those that begin in this part, as points of its drawing

    Raises
    ------
    InputError : another number of classes than corners.
    """
    m = len(corners)
    if len(diagram.class_names) != m:
        shape = "triangle" if m == 3 else "tetrahedron"
        raise InputError(f"There are {len(diagram.class_names)} classes; a {shape} shows {m}.")
    bins = diagram.fullest(least, MOST_ARROWS[m])
    bins = bins[zoom.holds(diagram.mean_prediction[bins])]
    tail, tip = (zoom.within(probs[bins]) @ corners for probs in (diagram.mean_prediction, diagram.observed))
    share, strong = diagram.counts / diagram.n_cases, stands_out(diagram, tests, alpha)
    keys: tuple[str, str] | tuple[str] = ("leads to what happened",)
    if tests is not None:
        keys = f"stands out (p ≤ {alpha:g})", "could be chance"
    elif diagram.has_bars:
        keys = SMOOTH_KEYS
    names = tuple(map(style.short, diagram.class_names))
    hover = partial(_hover, diagram, names, style.short(noun), tests)
    return Arrows(diagram.class_names, noun, keys, hover, bins, tail, tip, share[bins], strong[bins])


SMOOTH_KEYS = ("beyond chance", "could be chance")


def smooth_arrows_of(smooth: SmoothArrows, corners: Float, noun: str, zoom: Zoom) -> Arrows:
    """Arrows without bins; ``bins`` are the numbers of their places.

    Raises
    ------
    InputError : another number of classes than corners.
    """
    if len(smooth.class_names) != len(corners):
        raise InputError(f"There are {len(smooth.class_names)} classes; expected {len(corners)}.")
    places = np.flatnonzero(zoom.holds(smooth.predicted))
    tail, tip = (zoom.within(probs[places]) @ corners for probs in (smooth.predicted, smooth.observed))

    def hover(place: int) -> tuple[str, ...]:
        return tuple(map(style.short, place_lines(smooth, place)))

    return Arrows(
        smooth.class_names, noun, SMOOTH_KEYS, hover, places, tail, tip, smooth.shares[places],
        smooth.strong[places],
    )  # fmt: skip


def _hover(
    diagram: Reliability, names: tuple[str, ...], noun: str, tests: BinPvalues | None, b: int
) -> tuple[str, ...]:
    predicted, happened = arrow_words(diagram, b, names)
    p = arrow_p(tests, b)
    share = percent(float(diagram.counts[b] / diagram.n_cases))
    cases = count(int(diagram.counts[b]), noun)
    lines = [
        f"Predicted: {predicted}",
        f"Happened: {happened}",
        f"{cases} ({share}), {points(diagram.deviation[b])} apart",
    ]
    if diagram.has_bars:
        lines.append(f"If calibrated: {100 * diagram.low[b]:.1f} to {points(diagram.high[b])}")
    return (*lines, sentence_case(p)) if p else tuple(lines)
