"""ZIP archives in memory, as NPZ and XLSX are too: what cannot be unpacked is one sentence."""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Literal

from calibcore.errors import InputError
from calibcore.io.tables import check_declared
from calibcore.wording import quote

_ENCRYPTED = 0x1
_PACKINGS = {
    zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA,
}  # fmt: skip
_NAMED = {1: "shrink", 6: "implode", 9: "Deflate64", 93: "Zstandard", 95: "xz", 97: "WavPack", 98: "PPMd"}
"""Methods that other programs write, by their numbers in ZIP (APPNOTE 4.4.5)."""
_ZSTANDARD = 93
_HEADER = struct.Struct("<4s22xHH")
"""Of a file in an archive: how it begins, and how long its name is and what stands behind that."""
_MOST_ENTRIES = 20_000
"""Files in an archive: more than the epochs of a run, or than arrays that become columns."""
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, NotImplementedError,
    RuntimeError,
)  # fmt: skip
"""What Python raises for an archive that is damaged, cut off, or needs what it does not have."""


class Archive(zipfile.ZipFile):
    """A ZIP whose files are only opened where they can be unpacked."""

    opened_last = ""

    def open(
        self,
        name: str | zipfile.ZipInfo,
        mode: Literal["r", "w"] = "r",
        pwd: bytes | None = None,
        **more: Any,
    ) -> IO[bytes]:
        """As :class:`zipfile.ZipFile`; InputError for what is encrypted or packed in an unknown way."""
        entry = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        self.opened_last = entry.filename
        where = f"{quote(entry.filename)} in the archive"
        if entry.flag_bits & _ENCRYPTED or entry.compress_type == 99:
            raise InputError(f"{where} is encrypted. Save it without a password.")
        if entry.compress_type not in _PACKINGS:
            known = _NAMED.get(entry.compress_type)
            method = f"{entry.compress_type}{f' ({known})' if known else ''}"
            raise InputError(
                f"{where} is packed by method {method}, which is not known here. Save it without "
                "compression, or as an ordinary ZIP."
            )
        return super().open(entry, mode, pwd, **more)

    def unpacked(self, name: str) -> bytes:
        """All of a file, also of one packed by Zstandard, as newer logs are.

        Its size was checked as it is declared (:func:`archive_of`), and what unpacks to more is damaged.
        """
        entry = self.getinfo(name)
        if entry.compress_type != _ZSTANDARD or entry.flag_bits & _ENCRYPTED or self.fp is None:
            with self.open(name) as file:
                return file.read(entry.file_size + 1)[: entry.file_size]
        import pyarrow as pa

        self.opened_last = entry.filename
        self.fp.seek(entry.header_offset)
        header = self.fp.read(_HEADER.size)
        magic, name_length, more_length = _HEADER.unpack(header)
        if magic != b"PK\x03\x04":
            raise zipfile.BadZipFile
        self.fp.seek(name_length + more_length, 1)
        packed = self.fp.read(entry.compress_size)
        try:
            complete: bytes = pa.Codec("zstd").decompress(packed, entry.file_size, asbytes=True)
        except (pa.ArrowException, OSError, ValueError):
            raise zipfile.BadZipFile from None
        if zlib.crc32(complete) != entry.CRC:
            raise zipfile.BadZipFile
        return complete


@contextmanager
def archive_of(data: bytes, kind: type[Archive] = Archive) -> Iterator[Archive]:
    """The archive that these bytes are, and their sizes checked.

    Inside, what Python raises for damage becomes :class:`InputError`, which names the file in the archive.
    """
    archive: Archive | None = None
    try:
        with kind(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > _MOST_ENTRIES:
                raise InputError(
                    f"The archive holds {len(entries):,} files; the limit is {_MOST_ENTRIES:,}. Use fewer."
                )
            check_declared(sum(max(entry.file_size, 0) for entry in entries), len(data))
            yield archive
    except _BROKEN as error:
        if isinstance(error, RecursionError):
            raise
        where = f"{quote(archive.opened_last)} in the archive" if archive and archive.opened_last else ""
        raise InputError(
            f"{where or 'The zip file'} is damaged or cut off. Save or upload it again."
        ) from None
