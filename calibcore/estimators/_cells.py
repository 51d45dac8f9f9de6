"""Random partitions of the cases themselves, and everything else that is taken on the labels on the way."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.estimators._cell_sums import BLOCK
from calibcore.estimators._label_blocks import drawn_block, thresholds
from calibcore.estimators._omnibus_parts import Confidence, Others
from calibcore.estimators._partitions import Partitions
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Labels


@dataclass(frozen=True, eq=False)
class Cells:
    """Partitions of the cases themselves. ``logs``, ``impossible`` in the order of the partitions."""

    partitions: Partitions
    confidence: Confidence
    logs: Float
    impossible: Float | None

    @classmethod
    def of(
        cls,
        g: Float,
        metric: str,
        bandwidths: tuple[float, ...],
        factor: Float | None,
        trees: int,
        others: Others,
    ) -> "Cells":
        assert others.logs is not None
        partitions = Partitions.of(g, metric, bandwidths, factor, trees)
        never = None if others.impossible is None else others.impossible[partitions.cases]
        confidence = Confidence.of(g, metric).in_order(partitions.cases)
        return cls(partitions, confidence, others.logs[partitions.cases], never)

    def chances(self, probs: Float) -> NDArray[np.uint32]:
        """What :meth:`of_draws` takes."""
        return thresholds(probs[self.partitions.cases])

    def items(self, streams: list[np.random.Generator]) -> list[np.random.Generator]:
        """A block's generator each."""
        return streams

    def of_labels(self, labels: Labels) -> tuple[Float, Float]:
        """(S ≤ BLOCK, n) labels -> (7, BLOCK) sums over pairs, and (2 + m, BLOCK): logs, impossible labels,
        labels of each class."""
        return self._block(self.partitions.in_order(labels))

    def of_draws(self, edges: NDArray[np.uint32], rng: np.random.Generator) -> tuple[Float, Float]:
        """The same of :data:`BLOCK` label sets drawn from ``edges`` in this order."""
        return self._block(drawn_block(edges, rng))

    def _block(self, labels: Any) -> tuple[Float, Float]:
        sums = np.zeros((2 + self.logs.shape[1], BLOCK))
        _add_labels(self.logs, labels, sums)
        if self.impossible is not None:
            _add_picked(self.impossible, labels, sums[1])
        return np.vstack([self.partitions.pairs(labels), self.confidence.pairs(labels)]), sums


@loops.compiled
def _add_labels(logs: Any, labels: Any, out: Any) -> None:
    """To ``out[0, s]`` the logs of the labels, to ``out[2 + y, s]`` how many are y."""
    for i in range(len(logs)):
        for s in range(BLOCK):
            y = labels[i, s]
            out[0, s] += logs[i, y]
            out[2 + y, s] += 1.0


@loops.compiled
def _add_picked(values: Any, labels: Any, out: Any) -> None:
    for i in range(len(values)):
        for s in range(BLOCK):
            out[s] += values[i, labels[i, s]]
