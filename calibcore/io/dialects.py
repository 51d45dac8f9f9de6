"""What single tools write otherwise than others: vectors in cells, Weka's distributions, Orange's types."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from calibcore.column_names.names import may_list_labels, parse
from calibcore.data.checks import snapped
from calibcore.io.roles.sums import MOST, share_that_adds_up
from calibcore.io.tables import Column, Columns, Table, is_number_column, number_in
from calibcore.numerics.types import Float

_TYPES = frozenset(["continuous", "discrete", "string", "time", "c", "d", "s", "t"])
_ROLES = frozenset(["", "class", "meta", "ignore", "i", "c", "m"])
_NUMBERED = re.compile(r"(\d{1,6}):(.*)", re.DOTALL)


def vectors_opened(table: Table) -> Table:
    """The same; a column of probabilities such as "[0.1, 0.9]", as Spark and pandas write them, becomes one
    column a place. A list of as many words that is the same in all rows names them.
    """
    if not table.n:
        return table
    starts = [
        str(column.iloc[0])[:1] if parse(name).speaks_of_predictions else ""
        for name, column in zip(table.names, table.columns, strict=True)
    ]
    if not {"[", "{"} & set(starts) or sum(map(_are_fractions, table.columns)) > 1:
        return table  # several columns of fractions may be the predictions themselves
    opened, width = Columns(), 0
    for column, name, start in zip(table.columns, table.names, starts, strict=True):
        matrix = _matrix([str(cell) for cell in column.tolist()]) if start in ("[", "{") else None
        if matrix is None:
            opened.add(name, column)
        else:
            width = matrix.shape[1]
            opened.add_matrix(name, matrix)
    if not opened.blocks:
        return table
    columns, names, blocks = tuple(opened.columns), tuple(opened.names), tuple(opened.blocks)
    table = replace(table, columns=columns, names=names, blocks=blocks)
    for j, column in enumerate(columns):
        words = _words(str(column.iloc[0])) if column.nunique() == 1 else []
        if words and len(words) == width:
            return replace(table.without_column(j), class_names=tuple(words))
    return table


def label_lists_opened(table: Table) -> Table:
    """The same; a column of labels such as "[0, 1]" or "(1 0)", a place a class, becomes one column a place,
    and so do probabilities beside it that do not add up, as those of several labels.
    """
    if not table.n:
        return table
    lists = {}
    for name, column in zip(table.names, table.columns, strict=True):
        starts = not is_number_column(column) and str(column.iloc[0])[:1] in ("[", "(")
        if starts and (may_list_labels(name) or parse(name).speaks_of_predictions):
            lists[name] = _lists(column)
    labels = {
        name: matrix
        for name, matrix in lists.items()
        if matrix is not None and may_list_labels(name) and ((matrix == 0) | (matrix == 1)).all()
    }
    if not labels or table.blocks:
        return table
    widths = {matrix.shape[1] for matrix in labels.values()}
    opened = Columns()
    for name, column in zip(table.names, table.columns, strict=True):
        matrix = lists.get(name)
        if name in labels:
            opened.add_matrix(name, labels[name], predictions=False)
        elif matrix is not None and matrix.shape[1] in widths and _are_apart(matrix):
            opened.add_matrix(name, matrix)
        else:
            opened.add(name, column)
    return replace(
        table, columns=tuple(opened.columns), names=tuple(opened.names), blocks=tuple(opened.blocks)
    )


def _lists(column: Column) -> Float | None:
    """The vectors of all cells, (n, m), if they have one length."""
    texts = [str(cell).strip().replace("(", "[").replace(")", "]") for cell in column.tolist()]
    rows = [_vector(text) for text in texts]
    if len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return None
    return np.array(rows, dtype=np.float64)


def _are_apart(matrix: Float) -> bool:
    """Whether these are probabilities that do not add up."""
    values = snapped(matrix)
    return bool(((values >= 0) & (values <= 1)).all()) and share_that_adds_up(matrix, 1) < MOST


def _are_fractions(column: Column) -> bool:
    """Whether these are numbers from 0 to 1, and not only 0 and 1."""
    return is_number_column(column) and bool(column.between(0, 1).all() and (column % 1 > 0).any())


def _matrix(cells: Sequence[str]) -> Float | None:
    """The vectors of all cells, (n, m), if they are probabilities."""
    rows = [_vector(cell) for cell in cells]
    if len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return None
    matrix = np.array(rows, dtype=np.float64)
    return matrix if max(share_that_adds_up(matrix, scale) for scale in (1, 100)) >= MOST else None


def _vector(cell: str) -> list[float]:
    """The numbers of "[0.1, 0.9]", "[0.1 0.9]" or {"type": 1, "values": [0.1, 0.9]}; else none."""
    if cell.startswith("{"):
        try:
            cell = str(json.loads(cell)["values"])
        except (ValueError, KeyError, RecursionError):
            return []
    if not (cell.startswith("[") and cell.endswith("]")):
        return []
    numbers = [number_in(part) for part in cell[1:-1].replace(",", " ").split()]
    return [number for number in numbers if number is not None] if None not in numbers else []


def _words(cell: str) -> list[str]:
    """The words of "['no', 'yes']"; none if it is no such list."""
    try:
        words = json.loads(cell.replace("'", '"')) if cell.startswith("[") else []
    except (ValueError, RecursionError):
        return []
    return words if isinstance(words, list) and all(isinstance(word, str) for word in words) else []


def names_of_weka(names: Sequence[str], rows: Iterable[Sequence[str]], k: int) -> list[str] | None:
    """Names of the k columns of Weka's predictions: "distribution" stands above one column a class.

    "2:dog" in a row says that the second class is called dog; a star marks the class that is predicted. None
    if it is another file.
    """
    header = [name for name in names if name]
    m = k - len(header) + 1
    if header[-1:] != ["distribution"] or header[1:3] != ["actual", "predicted"] or m < 2:
        return None
    classes: dict[int, str] = {}
    for row in rows:
        matches = [_NUMBERED.fullmatch(cell) for cell in row[1:3]]
        places = [int(match[1]) for match in matches if match]
        classes |= {int(match[1]): match[2] for match in matches if match and match[2] != "?"}
        stars = [i for i, cell in enumerate(row[-m:], 1) if cell.startswith("*")]
        if stars != places[1:]:
            return None
    return [*header[:-1], *(f"distribution ({classes.get(i, i)})" for i in range(1, m + 1))]


def are_types(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first two of some rows below the names are Orange's: types, and what a column is for."""
    if len(rows) < 3:
        return False
    types, roles = set(rows[0]), set(rows[1])
    return bool(types & _TYPES) and roles <= _ROLES and bool({"class", "meta"} & roles)
