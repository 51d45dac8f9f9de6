"""A report and its row in the store: what may be saved, what was saved, and what is damaged."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibcore.errors import InputError
from calibcore.store.schema import SHARES

MOST_TITLE = 200
MOST_BYTES = 64_000_000
"""Of a page and of a document, as UTF-8."""
MOST_STORED = 4 * MOST_BYTES
"""The same of what is in the store already: earlier versions counted characters."""
MOST_SECONDS = 10 * 365 * 86_400
HASH_BYTES = 32


class StoreError(Exception):
    """The store cannot do what it should; the message is one sentence for people."""


class DamagedError(StoreError):
    """A stored report is not as it was saved."""

    def __init__(self) -> None:
        super().__init__("The stored report is damaged.")


@dataclass(frozen=True)
class Share:
    """A finished report: what the link shows, and the document that it was made from.

    created, expires : whole seconds since 1970, UTC
    fingerprint : of the predictions, so that a reviewer's file can be compared
    document : the report as JSON; page : the same as HTML
    """

    title: str
    created: int
    expires: int
    fingerprint: str
    document: str
    page: str


def check(share: Share) -> None:
    """Raises :class:`.InputError` if it is not to be saved."""
    if len(share.title) > MOST_TITLE:
        raise InputError(f"The title has {len(share.title):,} characters; expected {MOST_TITLE} at most.")
    if not 0 < share.expires - share.created <= MOST_SECONDS:
        raise InputError("The report expires before it is made, or after more than 10 years.")
    for what, text in (("page", share.page), ("document", share.document)):
        if (size := len(text.encode("utf-8", "replace"))) > MOST_BYTES:
            raise InputError(f"The {what} has {size:,} bytes; expected {MOST_BYTES:,} at most.")


def row_of(share: Share) -> dict[str, Any]:
    """All of a row but for the hashes."""
    return {
        "title": _storable(share.title),
        "created": share.created,
        "expires": share.expires,
        "fingerprint": share.fingerprint,
        "document": _storable(share.document),
        "page": zlib.compress(share.page.encode("utf-8", "replace")),
    }


def _storable(text: str) -> str:
    """PostgreSQL's text holds no NUL, and nothing holds half a surrogate pair."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def share_of(row: Mapping[str, Any]) -> Share:
    """The report of a stored row.

    Raises
    ------
    DamagedError : it is none.
    """
    try:
        if (
            any(type(row[column.name]) is not column.type.python_type for column in SHARES.columns)
            or any(len(row[name]) != HASH_BYTES for name in ("token_hash", "key_hash"))
            or any("\0" in text for text in row.values() if isinstance(text, str))
        ):
            raise DamagedError
        page = zlib.decompressobj()
        document = page.decompress(row["page"], MOST_STORED).decode()
        if not page.eof:
            raise DamagedError
        row["title"].encode(), row["document"].encode(), row["fingerprint"].encode()
    except (ValueError, LookupError, zlib.error) as error:
        raise DamagedError from error
    return Share(row["title"], row["created"], row["expires"], row["fingerprint"], row["document"], document)
