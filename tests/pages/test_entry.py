"""Who may speak to the server and what they may ask of it."""

import asyncio
import itertools
from dataclasses import replace
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from calibcore.limits import SERVER
from pages.server import entry
from tests.pages import asgi

KINDS = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "SERVER", replace(SERVER, base_url="https://caliblens.example.org/lens"))


@pytest.fixture(autouse=True)
def nameless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "SERVER", replace(SERVER, base_url=""))


def asked(kind: str, path: str = "/", method: str = "GET", **headers: str) -> tuple[int, Scope | None]:
    """The status of a refusal, or 0 and what comes to the app."""
    reached, sent = asgi.asked(entry.OwnPages, kind, path, method, headers)
    if reached is not None:
        return 0, reached
    return (sent[0]["code"] if kind == "websocket" else sent[0]["status"]), None


SAME = [
    ("localhost:8501", "http://localhost:8501"),
    ("caliblens.example.org", "https://caliblens.example.org"),
    ("caliblens.example.org", "https://caliblens.example.org:443"),
    ("Caliblens.Example.org:80", "http://caliblens.example.ORG"),
    ("[::1]:8501", "http://[::1]:8501"),
    ("10.0.0.5:8501", "http://10.0.0.5:8501"),
]
FOREIGN = [
    ("caliblens.example.org", "https://evil.example.com"),
    ("caliblens.example.org", "https://caliblens.example.org.evil.com"),
    ("caliblens.example.org", "https://evil.com#caliblens.example.org"),
    ("caliblens.example.org", "https://user@caliblens.example.org"),
    ("caliblens.example.org", "https://caliblens.example.org:8443"),
    ("caliblens.example.org", "file://caliblens.example.org"),
    ("localhost:8501", "http://localhost:8502"),
    ("localhost:8501", "http://127.0.0.1:8501"),
    ("localhost:8501", "null"),
    ("localhost:8501", ""),
    ("localhost:8501", "http://"),
    ("localhost:8501", "http://localhost:8501/"),
    ("localhost:8501", "http://localhost:8501\x00"),
    ("localhost:8501", "http://" + "a" * 100_000),
]


@pytest.mark.parametrize(("host", "origin"), SAME)
def test_a_page_of_the_same_host_may_connect(host: str, origin: str) -> None:
    assert asked("websocket", host=host, origin=origin)[1]
    assert asked("http", method="PUT", host=host, origin=origin)[1]


@pytest.mark.parametrize(("host", "origin"), FOREIGN)
def test_a_page_of_another_site_may_not(host: str, origin: str) -> None:
    assert asked("websocket", host=host, origin=origin) == (entry.FOREIGN, None)
    assert asked("http", method="PUT", host=host, origin=origin) == (403, None)
    assert asked("http", host=host, origin=origin)[1]  # it cannot read the answer, and nothing is changed


@pytest.mark.usefixtures("named")
def test_the_name_that_people_know_is_enough_behind_a_proxy_that_does_not_pass_it_on() -> None:
    for host in ("app:8501", "10.0.0.5:8501", "caliblens.example.org", "caliblens.example.org."):
        scope = asked("websocket", host=host, origin="https://caliblens.example.org")[1]
        assert scope is not None
        # Streamlit compares the two, and would ask the internet about a page of another host.
        assert (b"host", b"caliblens.example.org") in scope["headers"]
        assert len([name for name, _ in scope["headers"] if name == b"host"]) == 1


@pytest.mark.usefixtures("named")
def test_where_the_name_is_known_no_other_is_answered() -> None:
    for host, origin in itertools.product(
        ("evil.example.com", "evil.example.com:8501"), (None, "https://evil.example.com")
    ):
        headers = {"host": host} | ({"origin": origin} if origin else {})
        assert asked("http", **headers) == (421, None)
        assert asked("websocket", **headers) == (entry.FOREIGN, None)
    assert asked("websocket", host="caliblens.example.org", origin="http://caliblens.example.org")[1] is None
    for host in ("127.0.0.1:8501", "localhost:8501", "[::1]", "app"):  # who asks for its health
        assert asked("http", path="/_stcore/health", host=host)[1]
        assert asked("websocket", host=host, origin=f"http://{host}")[1]


