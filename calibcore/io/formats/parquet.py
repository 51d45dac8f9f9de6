"""Parquet -> :class:`Table`, whole or in slices. Declared sizes are checked before unpacking."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from calibcore.errors import InputError
from calibcore.io.arrow import as_table, columns_by_kind
from calibcore.io.formats.format import FORMATS, Content, Format
from calibcore.io.tables import Column, Table, check_declared, check_names, check_rows, check_width
from calibcore.numerics.types import Int
from calibcore.wording import quote

_START = b"PAR1"
_ENCRYPTED = b"PARE"
_IS_ENCRYPTED = "This is an encrypted Parquet file. Save it without encryption."


@FORMATS.enter
class Parquet(Format):
    """Apache Parquet."""

    kind = "parquet"
    place = 20
    label = "Parquet"
    reads = "Columns of numbers, text, truth values or dates. It is read fastest."
    endings = (".parquet", ".pq")
    magic = (_START,)
    modules = ("pyarrow.parquet",)

    @classmethod
    def begins(cls, data: bytes) -> bool:
        return super().begins(data) or _is_encrypted(data)

    @classmethod
    def read(cls, content: Content) -> Table:
        if _is_encrypted(content.data):
            raise InputError(_IS_ENCRYPTED)
        return _read(content.data)

    @classmethod
    def refusal(cls, error: Exception) -> str:
        return _IS_ENCRYPTED if "crypt" in str(error).lower() else ""  # some of its columns


def _is_encrypted(data: bytes) -> bool:
    return data.startswith(_ENCRYPTED) and data.endswith(_ENCRYPTED)


def _read(data: bytes) -> Table:
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
    texts, usable, left_out = columns_by_kind(schema)
    # One long text, stored once and repeated, would unpack without bound: text stays a dictionary.
    file = pq.ParquetFile(pa.py_buffer(data), read_dictionary=texts)
    table = file.read(columns=usable, use_threads=False, use_pandas_metadata=False)
    return as_table(table, left_out, "Parquet")


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
            raise InputError(f"There is no file {quote(path.name)}. Check the path.") from None
        except OSError:
            raise InputError(f"{quote(path.name)} cannot be opened; expected a Parquet file.") from None
        if start != _START:
            raise InputError(
                f"{quote(path.name)} is no Parquet file, and only Parquet is read in slices. Save it as "
                "Parquet, or use diagnose."
            )
        with self._open([]) as file:
            schema, metadata = file.schema_arrow, file.metadata
            self.n = int(metadata.num_rows)
            check_width(metadata.num_columns)
        check_names(schema.names)
        self._texts, self.names, self._left_out = columns_by_kind(schema)

    def tables(self, names: Sequence[str], step: int) -> Iterator[tuple[int, Table]]:
        """The columns ``names``, in that order: tables of ``step`` rows, the last one shorter.

        Each with the number of its first row. Raises :class:`InputError` for a damaged file.
        """
        first = 0
        for rows in self._slices(names, step):
            table = self._checked(lambda rows=rows: as_table(rows, [], "Parquet"))
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
            return as_table(pa.table({}), self._left_out, "Parquet"), rows
        parts, first = [], 0
        for part in self._slices(self.names, _BATCH):
            inside = rows[(rows >= first) & (rows < first + len(part))] - first
            parts.append(part.take(pa.array(inside)))
            first += len(part)
        if first != self.n:
            raise self._damaged()
        table = pa.concat_tables(parts)
        return self._checked(lambda: as_table(table, self._left_out, "Parquet")), rows

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
