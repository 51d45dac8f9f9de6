"""The kernels that are bundled."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.kernels.kernel import (
    EXPONENTIAL,
    GAUSSIAN,
    KERNELS,
    MATERN_3,
    MATERN_5,
    RATIONAL_QUADRATIC,
    DistanceKernel,
)
from calibcore.numerics.types import Float


@KERNELS.enter
@dataclass(frozen=True)
class ExponentialKernel(DistanceKernel):
    """``κ = exp(−d/ν)`` (Laplacian; W19 §7). Positive definite for both metrics."""

    kind: ClassVar[str] = "exponential"
    compiled: ClassVar[tuple[int, float] | None] = (EXPONENTIAL, math.log2(math.e))
    any_metric: ClassVar[bool] = True

    def _shape(self, u: Float) -> Float:
        return np.exp(-u)


@KERNELS.enter
@dataclass(frozen=True)
class GaussianKernel(DistanceKernel):
    """``κ = exp(−d²/(2ν²))``. With total variation only for two classes: else not positive definite."""

    kind: ClassVar[str] = "gaussian"
    compiled: ClassVar[tuple[int, float] | None] = (GAUSSIAN, math.sqrt(0.5 * math.log2(math.e)))

    def _shape(self, u: Float) -> Float:
        return np.exp(-0.5 * u * u)


@KERNELS.enter
@dataclass(frozen=True)
class RationalQuadraticKernel(DistanceKernel):
    """``κ = (1 + d²/(2aν²))^−a`` with a = 2, heavier tails than the Gaussian. Total variation: m = 2 only."""

    kind: ClassVar[str] = "rational-quadratic"
    compiled: ClassVar[tuple[int, float] | None] = (RATIONAL_QUADRATIC, 0.5)

    def _shape(self, u: Float) -> Float:
        return np.asarray(1 / np.square(1 + 0.25 * u * u))


_FAR = 1_000.0
"""Bandwidths at which a Matérn kernel is 0 in double precision: beyond, ∞·0 would not be a number."""


@KERNELS.enter
@dataclass(frozen=True)
class Matern32Kernel(DistanceKernel):
    """``κ = (1 + √3 d/ν)·exp(−√3 d/ν)``. Total variation: m = 2 only."""

    kind: ClassVar[str] = "matern-3/2"
    compiled: ClassVar[tuple[int, float] | None] = (MATERN_3, math.sqrt(3.0))

    def _shape(self, u: Float) -> Float:
        v = np.sqrt(3.0) * np.minimum(u, _FAR)
        return np.asarray((1 + v) * np.exp(-v))


@KERNELS.enter
@dataclass(frozen=True)
class Matern52Kernel(DistanceKernel):
    """``κ = (1 + √5 d/ν + 5d²/(3ν²))·exp(−√5 d/ν)``. Total variation: m = 2 only."""

    kind: ClassVar[str] = "matern-5/2"
    compiled: ClassVar[tuple[int, float] | None] = (MATERN_5, math.sqrt(5.0))

    def _shape(self, u: Float) -> Float:
        v = np.sqrt(5.0) * np.minimum(u, _FAR)
        return np.asarray((1 + v + v * v / 3) * np.exp(-v))
