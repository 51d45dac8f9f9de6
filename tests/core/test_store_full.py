"""On a full disk reports are taken back and expire; a database that breaks off is one sentence."""

import gc
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from calibcore.store import Share, StoreError, database, open_store
from tests import postgres

ROOT = Path(__file__).parents[2]
SMALL_DISK = ["unshare", *([] if os.geteuid() == 0 else ["-Ur"]), "-m", "sh", "-c"]
"""A file system of 24 MB of its own, for one process and nobody else."""
FULL = """
import random, sys
from pathlib import Path
from calibcore.store import Share, StoreError, open_store
from calibcore.store.backup import backup
from calibcore.store.shares import DAY

folder = Path(sys.argv[1])
store = open_store("", folder)
chance = random.Random(0)

def share(i, expires=10_000):
    return Share(f"{i}", 1, expires, "f", "{}", chance.randbytes(400_000).hex())

saved = [store.save(share(i, 10_000 if i % 2 else 1_000)) for i in range(8)]
assert store.delete_expired(1_000) == 0  # noted
rest = (folder / "junk").open("wb")
try:
    while True:
        rest.write(bytes(4_096))
        rest.flush()
except OSError:
    pass
for again in range(2):
    try:
        store.save(share(9))
    except StoreError as error:
        assert "disk" in str(error) and "full" in str(error), error
    else:
        raise AssertionError("it was not full")
assert store.find(saved[0].token, 500) is not None
try:
    backup(store, folder / "shares.backup")
except Exception as error:
    print(error)
assert not list(folder.glob("*.part"))
assert store.revoke(saved[1].token, saved[1].key)
assert store.find(saved[1].token, 500) is None
assert (folder / "caliblens.sqlite-reserve").exists()  # for the next
assert store.delete_expired(1_000 + DAY) == 4
store.close()
store = open_store("", folder)
assert store.revoke(saved[3].token, saved[3].key)
assert [store.find(one.token, 500) is not None for one in saved] == [False] * 5 + [True, False, True]
rest.truncate(0)
store.save(share(10))  # there is room again
print("done")
"""


@pytest.mark.slow
def test_on_a_full_disk_reports_are_taken_back_and_expire(tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("a disk of its own needs Linux")
    words = f"mount -t tmpfs -o size=24m none {tmp_path} && exec '{sys.executable}' -c \"$0\" {tmp_path}"
    done = subprocess.run(
        [*SMALL_DISK, words, FULL], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip(f"this machine makes no small disk: {done.stderr}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("done\n")
    assert "cannot be written: No space left" in done.stdout


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


@pytest.mark.some(1)
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
            lambda: store.delete_expired(10),
            lambda: store.revoke(gone.token, gone.key),
            lambda: store.save(share),
        ):
            with pytest.raises(StoreError, match="cannot be reached"):
                act()
        with pytest.raises(StoreError, match="cannot be reached"):
            open_store(url, tmp_path)
        stands.mode = "pass"
        assert store.find(saved.token, 10) == share
        assert store.revoke(gone.token, gone.key)
        assert store.delete_expired(10) == 0
        store.close()


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
