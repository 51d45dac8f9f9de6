"""A result in, the sentences about it out: the same for page, command line and alt text.

Whole numbers are separated by thousands, errors are in percentage points, a
p-value is never written as 0 and never stands without its promise.
"""

from calibcore.words.phrases import (
    PROMISES,
    TEST_NAMES,
    binning_words,
    count,
    error,
    error_level,
    kernel_error,
    lens_words,
    number_p,
    percent,
    plural,
    points,
    pvalue,
    pvalue_remark,
    top_bins,
)
from calibcore.words.results import (
    bins_heading,
    bins_outside,
    claim_and_outcome,
    ece_sentence,
    kernel_test_sentence,
    methods,
    null_range,
    reliability_rows,
    rows_of_tests,
)
from calibcore.words.terminal import diagnosis_text, survey_text

__all__ = [
    "PROMISES",
    "TEST_NAMES",
    "binning_words",
    "bins_heading",
    "bins_outside",
    "claim_and_outcome",
    "count",
    "diagnosis_text",
    "ece_sentence",
    "error",
    "error_level",
    "kernel_error",
    "kernel_test_sentence",
    "lens_words",
    "methods",
    "null_range",
    "number_p",
    "percent",
    "plural",
    "points",
    "pvalue",
    "pvalue_remark",
    "reliability_rows",
    "rows_of_tests",
    "survey_text",
    "top_bins",
]
