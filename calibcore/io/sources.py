"""A path or bytes, and perhaps a second file of labels -> tables.

The format is found by content first, by name second.
"""

import gzip
import io
import re
import zlib
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import IO, TypeAlias

from calibcore import limits
from calibcore.data.checks import rows_left_out
from calibcore.errors import InputError, Remedy
from calibcore.extras import need
from calibcore.io.archives import archive_of
from calibcore.io.arrays import npz_arrays, read_npy, table_of_arrays
from calibcore.io.arrow import read_ipc, read_parquet
from calibcore.io.dialects import label_lists_opened, vectors_opened
from calibcore.io.documents import read_json
from calibcore.io.doubled import with_distinct_names
from calibcore.io.options import ReadOptions
from calibcore.io.roles.look import Look
from calibcore.io.roles.name_words import loose
from calibcore.io.roles.names import parse
from calibcore.io.tables import (
    Table,
    check_packing,
    check_rows,
    check_size,
    listed,
    quoted,
)
from calibcore.io.text import read_text

Source: TypeAlias = Path | str | bytes


def name_of(source: Source) -> str:
    """The name of a file without its folders; "" for bytes."""
    return "" if isinstance(source, bytes) else Path(source).name


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
    first, second = (quoted(file.name) if file.name else "one file" for file in (predictions, labels))
    note = f"The two files were swapped ({why}): the predictions are in {first}, the labels in {second}."
    return replace(tables, notes=(note,), swapped=True)


def _one_column_of_labels(table: Table) -> bool:
    look = Look(table)
    return len(table.names) == 1 and bool(look.integral[0] or not look.numeric[0])


def _fractions_add_up(table: Table) -> bool:
    """Whether rows sum to 1 or to 100 over the columns of fractions."""
    look = Look(table)
    return look.share([j for j in range(len(table.names)) if look.fractional[j]]) >= 0.9


def _two_tables(predictions: File, labels: File, options: ReadOptions) -> Tables:
    data, name = _bytes(predictions.source), labels.name
    table = read_table(data, predictions.name, options)
    of_labels = ReadOptions(leave_out_rows=options.leave_out_rows)
    try:
        label_data = _bytes(labels.source)
        second = read_table(label_data, name, of_labels, want_labels=True)
    except InputError as error:
        named = error.reworded(f"The file of labels{' ' + quoted(name) if name else ''}: {error}")
        raise named.only(["leave_out_rows"]) from None
    unsure = replace(second, header_sure=second.header_sure and not _begins_with_a_class(second, table))
    if other := _with_other_header(label_data, name, unsure, of_labels, table.n):
        return Tables(table, other, name)
    if other := _with_other_header(data, predictions.name, table, options, second.n):
        return Tables(replace(other, header_open=False), second, name)
    return Tables(table, second, name)


def _begins_with_a_class(labels: Table, predictions: Table) -> bool:
    """Whether the one column of labels is named as a class is: "grade Y" may be the first label."""
    said = [(parse(name), name) for name in predictions.names]
    classes = {loose(name.inner or text) for name, text in said if name.inner or not name.role}
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
        raise InputError(f"There is no file {quoted(path.name)}. Check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{quoted(path.name)} is a folder; expected a file.") from None
    except (OSError, ValueError):
        raise InputError(
            f"The file {quoted(path.name)} cannot be opened. Check that it may be read."
        ) from None


