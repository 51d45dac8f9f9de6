"""Histogram binning of the confidence (Zadrozny & Elkan 2001)."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from calibcore.numerics.types import Float, Int
from calibcore.questions.recalibrate.maps.map import MAPS, RecalibrationMap

BINS = 10


@MAPS.enter
@dataclass(frozen=True)
class Histogram(RecalibrationMap):
    """The largest probability becomes how often the likeliest class happened in its bin; the others share the
    rest in their old proportions.

    ``edges`` are those of ten bins of as many cases; a confidence on an edge belongs to the bin above.
    """

    kind: ClassVar[str] = "histogram"
    label: ClassVar[str] = "Histogram of the confidence"
    help: ClassVar[str] = "The confidence becomes how often it was right in its bin."
    has_log_loss: ClassVar[bool] = False

    edges: tuple[float, ...]
    shares: tuple[float, ...]

    @classmethod
    def fit(cls, probs: Float, labels: Int) -> Self:
        """Cost O(nm + n log n)."""
        top = probs.argmax(axis=1)
        confidence = probs[np.arange(len(probs)), top]
        edges = np.unique(np.quantile(confidence, np.arange(1, BINS) / BINS, method="inverted_cdf"))
        bins = np.searchsorted(edges, confidence, side="right")
        counts = np.bincount(bins, minlength=len(edges) + 1)
        hits = np.bincount(bins, top == labels, minlength=len(edges) + 1)
        shares = np.divide(hits, counts, out=np.full(len(counts), 1 / probs.shape[1]), where=counts > 0)
        return cls(tuple(map(float, edges)), tuple(map(float, shares)))

    def __call__(self, probs: Float) -> Float:
        """(n, m) -> (n, m)."""
        rows, top = np.arange(len(probs)), probs.argmax(axis=1)
        confidence = probs[rows, top]
        share = np.array(self.shares)[np.searchsorted(self.edges, confidence, side="right")]
        rest = 1 - confidence
        others = np.where(rest > 0, (1 - share) / np.where(rest > 0, rest, 1.0), 0.0)
        out = probs * others[:, None]
        even = (rest <= 0)[:, None] * ((1 - share) / (probs.shape[1] - 1))[:, None]
        out = out + even
        out[rows, top] = share
        return np.asarray(out)

    def code(self) -> str:
        """Some ten lines of NumPy."""
        return f'''import numpy as np


def recalibrate(probs):
    """Rows of probabilities in, rows of probabilities out."""
    edges, shares = {list(self.edges)!r}, np.array({list(self.shares)!r})
    rows, top = np.arange(len(probs)), probs.argmax(axis=1)
    confidence = probs[rows, top]
    share = shares[np.searchsorted(edges, confidence, side="right")]
    rest = 1 - confidence
    out = probs * np.where(rest > 0, (1 - share) / np.where(rest > 0, rest, 1), 0)[:, None]
    out = out + ((rest <= 0) * (1 - share) / (probs.shape[1] - 1))[:, None]
    out[rows, top] = share
    return out
'''
