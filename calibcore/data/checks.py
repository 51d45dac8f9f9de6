"""What arrays must be, to become predictions; each refusal says row, column, what was found and expected."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import pdtrc

from calibcore import limits
from calibcore.data.arrays import as_array, numbers_in, widened
from calibcore.errors import InputError, Remedy
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int

SUM_AS_IS = 1e-5
"""Rows whose sum is this close to 1 are used as they come (float32 softmax)."""
CLIPPED = 1.001e-6
"""Values so far outside 0 to 1, about a millionth, come from arithmetic: they are set to 0 or 1, and that is
said."""
SUM_ALIKE, ENOUGH_ALIKE = 0.02, 10
"""Sums so far from 1 are divided where all rows, at least so many, have the same: all share one factor."""
SUM_IS_1 = 1e-12
"""Rows whose sum is this close to 1 are never divided: adding floats leaves as much."""
SUM_REPAIRABLE = 1e-3
"""Rows whose sum is this close to 1 are divided by it, and that is said."""
SUM_BFLOAT16 = 2.0**-8
"""Rows of bfloat16, which keeps 8 binary digits of a number, may be so far from 1."""
SUM_ROUNDED = 0.2
"""Rows of rounded numbers may be so far from 1: with many classes of few decimals rounding alone could
explain any sum, and a class that is missing would not be seen."""
MOST_ROWS_LISTED = 10
MOST_DECIMALS = 9
"""Digits at most that a probability is taken to be rounded to."""
_SAME_DECIMAL = 1e-12
_FIRST = 1_000
"""Rows that are looked at before all are."""
_NUMBERS = 1 << 20
"""Numbers that are looked at together."""
MOST_UNEVEN = 1e9
"""The largest weight may be so many times the smallest."""


_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]+"
)


def visible(text: str) -> str:
    """Text from outside without what cannot be seen: controls of terminals and lines, marks that turn the
    direction of what follows, characters of no width; a space stands for them. Joiners within words stay.
    """
    return _HIDDEN.sub(" ", text)


def spelled_out(document: str) -> str:
    """JSON text in which what cannot be seen is written as escapes: the same document, safe on a terminal."""
    return _HIDDEN.sub(lambda match: json.dumps(match[0])[1:-1], document)


def shown(value: object, most: int = 60) -> str:
    """Something from outside in a sentence: as Python writes it, on one line and cut."""
    try:
        text = repr(value[: 2 * most] if isinstance(value, str) else value)
    except (RecursionError, ValueError):  # nested too deeply; an integer of too many digits
        return f"a {type(value).__name__}"
    return text if len(text) <= most else f"{text[: most - 1]}…"


def called(name: str) -> str:
    """A name from outside with which a sentence begins: no quotes, and what is not printable is escaped."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in name)


def is_text(array: NDArray[Any]) -> bool:
    """False where what should be text holds numbers of no character, with which Python could end badly."""
    if array.dtype.names is not None:
        return all(is_text(array[name]) for name in array.dtype.names)
    if array.dtype.kind != "U" or not array.dtype.itemsize:
        return True
    codes = np.ascontiguousarray(array).view(np.dtype("u4").newbyteorder(array.dtype.byteorder))
    return bool(codes.max(initial=0) <= sys.maxunicode)


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


SOFTMAX = Remedy("These look like logits: apply softmax", {"values": "logits"})
DIVIDE = Remedy("Divide every row by its sum", {"renormalise": True})


def leaving_out(rows: Sequence[int] | Int, n: int) -> tuple[Remedy, ...]:
    """Leaving the 0-based ``rows`` out of ``n``, if they are fewer than half; else nothing."""
    if 2 * len(rows) >= n:
        return ()
    which = "this row" if len(rows) == 1 else f"these {len(rows):,} rows"
    return (Remedy(f"Leave out {which}", {"leave_out_rows": tuple(row_number(int(i)) for i in rows)}),)


JOIN_BATCHES = " Join batches to one array first (numpy.concatenate, torch.cat)."


