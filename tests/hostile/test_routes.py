"""The routes beside the pages, asked by somebody who wants in: paths, headers and methods of all kinds."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.types import Message
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.state import SessionState

from calibcore.limits import Server
from calibcore.store import Share
from pages.server import report_route, routes, sign_in, visitors
from pages.server.rate_limit import Guesses
from pages.server.workspaces import Workspaces
from tests.cases import each
from tests.hostile.fuzzing import MANY_OR_ALL
from tests.hostile.invariants import bounded, nothing_beside

SECRET = "what only the link shows"
SHARE = Share("Wine", 0, 10**8, "f" * 64, "{}", f"<!DOCTYPE html><title>Wine</title>{SECRET}")
Headers = list[tuple[str, str]]


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: str


def _lower(headers: Headers | None) -> Headers:
    return [(name.lower(), value) for name, value in headers or []]


def ask(path: str, method: str = "GET", headers: Headers | None = None, peer: str = "192.0.2.1") -> Answer:
    """What the routes answer to just this, with no client in between that would mend it."""
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode("utf-8", "replace"), "query_string": b"", "root_path": "",
        "headers": [tuple(text.encode("latin-1", "replace") for text in pair) for pair in _lower(headers)],
        "client": (peer, 1), "server": ("localhost", 80),
    }  # fmt: skip
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Starlette(routes=routes.routes, middleware=routes.middleware)(scope, receive, send))
    head = {name.decode("latin-1"): value.decode("latin-1") for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], head, b"".join(m.get("body", b"") for m in sent[1:]).decode())


@pytest.fixture
def token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Of a report in a fresh store."""
    monkeypatch.setattr(report_route, "SERVER", Server(tmp_path))
    monkeypatch.setattr(report_route, "_guesses", Guesses())
    monkeypatch.setattr(report_route, "now", lambda: 1_000)
    monkeypatch.setattr(report_route, "SLOW", 0.0)
    report_route.store.cache_clear()
    yield report_route.store().save(SHARE).token
    report_route.store().close()
    report_route.store.cache_clear()


def _proxies(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(visitors, "SERVER", Server(Path("/nowhere"), proxies=number))


def _statuses(headers: list[Headers], peers: list[str] | None = None) -> set[int]:
    peers = peers or ["192.0.2.1"] * len(headers)
    return {
        ask(f"/r/guess{i}", headers=h, peer=p).status
        for i, (h, p) in enumerate(zip(headers, peers, strict=True))
    }


PARTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "..",
            "../..",
            "%2e%2e",
            "..%2f",
            "//",
            "\\",
            "\0",
            "é" * 3_000,
            "a" * 60_000,
            "\u202e",
            "\r\nX: y",
            "*",
            "%",
            ".",
        ]
    ),
)
HEADERS = st.lists(
    st.tuples(
        st.sampled_from(["host", "cookie", "range", "x-forwarded-for", "content-length", "origin"]),
        st.sampled_from(["", "_streamlit_user=x", "bytes=0-", "1, 2, 3", "\x00\xff", "a" * 20_000, "-1"])
        | st.text(max_size=20),
    ),
    max_size=4,
)  # fmt: skip


@pytest.mark.parametrize("examples", MANY_OR_ALL(100, 2_000))
def test_no_path_header_or_method_finds_anything(
    token: str, examples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_route, "_guesses", Guesses(most=10**9))

    @settings(max_examples=examples)
    @given(
        st.sampled_from(["/r/", "/r/", "/r", "/version", "/version/", "/", "//r/", "/R/"]),
        st.lists(PARTS, max_size=3).map("/".join),
        st.sampled_from(["GET", "GET", "HEAD", "OPTIONS", "POST", "PUT", "TRACE", "PROPFIND", "", "get"]),
        HEADERS,
    )
    def check(start: str, rest: str, method: str, headers: Headers) -> None:
        with bounded(seconds=2, megabytes=100), nothing_beside():
            answer = ask(start + rest, method, headers)
        assert answer.status in (200, 307, 401, 403, 404, 405, 421), answer
        assert answer.status != 200 or start + rest in ("/version",), answer
        assert SECRET not in answer.body
        assert "Traceback" not in answer.body
        assert "default-src" in answer.headers["content-security-policy"]
        assert not any("\n" in value or "\r" in value for value in answer.headers.values())

    check()
    assert ask(f"/r/{token}").status == 200


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST", "DELETE"])
@pytest.mark.parametrize("end", ["", "/", "%00", "?", "/x", ".", " ", "\0"])
@pytest.mark.some(8)
def test_a_token_and_a_guess_differ_in_nothing_but_the_page(token: str, method: str, end: str) -> None:
    right, wrong = (ask(f"/r/{t}{end}", method) for t in (token, "g" * len(token)))
    if end == "" and method in ("GET", "HEAD"):
        assert (right.status, wrong.status) == (200, 404)
        return
    assert right.status == wrong.status
    assert right.body == wrong.body
    location = [answer.headers.pop("location", "") for answer in (right, wrong)]
    assert location[0].replace(token, "") == location[1].replace("g" * len(token), "")
    assert right.headers == wrong.headers


def test_a_head_counts_as_a_guess(token: str) -> None:
    assert {ask(f"/r/guess{i}", "HEAD").status for i in range(20)} == {404}
    assert ask("/r/guess").status == 429
    assert ask(f"/r/{token}").status == 200


