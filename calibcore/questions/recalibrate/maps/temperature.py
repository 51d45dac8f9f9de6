"""Temperature scaling (Guo et al. 2017): one number for all classes."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from calibcore.numerics import loops
from calibcore.numerics.tempering import LEAST, MOST, Powers, smallest_of
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import MAPS, SoftmaxMap

_GRID = 400
_NUMBERS = 1 << 20
"""Probabilities that are mapped together."""


@MAPS.enter
@dataclass(frozen=True)
class Temperature(SoftmaxMap):
    r"""$q_k \propto g_k^{1/T}$: above 1 for a model that is too sure of itself.

    temperature : in 1/20 … 20; at a bound the log loss would fall further beyond it
    smallest : what a probability of 0 counts as
    """

    kind = "temperature"
    label = "Temperature"
    help = "One number makes all probabilities less or more extreme."

    temperature: float
    smallest: float

    @classmethod
    def fit(cls, probs: Float, labels: Int) -> Self:
        """The least log loss: the root of its derivative in b = 1/T. Cost O(nm) a step, some six steps."""
        powers = Powers.of(probs)
        return cls(1 / powers.fitted(powers.happened(labels)), powers.smallest)

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """Of labels only Σ log g_i(y_i) in each fold counts; the rest is tabulated over b = 1/T.

        Cost O(nm) for each of :data:`_GRID` temperatures, then O(n) a label set.
        """
        smallest = smallest_of(probs)
        parts = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
        of_parts = [Powers.of(probs[rows], smallest) for rows in parts]
        grid = np.exp(np.linspace(math.log(1 / MOST), math.log(1 / LEAST), _GRID))
        found = np.array([[powers.at(b) for b in grid.tolist()] for powers in of_parts])
        normalisers, means = found[:, :, 0], found[:, :, 1]
        before = np.array([powers.at(1.0).value for powers in of_parts])

        def gains(labels: Labels) -> Float:
            sums = np.empty((len(labels), len(parts)))
            for f, rows in enumerate(parts):
                some = labels[:, rows].astype(np.int64)
                sums[:, f] = of_parts[f].said(some).sum(axis=1)
            total = np.zeros(len(labels))
            for f in range(len(parts)):
                others = [g for g in range(len(parts)) if g != f]
                b = np.interp(sums[:, others].sum(axis=1), means[others].sum(axis=0), grid)
                total += (b - 1) * sums[:, f] - _between(b, grid, normalisers[f], means[f]) + before[f]
            return total / len(probs)

        return gains

    def scores(self, logs: Float) -> Float:
        """(n, m) -> (n, m)."""
        return logs / self.temperature

    def __call__(self, probs: Float) -> Float:
        """(n, m) -> (n, m), some rows at a time."""
        out = np.empty(probs.shape)
        for rows in loops.blocks(len(probs), max(1, _NUMBERS // probs.shape[1])):
            out[rows] = super().__call__(probs[rows])
        return out

    def title(self) -> str:
        """With its number."""
        return f"Temperature {self.temperature:.6g}"

    def numpy_scores(self) -> str:
        """A line."""
        return f"scores = np.log(np.maximum(probs, {self.smallest!r})) / {self.temperature!r}"

    def torch_scores(self) -> str:
        """A line."""
        return f"scores = logs / {self.temperature!r}"


def _between(b: Float, grid: Float, values: Float, slopes: Float) -> Float:
    """Values at ``b`` between those on the grid, by cubics that have the slopes there too."""
    place = np.clip(np.searchsorted(grid, b, side="right") - 1, 0, len(grid) - 2)
    width = grid[place + 1] - grid[place]
    t = (b - grid[place]) / width
    left, right = values[place], values[place + 1]
    rise = (1 + 2 * t) * (1 - t) ** 2 * left + t**2 * (3 - 2 * t) * right
    return np.asarray(rise + width * t * (1 - t) * ((1 - t) * slopes[place] - t * slopes[place + 1]))
