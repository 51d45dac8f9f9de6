"""UCME, MMCE and the test at locations from their definitions, one case at a time."""

import math
from collections.abc import Sequence

from tests.oracles.literal_kernels import Row, kappa

Kernel = tuple[str, str, float]


def deviation(kernel: Kernel, M: Sequence[Row], p: Row, y: int, location: tuple[Row, int]) -> float:
    """``(k(p, t)(e_y − p))_c`` with ``k = κ·M``."""
    t, c = location
    return kappa(*kernel, p, t) * sum(M[c][k] * ((k == y) - p[k]) for k in range(len(p)))


def ucme(
    kernel: Kernel, M: Sequence[Row], g: Sequence[Row], y: Sequence[int], locations: Sequence[tuple[Row, int]]
) -> float:
    """Mean over the locations of the squared mean deviation (CalibrationErrors.jl `UCME`)."""
    total = 0.0
    for location in locations:
        total += (sum(deviation(kernel, M, p, k, location) for p, k in zip(g, y, strict=True)) / len(g)) ** 2
    return total / len(locations)


def hotelling(deviations: Sequence[Row]) -> float:
    """``n·d̄ᵀ S⁻¹ d̄`` for two columns, S with n − 1, inverted by hand."""
    n = len(deviations)
    a, b = (sum(row[j] for row in deviations) / n for j in (0, 1))
    saa = sum((row[0] - a) ** 2 for row in deviations) / (n - 1)
    sbb = sum((row[1] - b) ** 2 for row in deviations) / (n - 1)
    sab = sum((row[0] - a) * (row[1] - b) for row in deviations) / (n - 1)
    return n * (a * a * sbb - 2 * a * b * sab + b * b * saa) / (saa * sbb - sab**2)


def mmce(width: float, g: Sequence[Row], y: Sequence[int]) -> float:
    """Kumar et al. 2018, the estimator of §4: confidences r_i, correctness c_i, Laplacian kernel."""
    r = [max(row) for row in g]
    c = [float(list(row).index(max(row)) == k) for row, k in zip(g, y, strict=True)]
    n = len(g)
    total = sum(
        (c[i] - r[i]) * (c[j] - r[j]) * math.exp(-abs(r[i] - r[j]) / width)
        for i in range(n)
        for j in range(n)
    )
    return math.sqrt(total / n**2)
