"""Lenses on the likeliest classes, whichever they are: so many of them, or as many as a set needs."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int
from calibcore.strategies import whole_number
from calibcore.transforms.lenses.lens import LENSES, Lens, refuse_but_confidence, row_by_row

OTHER = "other"
"""What a top-k lens calls the classes that are none of its choices."""
_BY_ROUNDING = 1e-12
"""A sum that falls short of the level by no more reaches it: .7 + .1 is less than .8 in binary numbers."""


@LENSES.enter
@dataclass(frozen=True)
class TopKLens(Lens):
    """The k largest probabilities and the rest (V19 Example 2 iii).

    ``k = 1`` is confidence calibration (Guo et al. 2017) with classes "hit" and
    "miss". Ties go to the lower class index; :func:`top_k_ties` counts them.

    >>> from calibcore import Predictions, TopKLens
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> q = TopKLens(1)(p)
    >>> q.probs.tolist(), q.class_names, q.labels.tolist()
    ([[0.7, 0.30000000000000004], [0.6, 0.4]], ('hit', 'miss'), [0, 1])
    """

    k: int = 1
    kind: ClassVar[str] = "top-k"
    place: ClassVar[int] = 2
    label: ClassVar[str] = "The most likely classes"
    syntax: ClassVar[str] = ":K"
    shorthand: ClassVar[str] = "confidence"

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InputError(f"top-k has k = {shown(self.k)}; expected 1 or more.")

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n, k + 1): falling probabilities and the sum of the others.

        Where only a confidence is known, that with k = 1.
        """
        m, k = predictions.m, self.k
        if predictions.confidence_only:
            refuse_but_confidence(predictions, self)
            return predictions.through(predictions.probs, predictions.labels, ("hit", "miss"))
        if k >= m:
            raise InputError(
                f"top-k has k = {shown(k)} for {m} classes; expected k from 1 to {m - 1}, so that a class is "
                "left."
            )
        work = loops.largest_and_rest if k == 1 else loops.largest
        names = ("hit", "miss") if k == 1 else (*map(ordinal, range(1, k + 1)), OTHER)
        return row_by_row(work, predictions, names)

    @property
    def top(self) -> int:
        return self.k

    @property
    def answers(self) -> str:
        return "answers" if self.k == 1 else ""

    def phrase(self) -> str:
        return "confidence in the answer" if self.k == 1 else f"the {self.k} most likely classes"

    def whose(self) -> str:
        return "The confidence is" if self.k == 1 else f"The probabilities of {self.phrase()} are"

    @property
    def comes_true(self) -> tuple[str, str]:
        return ("it is right", "it was right") if self.k == 1 else super().comes_true

    def towards(self, name: str) -> str:
        if self.k == 1:
            return f"towards {'right' if name == 'hit' else 'wrong'} answers"
        return f"towards {_choice(name)}"

    def average_sentence(self, text: str, name: str) -> str:
        return f"the model is {text} sure of its answer on average, and right"

    def where_sentence(self, text: str, name: str) -> str:
        if self.k > 1:
            return f"the model gives its {name} choice {text} on average, it happens"
        return f"the model is {text} sure on average, it is right"

    def frequency_words(self, cases: str, text: str, name: str) -> tuple[str, str, str]:
        if self.k == 1:
            return f"{cases} where the model was {text} sure", "it was right in ", ""
        return f"{cases} where the model gave {_choice(name)} {text}", "it happened in ", ""

    def ties(self, predictions: Predictions) -> int:
        return 0 if predictions.confidence_only else top_k_ties(predictions.probs, self.k)

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "TopKLens":
        return cls(whole_number(rest or "1", f"top-k:{rest}"))

    @classmethod
    def plainest(cls, predictions: Predictions) -> "TopKLens | None":
        return cls(2) if predictions.m > 2 else None

    def fits(self, predictions: Predictions) -> bool:
        return self.k < predictions.m and super().fits(predictions)


def _choice(name: str) -> str:
    return "the other classes" if name == OTHER else f"its {name} choice"


def ordinal(i: int) -> str:
    """1 -> "1st", 2 -> "2nd", 11 -> "11th"."""
    ending = "th" if i % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(i % 10, "th")
    return f"{i}{ending}"


def top_k_ties(probs: Float, k: int) -> int:
    """Rows in which the k-th and the next largest probability are equal, or two among the first k are."""

    def tied(rows: slice) -> int:
        falling = np.sort(np.partition(-probs[rows], k, axis=1)[:, : k + 1], axis=1)
        return int(np.count_nonzero((np.diff(falling, axis=1) == 0).any(axis=1)))

    return sum(loops.in_threads(tied, loops.cached_blocks(*probs.shape)))


def order_decides(ties: int, cases: int) -> bool:
    """Whether ties among so many cases could decide which way they lean; predictions alone say.

    An order of the columns moves at most ``ties`` of the counts. Up to the root of ``cases`` that is about
    half the width of a 95 % interval: no other order could then show a clear lean the other way.
    """
    return ties > math.sqrt(cases)


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
        refuse_but_confidence(predictions, self)
        least = self.level - _BY_ROUNDING
        names = "inside", "outside"
        return row_by_row(lambda g, y, *out: _inside(g, y, least, *out), predictions, names)

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

    @property
    def comes_true(self) -> tuple[str, str]:
        return "the truth is in the set", "the truth was in the set"

    def towards(self, name: str) -> str:
        return f"towards sets that {'hold' if name == 'inside' else 'miss'} the truth"

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


@loops.compiled_part
def _next(g: Float, i: int, last: float, place: int) -> int:
    """The class that follows ``place``, of probability ``last``: the largest below, or an equal behind it."""
    best = -1
    for k in range(g.shape[1]):
        p = g[i, k]
        follows = p < last or (p == last and k > place)
        if follows and (best < 0 or p > g[i, best]):
            best = k
    return best


@loops.compiled_part
def _of_set(g: Float, i: int, least: float) -> tuple[float, float, int, int]:
    """The sum of a row's set, the probability of its last class, which that is, and how many there are."""
    total, last, place, used = 0.0, np.inf, -1, 0
    while total < least and used < g.shape[1]:
        place = _next(g, i, last, place)
        last = g[i, place]
        total += last
        used += 1
    return total, last, place, used


@loops.compiled
def _inside(g: Float, y: Int, least: float, out: Float, new: Int) -> None:
    for i in range(g.shape[0]):
        total, last, place, _ = _of_set(g, i, least)
        rest, outside = 0.0, 0
        for k in range(g.shape[1]):
            if g[i, k] < last or (g[i, k] == last and k > place):
                rest += g[i, k]
                if k == y[i]:
                    outside = 1
        out[i, 0] = total
        out[i, 1] = rest
        new[i] = outside


@loops.compiled
def _sizes(g: Float, least: float, out: Int) -> None:
    for i in range(g.shape[0]):
        out[i] = _of_set(g, i, least)[3]
