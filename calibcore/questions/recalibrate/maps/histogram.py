"""Histogram binning of the confidence (Zadrozny & Elkan 2001)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from calibcore.bounds import Length, Share
from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Int, Labels
from calibcore.questions.recalibrate.maps.map import MAPS, RecalibrationMap, set_by_set

BINS = 10
_NUMBERS = 1 << 20
"""Probabilities that are looked at together."""


@MAPS.enter
@dataclass(frozen=True)
class Histogram(RecalibrationMap):
    """The largest probability becomes how often the likeliest class happened in its bin; the others share the
    rest in their old proportions.

    ``edges`` are those of ten bins of as many cases; a confidence on an edge belongs to the bin above.
    """

    kind = "histogram"
    label = "Histogram of the confidence"
    help = "The confidence becomes how often it was right in its bin."
    has_log_loss: ClassVar[bool] = False

    edges: Annotated[tuple[Share, ...], Length(0, 1_000)]
    shares: Annotated[tuple[Share, ...], Length(1, 1_001)]

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where numbers of a document contradict each other."""
        if len(self.shares) != len(self.edges) + 1:
            raise InputError(
                f"There are {len(self.edges):,} edges and {len(self.shares):,} shares; expected one more."
            )
        if list(self.edges) != sorted(set(self.edges)):
            raise InputError("Its edges do not rise.")

    @classmethod
    def _fit(cls, probs: Float, labels: Int) -> Self:
        """Cost O(nm + n log n)."""
        top = likeliest(probs)
        confidence = probs[np.arange(len(probs)), top]
        edges = _edges(confidence)
        shares = _shares(
            np.searchsorted(edges, confidence, side="right"), top == labels, edges, probs.shape[1]
        )
        return cls(tuple(map(float, edges)), tuple(map(float, shares)))

    @classmethod
    def gain_of_labels(cls, probs: Float, folds: Int) -> Callable[[Labels], Float]:
        """Of labels only whether the likeliest class happened counts for the map. Cost O(n) a label set."""
        n, m = probs.shape
        rows, top = np.arange(n), likeliest(probs)
        confidence = probs[rows, top]
        rest = (1 - confidence)[:, None]

        def shared(values: Float, left: Float) -> Float:
            """What has a share of the rest, as part of it."""
            return np.where(left > 0, values / np.where(left > 0, left, 1.0), 1 / (m - 1))

        squares, before = np.empty(n), np.empty(n)
        for block in loops.blocks(n, max(1, _NUMBERS // m)):
            other_shares = shared(probs[block], rest[block])
            other_shares[np.arange(len(other_shares)), top[block]] = 0.0
            squares[block] = np.square(other_shares).sum(axis=1)
            before[block] = np.square(probs[block]).sum(axis=1)
        parts = []
        for fold in np.unique(folds):
            inside = folds == fold
            edges = _edges(confidence[~inside])
            places = np.searchsorted(edges, confidence, side="right")
            parts.append((np.flatnonzero(inside), np.flatnonzero(~inside), edges, places))

        def gain(labels: Int) -> float:
            hit, share = labels == top, np.empty(n)
            for inside, outside, edges, places in parts:
                share[inside] = _shares(places[outside], hit[outside], edges, m)[places[inside]]
            chances = probs[rows, labels]
            predicted = np.where(hit, share, (1 - share) * shared(chances, rest[:, 0]))
            after = share**2 + (1 - share) ** 2 * squares - 2 * predicted
            return float((before - 2 * chances - after).mean())

        return set_by_set(gain)

    def _mapped(self, probs: Float) -> Float:
        """(n, m) -> (n, m)."""
        rows, top = np.arange(len(probs)), likeliest(probs)
        confidence = probs[rows, top]
        share = np.array(self.shares)[np.searchsorted(self.edges, confidence, side="right")]
        rest = 1 - confidence
        factor = np.where(rest > 0, (1 - share) / np.where(rest > 0, rest, 1.0), 0.0)
        out = probs * factor[:, None]
        even = (rest <= 0)[:, None] * ((1 - share) / (probs.shape[1] - 1))[:, None]
        out += even
        out[rows, top] = share
        return np.asarray(out)

    def body(self) -> str:
        """Some ten lines of NumPy."""
        return f"""    edges, shares = {list(self.edges)!r}, np.array({list(self.shares)!r})
    rows, top = np.arange(len(probs)), probs.argmax(axis=1)
    confidence = probs[rows, top]
    share = shares[np.searchsorted(edges, confidence, side="right")]
    rest = 1 - confidence
    out = probs * np.where(rest > 0, (1 - share) / np.where(rest > 0, rest, 1), 0)[:, None]
    out = out + ((rest <= 0) * (1 - share) / (probs.shape[1] - 1))[:, None]
    out[rows, top] = share
    return out
"""


def _edges(confidence: Float) -> Float:
    return np.unique(np.quantile(confidence, np.arange(1, BINS) / BINS, method="inverted_cdf"))


def _shares(places: Int, hits: NDArray[np.bool_], edges: Float, m: int) -> Float:
    """How often the likeliest class happened in each bin; 1/m in one without cases."""
    counts = np.bincount(places, minlength=len(edges) + 1)
    right = np.bincount(places, hits, minlength=len(edges) + 1)
    return np.asarray(np.divide(right, counts, out=np.full(len(counts), 1 / m), where=counts > 0))
