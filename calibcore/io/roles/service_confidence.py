"""A column that is called a confidence beside the probabilities of all classes: whether it is one of them.

Services often report a statistic under that name, such as how far the likeliest class is from the second one.
"""

from collections.abc import Collection

import numpy as np

from calibcore.column_names.names import parse
from calibcore.data.row_numbers import row_number
from calibcore.io.tables import Table, capitalised
from calibcore.numerics.types import Float

_ROUNDED = 0.006
"""How far a confidence may be from the probability that it repeats: two decimals."""
_ALMOST_ALL = 0.99


def confidence_notes(table: Table, used: Collection[int], probs: Float) -> tuple[str, ...]:
    """What the columns are that are named like a confidence and were not ``used``; a sentence each.

    probs : (n, m) probabilities of all m ≥ 2 classes. Cost O(nm) where there is such a column.
    """
    notes = []
    for j, name in enumerate(table.names):
        if j in used or parse(name.rpartition(".")[2]).role != "confidence":
            continue
        values = np.asarray(table.numbers(j), np.float64)
        known = np.flatnonzero(np.isfinite(values))
        if len(known) < max(1, table.n // 2):
            continue
        largest = probs.max(axis=1)
        shares = [values[known], values[known] / 100] if values[known].max() > 1 else [values[known]]
        if any(_are(share, largest[known]) for share in shares):
            notes.append(f"{capitalised(table.where(j))} is the largest probability of each row.")
            continue
        i = _furthest(shares[-1], largest[known])
        row = int(known[i])
        notes.append(
            f"{capitalised(table.where(j))} is a statistic, and not the probability of the answer: row "
            f"{row_number(row)} has {values[row]:.3g} there, and its largest probability is "
            f"{largest[row]:.3g}. It was kept and not used."
        )
    return tuple(notes)


def _are(share: Float, largest: Float) -> bool:
    return bool(np.mean(np.abs(share - largest) <= _ROUNDED) >= _ALMOST_ALL)


def _furthest(share: Float, largest: Float) -> int:
    return int(np.argmax(np.abs(share - largest)))
