r"""Whose predictions score better: paired differences of proper scores, and McNemar's exact test of accuracy.

$d_i = S_{A,i} - S_{B,i}$, below 0 where A is better. The interval of its mean is
$\bar d \pm t_{n-1} \sqrt{V/n}$ with $V = \max(s^2, \min_M c_M)$: the variance of the sample or, if larger,
the smaller of those that the two models claim, $c_M = \text{mean}_i \operatorname{Var}_{k \sim g^M_i} d_i(k)$
and the sample variance of $E_{k \sim g^M_i} d_i(k)$ added up. Without that guard rare large losses, which the
sample may not hold yet, leave the interval too short: it covered .26 in place of .95 where a constant was
compared with a very sure model.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from calibcore.bounds import Count, Difference, Nonnegative, Share
from calibcore.data.predictions import Predictions
from calibcore.estimators.scores import SMALLEST, hits, log_losses, squared_errors
from calibcore.numerics import loops
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float

FEWEST = 20
"""Cases that an interval needs: a choice."""
_CASES = 1 << 20
"""Probabilities that are worked at together."""


@dataclass(frozen=True)
class ScoreDifference:
    """The mean difference of a score, A − B, with its 95 % interval; approximate, for independent cases."""

    difference: float
    standard_error: Nonnegative
    low: float
    high: float
    pvalue: Share


@dataclass(frozen=True)
class AccuracyDifference:
    """McNemar's exact test.

    difference : share of cases that A gets right, less that of B; only_a, only_b : cases that one alone gets
    right; pvalue : of the binomial law with ½, exact, two-sided; 1 where neither is alone
    """

    difference: Difference
    only_a: Count
    only_b: Count
    pvalue: Share


def brier_difference(a: Predictions, b: Predictions) -> ScoreDifference:
    """Of :func:`~calibcore.estimators.scores.squared_errors`. Cost O(nm)."""
    return _difference(a, b, squared_errors(a) - squared_errors(b), _squared_gaps)


def log_difference(a: Predictions, b: Predictions) -> ScoreDifference:
    """Of the log loss, in nats. A probability of 0 counts as the smallest double. Cost O(nm)."""
    return _difference(a, b, log_losses(a) - log_losses(b), _log_gaps)


def accuracy_difference(a: Predictions, b: Predictions) -> AccuracyDifference:
    """Whether A is right more often than B. Cost O(nm)."""
    from scipy.stats import binomtest  # half a second to import, which a start would take too

    right_a, right_b = hits(a) > 0, hits(b) > 0
    only_a = int(np.count_nonzero(right_a & ~right_b))
    only_b = int(np.count_nonzero(right_b & ~right_a))
    pvalue = float(binomtest(only_a, only_a + only_b).pvalue) if only_a + only_b else 1.0
    return AccuracyDifference((only_a - only_b) / a.n, only_a, only_b, pvalue)


def brier_differences(a: Predictions, b: Predictions) -> Float:
    """(n,) d_i of the Brier score, in −2 … 2."""
    return squared_errors(a) - squared_errors(b)


def _squared_gaps(g: Float, h: Float) -> Float:
    """(r, m) the difference of the squared errors of two models in r cases, if class k happened."""
    own = np.square(g).sum(axis=1) - np.square(h).sum(axis=1)
    return np.asarray(own[:, None] - 2 * (g - h))


def _log_gaps(g: Float, h: Float) -> Float:
    """(r, m) the difference of the log losses."""
    return np.asarray(np.log(np.maximum(h, SMALLEST)) - np.log(np.maximum(g, SMALLEST)))


def _difference(
    a: Predictions, b: Predictions, d: Float, gaps: Callable[[Float, Float], Float]
) -> ScoreDifference:
    n, mean = a.n, float(d.mean())
    variance = max(float(d.var(ddof=1)), min(_claimed(a, b, gaps)))
    error = math.sqrt(variance / n)
    if error == 0:
        return ScoreDifference(mean, 0.0, mean, mean, 1.0)
    half = float(stdtrit(n - 1, 0.975)) * error
    pvalue = float(2 * stdtr(n - 1, -abs(mean) / error))
    return ScoreDifference(mean, error, mean - half, mean + half, pvalue)


def _claimed(a: Predictions, b: Predictions, gaps: Callable[[Float, Float], Float]) -> tuple[float, float]:
    """The variance of d that each of the two models claims."""
    inner, means = np.zeros(2), np.empty((2, a.n))
    for rows in loops.blocks(a.n, max(1, _CASES // a.m)):
        g, h = a.probs[rows], b.probs[rows]
        by_class = gaps(g, h)
        for which, law in enumerate((g, h)):
            mean = (law * by_class).sum(axis=1)
            inner[which] += float((law * np.square(by_class - mean[:, None])).sum())
            means[which, rows] = mean
    claimed = inner / a.n + means.var(axis=1, ddof=1)
    return float(claimed[0]), float(claimed[1])


_MOST = 0.5
"""Share of what would ruin the gambler that a bet may be: the paper's c."""
_HALVINGS = 40


def betting_interval(
    values: Float, low: float, high: float, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    r"""An interval that holds at every n, of the mean of ``values (n,)``, independent numbers in low … high.

    By Waudby-Smith & Ramdas (2024, section 4). A gambler who bets that the mean is not m has the capital
    $K_t(m) = \prod_{s \le t} (1 + \lambda_s (x_s - m))$, a martingale at the true mean if $\lambda_s$ looks
    at what came before s alone. A mean at which the hedged capital, half on either side, ever reaches 1/α is
    ruled out: at most a share α of all data rule out the truth.

    Numbers are taken in a random order that ``seed`` decides, as a file may be sorted. Cost O(n) for each of
    some 80 means that are tried.
    """
    x = (np.asarray(values, np.float64) - low) / (high - low)
    x = x[stream(seed, "betting").permutation(len(x))]
    alpha = 1 - level
    bets = _bets(x, alpha)

    def refuted(mean: float) -> bool:
        up = _most_capital(x - mean, np.minimum(bets, _MOST / mean) if mean > 0 else bets)
        down = _most_capital(mean - x, np.minimum(bets, _MOST / (1 - mean)) if mean < 1 else bets)
        return max(up, down) >= math.log(2 / alpha)

    middle = float(x.mean())
    if refuted(middle):  # no mean near: the sets of means that are left need not hold the average
        left = [m for m in np.linspace(0, 1, 1001).tolist() if not refuted(m)]
        ends = (min(left), max(left)) if left else (middle, middle)
    else:
        ends = (_end(refuted, middle, 0.0), _end(refuted, middle, 1.0))
    return low + (high - low) * ends[0], low + (high - low) * ends[1]


def _bets(x: Float, alpha: float) -> Float:
    """(n,) λ_t of the paper's equation (24), from what came before t."""
    t = np.arange(1, len(x) + 1)
    means = (0.5 + np.cumsum(x)) / (t + 1)
    variances = (0.25 + np.cumsum(np.square(x - means))) / (t + 1)
    before = np.append(0.25, variances[:-1])
    return np.asarray(np.sqrt(2 * math.log(2 / alpha) / (before * t * np.log(t + 1))))


def _most_capital(steps: Float, bets: Float) -> float:
    """The largest logarithm of the capital at any time."""
    return float(np.cumsum(np.log1p(np.maximum(bets * steps, -1 + 1e-15))).max())


def _end(refuted: Callable[[float], bool], inside: float, outside: float) -> float:
    if not refuted(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if refuted(middle):
            outside = middle
        else:
            inside = middle
    return outside
