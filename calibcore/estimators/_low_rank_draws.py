"""Redraws with the low rank: each block of Φ meets the labels of all redraws, drawn where they stand.

Φ is worked out once for as many redraws as :data:`._low_rank.SUMS_BYTES` hold, and no labels are kept.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from calibcore.estimators import Progress, _low_rank, _pairs
from calibcore.estimators._low_rank import Features, LowRank, Rows
from calibcore.numerics import engine
from calibcore.numerics.draws import Draws
from calibcore.numerics.resampling import class_edges
from calibcore.numerics.types import Float, Labels

DRAWING = 4
"""Cost of drawing a label, as :mod:`.engine` counts."""


@dataclass(frozen=True, eq=False)
class Redraws:
    """``g (n, m)``, M and its factor, None for the identity."""

    low_rank: LowRank
    g: Float
    M: Float | None
    factor: Float | None

    def sums(
        self, n_resamples: int, rng: np.random.Generator, progress: Progress | None = None
    ) -> tuple[Float, Float, Float]:
        """(B,) each: ``‖Φᵀ(E_y − G)L‖²``, ``Σ_i ‖φ_i‖²⟨r_i, Mr_i⟩`` and ``Σ_i ⟨r_i, Mr_i⟩``.

        The labels are those of :func:`.redrawn_labels`. Cost O(n·rank·B) additions.
        """
        (n, m), (_, width) = self.g.shape, self.low_rank.expected.shape
        size = max(1, _low_rank.SUMS_BYTES // (8 * m * width))
        draws, weights = Draws(rng), np.stack([self.low_rank.norms, np.ones(n)])
        squares, own = np.empty(n_resamples), np.empty((2, n_resamples))
        for first in range(0, n_resamples, size):
            redraws = range(first, min(first + size, n_resamples))

            def inner(fraction: float, redraws: range = redraws) -> None:
                if progress is not None:
                    progress((redraws.start + len(redraws) * fraction) / n_resamples)

            cost = self.low_rank.features.cost(n) + float(n) * len(redraws) * (width + DRAWING + m)
            work = partial(_of_rows, self.low_rank.features, self.g, self.M, weights, draws, redraws)
            rows = engine.ranges(n, _low_rank.ROWS, cost)
            parts = engine.summed(work, rows, inner, cost=cost) if len(rows) > 1 else work(rows[0], inner)
            squares[redraws.start : redraws.stop] = self.low_rank.of_class_sums(parts[0], self.factor)
            own[:, redraws.start : redraws.stop] = parts[1]
        draws.passed(n * n_resamples)
        return squares, own[0], own[1]


def _of_rows(
    features: Features,
    g: Float,
    M: Float | None,
    weights: Float,
    draws: Draws,
    redraws: range,
    rows: Rows,
    progress: Progress | None = None,
) -> tuple[Float, Float]:
    """(B, m, width) ``Σ φ_i`` over the cases of each class, (2, B) ``Σ_i w_i⟨r_i, Mr_i⟩``; of some rows."""
    n, m = g.shape
    sums = np.zeros((len(redraws), m, features.inverse.shape[0]))
    own = np.zeros((2, len(redraws)))
    for some, phi in features.blocks(rows):
        part = np.ascontiguousarray(g[some])
        weighted = part if M is None else part @ M
        table = (1.0 if M is None else np.diag(M)) - 2 * weighted
        tables = [np.ascontiguousarray(w[some, None] * table) for w in weights]
        np.add(own, (weights[:, some] @ np.einsum("ij,ij->i", part, weighted))[:, None], out=own)

        def use(
            _cases: slice, b: int, labels: Labels, phi: Float = phi, tables: list[Float] = tables
        ) -> None:
            place = slice(b - redraws.start, b - redraws.start + len(labels))
            small = labels.astype(np.int16)
            _low_rank.add_by_class(phi, small, 0, len(small), sums[place])
            for out, values in zip(own, tables, strict=True):
                chosen = np.empty(len(small))
                _pairs.picked(values, small, 0, len(small), chosen)
                out[place] += chosen

        draws.labels(some.start, n, class_edges(part), redraws, use, [slice(0, len(part))])
        if progress is not None:
            progress((some.stop - rows[0]) / (rows[1] - rows[0]))
    return sums, own
