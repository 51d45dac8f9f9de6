"""Compiling ahead, so that the first person does not wait for it."""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators import _groups, _line, _omnibus, _tiles
from calibcore.estimators._low_rank import LowRank
from calibcore.estimators.skce import SKCE
from calibcore.kernels import ExponentialKernel
from calibcore.numerics.types import Float


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
            _tiles.pair_sum_in_tiles(kernel, p.probs, r, precision=precision)
            _tiles.bootstrap_sums(kernel, p.probs, r, np.ones((4, 1), np.int16), precision=precision)
        SKCE(kernel, "linear").redrawn(p, p.labels[None])
        LowRank.of(kernel, p.probs).squares(p.labels[None], None)
    # So many labels that 16 bits will not decide all of them.
    halves = np.full((8_192, 2), 0.5)
    _line.Line.of(kernel, halves).drawn_sums(halves, halves, _line.halved(halves[:, 0]), rng)
    for n, m in OMNIBUS:
        for each in kernel, ExponentialKernel(0.5, "total-variation"):
            _of_omnibus(each, _few(n, m))
    # With a class matrix residuals are taken in its directions.
    _of_omnibus(ExponentialKernel(0.5, class_matrix=(1.0, 2.0, 1.0)), _few(_omnibus.PAIRS_UP_TO + 1, 3))


_ABOVE_PAIRS = _omnibus.PAIRS_UP_TO + 1
OMNIBUS = (
    (_omnibus.POINTS_UP_TO, 2), (_omnibus.POINTS_UP_TO + 1, 2), (9, 3), (9, 40),
    (_ABOVE_PAIRS, 3), (_ABOVE_PAIRS, 40), (2 * _ABOVE_PAIRS, 40), (_groups.FROM + 1, 3),
)  # fmt: skip
"""Cases and classes for which the omnibus test takes its ways, one after the other."""


def _few(n: int, m: int) -> Float:
    """(n, m) predictions of which only sixty differ, some with a class that cannot be."""
    g = np.random.default_rng(m).dirichlet(np.ones(m), size=min(n, 60))
    g[:9, 0] = 0.0
    return np.resize(g / g.sum(axis=1, keepdims=True), (n, m))


def _of_omnibus(kernel: ExponentialKernel, g: Float) -> None:
    p = Predictions.from_arrays(g, np.arange(len(g)) % (g.shape[1] - 1) + 1)
    statistics = _omnibus.statistics_of(p, kernel)
    statistics.evaluate(p.labels[None])
    for probs in p.probs, 0.9 * p.probs + 0.1 * np.asarray(np.eye(p.m)[0]):
        statistics.draw(probs, 1, np.random.default_rng(0))
