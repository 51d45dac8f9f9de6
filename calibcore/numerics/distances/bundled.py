"""The four distances that the calibration error is measured with (V19 §3.2)."""

import math
from typing import ClassVar

import numpy as np

from calibcore.numerics.distances.distance import DISTANCES, Distance
from calibcore.numerics.types import Float


@DISTANCES.enter
class TotalVariation(Distance):
    """``½ Σ_k |p_k − q_k|``."""

    kind: ClassVar[str] = "total-variation"
    label: ClassVar[str] = "Total variation"
    phrase: ClassVar[str] = "the total variation distance"
    largest: ClassVar[float] = 1.0

    def __call__(self, p: Float, q: Float) -> Float:
        return np.asarray(0.5 * np.abs(p - q).sum(axis=-1))


@DISTANCES.enter
class SquaredEuclidean(Distance):
    """``Σ_k (p_k − q_k)²``."""

    kind: ClassVar[str] = "squared-euclidean"
    label: ClassVar[str] = "Squared Euclidean"
    phrase: ClassVar[str] = "the squared Euclidean distance"
    largest: ClassVar[float] = 2.0
    in_points: ClassVar[bool] = False

    def __call__(self, p: Float, q: Float) -> Float:
        return np.asarray(np.square(p - q).sum(axis=-1))


@DISTANCES.enter
class Euclidean(Distance):
    """``√Σ_k (p_k − q_k)²``."""

    kind: ClassVar[str] = "euclidean"
    label: ClassVar[str] = "Euclidean"
    phrase: ClassVar[str] = "the Euclidean distance"
    largest: ClassVar[float] = math.sqrt(2)

    def __call__(self, p: Float, q: Float) -> Float:
        return np.asarray(np.sqrt(np.square(p - q).sum(axis=-1)))


@DISTANCES.enter
class Cityblock(Distance):
    """``Σ_k |p_k − q_k|``."""

    kind: ClassVar[str] = "cityblock"
    label: ClassVar[str] = "City block"
    phrase: ClassVar[str] = "the sum of absolute differences"
    largest: ClassVar[float] = 2.0

    def __call__(self, p: Float, q: Float) -> Float:
        return np.asarray(np.abs(p - q).sum(axis=-1))


total_variation = TotalVariation()
squared_euclidean = SquaredEuclidean()
