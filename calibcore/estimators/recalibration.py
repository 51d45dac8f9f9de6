"""Cox's recalibration: logistic regression of the outcome on the logit of the prediction (Cox 1958).

Two different intercepts are in use. ``cox_intercept`` is fitted together with
the slope; ``intercept_with_slope_fixed_at_1`` ("calibration in the large") has the
logit as an offset. Calibrated: intercepts 0, slope 1. A slope below 1: predictions
too extreme; an intercept below 0: too high.

The outcome is the first class, and its logit ``log g_1 − log g_2``. A prediction of
exactly 0 or 1 has an infinite logit; each fit below is the limit of what is found
when such predictions are put ever closer to 0 and 1, or is not defined.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from calibcore.data.predictions import Predictions
from calibcore.diagram.two_classes import first_component
from calibcore.numerics.types import Float

_Z95 = 1.959963984540054
_STEPS = 100
_NO_INFORMATION = 1e-9


@dataclass(frozen=True)
class Coefficient:
    """An estimate, its standard error (Fisher information) and the 95 % Wald interval."""

    estimate: float
    standard_error: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class CoxRecalibration:
    """``logit P(y) = cox_intercept + cox_slope·logit g``, fitted jointly; None where not defined.

    ``notes`` say why, and how many certain predictions were left out.
    """

    cox_intercept: Coefficient | None
    cox_slope: Coefficient | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class CalibrationInTheLarge:
    """``logit P(y) = intercept + logit g``, the slope fixed at 1; None where not defined."""

    intercept_with_slope_fixed_at_1: Coefficient | None
    notes: tuple[str, ...] = ()


def cox_intercept_slope(predictions: Predictions) -> CoxRecalibration:
    """Intercept and slope fitted jointly, by Newton's method. Cost O(n) a step, about six steps.

    Certain predictions (0 or 1) that came true say nothing about a slope above 0
    and are left out; one that did not come true would pull the slope to 0: not
    defined. Nor is the fit if one value of the prediction separates the outcomes,
    if all have one outcome, or if all predictions are equal. Two classes only.
    """
    logits, hits = _logits(predictions, "Cox's recalibration")
    certain = np.isinf(logits)
    wrong = int(np.count_nonzero(certain & ((logits > 0) != hits)))
    if wrong:
        return CoxRecalibration(None, None, (_WRONG.format(wrong),))
    notes = (_LEFT_OUT.format(int(certain.sum())),) if certain.any() else ()
    x, y = logits[~certain], hits[~certain]
    reason = _undefined(x, y)
    if reason:
        return CoxRecalibration(None, None, (*notes, reason))
    fit = _newton(x, y)
    if fit is None:
        return CoxRecalibration(None, None, (*notes, _UNSETTLED))
    beta, covariance = fit
    if certain.any() and beta[1] <= 0:
        return CoxRecalibration(None, None, (*notes, _FALLING))
    intercept, slope = (_wald(float(beta[k]), float(covariance[k, k])) for k in range(2))
    return CoxRecalibration(intercept, slope, notes)


def calibration_in_the_large(predictions: Predictions) -> CalibrationInTheLarge:
    """The intercept with the logit as offset, by root finding. Cost O(n) a step.

    It solves ``Σ expit(intercept + logit g_i) = number of hits``. Certain predictions (0 or 1) stay what
    they are whatever the intercept, right or wrong. Not defined if no intercept gives
    that number. Two classes only.
    """
    logits, hits = _logits(predictions, "Calibration in the large")
    offsets = logits[np.isfinite(logits)]
    target = float(hits.sum()) - float(np.count_nonzero(logits == np.inf))
    if not len(offsets):
        return CalibrationInTheLarge(None, ("Every prediction is 0 or 1; no intercept can change them.",))
    if not 0 < target < len(offsets):
        reason = _ONE_OUTCOME if target in (0, len(offsets)) else _OUT_OF_REACH
        return CalibrationInTheLarge(None, (reason,))
    base = np.log(target) - np.log(len(offsets) - target)
    ends = base - float(offsets.max()) - 1, base - float(offsets.min()) + 1
    intercept = float(brentq(lambda a: float(expit(a + offsets).sum()) - target, *ends, xtol=1e-13))
    information = float((expit(intercept + offsets) * expit(-intercept - offsets)).sum())
    if information < _NO_INFORMATION:
        return CalibrationInTheLarge(None, (_SURE,))
    return CalibrationInTheLarge(_wald(intercept, 1 / information))


_WRONG = (
    "Not defined: {:,} predictions of 0 or 1 did not come true, "
    "and their infinite logits would pull the slope to 0."
)
_LEFT_OUT = "{:,} predictions of 0 or 1 came true and were left out: their logits are infinite."
_UNSETTLED = "Not defined: the fit did not settle."
_FALLING = "Not defined: among the predictions that are not 0 or 1 the fitted slope is not above 0."
_ONE_OUTCOME = (
    "Not defined: all outcomes among the predictions that are not 0 or 1 would have to be the same."
)
_SURE = "Not defined: the predictions are so close to 0 and 1 that no intercept can be told from another."
_OUT_OF_REACH = "Not defined: wrong predictions of 0 or 1 outweigh what the others can make good."


def _logits(predictions: Predictions, name: str) -> tuple[Float, NDArray[np.bool_]]:
    """(n,) logits of the first class, ±inf for 1 and 0, and whether it happened."""
    first_component(predictions, name)
    with np.errstate(divide="ignore"):
        logs = np.log(predictions.probs)
    return logs[:, 0] - logs[:, 1], predictions.labels == 0


def _undefined(x: Float, y: NDArray[np.bool_]) -> str:
    """Why there is no finite fit; empty if there is one."""
    if not y.any() or y.all():
        return _ONE_OUTCOME
    alike = 1e-9 * max(1.0, float(np.abs(x).max()))  # 0.95 and 1 − 0.05 are one value
    if float(np.ptp(x)) <= alike:
        return "Not defined: all predictions are equal, so there is no slope."
    if x[y].min() >= x[~y].max() - alike or x[y].max() <= x[~y].min() + alike:
        return "Not defined: one value of the prediction separates the outcomes; the slope would be infinite."
    return ""


def _newton(x: Float, y: NDArray[np.bool_]) -> tuple[Float, Float] | None:
    """(2,) coefficients of intercept and slope and their (2, 2) covariance; None if it does not settle.

    From 0, where the curvature is largest, its steps fall short of the maximum rather than beyond it.
    """
    # Centred and scaled, the information matrix is well conditioned.
    centre, scale = float(x.mean()), float(x.std())
    design = np.column_stack([np.ones(len(x)), (x - centre) / scale])
    beta = np.zeros(2)
    for _ in range(_STEPS):
        p = expit(design @ beta)
        information = (design * (p * (1 - p))[:, None]).T @ design
        if np.linalg.det(information) <= _NO_INFORMATION**2:
            return None
        step = np.linalg.solve(information, design.T @ (y - p))
        beta = beta + step
        if float(np.abs(step).max()) < 1e-10 * max(1.0, float(np.abs(beta).max())):
            back = np.array([[1.0, -centre / scale], [0.0, 1.0 / scale]])
            return back @ beta, back @ np.linalg.inv(information) @ back.T
    return None


def _wald(estimate: float, variance: float) -> Coefficient:
    error = float(np.sqrt(variance))
    return Coefficient(estimate, error, (estimate - _Z95 * error, estimate + _Z95 * error))
