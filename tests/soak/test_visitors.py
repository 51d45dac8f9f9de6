"""One visitor against the server: what they do to it is nobody else's trouble, and nothing leaves it."""

import asyncio
import os
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.soak.client import Session
from tests.soak.people import file_of
from tests.soak.server import Server, started

HOOK = """
import os, sys

def heard(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        address = arguments[0] if event.startswith("socket.get") else arguments[1]
        host = address[0] if isinstance(address, tuple) else address
        if host not in ("localhost", "127.0.0.1", "::1", "0.0.0.0", None, b"localhost"):
            with open(os.environ["HEARD"], "a") as out:
                out.write(f"{event} {address!r}\\n")

sys.addaudithook(heard)
"""
"""In the server's own process: every connection that it asks for, and every name that it looks up."""
HEALTHY = 1.0
"""Seconds within which the server has to say that it is well, whatever anybody does."""
POLLS = """
import http.client, pathlib, sys, time
host, port, over = sys.argv[1:]
connection = http.client.HTTPConnection(host, int(port), timeout=60)
longest = 0.0
while not pathlib.Path(over).exists():
    began = time.perf_counter()
    connection.request("GET", "/_stcore/health")
    assert connection.getresponse().read() == b"ok"
    longest = max(longest, time.perf_counter() - began)
    time.sleep(0.05)
print(longest)
"""
"""Asks from a process of its own, which no upload keeps busy: what it waits for is the server alone."""


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("heard") / "connections.txt"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, heard: Path) -> Iterator[Server]:
    hooks = tmp_path_factory.mktemp("hooks")
    (hooks / "sitecustomize.py").write_text(HOOK)
    with started(tmp_path_factory.mktemp("visitors"), PYTHONPATH=str(hooks), HEARD=str(heard)) as server:
        yield server
        assert [line for line in server.complaints() if "A page of another site" not in line] == []


async def _longest_wait(server: Server, over: asyncio.Event) -> float:
    """The longest that the server took to say that it is well, until something is over."""
    longest = 0.0
    async with httpx.AsyncClient(base_url=server.address, timeout=60) as http:
        while not over.is_set():
            began = time.perf_counter()
            assert (await http.get("/_stcore/health")).text == "ok"
            longest = max(longest, time.perf_counter() - began)
            await asyncio.sleep(0.05)
    return longest


async def _handshake(server: Server, origin: str) -> int:
    """The status of the answer; 101 is yes."""
    try:
        async with connect(
            f"{server.address.replace('http', 'ws')}/_stcore/stream",
            additional_headers={"Origin": origin},
            subprotocols=["streamlit"],  # type: ignore[list-item]
        ):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


@pytest.mark.slow
def test_pages_of_other_sites_are_refused_and_nobody_is_asked_about_them(server: Server, heard: Path) -> None:
    async def act() -> tuple[list[int], float, Session]:
        over = asyncio.Event()
        waits = asyncio.create_task(_longest_wait(server, over))
        origins = [f"https://evil-{i}.example.com" for i in range(20)]
        statuses = await asyncio.gather(*(_handshake(server, origin) for origin in origins))
        own = await _handshake(server, server.address)
        session = await Session.opened(server.address)
        await session.go("Data")
        await session.upload("own.csv", file_of(60, 3, 1))
        for page in ("Share", "Learn", "Tests"):
            await session.go(page)
        await session.close()
        over.set()
        return [*statuses, own], await waits, session

    statuses, longest, session = asyncio.run(act())
    assert statuses == [403] * 20 + [101]
    assert not session.errors
    assert longest < HEALTHY
    assert not heard.exists(), heard.read_text()
    assert sum("A page of another site" in line for line in server.complaints()) == 1  # however many come


