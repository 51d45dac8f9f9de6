"""A path or bytes, and perhaps a second file of labels -> tables."""

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from calibcore.column_names.name_words import loose
from calibcore.column_names.names import parse
from calibcore.errors import InputError, Remedy
from calibcore.io.contents import read_table
from calibcore.io.options import ReadOptions
from calibcore.io.roles.look import Look
from calibcore.io.roles.sums import MOST
from calibcore.io.tables import Table, check_size
from calibcore.wording import quote

Source: TypeAlias = Path | str | bytes


def name_of(source: Source) -> str:
    """The name of a file without its folders; "" for bytes."""
    return "" if isinstance(source, bytes) else Path(source).name


def size_of(source: Source) -> int:
    """Bytes of a file that was read, or of its content."""
    return len(source) if isinstance(source, bytes) else Path(source).stat().st_size


@dataclass(frozen=True, eq=False)
class File:
    """A path, or the content of a file, and its name."""

    source: Source
    name: str


@dataclass(frozen=True, eq=False)
class Tables:
    """The table of predictions, that of labels if there is a second file, and sentences about the files."""

    table: Table
    second: Table | None = None
    labels_name: str = ""
    notes: tuple[str, ...] = ()
    swapped: bool = False


SWAP = Remedy("Swap the two files", {"swap_files": True})


def tables_of(predictions: File, labels: File | None, options: ReadOptions) -> Tables:
    """The tables of one or two files; header and delimiter are those of the first.

    Whether a doubtful first row is a header is settled by the number of rows of the other file. Unless the
    options say it, the files are swapped where the first is one column of labels and the second a table of
    probabilities.
    """
    if labels is None:
        return Tables(read_table(_bytes(predictions.source), predictions.name, options))
    if options.swap_files:
        return _swapped(_two_tables(labels, predictions, options), labels, predictions, "as asked")
    tables, error = None, None
    try:
        tables = _two_tables(predictions, labels, options)
    except InputError as refused:
        error = refused
    if options.swap_files is None and (tables is None or _one_column_of_labels(tables.table)):
        try:
            other = _two_tables(labels, predictions, options)
        except InputError:
            other = None
        if other and other.second and _one_column_of_labels(other.second) and _fractions_add_up(other.table):
            return _swapped(other, labels, predictions, "by what they hold")
    if tables is None:
        assert error is not None
        raise error
    return tables


def may_be_swapped(tables: Tables) -> bool:
    """Whether the second file holds what looks like predictions, and the first does not."""
    if tables.second is None or tables.swapped:
        return False
    return _fractions_add_up(tables.second) and not _fractions_add_up(tables.table)


def _swapped(tables: Tables, predictions: File, labels: File, why: str) -> Tables:
    first, second = (quote(file.name) if file.name else "one file" for file in (predictions, labels))
    note = f"The two files were swapped ({why}): the predictions are in {first}, the labels in {second}."
    return replace(tables, notes=(note,), swapped=True)


def _one_column_of_labels(table: Table) -> bool:
    look = Look(table)
    return len(table.names) == 1 and bool(look.integral[0] or not look.numeric[0])


def _fractions_add_up(table: Table) -> bool:
    """Whether rows sum to 1 or to 100 over the columns of fractions."""
    look = Look(table)
    return look.share([j for j in range(len(table.names)) if look.fractional[j]]) >= MOST


def _two_tables(predictions: File, labels: File, options: ReadOptions) -> Tables:
    data, name = _bytes(predictions.source), labels.name
    table = read_table(data, predictions.name, options)
    of_labels = ReadOptions(leave_out_rows=options.leave_out_rows)
    try:
        label_data = _bytes(labels.source)
        second = read_table(label_data, name, of_labels, want_labels=True)
    except InputError as error:
        named = error.reworded(f"The file of labels{' ' + quote(name) if name else ''}: {error}")
        raise named.only(["leave_out_rows"]) from None
    unsure = replace(second, header_sure=second.header_sure and not _begins_with_a_class(second, table))
    if other := _with_other_header(label_data, name, unsure, of_labels, table.n):
        return Tables(table, other, name)
    if other := _with_other_header(data, predictions.name, table, options, second.n):
        return Tables(replace(other, header_open=False), second, name)
    return Tables(table, second, name)


def _begins_with_a_class(labels: Table, predictions: Table) -> bool:
    """Whether the one column of labels is named as a class is: "grade Y" may be the first label."""
    parsed = [(parse(name), name) for name in predictions.names]
    classes = {loose(name.inner or text) for name, text in parsed if name.inner or not name.role}
    return len(labels.names) == 1 and labels.named and loose(labels.names[0]) in classes


def _with_other_header(data: bytes, name: str, table: Table, options: ReadOptions, n: int) -> Table | None:
    """The same file with a header if it was read without, or the other way round; None if not of n rows."""
    other = table
    if table.n != n and not table.header_sure:
        with suppress(InputError):
            other = read_table(data, name, replace(options, header=not table.named))
    return other if other is not table and other.n == n else None


def _bytes(source: Path | str | bytes) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    path = Path(source)
    try:
        check_size(path.stat().st_size, "The file has")
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {quote(path.name)}. Check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{quote(path.name)} is a folder; expected a file.") from None
    except (OSError, ValueError):
        raise InputError(
            f"The file {quote(path.name)} cannot be opened. Check that it may be read."
        ) from None
