"""The store keeps what it confirmed, on SQLite and on PostgreSQL alike."""

import os
import random
import threading
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from calibcore.errors import InputError
from calibcore.store import Store, StoreError, open_store, store_url
from calibcore.store.schema import METADATA
from calibcore.store.shares import DAY
from tests.store.stores import SHARE, server, store

__all__ = ["server", "store"]


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


def test_what_has_expired_is_deleted_a_day_later_and_nothing_else(store: Store) -> None:
    old, young = store.save(SHARE), store.save(replace(SHARE, expires=3_000 + 3 * DAY))
    assert store.delete_expired(1_999) == 0
    assert store.delete_expired(2_000) == 0
    assert store.find(old.token, 2_000) is None  # nobody is shown it any more
    assert store.delete_expired(1_999 + DAY) == 0
    assert store.delete_expired(2_000 + DAY) == 1
    assert store.delete_expired(2_000 + DAY) == 0
    assert len(list(store.rows())) == 1
    assert store.find(old.token, 1_500) is None
    assert store.find(young.token, 2_500) is not None


def test_a_clock_that_jumps_ahead_deletes_nothing_for_a_day(store: Store) -> None:
    """And nothing at all if it is put right until then, however often that happens."""
    saved, year = [store.save(replace(SHARE, title=str(i))) for i in range(5)], 365 * DAY
    hour = 3_600
    for now in (1_500, year, year + 23 * hour, 1_600, year, 1_700, 2 * year, 1_800):
        assert store.delete_expired(now) == 0
    assert all(store.find(one.token, 1_900) is not None for one in saved)
    assert [store.delete_expired(year + i * hour) for i in range(25)] == [0] * 24 + [5]


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


@pytest.mark.slow
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
            connection.execute(sa.text(f"DROP TABLE {', '.join(METADATA.tables)}, alembic_version"))
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


@pytest.mark.slow
def test_many_that_open_a_new_store_at_once_wait_for_each_other(tmp_path: Path) -> None:
    for number in range(12):
        url, opened = f"sqlite:///{tmp_path / f'new-{number}.sqlite'}", list[Store]()

        def join(url: str = url, opened: list[Store] = opened) -> None:
            opened.append(open_store(url, tmp_path))

        threads = [threading.Thread(target=join) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one in opened:
            one.close()
        assert len(opened) == 8


def test_a_store_holds_so_many_bytes_and_no_more(store: Store) -> None:
    store._most = 3_000_000
    page = random.Random(0).randbytes(500_000).hex()  # half a megabyte, once compressed
    saved = [store.save(replace(SHARE, page=page)) for _ in range(4)]
    saved.append(store.save(replace(SHARE, page=page)))
    with pytest.raises(StoreError, match="full: this server keeps 3 MB of them"):
        store.save(replace(SHARE, page=page))
    assert store.revoke(saved[0].token, saved[0].key)
    assert store.find(store.save(replace(SHARE, page=page)).token, 1_500) is not None


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
@pytest.mark.slow
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
    for wrong in ("mysql://a/b", "nonsense", "://", "postgresql://a:b@c:port/d"):
        with pytest.raises(InputError, match="DATABASE_URL"):
            store_url(wrong, tmp_path)
    for without, lacks in (
        ("postgresql://", "user"),
        ("postgresql:///shares", "user"),
        ("postgresql://there/shares", "user"),
        ("postgresql://me:secret@/shares", "host"),
    ):
        with pytest.raises(
            InputError, match=f"names no {lacks}; expected postgresql://user:password@host"
        ) as no:
            store_url(without, tmp_path)
        assert "secret" not in str(no.value)
    assert "unix_sock=%2Frun%2Fpg" in store_url("postgresql://me@/shares?unix_sock=/run/pg", tmp_path)


def test_the_files_are_the_owners_whatever_the_folder(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        tmp_path.chmod(0o777)
        for name in ("caliblens.sqlite", "caliblens.sqlite-wal"):  # as an earlier version left them
            (tmp_path / name).touch(0o666)
        store = open_store("", tmp_path)
        store.save(SHARE)
        files = list(tmp_path.iterdir())
        assert {path.name.partition("sqlite")[2] for path in files} == {"", "-wal", "-shm", "-reserve"}
        assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
        store.close()
    finally:
        os.umask(before)


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
