"""Where the store is: SQLite in a folder of the owner's, or PostgreSQL."""

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from calibcore.errors import InputError
from calibcore.store.room import Room
from calibcore.store.rows import StoreError

BUSY_SECONDS = 10


def store_url(database_url: str, folder: Path) -> str:
    """``DATABASE_URL`` as SQLAlchemy wants it; SQLite in ``folder`` where it is empty.

    Raises
    ------
    InputError : another kind of database than PostgreSQL or SQLite, or no URL at all.
    """
    if not database_url:
        return sa.URL.create("sqlite", database=str(folder / "caliblens.sqlite")).render_as_string()
    expected = "expected postgresql://user:password@host/name"
    try:
        url = make_url(database_url)
    except (ArgumentError, ValueError) as error:
        raise InputError(f"DATABASE_URL is no address of a database; {expected}.") from error
    kind = url.drivername.partition("+")[0]
    if kind in ("postgres", "postgresql"):
        if not url.username:
            raise InputError(f"DATABASE_URL names no user; {expected}.")
        if not (url.host or "unix_sock" in url.query):
            raise InputError(f"DATABASE_URL names no host; {expected}.")
        return url.set(drivername="postgresql+pg8000").render_as_string(hide_password=False)
    if kind == "sqlite":
        return url.render_as_string(hide_password=False)
    raise InputError(f"DATABASE_URL names a {kind!r} database; expected postgresql:// or sqlite://.")


def connected(database_url: str, folder: Path) -> tuple[sa.Engine, Room | None]:
    """An engine that connects when it is needed, and the room that is kept on the disk of SQLite.

    Raises
    ------
    InputError : see :func:`store_url`.
    StoreError : the folder cannot be made.
    """
    url = make_url(store_url(database_url, folder))
    if url.get_backend_name() != "sqlite":
        return sa.create_engine(url, pool_pre_ping=True, connect_args={"timeout": BUSY_SECONDS}), None
    room = None
    if url.database and url.database != ":memory:" and not url.database.startswith("file:"):
        path = Path(url.database)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"Reports cannot be kept: the folder {path.parent} cannot be made.") from error
        _private_files(path)
        room = Room(path)
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine, room


def _private_files(path: Path) -> None:
    """For the owner's eyes, whatever the folder is; what SQLite makes beside takes over its rights."""
    with suppress(OSError):  # what is wrong with it, SQLite says
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + ending).chmod(0o600)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """What is confirmed survives a crash and a power cut; what is deleted is overwritten."""
    connection.isolation_level = None  # transactions are begun below, and not by the driver
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            # Another process does so too, and for that SQLite itself does not wait.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
    for pragma in ("synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: sa.Connection) -> None:
    """A writer takes the lock at once: to take it later would fail where another one was quicker."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
