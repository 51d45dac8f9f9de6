"""A further number beside the squared gaps: the difference of two models' kernel calibration errors.

Its population value depends on how the predictions are spread, as κ is near 1 for predictions that are alike.
So "equal kernel errors" is not "equally wrong", and no order of models goes by it. Kernel and bandwidth are
the same for both.
"""

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.errors import InputError
from calibcore.kernels import ExponentialKernel, Kernel
from calibcore.numerics import loops
from calibcore.questions.compare.gap_differences import GapDifference, difference_of

MOST_CASES = 20_000
_ROWS = 256


def kernel_difference(a: Predictions, b: Predictions, kernel: Kernel | None = None) -> GapDifference:
    """SKCE_uq of A less that of B, with the variance of :func:`.gap_difference`; asymptotic.

    A bandwidth that is a rule is found from the predictions of both. Cost O(n²m), memory O(n).

    Raises
    ------
    InputError : other numbers of cases or classes, more than :data:`MOST_CASES` cases, or
        weighted or cross-fitted ones.
    """
    for p in (a, b):
        refuse_untested(p)
    if a.probs.shape != b.probs.shape:
        raise InputError("The two models have other numbers of cases or classes; expected the same cases.")
    if a.n > MOST_CASES:
        raise InputError(f"There are {a.n:,} cases; pairs of up to {MOST_CASES:,} are looked at.")
    n = a.n
    one = (kernel or ExponentialKernel()).resolved(np.concatenate([a.probs, b.probs]))[0]
    residuals = [p.onehot() - p.probs for p in (a, b)]
    by_case, squares = np.empty(n), 0.0
    for rows in loops.blocks(n, _ROWS):
        d = np.zeros((len(range(*rows.indices(n))), n))
        for p, r, sign in zip((a, b), residuals, (1, -1), strict=True):
            d += sign * one.matrix(p.probs[rows], p.probs) * (r[rows] @ r.T)
        own = np.arange(n)[rows]
        d[np.arange(len(own)), own] = 0.0
        by_case[rows] = d.sum(axis=1) / (n - 1)
        squares += float(np.square(d).sum())
    return difference_of(by_case, squares)
