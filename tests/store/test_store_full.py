"""On a full disk reports are taken back and expire; a database that breaks off is one sentence."""

import gc
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from calibcore.store import Share, StoreError, database, open_store
from calibcore.store.room import LEAST, Room
from tests import postgres

ROOT = Path(__file__).parents[2]
SMALL_DISK = ["unshare", *([] if os.geteuid() == 0 else ["-Ur"]), "-m", "sh", "-c"]
"""A file system of its own, for one process and nobody else."""
FULL = """
import random, sys
from pathlib import Path
from calibcore.store import Share, StoreError, open_store
from calibcore.store.backup import backup
from calibcore.store.shares import DAY

folder, size = Path(sys.argv[1]), int(sys.argv[2])
store = open_store("", folder)
chance = random.Random(0)

def share(i, expires=10_000):
    return Share(f"{i}", 1, expires, "f", "{}" * 1_000, chance.randbytes(size).hex())

def full(act):
    for again in range(2):
        try:
            act()
        except StoreError as error:
            assert "disk" in str(error) and "full" in str(error), error
        else:
            raise AssertionError("it was not full")

saved = []
try:
    while len(saved) < 8:
        saved.append(store.save(share(len(saved), 10_000 if len(saved) % 2 else 1_000)))
except StoreError as error:
    assert "full" in str(error), error
assert len(saved) >= 4, saved
expired = len(saved[::2])
assert store.delete_expired(1_000) == 0  # noted
rest = (folder / "junk").open("wb")
try:
    while True:
        rest.write(bytes(512))
        rest.flush()
except OSError:
    pass
full(lambda: store.save(share(9)))
assert store.find(saved[0].token, 500) is not None
try:
    backup(store, folder / "shares.backup")
except Exception as error:
    print(error)
assert not list(folder.glob("*.part"))
assert store.revoke(saved[1].token, saved[1].key)
assert store.find(saved[1].token, 500) is None
assert (folder / "caliblens.sqlite-reserve").exists()  # for the next
store.close()
store = open_store("", folder)
assert store.delete_expired(1_000 + DAY) == expired
store.close()
store = open_store("", folder)
assert store.revoke(saved[3].token, saved[3].key)
left = [i for i, one in enumerate(saved) if store.find(one.token, 500) is not None]
assert left == [i for i in range(5, len(saved), 2)], left
rest.truncate(0)
store.save(share(10))  # there is room again
print("done")
"""


def small(megabytes: float, of_a_report: int, folder: Path) -> str:
    """What was printed on a disk of that size, with reports of so many bytes."""
    if shutil.which("unshare") is None:
        pytest.skip("a disk of its own needs Linux")
    words = (
        f"mount -t tmpfs -o size={int(megabytes * 1_024)}k none {folder} && "
        f"exec '{sys.executable}' -c \"$0\" {folder} {of_a_report}"
    )
    done = subprocess.run(
        [*SMALL_DISK, words, FULL], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip(f"this machine makes no small disk: {done.stderr}")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("megabytes", "of_a_report"), [(1, 30_000), (2, 150_000), (4, 400_000), (8, 1_000_000), (24, 400_000)]
)
def test_on_a_full_disk_reports_are_taken_back_and_expire(
    megabytes: float, of_a_report: int, tmp_path: Path
) -> None:
    said = small(megabytes, of_a_report, tmp_path)
    assert said.endswith("done\n")
    assert "cannot be written: No space left" in said