def test_case_and_form_of_a_token_matter(token: str) -> None:
    for other in (token.swapcase(), f" {token}", f"{token}=", token[:-1], token.replace(token[0], "%61", 1)):
        assert ask(f"/r/{other}").status == 404


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP"]
)
@pytest.mark.parametrize("proxies", [0, 1])
@pytest.mark.some(4)
def test_nobody_takes_another_address_by_a_header(
    token: str, header: str, proxies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind one proxy, its own line, or its part of the line, is the last."""
    _proxies(monkeypatch, proxies)
    real = [[("X-Forwarded-For", "198.51.100.7")]] if proxies else [[]]
    assert 429 in _statuses([[(header, f"10.0.0.{i}"), *real[0]] for i in range(25)])
    monkeypatch.setattr(report_route, "_guesses", Guesses())
    own = ", 198.51.100.7" if proxies else ""
    assert 429 in _statuses(
        [[(header, f"10.0.0.{i}{own}"), *(real[0] if header != "X-Forwarded-For" else [])] for i in range(25)]
    )


def test_a_peer_that_the_server_believed_is_one_peer(token: str) -> None:
    """The server puts what a peer on its own machine says into the peer's place before we see it."""
    headers: list[Headers] = [[("X-Forwarded-For", f"10.0.0.{i}:{i}")] for i in range(25)]
    assert 429 in _statuses(headers, [f"10.0.0.{i}" for i in range(25)])


@pytest.mark.parametrize("proxies", [0, 1])
@pytest.mark.parametrize(
    "form",
    [
        "2001:db8::{:x}",
        "2001:db8:0:0:ffff::{:x}%eth0",
        "::ffff:192.0.2.9",
        "192.0.2.9:{}",
        "[2001:db8::{:x}]:80",
    ],
)
@pytest.mark.some(4)
def test_a_household_guesses_as_one(
    token: str, form: str, proxies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _proxies(monkeypatch, proxies)
    addresses = [form.format(i) for i in range(1, 26)]
    headers: list[Headers] = [[("X-Forwarded-For", a)] if proxies else [] for a in addresses]
    assert 429 in _statuses(headers, ["10.0.0.1"] * 25 if proxies else addresses)


def test_other_households_are_not_kept_waiting(token: str) -> None:
    peers = [f"2001:db8:0:{i:x}::1" for i in range(25)]
    assert _statuses([[] for _ in peers], peers) == {404}


@each(
    "path",
    [
        "/_stcore/upload_file/a/b", "//_stcore/upload_file/a/b", "/base/_stcore/upload_file/a/b",
        "/x/../_stcore/upload_file/a/b", "/_stcore/upload_file/", "/_stcore/upload_file", "/media/abc.csv",
        "/base/media/abc.csv",
    ],
)  # fmt: skip
@each("method", ["PUT", "DELETE", "GET", "OPTIONS", "HEAD", "put"])
def test_no_file_goes_in_or_out_before_sign_in(
    path: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(
        Path("/nowhere"), base_url="https://x.org", oidc_metadata_url="https://y.org", cookie_secret="s" * 40
    )
    monkeypatch.setattr(sign_in, "SERVER", server)
    for cookie in (
        "",
        "_streamlit_user=x",
        '_streamlit_user="{}"',
        "_streamlit_user=2|1:0|10:1|4:user|2:e30=|x",
    ):
        assert ask(path, method, [("Cookie", cookie)]).status == 401
    monkeypatch.setattr(sign_in, "SERVER", Server(Path("/nowhere")))
    assert ask(path, method).status in (404, 405, 411)


@pytest.mark.parametrize("public", [False, True])
def test_without_sign_in_a_report_opens_where_sharing_is_public_and_nothing_else(
    token: str, public: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(
        tmp_path, base_url="https://x.org", oidc_metadata_url="https://y.org", cookie_secret="s" * 40,
        public_sharing=public,
    )  # fmt: skip
    for module in (report_route, sign_in):
        monkeypatch.setattr(module, "SERVER", server)
    assert ask(f"/r/{token}").status == (200 if public else 401)
    assert ask("/r/guess").status == (404 if public else 401)
    assert ask("/media/abc.csv").status == 401


def test_no_message_of_a_browser_says_that_someone_is_signed_in() -> None:
    """What a page keeps of a session cannot be sent as the state of a widget."""
    state, sent = SessionState(), WidgetStates()
    for key in (sign_in.CHECKED, "models", "workspace"):
        sent.widgets.add(id=key, bool_value=True)
    state.set_widgets_from_proto(sent)
    for key in (sign_in.CHECKED, "models", "workspace"):
        with pytest.raises(KeyError):
            state[key]


def test_workspaces_that_never_were_and_that_are_gone_are_alike() -> None:
    clock = [0.0]
    kept = Workspaces(minutes=1, clock=lambda: clock[0])
    kept.keep("t" * 32, "session", {"models": {}})
    assert kept.taken("t" * 32) is not None
    for guess in ("", "T" * 32, "t" * 31, "t" * 33, "t" * 31 + "\0", "é", "x" * 1_000_000):
        assert kept.taken(guess) is None
    clock[0] = 61.0
    assert kept.taken("t" * 32) is None


def test_a_guess_that_begins_right_is_looked_up_as_any_other(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is asked once, for a hash: a guess that is nearly right is as far off as any other, so that
    no time that it takes says how much of it is right."""
    store, asked = report_route.store(), list[bytes]()
    row = store.row

    def noted(key: bytes) -> Any:
        asked.append(key)
        return row(key)

    monkeypatch.setattr(store, "row", noted)
    near, far = token[:-1] + ("a" if token[-1] != "a" else "b"), "x" * len(token)
    for guess in (token, near, far):
        store.find(guess, 1_000)
    right, *wrong = asked
    assert len(asked) == 3
    for key in wrong:
        assert len(key) == len(right)
        assert key[:3] != right[:3]
