"""Compiling ahead, so that the first person does not wait for it."""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagnose.run import diagnose
from calibcore.estimators import _warm
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens


def warm() -> None:
    """Run everything compiled once, first what a first look needs: seconds if cached, else a minute."""
    rng = np.random.default_rng(0)
    p = Predictions.from_arrays(rng.dirichlet(np.ones(3), size=24), rng.integers(3, size=24))
    for lens in (TopKLens(1), ClassLens("0"), CanonicalLens()):
        diagnose(p, DiagnosisSpec(lens=lens, resamples=9))
    _warm.warm()
