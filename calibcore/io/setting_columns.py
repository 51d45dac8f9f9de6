"""Columns beside predictions that say how the model was set, and not what it said."""

from collections.abc import Collection, Sequence

import numpy as np

from calibcore.io.look import Look
from calibcore.io.name_words import loose

_ZERO = 1e-9
_SOME_ROWS = 3


def without_settings(look: Look, free: list[int], labels: Sequence[Collection[str]]) -> list[int]:
    """Without columns that say the same number in every row, as "lambda" does, and have no label's name."""
    words = {loose(word) for known in labels for word in known}
    same = {
        j
        for j in free
        if look.table.named
        and not look.parsed[j].role
        and loose(look.parsed[j].text) not in words
        and len(look.sample) >= _SOME_ROWS
        and np.ptp(look.sample[:, j]) == 0
        and look.sample[0, j] > _ZERO
    }
    left = [j for j in free if j not in same]
    varying = [j for j in left if look.unit[j] and not look.integral[j] and np.ptp(look.sample[:, j]) > 0]
    return left if varying else free
