r"""Is the model too sure or too unsure? Exact, with the temperatures that would explain what happened.

$S = \sum_i \log g_i(y_i)$. Under calibration its mean is $\sum_{ik} g_{ik} \log g_{ik}$, and T = |S − mean|
is the score test of a temperature, exact by redraws. S falls stochastically as the temperature rises. So the
temperatures at which both one-sided p-values of S exceed α/2 form an interval: an exact confidence set within
"calibrated but for a temperature".
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.hypothesis_tests.result import monte_carlo_pvalue, none_as_extreme, tie_slack
from calibcore.numerics import loops
from calibcore.numerics.draws import uniform
from calibcore.numerics.resampling import edges_in_threads, pick
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float, Labels
from calibcore.questions.recalibrate.maps.map import logarithms, smallest_of, softmax
from calibcore.questions.recalibrate.maps.temperature import LEAST, MOST, Temperature

STREAM = "temperature-set"
_STEPS = 14
_CASES = 2_048
_DRAWS = 4_000_000
"""Labels that are drawn together."""


@dataclass(frozen=True)
class TemperatureSet:
    """What speaks for a temperature.

    Attributes
    ----------
    estimate : the temperature of least log loss, fitted to all cases
    low, high : of the temperatures that the outcomes do not refute; at 1/20 or 20 there is no limit
    empty : whether no temperature explains them
    score : Σ log g(y) less its mean under calibration: below 0 where the model is too sure
    pvalue : exact, of calibration
    at_floor : whether no redraw was as extreme
    """

    estimate: float
    low: float
    high: float
    pvalue: float
    score: float
    n_resamples: int
    at_floor: bool
    empty: bool = False


def temperature_set(
    predictions: Predictions, n_resamples: int = 999, alpha: float = 0.05, seed: int = 0
) -> TemperatureSet:
    """The exact test and the confidence set. Cost: some 30 times O(nm + nB).

    A probability of 0 counts as the smallest positive one of all cases.
    """
    g = predictions.probs
    logs = logarithms(g, smallest_of(g))
    observed = float(logs[np.arange(len(logs)), predictions.labels].sum())
    table = loops.read_only(logs)
    fitted = Temperature.fit(g, predictions.labels).temperature

    def sums(temperature: float) -> Float:
        """(B,) S of labels drawn at that temperature, of the same uniforms each time."""
        probs = g if temperature == 1 else softmax(logs / temperature)
        return _redrawn_sums(probs, table, n_resamples, stream(seed, STREAM))

    at_one = sums(1.0)
    mean = float((g / g.sum(axis=1, keepdims=True) * logs).sum())
    pvalue = monte_carlo_pvalue(abs(observed - mean), np.abs(at_one - mean))

    def too_low(temperature: float) -> bool:
        """Whether labels at that temperature agree with the predictions clearly more than what happened."""
        drawn = sums(temperature)
        return _share_at_most(drawn, observed) <= alpha / 2

    def too_high(temperature: float) -> bool:
        drawn = sums(temperature)
        return _share_at_least(drawn, observed) <= alpha / 2

    inside = fitted
    empty = too_low(inside) or too_high(inside)
    low = high = inside
    if not empty:
        low = LEAST if not too_low(LEAST) else _edge(too_low, inside, LEAST)
        high = MOST if not too_high(MOST) else _edge(too_high, inside, MOST)
    floor = none_as_extreme(pvalue, n_resamples)
    return TemperatureSet(fitted, low, high, pvalue, observed - mean, n_resamples, floor, empty)


def _edge(refuted: Callable[[float], bool], inside: float, outside: float) -> float:
    """The temperature at which it begins to be refuted, by halving on a scale of logarithms."""
    a, b = np.log(inside), np.log(outside)
    for _ in range(_STEPS):
        middle = (a + b) / 2
        if refuted(float(np.exp(middle))):
            b = middle
        else:
            a = middle
    return float(np.exp((a + b) / 2))


def _share_at_most(drawn: Float, observed: float) -> float:
    slack = tie_slack(observed, float(drawn.std()))
    return (1 + int(np.count_nonzero(drawn <= observed + slack))) / (len(drawn) + 1)


def _share_at_least(drawn: Float, observed: float) -> float:
    slack = tie_slack(observed, float(drawn.std()))
    return (1 + int(np.count_nonzero(drawn >= observed - slack))) / (len(drawn) + 1)


def _redrawn_sums(probs: Float, values: Float, n_resamples: int, rng: np.random.Generator) -> Float:
    """(B,) ``Σ_i values[i, label]`` of labels drawn from ``probs``. Cost O(nB), 4 ns a label."""
    n = len(probs)
    edges = edges_in_threads(probs)
    block = max(1, _DRAWS // n)
    parts = []
    for start in range(0, n_resamples, block):
        labels = pick(edges, uniform(rng, (min(block, n_resamples - start), n)))
        sums = loops.in_threads(partial(_sums_of, values, labels), loops.blocks(n, _CASES))
        parts.append(np.sum(sums, axis=0))
    return np.concatenate(parts)


def _sums_of(values: Float, labels: Labels, rows: slice) -> Float:
    out = np.zeros(len(labels))
    _add(values[rows], loops.read_only(labels[:, rows]), out)
    return out


@loops.compiled
def _add(values: Float, labels: Labels, out: Float) -> None:
    for b in range(labels.shape[0]):
        total = 0.0
        for i in range(labels.shape[1]):
            total += values[i, labels[b, i]]
        out[b] += total
