"""Labels as they were understood -> (n,) integers."""

from collections.abc import Sequence

import numpy as np

from calibcore.data.checks import leaving_out, list_rows
from calibcore.errors import InputError
from calibcore.io.joining import Joined
from calibcore.io.tables import Array, Table, as_numbers, listed
from calibcore.io.understanding import Understanding
from calibcore.numerics.types import Int


def outcomes(
    table: Table, joined: Joined | None, one: Understanding, labels_name: str
) -> tuple[Int, str, tuple[str, ...]]:
    """(n,) labels from 0, their source (see :class:`.Reading`), and sentences about it.

    Parameters
    ----------
    joined : the second file, of labels
    one : the reading
    """
    at, own = one.place.columns, joined.second if joined else table
    if one.words is None:
        names = [own.names[j] for j in at]
        matrix = np.column_stack([as_numbers(own.columns[j], own.decimal)[0] for j in at])
        labels = onehot_labels(matrix, names, one.onehot)
        source = "columns:" + ",".join(names)
    else:
        labels = one.words.mapped(one.meaning.numbers)
        source = f"{'array' if own.of_arrays else 'column'}:{own.names[at[0]]}"
    if joined is None:
        return labels, source, ()
    which = "one-hot" if one.words is None else own.where(at[0])
    note = f"Labels: the second file ({own.source}), {joined.note}, {which}."
    return labels, f"file:{labels_name or 'labels'}", (note, *own.notes)


def onehot_labels(matrix: Array, columns: Sequence[str], order: Sequence[int]) -> Int:
    """Labels as (n, m) zeros with exactly one 1 a row; ``order[k]`` is the class of column k.

    Raises
    ------
    InputError : names the rows with none or several.
    """
    ones = matrix == 1
    bad = np.flatnonzero((ones.sum(axis=1) != 1) | ~(ones | (matrix == 0)).all(axis=1))

    def describe(i: int) -> str:
        other = matrix[i][(matrix[i] != 0) & (matrix[i] != 1)]
        if len(other):
            return f"has {other[0]:.6g}"
        count = int(ones[i].sum())
        return f"has {count} {'one' if count == 1 else 'ones'}"

    if len(bad):
        raise InputError(
            f"{list_rows(bad, describe)} Expected exactly one 1, and zeros, in the one-hot labels "
            f"{listed(columns, 5)}.",
            leaving_out(bad, len(matrix)),
        )
    classes: Int = np.asarray(order, dtype=np.int64)[np.argmax(ones, axis=1)]
    return classes
