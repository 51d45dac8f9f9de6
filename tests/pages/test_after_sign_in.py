"""A link to settings survives a sign-in: through a cookie of the stranger's, and through nothing else."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from calibcore.limits import Server
from pages.server import after_sign_in, sign_in

TOKEN = "aB3_-" * 6


async def _app(_request: Request) -> Response:
    return Response("the app")


async def _callback(request: Request) -> Response:
    return RedirectResponse(request.query_params.get("to", "/"), 302)


@pytest.fixture
def somebody(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    house = Server(
        Path("/nowhere"), base_url="https://x.org", oidc_metadata_url="https://y.org", cookie_secret="s" * 40
    )
    monkeypatch.setattr(after_sign_in, "SERVER", house)
    monkeypatch.setattr(sign_in, "SERVER", house)
    pages = [Route("/", _app), Route("/oauth2callback", _callback)]
    app = Starlette(routes=pages, middleware=[Middleware(after_sign_in.ComingBack)])
    return TestClient(app, base_url="https://x.org", follow_redirects=False)


def test_a_sign_in_leads_back_to_the_settings_once(somebody: TestClient) -> None:
    kept = somebody.get(f"/?spec={TOKEN}").headers["set-cookie"]
    assert kept == f"caliblens_wanted={TOKEN}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure"
    assert somebody.get("/oauth2callback?code=x").headers["location"] == f"/?spec={TOKEN}"
    assert somebody.get("/oauth2callback?code=x").headers["location"] == "/"


@pytest.mark.parametrize("token", ["", "x" * 201, "a%0d%0aSet-Cookie:%20b=c", "a.b", "a b", "%C3%A9"])
def test_what_is_no_token_is_not_kept(somebody: TestClient, token: str) -> None:
    assert "set-cookie" not in somebody.get(f"/?spec={token}").headers
    somebody.cookies.set("caliblens_wanted", token)
    assert somebody.get("/oauth2callback").headers["location"] == "/"


def test_only_the_way_home_is_lengthened(somebody: TestClient) -> None:
    somebody.get(f"/?spec={TOKEN}")
    for elsewhere in ("https://z.org", "/?error=1"):
        assert somebody.get("/oauth2callback", params={"to": elsewhere}).headers["location"] == elsewhere


def test_who_is_signed_in_gets_no_cookie(somebody: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "came_in", lambda _request: True)
    assert "set-cookie" not in somebody.get(f"/?spec={TOKEN}").headers


def test_where_nobody_signs_in_there_is_no_cookie(
    somebody: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(after_sign_in, "SERVER", Server(Path("/nowhere")))
    assert "set-cookie" not in somebody.get(f"/?spec={TOKEN}").headers
    somebody.cookies.set("caliblens_wanted", TOKEN)
    assert somebody.get("/oauth2callback").headers["location"] == "/"
