"""Names of columns that stand twice: read once if the cells are the same, told apart if nobody needs them."""

from collections.abc import Sequence
from dataclasses import replace

from calibcore.column_names.names import parse
from calibcore.io.tables import Column, Table, check_text, is_bool_column, is_number_column, refused_name
from calibcore.wording import listed


def with_distinct_names(table: Table) -> Table:
    """The same; a column that stands twice is read once, and others of one name are told apart by number."""
    check_text(table.names)
    places: dict[str, int] = {}
    again: list[tuple[str, int, int]] = []
    for j, name in enumerate(table.names):
        if places.setdefault(name, j) != j:
            again.append((name, places[name], j))
    if not again or not table.n:
        return table
    alike = [pair for pair in again if table.columns[pair[1]].equals(table.columns[pair[2]])]
    differing = [pair for pair in again if pair not in alike]
    for name, first, second in differing:
        if parse(name).role not in ("", "other") or not all(
            _is_beside(table.columns[j]) for j in (first, second)
        ):
            raise refused_name(name, first, second)
    names = list(table.names)
    for j, name in enumerate(table.names):
        if any(name == other for other, _, _ in differing):
            names[j] = f"{name} (column {j + 1})"
    if len(set(names)) < len(names) - len(alike):
        raise refused_name(*again[0])
    once = sorted({name for name, _, _ in alike})
    note = f"Columns that stand twice with the same cells were read once: {listed(once)}."
    table = replace(table, names=tuple(names), doubled=tuple(differing))
    for _, _, j in reversed(alike):
        table = table.without_column(j)
    return replace(table, notes=(*table.notes, note)) if alike else table


def _is_beside(column: Column) -> bool:
    """Whether these are no predictions: text, or whole numbers of more than two kinds."""
    if is_bool_column(column) or not is_number_column(column):
        return not is_bool_column(column)
    return bool((column % 1 == 0).all()) and column.nunique() > 2


def refuse_doubled(table: Table, columns: Sequence[int]) -> None:
    """InputError if one of the columns that count has a name that stood twice."""
    for name, first, second in table.doubled:
        if any(table.names[j].startswith(f"{name} (column ") for j in columns):
            raise refused_name(name, first, second)
