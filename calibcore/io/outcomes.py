"""Where the labels stand -> :class:`.labels.Outcomes`."""

from collections.abc import Sequence

import numpy as np

from calibcore.io.affixes import class_names_of, label_affix
from calibcore.io.binary_labels import read_binary
from calibcore.io.columns import Roles
from calibcore.io.labels import Outcomes, counted, read_labels, read_onehot
from calibcore.io.look import Look, columns_of_labels, find_column, find_named_label
from calibcore.io.tables import Table, as_numbers, listed
from calibcore.predictions import InputError


def find_outcomes(
    table: Table,
    roles: Roles,
    second: Table | None,
    labels_name: str,
    label_column: str | None,
    class_names: tuple[str, ...] | None,
    base: int | None,
) -> tuple[Outcomes, str, tuple[str, ...]]:
    """Labels, their source (see :class:`.Reading`), and sentences about it.

    Parameters
    ----------
    second : the table of a second file, of labels
    label_column : its column of labels, if the user named one
    class_names, base : as in :func:`.labels.read_labels`
    """
    m = len(roles.probs)
    columns = tuple(table.names[j] for j in roles.probs) if roles.named else None
    if second is None and roles.onehot:
        outcomes = _onehot(table, roles.onehot, columns, class_names, by_name=False)
        return outcomes, "columns:" + ",".join(table.names[j] for j in roles.onehot), ()
    if second is not None:
        source = f"file:{labels_name or 'labels'}"
        at, onehot = _places_of_labels(second, label_column, m)
        note = f"Labels: the second file ({second.source}), row by row"
        if onehot:
            outcomes = _onehot(second, onehot, columns, class_names, by_name=second.named)
            return outcomes, source, (f"{note}, one-hot.", *second.notes)
        column, where = second.columns[at], f"{second.where(at)} of the file of labels"
        notes: tuple[str, ...] = (f"{note}, {second.where(at)}.", *second.notes)
    else:
        at = roles.label if roles.label is not None else 0  # find_roles has refused a table without labels
        source = f"{'array' if table.label == at else 'column'}:{table.names[at]}"
        column, where, notes = table.columns[at], table.where(at), ()
    if m == 1:
        single = columns[0] if columns else None
        return read_binary(column, where, single, class_names, base), source, notes
    return read_labels(column, where, columns, class_names, base, m), source, notes


def _places_of_labels(second: Table, label_column: str | None, m: int) -> tuple[int, tuple[int, ...]]:
    """The column of labels in their file, or the m columns of one-hot labels."""
    k = len(second.names)
    if label_column is not None and (second.named or k > 1):
        return find_column(second, label_column), ()
    if k == 1:
        return 0, ()
    look = Look(second)
    rest = [j for j in range(k) if not (j == 0 and look.counts_rows(j))]
    if len(rest) == m and all(look.integral[j] and look.unit[j] for j in rest):
        return 0, tuple(rest)
    found = find_named_label(look)
    if found is not None:
        return found, ()
    if len(rest) == 1:
        return rest[0], ()
    raise InputError(
        f"The file of labels has {k:,} columns: {listed(second.names)}. Expected one, or {m} of one-hot "
        "labels.",
        columns_of_labels(look, rest),
    )


def _onehot(
    table: Table,
    at: Sequence[int],
    columns: tuple[str, ...] | None,
    class_names: tuple[str, ...] | None,
    by_name: bool,
) -> Outcomes:
    """One-hot columns; ``by_name``: they may stand in another order than the predictions."""
    names = [table.names[j] for j in at]
    bare = [affix[1] if (affix := label_affix(name)) else name for name in names]
    classes = class_names or (class_names_of(columns, bare) if columns else counted(len(at), 0))
    order = list(range(len(at)))
    for form in (names, bare):
        if by_name and set(form) == set(classes):
            order = [classes.index(name) for name in form]
    matrix = np.column_stack([as_numbers(table.columns[j], table.decimal)[0] for j in at])
    return read_onehot(matrix, names, classes, order)
