"""Every address stands below the base path, behind a proxy that takes a prefix away too; the rest is 404."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from calibcore.limits import SERVER, Server
from pages.server import page_list, places, report_route, routes, sign_in, streamlit_internals
from tests.cases import each
from tests.pages import asgi

BASES = ("", "caliblens", "/tools/caliblens/", "r", "data")
"""Base paths as people write them; the last two are called like an address of ours."""
NO_PAGE = (
    *("nope", "metrics", "healthz/", "readyz/x", "Data", "data/x", "data//", "r", "r/", "r/a/b", "version/"),
    *(
        "index.html",
        "static",
        "static/",
        "static/js",
        "static/js/none.js",
        "static/../pages/data.py",
        "../app.py",
    ),
    *("_stcore", "_stcore/", "_stcore/foo", "_stcore/health/", "data/_stcore/health"),
    *(
        "media",
        "component",
        "robots.txt",
        ".env",
        "wp-login.php",
        "pages/data.py",
        "/",
        "/data",
        "//",
        "\x00",
        "é",
    ),
)
HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def base(request: pytest.FixtureRequest) -> Iterator[str]:
    """A base path that Streamlit is told, as "/x"."""
    before = st.get_option("server.baseUrlPath")
    st.config.set_option("server.baseUrlPath", request.param)
    yield places.base()
    st.config.set_option("server.baseUrlPath", before)


async def _streamlit(request: Request) -> Response:
    return Response(f"streamlit {request.url.path}", media_type="text/html")


def server(base: str, *more: Route) -> TestClient:
    """What Streamlit has below its base path, and behind it its page, which answers to everything."""
    named = ("/_stcore/health", "/media/{file:path}", "/_stcore/upload_file/{a}/{b}", "/component/{p:path}")
    theirs = [Route(f"{base}{path}", _streamlit) for path in named]
    whatever = Mount(base or "/", routes=[Route("/{path:path}", _streamlit)])
    app = Starlette(routes=[*more, *routes.routes, *theirs, whatever], middleware=routes.middleware)
    return TestClient(app, follow_redirects=False)


@pytest.mark.parametrize("base", BASES, indirect=True)
def test_what_is_there_is_answered_below_the_base_path(base: str) -> None:
    client = server(base)
    script = next(name for name in streamlit_internals.static_files() or () if name.endswith(".js"))
    pages = [page.name for page in page_list.pages()]
    files = ["_stcore/health", "media/a.csv", "component/x/index.html", "favicon.png", script]
    for name in ("", *pages, f"{pages[-1]}/", *files):
        assert client.get(f"{base}/{name}").text == f"streamlit {base}/{name}"
    assert client.get(f"{base}/version").json()["name"] == "caliblens"
    assert client.get(f"{base}/healthz").text == client.get("/healthz").text == "ok"
    report = client.get(f"{base}/r/guess")
    assert "There is no report here" in report.text
    assert report.headers["content-security-policy"] == report_route.POLICY["Content-Security-Policy"]


@pytest.mark.parametrize("base", BASES, indirect=True)
def test_what_is_nowhere_is_404_by_any_method_with_the_way_home(base: str) -> None:
    app = server(base).app

    def wanted(path: str, method: str, headers: dict[str, str]) -> tuple[int, str]:
        _, sent = asgi.asked(lambda _: app, "http", path, method, headers)
        return sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:]).decode()

    for name in NO_PAGE:
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"):
            status, words = wanted(f"{base}/{name}", method, {})
            assert status == 404, (name, method)
            assert "streamlit" not in words
        up = name.count("/")
        link = f'<a href="{"../" * up or "./"}">Go to Caliblens</a>'
        assert link in wanted(f"{base}/{name}", "GET", HTML)[1], name
    assert all(wanted(f"{base}/{name}", "GET", {})[1] == "There is nothing here." for name in NO_PAGE)
    if base:
        for beside in ("/", f"{base}x", f"{base}x/data", "/version", "/learn", "/_stcore/health", "/x/r/x"):
            status, words = wanted(beside, "GET", HTML)
            assert (status, "streamlit" in words) == (404, False), beside
            assert f'href="{"../" * (beside.count("/") - 1)}' in words
            assert f'{base[1:]}/">Go to' in words


@pytest.mark.parametrize("base", ["caliblens", "/tools/caliblens/"], indirect=True)
def test_the_base_path_itself_leads_to_the_first_page(base: str) -> None:
    answer = server(base).get(f"{base}?spec=x", follow_redirects=True)
    assert answer.url.path == f"{base}/"
    assert answer.url.query == b"spec=x"
    assert answer.text == f"streamlit {base}/"


def test_a_method_that_an_address_does_not_take_is_405() -> None:
    client = server("")
    for path in ("/version", "/healthz", "/readyz", "/r/guess", "/_stcore/health"):
        assert client.post(path).status_code == 405


@pytest.mark.parametrize("base", ["", "caliblens"], indirect=True)
@each("path", ["/", "/data", "/x/_stcore/stream", "/_stcore/streams", "/r/token"])
def test_another_websocket_is_closed(base: str, path: str) -> None:
    reached, sent = asgi.asked(places.Places, "websocket", f"{base}{path}", "", {})
    assert (reached, sent) == (None, [{"type": "websocket.close", "code": 1008}])
    assert asgi.asked(places.Places, "websocket", f"{base}/_stcore/stream", "", {})[0] is not None


@pytest.mark.parametrize(
    ("base", "asked", "led", "to"),
    [
        ("", "/data/", "/data?x=/y", "../data?x=/y"),
        ("", "/oauth2callback", "/", "./"),
        ("", "/auth/logout", "/", "../"),
        ("lens", "/lens/oauth2callback", "/lens/", "./"),
        ("lens", "/lens/auth/logout", "/lens/", "../"),
        ("lens", "/lens/data/", "/lens/data", "../data"),
        ("lens", "/lens/data", "/elsewhere", "../elsewhere"),
        ("", "/data", "https://provider.org/a", "https://provider.org/a"),
        ("", "/data", "//provider.org/a", "//provider.org/a"),
        ("", "/data", "x", "x"),
    ],
    indirect=["base"],
)
def test_redirects_within_the_server_are_relative(base: str, asked: str, led: str, to: str) -> None:
    async def leads(_request: Request) -> Response:
        return RedirectResponse(led, 302)

    assert server(base, Route(asked, leads)).get(asked).headers["location"] == to


@pytest.mark.parametrize(
    ("base", "base_url", "path", "whole"),
    [
        ("", "", "", ""),
        ("", "https://x.org", "", "https://x.org"),
        ("", "https://x.org/lens", "/lens", "https://x.org/lens"),
        ("lens", "", "/lens", ""),
        ("lens", "https://x.org/lens", "/lens", "https://x.org/lens"),
        ("lens", "https://x.org", "/lens", "https://x.org/lens"),
        ("lens", "https://lens", "/lens", "https://lens/lens"),
        ("/a/lens/", "https://x.org/behind", "/behind/a/lens", "https://x.org/behind/a/lens"),
    ],
    indirect=["base"],
)
def test_cookies_and_links_stand_below(
    base: str, base_url: str, path: str, whole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = replace(SERVER, base_url=base_url, oidc_metadata_url="https://y.org")
    monkeypatch.setattr(places, "SERVER", house)
    monkeypatch.setattr(sign_in, "SERVER", house)

    async def sets(_request: Request) -> Response:
        answer = Response("", headers={"set-cookie": "_streamlit_xsrf=2|a|b; Path=/; SameSite=Lax"})
        answer.set_cookie("deep", "1", path="/lens/deep")
        answer.delete_cookie("old")
        return answer

    app = Starlette(routes=[Route("/x", sets)], middleware=[Middleware(places.Below)])
    xsrf, deep, *old = TestClient(app).get("/x").headers.get_list("set-cookie")
    assert xsrf == f"_streamlit_xsrf=2|a|b; Path={path or '/'}; SameSite=Lax"
    assert "Path=/lens/deep" in deep
    assert ["Path=/;" in one for one in old] == ([True, False] if path else [True])
    assert f"Path={path or '/'};" in old[-1]
    assert places.with_base_path(base_url) == whole
    told = sign_in.secrets()
    assert told is not None
    assert told["auth"]["redirect_uri"] == f"{whole}/oauth2callback"
    assert places.prefix() == path


def test_a_server_that_is_told_what_a_proxy_takes_away_answers_the_same() -> None:
    for path in ("/version", "/lens/version"):  # servers differ in whether the path still has it
        assert places.place(path, "/lens") == "version"
    assert places.place("/lens/", "/lens/") == ""


def test_the_browser_is_led_to_the_sign_in_below_the_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    user_info = pytest.importorskip("streamlit.user_info")
    monkeypatch.setattr(
        user_info, "make_url_path", getattr(user_info.make_url_path, "__wrapped__", user_info.make_url_path)
    )
    monkeypatch.setattr(places, "SERVER", Server(Path("/nowhere"), base_url="https://x.org/lens"))
    streamlit_internals._sign_in_below(places.prefix)
    assert user_info.make_url_path("", "/auth/login") == "/lens/auth/login"
