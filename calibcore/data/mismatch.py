"""Whether labels and columns of probabilities belong together: of the same cases, in the same order.

A model is told from a mix-up by how its probabilities go with what happened. Let a_i = g_i − ḡ, row i of the
probabilities without the mean row, V = Σ‖a_i‖² and T = Σ a_i(y_i). If the outcome of row i has the
probabilities c + s·a_i, c the shares of the classes, T is sV on average, whatever c is: s = 1 for a
calibrated model, about 1/t for one whose logits are t times too large, 0 for labels that have nothing to do
with the predictions, below 0 for columns that stand for other classes. Constant predictions have V = 0: they
claim nothing.

Predictions are taken as they are, labels as random. A mismatch is found by mistake for at most 1 in 1,000
models whose s is at least 1/:data:`TOO_SURE`: that is simulated.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import log_ndtr

from calibcore.bounds import AtLeastOne, Names, Share
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.distances import total_variation
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Int

TOO_SURE = 3.0
"""Logits may be so many times too large: such a model is too sure of itself, and its labels are its own."""
LEAST = 1e-3
"""A probability below counts as this: no model is so sure of its logits."""
LEVEL = 5e-4
"""Of each of the two kinds of mismatch."""
GUESSING = 2.33
"""T lies this many standard deviations above 0 in 1 of 100 sets of labels that have nothing to do with it."""
TURNED = 0.6
"""By so much are cases more often right, and shares of classes nearer, where rare and common classes changed
places."""
MOST_CELLS = 2_000_000
"""Probabilities that are looked at; of more, rows are drawn."""


@dataclass(frozen=True)
class Mismatch:
    """Why the labels are probably not those of the predictions.

    Attributes
    ----------
    kind : "order" where the columns stand for other classes, "unrelated" where no order would do
    n : cases
    accuracy : share of cases whose likeliest class happened
    by_guessing : share if predicted and observed classes had nothing to do with each other
    claimed : mean probability of the likeliest class
    class_names : m names
    columns_are : for "order" the class of each column, in the order of the class names
    accuracy_then : for "order" the share of cases that would be right
    """

    kind: Literal["order", "unrelated"]
    n: AtLeastOne
    accuracy: Share
    by_guessing: Share
    claimed: Share
    class_names: Names
    columns_are: tuple[str, ...] = ()
    accuracy_then: Share | None = None

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a document contradict each other."""
        order = self.kind == "order"
        if sorted(self.columns_are) != sorted(self.class_names if order else ()):
            raise InputError("The columns stand for other classes than there are.")
        if order and self.accuracy_then is None:
            raise InputError("The share of cases that would be right is missing.")


def mismatch(predictions: Predictions) -> Mismatch | None:
    """What speaks against labels and columns belonging together; None for nothing. Weights do not count.

    Cost O(nm) and O(m³); twenty times that on :data:`MOST_CELLS` where there is a mismatch.
    """
    p = predictions.cases
    if p.n < 2 or np.count_nonzero(p.class_counts) < 2:
        return None
    rows = _some_rows(p.n, p.m)
    probs, labels = p.probs[rows], p.labels[rows]
    places = _better_order(probs, labels)
    if places is None and not _unrelated(probs, labels):
        return None
    predicted = likeliest(p.probs)
    called = np.bincount(predicted, minlength=p.m) / p.n
    accuracy, claimed = float(np.mean(predicted == p.labels)), float(np.mean(p.probs.max(axis=1)))
    facts = p.n, accuracy, float(called @ p.class_counts) / p.n, claimed, p.class_names
    if places is None:
        return Mismatch("unrelated", *facts)
    names = dict(zip(places.tolist(), p.class_names, strict=True))
    columns_are = tuple(names[column] for column in range(p.m))
    then = float(np.mean(predicted == places[p.labels]))
    return Mismatch("order", *facts, columns_are, then)


