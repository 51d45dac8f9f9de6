"""Predictions: what a model said and what happened, checked once.

Everything in Caliblens works on this one type. It is built by
:meth:`Predictions.from_arrays` (or by :mod:`calibcore.io`, which calls it);
after that nobody checks again, so the arrays are read-only.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

Float = NDArray[np.float64]
Int = NDArray[np.int64]
T = TypeVar("T", bound=NDArray[np.generic])

SUM_AS_IS = 1e-5
"""Rows whose sum is this close to 1 are used as they come (float32 softmax)."""
SUM_REPAIRABLE = 1e-3
"""Rows whose sum is this close to 1 are divided by it, and that is said."""
MOST_ROWS_LISTED = 10


class InputError(ValueError):
    """Something from outside cannot be used. The message is for the person who gave it."""


def list_rows(rows: Sequence[int] | Int, describe: Callable[[int], str]) -> str:
    """``"Row 3 <…>; row 9 <…>; and 12 more rows."`` for 0-based ``rows``, at most ten of them."""
    shown = [f"row {i + 1} {describe(int(i))}" for i in rows[:MOST_ROWS_LISTED]]
    rest = len(rows) - len(shown)
    if rest:
        shown.append(f"and {rest:,} more {'row' if rest == 1 else 'rows'}")
    text = "; ".join(shown) + "."
    return text[0].upper() + text[1:]


@dataclass(frozen=True, eq=False)
class Predictions:
    """``n`` predictions over ``m`` classes with their outcomes.

    probs : (n, m) float64, rows sum to 1 within 1e-5, read-only
    labels : (n,) int64 in 0..m-1, read-only
    class_names : m distinct names
    metadata : other columns, name -> (n,) array
    notes : sentences about what was changed on the way in
    """

    probs: Float
    labels: Int
    class_names: tuple[str, ...]
    metadata: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def from_arrays(
        cls,
        probs: ArrayLike,
        labels: ArrayLike,
        class_names: Sequence[str] | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        *,
        renormalise: bool = False,
    ) -> "Predictions":
        """Check and copy. Cost O(nm).

        probs : (n, m) probabilities. float32 and float16 values that are rounded decimals
            are read as those decimals, so that 0.1 lies on the edge 1/10.
        labels : (n,) integers, 0..m-1
        class_names : m names; "0", "1", … if left out
        metadata : further columns of length n
        renormalise : divide every row by its sum, however far that is from 1

        Raises
        ------
        InputError : says row, column, what was found and what was expected.
        """
        g = _as_probabilities(probs)
        n, m = g.shape
        names = _checked_names(class_names, m)
        y = _checked_labels(labels, n, m)
        _check_range(g, names, renormalise)
        notes = _check_sums(g, renormalise)
        columns = {}
        for name, values in (metadata or {}).items():
            column = np.array(values)
            if column.shape != (n,):
                raise InputError(
                    f"Metadata column {name!r} has shape {column.shape}; expected ({n:,},), one value a case."
                )
            columns[str(name)] = _frozen(column)
        return cls(_frozen(g), _frozen(y), names, MappingProxyType(columns), notes)

    def through(
        self, probs: Float, labels: Int, class_names: Sequence[str], rows: Int | None = None
    ) -> "Predictions":
        """The predictions that a lens makes of these: ``rows`` are the ones it keeps (default all)."""
        metadata = self.metadata if rows is None else {k: _frozen(v[rows]) for k, v in self.metadata.items()}
        return Predictions(
            _frozen(np.ascontiguousarray(probs)),
            _frozen(labels),
            tuple(class_names),
            MappingProxyType(dict(metadata)),
            self.notes,
        )

    def with_rows(self, rows: Int) -> "Predictions":
        """The same predictions, only ``rows``, in that order."""
        return self.through(self.probs[rows], self.labels[rows], self.class_names, rows)

    @property
    def n(self) -> int:
        """Number of cases."""
        return int(self.probs.shape[0])

    @property
    def m(self) -> int:
        """Number of classes."""
        return int(self.probs.shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of probabilities, labels and class names (64 hex digits); metadata do not count."""
        digest = hashlib.sha256()
        for part in (
            f"{self.n},{self.m}".encode(),
            np.ascontiguousarray(self.probs, "<f8").tobytes(),
            np.ascontiguousarray(self.labels, "<i8").tobytes(),
            *(name.encode() for name in self.class_names),
        ):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.hexdigest()

    @cached_property
    def impossible_outcomes(self) -> int:
        """Cases whose outcome was given probability 0: each refutes calibration by itself."""
        return int(np.count_nonzero(self.probs[np.arange(self.n), self.labels] == 0))

    @cached_property
    def class_counts(self) -> Int:
        """(m,) how often each class happened."""
        return np.bincount(self.labels, minlength=self.m).astype(np.int64)

    @cached_property
    def labels_ordered(self) -> bool:
        """Whether the labels are visibly ordered, as in a file sorted by class or with pairs of rows alike.

        One of: all cases of a class stand together, which happens by chance less than once in
        1,000; the number of runs of equal labels lies 5 standard deviations (and 8 runs) from its
        mean under random order (Wallis & Roberts 1956); so many of the pairs of rows (1, 2),
        (3, 4), … agree or differ that it lies 5 standard deviations (and 4 pairs) from its mean.
        """
        n = float(self.n)
        if n < 3:
            return False
        counts = self.class_counts[self.class_counts > 0].astype(np.float64)
        runs = 1 + int(np.count_nonzero(np.diff(self.labels)))
        ways = gammaln(n + 1) - gammaln(counts + 1).sum() - gammaln(len(counts) + 1)
        if runs == len(counts) > 1 and ways > np.log(1_000):
            return True
        squares, cubes = float((counts**2).sum()), float((counts**3).sum())
        mean = (n * (n + 1) - squares) / n
        variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n**2 * (n - 1))
        if abs(runs - mean) > max(8.0, 5.0 * max(variance, 0.0) ** 0.5):
            return True
        last = self.n - self.n % 2
        alike = int(np.count_nonzero(self.labels[0:last:2] == self.labels[1:last:2]))
        chance = (squares - n) / (n * (n - 1))
        sd = (last / 2 * chance * (1 - chance)) ** 0.5
        return bool(abs(alike - last / 2 * chance) > max(4.0, 5.0 * sd))

    def onehot(self) -> Float:
        """(n, m) one-hot outcomes."""
        out = np.zeros(self.probs.shape)
        out[np.arange(self.n), self.labels] = 1.0
        return out


