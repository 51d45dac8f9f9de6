"""Lenses that change what the cases are: some of them only, or every class of each by itself."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.label_pairs import MOST_PAIRS
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Int
from calibcore.transforms.lenses.lens import LENSES, Lens, refuse_but_confidence
from calibcore.wording import percent, quote

CONFIDENCE = "confidence"
"""In place of a class, a region's name for the confidence in the answer, where nothing else is known."""


@LENSES.enter
@dataclass(frozen=True)
class PooledLens(Lens):
    """All n·m pairs of a predicted probability and whether that class happened (V19 Example 4).

    The pairs of one case depend on each other, so the case stays the unit: labels
    are redrawn for the cases and pooled afterwards. An exact test through this
    lens tests canonical calibration; estimators that are unbiased for independent
    cases are not unbiased for pairs.

    >>> from calibcore import PooledLens, Predictions
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> PooledLens()(p)
    Predictions(6 cases, 2 classes: 'hit', 'miss')
    """

    kind: ClassVar[str] = "pooled"
    place: ClassVar[int] = 6
    label: ClassVar[str] = "Every class of every case, as a yes or no"
    streams: ClassVar[bool] = False

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> (n·m, 2): "hit", the sum of the others as "miss"; the pairs of a case side by side."""
        refuse_but_confidence(predictions, self)
        n, m = predictions.probs.shape
        if n * m > MOST_PAIRS:
            raise InputError(
                f"{n:,} cases over {m:,} classes make {n * m:,} pairs; expected {MOST_PAIRS:,} at most. "
                "Use fewer cases, drawn at random, or a lens on single classes."
            )
        pairs = np.zeros((n, m, 2))
        pairs[..., 0] = p = predictions.probs
        # Sums from either side: a row's sum less one of its values could fall below 0.
        pairs[:, 1:, 1] += np.cumsum(p[:, :-1], axis=1)
        pairs[:, :-1, 1] += np.cumsum(p[:, :0:-1], axis=1)[:, ::-1]
        return predictions.pooled(pairs.reshape(-1, 2))

    @property
    def pair(self) -> str:
        return "a case and a class"

    def phrase(self) -> str:
        return "every class of every case, pooled"

    def towards(self, name: str) -> str:
        return f"towards classes that {'happen' if name == 'hit' else 'do not happen'}"

    def where_sentence(self, text: str, name: str) -> str:
        return f"a class is given {text} on average, it happens"

    def frequency_words(self, cases: str, text: str, name: str) -> tuple[str, str, str]:
        return f"{cases} given {text}", "", " happened"

    @classmethod
    def plainest(cls, predictions: Predictions) -> None:
        """Not offered: a report may look through it."""


@LENSES.enter
@dataclass(frozen=True)
class RegionLens(Lens):
    """Only the cases with ``low ≤ g_class(x) ≤ high``, then ``lens`` (V19 §3.2: A ⊂ simplex).

    The region looks at predictions, never at labels, so calibration survives it. Where only a confidence is
    known, "confidence" stands in place of the class.

    >>> from calibcore import Predictions, RegionLens, TopKLens
    >>> probs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]
    >>> p = Predictions.from_arrays(probs, ["cat", "owl"], ["cat", "dog", "owl"])
    >>> RegionLens(TopKLens(1), "cat", low=0.5, high=1.0)(p)
    Predictions(1 case, 2 classes: 'hit', 'miss')
    """

    lens: Lens
    class_name: str
    low: float
    high: float
    kind: ClassVar[str] = "region"
    place: ClassVar[int] = 7
    label: ClassVar[str] = "A region within"
    syntax: ClassVar[str] = ":NAME:LOW:HIGH[:LENS]"
    streams: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= 1:
            raise InputError(
                f"The region goes from {self.low:g} to {self.high:g}; expected 0 ≤ low ≤ high ≤ 1."
            )

    def __call__(self, predictions: Predictions) -> Predictions:
        """(n, m) -> ``lens`` of the rows in the region; an empty region is an error."""
        return self.lens(predictions.with_rows(self._in_region(predictions)))

    def _in_region(self, predictions: Predictions) -> Int:
        """Row numbers in the region, from 0."""
        p = predictions.probs[:, self._place(predictions)]
        rows = np.flatnonzero((p >= self.low) & (p <= self.high))
        if not len(rows):
            confidence = predictions.confidence_only and self.class_name == CONFIDENCE
            what = CONFIDENCE if confidence else f"probability of {quote(self.class_name)}"
            raise InputError(
                f"The region is empty: no case has a {what} from {self.low:g} to "
                f"{self.high:g}; they go from {p.min():.4g} to {p.max():.4g}."
            )
        return rows

    def _place(self, predictions: Predictions) -> int:
        """The class whose probability is looked at; of a confidence alone the first is that it is right."""
        if predictions.confidence_only and self.class_name == CONFIDENCE:
            return 0
        return predictions.class_index(self.class_name)

    @property
    def _range_words(self) -> str:
        alone = self.class_name == CONFIDENCE and self.lens.shows_confidence  # else it is a class called so
        what = "the confidence was" if alone else f"'{self.class_name}' was given"
        return f"{what} {percent(self.low, 0)} to {percent(self.high, 0)}"

    def rows(self, predictions: Predictions) -> Int:
        rows = self._in_region(predictions)
        return rows[self.lens.rows(predictions.with_rows(rows))]

    @property
    def within(self) -> Lens:
        return self.lens.within

    @property
    def pair(self) -> str:
        return self.within.pair

    @property
    def region(self) -> str:
        return f"{self._range_words} and {self.lens.region}" if self.lens.region else self._range_words

    def phrase(self) -> str:
        return f"{self.lens.phrase()}, where {self._range_words}"

    def ties(self, predictions: Predictions) -> int:
        return self.lens.ties(predictions.with_rows(self._in_region(predictions)))

    @classmethod
    def from_words(cls, rest: str, read: Callable[[str], Lens]) -> "RegionLens | None":
        number = r"\d*\.?\d+"
        match = re.fullmatch(rf"(.+?):({number}):({number})(?::(.+))?", rest, re.DOTALL)
        if not match:
            return None
        name, low, high, inner = match.groups()
        return cls(read(inner or "canonical"), name, float(low), float(high))

    def to_words(self) -> str:
        low, high = (np.format_float_positional(value, trim="-") for value in (self.low, self.high))
        return f"{self.kind}:{self.class_name}:{low}:{high}:{self.lens.to_words()}"

    @classmethod
    def plainest(cls, predictions: Predictions) -> None:
        """Not offered as a lens: any lens can be looked through in a region."""

    def fits(self, predictions: Predictions) -> bool:
        alone = predictions.confidence_only and self.class_name == CONFIDENCE
        return (alone or self.class_name in predictions.class_names) and self.lens.fits(predictions)