def _some_rows(n: int, m: int) -> Int | slice:
    most = max(1_000, MOST_CELLS // m)
    return slice(None) if n <= most else np.sort(np.random.default_rng(0).choice(n, most, replace=False))


def _better_order(probs: Float, labels: Int) -> Int | None:
    """(m,) the column of each class in the order that explains the labels far better; None for their own."""
    n, m = probs.shape
    shares, means = np.bincount(labels, minlength=m) / n, probs.mean(axis=0)
    sums = np.zeros((m, m))  # of class k, what was given to each column
    np.add.at(sums, labels, probs)
    centred = sums - np.outer(shares * n, means)
    right = np.argmax(probs, axis=1)
    many = math.lgamma(m + 1)  # any of m! orders might have looked best

    def gain(places: Int) -> float:
        return float(np.mean(right == places[labels]) - np.mean(right == labels))

    def explains(moved: Float, chances: Float) -> bool:
        reached = float(np.sum(moved[np.arange(n), labels]))
        return many + _log_tail(moved, chances[None], reached)[0] < math.log(LEVEL)

    places = _assigned(centred)
    if gain(places) > 0:
        moved = probs[:, places] - probs
        if explains(moved - moved.mean(axis=0), shares):
            return places
    places = _assigned(sums)
    turned = (
        gain(places) > TURNED
        and total_variation(means, shares) - total_variation(means[places], shares) > TURNED
    )
    return places if turned and explains(probs[:, places] - probs, means) else None


def _assigned(gains: Float) -> Int:
    """(m,) a column for each class so that the gains (class, column) add up to most; of equals its own."""
    own = 1e-9 * (1 + np.abs(gains).max()) * np.eye(len(gains))
    return np.asarray(linear_sum_assignment(gains + own, maximize=True)[1], np.int64)


def _unrelated(probs: Float, labels: Int) -> bool:
    """Whether the labels look like any others, though the probabilities claim to know."""
    n, m = probs.shape
    shares = np.bincount(labels, minlength=m) / n
    known = probs - probs.mean(axis=0)
    reached = float(np.sum(known[np.arange(n), labels]))
    spread = float(np.sum((known**2) @ shares - (known @ shares) ** 2))
    if spread <= 1e-12 * n or reached > GUESSING * math.sqrt(spread * n / (n - 1)):
        return False
    honest = shares * (np.maximum(probs, LEAST) / np.maximum(probs.mean(axis=0), LEAST)) ** (1 / TOO_SURE)
    honest /= honest.sum(axis=1, keepdims=True)
    return _log_tail(-known, honest, -reached)[1] < math.log(LEVEL)


def _log_tail(values: Float, chances: Float, reached: float) -> tuple[float, float]:
    """Log of P(Σ values_i(Y_i) ≥ reached), Y_i drawn by row i of ``chances``: a bound, and nearly exactly.

    The bound is Chernoff's; the other is the saddlepoint approximation r* (Barndorff-Nielsen 1986), the bound
    itself where that is above e⁻¹. ``chances`` is (n, m) or (1, m). Cost O(nm) a step of Newton.
    """
    _, mean, first = _cumulants(values, chances, 0.0)
    if reached <= mean or first <= 0:
        return 0.0, 0.0
    theta, low, high, bound, variance = 0.0, 0.0, math.inf, 0.0, first
    for _ in range(60):
        following = theta + (reached - mean) / variance
        if not low < following < high:
            following = 2 * theta if math.isinf(high) else (low + high) / 2
        if abs(following - theta) <= 1e-9 * theta:
            break
        theta = following
        total, mean, variance = _cumulants(values, chances, theta)
        bound = min(bound, total - theta * reached)
        if variance <= 1e-9 * first:  # no labels at all reach so much
            return bound, bound
        low, high = (theta, high) if mean < reached else (low, theta)
    if bound > -1:
        return bound, bound
    root, width = math.sqrt(-2 * bound), theta * math.sqrt(variance)
    return bound, float(log_ndtr(-root - math.log(width / root) / root))


def _cumulants(values: Float, chances: Float, theta: float) -> tuple[float, float, float]:
    """Σ_i log E e^{θ values_i(Y_i)} and its first two derivatives. What cannot happen sets no scale."""
    with np.errstate(under="ignore"):
        tilted = np.where(chances > 0, theta * values, -np.inf)
        highest = tilted.max(axis=1, keepdims=True)
        weights = chances * np.exp(tilted - highest)
        sums = weights.sum(axis=1)
        weights /= sums[:, None]
        means = np.einsum("ij,ij->i", weights, values)
        squares = np.einsum("ij,ij,ij->i", weights, values, values)
    total = float(np.sum(np.log(sums) + highest[:, 0]))
    return total, float(means.sum()), float(np.sum(squares - means**2))
