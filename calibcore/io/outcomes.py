"""Labels as they were understood -> (n,) integers."""

import numpy as np

from calibcore.checks import Int
from calibcore.io.columns import Understanding
from calibcore.io.joining import Joined
from calibcore.io.labels import onehot_labels
from calibcore.io.tables import Table, as_numbers


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
