"""Where people sign in, everything is closed before, but a short list."""

from dataclasses import replace

import pytest
import streamlit as st
from hypothesis import given, settings, strategies
from starlette.types import Message

from calibcore.limits import SERVER
from pages.server import gate, page_list, places, routes, sign_in
from tests.cases import each
from tests.pages import asgi

CLOSED = [
    *("/media/a.csv", "/_stcore/upload_file/a/b", "/_stcore/upload_file", "/component/x/y.js"),
    *(
        "/_stcore/metrics",
        "/_stcore/bidi-components/x",
        "/app/static/x",
        "/tomorrow",
        "/tests.py",
        "/__init__",
    ),
    *("//", "//data", "/data//", "/data/x", "/x/data", "/Data", "/r", "/versions", "/staticx/a", "/STATIC/x"),
    *(
        "/_stcore/health/",
        "/_stcore/healthz",
        "/x/_stcore/health",
        "/x/../media/a",
        "/./media/a",
        "/auth/login/x",
    ),
]
OPEN = [
    *("/", "/data", "/data/", "/learn", "/_stcore/health", "/_stcore/host-config", "/static/js/index.js"),
    *("/favicon.png", "/auth/login", "/auth/logout", "/oauth2callback", "/version", "/r/token"),
    *("/healthz", "/readyz", "/api/v1/survey", "/api/v1/docs"),
]


@pytest.fixture(autouse=True)
def _people_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    server = replace(
        SERVER, base_url="https://x.org", oidc_metadata_url="https://y.org", cookie_secret="s" * 40
    )
    monkeypatch.setattr(sign_in, "SERVER", server)


def passes(
    path: str, kind: str = "http", accept: str = "*/*", method: str = "GET"
) -> tuple[bool, list[Message]]:
    """Whether a stranger's request comes through the gate, and what is answered if not."""
    reached, sent = asgi.asked(gate.Gate, kind, path, method, {"accept": accept})
    return reached is not None, sent


@each("path", CLOSED)
@each("method", ["GET", "PUT", "OPTIONS"])
def test_what_is_not_on_the_list_is_closed(path: str, method: str) -> None:
    came, sent = passes(path, method=method)
    assert not came
    assert sent[0]["status"] == 401


@pytest.mark.parametrize("path", OPEN)
def test_the_way_in_is_open(path: str) -> None:
    assert passes(path)[0]


@settings(max_examples=300)
@given(strategies.text(max_size=40).map(lambda text: f"/{text}"))
def test_any_unknown_path_is_closed(path: str) -> None:
    known = {
        "/",
        *(f"/{name}{end}" for name in (page.name for page in page_list.pages()) for end in ("", "/")),
    }
    if path not in known | set(OPEN) and not path.startswith(("/static/", "/r/", "/api/")):
        assert not gate.is_open(places.place(path))
    assert not gate.is_open(places.place(f"/_stcore{path}x"))
    assert not gate.is_open(places.place(path), "websocket")


def test_where_programs_may_not_ask_they_are_closed_out_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "SERVER", replace(SERVER, api=False))
    assert not passes("/api/v1/survey")[0]


def test_of_the_websockets_one_is_open() -> None:
    assert passes("/_stcore/stream", "websocket")[0]
    for path in ("/", "/_stcore/stream/", "/x/_stcore/stream", "/r/token"):
        came, sent = passes(path, "websocket")
        assert not came
        assert sent == [{"type": "websocket.close", "code": 1008}]


def test_below_a_base_path_the_same_holds() -> None:
    before = st.get_option("server.baseUrlPath")
    st.config.set_option("server.baseUrlPath", "lens")
    try:
        assert all(gate.is_open(places.place(f"/lens{path}")) for path in OPEN)
        assert gate.is_open(places.place("/lens"))
        assert not any(gate.is_open(places.place(f"/lens{path}")) for path in CLOSED)
        beside = [path for path in OPEN if gate.is_open(places.place(path))]
        assert beside == ["/healthz", "/readyz"]
    finally:
        st.config.set_option("server.baseUrlPath", before)


def test_a_browser_is_told_in_a_sentence_where_to_sign_in() -> None:
    _, sent = passes("/tomorrow", accept="text/html,*/*")
    assert b'First <a href="./">sign in</a>' in sent[1]["body"]


def test_who_has_signed_in_passes_and_where_nobody_signs_in_everybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sign_in, "came_in", lambda _connection: True)
    assert passes("/media/a.csv")[0]
    monkeypatch.undo()
    assert not SERVER.signs_in
    assert passes("/media/a.csv")[0]


def test_the_gate_stands_in_the_server() -> None:
    assert gate.Gate in [one.cls for one in routes.middleware]