_KNOWN = "CSV or other text, Parquet, Feather, NPZ, NPY, JSON or XLSX"
_ARFF = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s*+%[^\n]*+\n|\s++)*+@relation\b", re.IGNORECASE)
_BINARY = {
    ".parquet": "Parquet", ".pq": "Parquet", ".feather": "Feather", ".arrow": "Arrow", ".ipc": "Arrow",
    ".npz": "NPZ", ".npy": "NPY", ".xlsx": "XLSX", ".gz": "gzip", ".zip": "zip",
}  # fmt: skip
_OLE, _ENCRYPTED_WORKBOOK = b"\xd0\xcf\x11\xe0", "EncryptedPackage".encode("utf-16-le")
_ENCRYPTED_PARQUET = "This is an encrypted Parquet file. Save it without encryption."
_REFUSED = (
    (_OLE, "an old Excel workbook (.xls)", "Save it as XLSX or CSV"),
    (b"$FL2@", "an SPSS file", "Save the predictions as CSV"),
    (b"$FL3@", "an SPSS file", "Save the predictions as CSV"),
    (b"<stata_dta>", "a Stata file", "Save the predictions as CSV"),
    (b"X\n\0\0\0", "an R object (.rds)", "Save the predictions as CSV"),
    (b"RDX2\n", "an R workspace (.RData)", "Save the predictions as CSV"),
    (b"RDX3\n", "an R workspace (.RData)", "Save the predictions as CSV"),
    (b"SQLite format 3", "an SQLite database", "Save the table as CSV or Parquet"),
    (b"Obj\x01", "an Avro file", "Save it as Parquet"),
    (b"FEA1", "a Feather file of version 1", "Save it as Feather version 2 or Parquet"),
    (b"\x89HDF", "an HDF5 file", "Save the predictions as NPZ, Parquet or CSV"),
    (b"MATLAB ", "a MATLAB file", "Save the predictions as CSV"),
    (b"BZh", "compressed with bzip2", "Unpack it first"),
    (b"\xfd7zXZ", "compressed with xz", "Unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "Unpack it first"),
    (b"7z\xbc\xaf", "compressed with 7-Zip", "Unpack it first"),
    (b"%PDF", "a PDF", "Save the table behind it as CSV"),
    (b"{\\rtf", "a rich text document", "Save it as plain text (CSV)"),
    *(
        (bytes([0x80, version]), "a Python pickle, which is never loaded, since it can run programs",
         "Save the predictions as NPZ, Parquet or CSV")
        for version in range(2, 6)
    ),
)  # fmt: skip


def read_table(
    data: bytes, name: str, options: ReadOptions, *, want_labels: bool = False, packed: bool = True
) -> Table:
    """Read any known format.

    The file's ``name`` decides what its content leaves open. Where logits stand beside probabilities, the
    options say which count. ``want_labels``: the file holds labels, so that arrays named like labels come
    first. ``packed``: the file may be compressed; what was unpacked may not be again.
    """
    if not data:
        raise InputError("The file is empty; expected one row per case and one column per class.")
    check_size(len(data), "The file has")
    if data.startswith(_OLE) and _ENCRYPTED_WORKBOOK in data:
        raise InputError("This is an Excel workbook with a password. Save it without one.")
    if data.startswith(b"PARE") and data.endswith(b"PARE"):
        raise InputError(_ENCRYPTED_PARQUET)
    for magic, what, advice in _REFUSED:
        if data.startswith(magic):
            raise InputError(f"This is {what}. {advice}.")
    kind = "text"
    try:
        if data.startswith(b"PAR1"):
            kind = "Parquet"
            table = read_parquet(data)
        elif data.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
            kind = "Feather"
            table = read_ipc(data)
        elif data.startswith(b"\x93NUMPY"):
            kind = "NPY"
            table = read_npy(data)
        elif data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b")):
            kind = "zip" if data.startswith(b"PK") else "gzip"
            if not packed:
                raise InputError("The file is compressed twice. Unpack it first.")
            inner = _unpack_zip(data) if kind == "zip" else _unpack_gzip(data, name)
            if isinstance(inner, tuple):
                return read_table(*inner, options, want_labels=want_labels, packed=False)
            kind = "NPZ" if inner else "XLSX"
            if inner:
                with archive_of(data) as archive:
                    table = table_of_arrays(npz_arrays(archive), "NumPy arrays", options, want_labels)
            else:
                need("An Excel file", "excel")
                from calibcore.io.workbooks import read_xlsx

                table = read_xlsx(data, options.header)
        else:
            kind = _BINARY.get(PurePath(name).suffix.lower(), "text")
            table = _read_text_or_json(data, name, options, want_labels)
            options = replace(options, leave_out_rows=())
            if kind != "text":
                table = replace(table, source=f"{table.source} (though the name says {kind})")
    except (InputError, MemoryError, limits.SettingError):
        raise
    except Exception as error:
        if kind == "Parquet" and "crypt" in str(error).lower():  # some of its columns
            raise InputError(_ENCRYPTED_PARQUET) from None
        raise InputError(
            f"The {kind} file is damaged, cut off, or not what it seems. Save or upload it again; "
            f"expected {_KNOWN}."
        ) from None
    check_rows(table.n)
    table = vectors_opened(label_lists_opened(table))
    table = with_distinct_names(table)
    return table.without(options.leave_out_rows)


def _read_text_or_json(data: bytes, name: str, options: ReadOptions, want_labels: bool) -> Table:
    suffix = PurePath(name).suffix.lower()
    if suffix in _BINARY and (b"\0" in data or data.decode(errors="ignore").encode() != data):
        raise InputError(
            f"The name says {_BINARY[suffix]}, but the file does not begin as one: it is damaged or of "
            f"another kind. Expected {_KNOWN}."
        )
    start = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        raise InputError("This is a web page or XML, and no table. Save the table as CSV.")
    if _ARFF.match(data[:100_000]):
        raise InputError("This is an ARFF file, as Weka writes it. Save it as CSV, which Weka can too.")
    if start.startswith((b"[", b"{")):
        try:
            return read_json(data, options, want_labels).without(options.leave_out_rows)
        except InputError:
            if suffix not in (".csv", ".tsv", ".txt", ".tab"):
                raise
    with rows_left_out(options.leave_out_rows):
        return read_text(data, options)


def _unpack_zip(data: bytes) -> tuple[bytes, str] | bool:
    """The only file in a zip with its name; or True for NumPy arrays, False for a workbook."""
    with archive_of(data) as archive:
        files = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
        names = [name for name in files if not name.startswith("__MACOSX")]
        if "xl/workbook.xml" in names:
            return False
        if any(inside.endswith(".npy") for inside in names):
            return True
        if any(inside.endswith(".pkl") for inside in names):
            raise InputError(
                "This is a PyTorch file, which holds a Python pickle; it is never loaded, since it can run "
                "programs. Save the predictions as NPZ, Parquet or CSV."
            )
        if len(names) == 1:
            with archive.open(names[0]) as file:
                return _unpacked(file, len(data)), names[0]
    raise InputError(
        f"The zip file holds {listed(names, 5) or 'nothing'}; expected one table, or arrays saved as NPZ."
    )


def _unpack_gzip(data: bytes, name: str) -> tuple[bytes, str]:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return _unpacked(file, len(data)), PurePath(name).stem
    except (OSError, EOFError, zlib.error):
        raise InputError("The gzip file is damaged or cut off. Save or upload it again.") from None


def _unpacked(file: IO[bytes] | gzip.GzipFile, packed: int) -> bytes:
    """All of a compressed file, in parts: what it declares need not be so."""
    most = limits.LIMITS.max_unpacked_mb * 1_000_000
    out = io.BytesIO()
    while chunk := file.read(1 << 20):
        out.write(chunk)
        check_packing(out.tell(), packed)
        if out.tell() > most:
            raise InputError(
                f"The file has more than {limits.LIMITS.max_unpacked_mb:,} MB when unpacked, which is "
                "the limit (CALIBLENS_MAX_UNPACKED_MB). Use fewer cases or columns, or raise the limit."
            )
    return out.getvalue()
