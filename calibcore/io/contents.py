"""The bytes of a file -> :class:`Table`: which format they are of, packed or not, and what is not read.

The format is found by content first, by name second.
"""

import gzip
import io
import re
import zlib
from dataclasses import replace
from pathlib import PurePath
from typing import IO

from calibcore import limits
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.io.archives import Archive, archive_of
from calibcore.io.dialects import label_lists_opened, vectors_opened
from calibcore.io.doubled import with_distinct_names
from calibcore.io.formats import FORMATS, Content, Format, expected
from calibcore.io.options import ReadOptions
from calibcore.io.roles.varying_options import with_options_filled
from calibcore.io.tables import Table, check_packing, check_rows, check_size
from calibcore.io.turning import turned_table
from calibcore.wording import listed

_ARFF = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s*+%[^\n]*+\n|\s++)*+@relation\b", re.IGNORECASE)
ZIP, _GZIP = (b"PK\x03\x04", b"PK\x05\x06"), b"\x1f\x8b"
"""How packed files begin."""
_PACKED = {".gz": "gzip", ".zip": "zip"}
_OLE, _ENCRYPTED_WORKBOOK = b"\xd0\xcf\x11\xe0", "EncryptedPackage".encode("utf-16-le")
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
    _refuse_others(data)
    turn = options.transpose and not want_labels
    # What has a row a class has its cases only once it is turned.
    content = Content(data, name, replace(options, leave_out_rows=()) if turn else options, want_labels)
    what = "text"
    form = next((form for form in FORMATS.values() if not form.text and form.begins(data)), None)
    try:
        if form is None and data.startswith((*ZIP, _GZIP)):
            what = "gzip" if data.startswith(_GZIP) else "zip"
            if not packed:
                raise InputError("The file is compressed twice. Unpack it first.")
            inner = _unpack_zip(data) if what == "zip" else _unpack_gzip(data, name)
            if isinstance(inner, tuple):
                return read_table(*inner, options, want_labels=want_labels, packed=False)
            form = inner
        if form is not None:
            what = form.label
            table = _read_as(form, content)
        else:
            promised = _promised(name)
            what = promised or what
            table = _read_text(content, promised)
            if not turn:
                options = replace(options, leave_out_rows=())
    except (InputError, MemoryError, limits.SettingError):
        raise
    except Exception as error:
        raise InputError(
            (form.refusal(error) if form is not None else "")
            or f"The {what} file is damaged, cut off, or not what it seems. Save or upload it again; "
            f"expected {expected()}."
        ) from None
    check_rows(table.n)
    if turn and not table.turned:
        table = turned_table(table)
    if options.by_length and not table.by_length and not want_labels:
        raise InputError(
            "Log-likelihoods are to be divided by lengths, and the file is no log that holds both. "
            "Expected a log such as samples of lm-evaluation-harness."
        )
    table = vectors_opened(label_lists_opened(table))
    table = with_distinct_names(table)
    if not want_labels:
        table = with_options_filled(table)
    return table.without(options.leave_out_rows)


def _refuse_others(data: bytes) -> None:
    """InputError for what is known and not read."""
    if data.startswith(_OLE) and _ENCRYPTED_WORKBOOK in data:
        raise InputError("This is an Excel workbook with a password. Save it without one.")
    for magic, what, advice in _REFUSED:
        if data.startswith(magic):
            raise InputError(f"This is {what}. {advice}.")


def _promised(name: str) -> str:
    """What a name says that the file is, where that is no text; else empty."""
    ending = PurePath(name).suffix.lower()
    called = (form.called(ending) for form in FORMATS.values() if not form.text and ending in form.endings)
    return _PACKED.get(ending) or next(called, "")


def _read_as(form: type[Format], content: Content) -> Table:
    if form.extra:
        word = form.common or form.label
        need(f"{'An' if word[0] in 'AEIOU' else 'A'} {word} file", form.extra)
    if form.weight > 1:
        times = "double" if form.weight == 2 else f"{form.weight} times"
        check_size(form.weight * len(content.data), f"As {form.label}, which counts {times}, the file has")
    return form.read(content)


def _read_text(content: Content, promised: str) -> Table:
    """Text of any format; ``promised``: what its name says that it is, though it is text."""
    data = content.data
    if promised and (b"\0" in data or data.decode(errors="ignore").encode() != data):
        raise InputError(
            f"The name says {promised}, but the file does not begin as one: it is damaged or of "
            f"another kind. Expected {expected()}."
        )
    start = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        raise InputError("This is a web page or XML, and no table. Save the table as CSV.")
    if _ARFF.match(data[:100_000]):
        raise InputError("This is an ARFF file, as Weka writes it. Save it as CSV, which Weka can too.")
    forms = [form for form in FORMATS.values() if form.text and form.begins(start)]
    forms.sort(key=lambda form: -max(map(len, form.magic)))  # what may begin with anything comes last
    ending = PurePath(content.name).suffix.lower()
    for i, form in enumerate(forms):
        try:
            table = _read_as(form, content)
            break
        except InputError:
            if not any(ending in other.endings for other in forms[i + 1 :]):
                raise
    return replace(table, source=f"{table.source} (though the name says {promised})") if promised else table


def _unpack_zip(data: bytes) -> tuple[bytes, str] | type[Format]:
    """The only file in a zip with its name; or the format of which the whole archive is one file."""
    with archive_of(data) as archive:
        files = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
        names = [name for name in files if not name.startswith("__MACOSX")]
        # A workbook may hold anything: a whole name says more than how one ends.
        archives: list[type[Format]] = [form for form in FORMATS.values() if form.inside]
        for says in (str.__eq__, str.endswith):
            for form in archives:
                if any(says(inside, form.inside) for inside in names):
                    return form
        if any(inside.endswith(".pkl") for inside in names):
            raise InputError(
                "This is a PyTorch file, which holds a Python pickle; it is never loaded, since it can run "
                "programs. Save the predictions as NPZ, Parquet or CSV."
            )
        if _HEADER in names:
            return _joined_log(archive, names), "log.json"
        if len(names) == 1:
            with archive.open(names[0]) as file:
                return _unpacked(file, len(data)), names[0]
    raise InputError(
        f"The zip file holds {listed(names, 5) or 'nothing'}; expected one table, or arrays saved as NPZ."
    )


_HEADER, _SAMPLES = "header.json", "samples/"
"""Of a log of Inspect, ``.eval``: what the task was, and where each sample is."""


def _joined_log(archive: Archive, names: list[str]) -> bytes:
    """A log of Inspect as one JSON: an object with a header, and a list of samples."""
    samples = sorted(name for name in names if name.startswith(_SAMPLES) and name.endswith(".json"))
    header = archive.unpacked(_HEADER).strip()
    if not header.startswith(b"{") or not header.endswith(b"}") or not samples:
        raise InputError(
            "The archive has the header of an evaluation and no samples. Expected a whole log of Inspect."
        )
    parts = b",".join(archive.unpacked(name) for name in samples)
    begin = header[:-1] + (b"," if header[1:-1].strip() else b"")
    return begin + b'"samples":[' + parts + b"]}"


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
