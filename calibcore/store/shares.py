"""Shares: saved under an unguessable token, found by it, revoked by their author's key, gone when expired."""

import hashlib
import hmac
import secrets
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from calibcore.predictions import InputError
from calibcore.store.schema import SHARES, TooNewError, upgrade

TOKEN_BYTES = 32
"""256 bits: twice what nobody can guess."""
MOST_TITLE = 200
MOST_BYTES = 64_000_000
"""Of a page and of a document."""
MOST_SECONDS = 10 * 365 * 86_400
_BUSY_SECONDS = 10


class StoreError(Exception):
    """The store cannot do what it should; the message is one sentence for people."""


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


@dataclass(frozen=True)
class Saved:
    """What only the author gets: the link's token, and the key that revokes it. Neither is stored."""

    token: str
    key: str


def store_url(database_url: str, folder: Path) -> str:
    """``DATABASE_URL`` as SQLAlchemy wants it; SQLite in ``folder`` where it is empty.

    Raises
    ------
    InputError : another kind of database than PostgreSQL or SQLite, or no URL at all.
    """
    if not database_url:
        return sa.URL.create("sqlite", database=str(folder / "caliblens.sqlite")).render_as_string()
    try:
        url = make_url(database_url)
    except ArgumentError as error:
        raise InputError(
            "DATABASE_URL is no address of a database; expected postgresql://user:password@host/name."
        ) from error
    kind = url.drivername.partition("+")[0]
    if kind in ("postgres", "postgresql"):
        return url.set(drivername="postgresql+pg8000").render_as_string(hide_password=False)
    if kind == "sqlite":
        return url.render_as_string(hide_password=False)
    raise InputError(f"DATABASE_URL names a {kind!r} database; expected postgresql:// or sqlite://.")


def open_store(database_url: str, folder: Path) -> "Store":
    """The store, its folder made if need be, its schema upgraded.

    Raises
    ------
    InputError : see :func:`store_url`.
    StoreError : it cannot be reached, or was written by a later version.
    """
    url = make_url(store_url(database_url, folder))
    if url.get_backend_name() == "sqlite":
        if url.database:
            _private_folder(Path(url.database).parent)
        engine = sa.create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
    else:
        engine = sa.create_engine(url, pool_pre_ping=True, connect_args={"timeout": _BUSY_SECONDS})
    return Store(engine)


def _private_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"Reports cannot be kept: the folder {folder} cannot be made.") from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """What is confirmed survives a crash and a power cut; what is deleted is overwritten."""
    connection.isolation_level = None  # transactions are begun below, and not by the driver
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: sa.Connection) -> None:
    """A writer takes the lock at once: to take it later would fail where another one was quicker."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


class Store:
    """Reports under the hashes of their tokens.

    Every method may raise :class:`StoreError`; all may be called from several threads.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        with self._transaction(writes=True) as connection:
            upgrade(connection)

    @contextmanager
    def _transaction(self, writes: bool = False) -> Iterator[sa.Connection]:
        try:
            with self._engine.connect().execution_options(writes=writes) as connection, connection.begin():
                yield connection
        except TooNewError as error:
            raise StoreError(
                f"The store has schema {error}, made by a later version of Caliblens. Use that version."
            ) from error
        except SQLAlchemyError as error:
            raise StoreError("The store of shared reports cannot be reached or written.") from error

    def save(self, share: Share) -> Saved:
        """Keep a report; when this returns, it is on the disk.

        Raises
        ------
        InputError : a title, page or document that is too long, or an expiry that is none.
        """
        _check(share)
        saved = Saved(secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(TOKEN_BYTES))
        row = _row_of(share) | {"token_hash": _hash(saved.token), "key_hash": _hash(saved.key)}
        with self._transaction(writes=True) as connection:
            connection.execute(sa.insert(SHARES).values(row))
        return saved

    def find(self, token: str, now: int) -> Share | None:
        """The report of that token; None alike for one that never was, has expired or was revoked.

        Looked up by its hash: how long that takes says nothing about how much of a guess is right.
        """
        with self._transaction() as connection:
            row = connection.execute(sa.select(SHARES).where(SHARES.c.token_hash == _hash(token))).first()
        if row is None or not hmac.compare_digest(bytes(row.token_hash), _hash(token)) or row.expires <= now:
            return None
        return _share_of(row._asdict())

    def revoke(self, token: str, key: str) -> bool:
        """Delete a report; False, and nothing happens, if there is none or the key is another's."""
        this = SHARES.c.token_hash == _hash(token)
        with self._transaction(writes=True) as connection:
            kept = connection.execute(sa.select(SHARES.c.key_hash).where(this)).scalar()
            if kept is None or not hmac.compare_digest(bytes(kept), _hash(key)):
                return False
            connection.execute(sa.delete(SHARES).where(this))
        self._shrink()
        return True

    def delete_expired(self, now: int) -> int:
        """Delete what has expired; how many reports that were."""
        with self._transaction(writes=True) as connection:
            deleted = connection.execute(sa.delete(SHARES).where(SHARES.c.expires <= now)).rowcount
        if deleted:
            self._shrink()
        return int(deleted)

    def _shrink(self) -> None:
        """With SQLite a deleted report leaves the log of writes too."""
        if self._engine.dialect.name == "sqlite":
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Every row as it is stored, oldest first, one at a time: for a backup."""
        with self._transaction() as connection:
            order = sa.select(SHARES.c.token_hash).order_by(SHARES.c.created, SHARES.c.token_hash)
            for (token,) in connection.execute(order).all():
                yield (
                    connection.execute(sa.select(SHARES).where(SHARES.c.token_hash == token)).one()._asdict()
                )

    def add_rows(self, rows: Iterator[Mapping[str, Any]]) -> int:
        """Rows as :meth:`rows` gives them, all or none; what is there already stays. How many are new."""
        added = 0
        with self._transaction(writes=True) as connection:
            for row in rows:
                this = SHARES.c.token_hash == row["token_hash"]
                if connection.execute(sa.select(SHARES.c.token_hash).where(this)).first() is None:
                    connection.execute(sa.insert(SHARES).values(dict(row)))
                    added += 1
        return added

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()


def _check(share: Share) -> None:
    if len(share.title) > MOST_TITLE:
        raise InputError(f"The title has {len(share.title):,} characters; expected {MOST_TITLE} at most.")
    if not 0 < share.expires - share.created <= MOST_SECONDS:
        raise InputError("The report expires before it is made, or after more than 10 years.")
    for what, text in (("page", share.page), ("document", share.document)):
        if len(text) > MOST_BYTES:
            raise InputError(f"The {what} has {len(text):,} characters; expected {MOST_BYTES:,} at most.")


def _row_of(share: Share) -> dict[str, Any]:
    # PostgreSQL's text holds no NUL, and nothing holds half a surrogate pair.
    title = share.title.replace("\0", "").encode("utf-8", "replace").decode()
    return {
        "title": title,
        "created": share.created,
        "expires": share.expires,
        "fingerprint": share.fingerprint,
        "document": share.document,
        "page": zlib.compress(share.page.encode()),
    }


def _share_of(row: Mapping[str, Any]) -> Share:
    return Share(
        row["title"],
        row["created"],
        row["expires"],
        row["fingerprint"],
        row["document"],
        zlib.decompress(row["page"]).decode(),
    )
