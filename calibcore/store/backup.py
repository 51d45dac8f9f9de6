"""All shares as one file and back, whatever the database: links keep working after a restore or a move."""

import base64
import gzip
import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibcore.predictions import InputError
from calibcore.store.schema import SHARES
from calibcore.store.shares import MOST_BYTES, Store

FORMAT = 1
_HASH = 32
_LONGEST = 3 * MOST_BYTES
"""Bytes of a line."""
_BYTES = ("token_hash", "key_hash", "page")


def backup(store: Store, path: Path) -> int:
    """Write every share to ``path`` (compressed lines of JSON, for the owner's eyes); how many there are.

    The file is there whole or not at all: it is written beside and moved.

    Raises
    ------
    InputError : the file cannot be written.
    StoreError : the store cannot be reached.
    """
    beside = path.with_name(path.name + ".part")
    number = 0
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as out:
                out.write(json.dumps({"caliblens-shares": FORMAT}).encode() + b"\n")
                for row in store.rows():
                    out.write(_line(row) + b"\n")
                    number += 1
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise InputError(f"The backup {str(path)!r} cannot be written: {error.strerror}.") from error
    return number


def restore(store: Store, path: Path) -> int:
    """Add the shares of a backup, all or none; those that are there already stay. How many are new.

    Raises
    ------
    InputError : the file cannot be read, or is no backup.
    StoreError : the store cannot be reached.
    """
    try:
        with gzip.open(path, "rb") as lines:
            first = json.loads(lines.readline(_LONGEST) or b"null")
            if not isinstance(first, dict) or first.get("caliblens-shares") != FORMAT:
                raise InputError(f"{str(path)!r} is no backup of shared reports of this version.")
            return store.add_rows(map(_row, iter(lambda: lines.readline(_LONGEST), b"")))
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"The backup {str(path)!r} cannot be read, or is not whole.") from error
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
        raise InputError(f"The backup {str(path)!r} is damaged; nothing was restored.") from error


def _line(row: Mapping[str, Any]) -> bytes:
    values = {
        name: base64.b64encode(value).decode() if name in _BYTES else value for name, value in row.items()
    }
    return json.dumps(values, ensure_ascii=False).encode()


def _row(line: bytes) -> dict[str, Any]:
    values = json.loads(line)
    row = {column.name: values[column.name] for column in SHARES.columns}
    row |= {name: base64.b64decode(row[name], validate=True) for name in _BYTES}
    for column in SHARES.columns:
        if type(row[column.name]) is not column.type.python_type:
            raise TypeError
    page = zlib.decompressobj()
    whole = page.decompress(row["page"], MOST_BYTES * 4).decode()
    if not page.eof or any(len(row[name]) != _HASH for name in ("token_hash", "key_hash")):
        raise ValueError
    if len(whole) > MOST_BYTES or any("\0" in text for text in row.values() if isinstance(text, str)):
        raise ValueError
    return row
