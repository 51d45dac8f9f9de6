"""All shares as one file and back, whatever the database: links keep working after a restore or a move."""

import base64
import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibcore.errors import InputError
from calibcore.store.rows import MOST_BYTES, DamagedError, StoreError, share_of
from calibcore.store.schema import SHARES
from calibcore.store.shares import Store

FORMAT = 1
_LONGEST = 8 * MOST_BYTES
"""Bytes of a line: a document of nothing but control characters takes six for each."""
_BYTES = ("token_hash", "key_hash", "page")
_LARGEST = 2**63
"""Of whole numbers in a database."""


@dataclass(frozen=True)
class Copied:
    """What came over: so many reports, those left out as they are damaged, and whether the file was whole."""

    reports: int
    damaged: int = 0
    complete: bool = True


def backup(store: Store, path: Path) -> Copied:
    """Write every share to ``path`` (compressed lines of JSON, for the owner's eyes).

    The file is there whole or not at all: it is written beside, read again as a restore would, and moved.

    Raises
    ------
    InputError : the file cannot be written, or does not hold what was written.
    StoreError : the store cannot be reached.
    """
    beside = path.with_name(path.name + ".part")
    try:
        written = _written(store, beside)
        if _copied(beside, lambda _: True) != Copied(written.reports):
            raise InputError(f"The backup {str(path)!r} does not hold what was written: check the disk.")
        beside.replace(path)
    except OSError as error:
        raise InputError(f"The backup {str(path)!r} cannot be written: {error.strerror}.") from error
    finally:
        beside.unlink(missing_ok=True)
    return written


def _written(store: Store, path: Path) -> Copied:
    reports = damaged = 0
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as out:
            out.write(json.dumps({"caliblens-shares": FORMAT}).encode() + b"\n")
            for token_hash in store.tokens():
                try:
                    row = store.row(token_hash)
                    if row is not None:  # else it was taken back meanwhile
                        out.write(_line(row) + b"\n")
                        reports += 1
                except DamagedError:
                    damaged += 1
                except StoreError:
                    store.tokens()  # if it answers no more, that is no damage
                    damaged += 1
        file.flush()
        os.fsync(file.fileno())
    return Copied(reports, damaged)


def restore(store: Store, path: Path) -> Copied:
    """Add the shares of a backup, one by one; those that are there already stay. How many are new.

    Raises
    ------
    InputError : the file cannot be read, or is no backup.
    StoreError : the store cannot be reached; what was added until then stays, and a restore can be repeated.
    """
    copied = _copied(path, store.add_row)
    if copied is None:
        raise InputError(f"The backup {str(path)!r} cannot be read, or is not whole.")
    return copied


def _copied(path: Path, add: Callable[[dict[str, Any]], bool]) -> Copied | None:
    """What of a backup ``add`` takes, row by row; None for a file of which nothing can be read."""
    reports = damaged = 0
    begun = False
    try:
        with gzip.open(path, "rb") as file:
            _header(file, path)
            begun = True
            for row in _rows(file):
                if row is None:
                    damaged += 1
                else:
                    reports += add(row)
    except (OSError, EOFError, zlib.error):
        return Copied(reports, damaged, complete=False) if begun else None
    return Copied(reports, damaged)


def _header(file: gzip.GzipFile, path: Path) -> None:
    try:
        first = json.loads(file.readline(_LONGEST) or b"null")
    except (ValueError, RecursionError):
        first = None
    if not isinstance(first, dict) or first.get("caliblens-shares") != FORMAT:
        raise InputError(f"{str(path)!r} is no backup of shared reports of this version.")


def _rows(file: gzip.GzipFile) -> Iterator[dict[str, Any] | None]:
    """Each row, None for one that is damaged."""
    while line := file.readline(_LONGEST):
        complete = len(line) < _LONGEST or line.endswith(b"\n")
        while not complete and (rest := file.readline(_LONGEST)):
            complete = rest.endswith(b"\n")
            line = b""
        yield _row(line)


def _line(row: Mapping[str, Any]) -> bytes:
    share_of(row)
    values = {
        name: base64.b64encode(value).decode() if name in _BYTES else value for name, value in row.items()
    }
    return json.dumps(values, ensure_ascii=False).encode()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object each of whose keys stands once."""
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError
    return values


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        values = json.loads(line, object_pairs_hook=_once)
        row = {column.name: values[column.name] for column in SHARES.columns}
        row |= {name: base64.b64decode(row[name], validate=True) for name in _BYTES}
        share_of(row)
        if any(abs(row[name]) >= _LARGEST for name in ("created", "expires")):
            return None
    except (ValueError, LookupError, TypeError, RecursionError, DamagedError):
        return None
    return row
