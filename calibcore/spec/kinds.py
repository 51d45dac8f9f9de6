"""The strategy objects that settings may hold, by their kinds."""

from calibcore.binning import (
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.kernels import (
    ExponentialKernel,
    GaussianKernel,
    Matern32Kernel,
    Matern52Kernel,
    RationalQuadraticKernel,
)
from calibcore.lenses import CanonicalLens, ClassLens, GroupsLens, PooledLens, RegionLens, TopKLens

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
