"""DiagnosisSpec: every setting of a diagnosis in one frozen object, to JSON, to words and back.

The settings are the strategy objects themselves. One small codec turns them
into ``{"kind": …, field: …}`` and refuses unknown keys, kinds and schema
numbers with a message that lists what is allowed. The same kinds are the words
of the command line, ``top-k:1`` or ``uniform:10``.
"""

from calibcore.settings.spec import ESTIMATES, MOST_RESAMPLES, TESTS, DiagnosisSpec
from calibcore.settings.words import lens_from_words, lens_to_words

__all__ = ["ESTIMATES", "MOST_RESAMPLES", "TESTS", "DiagnosisSpec", "lens_from_words", "lens_to_words"]
