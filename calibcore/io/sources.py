"""A path or bytes, and perhaps a second file of labels -> tables."""

from pathlib import Path
from typing import TypeAlias

from calibcore.io.formats import read_table
from calibcore.io.tables import Table, check_size, quoted
from calibcore.predictions import InputError

Source: TypeAlias = Path | str | bytes


def name_of(source: Source | None) -> str:
    """The name of a file without its folders; "" for bytes."""
    return "" if source is None or isinstance(source, bytes) else Path(source).name


def tables_of(
    source: Source,
    name: str,
    labels: Source | None,
    labels_name: str,
    header: bool | None,
    delimiter: str | None,
    prefer_logits: bool,
) -> tuple[Table, Table | None]:
    """The table of predictions and that of labels. ``header`` and ``delimiter`` are about the first.

    Whether a doubtful first row is a header is settled by the number of rows of the other file.
    """
    data = _bytes(source)
    table = read_table(data, name, header=header, delimiter=delimiter, prefer_logits=prefer_logits)
    if labels is None:
        return table, None
    try:
        label_data = _bytes(labels)
        second = read_table(label_data, labels_name, want_labels=True)
    except InputError as error:
        raise InputError(
            f"The file of labels{' ' + quoted(labels_name) if labels_name else ''}: {error}"
        ) from None
    if second.n != table.n and not second.header_sure:
        other = _other_header(label_data, labels_name, second, None)
        if other is not None and other.n == table.n:
            return table, other
    if second.n != table.n and not table.header_sure:
        other = _other_header(data, name, table, delimiter)
        if other is not None and other.n == second.n:
            return other, second
    return table, second


def _other_header(data: bytes, name: str, table: Table, delimiter: str | None) -> Table | None:
    """The same file with a header if it was read without one, and the other way round."""
    try:
        return read_table(data, name, header=not table.named, delimiter=delimiter)
    except InputError:
        return None


def _bytes(source: Path | str | bytes) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    path = Path(source)
    try:
        check_size(path.stat().st_size, "The file has")
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {quoted(path.name)}. Check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{quoted(path.name)} is a folder; expected a file.") from None
    except (OSError, ValueError):
        raise InputError(
            f"The file {quoted(path.name)} cannot be opened. Check that it may be read."
        ) from None
