"""All shares as one file and back, whatever the database: links keep working after a restore or a move."""

import base64
import gzip
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibcore.predictions import InputError
from calibcore.store.schema import SHARES
from calibcore.store.shares import Store

FORMAT = 1
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
            first = json.loads(next(lines, b"null"))
            if not isinstance(first, dict) or first.get("caliblens-shares") != FORMAT:
                raise InputError(f"{str(path)!r} is no backup of shared reports of this version.")
            return store.add_rows(_row(line) for line in lines)
    except (OSError, EOFError) as error:
        raise InputError(f"The backup {str(path)!r} cannot be read, or is not whole.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"The backup {str(path)!r} is damaged; nothing was restored.") from error


def _line(row: Mapping[str, Any]) -> bytes:
    values = {
        name: base64.b64encode(value).decode() if name in _BYTES else value for name, value in row.items()
    }
    return json.dumps(values, ensure_ascii=False).encode()


def _row(line: bytes) -> dict[str, Any]:
    values = json.loads(line)
    row = {column.name: values[column.name] for column in SHARES.columns}
    return row | {name: base64.b64decode(row[name], validate=True) for name in _BYTES}
