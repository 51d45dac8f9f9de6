"""Between a browser and Streamlit: the script in every page, the name of a tab at each connection."""

import re
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.server import tabs, workspaces
from pages.server.workspaces import Workspaces

OLD, NEW = "o" * 32, "N-_4" * 8
PAGE = "<!DOCTYPE html><html><head><title>x</title></head><body></body></html>"
AS_A_BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


async def _page(request: Request) -> Response:
    if "if-none-match" in request.headers:
        return Response(status_code=304)
    assert request.headers.get("accept-encoding", "") == ""
    return HTMLResponse(PAGE, headers={"etag": '"1"', "last-modified": "x", "cache-control": "no-cache"})


async def _report(_request: Request) -> Response:
    return HTMLResponse(PAGE, headers={"etag": '"1"'})


async def _version(_request: Request) -> Response:
    return JSONResponse({"a": "<head>"})


async def _stream(socket: WebSocket) -> None:
    if socket.headers.get("origin") == "https://evil.org":
        await socket.close()
        return
    asked = socket.headers["sec-websocket-protocol"]
    await socket.accept(subprotocol=asked.split(",")[0].strip())
    await socket.send_json([asked, socket.headers.getlist(workspaces.HEADER), socket.scope["subprotocols"]])
    await socket.close()


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Workspaces:
    found = Workspaces()
    found.keep(OLD, "s", {"models": {"a": 1}})
    monkeypatch.setattr(workspaces, "WORKSPACES", found)
    return found


@pytest.fixture
def client() -> TestClient:
    routes = [
        Route("/version", _version),
        Route("/r/{token}", _report),
        WebSocketRoute("/base/_stcore/stream", _stream),
        Route("/{path:path}", _page),
    ]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(tabs.Tabs)]))


def connected(client: TestClient, *protocols: str, **headers: str) -> list[Any]:
    with client.websocket_connect("/base/_stcore/stream", list(protocols), headers=headers) as socket:
        found: list[Any] = socket.receive_json()
    return found


def test_every_page_has_script_and_style_first_and_whole(client: TestClient) -> None:
    for path in ("/", "/data", "/learn/"):
        answer = client.get(path, headers=AS_A_BROWSER | {"if-none-match": '"1"'})
        assert answer.status_code == 200
        page = PAGE.replace("<head>", f"<head>{tabs.script().decode()}")
        page = page.replace("</head>", f"{tabs.preloads().decode()}</head>")
        assert answer.text == page.replace("<body>", f"<body>{tabs.style().decode()}")
        assert int(answer.headers["content-length"]) == len(answer.content)
        assert not {"etag", "last-modified"} & set(answer.headers)
        assert answer.headers["cache-control"] == "no-cache"
    assert b"</script" not in tabs.script()[8:-9]
    assert b"</style" not in tabs.style()[7:-8]


def test_programs_that_pages_need_are_there_and_are_fetched_from_the_beginning() -> None:
    """Each by its name and the digest of Streamlit's build: one that has another name is noticed."""
    found = tabs.preloads().decode()
    for name in tabs.PROGRAMS:
        assert len(re.findall(rf'href="\./static/js/{name}\.[\w-]+\.js"', found)) == 1, name


def test_reports_and_what_is_no_page_stay_as_they_are(client: TestClient) -> None:
    report = client.get("/r/token", headers=AS_A_BROWSER)
    assert report.text == PAGE
    assert report.headers["etag"] == '"1"'
    nowhere = client.get("/nowhere", headers=AS_A_BROWSER | {"accept-encoding": ""})
    assert nowhere.text == PAGE
    assert client.get("/version", headers=AS_A_BROWSER).json() == {"a": "<head>"}
    assert client.get("/data", headers={"accept": "*/*", "accept-encoding": ""}).text == PAGE


def test_a_connection_says_both_names_and_streamlit_sees_its_own_words(
    client: TestClient, kept: Workspaces
) -> None:
    for session in ([], ["4f8e"]):
        asked, name, protocols = connected(
            client, "streamlit", "xsrf", *session, f"caliblens.model.{OLD}.{NEW}", **{workspaces.HEADER: "x"}
        )
        assert asked == ", ".join(["streamlit", "xsrf", *session])
        assert protocols == ["streamlit", "xsrf", *session]
        assert name == [f"{NEW} model"]
    assert kept.taken(NEW) == kept.taken(OLD) == {"models": {"a": 1}}


def test_a_session_that_holds_something_goes_on_only_with_its_tab_and_owner(
    client: TestClient, kept: Workspaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    def goes_on(session: str, name: str) -> bool:
        sent = f"caliblens.model.{name}.{NEW}"
        return bool(
            connected(client, "streamlit", "xsrf", session, sent)[2] == ["streamlit", "xsrf", session]
        )

    assert goes_on("s", OLD)
    assert not goes_on("s", "")
    assert not goes_on("s", "O" * 32)
    assert connected(client, "streamlit", "xsrf", "s")[2] == ["streamlit", "xsrf"]
    assert goes_on("t", "")  # nothing is held there
    monkeypatch.setattr(tabs.sign_in, "owner", lambda _claims: "somebody else")
    assert not goes_on("s", OLD)


def test_a_first_visit_has_no_name_before(client: TestClient, kept: Workspaces) -> None:
    assert connected(client, "streamlit", "xsrf", f"caliblens...{NEW}")[1] == [f"{NEW} "]
    assert kept.taken(NEW) is None


@pytest.mark.parametrize(
    "sent",
    ["caliblens", f"caliblens.model.{OLD}", f"caliblens..{OLD}.{NEW}x", f"caliblens.M.{OLD}.{NEW}", "x"],
)
def test_what_is_no_name_is_none(client: TestClient, kept: Workspaces, sent: str) -> None:
    assert connected(client, "streamlit", "xsrf", sent, **{workspaces.HEADER: OLD})[1] == []
    assert kept.taken(NEW) is None


def test_who_is_turned_away_copies_nothing(client: TestClient, kept: Workspaces) -> None:
    with pytest.raises(WebSocketDisconnect):
        connected(client, "streamlit", f"caliblens..{OLD}.{NEW}", origin="https://evil.org")
    assert kept.taken(NEW) is None
    assert kept.sweep() == 1