@pytest.mark.parametrize("host", ["a b", "a/b", "a@b", "a:b", "", "a:123456", "[::1", "a,b", "é.org"])
def test_a_host_that_is_none_is_refused(host: str) -> None:
    assert asked("http", host=host) == (421, None)


def test_two_hosts_or_origins_are_refused() -> None:
    assert not entry.named_so(["localhost", "localhost"])
    assert not entry.own(["http://localhost", "http://localhost"], ["localhost"])


def test_programs_that_are_no_browsers_name_no_origin() -> None:
    assert asked("websocket", host="localhost:8501")[1]
    assert asked("http", method="PUT", host="localhost:8501")[1]


@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "/lens/_stcore/metrics",
        "/_stcore/agent/interact",
        "/_stcore/agent/openapi.json",
        "/_stcore/script-health-check",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_what_streamlit_tells_anybody_is_closed(path: str, method: str) -> None:
    assert asked("http", path, method, host="localhost") == (404, None)


def message(kind: str) -> bytes:
    one = BackMsg()
    if BackMsg.DESCRIPTOR.fields_by_name[kind].message_type:
        getattr(one, kind).SetInParent()
    else:
        setattr(one, kind, True)
    return one.SerializeToString()


def behind(payload: str) -> bytes:
    one = BackMsg()
    getattr(one.backend_operation_request, payload).SetInParent()
    return one.SerializeToString()


@pytest.mark.parametrize("kind", KINDS)
def test_of_the_messages_only_those_of_a_page_come_through(kind: str) -> None:
    assert entry.wanted(message(kind)) == (kind in entry.TAKEN)


def test_what_comes_last_in_a_message_counts() -> None:
    assert not entry.wanted(message("rerun_script") + message("clear_cache"))
    assert entry.wanted(message("clear_cache") + message("rerun_script"))  # as Streamlit reads it


def test_of_the_operations_none_that_writes_to_the_disk() -> None:
    kinds = [
        field.name
        for field in BackMsg().backend_operation_request.DESCRIPTOR.oneofs_by_name["payload"].fields
    ]
    assert {kind for kind in kinds if entry.wanted(behind(kind))} == {"deferred_file", "dataframe_chunk"}


def test_a_message_announces_no_thousand_files() -> None:
    one = BackMsg()
    one.file_urls_request.file_names.extend(["a"] * 2)
    assert entry.wanted(one.SerializeToString())
    one.file_urls_request.file_names.extend(["a"] * 10_000)
    assert not entry.wanted(one.SerializeToString())


def test_what_is_no_message_is_left_to_streamlit_and_a_text_ends_the_connection() -> None:
    assert entry.wanted(b"\xff\xff\xff")
    came: list[Any] = []
    queue = [
        {"type": "websocket.connect"},
        {"type": "websocket.receive", "bytes": message("clear_cache")},
        {"type": "websocket.receive", "bytes": message("rerun_script")},
        {"type": "websocket.receive", "text": "hello", "bytes": None},
    ]
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for _ in range(3):
            came.append(await receive())  # noqa: PERF401

    async def receive() -> Message:
        return queue.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(entry.OwnMessages(app)({"type": "websocket"}, receive, send))
    assert [one["type"] for one in came] == ["websocket.connect", "websocket.receive", "websocket.disconnect"]
    assert came[1]["bytes"] == message("rerun_script")
    assert sent == [{"type": "websocket.close", "code": entry.UNSUPPORTED}]


@pytest.mark.parametrize("noticed", ["by sending", "by receiving"])
def test_what_is_for_a_browser_that_has_gone_is_dropped(noticed: str) -> None:
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.send", "bytes": b"1"})
        if noticed == "by receiving":
            assert (await receive())["type"] == "websocket.disconnect"
        for _ in range(3):
            await send({"type": "websocket.send", "bytes": b"2"})
        if noticed == "by sending":
            assert (await receive())["type"] == "websocket.disconnect"

    async def receive() -> Message:
        return {"type": "websocket.disconnect", "code": 1006}

    async def send(message: Message) -> None:
        sent.append(message)
        if len(sent) > 1:
            raise ConnectionResetError

    asyncio.run(entry.OwnMessages(app)({"type": "websocket"}, receive, send))
    assert len(sent) == (2 if noticed == "by sending" else 1)
