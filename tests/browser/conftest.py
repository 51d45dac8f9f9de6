"""A real Chromium against a real server. No browser is a failure, never a skip."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    Request,
    ViewportSize,
    WebSocket,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).parents[2]
PATIENCE = 60_000
"""Milliseconds that any one thing may take; a busy machine is no error."""
expect.set_options(timeout=PATIENCE)
DESK: ViewportSize = {"width": 1440, "height": 1100}
PHONE: ViewportSize = {"width": 390, "height": 844}
BELOW = re.compile(r"/[a-z]+/_stcore/(health|host-config)$")
"""Opened at a page's own address, Streamlit's client first asks below it for the server, and is told 404."""
ERROR = '"level": "error"'
"""In a line of the log."""
LONGEST = (
    "test_sign_in",
    "test_story",
    "test_overview",
    "test_models",
    "test_history",
    "test_access",
    "test_navigation",
    "test_app_command",
    "test_keyboard",
)
"""Files that are begun first: one that takes a minute would else run alone at the end."""
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--single-threaded-gc",
]
SPARING = {"OPENBLAS_NUM_THREADS": "1"}
"""For each server: else threads that wait for work keep a core busy, at which others could work."""
SHARED = pytest.StashKey[ExitStack]()
"""What the one server of all workers needs to its end."""
ADDRESS = pytest.StashKey[str]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, for ``--dist loadfile --no-loadscope-reorder``."""
    here = [item for item in items if item.path.parent == Path(__file__).parent]
    if len(here) == len(items):
        order = {name: place for place, name in enumerate(LONGEST)}
        items.sort(key=lambda item: order.get(item.path.stem, len(order)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What stood on the page of a test that failed, beside what it waited for."""
    report = yield
    found = getattr(item, "funcargs", {}).get("watched")
    if report.when == "call" and report.failed and isinstance(found, Watched):
        for page in found.page.context.pages:
            with suppress(Error):
                state = page.get_by_test_id("stApp").get_attribute("data-test-script-state", timeout=1_000)
                words = page.locator("body").inner_text(timeout=1_000)
                report.sections.append((f"{page.url}, {state}", words[:3_000]))
    return report


def find_chromium(playwright: Playwright) -> str:
    """Debian's Chromium or Playwright's own; best the one that has no windows, a fifth cheaper."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    own = playwright.chromium.executable_path
    if not Path(own).exists():
        pytest.fail("There is no Chromium. Run `make setup-system`, or `playwright install chromium`.")
    return own


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def started(folder: Path, port: int, **environment: str) -> Iterator[str]:
    """The app as `streamlit run app.py` starts it, keeping its data in ``folder``; its address."""
    log = folder / "log.txt"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    settings = {"PYTHONPATH": "", "CALIBLENS_DATA": str(folder / "data")} | SPARING
    with log.open("w") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | settings | environment,
        )
        address = f"http://localhost:{port}"
        try:
            _wait_until_healthy(address, process, log)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=20)
    text = log.read_text()
    assert "Traceback" not in text, text
    assert not [line for line in text.splitlines() if ERROR in line], text


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Before a worker of pytest-xdist begins: the first one's begin starts the server of all."""
    stash = node.config.stash
    if SHARED not in stash:
        stash[SHARED] = whole = ExitStack()
        folder = whole.enter_context(tempfile.TemporaryDirectory())
        stash[ADDRESS] = whole.enter_context(started(Path(folder), free_port()))
    node.workerinput["server"] = stash[ADDRESS]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """When all workers are done, the server that they shared ends; an error in its log is a failure."""
    yield
    if whole := session.config.stash.get(SHARED, None):
        whole.close()


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for most tests, of all workers: what is known of an example is found out once."""
    if hasattr(request.config, "workerinput"):
        yield request.config.workerinput["server"]
        return
    with started(tmp_path_factory.mktemp("server"), free_port()) as address:
        yield address


def _wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=2) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            pass
        time.sleep(0.25)
    pytest.fail(f"The server did not start:\n{log.read_text()}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        yield chromium
        chromium.close()


@dataclass
class Watched:
    """A page and everything it asked for or complained about."""

    page: Page
    address: str
    strangers: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """What most tests share of a browser: a script that was compiled once is not compiled again."""
    context = browser.new_context(viewport=DESK)
    context.set_default_timeout(PATIENCE)
    context.new_page()
    yield context
    context.close()


@pytest.fixture
def watched(profile: BrowserContext, server: str) -> Iterator[Watched]:
    """A fresh session; fails if a request left the machine or the console complained.

    The tab is always the same one, as a new one would compile every script anew. It has nothing in it and
    nothing behind it.
    """
    page, *_ = profile.pages
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    tools = profile.new_cdp_session(page)
    tools.send("Page.resetNavigationHistory")
    tools.detach()
    found = Watched(page, server)

    def on_request(url: str) -> None:
        if not url.startswith((server, server.replace("http", "ws"), "data:", "blob:")):
            found.strangers.append(url)

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error" and not BELOW.search(message.location["url"]):
            found.complaints.append(message.text)

    def on_any_request(request: Request) -> None:
        on_request(request.url)

    def on_socket(socket: WebSocket) -> None:
        on_request(socket.url)

    def on_error(error: Error) -> None:
        found.complaints.append(str(error))

    profile.on("request", on_any_request)
    page.on("websocket", on_socket)
    page.on("console", on_console)
    page.on("pageerror", on_error)
    yield found
    page.remove_listener("pageerror", on_error)
    page.remove_listener("console", on_console)
    page.remove_listener("websocket", on_socket)
    profile.remove_listener("request", on_any_request)
    for other in profile.pages[1:]:
        other.close()
    page.goto(f"{server}/version")  # where nothing of the app runs any more
    page.evaluate("sessionStorage.clear(), localStorage.clear()")
    page.goto("about:blank")
    profile.clear_cookies()
    assert not found.strangers, f"requests left the machine: {found.strangers}"
    assert not found.complaints, f"the console complained: {found.complaints}"
