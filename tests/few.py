"""Fewer redraws and simulated label sets than people get, where a test is not about their number.

What is shown, said and written comes the same way from 199 redraws as from 999. How exact the numbers are is
the concern of tests that ask for theirs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from calibcore.assessment import omnibus_power, verdict
from calibcore.questions.groups import ask as of_groups
from pages.ui import settings
from pages.ui.settings import START

REDRAWS = 199
LABEL_SETS = 50
"""80 % of them is a whole number, as the search needs."""
_FIRST = 16


@contextmanager
def few_redraws() -> Iterator[None]:
    """A survey takes as many redraws as make its smallest adjusted p half the level, not a tenth of it; and
    what the data could have shown is simulated with 50 label sets in place of 400."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calibcore.assessment.survey._BELOW", 2)
        patch.setattr(omnibus_power, "_FIRST", _FIRST)
        for module in (verdict, of_groups):
            few = partial(omnibus_power.omnibus_detectable, n_simulated=LABEL_SETS)
            patch.setattr(module, "omnibus_detectable", few)
        yield


@contextmanager
def few_redraws_in_the_app() -> Iterator[None]:
    """A session of the app begins with 199 redraws."""
    many = START.resamples
    object.__setattr__(START, "resamples", REDRAWS)  # it is frozen, and the start of every session
    settings._fitted.clear()  # to the start as it was
    try:
        with few_redraws():
            yield
    finally:
        object.__setattr__(START, "resamples", many)
        settings._fitted.clear()
