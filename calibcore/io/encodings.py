"""Encodings of text -> UTF-8."""

import codecs

from calibcore.errors import InputError

_WESTERN = frozenset("€‚„…‰‘’“”•–—™\xa0¡£§©«°±²³´µ·¹»¼½¾¿×÷")
"""Signs, beside letters, of names and notes in Windows-1252."""


def as_utf8(data: bytes) -> tuple[bytes, str]:
    """UTF-8 without its mark, and what to say about the encoding."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode(), ", in UTF-16"
        except UnicodeError:
            raise InputError("The file begins as UTF-16 but is damaged. Save it as UTF-8.") from None
    data = data.removeprefix(codecs.BOM_UTF8)
    zero = data.find(b"\0")
    if zero >= 0:
        raise InputError(
            f"The file holds a zero byte at byte {zero + 1:,}, so it is no text in UTF-8 and in no other "
            "format known here. Save it as CSV in UTF-8, Parquet, Feather, NPZ, JSON or XLSX."
        )
    if data.isascii():
        return data, ""
    try:
        codecs.decode(data, "utf-8")
    except UnicodeDecodeError as error:
        return _as_western(data, error.start), ", in Windows-1252"
    return data, ""


def _as_western(data: bytes, first: int) -> bytes:
    """Text as spreadsheets of Western Europe save it, in UTF-8; ``first``: the byte that is not UTF-8."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        text = "\N{REPLACEMENT CHARACTER}"
    damaged = not data.decode("utf-8", "ignore").isascii()  # letters of UTF-8 stand beside
    if not damaged and all(char.isascii() or char.isalpha() or char in _WESTERN for char in set(text)):
        return text.encode()
    line = data.count(b"\n", 0, first) + 1
    raise InputError(
        f"Byte {first + 1:,} (line {line:,}) is 0x{data[first]:02x}, which is not UTF-8. "
        "Save the file as UTF-8."
    )
