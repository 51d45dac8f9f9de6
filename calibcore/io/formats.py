"""Bytes -> :class:`Table`: the format is found by content first, by name second."""

import gzip
import io
import zipfile
from dataclasses import replace
from pathlib import PurePath
from typing import IO

from calibcore import limits
from calibcore.data.checks import rows_left_out
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.io.arrays import read_npy, read_npz
from calibcore.io.arrow import read_ipc, read_parquet
from calibcore.io.dialects import vectors_opened
from calibcore.io.documents import read_json
from calibcore.io.options import ReadOptions
from calibcore.io.tables import Table, check_names, check_packing, check_rows, check_size, listed
from calibcore.io.text import read_text

_KNOWN = "CSV or other text, Parquet, Feather, NPZ, NPY, JSON or XLSX"
_BINARY = {
    ".parquet": "Parquet", ".pq": "Parquet", ".feather": "Feather", ".arrow": "Arrow", ".ipc": "Arrow",
    ".npz": "NPZ", ".npy": "NPY", ".xlsx": "XLSX", ".gz": "gzip", ".zip": "zip",
}  # fmt: skip
_REFUSED = (
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)", "Save it as XLSX or CSV"),
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
                with zipfile.ZipFile(io.BytesIO(data)) as archive:
                    table = read_npz(archive, options, want_labels)
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
    except Exception:
        raise InputError(
            f"The {kind} file is damaged, cut off, or not what it seems. Save or upload it again; "
            f"expected {_KNOWN}."
        ) from None
    check_rows(table.n)
    table = vectors_opened(table)
    check_names(table.names)
    return table.without(options.leave_out_rows)


def _read_text_or_json(data: bytes, name: str, options: ReadOptions, want_labels: bool) -> Table:
    suffix = PurePath(name).suffix.lower()
    if suffix in _BINARY and (b"\0" in data or not _is_utf8(data)):
        raise InputError(
            f"The name says {_BINARY[suffix]}, but the file does not begin as one: it is damaged or of "
            f"another kind. Expected {_KNOWN}."
        )
    start = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        raise InputError("This is a web page or XML, and no table. Save the table as CSV.")
    if start.startswith((b"[", b"{")):
        try:
            return read_json(data, options, want_labels).without(options.leave_out_rows)
        except InputError:
            if suffix not in (".csv", ".tsv", ".txt", ".tab"):
                raise
    with rows_left_out(options.leave_out_rows):
        return read_text(data, options)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _unpack_zip(data: bytes) -> tuple[bytes, str] | bool:
    """The only file in a zip with its name; or True for NumPy arrays, False for a workbook."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.filename.startswith("__MACOSX")]
        size = sum(max(entry.file_size, 0) for entry in archive.infolist())
        check_size(size, "The file declares")
        check_packing(size, len(data))
        names = [entry.filename for entry in entries if not entry.is_dir()]
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
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        return _unpacked(file, len(data)), PurePath(name).stem


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
