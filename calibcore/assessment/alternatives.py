"""Patterns of miscalibration.

Alternatives ``q_λ = (1 − λ)g + λτ``: τ is the mean prediction (*overconfidence*), e_c (*bias* towards class
c, W19's M2), or away from the likeliest class where the model is sure and towards it where it is not
(*uneven*). Labels of the cases are never looked at.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators._label_blocks import RowByRow
from calibcore.numerics.distances import total_variation
from calibcore.numerics.loops import cached_blocks, in_threads, row_sums
from calibcore.numerics.types import Float, Int

ALL_CLASSES = 10
"""Up to so many classes a bias towards each is looked at, above only the :data:`MOST_PREDICTED`."""
MOST_PREDICTED = 3
NOTHING = 1e-9
"""Patterns that change the predictions by no more than this are none."""


Towards = Callable[[Float, slice | Int], Float]
"""Some rows of predictions that sum to 1, and which they are -> their τ, (m,) or a row each."""


@dataclass(frozen=True, eq=False)
class Alternative:
    """``pattern`` as in :class:`~.power.Detectable`; ``towards`` gives τ.

    ``largest`` is the mean total variation between predictions and τ: the size at λ = 1.
    """

    pattern: str
    class_name: str
    towards: Towards
    largest: float

    def probs(self, g: Float, share: float) -> Float:
        """(n, m) ``q_λ`` of predictions, each divided by its sum, at λ = ``share``."""
        return self.row_by_row(g, share).whole()

    def row_by_row(self, g: Float, share: float) -> RowByRow:
        """:meth:`probs`, made when they are asked for."""
        return RowByRow(partial(self.rows, g, share), g.shape)

    def rows(self, g: Float, share: float, rows: slice | Int) -> Float:
        """:meth:`probs` of some of the cases."""
        own = _normalised(g[rows])
        return (1 - share) * own + share * self.towards(own, rows)


def _rows(g: Float) -> list[slice]:
    """All rows, so many at a time that what is made of them stays in the processor's cache."""
    return cached_blocks(*g.shape)


def _normalised(g: Float) -> Float:
    return np.asarray(g / row_sums(g)[:, None])


def _mean_distance(g: Float, towards: Towards) -> float:
    """The mean total variation between predictions (n, m), each divided by its sum, and their τ."""
    far = np.empty(len(g))

    def fill(rows: slice) -> None:
        own = _normalised(g[rows])
        far[rows] = total_variation(own, towards(own, rows))

    in_threads(fill, _rows(g))
    return float(far.mean())


def alternatives(predictions: Predictions) -> tuple[Alternative, ...]:
    """Overconfidence, then bias towards single classes; those that change no prediction are left out.

    For two classes towards each, up to :data:`ALL_CLASSES` towards every class, above towards the
    three with the largest mean prediction. Cost O(nm) each.
    """
    g = predictions.probs
    mean = _mean(g)
    classes = list(range(predictions.m))
    if predictions.m > ALL_CLASSES:
        classes = sorted(np.argsort(-mean, kind="stable")[:MOST_PREDICTED].tolist())

    def always(target: Float) -> Towards:
        return lambda _own, _rows: target

    candidates = [Alternative("overconfidence", "", always(mean), _mean_distance(g, always(mean)))]
    for c in classes:
        name, away = predictions.class_names[c], float(1 - mean[c])
        candidates.append(Alternative("bias", name, always(np.eye(predictions.m)[c]), away))
    return tuple(alternative for alternative in candidates if alternative.largest > NOTHING)


def _mean(g: Float) -> Float:
    """(m,) of the predictions, each divided by its sum, added up row after row however they are cut."""
    total = np.zeros((1, g.shape[1]))
    for rows in _rows(g):
        total = np.concatenate([total, _normalised(g[rows])]).sum(axis=0, keepdims=True)
    return np.asarray(total[0] / len(g))


def uneven(predictions: Predictions) -> Alternative:
    """Too sure where the model is sure, too unsure where it is unsure. Cost O(nm).

    Above the median confidence τ is the prediction without its likeliest class, rescaled; else that class.
    """
    g = predictions.probs
    confidence = np.concatenate([_normalised(g[rows]).max(axis=1) for rows in _rows(g)])
    sure = confidence > np.median(confidence)

    def towards(own: Float, rows: slice | Int) -> Float:
        m, each, away = own.shape[1], np.arange(len(own)), sure[rows]
        likeliest = own.argmax(axis=1)
        target = np.where(away[:, None], own, 0.0)
        target[each, likeliest] = np.where(away, 0.0, 1.0)
        left = target.sum(axis=1)
        alone = left == 0  # Where the likeliest class has everything the others share alike.
        target[alone] = 1 / (m - 1)
        target[alone, likeliest[alone]] = 0.0
        return np.asarray(target / np.where(alone, 1.0, left)[:, None])

    return Alternative("uneven", "", towards, _mean_distance(g, towards))
