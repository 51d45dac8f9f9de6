"""Shares: saved under an unguessable token, found by it, revoked by their author's key, gone when expired."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from calibcore import limits
from calibcore.store.database import connected
from calibcore.store.room import Room
from calibcore.store.rows import Share, StoreError, check, row_of, share_of
from calibcore.store.schema import EXPIRED, SHARES, TooNewError, upgrade

TOKEN_BYTES = 32
"""256 bits: twice what nobody can guess."""
DAY = 86_400
PIECE = 32_768
"""Bytes of a report that are overwritten at once where there is little room."""
OVERWRITTEN = b"\0"
"""How a page begins that is being deleted: what zlib compressed never does."""
FULL = "The disk of the shared reports is full."
_NO_ROOM = ("disk is full", "No space left", "quota exceeded")
T = TypeVar("T")


class _FullError(Exception):
    """There is no room on the disk."""


@dataclass(frozen=True)
class Listed:
    """A stored report without its content: what names it in the store, and its size in bytes."""

    token_hash: bytes
    title: str
    created: int
    expires: int
    fingerprint: str
    size: int


@dataclass(frozen=True)
class Saved:
    """What only the author gets: the link's token, and the key that revokes it. Neither is stored."""

    token: str
    key: str


def open_store(database_url: str, folder: Path) -> "Store":
    """The store, its folder made if need be, its schema upgraded; it takes as much as the server allows.

    Raises
    ------
    InputError : see :func:`.store_url`.
    StoreError : it cannot be reached, or was written by a later version.
    """
    return Store(*connected(database_url, folder))


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


