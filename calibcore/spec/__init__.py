"""DiagnosisSpec: every setting of a diagnosis in one frozen object, to JSON, to words and back.

The settings are the strategy objects themselves. One small codec turns them
into ``{"kind": …, field: …}`` and refuses unknown keys, kinds and schema
numbers with a message that lists what is allowed. The same kinds are the words
of the command line, ``top-k:1`` or ``uniform:10``.
"""

from calibcore.spec.settings import (
    ADJUSTMENTS,
    BIN_ADJUSTMENTS,
    ESTIMATES,
    MOST_RESAMPLES,
    TESTS,
    DiagnosisSpec,
)
from calibcore.spec.words import (
    BINNING_WORDS,
    LENS_WORDS,
    NULL_WORDS,
    bandwidth_from_words,
    binning_from_words,
    binning_to_words,
    lens_from_words,
    lens_to_words,
    null_from_words,
    null_to_words,
)

__all__ = [
    "ADJUSTMENTS",
    "BINNING_WORDS",
    "BIN_ADJUSTMENTS",
    "ESTIMATES",
    "LENS_WORDS",
    "MOST_RESAMPLES",
    "NULL_WORDS",
    "TESTS",
    "DiagnosisSpec",
    "bandwidth_from_words",
    "binning_from_words",
    "binning_to_words",
    "lens_from_words",
    "lens_to_words",
    "null_from_words",
    "null_to_words",
]
