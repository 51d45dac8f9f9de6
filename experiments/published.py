"""What the papers' authors published, for the column beside ours.

W19 = Widmann et al. 2019: the numbers behind Figures 1 and 2, which the authors keep as TeX in
github.com/devmotion/CalibrationPaper (`paper/figures/errors_comparison.tex`, `pvalues_comparison.tex`,
version 0.2.0; 0.1.0, and the paper's first print, had a mistake in the uniform bins and so other ECEs).
V19 = Vaicenavicius et al. 2019, §5.1.
"""

from calibcore.data.examples import TABLE_1, TABLE_2

SETS = 10_000
"""Data sets behind each number of W19."""

TRUE_ECE = {"M1": 0.0, "M2": 0.45, "M3": 0.7106418012290426}
"""W19 J.2.1, in closed form; the dashed lines of Figure 1."""

MEAN_ESTIMATES = {
    "ECE": {"M1": 0.4395191920510119, "M2": 0.6633084064443167, "M3": 0.8917787846726375},
    "SKCE_b": {"M1": 0.001791065804877401, "M2": 0.09976616408194146, "M3": 0.020511313103935783},
    "SKCE_uq": {"M1": -8.624308735909002e-6, "M2": 0.09655136747590723, "M3": 0.015170498621422451},
    "SKCE_ul": {"M1": 0.00016041013856191264, "M2": 0.09655648558846669, "M3": 0.015050934500161551},
}
"""The solid lines of Figure 1. The mean of SKCE_uq stands for the true SKCE there."""

LEVELS = (0.01, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9)
"""Significance levels at which :data:`TEST_ERRORS` were read from the 101 of Figure 2."""

_NEVER, _ALWAYS = (0.0,) * 7, (1.0,) * 7
TEST_ERRORS = {
    "C": {"M1": _ALWAYS, "M2": _NEVER, "M3": _NEVER},
    "D_b": {
        "M1": _NEVER,
        "M2": (0.9843, 0.3706, 0.0566, 0.0010, 0.0, 0.0, 0.0),
        "M3": (1.0, 1.0, 1.0, 1.0, 1.0, 0.8487, 0.0115),
    },
    "D_uq": {"M1": _NEVER, "M2": (1.0, 1.0, 1.0, 1.0, 1.0, 0.9520, 0.1397), "M3": _ALWAYS},
    "D_ul": {
        "M1": _NEVER,
        "M2": (1.0, 1.0, 1.0, 1.0, 1.0, 0.8748, 0.2394),
        "M3": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.9996),
    },
    "A_uq": {"M1": (0.0048, 0.0347, 0.0791, 0.1810, 0.5111, 0.8366, 0.9366), "M2": _NEVER, "M3": _NEVER},
    "A_l": {
        "M1": (0.0077, 0.0455, 0.0980, 0.2014, 0.5154, 0.7894, 0.8906),
        "M2": (0.0004, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        "M3": (0.9519, 0.8141, 0.6896, 0.5111, 0.2054, 0.0566, 0.0226),
    },
}
"""Type I errors on M1, type II errors on M2 and M3."""

TABLES = {"Table 1": TABLE_1, "Table 2": TABLE_2}
"""V19: what is predicted, each as often, and what happens there."""

EXPECTED_MISCALIBRATION = {(0.0, -2.0): 0.0, (0.0, 0.0): 0.0, (1.0, 1.0): 0.56}
"""V19 §5.1, total variation, two decimals; by (β0, β1)."""

BEST_SHARE = {"calibrated": 0.25, "over": 0.43, "under": 0.47}
PROMISED_SHARE = {
    500: {"calibrated": (0.04, 0.04), "over": (0.11, 0.15), "under": (0.13, 0.15)},
    2_000: {"calibrated": (0.06, 0.10), "over": (0.25, 0.31), "under": (0.26, 0.30)},
    10_000: {"calibrated": (0.15, 0.20), "over": (0.36, 0.37), "under": (0.39, 0.41)},
}
"""A promised threshold: shares with the plain order and the guided one, by cases and world. What was
predicted there is not known: ours was made so that the best shares are the same."""
PROMISE_BROKEN = {200: 0.037, 500: 0.020, 2_000: 0.033, 10_000: 0.027}
"""In so many files at most, of the seven worlds."""
USUAL_BROKEN = (0.43, 0.99)
"""The usual threshold, in all worlds but that of exactly the target."""
