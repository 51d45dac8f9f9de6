"""The formats of files that are read, a file each.

A format is a class of :class:`.Format` under ``@FORMATS.enter``. The choice by content and name knows it from
there, and so do the lists of the app, the command line and sentences on errors, docs/files.md and the tests.
"""

from collections.abc import Callable

from calibcore.io.formats.format import FORMATS, Content, Format
from calibcore.strategies import import_all
from calibcore.wording import joined

__all__ = ["FORMATS", "Content", "Format", "endings", "expected", "known_names", "people_say"]

import_all(__name__, __path__)


def expected() -> str:
    """What is expected, in a sentence: "CSV or other text, Parquet, … or XLSX"."""
    return _list(lambda form: [form.expected or form.label])


def known_names() -> str:
    """All formats by their names: "CSV, TSV, Parquet, … or XLSX"."""
    return _list(lambda form: list(form.names or (form.label,)))


def people_say() -> str:
    """All formats as people call them: "CSV, Parquet, … or Excel"."""
    return _list(lambda form: [form.common or form.label])


def _list(words: Callable[[type[Format]], list[str]]) -> str:
    return joined(list(dict.fromkeys(word for form in FORMATS.values() for word in words(form))), "or")


def endings() -> tuple[str, ...]:
    """The endings of all names of files that are tables: ".csv", ".parquet"."""
    return tuple(ending for form in FORMATS.values() for ending in form.endings)
