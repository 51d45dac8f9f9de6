"""Columns that say how likely at least, or at most, each of some grades is, as ordinal networks give it."""

from collections.abc import Sequence

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import tokens
from calibcore.data.checks import CLIPPED
from calibcore.errors import InputError
from calibcore.io.roles.look import Look
from calibcore.io.tables import Table
from calibcore.numerics.types import Float
from calibcore.wording import listed

_FEWEST_ROWS = 10
"""Rows from which on it is no chance that columns fall, or rise, in each of them."""
_BOUNDS = lexicon.words_of("ge geq gte gt le leq lte lt cum cumulative least most")
_SIGNS = ("≥", "≤", ">", "<")
"""Words and signs in names of columns that hold how likely at least, or at most, a grade is."""


def refuse_cumulative(look: Look) -> None:
    """InputError for columns in the order of the table that are called cumulative, or beside a column of as
    many whole numbers and one more."""
    columns = [j for j, parsed in enumerate(look.parsed) if look.fractional[j] and parsed.role != "other"]
    bounds = [j for j in columns if _is_bound(look.names[j])]
    columns = bounds if len(bounds) > 1 else columns
    if len(columns) < 2 or look.table.blocks or not direction(look.sample[:, columns]):
        return
    grades = [np.unique(cells[np.isfinite(cells)]).size for cells in look.sample[:, look.integral].T]
    counted = all(name[-1:].isdecimal() for name in look.table.names_of(columns))
    if len(bounds) > 1 or (counted and len(columns) + 1 in grades):
        raise cumulative(look.table, columns, direction(look.sample[:, columns]))


def direction(values: Float) -> int:
    """-1 where (n, m) probabilities fall along every row, 1 where they rise, and their sums are no 1; else
    0."""
    n, m = values.shape
    if n < _FEWEST_ROWS or m < 2 or not ((values >= -CLIPPED) & (values <= 1 + CLIPPED)).all():
        return 0
    steps = np.diff(values, axis=1)
    if (values.sum(axis=1) <= 1.01).all() or not steps.any():  # the likeliest guesses fall, too
        return 0
    return -1 if (steps <= 0).all() else int((steps >= 0).all())


def cumulative(table: Table, columns: Sequence[int], steps: int) -> InputError:
    """What such columns are, and how to make the probabilities of classes of them."""
    names = table.names_of(columns)
    bound, how = (
        ("at least", "1 minus the first column, each column minus the next, and the last column")
        if steps < 0
        else ("at most", "the first column, each column minus the one before, and 1 minus the last column")
    )
    return InputError(
        f"The columns {listed(names, 5)} seem to be cumulative, how likely {bound} each grade is: they "
        f"{'fall' if steps < 0 else 'rise'} along every row, and their sums differ from 1. Expected one "
        f"column of probabilities a class. Take the differences: the classes, from the lowest on, are {how}."
    )


def _is_bound(name: str) -> bool:
    return any(sign in name for sign in _SIGNS) or any(token.text in _BOUNDS for token in tokens(name))
