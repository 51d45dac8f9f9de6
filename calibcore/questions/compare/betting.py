r"""An interval of the mean of bounded numbers that holds at every n: Waudby-Smith & Ramdas (2024, section 4).

A gambler who bets that the mean is not m has the capital
$K_t(m) = \prod_{s \le t} (1 + \lambda_s (x_s - m))$, a martingale at the true mean if $\lambda_s$ looks at
what came before s alone. A mean at which the hedged capital, half on either side, ever reaches 1/α is ruled
out: at most a share α of all data rule out the truth.
"""

import math
from collections.abc import Callable

import numpy as np

from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float

_MOST = 0.5
"""Share of what would ruin the gambler that a bet may be: the paper's c."""
_HALVINGS = 40


def betting_interval(
    values: Float, low: float, high: float, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """The interval of the mean of ``values (n,)``, independent numbers in ``low … high``.

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
