"""The strategy objects that settings may hold, by their kinds."""

from collections.abc import Mapping

from calibcore.diagram.binning import (
    Binning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.kernels import (
    ExponentialKernel,
    GaussianKernel,
    Kernel,
    Matern32Kernel,
    Matern52Kernel,
    RationalQuadraticKernel,
)
from calibcore.transforms.lenses import (
    CanonicalLens,
    ClassLens,
    GroupsLens,
    Lens,
    PooledLens,
    RegionLens,
    TopKLens,
)
from calibcore.transforms.nulls import NULLS, Null

LENSES = {c.kind: c for c in (CanonicalLens, TopKLens, ClassLens, GroupsLens, PooledLens, RegionLens)}
BINNINGS = {
    c.kind: c
    for c in (UniformBinning, EqualMassBinning, MedianVarianceBinning, MeanVarianceBinning, SimplexBinning)
}
KERNELS = {
    c.kind: c
    for c in (
        ExponentialKernel,
        GaussianKernel,
        RationalQuadraticKernel,
        Matern32Kernel,
        Matern52Kernel,
    )
}

STRATEGIES: dict[object, tuple[str, Mapping[str, type]]] = {
    Lens: ("lens", LENSES),
    Binning: ("binning", BINNINGS),
    Kernel: ("kernel", KERNELS),
    Null: ("null", NULLS),
}
"""Annotation of a field that holds a strategy -> what it is called, and its kinds."""
