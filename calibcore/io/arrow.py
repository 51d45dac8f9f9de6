"""Parquet, Feather and Arrow IPC -> :class:`Table`; declared sizes are checked before unpacking."""

import struct
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from calibcore.errors import InputError
from calibcore.io.bounds import check_packing
from calibcore.io.tables import (
    Column,
    Table,
    check_names,
    check_rows,
    check_size,
    check_width,
    listed,
)

_MISSING = "has null or NaN"


def read_parquet(data: bytes) -> Table:
    """Every column that holds numbers, text, truth values or dates."""
    file = pq.ParquetFile(pa.py_buffer(data))
    metadata, schema = file.metadata, file.schema_arrow
    # Not metadata.row_group(i).column(j): in a damaged file that ends the process, past any handler.
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    rows = max(metadata.num_rows, sum(group.num_rows for group in groups))
    check_rows(rows)
    check_width(metadata.num_columns)
    declared = sum(group.total_byte_size for group in groups)
    size = max(8 * rows * metadata.num_columns, declared)
    check_size(size, "The file declares")
    check_packing(size, len(data))
    check_names(schema.names)
    texts = [field.name for field in schema if is_text(field.type)]
    usable = [field.name for field in schema if usable_kind(field.type)]
    left_out = [field.name for field in schema if not usable_kind(field.type)]
    # One long text, stored once and repeated, would unpack without bound: text stays a dictionary.
    file = pq.ParquetFile(pa.py_buffer(data), read_dictionary=texts)
    table = file.read(columns=usable, use_threads=False, use_pandas_metadata=False)
    return as_table(table, left_out, "Parquet")


def read_ipc(data: bytes) -> Table:
    """Feather version 2 or an Arrow stream."""
    stream = memoryview(data)
    if data.startswith(b"ARROW1"):
        if not data.endswith(b"ARROW1"):
            raise InputError("The Feather file is cut off: its end is missing. Save or upload it again.")
        # The file format is a stream between two marks. It is read as the stream, whose declared sizes
        # are checked; the directory at its end could point elsewhere.
        stream = stream[8:]
    _check_messages(stream)
    with pa.ipc.open_stream(pa.py_buffer(stream)) as reader:
        schema = reader.schema
        check_width(len(schema))
        usable = [j for j, field in enumerate(schema) if usable_kind(field.type)]
        left_out = [field.name for field in schema if not usable_kind(field.type)]
        table = reader.read_all()
    return as_table(table.select(usable), left_out, "Feather (Arrow)")


def _check_messages(stream: memoryview) -> None:
    """Add up the rows and the unpacked sizes that the record batches declare."""
    rows, size = 0, 0
    for message in pa.ipc.MessageReader.open_stream(pa.py_buffer(stream)):
        if message.type not in ("record batch", "dictionary"):
            continue
        batch_rows, batch_size = _declared(message.metadata.to_pybytes(), memoryview(message.body))
        rows += batch_rows if message.type == "record batch" else 0
        size += batch_size + 8 * batch_rows
        check_rows(rows)
        check_size(size, "The file declares")
        check_packing(size, len(stream))


def _declared(metadata: bytes, body: memoryview) -> tuple[int, int]:
    """Rows of a record batch and bytes of its buffers once unpacked (Arrow format, Message.fbs)."""
    message = _Flat(metadata, int.from_bytes(metadata[:4], "little"))
    batch = message.table(2)
    if message.byte(1) == 2:  # a dictionary batch wraps a record batch
        batch = batch.table(1)
    if not batch.position(3):
        return batch.int64(0), len(body)
    size = 0
    for offset, length in batch.pairs(2):
        unpacked = int.from_bytes(bytes(body[offset : offset + 8]), "little", signed=True) if length else 0
        size += max(unpacked, length)
    return batch.int64(0), size


class _Flat:
    """A table of a flatbuffer: as much of the format as the sizes need."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def _read(self, kind: str, at: int) -> int:
        return int(struct.unpack_from("<" + kind, self.data, at)[0])

    def position(self, field: int) -> int:
        """Where a field stands; 0 if it is left out."""
        vtable = self.at - self._read("i", self.at)
        if 4 + 2 * field >= self._read("H", vtable):
            return 0
        offset = self._read("H", vtable + 4 + 2 * field)
        return self.at + offset if offset else 0

    def table(self, field: int) -> "_Flat":
        at = self.position(field)
        return _Flat(self.data, at + self._read("I", at))

    def byte(self, field: int) -> int:
        at = self.position(field)
        return self._read("B", at) if at else 0

    def int64(self, field: int) -> int:
        at = self.position(field)
        return self._read("q", at) if at else 0

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """A vector of structs of two int64."""
        at = self.position(field)
        if not at:
            return []
        start = at + self._read("I", at)
        count = min(self._read("I", start), len(self.data) // 16)
        return [
            (self._read("q", start + 4 + 16 * i), self._read("q", start + 12 + 16 * i)) for i in range(count)
        ]


def is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_number(kind: Any) -> bool:
    t = pa.types
    return bool(t.is_integer(kind) or t.is_floating(kind))


def usable_kind(kind: Any) -> bool:
    t = pa.types
    if t.is_dictionary(kind):
        return is_text(kind.value_type) or _is_number(kind.value_type)
    dates = t.is_timestamp(kind) or t.is_date(kind) or t.is_decimal(kind) or t.is_string_view(kind)
    return _is_number(kind) or is_text(kind) or bool(t.is_boolean(kind) or dates)


def as_table(table: Any, left_out: list[str], source: str) -> Table:
    # Arrow trusts what a file says about its own memory: unchecked, a damaged file of texts shows what else
    # this process holds.
    table.validate(full=True)
    if not table.num_columns:
        raise InputError(
            f"No column holds numbers or text; the columns are {listed(left_out) or '(none)'}. Expected one "
            "column a class; lists have to be split into columns."
        )
    left = f"Columns of a kind that is not read, such as lists, were left out: {listed(left_out)}."
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