def _frozen(array: T) -> T:
    array.flags.writeable = False
    return array


def _as_probabilities(probs: ArrayLike) -> Float:
    """A fresh C-ordered float64 copy; narrow floats that are rounded decimals become those decimals."""
    try:
        given = np.asarray(probs)
    except ValueError:
        raise InputError("The rows of predictions differ in length; expected one column a class.") from None
    if given.ndim != 2:
        raise InputError(
            f"The predictions have {given.ndim} dimensions; expected 2, a row a case and a column a class."
        )
    if given.dtype.kind not in "fiub":
        raise InputError(f"The predictions are of type {given.dtype}; expected numbers.")
    n, m = given.shape
    if n < 1:
        raise InputError("There are no cases; expected at least one row of predictions.")
    if m < 2:
        raise InputError(f"There is {m} class; expected at least 2 columns of probabilities.")
    out = np.array(given, dtype=np.float64, order="C")
    if given.dtype.kind == "f" and given.dtype.itemsize < 8:
        rounded = np.round(out, 6 if given.dtype.itemsize == 4 else 3)
        out = np.where(rounded.astype(given.dtype) == given, rounded, out)
    return out


def _checked_names(class_names: Sequence[str] | None, m: int) -> tuple[str, ...]:
    names = tuple(str(k) for k in range(m)) if class_names is None else tuple(map(str, class_names))
    if len(names) != m:
        raise InputError(f"There are {len(names)} class names for {m} columns of probabilities.")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"The class name {name!r} stands twice; class names must differ.")
        seen.add(name)
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(f"The class name {name!r:.60} is no text in Unicode; rename it.") from None
    return names