def as_probabilities(probs: ArrayLike) -> Float:
    """A fresh C-ordered float64 copy; narrow floats that are rounded decimals become those decimals.

    One number a case, (n,) or (n, 1), is the probability of the second of two classes.
    """
    given = numbers_in(as_array(probs, "predictions"))
    if of_event(given):
        return both_classes(given.reshape(-1))
    if given.ndim != 2:
        dimensions = "dimension" if given.ndim == 1 else "dimensions"
        raise InputError(
            f"The predictions have {given.ndim} {dimensions}; expected 2, a row a case and a column a class."
            f"{JOIN_BATCHES * (given.ndim == 3)}"
        )
    _check_numbers(given)
    if not given.shape[1]:
        raise InputError("There are no columns of probabilities; expected one a class.")
    return widened(given)


def _check_numbers(given: NDArray[Any]) -> None:
    if given.dtype.kind not in "fiub":
        raise InputError(f"The predictions are of type {given.dtype}; expected numbers.")
    if len(given) < 1:
        raise InputError("There are no cases; expected at least one row of predictions.")


def of_event(given: NDArray[Any]) -> bool:
    """Whether there is one number a case: of the second of two classes, as scikit-learn has it."""
    return given.dtype.names is None and (given.ndim == 1 or given.shape[1:] == (1,))


def both_classes(given: NDArray[Any]) -> Float:
    """(n, 2) of the probability of the second class of each case, 0 to 1.

    Raises
    ------
    InputError : no numbers, or numbers outside 0 to 1.
    """
    _check_numbers(given)
    p = widened(given)
    bad = np.flatnonzero(~(np.isfinite(p) & (p >= -CLIPPED) & (p <= 1 + CLIPPED)))
    if len(bad):
        finite = bool(np.isfinite(p).all())
        more = ""
        if finite and p.min() >= 0 and 1.5 < p.max() <= 100:
            more = " Divide per cent by 100."
        elif finite and 2 * len(bad) > len(p):
            more = " If these are logits, give them to Predictions.from_logits."
        rows = list_rows(bad, lambda i: f"has {p[i]:.6g}")
        raise InputError(
            f"{rows} One number a case is the probability of the second class; expected 0 to 1.{more}"
        )
    return np.column_stack([rest_to_1(p), p])


def rest_to_1(p: Float) -> Float:
    """1 − p; of decimals the decimal itself: 0.1 of 0.9, as one who writes both columns has it."""
    decimals = rounded_to(p[:, None])
    return 1 - p if decimals is None else np.round(1 - p, decimals)


