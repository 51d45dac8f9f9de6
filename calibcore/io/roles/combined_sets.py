"""Which columns together say which set a row is in: "model" and "prompt", of which each pair is one model.

One column is enough where a case stands in one row of each of its values. Where it stands in several, further
columns may tell these apart.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from calibcore.data.units import codes_of
from calibcore.io.tables import Array
from calibcore.numerics.types import Int
from calibcore.wording import listed

MOST_SETS = 50
"""Sets of rows at most: of more a column names cases."""
MISSING = 0.02
"""So large a share of the rows may be missing from the sets, and one row in any case."""
_MOST_COLUMNS = 3
"""Columns at most that say together which set a row is in."""
_MOST_TRIED = 8
"""Columns at most of which combinations are tried."""
_BETWEEN = " / "


def missing(case: Int, sets: Int) -> int | None:
    """In how many sets a case is missing, over all (n,) cases; None where that is too often."""
    cases, many = int(case.max()) + 1, int(sets.max()) + 1
    absent = cases * many - _present(case, sets)
    return absent if absent <= max(1, MISSING * cases * many) else None


def is_once(case: Int, sets: Int) -> bool:
    """Whether a case stands in one row of a set, but for a few."""
    return _present(case, sets) >= (1 - MISSING) * len(case)


def rows_of_each(case: Int, sets: Int) -> int:
    """In how many rows of a set a case stands, at least one; 0 where that differs."""
    counts = np.unique(case * (int(sets.max()) + 1) + sets, return_counts=True)[1]
    return int(counts[0]) if (counts == counts[0]).all() else 0


def combined(columns: Sequence[Int]) -> Int:
    """(n,) the number of the combination of each row, as they come first, of columns of codes."""
    codes = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        codes = codes_of(codes * (int(column.max()) + 1) + column, names=False)[0]
    return codes


def columns_of_sets(case: Int, sets: Mapping[str, Int]) -> tuple[str, ...]:
    """The columns, the fewest, that say together which set a row is in: nearly every case has one row of
    each.

    ``sets``: name -> (n,) codes of columns that may say so, the likeliest first. Where a case has several
    rows of every set, the likeliest column of which it has some of each value; () where there is none.
    Cost O(n log n) for each of at most 100 combinations.
    """
    complete = {name: codes for name, codes in sets.items() if missing(case, codes) is not None}
    names = list(complete)[:_MOST_TRIED]
    for k in range(1, _MOST_COLUMNS + 1):
        for columns in combinations(complete if k == 1 else names, k):
            codes = combined([sets[name] for name in columns])
            if codes.max() < MOST_SETS and is_once(case, codes) and missing(case, codes) is not None:
                return columns
    return tuple(names[:1])


def _present(case: Int, sets: Int) -> int:
    return len(np.unique(case * (int(sets.max()) + 1) + sets))


def name_of(values: Sequence[str]) -> str:
    """What a set is called that these values of several columns say: "bert / v2"."""
    return _BETWEEN.join(values)


def values_of(columns: Sequence[Array]) -> tuple[tuple[str, ...], ...]:
    """The values of (n,) columns that stand in one row, each combination once, as they come first."""
    codes, texts = zip(*(codes_of(column) for column in columns), strict=True)
    firsts = np.unique(combined(codes), return_index=True)[1]
    rows = sorted(firsts.tolist())
    sets = (tuple(t[c[i]].strip() for c, t in zip(codes, texts, strict=True)) for i in rows)
    return tuple(dict.fromkeys(sets))


def where(columns: Sequence[str], values: Sequence[str]) -> tuple[str, ...]:
    """The rows of a set as a person asks for them: ("model=bert", "prompt=v2")."""
    return tuple(f"{column}={value}" for column, value in zip(columns, values, strict=True))


def how_many(columns: Sequence[str], many: int) -> str:
    """ "2 values of 'model'", or "4 pairs of 'model' and 'prompt'"."""
    *before, last = (listed([name]) for name in columns)
    what = ("values", "pairs", "combinations")[min(len(columns), 3) - 1]
    names = f"{', '.join(before)} and {last}" if before else last
    return f"{many:,} {what} of {names}"
