"""What every kernel is: a shape of κ over a distance, with a bandwidth and a matrix part; and the bundled."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from calibcore.data.arrays import as_array
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.flags import typed
from calibcore.kernels import class_matrix as matrices
from calibcore.kernels.bandwidths import (
    BANDWIDTH_RULES,
    METRICS,
    Bandwidth,
    bandwidth_by_rule,
    bandwidth_from_words,
    deciding_columns,
    distances,
    paired_distances,
)
from calibcore.kernels.class_matrix import ClassMatrix
from calibcore.kernels.line import SAME
from calibcore.numerics.types import Float
from calibcore.strategies import Strategies

KERNELS = Strategies("kernel")
EXPONENTIAL, GAUSSIAN, RATIONAL_QUADRATIC, MATERN_3, MATERN_5 = 0, 1, 2, 3, 4
"""Shapes that are compiled into the sums over pairs."""


@dataclass(frozen=True)
class Kernel(ABC):
    """``k(p, q) = κ(p, q)·M``, symmetric and positive semi-definite, κ a shape of d(p, q)/ν.

    A kernel is this with a kind and a shape.
    """

    bandwidth: str | float = typed(
        "median",
        f"{', '.join(BANDWIDTH_RULES)} or a number",
        offers=BANDWIDTH_RULES,
        read=bandwidth_from_words,
        words=str,
        after="metric",
    )
    metric: str = typed("euclidean", "of the kernel: how far two predictions are apart", choices=METRICS)
    class_matrix: ClassMatrix = typed(
        None,
        "weights of the classes in the kernel, a matrix as JSON, [[2,1],[1,2]], or none",
        metavar="W,W,…",
        read=matrices.from_words,
        words=matrices.in_words,
        name="class_weights",
        group="rare",
    )

    kind: ClassVar[str]
    any_metric: ClassVar[bool] = False
    """Whether κ is positive definite on total variation for three and more classes."""
    compiled: ClassVar[tuple[int, float] | None] = None
    """One of the compiled shapes and what d/ν is multiplied by for it; None: ``_shape`` is called."""

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise InputError(
                f"There is no metric {shown(self.metric)}; expected one of {', '.join(METRICS)}."
            )
        if isinstance(self.bandwidth, str):
            if self.bandwidth not in BANDWIDTH_RULES:
                raise InputError(
                    f"There is no bandwidth rule {shown(self.bandwidth)}; expected a number above 0 or "
                    f"one of {', '.join(BANDWIDTH_RULES)}."
                )
        elif not (np.isfinite(self.bandwidth) and self.bandwidth > 0):
            raise InputError(f"The bandwidth is {self.bandwidth:g}; expected a number above 0.")
        object.__setattr__(self, "class_matrix", matrices.checked(self.class_matrix))

    def check(self, m: int) -> None:
        """Raises :class:`InputError` where κ is not positive definite or M is of another size."""
        if self.metric == "total-variation" and m > 2 and not self.any_metric:
            raise InputError(
                f"The {self.kind} kernel on total variation is no kernel for {m} classes (not positive "
                "definite); take the exponential kernel or the Euclidean metric."
            )
        if self.class_matrix is not None and len(self.class_matrix) != m:
            raise InputError(
                f"The class matrix is for {len(self.class_matrix)} classes; the predictions have {m}."
            )

    @cached_property
    def upper_bound(self) -> float:
        """sup κ (1) times the spectral norm of M: the constant K of the distribution-free tests."""
        return matrices.spectral_norm(self.class_matrix)

    def matrix_array(self, m: int) -> Float | None:
        """M as (m, m), None for the identity; :class:`InputError` if it is of another size."""
        self.check(m)
        return None if self.class_matrix is None else matrices.as_array(self.class_matrix)

    def factor(self, m: int) -> Float | None:
        """(m, r) L with ``M = L Lᵀ``, r the rank of M; None for the identity. Cost O(m³)."""
        self.check(m)
        return matrices.factor(self.class_matrix)

    def matrix(self, p: Float, q: Float, bandwidths: Float | None = None) -> Float:
        """κ alone, (n_p, m), (n_q, m) -> (n_p, n_q), 1 where p = q. Cost O(n_p n_q m).

        ``bandwidths`` (n_q,): one for each row of ``q``, in place of the kernel's.
        """
        p, q = as_array(p), as_array(q)
        return self._of_distances(p.shape[1], distances(p, q, self.metric), bandwidths)

    def at_bandwidths(self, d: Float, bandwidths: Float) -> Float:
        """κ of (k,) distances at each of (b,) bandwidths -> (k, b)."""
        with np.errstate(over="ignore"):
            return self._shape(d[:, None] / bandwidths)

    def paired(self, p: Float, q: Float) -> Float:
        """κ alone, (n, m), (n, m) -> (n,) row by row. Cost O(nm)."""
        p, q = as_array(p), as_array(q)
        return self._of_distances(p.shape[1], paired_distances(p, q, self.metric))

    def _of_distances(self, m: int, d: Float, bandwidths: Float | None = None) -> Float:
        self.check(m)
        wide = self.bandwidth if bandwidths is None else bandwidths
        if isinstance(wide, str):
            raise InputError(f"The bandwidth is the rule {wide!r}; resolve the kernel first.")
        with np.errstate(over="ignore"):  # a tiny bandwidth: κ is then 0
            return self._shape(d / wide)

    def resolved(self, probs: Float) -> tuple[Self, Bandwidth]:
        """The kernel with a number as bandwidth, and how that was found.

        Where all predictions are one, κ is 1 whatever the bandwidth, and 1 is taken.
        """
        self.check(probs.shape[1])
        if not isinstance(self.bandwidth, str):
            return self, Bandwidth(float(self.bandwidth), "number", "none")
        if len(probs) > 1 and np.ptp(deciding_columns(probs), axis=0).max() <= SAME:
            bandwidth = Bandwidth(1.0, self.bandwidth, "same")
        else:
            bandwidth = bandwidth_by_rule(probs, self.bandwidth, self.metric)
        return replace(self, bandwidth=bandwidth.value), bandwidth

    @abstractmethod
    def _shape(self, u: Float) -> Float:
        """κ as a function of u = d/ν."""


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


def with_kind(kernel: Kernel, kind: type[Kernel]) -> Kernel:
    """The kernel of another kind with the same bandwidth, metric and class matrix."""
    return kind(kernel.bandwidth, kernel.metric, kernel.class_matrix)
