"""What predictions hold as a whole, in parts too: their fingerprint, and whether labels are ordered."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from calibcore.numerics.types import Float, Int


class Fingerprint:
    """The SHA-256 of :attr:`Predictions.fingerprint`, bit by bit: parts, each after its length in bytes."""

    def __init__(self, n: int, m: int) -> None:
        self._digest = hashlib.sha256()
        self._add_part(f"{n},{m}".encode())

    def begin(self, size: int) -> None:
        """A part of ``size`` bytes follows."""
        self._digest.update(size.to_bytes(8, "little"))

    def add_probs(self, probs: Float) -> None:
        """Some rows of the part that was begun."""
        self._digest.update(np.ascontiguousarray(probs, "<f8").data)

    def add_labels(self, labels: Int) -> None:
        """Some labels of the part that was begun."""
        self._digest.update(np.ascontiguousarray(labels, "<i8").data)

    def add_names(self, names: Sequence[str]) -> None:
        """Each name a part."""
        for name in names:
            self._add_part(name.encode())

    def add_cases(
        self, probs: Float, labels: NDArray[np.integer], names: Sequence[str], weights: Float | None
    ) -> None:
        """(n, m) probabilities, what happened, an array of whole numbers, names, and (n,) weights if any."""
        self.begin(8 * probs.size)
        self.add_probs(probs)
        self.begin(8 * labels.size)
        self.add_labels(labels.astype(np.int64, copy=False))
        self.add_names(names)
        if weights is not None:
            self.begin(8 * weights.size)
            self.add_probs(weights)

    def _add_part(self, part: bytes) -> None:
        self.begin(len(part))
        self._digest.update(part)

    def hexdigest(self) -> str:
        """64 hex digits."""
        return self._digest.hexdigest()


def neighbours(labels: Int) -> tuple[int, int]:
    """How many labels differ from the one before; how many of the pairs (1, 2), (3, 4), … are alike."""
    last = len(labels) - len(labels) % 2
    changes = int(np.count_nonzero(np.diff(labels)))
    return changes, int(np.count_nonzero(labels[0:last:2] == labels[1:last:2]))


def visibly_ordered(class_counts: Int, changes: int, alike: int) -> bool:
    """:attr:`Predictions.labels_ordered` from (m,) counts and what :func:`neighbours` found."""
    counts = class_counts[class_counts > 0].astype(np.float64)
    n = float(counts.sum())
    if n < 3:
        return False
    runs = 1 + changes
    ways = gammaln(n + 1) - gammaln(counts + 1).sum() - gammaln(len(counts) + 1)
    if runs == len(counts) > 1 and ways > np.log(1_000):
        return True
    squares, cubes = float((counts**2).sum()), float((counts**3).sum())
    mean = (n * (n + 1) - squares) / n
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n**2 * (n - 1))
    if abs(runs - mean) > max(8.0, 5.0 * max(variance, 0.0) ** 0.5):
        return True
    pairs = n // 2
    chance = (squares - n) / (n * (n - 1))
    sd = (pairs * chance * (1 - chance)) ** 0.5
    return bool(abs(alike - pairs * chance) > max(4.0, 5.0 * sd))
