"""Two models, or two lenses, side by side: what each shows beside its own chance, and what not to compare."""

import numpy as np

from calibcore.hypothesis_tests import TestResult
from calibcore.wording import count
from calibcore.words.phrases import ALONE, PROMISES, error, error_level, pvalue_in_full


def gap_beside_chance(gap: TestResult, distance: str) -> str:
    """An ECE, where it would lie by chance alone, and its exact p."""
    assert gap.null_distribution is not None
    low, high = (float(q) for q in np.quantile(gap.null_distribution, (0.05, 0.95), method="inverted_cdf"))
    return (
        f"Average gap (ECE) {error(gap.statistic, distance)}. A calibrated model shows from "
        f"{error_level(low, high, distance)} here, 9 times in 10. "
        f"The exact test of this ECE gives {pvalue_in_full(gap)}. It is {PROMISES[gap.promise]}, {ALONE}."
    )


def what_compares(same_model: bool, n: int, noun: str = "case") -> str:
    """What may be compared between the two figures, and what not (V19 §4.3)."""
    if same_model:
        return (
            "Two views of one model, on the same scales. Compare where and how far they deviate, and the "
            "typical gaps by their intervals. Do not compare the two average gaps (ECE): each view has its "
            "own level by chance, so compare each with the range beside it. "
            "A calibrated model is calibrated in both."
        )
    both = f"the same {count(n, noun)}" if n > 1 else f"the same {noun}"
    return (
        f"Two models on {both}, on the same scales. Compare where and how far they deviate, and the "
        "typical gaps by their intervals. Do not compare the two average gaps (ECE): each model has its own "
        "level by chance, so compare each with the range beside it. A smaller p does not mean a larger error."
    )
