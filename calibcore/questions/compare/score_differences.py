r"""Whose predictions score better: paired differences of proper scores, and McNemar's exact test of accuracy.

$d_i = S_{A,i} - S_{B,i}$, below 0 where A is better. The interval of its mean is
$\bar d \pm t_{n-1} \sqrt{V/n}$ with $V = \max(s^2, \min_M c_M)$: the variance of the sample or, if larger,
the smaller of those that the two models claim, $c_M = \text{mean}_i \operatorname{Var}_{k \sim g^M_i} d_i(k)$
and the sample variance of $E_{k \sim g^M_i} d_i(k)$ added up. Without that guard rare large losses, which the
sample may not hold yet, leave the interval too short: it covered .26 in place of .95 where a constant was
compared with a very sure model.

The guard is only as good as the claims. Where both models misjudge a rare outcome (.9999 and .9 of what is
.995), the interval covered .14 with 30 cases. So it is not given where the models expect too few of the
outcomes that decide. That number is $n c_M \sum_i s_i / \sum_i s_i^2$, $s_i$ the largest over k of
$(d_i(k) - \mathbb E_{g^M_i} d_i)^2$, the
smaller of both models: n times the claimed chance, if one outcome is rare in every case. Below
:data:`FEWEST_DECIDING` the Brier difference has its betting interval, and the log loss, without bounds, none.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

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
FEWEST_DECIDING = 3.0
"""Deciding outcomes that a t interval needs both models to expect: see docs/statistics/compare.md."""
_CASES = 1 << 20
"""Probabilities that are worked at together."""


@dataclass(frozen=True)
class ScoreDifference:
    """The mean difference of a score, A − B, with its 95 % interval, for independent cases.

    by_betting : whether interval and p hold at every n, by :func:`betting_interval`, or are approximate
    """

    difference: float
    standard_error: Nonnegative
    low: float
    high: float
    pvalue: Share
    by_betting: bool = False


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


def brier_difference(a: Predictions, b: Predictions, seed: int) -> ScoreDifference:
    """Of :func:`~calibcore.estimators.scores.squared_errors`. Cost O(nm), and that of a betting interval.

    By betting where the models expect too few deciding outcomes, in an order that ``seed`` decides.
    """
    d = brier_differences(a, b)
    difference, deciding = _difference(a, b, d, _squared_gaps)
    if deciding >= FEWEST_DECIDING:
        return difference
    low, high = betting_interval(d, -2.0, 2.0, seed=seed)
    return replace(difference, low=low, high=high, pvalue=_betting_pvalue(d, seed), by_betting=True)


def log_difference(a: Predictions, b: Predictions) -> ScoreDifference | None:
    """Of the log loss, in nats; None where the models expect too few deciding outcomes.

    A probability of 0 counts as the smallest double. Cost O(nm).
    """
    difference, deciding = _difference(a, b, log_losses(a) - log_losses(b), _log_gaps)
    return difference if deciding >= FEWEST_DECIDING else None


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
) -> tuple[ScoreDifference, float]:
    """By the t law, and how many deciding outcomes the models expect."""
    n, mean = a.n, float(d.mean())
    claimed, deciding = _claimed(a, b, gaps)
    variance = max(float(d.var(ddof=1)), claimed)
    error = math.sqrt(variance / n)
    if error == 0:
        return ScoreDifference(mean, 0.0, mean, mean, 1.0), deciding
    half = float(stdtrit(n - 1, 0.975)) * error
    pvalue = float(2 * stdtr(n - 1, -abs(mean) / error))
    return ScoreDifference(mean, error, mean - half, mean + half, pvalue), deciding


def _claimed(a: Predictions, b: Predictions, gaps: Callable[[Float, Float], Float]) -> tuple[float, float]:
    """The smaller of the variances of d that the two models claim, and of the deciding outcomes they expect.

    Where no outcome would make a difference all are expected: nothing can be missed.
    """
    inner, most, fourth, means = np.zeros(2), np.zeros(2), np.zeros(2), np.empty((2, a.n))
    for rows in loops.blocks(a.n, max(1, _CASES // a.m)):
        g, h = a.probs[rows], b.probs[rows]
        by_class = gaps(g, h)
        for which, law in enumerate((g, h)):
            mean = (law * by_class).sum(axis=1)
            squares = np.square(by_class - mean[:, None])
            inner[which] += float((law * squares).sum())
            largest = squares.max(axis=1)
            most[which] += float(largest.sum())
            fourth[which] += float(np.square(largest).sum())
            means[which, rows] = mean
    claimed = inner / a.n + means.var(axis=1, ddof=1)
    deciding = [
        a.n * v * first / second if second > 0 else math.inf
        for v, first, second in zip(claimed, most, fourth, strict=True)
    ]
    return float(claimed.min()), float(min(deciding))


_MOST = 0.5
"""Share of what would ruin the gambler that a bet may be: the paper's c."""
_HALVINGS = 40


def betting_interval(
    values: Float, low: float, high: float, level: float = 0.95, *, seed: int
) -> tuple[float, float]:
    r"""An interval that holds at every n, of the mean of ``values (n,)``, independent numbers in low … high.

    By Waudby-Smith & Ramdas (2024, section 4). A gambler who bets that the mean is not m has the capital
    $K_t(m) = \prod_{s \le t} (1 + \lambda_s (x_s - m))$, a martingale at the true mean if $\lambda_s$ looks
    at what came before s alone. A mean at which the hedged capital, half on either side, ever reaches 1/α is
    ruled out: at most a share α of all data rule out the truth.

    Numbers are taken in a random order that ``seed`` decides, as a file may be sorted. Cost O(n) for each of
    some 80 means that are tried.
    """
    alpha = 1 - level
    x, bets = _in_order(values, low, high, alpha, seed)

    def refuted(mean: float) -> bool:
        return _capital(x, bets, mean) >= math.log(2 / alpha)

    middle = float(x.mean())
    if refuted(middle):  # no mean near: the sets of means that are left need not hold the average
        left = [m for m in np.linspace(0, 1, 1001).tolist() if not refuted(m)]
        ends = (min(left), max(left)) if left else (middle, middle)
    else:
        ends = (_end(refuted, middle, 0.0), _end(refuted, middle, 1.0))
    return low + (high - low) * ends[0], low + (high - low) * ends[1]


def _betting_pvalue(d: Float, seed: int) -> float:
    """Of a mean of 0, numbers in −2 … 2: 0.05 or less where the interval at 95 % leaves 0 out."""
    x, bets = _in_order(d, -2.0, 2.0, 0.05, seed)
    return min(1.0, 2 * math.exp(-_capital(x, bets, 0.5)))


def _in_order(values: Float, low: float, high: float, alpha: float, seed: int) -> tuple[Float, Float]:
    """Values as shares of the way from low to high, in a random order, and the bets on them."""
    x = (np.asarray(values, np.float64) - low) / (high - low)
    x = x[stream(seed, "betting").permutation(len(x))]
    return x, _bets(x, alpha)


def _capital(x: Float, bets: Float, mean: float) -> float:
    """The logarithm of the most that betting against ``mean`` ever makes of 1, upwards or downwards."""
    up = _most_capital(x - mean, np.minimum(bets, _MOST / mean) if mean > 0 else bets)
    down = _most_capital(mean - x, np.minimum(bets, _MOST / (1 - mean)) if mean < 1 else bets)
    return max(up, down)


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