@pytest.mark.slow
def test_with_little_room_a_report_is_deleted_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On any machine: the log of writes never needs more than a small disk can spare, and nothing is left."""
    store = open_store("", tmp_path)
    chance = random.Random(0)
    secret = [chance.randbytes(400_000).hex() for _ in range(2)]
    document = "what was found " * 10_000
    gone, other = (store.save(Share("Wine", 1, 1_000, "f", document, page)) for page in secret)
    wal, sizes, found = tmp_path / "caliblens.sqlite-wal", list[int](), list[Share | None]()
    shrinks = store._shrink

    def shrink() -> None:
        sizes.append(wal.stat().st_size)
        found.append(store.find(gone.token, 500))
        shrinks()

    def full(_token_hash: bytes) -> bool:
        raise StoreError("The disk of the shared reports is full.")

    monkeypatch.setattr(store, "_shrink", shrink)
    monkeypatch.setattr(store, "_deleted", full)
    stored = (tmp_path / "caliblens.sqlite").read_bytes()
    begins = zlib.compress(secret[0].encode())[1_000:1_200]
    assert begins in stored
    assert not store.revoke(gone.token, other.key)
    assert store.revoke(gone.token, gone.key)
    assert len(sizes) > 10
    assert max(sizes) < LEAST / 2
    first = found.index(None)  # from the first piece on nobody is shown a part of it
    assert first < 6
    assert set(found[first:]) == {None}
    assert not store.revoke(gone.token, gone.key)
    assert store.find(other.token, 500) == Share("Wine", 1, 1_000, "f", document, secret[1])
    store.close()
    stored = (tmp_path / "caliblens.sqlite").read_bytes()
    assert begins not in stored
    assert stored.count(document[:1_000].encode()) < 150  # of the other one


def test_a_deletion_that_broke_off_is_finished_by_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store("", tmp_path)
    saved = store.save(Share("Wine", 1, 1_000, "f", "{}", random.Random(0).randbytes(400_000).hex()))
    shrinks, times = store._shrink, iter(range(3))

    def breaks_off() -> None:
        shrinks()
        next(times)

    monkeypatch.setattr(store, "_shrink", breaks_off)
    with pytest.raises(StopIteration):
        store._deleted_in_pieces(store.tokens()[0])
    monkeypatch.undo()
    assert store.find(saved.token, 500) is None  # as if it were gone, and not damaged
    assert len(list(store.rows())) == 1
    assert store.revoke(saved.token, saved.key)
    assert list(store.rows()) == []
    store.close()


def test_the_reserve_is_a_tenth_of_what_is_free_and_more_on_a_small_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = 0
    path = tmp_path / "store-reserve"
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(
        shutil,
        "disk_usage",
        lambda _: usage._replace(free=free - (path.stat().st_size if path.exists() else 0)),
    )
    reserve = Room(tmp_path / "store")
    for free, size in (
        (5_000, 0),
        (100_000, 50_000),
        (1_000_000, 300_000),
        (2_000_000, 300_000),
        (10_000_000, 1_000_000),
        (10**9, 32_000_000),
        (1_000_000, 32_000_000),  # what is there stays
    ):
        reserve.keep()
        assert (path.stat().st_size if path.exists() else 0) == size, free
    assert reserve.give() == 32_000_000
    assert not path.exists()
    assert reserve.give() == 0
    reserve.take_back(5_000)
    assert path.stat().st_size == 5_000


NONSENSE = b"\xff\xfe nonsense" * 100


class Between:
    """Stands between the app and its database: passes bytes on until told otherwise."""

    def __init__(self, port: int) -> None:
        self.mode = "pass"
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                if self.mode == "pass":
                    server = socket.create_connection(("127.0.0.1", self._port))
                    self._open.append(server)
                    for ends in ((client, server), (server, client)):
                        threading.Thread(target=self._pump, args=ends, daemon=True).start()
                elif self.mode == "reset":
                    self._reset(client)
                elif self.mode == "nonsense":
                    client.sendall(NONSENSE)

    def _pump(self, taken: socket.socket, given: socket.socket) -> None:
        with suppress(OSError):
            while data := taken.recv(65_536):
                if self.mode == "reset":
                    for one in (taken, given):
                        self._reset(one)
                elif self.mode == "nonsense":
                    taken.sendall(NONSENSE)
                elif self.mode == "pass":
                    given.sendall(data)

    @staticmethod
    def _reset(one: socket.socket) -> None:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        one.close()

    def close(self) -> None:
        for one in (self._listener, *self._open):
            one.close()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.running() as url:
        yield url


@contextmanager
def between(url: str) -> Iterator[tuple[Between, str]]:
    address, name = url.split("@")
    port = int(name.split(":")[1].split("/")[0])
    stands = Between(port)
    try:
        yield stands, f"{address}@127.0.0.1:{stands.port}/shares"
    finally:
        stands.close()


def forget_sockets() -> None:
    """The driver leaves sockets of connections that it could not make to the collection of garbage."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("mode", ["reset", "silent", "nonsense"])
def test_a_database_that_breaks_off_is_one_sentence_and_found_again(
    server: str, tmp_path: Path, mode: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.5)
    request.addfinalizer(forget_sockets)
    share = Share("Wine", 1, 1_000, "f", "{}", "page")
    with between(server) as (stands, url):
        store = open_store(url, tmp_path)
        saved, gone = store.save(share), store.save(share)
        stands.mode = mode
        for act in (
            lambda: store.find(saved.token, 10),
            store.check,
            lambda: store.delete_expired(10),
            lambda: store.revoke(gone.token, gone.key),
            lambda: store.save(share),
        ):
            with pytest.raises(StoreError, match="cannot be reached"):
                act()
        with pytest.raises(StoreError, match="cannot be reached"):
            open_store(url, tmp_path)
        stands.mode = "pass"
        store.check()
        assert store.find(saved.token, 10) == share
        assert store.revoke(gone.token, gone.key)
        assert store.delete_expired(10) == 0
        store.close()


@pytest.mark.slow
def test_an_answer_that_comes_too_late_is_not_that_to_the_next_question(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.5)
    store = open_store(server, tmp_path)
    tokens = [store.save(Share(f"{i}", 1, 1_000, "f", "{}", "page")).token for i in range(2)]
    frozen: list[int] = []

    def freeze(connection: sa.Connection, *_: object) -> None:
        if not frozen:  # the one process of the server that answers this connection, in the middle
            cursor = connection.connection.cursor()
            cursor.execute("SELECT pg_backend_pid()")
            frozen.append(cursor.fetchone()[0])
            os.kill(frozen[0], signal.SIGSTOP)

    sa.event.listen(store._engine, "before_cursor_execute", freeze)
    try:
        with pytest.raises(StoreError, match="cannot be reached"):
            store.find(tokens[0], 10)
    finally:
        os.kill(frozen[0], signal.SIGCONT)
    for i in (1, 0, 1):
        found = store.find(tokens[i], 10)
        assert found is not None
        assert found.title == str(i)
    store.close()
