"""Predictions with a row a class and a column a case: by what they are known, and the same turned round."""

from dataclasses import replace

import numpy as np

from calibcore.errors import InputError, Remedy
from calibcore.io.roles.sums import MOST, scale_of, share_of_probabilities
from calibcore.io.tables import Array, Table, check_rows, check_width, column_of_array, position_name
from calibcore.wording import count

TURN = Remedy("Turn it round", {"transpose": True})
_SAMPLE = 500


def _sample_of(matrix: Array) -> Array:
    return matrix[:: max(1, len(matrix) // _SAMPLE)]


def adds_up(matrix: Array) -> bool:
    """Whether the rows of (n, m) numbers are probabilities, by a sample of them."""
    rows = _sample_of(matrix)
    return rows.dtype.kind in "fiub" and share_of_probabilities(rows.astype(np.float64)) >= MOST


def looks_transposed(matrix: Array) -> bool:
    """Whether the columns of a matrix are probabilities, and its rows are not."""
    return adds_up(matrix.T) and not adds_up(matrix)


def transposed(what: str, matrix: Array, labels: str) -> InputError:
    """That a matrix has a row a class, with what turns it; ``labels``: how many there are, in a sentence.

    What is no probability, such as logits, does not say so itself: then it is only said that it may be.
    """
    rows, columns = count(matrix.shape[0], "row"), count(matrix.shape[1], "column")
    size = f"it has {rows} and {columns}"
    if looks_transposed(matrix):
        scale = scale_of(_sample_of(matrix.T).astype(np.float64))
        sums = f"sum to {scale}" if scale else "hold logarithms of what sums to 1"
        why = f"looks transposed: {size}, and its columns {sums}, not its rows"
    else:
        why = f"may be transposed: {size}"
    return InputError(f"{what} {why}.{labels} Expected a row per case and a column per class.", (TURN,))


def turned_note(what: str, rows: int, columns: int) -> str:
    """The sentence on what was turned; of so many rows and columns as they came."""
    return f"{what} was turned round, as asked: {rows:,} × {columns:,} became {columns:,} × {rows:,}."


def matrix_of(table: Table) -> Array | None:
    """(n, k) numbers of a table whose columns have no names but numbers, as pandas gives them; else None."""
    if table.turned or (table.named and not all(name.isdecimal() for name in table.names)):
        return None
    numbers = np.column_stack([table.numbers(j) for j in range(len(table.names))])
    return None if np.isnan(numbers).any() else numbers


def turned_table(table: Table) -> Table:
    """A table of numbers with a row a class, turned round; of its columns none has a name then.

    Raises
    ------
    InputError : its columns have names, or hold something else than numbers.
    """
    matrix = matrix_of(table)
    if matrix is None:
        raise InputError(
            "The table cannot be turned round: its columns have names, or not every cell is a number. "
            "Expected numbers alone, a row per class and a column per case."
        )
    k, n = matrix.shape
    check_rows(n)
    check_width(k)
    return replace(
        table,
        columns=tuple(column_of_array(row) for row in matrix),
        names=tuple(map(position_name, range(k))),
        named=False,
        notes=(*table.notes, turned_note("The table", k, n)),
        header_open=False,
        turned=True,
    )
