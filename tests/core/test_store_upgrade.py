"""A store of an earlier version opens with nothing lost; one of a later version is left alone.

``tests/data/store-0001.sqlite`` was written by schema 0001 with :func:`write_old`: three shares whose tokens
are "token-0" to "token-2" and whose keys are "key-0" to "key-2".
"""

import hashlib
import shutil
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from calibcore.store import Share, StoreError, open_store, schema
from tests import postgres

OLD = Path(__file__).parents[1] / "data" / "store-0001.sqlite"
SHARES = [
    Share(
        f"Model {i} – Modèle",
        100 + i,
        2_000 + i,
        str(i) * 64,
        f'{{"schema": 1, "n": {i}}}',
        f"<p>{i} ± é</p>" * 9,
    )
    for i in range(3)
]


def write_old(connection: sa.Connection) -> None:
    """Schema 0001 with three shares, as that version wrote them."""
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "0001")
    for i, share in enumerate(SHARES):
        hashes = [hashlib.sha256(f"{word}-{i}".encode()).digest() for word in ("token", "key")]
        row = dict(zip(("token_hash", "key_hash"), hashes, strict=True)) | vars(share)
        names = ", ".join(row)
        connection.execute(
            sa.text(f"INSERT INTO shares ({names}) VALUES ({', '.join(':' + name for name in row)})"), row
        )


def _check(url: str, folder: Path) -> None:
    store = open_store(url, folder)
    for i, share in enumerate(SHARES):
        assert store.find(f"token-{i}", 1_000) == share
    assert not store.revoke("token-0", "key-1")
    assert store.revoke("token-0", "key-0")
    assert store.find("token-0", 1_000) is None
    store.close()
    again = open_store(url, folder)
    assert again.find("token-1", 1_000) == SHARES[1]
    again.close()


def test_the_stored_old_store_opens_with_nothing_lost(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / "caliblens.sqlite")
    with sqlite3.connect(OLD) as before:
        assert before.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
    before.close()
    _check("", tmp_path)
    after = sqlite3.connect(tmp_path / "caliblens.sqlite")
    names = [row[1] for row in after.execute("PRAGMA table_info(shares)")]
    indexes = [row[1] for row in after.execute("PRAGMA index_list(shares)")]
    after.close()
    assert set(names) == {column.name for column in schema.SHARES.columns}
    assert "ix_shares_expires" in indexes


def test_an_old_store_in_postgresql_too(tmp_path: Path) -> None:
    with postgres.running() as url:
        engine = sa.create_engine(url.replace("postgresql:", "postgresql+pg8000:"))
        with engine.begin() as connection:
            write_old(connection)
        engine.dispose()
        _check(url, tmp_path)


def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import zlib

    shutil.copy(OLD, tmp_path / "caliblens.sqlite")
    done: list[int] = []

    def breaks(_data: bytes) -> bytes:
        if done:
            raise sa.exc.SQLAlchemyError("the disk is full")
        done.append(1)
        return b"x"

    with monkeypatch.context() as patch:
        patch.setattr(zlib, "compress", breaks)
        with pytest.raises(StoreError):
            open_store("", tmp_path)
    _check("", tmp_path)


def test_a_store_of_a_later_version_is_refused_and_kept(tmp_path: Path) -> None:
    store = open_store("", tmp_path)
    saved = store.save(SHARES[0])
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreError, match="later version"):
        open_store("", tmp_path)
    later = sqlite3.connect(tmp_path / "caliblens.sqlite")
    later.execute("UPDATE alembic_version SET version_num = '0003'")
    later.commit()
    later.close()
    store = open_store("", tmp_path)
    assert store.find(saved.token, 1_000) == SHARES[0]
    store.close()


def test_the_schema_in_code_is_what_the_steps_make(tmp_path: Path) -> None:
    store = open_store("", tmp_path)
    found = sa.inspect(store._engine)
    columns = {
        column["name"]: (column["nullable"], str(column["type"])) for column in found.get_columns("shares")
    }
    expected = {
        column.name: (column.nullable, str(column.type.compile(store._engine.dialect)))
        for column in schema.SHARES.columns
    }
    assert columns == expected
    store.close()
