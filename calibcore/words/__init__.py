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
    expected,
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
    command_line,
    ece_sentence,
    impossible_outcomes,
    kernel_test_sentence,
    methods,
    narrow_bandwidth,
    null_range,
    reliability_rows,
    rows_of_tests,
    score_words,
)
from calibcore.words.terminal import diagnosis_text, survey_text

__all__ = [
    "PROMISES",
    "TEST_NAMES",
    "binning_words",
    "bins_heading",
    "bins_outside",
    "claim_and_outcome",
    "command_line",
    "count",
    "diagnosis_text",
    "ece_sentence",
    "error",
    "error_level",
    "expected",
    "impossible_outcomes",
    "kernel_error",
    "kernel_test_sentence",
    "lens_words",
    "methods",
    "narrow_bandwidth",
    "null_range",
    "number_p",
    "percent",
    "plural",
    "points",
    "pvalue",
    "pvalue_remark",
    "reliability_rows",
    "rows_of_tests",
    "score_words",
    "survey_text",
    "top_bins",
]
