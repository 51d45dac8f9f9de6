"""Leaves out what would be a single case's: bins of one case, and extremes in full precision."""

from dataclasses import replace

import numpy as np

from calibcore.diagnose.result import Diagnosis
from calibcore.diagram.reliability import Reliability
from calibcore.numerics.types import Int

STEPS = 1_000
"""The lowest and the highest prediction of a bin, and the largest error of a bin, are told in thousandths."""
_ROUNDING = 1e-9
"""0.57 · 1,000 is a little less than 570, and (0.1 + 0.2) · 1,000 a little more than 300."""


def shared_bins(diagram: Reliability) -> Int:
    """The bins that hold more than one case: the numbers of another are those of that case."""
    return np.flatnonzero(diagram.counts > 1)


def diagram_without_cases(diagram: Reliability) -> Reliability:
    """A diagram with only the bins that hold more than one case; summary numbers are those of all."""
    part = diagram.only(shared_bins(diagram))
    return replace(
        part,
        lowest=np.floor(part.lowest * STEPS + _ROUNDING) / STEPS,
        highest=np.ceil(part.highest * STEPS - _ROUNDING) / STEPS,
    )


def diagnosis_without_cases(diagnosis: Diagnosis) -> Diagnosis:
    """A diagnosis without what belongs to one case alone; tests and estimates stay what they are."""
    shared = shared_bins(diagnosis.reliability)
    tests = diagnosis.bin_pvalues
    if tests is not None:
        bins = {name: [tests[name][b] for b in shared] for name in ("p_value", "adjusted_p_value")}
        tests = dict(tests) | bins
    errors = {  # the largest bin error is often that of one case
        name: round(value * STEPS) / STEPS if name.startswith("mce") else value
        for name, value in diagnosis.calibration_error.items()
    }
    return replace(
        diagnosis,
        reliability=diagram_without_cases(diagnosis.reliability),
        calibration_error=errors,
        bin_pvalues=tests,
    )
