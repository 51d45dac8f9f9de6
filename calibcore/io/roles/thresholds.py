"""Columns of two values that are a threshold on a number beside them, as "needs_review" is: no truth."""

from collections.abc import Sequence
from math import comb

import numpy as np

from calibcore.io.roles.label_places import LABEL, Place
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import cell_text
from calibcore.io.tables import capitalised
from calibcore.numerics.types import Float, Int
from calibcore.wording import quote

_CHANCE = 1_000
"""A column is no threshold by chance where so many orders of its values would be as likely."""
_TIES = 0.02
"""So large a share of rows may stand on the threshold itself: the numbers may have been rounded since."""


def is_threshold(look: Look, sure: int, j: int) -> bool:
    """Whether a column has one of two values where a number is low, and the other one where it is high."""
    return _sides(look, sure, j) is not None


def without(look: Look, sure: int, places: Sequence[Place]) -> tuple[Place, ...]:
    """Where labels may stand, without what is a threshold and is called no label."""
    return tuple(
        place
        for place in places
        if place.rank >= LABEL or place.onehot or not is_threshold(look, sure, *place.columns)
    )


def sentence(look: Look, sure: int, j: int) -> str:
    """That a column is a threshold on another one, with the numbers that show it."""
    sides = _sides(look, sure, j)
    assert sides is not None
    (low, most), (high, least) = sides
    where = look.table.where(sure)
    return (
        f"{capitalised(look.table.where(j))} is {quote(low)} where {where} is {most:.6g} or less, and "
        f"{quote(high)} where it is {least:.6g} or more: a threshold on it, which does not say "
        "what was right."
    )


def _sides(look: Look, sure: int, j: int) -> tuple[tuple[str, float], tuple[str, float]] | None:
    """The value beside low numbers and the highest of these, that beside high ones and the lowest."""
    if j == sure or not look.numeric[sure]:
        return None
    column = look.table.columns[j].iloc[look.rows]
    if column.nunique(dropna=False) != 2:
        return None
    cells = np.array([cell_text(cell) for cell in column], dtype=object)
    values: Float = look.sample[:, sure]
    names = sorted(set(cells))
    if len(names) != 2 or not np.isfinite(values).all():
        return None
    of_first: Int = (cells == names[0]).astype(np.int64)
    if comb(len(values), int(of_first.sum())) < _CHANCE:
        return None
    for low, high in (names, names[::-1]):
        below, above = values[cells == low], values[cells == high]
        on_it = np.count_nonzero(values == below.max()) if below.max() == above.min() else 0
        if below.max() <= above.min() and on_it <= _TIES * len(values):
            return (str(low), float(below.max())), (str(high), float(above.min()))
    return None
