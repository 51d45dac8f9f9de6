"""Tables: what a file holds before anyone asks what it means.

Every reader of a format makes a :class:`Table`; :mod:`calibcore.io.roles.understanding`,
:mod:`~calibcore.io.roles.values` and :mod:`~calibcore.io.roles.labels` interpret it.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from calibcore import limits
from calibcore.data.outside_text import shown
from calibcore.data.row_numbers import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.wording import listed, quote

Column: TypeAlias = "pd.Series[Any]"
Array: TypeAlias = NDArray[Any]

_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
LONGEST_NUMBER = 1_000
"""Characters of a cell that may be a number: what is longer is text, and no pattern sees it."""
LEFT_OUT = "Columns of a kind that is not read, such as lists,"
"""How the note begins on columns of a file that a table does not have."""
MOST_NAMES_LISTED = 20


@dataclass(frozen=True)
class Table:
    """Columns of n cells each, as they were found."""

    # pandas Series of length n; numbers have a numpy dtype, text is str, object or category
    columns: tuple[Column, ...]
    names: tuple[str, ...]  # one distinct name a column; "column 3" where the file gives none
    named: bool  # whether the names stand in the file
    source: str  # the format and its particulars, for the notes ("CSV separated by commas, with a header")
    header_sure: bool = True  # False if only the number of rows can settle whether there is a header
    notes: tuple[str, ...] = ()  # sentences on what was assumed while reading
    decimal: str = "."  # the decimal mark of numbers that are still text
    # columns that came as one array that may be the predictions; none if that is not known
    blocks: tuple[tuple[int, ...], ...] = ()
    label: int | None = None  # the column that came as the only array that may be the labels
    of_arrays: bool = False  # whether a column is an array of its own
    class_names: tuple[str, ...] | None = None  # names that stand beside the arrays
    missing: str = "is empty"  # how to say that a cell holds no number
    header_open: bool = False  # whether the first row may as well name the columns as be a case
    doubled: tuple[tuple[str, int, int], ...] = ()  # names that stood twice, and at which two columns
    # columns whose empty cells are options that a row has not, and (n, of these) where they were empty
    absent: tuple[tuple[int, ...], Array] | None = None
    certain: bool = False  # whether the file itself says which column is the label, as a log does
    made: frozenset[str] = frozenset()  # names of columns that no file holds, which are no labels
    # lines above the first row, as a spreadsheet counts them; 0 if it counts otherwise, or nothing is known
    lines_above: int = 0
    by_length: bool = False  # whether log-likelihoods were divided by the lengths of options, as asked
    turned: bool = False  # whether rows and columns changed places, as asked

    @property
    def names_found(self) -> list[str]:
        """What the columns are called that stand in the file."""
        return [name for name in self.names if name not in self.made]

    @property
    def in_blocks(self) -> frozenset[int]:
        """The columns of all arrays that may be the predictions."""
        return frozenset(j for block in self.blocks for j in block)

    def numbers(self, j: int) -> Array:
        """(n,) numbers of the column j, NaN where a cell holds none. Cost O(n)."""
        return as_numbers(self.columns[j], self.decimal)[0]

    def names_of(self, columns: Iterable[int]) -> list[str]:
        """What several columns are called."""
        return [self.names[j] for j in columns]

    def where(self, j: int) -> str:
        """The column j in a sentence."""
        name = self.names[j]
        return name if name == position_name(j) else f"column {quote(name)}"

    def find(self, column: str, what: str) -> int:
        """Index of a column by its name, in any case of letters if that is enough, or by its number.

        ``what`` stands there, for :class:`InputError`.
        """
        wanted = column.strip()
        exact = [j for j, name in enumerate(self.names) if name == wanted]
        loose = [j for j, name in enumerate(self.names) if name.lower() == wanted.lower()]
        for columns in (exact, loose):
            if len(columns) == 1:
                return columns[0]
        if not self.named and wanted.isdecimal() and 1 <= int(wanted) <= len(self.names):
            return int(wanted) - 1
        raise InputError(
            f"There is no column {quote(column)} to take the {what} from. The columns are "
            f"{listed(self.names)}."
        )

    def which(self, columns: Sequence[int]) -> str:
        """Several columns in a sentence."""
        if len(columns) == 1:
            return self.where(columns[0])
        if not self.named and len(runs(columns)) == 1 and len(columns) > 2:
            return f"columns {columns[0] + 1} to {columns[-1] + 1}"
        return f"{len(columns):,} columns, {listed(self.names_of(columns))}"

    def without(self, rows: Sequence[int]) -> "Table":
        """The same without ``rows``, numbered from 1; :class:`InputError` if one is not there."""
        if max(rows, default=0) > self.n:
            raise InputError(f"Row {max(rows):,} cannot be left out: there are {self.n:,} rows.")
        rest = np.delete(np.arange(self.n), np.asarray(rows, np.int64) - 1)
        if not rows:
            return self
        columns = tuple(column.iloc[rest].reset_index(drop=True) for column in self.columns)
        absent = self.absent and (self.absent[0], self.absent[1][rest])
        return replace(self, columns=columns, absent=absent)

    def part(self, columns: Sequence[int]) -> "Table":
        """Some columns of one that holds no arrays, in that order."""
        return replace(
            self, columns=tuple(self.columns[j] for j in columns), names=tuple(self.names_of(columns))
        )

    def without_column(self, j: int) -> "Table":
        """The same without the column j, which stands in no block."""
        rest = [i for i in range(len(self.names)) if i != j]
        return replace(
            self,
            columns=tuple(self.columns[i] for i in rest),
            names=tuple(self.names_of(rest)),
            blocks=tuple(tuple(map(rest.index, block)) for block in self.blocks),
            label=None if self.label in (None, j) else rest.index(self.label),
            absent=self.absent and (tuple(map(rest.index, self.absent[0])), self.absent[1]),
        )

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0


class Columns:
    """The columns of a table that is being put together; those of a matrix are a block of predictions."""

    def __init__(self) -> None:
        self.columns: list[Column] = []
        self.names: list[str] = []
        self.blocks: list[tuple[int, ...]] = []

    def add(self, name: str, column: Column) -> None:
        self.columns.append(column)
        self.names.append(name)

    def add_matrix(self, name: str, matrix: Array, predictions: bool = True) -> None:
        """One column a place."""
        k, first = matrix.shape[1], len(self.columns)
        check_width(first + k)
        if predictions:
            self.blocks.append(tuple(range(first, first + k)))
        for j in range(k):
            self.add(f"{name}[{j}]", column_of_array(matrix[:, j], f"The array {quote(name)}"))

    def table(self, source: str, **more: Any) -> Table:
        return Table(tuple(self.columns), tuple(self.names), True, source, blocks=tuple(self.blocks), **more)


def capitalised(text: str) -> str:
    """As a sentence begins."""
    return text[:1].upper() + text[1:]


def commonest(values: Iterable[int]) -> int:
    """The value that stands there most often, of several the first."""
    return Counter(values).most_common(1)[0][0]


def runs(numbers: Sequence[int]) -> list[list[int]]:
    """Whole numbers in rising order, those that follow each other together."""
    steps = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    return [[number for _, number in run] for _, run in steps]


def position_name(j: int) -> str:
    """What the column ``j`` (from 0) is called if the file gives it no name."""
    return f"column {j + 1}"


def check_rows(n: int) -> None:
    """InputError if there are more rows than the limit."""
    if n > limits.LIMITS.max_rows:
        raise InputError(
            f"The file has more than {limits.LIMITS.max_rows:,} rows, which is the limit "
            "(CALIBLENS_MAX_ROWS). Use fewer cases, drawn at random, or raise the limit."
        )


def most_columns() -> int:
    """Columns of a file at most: predictions, one-hot labels and metadata."""
    return 2 * limits.LIMITS.max_classes + 1000


def check_width(k: int) -> None:
    """InputError if there are more columns than the largest number of classes can explain."""
    most = most_columns()
    if k > most:
        raise InputError(
            f"The file has {k:,} columns; the limit is {limits.LIMITS.max_classes:,} classes "
            f"(CALIBLENS_MAX_CLASSES) and {most:,} columns in all. Remove columns or raise the limit. If "
            "each column is a case, turn the file round: a row for each case."
        )


def check_size(size: float, what: str) -> None:
    """InputError if ``size`` bytes are more than a file may declare to unpack to."""
    most = limits.LIMITS.max_unpacked_mb
    if size > most * 1e6:
        raise InputError(
            f"{what} {math.ceil(min(size, 1e18) / 1e6):,} MB when unpacked; the limit is {most:,} MB "
            "(CALIBLENS_MAX_UNPACKED_MB). Use fewer cases or columns, or raise the limit."
        )


def refused_name(name: str, first: int, second: int) -> InputError:
    """A name stands twice, where it has to tell which column is meant."""
    return InputError(
        f"The column name {quote(name)} stands twice, in columns {first + 1} and {second + 1}; expected "
        "different names. Rename one of them."
    )


def check_names(names: Sequence[str]) -> None:
    """InputError if a column name stands twice, or is no text."""
    check_text(names)
    places: dict[str, int] = {}
    for j, name in enumerate(names):
        if name in places:
            raise refused_name(name, places[name], j)
        places[name] = j


def filled_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names with blanks trimmed; an empty one becomes "column 3"."""
    return tuple(name.strip() or position_name(j) for j, name in enumerate(names))


