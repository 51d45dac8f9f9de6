"""Parts of the simplex where most arrows begin: smaller simplices, each with its own corners."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.numerics.types import Float

NEAR = 0.1
"""An arrow crowds a corner if it begins where that class has all but so much, or more."""
MOST_SIDE = 0.5
"""A part that is not smaller than this brings little."""
FEWEST = 3
"""Arrows that make a crowd."""
REACH = 0.5
"""Share of a corner's arrows that lie within its part from end to end."""
STEPS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001)
_SLACK = 1e-9


@dataclass(frozen=True)
class Zoom:
    """The part of the simplex where class k has ``lowest[k]`` or more; all 0: the whole."""

    lowest: tuple[float, ...]

    @property
    def side(self) -> float:
        """Of the part, where that of the whole is 1."""
        return round(1 - sum(self.lowest), 12)

    @property
    def corner(self) -> int | None:
        """The class whose corner of the whole is a corner of this part too, if it is only one."""
        above = [k for k, low in enumerate(self.lowest) if low > 0]
        return above[0] if len(above) == 1 else None

    @property
    def step(self) -> float:
        """Between the numbers along a side."""
        return next(step for step in (*STEPS, 0.0) if step <= self.side / 3.5)

    def within(self, probs: Float) -> Float:
        """(…, m) probabilities -> (…, m) shares of the part's own corners; below 0 outside of it."""
        return np.asarray((probs - np.array(self.lowest)) / self.side)

    def holds(self, probs: Float) -> NDArray[np.bool_]:
        """(…, m) -> (…,)"""
        return np.asarray((probs >= np.array(self.lowest) - _SLACK).all(axis=-1))

    def corners(self) -> Float:
        """(m, m) probabilities at the corners of the part."""
        return np.asarray(np.array(self.lowest) + self.side * np.eye(len(self.lowest)))

    def levels(self, k: int) -> Float:
        """Probabilities of class k along a side, without its ends: multiples of :attr:`step`."""
        first, last = self.lowest[k] / self.step, (self.lowest[k] + self.side) / self.step
        return np.asarray(self.step * np.arange(math.floor(first + _SLACK) + 1, math.ceil(last - _SLACK)))


def zooms(tail: Float, tip: Float) -> tuple[Zoom, ...]:
    """Of arrows from ``tail`` to ``tip``, (K, m) probabilities, the parts worth looking at by themselves.

    One around all arrows, if that is small. And one at each corner that arrows crowd, if most crowd some
    corner: of round size, so that it holds half of them from end to end. Labels of cases decide only by where
    arrows end. Cost O(Km).
    """
    if len(tail) < FEWEST:
        return ()
    m, both = tail.shape[1], np.minimum(tail, tip)
    lowest = np.floor(both.min(axis=0) / 0.05 + _SLACK) * 0.05
    together = Zoom(tuple(np.round(np.maximum(lowest, 0.0), 12).tolist()))
    parts = [together] if 0 < together.side <= MOST_SIDE else []
    near = tail >= 1 - NEAR
    if near.any(axis=1).mean() <= 0.5:
        return tuple(parts)
    for k in range(m):
        if near[:, k].sum() < FEWEST:
            continue
        needed = float(np.quantile(1 - both[near[:, k], k], REACH, method="inverted_cdf"))
        side = min(step for step in STEPS if step >= min(needed, MOST_SIDE) - _SLACK)
        part = Zoom(tuple(np.round((1 - side) * np.eye(m)[k], 12).tolist()))
        if part.side < MOST_SIDE and part not in parts:
            parts.append(part)
    return tuple(parts)
