"""The k largest probabilities and the rest."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.checks import shown
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.types import Float
from calibcore.strategies import whole_number
from calibcore.transforms.lenses.lens import LENSES, Lens
from calibcore.transforms.lenses.rows import row_by_row

_CACHED = 1 << 17
"""Numbers that stay in a processor's cache."""
OTHER = "other"
"""What a top-k lens calls the classes that are none of its choices."""


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
        """(n, m) -> (n, k + 1): falling probabilities and the sum of the others."""
        m, k = predictions.m, self.k
        if k >= m:
            raise InputError(
                f"top-k has k = {shown(k)} for {m} classes; expected k from 1 to {m - 1}, so that a class is "
                "left."
            )
        work = loops.largest_and_rest if k == 1 else loops.largest
        probs, labels = row_by_row(work, predictions, k)
        names = ("hit", "miss") if k == 1 else (*map(ordinal, range(1, k + 1)), OTHER)
        return predictions.through(probs, labels, names)

    @property
    def top(self) -> int:
        return self.k

    @property
    def answers(self) -> str:
        return "answers" if self.k == 1 else ""

    def phrase(self) -> str:
        return "confidence in the top class" if self.k == 1 else f"the {self.k} most likely classes"

    def whose(self) -> str:
        return "The confidence is" if self.k == 1 else f"The probabilities of {self.phrase()} are"

    def leaning(self, gap: float) -> str:
        if self.k == 1:
            return "too sure" if gap > 0 else "too unsure"
        return super().leaning(gap)

    @property
    def names_its_class(self) -> bool:
        return self.k == 1

    def average_sentence(self, text: str, name: str) -> str:
        return f"the model is {text} sure of its answer on average, and right"

    def where_sentence(self, text: str, name: str) -> str:
        if self.k > 1:
            return f"the model gives its {name} choice {text} on average, it happens"
        return f"the model is {text} sure on average, it is right"

    def frequency_words(self, cases: str, text: str, name: str) -> tuple[str, str, str]:
        if self.k == 1:
            return f"{cases} where the model was {text} sure", "it was right in ", ""
        which = "the other classes" if name == OTHER else f"its {name} choice"
        return f"{cases} where the model gave {which} {text}", "it happened in ", ""

    def ties(self, predictions: Predictions) -> int:
        return top_k_ties(predictions.probs, self.k)

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "TopKLens":
        return cls(whole_number(rest or "1", f"top-k:{rest}"))

    def to_words(self) -> str:
        return f"{self.kind}:{self.k}"

    @classmethod
    def plainest(cls, predictions: Predictions) -> "TopKLens | None":
        return cls(2) if predictions.m > 2 else None

    def fits(self, predictions: Predictions) -> bool:
        return self.k < predictions.m


def ordinal(i: int) -> str:
    """1 -> "1st", 2 -> "2nd", 11 -> "11th"."""
    ending = "th" if i % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(i % 10, "th")
    return f"{i}{ending}"


def top_k_ties(probs: Float, k: int) -> int:
    """Rows in which the k-th and the next largest probability are equal, or two among the first k are."""

    def tied(rows: slice) -> int:
        falling = np.sort(np.partition(-probs[rows], k, axis=1)[:, : k + 1], axis=1)
        return int(np.count_nonzero((np.diff(falling, axis=1) == 0).any(axis=1)))

    return sum(loops.in_threads(tied, loops.blocks(len(probs), max(1, _CACHED // probs.shape[1]))))
