"""What every lens is: predictions in, simpler predictions out, and what is said of it."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol, Self

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.types import Int
from calibcore.strategies import Strategies, words_of

LENSES = Strategies("lens")
_NUMBERS = 1 << 22
"""Probabilities that a thread reads at a time."""


class Lens(Protocol):
    """A lens is called, and answers questions about itself. Cost O(nm), top-k O(nmk) at worst.

    One more is a file in this folder: a frozen dataclass of this class with ``kind``, ``label``, ``__call__``
    and ``phrase``, entered by ``@LENSES.enter``. The rest has an answer here that holds for most.
    """

    kind: ClassVar[str]
    """In JSON and on the command line."""
    label: ClassVar[str]
    """In the side bar: "One class"."""
    syntax: ClassVar[str] = ""
    """What follows the kind on the command line: ":NAME"."""
    shorthand: ClassVar[str] = ""
    """A word of its own for the plain lens of this kind on the command line: "confidence"."""
    whole: ClassVar[bool] = False
    """Whether it shows all classes of all cases as they are: then its verdict stands for the model."""
    in_full: ClassVar[bool] = False
    """Whether the document of a survey has its lenses as objects where this is one of them, else in words."""
    streams: ClassVar[bool] = True
    """Whether cases can be looked at slice by slice: each by itself, and as many as there were."""

    def __call__(self, predictions: Predictions) -> Predictions: ...

    def phrase(self) -> str:
        """What is looked at, as part of a sentence: "the class 'cat'"."""
        ...

    def classes(self, predictions: Predictions) -> int:
        """How many it leaves; refuses what a call refuses. One case tells where each is looked at alone."""
        one_tells = self.streams and predictions.pooled_from is None
        return self(predictions.with_rows(slice(0, 1)) if one_tells else predictions).m

    @property
    def one_class(self) -> str | None:
        """The one class that is looked at against all others."""
        return None

    @property
    def of_label(self) -> str | None:
        """Which of several labels of a case is looked at."""
        return None

    @property
    def top(self) -> int:
        """How many of the likeliest classes are looked at, whichever they are; 0: classes by their names."""
        return 0

    @property
    def within(self) -> "Lens":
        """The lens inside a region; of all others the lens itself."""
        return self

    @property
    def region(self) -> str:
        """Where it looks, "'cat' was given 80 % to 100 %"; empty for everywhere."""
        return ""

    def ties(self, predictions: Predictions) -> int:
        """Rows in which exact ties decide what it shows."""
        return 0

    @property
    def answers(self) -> str:
        """What the model gives that is right or not, "answers" or "sets"; empty where classes are looked at.

        Then the first of its two classes is that it is right: one may act on it, or ask somebody.
        """
        return ""

    @property
    def of_all_labels(self) -> bool:
        """Whether all labels of a case are looked at together, of several."""
        return False

    @property
    def pair(self) -> str:
        """Of what a row of its diagram is a pair, "a case and a class"; empty where it is a case."""
        return ""

    @property
    def pairs(self) -> bool:
        """Whether a row of its diagram is a pair, no case."""
        return bool(self.pair)

    def rows(self, predictions: Predictions) -> Int:
        """(n′,) the rows, from 0, of the cases that it shows."""
        return np.arange(predictions.n)

    def whose(self) -> str:
        """What may be off: "The probabilities of 'cat' are"."""
        return "All probabilities together are"

    def leaning(self, gap: float) -> str:
        """How the probability of a class is off on balance, by the sign of said less happened."""
        high, low = ("sure", "unsure") if self.answers else ("high", "low")
        return f"too {high if gap > 0 else low}"

    def towards(self, name: str) -> str:
        """Where outcomes shift that are more often class ``name`` than was said: "towards 'cat'"."""
        return f"towards '{name}'"

    @property
    def names_its_class(self) -> bool:
        """Whether what it says needs no name of a class beside it."""
        return bool(self.answers) or self.one_class is not None

    @property
    def comes_true(self) -> tuple[str, str]:
        """That the first of its two classes is the label, now and before: "it happens", "it happened"."""
        return "it happens", "it happened"

    def average_sentence(self, text: str, name: str) -> str:
        """What the model said on average, ``text``; ``name`` is the first class."""
        return f"the model gives '{name}' {text} on average, and it happens"

    def where_sentence(self, text: str, name: str) -> str:
        """The same of a bin, after "where" and before how often it happened; ``name`` is the class."""
        return f"the model gives '{name}' {text} on average, it happens"

    def frequency_words(self, cases: str, text: str, name: str) -> tuple[str, str, str]:
        """Which ``cases`` were given ``text`` of the class ``name``, and what stands before and after the
        number of those where it happened: "patients given 35 % for 'ill'", "it was so in ", ""."""
        return f"{cases} given {text} for '{name}'", "it was so in ", ""

    @classmethod
    def from_words(cls, rest: str, read: "Callable[[str], Lens]") -> "Self | None":
        """The lens of what follows its kind on the command line; None where that fits no lens.

        ``read`` makes a lens of words: of one that is looked through within this one.
        """
        return cls() if not rest else None

    def to_words(self) -> str:
        """The inverse of :meth:`from_words`, its kind first."""
        return words_of(self)

    @classmethod
    def plainest(cls, predictions: Predictions) -> "Self | None":
        """The one to begin with for these predictions; None where none of this kind fits them."""
        return cls()

    def fits(self, predictions: Predictions) -> bool:
        """Whether these predictions have what it looks at."""
        return self.shows_confidence or not predictions.confidence_only

    @property
    def shows_confidence(self) -> bool:
        """Whether it needs no more than the confidence in the answer."""
        return self.answers != "" and self.top == 1


def refuse_but_confidence(predictions: Predictions, lens: Lens) -> None:
    """Raises :class:`InputError` where only a confidence is known, and a lens needs all probabilities."""
    if predictions.confidence_only and not lens.shows_confidence:
        raise InputError(
            f"Of each case only the confidence in the answer is known, and {lens.phrase()} needs the "
            "probabilities of all classes. Look through the lens 'confidence'."
        )


def row_by_row(work: Callable[..., None], predictions: Predictions, names: Sequence[str]) -> Predictions:
    """The predictions over ``names`` that compiled ``work`` makes of each row, some rows at a time."""
    probs, labels = np.empty((predictions.n, len(names))), np.empty(predictions.n, np.int64)
    g, y = loops.read_only(predictions.probs), loops.read_only(predictions.labels)
    size = max(1, min(loops.ROWS, _NUMBERS // predictions.m))
    loops.in_threads(
        lambda rows: work(g[rows], y[rows], probs[rows], labels[rows]), loops.blocks(predictions.n, size)
    )
    return predictions.through(probs, labels, names)