def column_of(values: Sequence[object]) -> Column:
    """A column of Python values, as numbers or truth values if they all are. Cost O(n)."""
    kinds = set(map(type, values))
    if kinds & {dict, list, tuple, set}:
        row = next(i for i, value in enumerate(values) if isinstance(value, dict | list | tuple | set))
        raise InputError(f"Row {row + 1} holds a list or an object inside a cell; expected one value a cell.")
    try:
        if kinds in ({bool}, {int}):
            return pd.Series(np.array(values, dtype=np.int64 if kinds == {int} else bool))
        if kinds & {int, float} and kinds <= {int, float, type(None)}:
            return pd.Series(np.array(values, dtype=np.float64))  # None is NaN
    except OverflowError:  # an integer of more digits than any number here needs
        pass
    keep = (str, bool, int, float, type(None))
    cells = [v if isinstance(v, keep) else str(v) for v in values]
    check_text(cells)
    return pd.Series(np.array([*cells, None], dtype=object)[:-1], dtype=object)


def column_of_array(values: Array, what: str = "The array") -> Column:
    """A column of a numpy array of length n; bytes are decoded. ``what``: the array, in a sentence."""
    if values.dtype.kind in "fiubmM":
        return pd.Series(values.astype(values.dtype.newbyteorder("="), copy=False))
    if values.dtype.kind == "S":
        return column_of([v.decode("utf-8", "replace") for v in values.tolist()])
    if values.dtype.kind in "UO":
        return column_of(values.tolist())
    kind = "complex numbers" if values.dtype.kind == "c" else f"values of type {shown(str(values.dtype))}"
    raise InputError(f"{what} holds {kind}; expected numbers or text.")