class Store:
    """Reports under the hashes of their tokens.

    Every method may raise :class:`StoreError`; all may be called from several threads.
    """

    def __init__(self, engine: sa.Engine, room: Room | None) -> None:
        self._engine, self._most, self._room = engine, limits.LIMITS.store_mb * 1_000_000, room
        self._on_a_full_disk(self._upgrade)
        if room is not None:
            room.keep()

    def _upgrade(self) -> None:
        with self.transaction(writes=True) as connection:
            upgrade(connection)

    @contextmanager
    def transaction(self, writes: bool = False) -> Iterator[sa.Connection]:
        """A connection within one transaction; one that ``writes`` waits for those that do.

        Raises
        ------
        StoreError : the store cannot be reached, or its disk is full.
        """
        try:
            with self._engine.connect().execution_options(writes=writes) as connection:
                try:
                    with connection.begin():
                        yield connection
                except (SQLAlchemyError, TooNewError):
                    raise
                except Exception:  # the driver's own: the connection is of no use any more
                    connection.invalidate()  # an answer may be on its way, and not to the next question
                    raise
        except TooNewError as error:
            raise StoreError(
                f"The store has schema {error}, made by a later version of Caliblens. Use that version."
            ) from error
        except Exception as error:  # TimeoutError and KeyError, say, come through from PostgreSQL's driver
            if isinstance(error, _FullError) or any(words in str(error) for words in _NO_ROOM):
                raise StoreError(FULL) from error
            raise StoreError("The store of shared reports cannot be reached or written.") from error

    def _on_a_full_disk(self, act: Callable[[], T]) -> T:
        """Do what makes room, with the room that is kept for it if need be."""
        try:
            return act()
        except StoreError:
            given = self._room.give() if self._room is not None else 0
            if self._room is None or not given:
                raise
        try:
            self._shrink()  # what was saved last may still be in the log of writes, and hold its room twice
            return act()
        finally:
            self._shrink()
            self._room.take_back(given)

    def save(self, share: Share) -> Saved:
        """Keep a report; when this returns, it is on the disk.

        Raises
        ------
        InputError : a title, page or document that is too long, or an expiry that is none.
        StoreError : the store holds as much as it may.
        """
        check(share)
        saved = Saved(secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(TOKEN_BYTES))
        row = row_of(share) | {"token_hash": _hash(saved.token), "key_hash": _hash(saved.key)}
        own = len(row["page"]) + len(row["document"].encode())
        try:
            with self.transaction(writes=True) as connection:
                if self._room is not None and not self._room.is_enough(own, _unused_bytes(connection)):
                    raise _FullError
                size = _stored_bytes(connection) + own
                if size <= self._most:
                    connection.execute(sa.insert(SHARES).values(row))
        except StoreError:
            self._shrink()  # what came of it before the disk was full would fill it
            raise
        if size > self._most:
            raise StoreError(
                f"The store of shared reports is full: this server keeps {self._most // 1_000_000:,} MB of "
                "them. There is room again when some have expired or were deleted."
            )
        self._shrink()
        return saved

    def find(self, token: str, now: int) -> Share | None:
        """The report of that token; None alike for one that never was, has expired or was revoked.

        Looked up by its hash: how long that takes says nothing about how much of a guess is right.

        Raises
        ------
        DamagedError : it is not as it was saved.
        """
        row = self.row(_hash(token))
        if row is None or (isinstance(row["page"], bytes) and row["page"].startswith(OVERWRITTEN)):
            return None
        share = share_of(row)
        right = hmac.compare_digest(row["token_hash"], _hash(token)) and share.expires > now
        return share if right else None

    def revoke(self, token: str, key: str) -> bool:
        """Delete a report; False, and nothing happens, if there is none or the key is another's."""
        this = SHARES.c.token_hash == _hash(token)

        def theirs() -> bool:
            with self.transaction() as connection:
                hash_of_key = connection.execute(sa.select(_raw(SHARES.c.key_hash)).where(this)).scalar()
            return isinstance(hash_of_key, bytes) and hmac.compare_digest(hash_of_key, _hash(key))

        return self._on_a_full_disk(theirs) and self._delete(_hash(token))

    def listed(self, most: int, token: str | None = None) -> tuple["Listed", ...]:
        """What is known of each report without reading it, the newest first, at most so many; with the
        ``token`` of a link only of that which the link leads to."""
        c = SHARES.c
        size = _bytes_of(c.page) + _bytes_of(c.document)
        columns = (c.token_hash, c.title, c.created, c.expires, c.fingerprint, size)
        which = sa.true() if token is None else c.token_hash == _hash(token)
        asked = sa.select(*columns).where(which).order_by(c.created.desc()).limit(most)
        with self.transaction() as connection:
            rows = connection.execute(asked).all()
        return tuple(Listed(*row) for row in rows)

    def remove(self, token_hash: bytes) -> bool:
        """Delete a report without its key, for who looks after the server; False if there is none."""
        return self._delete(token_hash)

    def delete_expired(self, now: int) -> int:
        """Delete what was found expired a day ago or longer, and still is; how many reports that were.

        So a clock that jumps ahead deletes nothing within a day. One by one, as the log of writes grows
        with what a transaction deletes.
        """
        deleted = 0
        for token_hash in self._on_a_full_disk(lambda: self._expired(now)):
            deleted += self._delete(token_hash)
        if self._room is not None:
            self._room.keep()  # there may be more room now than when it was made
        return deleted

    def _delete(self, token_hash: bytes) -> bool:
        """Delete a report; piece by piece where there is too little room to do it at once."""
        try:
            deleted = self._on_a_full_disk(partial(self._deleted, token_hash))
        except StoreError:
            if self._room is None:
                raise
            self._shrink()
            deleted = self._on_a_full_disk(partial(self._deleted_in_pieces, token_hash))
        self._shrink()
        return deleted

    def _expired(self, now: int) -> list[bytes]:
        """Note what has expired by now; what was noted a day ago or longer."""
        this = EXPIRED.c.token_hash
        over = sa.select(SHARES.c.token_hash).where(SHARES.c.expires <= now)
        with self.transaction(writes=True) as connection:
            connection.execute(sa.delete(EXPIRED).where(sa.or_(this.not_in(over), EXPIRED.c.found > now)))
            new = over.where(SHARES.c.token_hash.not_in(sa.select(this)))
            connection.execute(
                sa.insert(EXPIRED).from_select(["token_hash", "found"], new.add_columns(sa.literal(now)))
            )
            due = sa.select(this).where(EXPIRED.c.found <= now - DAY)
            return list(connection.execute(due).scalars())

    def _deleted(self, token_hash: bytes) -> bool:
        with self.transaction(writes=True) as connection:
            done = connection.execute(sa.delete(SHARES).where(SHARES.c.token_hash == token_hash)).rowcount
            connection.execute(sa.delete(EXPIRED).where(EXPIRED.c.token_hash == token_hash))
        return bool(done)

    def _deleted_in_pieces(self, token_hash: bytes) -> bool:
        """With SQLite: the report is overwritten :data:`PIECE` after piece, and then leaves the table, which
        touches a few pages. So the log of writes never holds more than a piece. From the first piece on
        nobody finds it; if this breaks off, its key still deletes it."""
        this = SHARES.c.token_hash == token_hash
        texts = ("page", "document")
        with self.transaction() as connection:
            columns = [sa.literal_column("rowid"), *(_bytes_of(SHARES.c[name]) for name in texts)]
            row = connection.execute(sa.select(*columns).where(this)).first()
        if row is None:
            return False
        for name, size in zip(texts, row[1:], strict=True):
            for start in range(0, size, PIECE):
                self._shrink()
                with self.transaction(writes=True) as connection:
                    sqlite = connection.connection.driver_connection
                    with sqlite.blobopen("shares", name, row[0]) as stored:  # type: ignore[union-attr]
                        stored.seek(start)
                        stored.write(bytes(min(PIECE, size - start)))
        self._shrink()
        with self.transaction(writes=True) as connection:
            connection.exec_driver_sql("PRAGMA secure_delete=OFF")  # else all would be overwritten again
            try:
                connection.execute(sa.delete(SHARES).where(this))
                connection.execute(sa.delete(EXPIRED).where(EXPIRED.c.token_hash == token_hash))
            finally:
                connection.exec_driver_sql("PRAGMA secure_delete=ON")
        return True

    def _shrink(self) -> None:
        """With SQLite a deleted report leaves the log of writes too, and what was saved leaves it while there
        is room; later, where others are reading."""
        if self._engine.dialect.name == "sqlite":
            with suppress(SQLAlchemyError):
                connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
                with connection:
                    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def row(self, token_hash: bytes) -> dict[str, Any] | None:
        """A row as it is stored, of any types that a damaged file may hold; None if there is none."""
        columns = [_raw(column) for column in SHARES.columns]
        with self.transaction() as connection:
            row = connection.execute(sa.select(*columns).where(SHARES.c.token_hash == token_hash)).first()
        return None if row is None else dict(row._mapping)

    def tokens(self) -> list[bytes]:
        """The hashes of all tokens, those of the oldest reports first."""
        order = sa.select(SHARES.c.token_hash).order_by(SHARES.c.created, SHARES.c.token_hash)
        with self.transaction() as connection:
            return list(connection.execute(order).scalars())

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every row as it is stored, oldest first, one at a time."""
        for token_hash in self.tokens():
            if (row := self.row(token_hash)) is not None:
                yield row

    def add_row(self, row: Mapping[str, Any]) -> bool:
        """A row as :meth:`row` gives it; False, and nothing happens, if it is there already."""
        with self.transaction(writes=True) as connection:
            this = SHARES.c.token_hash == row["token_hash"]
            if connection.execute(sa.select(SHARES.c.token_hash).where(this)).first() is not None:
                return False
            connection.execute(sa.insert(SHARES).values(dict(row)))
        return True

    def check(self) -> None:
        """Read as little as can be. Raises :class:`StoreError` where even that cannot be done."""
        with self.transaction() as connection:
            connection.execute(sa.select(SHARES.c.created).limit(1)).first()

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()


def _raw(column: "sa.Column[Any]") -> "sa.ColumnElement[Any]":
    """As the driver gives it: a damaged row is looked at, and no error of SQLAlchemy's."""
    return sa.type_coerce(column, sa.types.NullType()).label(column.name)


def _bytes_of(column: "sa.Column[Any]") -> "sa.ColumnElement[int]":
    """Of what SQLite can overwrite in place; a damaged file may hold a number there."""
    kind = sa.func.typeof(column)
    return sa.case((kind.in_(("text", "blob")), sa.func.length(sa.cast(column, sa.BLOB))), else_=0)


def _page_size(connection: sa.Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA page_size").scalar_one())


def _unused_bytes(connection: sa.Connection) -> int:
    """Of SQLite's file: what was deleted, and is used again for what is saved."""
    return int(connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()) * _page_size(connection)


def _stored_bytes(connection: sa.Connection) -> int:
    """Bytes that the store takes."""
    if connection.dialect.name == "sqlite":
        pages = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        return pages * _page_size(connection) - _unused_bytes(connection)
    size = sa.func.pg_column_size(SHARES.c.page) + sa.func.pg_column_size(SHARES.c.document)
    return int(connection.execute(sa.select(sa.func.coalesce(sa.func.sum(size), 0))).scalar_one())