def _parts(g: Float) -> list[Float]:
    """Some rows after the other, so many at a time that what is made of them needs little memory."""
    return [g[rows] for rows in loops.blocks(len(g), max(1, _NUMBERS // g.shape[1]))]


def snapped(values: Float) -> Float:
    """A copy in which what :func:`clip` would set to 0 or 1 is so, of percentages to 0 or 100: to tell by it
    what numbers are. NaN stays."""
    scale = 100.0 if (values > 1 + CLIPPED).any() else 1.0
    hair = CLIPPED * scale
    low, high = (values < 0) & (values >= -hair), (values > scale) & (values <= scale + hair)
    return np.where(low, 0.0, np.where(high, scale, values))


def clip(g: Float, renormalise: bool) -> tuple[int, float]:
    """Set, in place, what is outside 0 to 1 by arithmetic alone; returns in how many rows, and by how much.

    Where rows are divided by their sum, above 1 is not outside.
    """
    rows, furthest = 0, 0.0
    high = 1.0 if renormalise else 1 + CLIPPED
    for part in _parts(g):
        over = np.maximum(-part, part - 1)
        near = ((part < 0) & (part >= -CLIPPED)) | ((part > 1) & (part <= high))
        if near.any():
            rows += int(np.count_nonzero(near.any(axis=1)))
            furthest = max(furthest, float(over[near].max()))
            np.copyto(part, np.clip(part, 0, 1), where=near)
    return rows, furthest


def clipped_note(rows: int, furthest: float) -> tuple[str, ...]:
    """The sentence on what :func:`clip` did, if it did anything."""
    if not rows:
        return ()
    which = "1 row" if rows == 1 else f"{rows:,} rows"
    return (f"{which} had values outside 0 to 1, by {furthest:.2g} at most: they were set to 0 or 1.",)


def check_range(g: Float, names: tuple[str, ...], renormalise: bool) -> None:
    high = np.inf if renormalise else 1 + SUM_AS_IS
    if all(bool(((part >= 0) & (part <= high) & (part < np.inf)).all()) for part in _parts(g)):
        return
    finite = np.isfinite(g)
    with np.errstate(over="ignore"):
        sums = g.sum(axis=1, where=finite)
    if all_alike(len(g), sums.min(), sums.max()):  # all are divided by it
        high = max(high, 1 + SUM_ALIKE)
    bad = ~(finite & (g >= 0) & (g <= high))
    rows = np.flatnonzero(bad.any(axis=1))
    if not len(rows):
        return

    def describe(i: int) -> str:
        k = int(np.flatnonzero(bad[i])[0])
        return f"has {g[i, k]:.6g} in column {names[k]!r}"

    scores = finite[rows].all() and 2 * len(rows) > len(g)
    remedies = (SOFTMAX,) if scores else leaving_out(rows, len(g))
    raise InputError(f"{list_rows(rows, describe)} Expected probabilities from 0 to 1.", remedies)


def decimals_used(g: Float) -> int | None:
    """Smallest d in 1..6 with every value a multiple of 10^-d; None if there is none. Cost O(nm)."""
    return _decimals(_parts(g), 6, 1e-9)


def rounded_to(g: Float) -> int | None:
    """Smallest d in 1..9 with every value a multiple of 10^-d; None if there is none.

    None for zeros and ones alone, which are answers and no rounded chances. Cost O(nm) where the first rows
    are rounded.
    """
    parts = _parts(g)
    if all(((part == 0) | (part == 1)).all() for part in parts):
        return None
    return _decimals([g[:_FIRST], *parts], MOST_DECIMALS, _SAME_DECIMAL)


def expected_at_zero(probs: Float, decimals: int | None) -> float:
    """How many outcomes rounding puts at a 0 at most on average: half of the last digit for each 0."""
    return 0.0 if decimals is None else float(np.count_nonzero(probs == 0)) * 0.5 * 10.0**-decimals


def rounding_pvalue(outcomes: int, expected: float) -> float:
    """A bound of the p of so many at a rounded 0, where at most so many are expected (Hoeffding 1956)."""
    return 1.0 if outcomes < expected + 1 else float(pdtrc(outcomes - 1, expected))


def _decimals(parts: list[Float], most: int, tolerance: float) -> int | None:
    def holds(values: Float, decimals: int) -> bool:
        return bool((np.abs(values - np.round(values, decimals)) <= tolerance).all())

    return next((d for d in range(1, most + 1) if all(holds(part, d) for part in parts)), None)


def check_sums(g: Float, renormalise: bool) -> tuple[str, ...]:
    """Divide, in place, the rows that may be; returns what was done, in sentences."""
    return divided_note(*divide_rows(g, renormalise, lambda: decimals_used(g)), len(g))


def divided_note(changed: int, furthest: float, n: int) -> tuple[str, ...]:
    """The sentence on what :func:`divide_rows` did to ``n`` rows, if it did anything."""
    if not changed:
        return ()
    which = "1 row was" if changed == 1 else f"{changed:,} of {n:,} rows were"
    return (f"{which} divided by the row's sum, to sum to 1 (the furthest summed to {furthest:.6g}).",)


def divide_rows(
    g: Float,
    renormalise: bool,
    decimals_of: Callable[[], int | None],
    alike_of: Callable[[], bool] | None = None,
) -> tuple[int, float]:
    """Divide, in place, the rows that may be; returns how many, and the sum furthest from 1.

    Where a sum is off by much, ``decimals_of`` is asked for :func:`decimals_used` of all rows, and
    ``alike_of`` for :func:`all_alike` of them (default: of these).
    """
    n, m = g.shape
    sums = g.sum(axis=1)
    off = np.abs(sums - 1)
    if renormalise:
        empty = np.flatnonzero(sums <= 0)
        if len(empty):
            raise InputError(
                f"{list_rows(empty, lambda _: 'sums to 0')} A row of zeros cannot be made to sum to 1.",
                leaving_out(empty, n),
            )
        changed = np.flatnonzero(off > SUM_IS_1)
    else:
        changed = np.flatnonzero(off > SUM_AS_IS + 1e-9)
        tolerance = np.full(n, SUM_REPAIRABLE)
        if len(changed) and off.max() > SUM_REPAIRABLE:
            if are_bfloat16(g):
                tolerance[:] = SUM_BFLOAT16
            decimals = decimals_of()
            if decimals is not None:
                # Rounding up makes no zeros: a sum above 1 is explained by the other values only.
                rounded = np.where(sums > 1, np.count_nonzero(g, axis=1), m)
                explained = np.minimum(rounded * 0.5 * 10.0**-decimals, SUM_ROUNDED)
                tolerance = np.maximum(tolerance, explained)
        refused = np.flatnonzero((off > tolerance + 1e-9) | (sums <= 0))
        if len(refused) and (alike_of() if alike_of else all_alike(n, sums.min(), sums.max())):
            changed = np.arange(n)
        elif len(refused):
            rows = list_rows(refused, lambda i: f"sums to {sums[i]:.6g}")
            divide = (DIVIDE,) if (sums > 0).all() else ()
            remedies = (SOFTMAX, *divide) if 2 * len(refused) > n else (*divide, *leaving_out(refused, n))
            raise InputError(f"{rows} Rows must sum to 1.", remedies)
    if not len(changed):
        return 0, 1.0
    g[changed] /= sums[changed, None]
    return len(changed), float(sums[changed[np.argmax(off[changed])]])


def are_bfloat16(g: Float) -> bool:
    """Whether all values, in rows one behind the other, have 8 binary digits at most."""
    return not any((np.ascontiguousarray(part).view(np.uint64) & _BELOW_BFLOAT16).any() for part in _parts(g))


_BELOW_BFLOAT16 = np.uint64((1 << 45) - 1)


def all_alike(n: int, least: float, most: float) -> bool:
    """Whether n rows, whose sums go from ``least`` to ``most``, all sum to the same, near 1."""
    return bool(n >= ENOUGH_ALIKE and most - least <= SUM_AS_IS and max(1 - least, most - 1) <= SUM_ALIKE)


def _numbers(values: ArrayLike, n: int, what: str) -> NDArray[np.generic]:
    """(n,) numbers, as given."""
    array = numbers_in(as_array(values, f"{what}s"))
    if array.shape != (n,):
        raise InputError(f"The {what}s have shape {array.shape}; expected ({n:,},), one a row.")
    if array.dtype.kind not in "fiub":
        raise InputError(f"The {what}s are of type {array.dtype}; expected numbers.")
    return array


def whole_counts(counts: ArrayLike, n: int) -> tuple[Int, str]:
    """(n,) how often each row is repeated, and the sentence that says so."""
    numbers = _numbers(counts, n, "count").astype(np.float64)
    bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0) & (numbers == np.round(numbers))))
    if len(bad):
        rows = list_rows(bad, lambda i: f"has count {numbers[i]:.6g}")
        raise InputError(
            f"{rows} Expected whole numbers from 0 up; other numbers are weights.", leaving_out(bad, n)
        )
    total = numbers.sum()
    if total < 1:
        raise InputError("All counts are 0; expected at least one case.")
    most = limits.LIMITS.max_rows
    if total > most:
        raise InputError(
            f"The counts add up to {total:,.0f} cases; the limit is {most:,} (CALIBLENS_MAX_ROWS). "
            "Use fewer cases, drawn at random, or raise the limit."
        )
    which = "1 row stands" if n == 1 else f"{n:,} rows stand"
    return numbers.astype(
        np.int64
    ), f"{which} for {total:,.0f} independent cases: each was repeated by its count."


def normalised_weights(weights: ArrayLike, n: int) -> tuple[Float | None, str]:
    """(n,) weights with mean 1, None if they are all equal; and the sentence that says so."""
    numbers = _numbers(weights, n, "weight").astype(np.float64)
    bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers > 0)))
    if len(bad):
        rows = list_rows(bad, lambda i: f"has weight {numbers[i]:.6g}")
        raise InputError(f"{rows} Expected numbers above 0.", leaving_out(bad, n))
    low, high = float(numbers.min()), float(numbers.max())
    if low == high:
        return None, "The weights are all equal, so they change nothing."
    if high > MOST_UNEVEN * low:
        raise InputError(
            f"The weights go from {low:.3g} to {high:.3g}; expected the largest to be at most "
            f"{MOST_UNEVEN:,.0f} times the smallest."
        )
    scaled = numbers / high
    return scaled / scaled.mean(), "The cases are weighted: weights give estimates only, no tests."
