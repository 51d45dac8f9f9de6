"""Compiling ahead, so that the first person does not wait for it."""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators import _line, _tiles
from calibcore.estimators._low_rank import LowRank
from calibcore.estimators.skce import SKCE
from calibcore.kernels import ExponentialKernel


def warm() -> None:
    """Run everything compiled once, in every precision and for every type of labels; a second when cached."""
    kernel, rng = ExponentialKernel(0.5), np.random.default_rng(0)
    for m in (2, 3, 128):
        p = Predictions.from_arrays(rng.dirichlet(np.ones(m), size=4), [0, 1, 1, 0])
        for precision in _tiles.PRECISIONS:
            estimator = SKCE(kernel, precision=precision)
            estimator(p)
            estimator.redrawn(p, p.labels[None])
            r = p.onehot() - p.probs
            _tiles.bootstrap_sums(kernel, p.probs, r, np.ones((4, 1), np.int16), precision=precision)
        SKCE(kernel, "linear").redrawn(p, p.labels[None])
        LowRank.of(kernel, p.probs).squares(p.labels[None], None)
    # So many labels that 16 bits will not decide all of them.
    halves = np.full((8_192, 2), 0.5)
    _line.Line.of(kernel, halves).drawn_sums(halves, halves, halves[:, 0], rng)