def _checked_labels(labels: ArrayLike, n: int, m: int) -> Int:
    y = np.asarray(labels)
    if y.ndim != 1:
        raise InputError(f"The labels have {y.ndim} dimensions; expected 1, one label a case.")
    if len(y) != n:
        raise InputError(
            f"There are {n:,} rows of predictions and {len(y):,} labels; expected the same number of both."
        )
    if y.dtype.kind not in "iub":
        raise InputError(f"The labels are of type {y.dtype}; expected integers from 0 to {m - 1}.")
    outside = np.flatnonzero((y < 0) | (y >= m))
    if len(outside):
        found = list_rows(outside, lambda i: f"has label {y[i]}")
        raise InputError(f"{found} Expected labels from 0 to {m - 1}.")
    return y.astype(np.int64)


def _check_range(g: Float, names: tuple[str, ...], renormalise: bool) -> None:
    finite = np.isfinite(g)
    high = np.inf if renormalise else 1 + SUM_AS_IS
    bad = ~(finite & (g >= 0) & (g <= high))
    rows = np.flatnonzero(bad.any(axis=1))
    if not len(rows):
        return

    def describe(i: int) -> str:
        k = int(np.flatnonzero(bad[i])[0])
        return f"has {g[i, k]:.6g} in column {names[k]!r}"

    found = list_rows(rows, describe)
    hint = _SCORES_HINT if finite[rows].all() and 2 * len(rows) > len(g) else ""
    raise InputError(f"{found} Expected probabilities from 0 to 1.{hint}")


_SCORES_HINT = " If these are scores and not probabilities, set values to logits."
_DIVIDE_HINT = " Correct them, or ask for every row to be divided by its sum (renormalise)."


def decimals_used(g: Float, most: int = 6) -> int | None:
    """Smallest d in 1..most with every value a multiple of 10^-d; None if there is none. Cost O(nm)."""
    for decimals in range(1, most + 1):
        if np.allclose(g, np.round(g, decimals), rtol=0, atol=1e-9):
            return decimals
    return None


def _check_sums(g: Float, renormalise: bool) -> tuple[str, ...]:
    """Divide, in place, the rows that may be; returns what was done, in sentences."""
    n, m = g.shape
    sums = g.sum(axis=1)
    off = np.abs(sums - 1)
    if renormalise:
        empty = np.flatnonzero(sums <= 0)
        if len(empty):
            raise InputError(
                f"{list_rows(empty, lambda _: 'sums to 0')} A row of zeros cannot be made to sum to 1."
            )
        changed = np.flatnonzero(off > 0)
    else:
        changed = np.flatnonzero(off > SUM_AS_IS + 1e-9)
        tolerance = np.full(n, SUM_REPAIRABLE)
        if len(changed) and off.max() > SUM_REPAIRABLE:
            decimals = decimals_used(g)
            if decimals is not None:
                # Rounding up makes no zeros: a sum above 1 is explained by the other values only.
                rounded = np.where(sums > 1, np.count_nonzero(g, axis=1), m)
                tolerance = np.maximum(tolerance, rounded * 0.5 * 10.0**-decimals)
        refused = np.flatnonzero((off > tolerance + 1e-9) | (sums <= 0))
        if len(refused):
            found = list_rows(refused, lambda i: f"sums to {sums[i]:.6g}")
            hint = _SCORES_HINT if 2 * len(refused) > n else _DIVIDE_HINT
            raise InputError(f"{found} Rows must sum to 1.{hint}")
    if not len(changed):
        return ()
    g[changed] /= sums[changed, None]
    furthest = float(sums[changed[np.argmax(off[changed])]])
    which = "1 row was" if len(changed) == 1 else f"{len(changed):,} of {n:,} rows were"
    return (f"{which} divided by the row's sum, to sum to 1 (the furthest summed to {furthest:.6g}).",)
