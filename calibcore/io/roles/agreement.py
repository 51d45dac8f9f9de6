"""Whether labels, understood in one way or in another, go with the predictions.

It chooses no reading: it tells where a reading by convention alone is doubtful, so that a person is asked.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibcore.numerics.types import Float, Int

SOME, CLEAR, AGAINST = 0.5, 2.5, 4.0
"""Standard errors by which a reading goes better with the predictions than another does: enough to do without
a question where names are for it, or convention alone; and by which the best of many orders has to be better
to be asked about."""
_PLAIN = 1.75
"""Standard errors by which of two readings the other one has to be better to be asked about although names
are for this one: four cases that are all turned round have nearly 2, n of them the root of n."""
FEW = 10
"""Cases that say nothing."""
_MOST_ORDERED = 50
_LOG_SURE = math.log(0.01)
"""Logarithm of the chance, by the predictions themselves, of being right in every case."""


def advantage(probs: Float, first: Int, other: Int) -> float:
    """How much better ``probs`` (r, m) go with the labels ``first`` than with ``other``, in standard errors.

    Of every class only what is above its mean counts, so that a model that says a class too often agrees with
    labels that are understood as they are meant.
    """
    above = probs - probs.mean(axis=0)
    rows = np.arange(len(probs))
    gain = above[rows, first] - above[rows, other]
    size = float(np.sqrt(np.sum(gain**2)))
    return float(gain.sum()) / size if size else 0.0


def support(probs: Float, labels: Int) -> float:
    """How much better ``probs`` (r, m) go with the labels than with such that have nothing to do with them,
    in standard errors.
    """
    above = probs - probs.mean(axis=0)
    gain = above[np.arange(len(probs)), labels]
    size = float(np.sqrt(np.sum(gain**2)))
    return float(gain.sum()) / size if size else 0.0


def is_clear(probs: Float, first: Int, other: Int) -> bool:
    """Whether there are enough cases, and they clearly go better with the labels ``first``."""
    return len(probs) >= FEW and advantage(probs, first, other) >= CLEAR


def is_unclear(probs: Float, first: Int, other: Int) -> bool:
    """Whether there are enough cases, and still they do not clearly go better with the labels ``first``."""
    return len(probs) >= FEW and advantage(probs, first, other) < CLEAR


def speak_against(probs: Float, labels: Int) -> bool:
    """Whether two classes, (r, 2), go plainly better with the labels turned round, in few cases too."""
    if len(probs) < _PLAIN**2:
        return False
    if advantage(probs, labels, 1 - labels) < -_PLAIN:
        return True
    return not _are_likeliest(probs, labels).any() and _log_chance(1 - _of_likeliest(probs)) < _LOG_SURE


def _are_likeliest(probs: Float, labels: Int) -> NDArray[np.bool_]:
    """(r,) whether a label is the likeliest class."""
    likeliest: NDArray[np.bool_] = probs[np.arange(len(probs)), labels] >= probs.max(axis=1)
    return likeliest


def better_order(probs: Float, labels: Int) -> Int | None:
    """The classes in another order, (m,), with which ``probs`` go far better; None if there is none.

    ``better[k]`` is the class for which the label k would stand.
    """
    m = probs.shape[1]
    if len(probs) < FEW or m > _MOST_ORDERED:
        return None
    above = probs - probs.mean(axis=0)
    together = np.zeros((m, m))
    np.add.at(together, labels, above)
    _, order = linear_sum_assignment(-together)
    order = np.asarray(order, dtype=np.int64)
    if (order == np.arange(m)).all():
        return None
    # The best of many orders is better by chance, the more the classes are.
    needed = AGAINST + 0.5 * np.sqrt(m - 2)
    return order if advantage(probs, order[labels], labels) > needed else None


def is_guess(probs: Float, labels: Int) -> bool:
    """Whether every label is the likeliest class."""
    return bool(_are_likeliest(probs, labels).all())


def is_surely_guess(probs: Float, labels: Int) -> bool:
    """Whether every label is the likeliest class, more often than the predictions themselves let expect."""
    return is_guess(probs, labels) and _log_chance(_of_likeliest(probs)) < _LOG_SURE


def is_surely_split(probs: Float, labels: Int) -> bool:
    """Whether of two classes one has all cases above some threshold and the other all below, though the
    predictions themselves let that hardly be expected.
    """
    above, below = probs[labels == 0, 0], probs[labels == 1, 0]
    if probs.shape[1] != 2 or not len(above) or not len(below) or above.min() < below.max():
        return False
    return _log_chance(probs[np.arange(len(probs)), labels]) < _LOG_SURE


def is_never_guess(probs: Float, labels: Int) -> bool:
    """Whether no label is the likeliest class, more often than the predictions themselves let expect."""
    never = len(probs) >= FEW and not _are_likeliest(probs, labels).any()
    return never and _log_chance(1 - _of_likeliest(probs)) < _LOG_SURE


def _of_likeliest(probs: Float) -> Float:
    """(r,) the probability of the likeliest class, or of all that are equally likely."""
    likeliest: Float = np.where(probs >= probs.max(axis=1, keepdims=True), probs, 0).sum(axis=1)
    return likeliest


def _log_chance(probs: Float) -> float:
    return float(np.sum(np.log(np.clip(probs, 1e-300, 1))))
