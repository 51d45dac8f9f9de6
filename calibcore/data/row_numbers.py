"""Rows in a sentence: what each is called, which are listed, and leaving them out."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from calibcore.errors import Remedy
from calibcore.numerics.types import Int

MOST_ROWS_LISTED = 10
_NUMBERED: ContextVar[tuple[Callable[[int], int], str]] = ContextVar(
    "numbered", default=(lambda i: i + 1, "")
)


@contextmanager
def rows_numbered(number: Callable[[int], int], among: str = "") -> Iterator[None]:
    """Inside, sentences call the 0-based row i of a part of a file ``number(i)``.

    ``among`` says of what "and 12 more rows" are: `` of the first 500,000``.
    """
    token = _NUMBERED.set((number, among))
    try:
        yield
    finally:
        _NUMBERED.reset(token)


@contextmanager
def rows_left_out(rows: Sequence[int]) -> Iterator[None]:
    """Inside, rows keep the numbers that they had before ``rows``, numbered from 1, were left out."""
    before = np.sort(np.asarray(rows, np.int64)) - np.arange(len(rows))
    with rows_numbered(lambda i: i + 1 + int(np.searchsorted(before, i + 1, "right"))):
        yield


def row_number(i: int) -> int:
    """What the 0-based row i is called in a sentence."""
    return _NUMBERED.get()[0](i)


def list_rows(rows: Sequence[int] | Int, describe: Callable[[int], str]) -> str:
    """``"Row 3 <…>; row 9 <…>; and 12 more rows."`` for 0-based ``rows``, at most ten of them."""
    sentences = [f"row {row_number(int(i))} {describe(int(i))}" for i in rows[:MOST_ROWS_LISTED]]
    rest = len(rows) - len(sentences)
    if rest:
        sentences.append(f"and {rest:,} more {'row' if rest == 1 else 'rows'}{_NUMBERED.get()[1]}")
    text = "; ".join(sentences) + "."
    return text[0].upper() + text[1:]


def leaving_out(rows: Sequence[int] | Int, n: int) -> tuple[Remedy, ...]:
    """Leaving the 0-based ``rows`` out of ``n``, if they are fewer than half; else nothing."""
    if 2 * len(rows) >= n:
        return ()
    which = "this row" if len(rows) == 1 else f"these {len(rows):,} rows"
    return (Remedy(f"Leave out {which}", {"leave_out_rows": tuple(row_number(int(i)) for i in rows)}),)
