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
    Kernel,
)
from calibcore.numerics.types import Float


@KERNELS.enter
@dataclass(frozen=True)
class ExponentialKernel(Kernel):
    r"""Laplacian kernel (W19 §7), of distance d and bandwidth ν. Positive definite for both metrics.

    $$\kappa = e^{-d/\nu}$$

    >>> import numpy as np
    >>> from calibcore import ExponentialKernel
    >>> p, q = np.array([[0.7, 0.3]]), np.array([[0.7, 0.3], [0.4, 0.6]])
    >>> ExponentialKernel(bandwidth=0.5).matrix(p, q).round(3)
    array([[1.   , 0.428]])
    """

    kind: ClassVar[str] = "exponential"
    compiled: ClassVar[tuple[int, float] | None] = (EXPONENTIAL, math.log2(math.e))
    any_metric: ClassVar[bool] = True

    def _shape(self, u: Float) -> Float:
        return np.exp(-u)


@KERNELS.enter
@dataclass(frozen=True)
class GaussianKernel(Kernel):
    r"""Gaussian kernel. With total variation only for two classes: else not positive definite.

    $$\kappa = e^{-d^2/(2\nu^2)}$$

    >>> import numpy as np
    >>> from calibcore import GaussianKernel
    >>> p, q = np.array([[0.7, 0.3]]), np.array([[0.7, 0.3], [0.4, 0.6]])
    >>> GaussianKernel(bandwidth=0.5).matrix(p, q).round(3)
    array([[1.   , 0.698]])
    """

    kind: ClassVar[str] = "gaussian"
    compiled: ClassVar[tuple[int, float] | None] = (GAUSSIAN, math.sqrt(0.5 * math.log2(math.e)))

    def _shape(self, u: Float) -> Float:
        return np.exp(-0.5 * u * u)


@KERNELS.enter
@dataclass(frozen=True)
class RationalQuadraticKernel(Kernel):
    r"""Rational quadratic kernel, a = 2: heavier tails than the Gaussian. Total variation: m = 2 only.

    $$\kappa = \Big(1 + \frac{d^2}{2a\nu^2}\Big)^{-a}$$

    >>> import numpy as np
    >>> from calibcore import RationalQuadraticKernel
    >>> p, q = np.array([[0.7, 0.3]]), np.array([[0.7, 0.3], [0.4, 0.6]])
    >>> RationalQuadraticKernel(bandwidth=0.5).matrix(p, q).round(3)
    array([[1.   , 0.718]])
    """

    kind: ClassVar[str] = "rational-quadratic"
    compiled: ClassVar[tuple[int, float] | None] = (RATIONAL_QUADRATIC, 0.5)

    def _shape(self, u: Float) -> Float:
        return np.asarray(1 / np.square(1 + 0.25 * u * u))


_FAR = 1_000.0
"""Bandwidths at which a Matérn kernel is 0 in double precision: beyond, ∞·0 would not be a number."""


@KERNELS.enter
@dataclass(frozen=True)
class Matern32Kernel(Kernel):
    r"""Matérn kernel of smoothness 3/2. Total variation: m = 2 only.

    $$\kappa = \Big(1 + \frac{\sqrt 3\, d}{\nu}\Big)\, e^{-\sqrt 3\, d/\nu}$$

    >>> import numpy as np
    >>> from calibcore import Matern32Kernel
    >>> p, q = np.array([[0.7, 0.3]]), np.array([[0.7, 0.3], [0.4, 0.6]])
    >>> Matern32Kernel(bandwidth=0.5).matrix(p, q).round(3)
    array([[1.   , 0.568]])
    """

    kind: ClassVar[str] = "matern-3/2"
    compiled: ClassVar[tuple[int, float] | None] = (MATERN_3, math.sqrt(3.0))

    def _shape(self, u: Float) -> Float:
        v = np.sqrt(3.0) * np.minimum(u, _FAR)
        return np.asarray((1 + v) * np.exp(-v))


@KERNELS.enter
@dataclass(frozen=True)
class Matern52Kernel(Kernel):
    r"""Matérn kernel of smoothness 5/2. Total variation: m = 2 only.

    $$\kappa = \Big(1 + \frac{\sqrt 5\, d}{\nu} + \frac{5 d^2}{3 \nu^2}\Big)\, e^{-\sqrt 5\, d/\nu}$$

    >>> import numpy as np
    >>> from calibcore import Matern52Kernel
    >>> p, q = np.array([[0.7, 0.3]]), np.array([[0.7, 0.3], [0.4, 0.6]])
    >>> Matern52Kernel(bandwidth=0.5).matrix(p, q).round(3)
    array([[1.   , 0.614]])
    """

    kind: ClassVar[str] = "matern-5/2"
    compiled: ClassVar[tuple[int, float] | None] = (MATERN_5, math.sqrt(5.0))

    def _shape(self, u: Float) -> Float:
        v = np.sqrt(5.0) * np.minimum(u, _FAR)
        return np.asarray((1 + v + v * v / 3) * np.exp(-v))
