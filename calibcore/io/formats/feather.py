"""Feather and Arrow IPC -> :class:`Table`. Declared sizes are checked before unpacking."""

import struct

import pyarrow as pa

from calibcore.errors import InputError
from calibcore.io.arrow import as_table, columns_by_kind, is_usable
from calibcore.io.formats.format import FORMATS, Content, Format
from calibcore.io.tables import Table, check_declared, check_rows, check_width

_MARK = b"ARROW1"


@FORMATS.enter
class Feather(Format):
    """Feather of version 2, which is Arrow's file format, or a stream of Arrow."""

    kind = "feather"
    place = 30
    label = "Feather"
    reads = "Version 2, and files or streams of Arrow. Columns as in Parquet."
    endings = (".feather", ".arrow", ".ipc")
    magic = (_MARK, b"\xff\xff\xff\xff")
    modules = ("pyarrow.feather",)

    @classmethod
    def called(cls, ending: str) -> str:
        return cls.label if ending == ".feather" else "Arrow"

    @classmethod
    def read(cls, content: Content) -> Table:
        return _read(content.data)


def _read(data: bytes) -> Table:
    """Feather version 2 or an Arrow stream."""
    marked = data.startswith(_MARK)
    if marked and not data.endswith(_MARK):
        raise InputError("The Feather file is cut off: its end is missing. Save or upload it again.")
    # The file format is a stream between two marks. It is read as the stream, whose declared sizes are
    # checked; the directory at its end could point elsewhere.
    stream = memoryview(data)[8 if marked else 0 :]
    _check_messages(stream)
    with pa.ipc.open_stream(pa.py_buffer(stream)) as reader:
        schema = reader.schema
        check_width(len(schema))
        usable = [j for j, field in enumerate(schema) if is_usable(field.type)]
        left_out = columns_by_kind(schema)[2]
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

    def __init__(self, data: bytes, position: int) -> None:
        self.data, self.at = data, position

    def _read(self, kind: str, position: int) -> int:
        return int(struct.unpack_from("<" + kind, self.data, position)[0])

    def position(self, field: int) -> int:
        """Where a field stands; 0 if it is left out."""
        vtable = self.at - self._read("i", self.at)
        if 4 + 2 * field >= self._read("H", vtable):
            return 0
        offset = self._read("H", vtable + 4 + 2 * field)
        return self.at + offset if offset else 0

    def table(self, field: int) -> "_Flat":
        position = self.position(field)
        return _Flat(self.data, position + self._read("I", position))

    def number(self, kind: str, field: int) -> int:
        position = self.position(field)
        return self._read(kind, position) if position else 0

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """A vector of structs of two int64."""
        position = self.position(field)
        if not position:
            return []
        start = position + self._read("I", position)
        count = min(self._read("I", start), len(self.data) // 16)
        numbers = struct.unpack_from(f"<{2 * count}q", self.data, start + 4)
        return list(zip(numbers[::2], numbers[1::2], strict=True))
