"""What is fuzzed: bytes in, an assertion out; with the seeds to begin from."""

import gzip
from collections.abc import Callable

from tests.hostile.corpus import NAMES, PIECES, VALID
from tests.hostile.documents import READ, ROW, backup_of, documents, read_document, restore_one
from tests.hostile.readers import read_one


def _readers(data: bytes) -> None:
    """The first byte chooses the name of the file."""
    read_one(data[1:], NAMES[data[0] % len(NAMES)] if data else "")


def _documents(data: bytes) -> None:
    """The first byte chooses the kind."""
    kinds = list(READ)
    read_document(kinds[data[0] % len(kinds)] if data else kinds[0], data[1:].decode("utf-8", "replace"))


def _backups(data: bytes) -> None:
    """An even first byte: the rest is packed first."""
    restore_one(data[1:] if data and data[0] % 2 else gzip.compress(data[1:], 1))


def _any(data: bytes) -> None:
    """The first byte chooses the target."""
    three = (_readers, _documents, _backups)
    three[data[0] % 3 if data else 0](data[1:])


_HEAD, _ROW = gzip.decompress(backup_of(ROW)).split(b"\n")
TARGETS: dict[str, tuple[Callable[[bytes], None], Callable[[], tuple[bytes, ...]], tuple[bytes, ...]]] = {
    "readers": (_readers, lambda: tuple(b"\0" + data for data in VALID), PIECES),
    "documents": (
        _documents,
        lambda: tuple(bytes([i]) + documents()[kind].encode() for i, kind in enumerate(READ)),
        (*PIECES, b'"', b"null", b'"schema": 1', b'"lens": {"kind": "class"}', b"1e999", b"\\u0000"),
    ),
    "backups": (
        _backups,
        lambda: (b"\0" + _HEAD + b"\n" + _ROW, b"\1" + backup_of(ROW)),
        (*PIECES, _HEAD + b"\n", _ROW, b"10", b'"title": "x"'),
    ),
}
TARGETS["any"] = (
    _any,
    lambda: tuple(
        bytes([i]) + seed for i, (_, seeds, _) in enumerate(list(TARGETS.values())[:3]) for seed in seeds()
    ),
    (*PIECES, b'"', b"null", _ROW),
)
