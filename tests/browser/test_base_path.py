"""The app below a base path, and behind a proxy that takes a prefix away: nothing leaves the part of the host
that is its own."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.acts import LONG, choose, go, settle
from tests.browser.conftest import BELOW, PATIENCE, ROOT, SPARING, _wait_until_healthy, free_port, started
from tests.browser.stripping import stripping
from tests.browser.test_sign_in import provider
from tests.cluster.machines import until
from tests.test_container import healthy

__all__ = ["provider"]
EXAMPLE = "Wines of three growers, gradient boosting"
NESTED = "/tools/caliblens/"


@contextmanager
def visited(browser: Browser, home: str) -> Iterator[Page]:
    """A fresh browser. Whatever it asks for stands below ``home``, and its cookies go nowhere else."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("ws", "http", 1)))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: (
            complaints.append(f"{said.text} {said.location['url']}")
            if said.type == "error" and not BELOW.search(said.location["url"])
            else None
        ),
    )
    yield page
    beside = [
        url for url in asked if not url.startswith((f"{home}/", f"{home}?", "data:", "blob:")) and url != home
    ]
    # A page does not know how much of its own path is the prefix, and asks there too.
    assert [url for url in beside if not url.endswith(("/_stcore/health", "/_stcore/host-config"))] == []
    assert complaints == [], complaints
    context.close()


def looks_around(page: Page, home: str) -> None:
    """The pages, a file that is downloaded, a report under a link and the way back from it."""
    page.goto(f"{home}/")
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
    assert urlsplit(page.url).path.rstrip("/") == urlsplit(home).path
    go(page, "Data")
    choose(page, "Predictions", EXAMPLE)
    page.reload()
    settle(page)
    assert urlsplit(page.url).path == f"{urlsplit(home).path}/data"
    go(page, "Share")
    page.get_by_role("button", name="Make a link").wait_for(timeout=LONG)
    settle(page)
    with page.expect_download() as caught:
        page.get_by_role("button", name="JSON", exact=True).click()
    assert caught.value.path().read_bytes().startswith(b'{"schema": 1')
    settle(page)
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("button", name="I have kept both").wait_for(timeout=LONG)
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    assert link.startswith(f"{home}/r/")
    answer = page.goto(link)
    assert answer is not None
    assert answer.status == 200
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    page.get_by_role("link", name="Open these settings in Caliblens").click()
    page.get_by_text(f"Settings of the report '{EXAMPLE}'").wait_for(timeout=LONG)
    settle(page)


def is_ready(home: str) -> bool:
    try:
        with urllib.request.urlopen(f"{home}/readyz") as answer:
            return bool(answer.status == 200)
    except urllib.error.HTTPError as error:
        error.close()
        return False


def finds_nothing(home: str) -> None:
    """What is no page is 404, with the way home."""
    for path in ("/nope", "/learn/nope", "/metrics", "/_stcore/metrics", "/static/js/none.js"):
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(urllib.request.Request(home + path, headers={"Accept": "text/html"}))
        assert caught.value.code == 404, path
        caught.value.close()
    for path, body in (("/healthz", b"ok"), ("/version", b'{"name":"caliblens"'), ("/learn/", b"<!")):
        with urllib.request.urlopen(home + path) as answer:
            assert answer.read().startswith(body), path


@pytest.mark.slow
def test_below_a_nested_base_path(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with started(tmp_path, port, STREAMLIT_SERVER_BASE_URL_PATH=NESTED) as address:
        home = address + NESTED.removesuffix("/")
        with visited(browser, home) as page:
            looks_around(page, home)
            paths = {cookie["path"] for cookie in page.context.cookies()}
            assert paths == {NESTED.removesuffix("/")}
        finds_nothing(home)
        assert healthy(port)  # as the container asks, which knows of no base path
        until(lambda: is_ready(home) and is_ready(address), 120)
        with browser.new_page() as page:
            page.goto(f"{address}/nowhere/at/all")
            page.get_by_role("link", name="Go to Caliblens").click()
            page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
            assert page.url == f"{home}/"


@pytest.mark.slow
def test_behind_a_proxy_that_takes_a_prefix_away(browser: Browser, server: str) -> None:
    port = urlsplit(server).port
    assert port is not None
    with stripping("/caliblens", port) as home:
        with visited(browser, home) as page:
            looks_around(page, home)
        finds_nothing(home)
        with browser.new_page() as page:
            page.goto(f"{home}/nowhere/at/all")
            page.get_by_role("link", name="Go to Caliblens").click()
            page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
            assert page.url == f"{home}/"


@pytest.mark.slow
@pytest.mark.parametrize("strips", [True, False])
def test_people_sign_in_and_out_below_a_prefix(
    browser: Browser, tmp_path: Path, provider: str, strips: bool
) -> None:
    port = free_port()
    with stripping("/lens", port) as beside:
        home = beside if strips else f"http://localhost:{port}/lens"
        settings = {
            "CALIBLENS_BASE_URL": home if strips else f"http://localhost:{port}",
            "CALIBLENS_OIDC_METADATA_URL": provider,
            "CALIBLENS_OIDC_CLIENT_ID": "caliblens",
            "CALIBLENS_OIDC_CLIENT_SECRET": "secret",
            "CALIBLENS_COOKIE_SECRET": "x" * 40,
        }
        if not strips:
            settings["STREAMLIT_SERVER_BASE_URL_PATH"] = "lens"
        with started(tmp_path, port, **settings), browser.new_context() as context:
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            answer = page.goto(f"{home}/r/guess")
            assert answer is not None
            assert answer.status == 401
            page.get_by_role("link", name="sign in").click()
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url("**/oauth2/authorize**")
            page.get_by_role("button", name="ada").click()
            page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
            assert page.url == f"{home}/"
            here = [one for one in context.cookies() if one["name"].startswith(("_streamlit", "caliblens"))]
            assert "_streamlit_user" in {one["name"] for one in here}
            assert {one["path"] for one in here} == {"/lens"}
            page.get_by_role("button", name="Sign out").click()
            page.get_by_role("button", name="End session").click()  # the provider's own question
            page.get_by_role("button", name="Sign in").wait_for()
            assert page.url.startswith(home)
            assert "_streamlit_user" not in {one["name"] for one in context.cookies()}


@pytest.mark.slow
def test_the_command_says_where_it_is_and_a_file_of_settings_is_read(tmp_path: Path) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit/config.toml").write_text(f'[server]\nbaseUrlPath = "{NESTED}"\n')
    port, log = free_port(), tmp_path / "log.txt"
    settings = {"PYTHONPATH": str(ROOT), "CALIBLENS_DATA": "data", "HOME": str(tmp_path)} | SPARING
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "calibcore", "app", "--no-browser", "--port", str(port)],
            cwd=tmp_path, stdout=output, stderr=subprocess.STDOUT, env=os.environ | settings,
        )  # fmt: skip
    try:
        address = f"http://localhost:{port}"
        _wait_until_healthy(address, process, log)
        finds_nothing(address + NESTED.removesuffix("/"))
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
    home = f"{address}{NESTED.removesuffix('/')}"
    assert log.read_text() == f"Caliblens is at {home}, for this machine alone. Ctrl+C ends it.\n"
