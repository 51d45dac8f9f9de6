"""Kernels on the simplex and the rules that choose their bandwidth (W19 §3.3, §7).

``k(s, t) = κ(s, t)·M``: the scalar part κ has values in (0, 1] and is 1 where
s = t; M is a fixed symmetric positive semi-definite matrix over the classes, the
identity unless given. A kernel whose bandwidth is the name of a rule must be
resolved against the predictions before it can be evaluated; the rule never sees
labels.
"""

from calibcore.kernels.bandwidths import BANDWIDTH_RULES, METRICS, Bandwidth
from calibcore.kernels.kernel import (
    KERNELS,
    ExponentialKernel,
    GaussianKernel,
    Kernel,
    Matern32Kernel,
    Matern52Kernel,
    RationalQuadraticKernel,
    with_kind,
)
from calibcore.kernels.line import SAME
from calibcore.strategies import import_all

__all__ = [
    "BANDWIDTH_RULES",
    "KERNELS",
    "METRICS",
    "SAME",
    "Bandwidth",
    "ExponentialKernel",
    "GaussianKernel",
    "Kernel",
    "Matern32Kernel",
    "Matern52Kernel",
    "RationalQuadraticKernel",
    "with_kind",
]

import_all(__name__, __path__)
