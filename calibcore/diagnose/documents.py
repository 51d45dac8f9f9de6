"""Parts of the JSON of a diagnosis that stand there otherwise than in its class."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, cast

from calibcore.bounds import Count, Nonnegative, Share
from calibcore.diagnose.estimates import LEVELS
from calibcore.hypothesis_tests.bins import BinPvalues
from calibcore.kernels import Bandwidth


def bins_document(pvalues: BinPvalues) -> dict[str, Any]:
    """Exact p-values of the bins, as a diagnosis holds them."""
    return {
        "p_value": pvalues.pvalue.tolist(),
        "adjusted_p_value": pvalues.adjusted.tolist(),
        "adjustment": pvalues.adjustment,
        "resamples": pvalues.n_resamples,
    }


class Level(TypedDict):
    """The :data:`~.estimates.LEVELS` of an estimate under calibration."""

    mean: float
    sd: Nonnegative
    low: float
    high: float


class BootstrapInterval(TypedDict):
    """An interval of the ECE, as a document holds it."""

    low: float
    high: float
    level: Share
    n_resamples: Count
    label: str


class Errors(TypedDict):
    """ECE and MCE, as a document holds them."""

    ece: Nonnegative
    mce: Nonnegative
    n_bins: Count
    under_calibration: Level | None
    mce_under_calibration: Level | None
    interval: NotRequired[BootstrapInterval | None]


def errors_of(entry: "Errors") -> dict[str, float]:
    """ECE and MCE with their levels, ``ece_mean`` and so on, side by side."""
    levels = {"ece": entry["under_calibration"], "mce": entry["mce_under_calibration"]}
    made = {"ece": entry["ece"], "mce": entry["mce"]}
    return made | {
        f"{name}_{key}": value
        for name, level in levels.items()
        for key, value in cast(Mapping[str, float], level or {}).items()
    }


def level_in(errors: Mapping[str, float], name: str) -> "Level | None":
    """The inverse of :func:`errors_of`, for one of them."""
    if f"{name}_mean" not in errors:
        return None
    return cast(Level, {key: errors[f"{name}_{key}"] for key in LEVELS})


class KernelErrors(TypedDict):
    """The estimates of the kernel error and the bandwidth, as a document holds them."""

    biased: NotRequired[float | None]
    unbiased: NotRequired[float | None]
    linear: NotRequired[float | None]
    block: NotRequired[float | None]
    bandwidth: NotRequired[float]
    bandwidth_found: NotRequired[Bandwidth]


class BinTests(TypedDict):
    """Exact p-values of the bins, as a document holds them."""

    p_value: list[Share]
    adjusted_p_value: list[Share]
    adjustment: Literal["step-down", "holm"]
    resamples: Count


class Coefficient(TypedDict):
    """One of Cox's coefficients, as a document holds it."""

    estimate: float
    standard_error: Nonnegative
    interval: tuple[float, float]


class Coefficients(TypedDict, total=False):
    """Cox's coefficients, as a document holds them."""

    cox_intercept: Coefficient | None
    cox_slope: Coefficient | None
    cox_notes: list[str]
    intercept_with_slope_fixed_at_1: Coefficient | None
    intercept_with_slope_fixed_at_1_notes: list[str]
