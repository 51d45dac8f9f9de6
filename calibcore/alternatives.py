"""Patterns of miscalibration.

Alternatives ``q_λ = (1 − λ)g + λτ``: τ is the mean prediction (*overconfidence*), e_c (*bias* towards class
c, W19's M2), or away from the likeliest class where the model is sure and towards it where it is not
(*uneven*). Labels of the cases are never looked at.
"""

from dataclasses import dataclass

import numpy as np

from calibcore._compiled import blocks, in_threads
from calibcore.distances import total_variation
from calibcore.predictions import Float, Predictions

ALL_CLASSES = 10
"""Up to so many classes a bias towards each is looked at, above only the :data:`MOST_PREDICTED`."""
MOST_PREDICTED = 3
NOTHING = 1e-9
"""Patterns that change the predictions by no more than this are none."""
_CACHED = 1 << 17
"""Numbers that stay in a processor's cache."""


@dataclass(frozen=True, eq=False)
class Alternative:
    """``pattern`` as in :class:`~calibcore.power.Detectable`; ``target`` (m,), or (n, m) of each case, is τ.

    ``largest`` is the mean total variation between predictions and τ: the size at λ = 1.
    """

    pattern: str
    class_name: str
    target: Float
    largest: float

    def probs(self, g: Float, share: float) -> Float:
        """(n, m) ``q_λ`` of predictions whose rows sum to 1, at λ = ``share``."""
        mixed = (1 - share) * g
        for rows in _rows(g):
            mixed[rows] += share * (self.target if self.target.ndim == 1 else self.target[rows])
        return mixed


def _rows(g: Float) -> list[slice]:
    """All rows, so many at a time that what is made of them stays in the processor's cache."""
    return blocks(len(g), max(1, _CACHED // g.shape[1]))


def _mean_distance(g: Float, target: Float) -> float:
    """The mean total variation between rows of (n, m) and ``target`` (m,) or (n, m)."""
    far = np.empty(len(g))

    def fill(rows: slice) -> None:
        far[rows] = total_variation(g[rows], target if target.ndim == 1 else target[rows])

    in_threads(fill, _rows(g))
    return float(far.mean())


def alternatives(predictions: Predictions) -> tuple[Alternative, ...]:
    """Overconfidence, then bias towards single classes; those that change no prediction are left out.

    For two classes towards each, up to :data:`ALL_CLASSES` towards every class, above towards the
    three with the largest mean prediction. Cost O(nm) each.
    """
    g = predictions.probs / predictions.probs.sum(axis=1, keepdims=True)
    mean = g.mean(axis=0)
    classes = list(range(predictions.m))
    if predictions.m > ALL_CLASSES:
        classes = sorted(np.argsort(-mean, kind="stable")[:MOST_PREDICTED].tolist())
    found = [Alternative("overconfidence", "", mean, _mean_distance(g, mean))]
    for c in classes:
        name, away = predictions.class_names[c], float(1 - mean[c])
        found.append(Alternative("bias", name, np.eye(predictions.m)[c], away))
    return tuple(one for one in found if one.largest > NOTHING)


def uneven(predictions: Predictions) -> Alternative:
    """Too sure where the model is sure, too unsure where it is unsure. Cost O(nm).

    Above the median confidence τ is the prediction without its likeliest class, rescaled; else that class.
    """
    g = predictions.probs / predictions.probs.sum(axis=1, keepdims=True)
    n, m = g.shape
    likeliest, rows = g.argmax(axis=1), np.arange(n)
    confidence = g[rows, likeliest]
    sure = confidence > np.median(confidence)
    target = np.where(sure[:, None], g, 0.0)
    target[rows, likeliest] = np.where(sure, 0.0, 1.0)
    left = target.sum(axis=1)
    alone = left == 0  # Where the likeliest class has everything the others share alike.
    target[alone] = 1 / (m - 1)
    target[alone, likeliest[alone]] = 0.0
    target /= np.where(alone, 1.0, left)[:, None]
    return Alternative("uneven", "", target, _mean_distance(g, target))
