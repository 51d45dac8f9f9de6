"""Compiling ahead, so that the first person does not wait for it."""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagnose.run import diagnose
from calibcore.diagram.binning import UniformBinning
from calibcore.estimators import _warm
from calibcore.kernels.line import PairsOnALine, pairs_within
from calibcore.numerics import loops, picking
from calibcore.numerics.resampling import redrawn_distances
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens

_MANY = ((24, 40), (24, 130), (900, 40), (300, 130), (20_000, 3))
"""Cases and classes: labels that are searched for, of either width, and more than are drawn at once."""


@loops.compiling_ahead()
def warm() -> None:
    """Run everything compiled once, first what a first look needs: seconds if cached, else a minute."""
    p = _example(24, 3)
    for lens in (TopKLens(1), ClassLens("0"), CanonicalLens()):
        diagnose(p, DiagnosisSpec(lens=lens, resamples=9))
    _warm.warm()
    for kind in np.int8, np.int16:
        for sets in 1, picking.LANES:
            picking.pick(np.ones((2, 40)), np.zeros((sets, 2)), np.empty((sets, 2), kind))
    line = PairsOnALine.of(np.arange(2.0))
    pairs_within(loops.read_only(line.x), loops.read_only(line.copies), 0)
    redrawn_distances(np.full((2, 40), 1 / 40), np.full(40, 1 / 40), 40, np.random.default_rng(0))
    # One bin: redraws of each of many would take longer than all that is compiled.
    for n, m in _MANY:
        few = DiagnosisSpec(binning=UniformBinning(1), tests=("exact-omnibus",), estimates=(), resamples=40)
        diagnose(_example(n, m), few)


def _example(n: int, m: int) -> Predictions:
    rng = np.random.default_rng(0)
    return Predictions.from_arrays(rng.dirichlet(np.ones(m), size=n), rng.integers(m, size=n))
