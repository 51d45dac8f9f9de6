"""Lowess for fixed predictions: a weighted line about each, linear in the outcomes.

Cleveland's, without robustness steps, degree 1, as in ``lowess(p, y, iter = 0)`` of R: about each
prediction the nearest ``span·n`` cases, tricube weights, a weighted line.
"""

import numpy as np

from calibcore.numerics.types import Float, Int

SPAN = 2 / 3
"""Share of the cases that a line looks at."""
ANCHORS = 200
"""The curve is fitted at this many predictions at most, and is linear between."""
_FLAT = 1e-3


class Smoother:
    """``values (v,)`` rising predictions that ``counts (v,)`` of the cases ``x (n,)`` have, or nearly.

    ``fit (anchors, v)`` takes hits per value to the curve at the anchors. Cost O(n log n + 200·v).
    """

    def __init__(self, values: Float, counts: Int, x: Float, span: float = SPAN) -> None:
        self.values, self.counts = values, counts
        anchors = _anchors(values)
        self.anchors = values[anchors]
        self.fit = _local_lines(self.anchors, values, counts, _reach(self.anchors, np.sort(x), span))

    def curve(self, hits: Float) -> Float:
        """(B, v) hits of each value -> (B, v) the curve at the values. Cost O(200·v) a set."""
        fitted = hits @ self.fit.T
        if len(self.anchors) == 1:
            return np.asarray(fitted)
        right = np.clip(np.searchsorted(self.anchors, self.values), 1, len(self.anchors) - 1)
        left_x, right_x = self.anchors[right - 1], self.anchors[right]
        share = (self.values - left_x) / (right_x - left_x)
        return np.asarray(fitted[:, right - 1] * (1 - share) + fitted[:, right] * share)


def _anchors(values: Float) -> Int:
    """Which values to fit at: half of them equally far apart in rank, half on the line."""
    if len(values) <= ANCHORS:
        return np.arange(len(values))
    by_rank = np.linspace(0, len(values) - 1, ANCHORS // 2).round().astype(np.int64)
    by_place = np.searchsorted(values, np.linspace(values[0], values[-1], ANCHORS // 2))
    return np.unique(np.concatenate([by_rank, by_place]))


def _reach(anchors: Float, x: Float, span: float) -> Float:
    """Distance from each anchor to the k-th nearest case, ``k = ⌊span·n⌋``, 2 at least; ``x`` rising."""
    n = len(x)
    k = max(min(2, n), min(n, int(span * n + 1e-7)))
    first, last = x[: n - k + 1], x[k - 1 :]
    # The window of k neighbours that reaches least far is where its ends are balanced about the anchor.
    right = np.minimum(np.searchsorted(first + last, 2 * anchors), n - k)
    left = np.maximum(right - 1, 0)
    balanced = np.maximum(anchors - first[right], last[right] - anchors)
    return np.asarray(np.minimum(balanced, np.maximum(anchors - first[left], last[left] - anchors)))


def _local_lines(anchors: Float, values: Float, counts: Int, reach: Float) -> Float:
    """(anchors, v): the weighted line about each anchor, as weights on the hits of each value.

    A mean in place of the line where the neighbours spread less than 1e-3 of the range, as in R.
    """
    fit = np.empty((len(anchors), len(values)))
    flat = _FLAT * float(values[-1] - values[0])
    for row, (x0, h) in enumerate(zip(anchors, reach, strict=True)):
        d = np.abs(values - x0)
        w = _tricube(d / h) if h > 0 else np.asarray(d == 0, np.float64)
        # Sums, not dot products: the BLAS would start threads for so little.
        w /= (w * counts).sum()
        centre = float((w * counts * values).sum())
        off = values - centre
        spread = float((w * counts * off * off).sum())
        fit[row] = w * (1 + (x0 - centre) / spread * off) if spread > flat**2 else w
    return fit


def _tricube(u: Float) -> Float:
    """``(1 − u³)³`` for u below 1, else 0."""
    v = np.maximum(1 - u * u * u, 0.0)
    return np.asarray(v * v * v)
