"""A backup holds all that is whole and comes back whole; what is damaged is counted and left out."""

import gzip
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibcore.errors import InputError
from calibcore.store import DamagedError, Store, StoreError, open_store, rows
from calibcore.store import backup as module
from calibcore.store.backup import Copied, backup, restore
from calibcore.store.rows import MOST_BYTES
from tests.store.stores import SHARE, server, store

__all__ = ["server", "store"]


@pytest.mark.some(1)
def test_a_backup_comes_back_whole_in_another_database(store: Store, tmp_path: Path) -> None:
    saved = [store.save(replace(SHARE, title=f"share {i}", created=i, page="x" * i)) for i in range(1, 6)]
    file = tmp_path / "shares.backup"
    assert backup(store, file) == Copied(5)
    assert file.stat().st_mode & 0o077 == 0
    other = open_store("", tmp_path / "other")
    assert restore(other, file) == Copied(5)
    assert restore(other, file) == Copied(0)
    assert list(other.rows()) == list(store.rows())
    assert other.revoke(saved[0].token, saved[0].key)
    assert restore(store, file) == Copied(0)
    other.close()


@pytest.mark.parametrize(
    ("damage", "copied"),
    [
        ("cut", Copied(2, 0, complete=False)),
        ("row", Copied(2, 1)),
        ("all rows", Copied(0, 3)),
        ("text", None),
        ("empty", None),
        ("other", None),
    ],
)
@pytest.mark.slow
def test_of_a_damaged_backup_the_rest_is_restored(tmp_path: Path, damage: str, copied: Copied | None) -> None:
    store = open_store("", tmp_path / "a")
    for i in range(3):
        text = random.Random(i).randbytes(50_000).hex()  # so that what is cut off is of the last
        store.save(replace(SHARE, title=f"share {i}", created=i, page=text))
    file, damaged = tmp_path / "good", tmp_path / "bad"
    assert backup(store, file) == Copied(3)
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    damaged.write_bytes(
        {
            "cut": file.read_bytes()[:-4_000],
            "row": gzip.compress(b"".join([*lines[:2], b'{"token_hash": "AAAA"}\n', lines[3]])),
            "all rows": gzip.compress(b"".join(lines).replace(b'"title": "', b'"title": "\xff')),
            "text": b"no backup",
            "empty": b"",
            "other": gzip.compress(b'{"caliblens-shares": 99}\n'),
        }[damage]
    )
    other = open_store("", tmp_path / "b")
    if copied is None:
        with pytest.raises(InputError, match="backup"):
            restore(other, damaged)
    else:
        assert restore(other, damaged) == copied
    assert len(list(other.rows())) == (copied.reports if copied else 0)
    store.close()
    other.close()


DAMAGES = {
    "page": "UPDATE shares SET page = 'no page' WHERE title = 'damaged'",
    "cut": "UPDATE shares SET page = substr(page, 1, 9) WHERE title = 'damaged'",
    "time": "UPDATE shares SET expires = 'soon' WHERE title = 'damaged'",
    "key": "UPDATE shares SET key_hash = 'x' WHERE title = 'damaged'",
    "text": "UPDATE shares SET document = CAST(X'ff' AS TEXT) WHERE title = 'damaged'",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_report_is_said_to_be_and_left_out_of_a_backup(tmp_path: Path, damage: str) -> None:
    store = open_store("", tmp_path)
    good = store.save(SHARE)
    bad = store.save(replace(SHARE, title="damaged", created=900))
    with store._engine.begin() as connection:
        connection.exec_driver_sql(DAMAGES[damage])
    with pytest.raises(StoreError) as said:
        store.find(bad.token, 1_500)
    assert isinstance(said.value, DamagedError) or damage == "text"
    assert store.find(good.token, 1_500) == SHARE
    file = tmp_path / "shares.backup"
    assert backup(store, file) == Copied(1, 1)
    other = open_store("", tmp_path / "other")
    assert restore(other, file) == Copied(1)
    assert other.find(good.token, 1_500) == SHARE
    assert store.revoke(bad.token, bad.key) == (damage != "key")
    for one in (store, other):
        one.close()


def test_what_may_be_saved_can_be_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes count, not characters; text of control characters takes six times its room in a backup."""
    assert module._LONGEST == 8 * MOST_BYTES
    most = 900_000
    monkeypatch.setattr(rows, "MOST_BYTES", most)
    monkeypatch.setattr(module, "_LONGEST", 8 * most)
    store, file = open_store("", tmp_path / "a"), tmp_path / "shares.backup"
    largest = replace(SHARE, page="葡" * (most // 3), document="\x01" * most)
    with pytest.raises(InputError, match="bytes"):
        store.save(replace(SHARE, page="葡" * (most // 3 + 1)))
    saved = store.save(largest)
    assert backup(store, file) == Copied(1)
    other = open_store("", tmp_path / "b")
    assert restore(other, file) == Copied(1)
    assert other.find(saved.token, 1_500) == largest
    for one in (store, other):
        one.close()


def test_a_backup_is_read_again_before_it_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store("", tmp_path)
    store.save(SHARE)
    file = tmp_path / "shares.backup"
    assert backup(store, file) == Copied(1)
    before = file.read_bytes()
    fsync = os.fsync

    def lies(handle: int) -> None:
        fsync(handle)
        os.pwrite(handle, b"\xff" * 8, os.fstat(handle).st_size - 20)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lies)
        with pytest.raises(InputError, match="check the disk"):
            backup(store, file)
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir() if "backup" in path.name} == {"shares.backup"}
    store.close()


@pytest.mark.some(1)
def test_a_report_that_is_taken_back_during_a_backup_is_left_out(store: Store, tmp_path: Path) -> None:
    saved = [store.save(replace(SHARE, created=i)) for i in range(1, 4)]
    row_of = store.row

    def row(token_hash: bytes) -> dict[str, Any] | None:
        store.revoke(saved[1].token, saved[1].key)
        return row_of(token_hash)

    store.row = row  # type: ignore[method-assign]
    assert backup(store, tmp_path / "shares.backup") == Copied(2)


@pytest.mark.slow
def test_a_backup_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    store = open_store("", tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        backup(store, tmp_path / "missing" / "file")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        backup(store, tmp_path / "folder")
    assert not list(tmp_path.glob("*.part"))
    store.close()
