"""The set of classes that a model would name to be sure enough, and whether the true one is in it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.checks import shown
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int
from calibcore.transforms.lenses.lens import LENSES, Lens
from calibcore.transforms.lenses.rows import row_by_row

_BY_ROUNDING = 1e-12
"""A sum that falls short of the level by no more reaches it: .7 + .1 is less than .8 in binary numbers."""


@LENSES.enter
@dataclass(frozen=True)
class SetLens(Lens):
    """Classes in falling order until their sum reaches ``level``; "inside" with the probability of that sum.

    Ties go to the lower class index. Predictions alone make the set, so calibration survives it. What is
    promised is the mean of the sums, which are ``level`` or more.

    >>> from calibcore import Predictions, SetLens
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> q = SetLens(0.6)(p)
    >>> q.probs[:, 0].tolist(), q.class_names, q.labels.tolist(), SetLens(0.8).mean_size(p)
    ([0.7, 0.6], ('inside', 'outside'), [0, 1], 2.0)
    """

    level: float = 0.9
    kind: ClassVar[str] = "set"
    place: ClassVar[int] = 5
    label: ClassVar[str] = "Sets of likely classes"
    syntax: ClassVar[str] = ":LEVEL"

    def __post_init__(self) -> None:
        if not 0 < self.level <= 1:
            raise InputError(f"The level of the sets is {self.level:g}; expected above 0 and at most 1.")

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n, 2): the sum of the classes in the set, and of the others."""
        least = self.level - _BY_ROUNDING
        probs, labels = row_by_row(lambda g, y, out, new: _inside(g, y, least, out, new), predictions, 1)
        return predictions.through(probs, labels, ("inside", "outside"))

    def sizes(self, predictions: Predictions) -> Int:
        """(n,) how many classes each case's set has. Cost O(nm²) at worst."""
        out = np.empty(predictions.n, np.int64)
        g = loops.read_only(predictions.probs)
        least = self.level - _BY_ROUNDING
        loops.in_threads(lambda rows: _sizes(g[rows], least, out[rows]), loops.blocks(predictions.n))
        return out

    def mean_size(self, predictions: Predictions) -> float:
        """How many classes a set has on average."""
        return float(self.sizes(predictions).mean())

    @property
    def answers(self) -> str:
        return "sets"

    def phrase(self) -> str:
        return f"whether the truth is in the {100 * self.level:.6g}\N{NO-BREAK SPACE}% set"

    def whose(self) -> str:
        return "The probabilities of the sets are"

    def leaning(self, gap: float) -> str:
        return "too sure" if gap > 0 else "too unsure"

    @property
    def names_its_class(self) -> bool:
        return True

    def average_sentence(self, text: str, name: str) -> str:
        return f"the sets claim to hold the truth in {text} on average, and they do"

    def where_sentence(self, text: str, name: str) -> str:
        return f"the sets claim to hold the truth in {text} on average, they do"

    def frequency_words(self, cases: str, text: str, name: str) -> tuple[str, str, str]:
        return f"{cases} whose set claimed to hold the truth in {text}", "it did in ", ""

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "SetLens":
        try:
            level = float(rest or "0.9")
        except ValueError:
            raise InputError(f"The level of the sets is {shown(rest)}; expected a number, 0.9 say.") from None
        return cls(level)

    def to_words(self) -> str:
        return f"{self.kind}:{np.format_float_positional(self.level, trim='-')}"

    @classmethod
    def plainest(cls, predictions: Predictions) -> "SetLens | None":
        return cls() if predictions.m > 2 else None


@loops.compiled
def _next(g: Float, i: int, last: float, place: int) -> int:
    """The class that follows ``place``, of probability ``last``: the largest below, or an equal behind it."""
    best = -1
    for k in range(g.shape[1]):
        p = g[i, k]
        follows = p < last or (p == last and k > place)
        if follows and (best < 0 or p > g[i, best]):
            best = k
    return best


@loops.compiled
def _inside(g: Float, y: Int, least: float, out: Float, new: Int) -> None:
    for i in range(g.shape[0]):
        total, last, place, inside = 0.0, np.inf, -1, 1
        used = 0
        while total < least and used < g.shape[1]:
            place = _next(g, i, last, place)
            last = g[i, place]
            total += last
            used += 1
            if place == y[i]:
                inside = 0
        rest = 0.0
        for k in range(g.shape[1]):
            if g[i, k] < last or (g[i, k] == last and k > place):
                rest += g[i, k]
        out[i, 0] = total
        out[i, 1] = rest
        new[i] = inside


@loops.compiled
def _sizes(g: Float, least: float, out: Int) -> None:
    for i in range(g.shape[0]):
        total, last, place, used = 0.0, np.inf, -1, 0
        while total < least and used < g.shape[1]:
            place = _next(g, i, last, place)
            last = g[i, place]
            total += last
            used += 1
        out[i] = used
