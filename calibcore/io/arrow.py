"""Tables of Arrow, as Parquet and Feather give them -> :class:`Table`."""

from typing import Any

import pyarrow as pa

from calibcore.errors import InputError
from calibcore.io.tables import LEFT_OUT, Column, Table
from calibcore.wording import listed

_MISSING = "has null or NaN"


def columns_by_kind(schema: Any) -> tuple[list[str], list[str], list[str]]:
    """Names of the columns of text, of those that can be read, and of those that cannot."""
    texts = [field.name for field in schema if _is_text(field.type)]
    usable = [field.name for field in schema if is_usable(field.type)]
    return texts, usable, [field.name for field in schema if not is_usable(field.type)]


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def is_usable(kind: Any) -> bool:
    """Whether columns of this type of Arrow are read: numbers, text, truth values or dates."""
    t = pa.types
    if t.is_dictionary(kind):
        return _is_text(kind.value_type) or _is_number(kind.value_type)
    kinds = (t.is_boolean, t.is_timestamp, t.is_date, t.is_decimal, t.is_string_view)
    return _is_number(kind) or _is_text(kind) or any(is_one(kind) for is_one in kinds)


def as_table(table: Any, left_out: list[str], source: str) -> Table:
    """All columns, and a note on those that were ``left_out``. Raises :class:`InputError` for none."""
    # Arrow trusts what a file says about its own memory: unchecked, a damaged file of texts shows what else
    # this process holds.
    table.validate(full=True)
    if not table.num_columns:
        raise InputError(
            f"No column holds numbers or text; the columns are {listed(left_out) or '(none)'}. Expected one "
            "column a class; lists have to be split into columns."
        )
    left = f"{LEFT_OUT} were left out: {listed(left_out)}."
    notes = (left,) if left_out else ()
    columns = tuple(_column(chunks) for chunks in table.columns)
    return Table(columns, tuple(table.column_names), True, source, notes=notes, missing=_MISSING)


def _column(chunks: Any) -> Column:
    kind = chunks.type
    if pa.types.is_decimal(kind):
        chunks = chunks.cast(pa.float64())
    elif pa.types.is_dictionary(kind) and _is_number(kind.value_type):
        chunks = chunks.cast(kind.value_type)
    elif pa.types.is_date(kind):
        chunks = chunks.cast(pa.timestamp("s"))
    elif pa.types.is_string_view(kind):
        chunks = chunks.cast(pa.large_string())
    column: Column = chunks.to_pandas()
    return column.reset_index(drop=True)
