"""Parquet, Feather and Arrow IPC -> :class:`Table`, whole or in slices.

Declared sizes are checked before unpacking.
"""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from calibcore.errors import InputError
from calibcore.io.tables import (
    LEFT_OUT,
    Column,
    Table,
    check_declared,
    check_names,
    check_rows,
    check_width,
    listed,
    quoted,
)
from calibcore.numerics.types import Int

_MISSING = "has null or NaN"


def read_parquet(data: bytes) -> Table:
    """Every column that holds numbers, text, truth values or dates."""
    file = pq.ParquetFile(pa.py_buffer(data))
    metadata = file.metadata
    check_width(metadata.num_columns)
    schema = file.schema_arrow
    # Not metadata.row_group(i).column(j): in a damaged file that ends the process, past any handler.
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    rows = max(metadata.num_rows, sum(group.num_rows for group in groups))
    check_rows(rows)
    declared = sum(group.total_byte_size for group in groups)
    check_declared(max(8 * rows * metadata.num_columns, declared), len(data))
    check_names(schema.names)
    texts, usable, left_out = _columns_by_kind(schema)
    # One long text, stored once and repeated, would unpack without bound: text stays a dictionary.
    file = pq.ParquetFile(pa.py_buffer(data), read_dictionary=texts)
    table = file.read(columns=usable, use_threads=False, use_pandas_metadata=False)
    return _as_table(table, left_out, "Parquet")


def read_ipc(data: bytes) -> Table:
    """Feather version 2 or an Arrow stream."""
    marked = data.startswith(b"ARROW1")
    if marked and not data.endswith(b"ARROW1"):
        raise InputError("The Feather file is cut off: its end is missing. Save or upload it again.")
    # The file format is a stream between two marks. It is read as the stream, whose declared sizes are
    # checked; the directory at its end could point elsewhere.
    stream = memoryview(data)[8 if marked else 0 :]
    _check_messages(stream)
    with pa.ipc.open_stream(pa.py_buffer(stream)) as reader:
        schema = reader.schema
        check_width(len(schema))
        usable = [j for j, field in enumerate(schema) if _is_usable(field.type)]
        left_out = _columns_by_kind(schema)[2]
        table = reader.read_all()
    return _as_table(table.select(usable), left_out, "Feather (Arrow)")


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
        check_declared(size, len(stream))


