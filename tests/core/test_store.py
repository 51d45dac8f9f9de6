"""The store keeps what it confirmed, on SQLite and on PostgreSQL alike."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore.predictions import InputError
from calibcore.store import Share, Store, StoreError, open_store, store_url
from calibcore.store.backup import backup, restore
from calibcore.store.schema import SHARES
from tests import postgres

SHARE = Share(
    "Wine, first look", 1_000, 2_000, "f" * 64, '{"schema": 1, "name": "Ödön 葡萄"}', "<p>é 葡萄</p>"
)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.running() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = "" if request.param == "sqlite" else request.getfixturevalue("server")
    found = open_store(url, tmp_path)
    with found._engine.begin() as connection:
        connection.execute(sa.delete(SHARES))
    yield found
    found.close()


def test_what_is_saved_is_found_until_it_expires(store: Store) -> None:
    saved = store.save(SHARE)
    assert store.find(saved.token, 1_000) == SHARE
    assert store.find(saved.token, 1_999) == SHARE
    assert store.find(saved.token, 2_000) is None


def test_only_the_token_finds_it(store: Store) -> None:
    saved = store.save(SHARE)
    wrong = [
        saved.key,
        saved.token[:-1],
        saved.token + "A",
        saved.token.swapcase(),
        "",
        "%",
        "\0",
        "\ud800",
        "x" * 10_000,
    ]
    assert all(store.find(token, 1_500) is None for token in wrong)


def test_tokens_and_keys_are_long_different_and_not_stored(store: Store) -> None:
    saved = [store.save(SHARE) for _ in range(20)]
    secrets = {word for s in saved for word in (s.token, s.key)}
    assert len(secrets) == 40
    assert min(map(len, secrets)) * 6 >= 256  # characters of 64 kinds
    kept = repr(list(store.rows()))
    assert not any(secret in kept for secret in secrets)


def test_its_key_revokes_it_and_no_other(store: Store) -> None:
    first, second = store.save(SHARE), store.save(replace(SHARE, title="another"))
    assert not store.revoke(first.token, second.key)
    assert not store.revoke(first.token, "")
    assert not store.revoke("nothing", first.key)
    assert store.find(first.token, 1_500) == SHARE
    assert store.revoke(first.token, first.key)
    assert store.find(first.token, 1_500) is None
    assert not store.revoke(first.token, first.key)
    assert store.find(second.token, 1_500) is not None


def test_what_has_expired_is_deleted_and_nothing_else(store: Store) -> None:
    old, young = store.save(SHARE), store.save(replace(SHARE, expires=3_000))
    assert store.delete_expired(1_999) == 0
    assert store.delete_expired(2_000) == 1
    assert store.delete_expired(2_000) == 0
    assert len(list(store.rows())) == 1
    assert store.find(old.token, 1_500) is None
    assert store.find(young.token, 2_500) is not None


def test_a_store_opened_again_has_everything(tmp_path: Path) -> None:
    first = open_store("", tmp_path / "new" / "folder")
    saved = first.save(SHARE)
    first.close()
    again = open_store("", tmp_path / "new" / "folder")
    assert again.find(saved.token, 1_500) == SHARE
    again.close()
    assert (tmp_path / "new" / "folder").stat().st_mode & 0o077 == 0


def test_nothing_of_a_revoked_report_stays_in_the_files(tmp_path: Path) -> None:
    store = open_store("", tmp_path)
    secret = "the title that must go away"
    saved = store.save(replace(SHARE, title=secret))
    files = [path for path in tmp_path.iterdir() if path.suffix != ".sqlite-shm"]
    assert any(secret.encode() in path.read_bytes() for path in files)
    assert store.revoke(saved.token, saved.key)
    assert not any(secret.encode() in path.read_bytes() for path in tmp_path.iterdir())
    store.close()


def test_many_threads_save_and_find(store: Store) -> None:
    found: list[bool] = []

    def work(i: int) -> None:
        share = replace(SHARE, title=f"share {i}")
        saved = store.save(share)
        found.append(store.find(saved.token, 1_500) == share)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 12
    assert len(list(store.rows())) == 12


def test_two_processes_may_open_a_new_store_at_once(store: Store, tmp_path: Path) -> None:
    url = str(store._engine.url.render_as_string(hide_password=False))
    if url.startswith("postgresql"):
        with store._engine.begin() as connection:
            connection.execute(sa.text("DROP TABLE shares, alembic_version"))
    else:
        url = f"sqlite:///{tmp_path / 'another.sqlite'}"
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store(url, tmp_path))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 4
    saved = opened[0].save(SHARE)
    assert all(other.find(saved.token, 1_500) == SHARE for other in opened)
    for other in opened:
        other.close()


def test_a_backup_comes_back_whole_in_another_database(store: Store, tmp_path: Path) -> None:
    saved = [store.save(replace(SHARE, title=f"share {i}", created=i, page="x" * i)) for i in range(1, 6)]
    file = tmp_path / "shares.backup"
    assert backup(store, file) == 5
    assert file.stat().st_mode & 0o077 == 0
    other = open_store("", tmp_path / "other")
    assert restore(other, file) == 5
    assert restore(other, file) == 0
    assert list(other.rows()) == list(store.rows())
    assert other.revoke(saved[0].token, saved[0].key)
    assert restore(store, file) == 0
    other.close()


@pytest.mark.parametrize("damage", ["cut", "text", "row", "empty", "other"])
def test_a_damaged_backup_restores_nothing(tmp_path: Path, damage: str) -> None:
    import gzip

    store = open_store("", tmp_path / "a")
    for i in range(3):
        store.save(replace(SHARE, title=f"share {i}"))
    file, damaged = tmp_path / "good", tmp_path / "bad"
    backup(store, file)
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    damaged.write_bytes(
        {
            "cut": file.read_bytes()[:-40],
            "text": b"no backup",
            "row": gzip.compress(b"".join(lines[:-1]) + b'{"token_hash": "AAAA"}\n'),
            "empty": b"",
            "other": gzip.compress(b'{"caliblens-shares": 99}\n'),
        }[damage]
    )
    other = open_store("", tmp_path / "b")
    with pytest.raises(InputError, match="backup"):
        restore(other, damaged)
    assert list(other.rows()) == []
    store.close()
    other.close()


def test_a_backup_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    store = open_store("", tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        backup(store, tmp_path / "missing" / "file")
    store.close()


def test_what_is_too_long_or_expired_already_is_refused(tmp_path: Path) -> None:
    store = open_store("", tmp_path)
    for wrong in (
        {"title": "x" * 201},
        {"expires": 1_000},
        {"expires": 10**12},
        {"page": "x" * 64_000_001},
    ):
        with pytest.raises(InputError):
            store.save(replace(SHARE, **wrong))
    assert list(store.rows()) == []
    store.close()


@settings(max_examples=40)
@given(st.text(max_size=200))
def test_any_title_is_kept(tmp_path_factory: pytest.TempPathFactory, title: str) -> None:
    store = open_store("", tmp_path_factory.mktemp("titles"))
    saved = store.save(replace(SHARE, title=title))
    found = store.find(saved.token, 1_500)
    assert found is not None
    assert found.title == title.replace("\0", "").encode("utf-8", "replace").decode()
    store.close()


def test_titles_of_any_kind_go_into_postgresql_too(server: str, tmp_path: Path) -> None:
    store = open_store(server, tmp_path)
    for title in ("a\0b", "\ud800", "'; DROP TABLE shares; --", "\u202e‮", "😀"):
        found = store.find(store.save(replace(SHARE, title=title)).token, 1_500)
        assert found is not None
        assert found.title == title.replace("\0", "").encode("utf-8", "replace").decode()
    store.close()


def test_urls(tmp_path: Path) -> None:
    assert store_url("", tmp_path) == f"sqlite:///{tmp_path}/caliblens.sqlite"
    assert store_url("postgres://a:b@c/d", tmp_path) == "postgresql+pg8000://a:b@c/d"
    assert store_url("postgresql://a:b@c/d", tmp_path) == "postgresql+pg8000://a:b@c/d"
    for wrong in ("mysql://a/b", "nonsense", "://"):
        with pytest.raises(InputError, match="DATABASE_URL"):
            store_url(wrong, tmp_path)


def test_a_database_that_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be reached"):
        open_store("postgresql://tester@127.0.0.1:1/shares", tmp_path)
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(StoreError, match="cannot be made"):
        open_store("", file / "folder")
    (tmp_path / "caliblens.sqlite").write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreError, match="cannot be reached"):
        open_store("", tmp_path)
