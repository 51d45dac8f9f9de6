r"""Does a model know what another leaves out? Exact: labels are redrawn from that other.

The hypothesis is that A holds whatever B says, $P(Y = k \mid g_A, g_B) = g_{A,k}$: stronger than "A is
calibrated". So a miscalibrated A may fail although B is a function of A. The statistic is
$T = \sum_i \log g_B(y_i) / g_A(y_i)$, and exp(T) is an e-value of the same hypothesis. Large values count
against A.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.hypothesis_tests.result import deviation, monte_carlo_pvalue
from calibcore.numerics.label_sums import label_sums
from calibcore.numerics.streams import stream
from calibcore.numerics.types import Float
from calibcore.transforms.redraws import redrawn_labels

STREAM = "holds-whatever-another-says"


@dataclass(frozen=True)
class Held:
    """Whether a model holds whatever another says.

    Attributes
    ----------
    statistic : T; ∞ where what A called impossible happened, −∞ where B did alone
    pvalue : exact; 0 where A is refuted by what happened
    mean, deviation : of the redraws of T, without infinite ones
    """

    statistic: float
    pvalue: float
    mean: float
    deviation: float
    refuted: bool = False


def held(tested: Predictions, models: Sequence[Predictions], n_resamples: int, seed: int) -> list[Held]:
    """Whether ``tested`` holds whatever each of the ``models`` says; labels are redrawn for all at once.

    Cost O(nm) for each of the others, and O(nB) to draw labels and again for each of the others; 1 ns for
    each of those.
    """
    m = tested.m
    ratios = np.stack([log_ratios(tested, other) for other in models], axis=2)
    observed = label_sums(ratios, tested.labels[None].astype(np.int16 if m > 127 else np.int8))[0]
    rng = stream(seed, STREAM)
    redrawn = np.concatenate(
        [label_sums(ratios, block) for block in redrawn_labels(tested, n_resamples, rng)]
    )
    refuted = tested.rounding is None and tested.impossible_outcomes > 0
    return [_held(float(observed[j]), redrawn[:, j], refuted) for j in range(len(models))]


def log_ratios(tested: Predictions, other: Predictions) -> Float:
    """(n, m) ``log(other / tested)``.

    Where ``tested`` has 0 it is 0, as no redraw comes there. A 0 of ``other`` is −∞, or what it stands
    for at most where it was rounded.
    """
    least = 0.0 if other.rounding is None else other.rounding.at_zero
    with np.errstate(divide="ignore"):
        top = np.log(np.where(other.probs == 0, least, other.probs))
        ratios = top - np.log(np.where(tested.probs == 0, 1.0, tested.probs))
    return np.where(tested.probs == 0, 0.0, ratios)


def _held(statistic: float, redrawn: Float, refuted: bool) -> Held:
    finite = redrawn[np.isfinite(redrawn)]
    return Held(
        math.inf if refuted else statistic,
        0.0 if refuted else monte_carlo_pvalue(statistic, redrawn),
        float(finite.mean()) if len(finite) else 0.0,
        deviation(redrawn),
        refuted,
    )