def _declared(metadata: bytes, body: memoryview) -> tuple[int, int]:
    """Rows of a record batch and bytes of its buffers once unpacked (Arrow format, Message.fbs)."""
    message = _Flat(metadata, int.from_bytes(metadata[:4], "little"))
    batch = message.table(2)
    if message.number("B", 1) == 2:  # a dictionary batch wraps a record batch
        batch = batch.table(1)
    if not batch.position(3):
        return batch.number("q", 0), len(body)
    size = 0
    for offset, length in batch.pairs(2):
        unpacked = int.from_bytes(bytes(body[offset : offset + 8]), "little", signed=True) if length else 0
        size += max(unpacked, length)
    return batch.number("q", 0), size


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

    def number(self, kind: str, field: int) -> int:
        at = self.position(field)
        return self._read(kind, at) if at else 0

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """A vector of structs of two int64."""
        at = self.position(field)
        if not at:
            return []
        start = at + self._read("I", at)
        count = min(self._read("I", start), len(self.data) // 16)
        numbers = struct.unpack_from(f"<{2 * count}q", self.data, start + 4)
        return list(zip(numbers[::2], numbers[1::2], strict=True))


def _columns_by_kind(schema: Any) -> tuple[list[str], list[str], list[str]]:
    """Names of the columns of text, of those that can be read, and of those that cannot."""
    texts = [field.name for field in schema if _is_text(field.type)]
    usable = [field.name for field in schema if _is_usable(field.type)]
    return texts, usable, [field.name for field in schema if not _is_usable(field.type)]


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _is_usable(kind: Any) -> bool:
    t = pa.types
    if t.is_dictionary(kind):
        return _is_text(kind.value_type) or _is_number(kind.value_type)
    others = (t.is_boolean, t.is_timestamp, t.is_date, t.is_decimal, t.is_string_view)
    return _is_number(kind) or _is_text(kind) or any(is_one(kind) for is_one in others)


def _as_table(table: Any, left_out: list[str], source: str) -> Table:
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


_BATCH = 1 << 16
_BUFFER = 1 << 20
"""Bytes of a column that are read ahead: a row group may be larger than memory."""


class ParquetSlices:
    """The columns of a Parquet file that can be read; ``n`` rows. Every pass opens the file anew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with path.open("rb") as file:
                start = file.read(4)
            self._state = self._stat()
        except FileNotFoundError:
            raise InputError(f"There is no file {quoted(path.name)}. Check the path.") from None
        except OSError:
            raise InputError(f"{quoted(path.name)} cannot be opened; expected a Parquet file.") from None
        if start != b"PAR1":
            raise InputError(
                f"{quoted(path.name)} is no Parquet file, and only Parquet is read in slices. Save it as "
                "Parquet, or use diagnose."
            )
        with self._open([]) as file:
            schema, metadata = file.schema_arrow, file.metadata
            self.n = int(metadata.num_rows)
            check_width(metadata.num_columns)
        check_names(schema.names)
        self._texts, self.names, self._left_out = _columns_by_kind(schema)

    def tables(self, names: Sequence[str], step: int) -> Iterator[tuple[int, Table]]:
        """The columns ``names``, in that order: tables of ``step`` rows, the last one shorter.

        Each with the number of its first row. Raises :class:`InputError` for a damaged file.
        """
        first = 0
        for rows in self._slices(names, step):
            table = self._checked(lambda rows=rows: _as_table(rows, [], "Parquet"))
            yield first, table
            first += table.n
        if first != self.n:
            raise self._damaged()

    def column(self, name: str, step: int) -> Iterator[tuple[int, Column]]:
        """One column, in parts of ``step`` rows, each with the number of its first row."""
        for first, table in self.tables([name], step):
            yield first, table.columns[0]

    def sample(self, most: int) -> tuple[Table, Int]:
        """All columns of ``most`` rows that lie evenly, or of all; and the numbers of these rows."""
        rows = np.unique(np.linspace(0, self.n - 1, min(self.n, most)).astype(np.int64))
        if not self.names:
            return _as_table(pa.table({}), self._left_out, "Parquet"), rows
        parts, first = [], 0
        for part in self._slices(self.names, _BATCH):
            inside = rows[(rows >= first) & (rows < first + len(part))] - first
            parts.append(part.take(pa.array(inside)))
            first += len(part)
        if first != self.n:
            raise self._damaged()
        whole = pa.concat_tables(parts)
        return self._checked(lambda: _as_table(whole, self._left_out, "Parquet")), rows

    def _slices(self, names: Sequence[str], step: int) -> Iterator[Any]:
        """Arrow tables of ``step`` rows, from batches that end where the file's parts end."""
        batches: list[Any] = []
        rows = 0
        for batch in self._batches(names, min(step, _BATCH)):
            batches.append(batch)
            rows += batch.num_rows
            while rows >= step:
                yield self._named(pa.Table.from_batches(batches).slice(0, step), names)
                rows -= step
                # Not a slice of what was given out, which would be kept: only the rest of the last batch.
                batches = [batches[-1].slice(batches[-1].num_rows - rows)] if rows else []
        if rows:
            yield self._named(pa.Table.from_batches(batches), names)

    def _named(self, table: Any, names: Sequence[str]) -> Any:
        return self._checked(lambda: table.select(list(names)).unify_dictionaries())

    def _batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        if self._stat() != self._state:
            raise InputError("The file changed while it was read. Read it again when it stays as it is.")
        with self._open(self._texts) as file:
            batches = file.iter_batches(
                batch_size=rows, columns=list(names), use_threads=False, use_pandas_metadata=False
            )
            while (batch := self._checked(lambda: next(batches, None))) is not None:
                if batch.num_rows:
                    yield batch

    def _open(self, texts: Sequence[str]) -> Any:
        # One long text, stored once and repeated, would unpack without bound: text stays a dictionary.
        return self._checked(
            lambda: pq.ParquetFile(
                self._path, read_dictionary=list(texts), buffer_size=_BUFFER, pre_buffer=False
            )
        )

    def _checked(self, work: Any) -> Any:
        try:
            return work()
        except (InputError, MemoryError):
            raise
        except Exception:
            raise self._damaged() from None

    def _damaged(self) -> InputError:
        return InputError(
            "The Parquet file is damaged, cut off, or not what it seems. Save it again as Parquet."
        )

    def _stat(self) -> tuple[int, int]:
        state = self._path.stat()
        return state.st_size, state.st_mtime_ns
