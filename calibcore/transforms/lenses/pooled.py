"""Every class of every case as a case of its own."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.transforms.lenses.lens import LENSES, Lens

MOST_PAIRS = 50_000_000
"""Pairs that the pooled lens makes at most."""


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
    def pairs(self) -> bool:
        return True

    def phrase(self) -> str:
        return "every class of every case, pooled"

    def where_sentence(self, text: str, name: str) -> str:
        return f"a class is given {text} on average, it happens"

    def frequency_words(self, cases: str, text: str, name: str) -> tuple[str, str, str]:
        return f"{cases} given {text}", "", " happened"

    @classmethod
    def plainest(cls, predictions: Predictions) -> None:
        """Not offered: a report may look through it."""
