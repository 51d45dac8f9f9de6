"""The table of a reliability diagram (V19 §4.4), one bin and one case at a time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats


@dataclass
class Bin:
    """What one bin of a two-class problem holds; ``low`` and ``high`` are the ends of its consistency bar."""

    rows: list[int]
    mean: list[float]
    observed: list[float]
    deviation: float
    low: float
    high: float
    outside: bool
    chance: float


def rows_by_bin(index: Sequence[int]) -> list[list[int]]:
    """Row numbers of every bin that holds cases."""
    return [[i for i, other in enumerate(index) if other == b] for b in sorted(set(index))]


def smallest_count(cdf: Sequence[float], level: float) -> int:
    """The smallest k with P(S ≤ k) ≥ level, up to rounding."""
    return next(k for k, reached in enumerate(cdf) if reached >= level - 1e-12)


def means(values: Sequence[Sequence[float]]) -> list[float]:
    """Column means of a list of rows."""
    return [sum(column) / len(values) for column in zip(*values, strict=True)]


def exact_bins(
    g: Sequence[Sequence[float]],
    y: Sequence[int],
    index: Sequence[int],
    interval: tuple[float, float],
    kept: Collection[int] = (),
) -> list[Bin]:
    """All bins of a two-class problem, their bars from SciPy's Poisson-binomial law.

    ``kept`` cases, whose outcome stands at a rounded 0, are in every redraw what they are.
    """
    bins = []
    for rows in rows_by_bin(index):
        n = len(rows)
        mean = means([g[i] for i in rows])
        hits = sum(1 for i in rows if y[i] == 0)
        cdf = (
            stats.poisson_binom([float(y[i] == 0) if i in kept else g[i][0] for i in rows])
            .cdf(np.arange(n + 1))
            .tolist()
        )
        below, above = (smallest_count(cdf, level) for level in interval)
        chance = (cdf[below - 1] if below > 0 else 0.0) + 1 - cdf[above]
        observed = [hits / n, 1 - hits / n]
        ends = below / n - mean[0], above / n - mean[0]
        bins.append(
            Bin(rows, mean, observed, observed[0] - mean[0], *ends, hits < below or hits > above, chance)
        )
    return bins


def law_of_the_distance(g: Sequence[Sequence[float]]) -> dict[float, float]:
    """Total variation between what happens and the mean prediction in one bin: value -> probability.

    Over every way in which the labels of its cases can come out.
    """
    n, m = len(g), len(g[0])
    counts = {(0,) * m: 1.0}
    for row in g:
        after: dict[tuple[int, ...], float] = {}
        for happened, chance in counts.items():
            for k in range(m):
                more = tuple(c + (j == k) for j, c in enumerate(happened))
                after[more] = after.get(more, 0.0) + chance * row[k]
        counts = after
    mean = means(g)
    law: dict[float, float] = {}
    for happened, chance in counts.items():
        distance = round(sum(abs(c / n - p) for c, p in zip(happened, mean, strict=True)) / 2, 12)
        law[distance] = law.get(distance, 0.0) + chance
    return dict(sorted(law.items()))