def is_number_column(column: Column) -> bool:
    """Whether every cell is a number by its type."""
    return isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiu"


def is_bool_column(column: Column) -> bool:
    """Whether every cell is a truth value by its type."""
    return isinstance(column.dtype, np.dtype) and column.dtype.kind == "b"


def number_in(text: str, decimal: str = ".") -> float | None:
    """The number that a cell's text stands for ("12.5 %" -> 12.5); None if it is no number.

    Where commas are decimal marks, "1.000" may be a thousand or one: it is no number.
    """
    if len(text) > LONGEST_NUMBER:
        return None
    cleaned = text.strip().removesuffix("%").rstrip()
    if decimal != ".":
        cleaned = "" if "." in cleaned else cleaned.replace(decimal, ".")
    return float(cleaned) if _NUMBER.fullmatch(cleaned) else None


def is_empty(cell: object) -> bool:
    """Whether a cell holds nothing."""
    return cell is None or cell is pd.NA or cell is pd.NaT or cell != cell or str(cell).strip() == ""


def as_numbers(column: Column, decimal: str = ".") -> tuple[Array, Array]:
    """(n,) numbers, NaN where a cell holds none; (n,) bool, where a cell is empty. Cost O(n)."""
    if is_number_column(column):
        values = column.to_numpy()
        return values, (np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool))
    if is_bool_column(column):
        return column.to_numpy().astype(np.float64), np.zeros(len(column), dtype=bool)
    cells = column.astype(object).tolist()
    numbers = np.full(len(cells), np.nan)
    empty = np.zeros(len(cells), dtype=bool)
    for i, cell in enumerate(cells):
        if isinstance(cell, int | float):
            numbers[i] = _as_float(cell)
            empty[i] = cell != cell
        elif is_empty(cell):
            empty[i] = True
        else:
            number = number_in(str(cell), decimal)
            numbers[i] = math.nan if number is None else number
    return numbers, empty


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def refuse_ragged(
    lengths: Sequence[int], expected: int | None = None, unit: str = "values", may_leave_out: bool = False
) -> None:
    """InputError that names the rows whose length is not ``expected`` (default: the commonest)."""
    expected = commonest(lengths) if expected is None else expected
    bad = [i for i, length in enumerate(lengths) if length != expected]
    if bad:
        where = list_rows(bad, lambda i: f"has {lengths[i]:,} {unit if lengths[i] != 1 else unit[:-1]}")
        raise InputError(
            f"{where} Expected {expected:,} {unit} in every row, as in the other rows.",
            leaving_out(bad, len(lengths)) if may_leave_out else (),
        )


MOST_PACKED, PACKED_FREELY = 200, 50_000_000
"""A file may unpack to so many times its size; up to so many bytes, to any number of times."""


def check_packing(unpacked: float, packed: int) -> None:
    """InputError for a file that unpacks to so much more than it has that no table would: it would let a
    small file take all memory."""
    if unpacked > MOST_PACKED * packed and unpacked > PACKED_FREELY:
        raise InputError(
            f"The file unpacks to {unpacked / 1e6:,.0f} MB or more, which is over {MOST_PACKED} times its "
            "own size. Save it without compression."
        )


def check_declared(unpacked: float, packed: int) -> None:
    """InputError if a file declares to unpack to more than it may."""
    check_size(unpacked, "The file declares")
    check_packing(unpacked, packed)


def check_text(texts: Iterable[object]) -> None:
    """InputError if a text holds half a pair of surrogates, which nothing can show or save."""
    joined = "".join(text for text in texts if isinstance(text, str))
    try:
        joined.encode()
    except UnicodeEncodeError as error:
        place = shown(joined[max(0, error.start - 10) : error.end])
        raise InputError(f"The text {place} is no Unicode: half of a character is missing.") from None
