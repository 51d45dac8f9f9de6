"""Proper scores and accuracy: how good the predictions are, calibrated or not."""

from weakref import WeakKeyDictionary

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.numerics import loops
from calibcore.numerics.largest import likeliest
from calibcore.numerics.types import Float, Int

SMALLEST = float(np.nextafter(0.0, 1.0))
"""What a probability of 0 counts as in the log loss: 2⁻¹⁰⁷⁴."""
_Scores = tuple[dict[str, float], dict[str, float]]
_KNOWN: WeakKeyDictionary[Predictions, _Scores] = WeakKeyDictionary()
"""What :func:`with_standard_errors` found: every lens of a survey asks for it again."""


def hits(predictions: Predictions) -> Float:
    """(n,) 1 where the largest probability is that of the outcome, else 0; ties to the lower class index.

    Where only a confidence is known, 1 where the answer was right: it may well be below ½.
    """
    if predictions.confidence_only:
        return np.asarray(predictions.labels == 0, np.float64)
    return np.asarray(likeliest(predictions.probs) == predictions.labels, np.float64)


def squared_errors(predictions: Predictions) -> Float:
    """(n,) ``Σ_k (g_ik − 1[y_i = k])²``, summed over classes; in 0..2."""
    g, y = predictions.probs, predictions.labels
    out = np.empty(predictions.n)

    def fill(rows: slice) -> None:
        off = g[rows].copy()
        off[np.arange(len(off)), y[rows]] -= 1.0
        out[rows] = np.square(off, out=off).sum(axis=1)

    loops.in_threads(fill, loops.cached_blocks(predictions.n, predictions.m))
    return out


def log_losses(predictions: Predictions) -> Float:
    """(n,) ``−log g_i,y_i`` in nats; a probability of 0 counts as the smallest double (744.4 nats)."""
    p = predictions.probs[np.arange(predictions.n), predictions.labels]
    return np.asarray(-np.log(np.maximum(p, SMALLEST)))


def spherical_scores(predictions: Predictions) -> Float:
    """(n,) ``g_i,y_i / ‖g_i‖₂`` (Roby 1965); in 0..1, larger is better."""
    g = predictions.probs
    squares = np.empty(predictions.n)
    for rows in loops.cached_blocks(predictions.n, predictions.m):
        squares[rows] = np.square(g[rows]).sum(axis=1)
    return np.asarray(g[np.arange(predictions.n), predictions.labels] / np.sqrt(squares))


def ranked_scores(predictions: Predictions) -> Float:
    """(n,) ranked probability score ``Σ_{k<m} (G_ik − 1[y_i ≤ k])²`` of classes in order, with cumulative
    probabilities G (Epstein 1969; Murphy 1971); in 0..m−1. Of two classes half the Brier score."""
    above = np.cumsum(predictions.probs, axis=1)[:, :-1]
    above -= predictions.labels[:, None] <= np.arange(predictions.m - 1)
    return np.asarray(np.square(above, out=above).sum(axis=1))


def _mean(values: Float, predictions: Predictions) -> float:
    return float(np.average(values, weights=predictions.weights))


def accuracy(predictions: Predictions) -> float:
    """(Weighted) share of :func:`hits`."""
    return _mean(hits(predictions), predictions)


def brier(predictions: Predictions) -> float:
    """Brier score, the (weighted) mean of :func:`squared_errors`; in 0..2."""
    return _mean(squared_errors(predictions), predictions)


def log_loss(predictions: Predictions) -> float:
    """The (weighted) mean of :func:`log_losses`."""
    return _mean(log_losses(predictions), predictions)


def spherical(predictions: Predictions) -> float:
    """The (weighted) mean of :func:`spherical_scores`."""
    return _mean(spherical_scores(predictions), predictions)


def of_cases(predictions: Predictions) -> dict[str, Float]:
    """Accuracy and the proper scores, (n,) each, case by case; that of the ranks of classes in order."""
    scores = {
        "accuracy": hits(predictions),
        "brier": squared_errors(predictions),
        "log_loss": log_losses(predictions),
        "spherical": spherical_scores(predictions),
    }
    return scores | ({"rps": ranked_scores(predictions)} if predictions.ordered else {})


def with_standard_errors(predictions: Predictions) -> _Scores:
    """Accuracy and the proper scores, and their standard errors (independent cases; 0 for one case).

    With weights ``√(n/(n−1) Σ w_i²(x_i − x̄)²) / Σ w_i``, linearised; for equal weights ``s/√n``. Of pairs of
    a case and a label the terms of a case are added up before they are squared, and n is the number of cases.
    Cost O(nm) the first time.
    """
    if predictions not in _KNOWN:
        _KNOWN[predictions] = _with_standard_errors(predictions)
    means, errors = _KNOWN[predictions]
    return dict(means), dict(errors)


def _sums(of_pair: Int, term: Float) -> Float:
    return np.asarray(np.bincount(of_pair, term), np.float64)


def _with_standard_errors(predictions: Predictions) -> _Scores:
    cases = of_cases(predictions)
    n, case_of = predictions.n, predictions.case_of
    w = np.ones(n) if predictions.weights is None else predictions.weights
    means = {name: _mean(x, predictions) for name, x in cases.items()}
    terms: dict[str, Float] = {name: w * (x - means[name]) for name, x in cases.items()}
    if case_of is not None:
        case, of_pair = np.unique(case_of, return_inverse=True)
        n, terms = len(case), {name: _sums(of_pair, term) for name, term in terms.items()}
    correction = (n / (n - 1)) ** 0.5 if n > 1 else 0.0
    errors = {name: correction * float(np.linalg.norm(term) / w.sum()) for name, term in terms.items()}
    return means, errors
