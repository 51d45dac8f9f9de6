"""Evaluation logs of language models, a file each: how a log is recognised, how it is read, what docs say.

A log is a class of :class:`.Log` under ``@LOGS.enter``. The JSON reader asks each, in the order of their
``place``, whether a parsed file is one of its kind. docs/files.md has its row, tests/log_examples.py an
example.
"""

from typing import Any

from calibcore.io.logs.log import LOGS, Log
from calibcore.strategies import import_all

__all__ = ["LOGS", "Log", "log_of"]

import_all(__name__, __path__)


def log_of(value: Any) -> type[Log] | None:
    """The kind of log that a parsed JSON is; None for what is no log."""
    return next((log for log in LOGS.values() if log.fits(value)), None)
