"""Isotonic regression, each class against the rest (Zadrozny & Elkan 2002)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from calibcore.bounds import Length, Share
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import MAPS, RecalibrationMap, set_by_set
from calibcore.settings.faults import inside

FEW = 1_000
"""Cases a class below which it is said that there are too few."""
Points = Annotated[tuple[Share, ...], Length(1)]
Steps = tuple[Points, Points]


@MAPS.enter
@dataclass(frozen=True)
class Isotonic(RecalibrationMap):
    """A rising function of each probability; rows are then divided by their sum, a row of zeros is even.

    ``steps`` holds for each class, of two the first alone, predictions and what becomes of them; what lies
    between two is interpolated, what lies beyond is as the last.
    """

    kind = "isotonic"
    label = "Isotonic"
    help = "Any rising function of each probability; needs many cases."
    has_log_loss: ClassVar[bool] = False
    every_number = True

    steps: Annotated[tuple[Steps, ...], Length(1)]

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where numbers of a document contradict each other."""
        if len(self.steps) == 2:
            raise InputError("There are steps of 2 classes; of two classes the first alone has some.")
        for i, (x, y) in enumerate(self.steps):
            with inside("steps", i):
                if len(x) != len(y):
                    raise InputError(f"There are {len(x):,} predictions and {len(y):,} values.")
                if list(x) != sorted(set(x)) or list(y) != sorted(y):
                    raise InputError("Its numbers do not rise.")

    @property
    def m(self) -> int:
        """Two where one class has steps, else as many as have them."""
        return max(2, len(self.steps))

    @classmethod
    def _fit(cls, probs: Float, labels: Int) -> Self:
        """Least squares by pooling adjacent violators. Cost O(nm log n)."""
        m = probs.shape[1]
        classes = range(1 if m == 2 else m)
        return cls(tuple(_steps(probs[:, c], labels == c) for c in classes))

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """What does not see labels, sorting and where left-out predictions lie, is done once.

        Cost O(nm) a label set.
        """
        m = probs.shape[1]
        before = np.square(probs).sum(axis=1)
        rows = np.arange(len(probs))
        parts = []
        for fold in np.unique(folds):
            inside = np.flatnonzero(folds == fold)
            outside = np.flatnonzero(folds != fold)
            each = [_Sorted.of(probs[outside, c], probs[inside, c]) for c in range(1 if m == 2 else m)]
            parts.append((inside, outside, each))

        def gain(labels: Int) -> float:
            after = np.empty_like(probs)
            for inside, outside, each in parts:
                mapped = np.column_stack(
                    [column.mapped(labels[outside] == c) for c, column in enumerate(each)]
                )
                after[inside] = _rows(mapped)
            change = after[rows, labels] - probs[rows, labels]
            return float((before - np.square(after).sum(axis=1) + 2 * change).mean())

        return set_by_set(gain)

    def _mapped(self, probs: Float) -> Float:
        """(n, m) -> (n, m)."""
        each = np.column_stack([np.interp(probs[:, c], x, y) for c, (x, y) in enumerate(self.steps)])
        return _rows(each)

    def body(self) -> str:
        """Some ten lines of NumPy."""
        steps = [[list(x), list(y)] for x, y in self.steps]
        return f"""    steps = {steps!r}
    each = np.column_stack([np.interp(probs[:, c], x, y) for c, (x, y) in enumerate(steps)])
    if len(steps) == 1:
        return np.column_stack([each[:, 0], 1 - each[:, 0]])
    sums = each.sum(axis=1, keepdims=True)
    return np.where(sums > 0, each / np.where(sums > 0, sums, 1), 1 / each.shape[1])
"""


def _rows(each: Float) -> Float:
    """(n, m) rows that sum to 1, out of what became of each class; of two classes of the first."""
    if each.shape[1] == 1:
        return np.column_stack([each[:, 0], 1 - each[:, 0]])
    sums = each.sum(axis=1, keepdims=True)
    even = np.full_like(each, 1 / each.shape[1])
    return np.asarray(np.where(sums > 0, each / np.where(sums > 0, sums, 1.0), even))


@dataclass(frozen=True, eq=False)
class _Sorted:
    """Predictions of one class in a fit: which are equal, how many, and where left-out ones lie between."""

    place: Int
    counts: Int
    left: Int
    share: Float

    @classmethod
    def of(cls, fitted: Float, left_out: Float) -> "_Sorted":
        values, place, counts = np.unique(fitted, return_inverse=True, return_counts=True)
        index = np.clip(np.searchsorted(values, left_out, side="right") - 1, 0, max(0, len(values) - 2))
        ends = values[index], values[np.minimum(index + 1, len(values) - 1)]
        width = ends[1] - ends[0]
        share = np.divide(left_out - ends[0], width, out=np.zeros(len(index)), where=width > 0)
        return cls(place, counts, index, np.clip(share, 0.0, 1.0))

    def mapped(self, hits: NDArray[np.bool_]) -> Float:
        """What becomes of the left-out predictions."""
        fitted = _rising(self.place, self.counts, hits)
        right = np.minimum(self.left + 1, len(fitted) - 1)
        return np.asarray(fitted[self.left] * (1 - self.share) + fitted[right] * self.share)


def _rising(place: Int, counts: Int, hits: NDArray[np.bool_]) -> Float:
    """What becomes of each value, of which there are so many."""
    means = np.bincount(place, hits) / counts
    return np.asarray(isotonic_regression(means, weights=counts).x)


def _steps(p: Float, hits: NDArray[np.bool_]) -> Steps:
    """Equal predictions are one, with as much weight; of a flat stretch its ends are kept."""
    values, place, counts = np.unique(p, return_inverse=True, return_counts=True)
    fitted = _rising(place, counts, hits)
    inner = (fitted[1:-1] != fitted[:-2]) | (fitted[1:-1] != fitted[2:])
    mask = np.concatenate([[True], inner, [True]])[: len(fitted)]
    return tuple(map(float, values[mask])), tuple(map(float, fitted[mask]))
