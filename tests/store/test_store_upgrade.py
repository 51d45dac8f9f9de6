"""A store is made by its steps; of a later version it is left alone; a step that fails changes nothing."""

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import op

from calibcore.store import Share, StoreError, open_store, schema

SHARES = [Share("Model – Modèle", 100, 2_000, "0" * 64, '{"schema": 1}', "<p>± é</p>" * 9)]


def test_a_step_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = op.create_table

    def breaks(name: str, *columns: sa.Column[object]) -> sa.Table:
        if name == "expired":
            raise sa.exc.SQLAlchemyError("the disk is full")
        return made(name, *columns)

    with monkeypatch.context() as patch:
        patch.setattr(op, "create_table", breaks)
        with pytest.raises(StoreError):
            open_store("", tmp_path)
    left = sqlite3.connect(tmp_path / "caliblens.sqlite")
    assert left.execute("SELECT name FROM sqlite_master WHERE name = 'shares'").fetchall() == []
    left.close()
    store = open_store("", tmp_path)
    saved = store.save(SHARES[0])
    assert store.find(saved.token, 1_000) == SHARES[0]
    store.close()


def test_a_store_of_a_later_version_is_refused_and_kept(tmp_path: Path) -> None:
    store = open_store("", tmp_path)
    saved = store.save(SHARES[0])
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreError, match="later version"):
        open_store("", tmp_path)
    later = sqlite3.connect(tmp_path / "caliblens.sqlite")
    later.execute("UPDATE alembic_version SET version_num = '0001'")
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
    assert {index["name"] for index in found.get_indexes("shares")} == {"ix_shares_expires"}
    assert set(found.get_table_names()) == {"alembic_version", *schema.METADATA.tables}
    store.close()