@pytest.mark.slow
def test_the_server_would_be_heard_if_it_asked_anybody(tmp_path: Path) -> None:
    """The hook of the test above, tried."""
    (tmp_path / "sitecustomize.py").write_text(HOOK)
    code = "import socket; socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.1', 80))"
    out = tmp_path / "heard"
    subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(tmp_path), "HEARD": str(out)},
        check=True,
    )
    assert "192.0.2.1" in out.read_text()


@pytest.mark.slow
def test_what_harms_others_is_not_done_for_a_client(server: Server) -> None:
    async def act() -> tuple[str, str]:
        one = await Session.opened(server.address)
        await one.go("Data")
        await one.upload("own.csv", file_of(60, 3, 1))
        before = one.said()
        for kind in ("clear_cache", "set_run_on_save", "load_git_info", "debug_shutdown_runtime"):
            await one.socket.send(BackMsg(**{kind: True}).SerializeToString())
        message = BackMsg()
        message.backend_operation_request.session_id = one.id
        message.backend_operation_request.install_skills.SetInParent()
        await one.socket.send(message.SerializeToString())
        one.query = ""  # else the workspace of its address would bring back what was emptied
        await one.run()
        after = one.said()
        await one.close()
        return before, after

    before, after = asyncio.run(act())
    assert "own" in before
    assert after == before  # clear_cache would have emptied the session


@pytest.mark.slow
def test_metrics_and_agents_are_not_for_visitors(server: Server) -> None:
    for path in ("/_stcore/metrics", "/_stcore/agent/openapi.json", "/_stcore/script-health-check"):
        assert httpx.get(server.address + path).status_code == 404


@pytest.mark.hostile
def test_front_pages_of_sixty_hold_nobody_up(server: Server) -> None:
    """They show one example, which is looked at once; an upload has its turn."""

    async def front() -> Session:
        session = await Session.opened(server.address)
        session.patience = 300.0
        await session.until(lambda page: not page.works and "digits" in page.said())
        return session

    async def own() -> Session:
        session = await Session.opened(server.address)
        session.patience = 300.0
        await session.go("Data")
        await session.upload("own.csv", file_of(900, 10, 1))
        await session.go("Overview")
        await session.until(lambda page: not page.works)
        return session

    async def act() -> tuple[float, float, list[Session]]:
        before = server.seconds()
        sessions = list(await asyncio.gather(*(front() for _ in range(60))))
        between = server.seconds()
        sessions.append(await own())
        alone = server.seconds() - between
        for session in sessions:
            await session.close()
        return between - before, alone, sessions

    took, alone, sessions = asyncio.run(act())
    for session in sessions:
        assert not session.errors
        assert "has to wait" not in session.said()
    assert took < 60 * alone / 5  # of a processor, beside a survey of as many cases and classes


@pytest.mark.hostile
def test_large_uploads_at_once_hold_nobody_up(server: Server, tmp_path: Path) -> None:
    """Five files of 116 MB: the server takes and reads them, and is well within a second all the while."""
    small = file_of(20_000, 8, 1)
    head, rows = small.split(b"\n", 1)
    data = head + b"\n" + rows * (116_000_000 // len(rows) + 1)
    over = tmp_path / "over"

    async def one(number: int) -> Session:
        session = await Session.opened(server.address)
        session.patience = 600.0
        await session.go("Data")
        await session.upload(f"large {number}.csv", data)
        await session.until(lambda page: not page.works)
        return session

    async def act() -> list[Session]:
        sessions = list(await asyncio.gather(*map(one, range(5))))
        for session in sessions:
            await session.close()
        return sessions

    address = urllib.parse.urlsplit(server.address)
    polls = subprocess.Popen(
        [sys.executable, "-c", POLLS, str(address.hostname), str(address.port), str(over)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        sessions = asyncio.run(act())
    finally:
        over.touch()
        said, _ = polls.communicate(timeout=60)
    for number, session in enumerate(sessions):
        assert not session.errors
        assert f"large {number}.csv" in session.said()
    assert polls.returncode == 0
    assert float(said) < HEALTHY
