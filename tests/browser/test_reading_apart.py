"""A file on which its parser hangs is its visitor's trouble alone; and how much visitors may bring."""

import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.acts import arrive, go, settle, upload, upload_own
from tests.browser.conftest import PATIENCE, free_port, started
from tests.hanging import FILE, hooks

SECONDS = 20
"""So many that another visitor gets their results meanwhile on a busy machine."""
LONG_NUMBERS = "0.3" + "0" * 57
"""So that a file is large and what is read from it small."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("hanging")
    with started(
        folder,
        free_port(),
        PYTHONPATH=hooks(folder / "hooks"),
        CALIBLENS_READ_SECONDS=str(SECONDS),
        CALIBLENS_UPLOADS_MB="7",
        CALIBLENS_VISITOR_UPLOADS_MB="5",
        CALIBLENS_PROXIES="1",
    ) as address:
        yield address


@contextmanager
def tab(browser: Browser, address: str = "10.0.0.1") -> Iterator[Page]:
    context = browser.new_context(extra_http_headers={"X-Forwarded-For": address})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@contextmanager
def healthy(server: str) -> Iterator[None]:
    """Fails if the server does not say within a second that it is well. A busy machine may keep one answer in
    a hundred a little longer; a parser that held the server up would do so for as long as it hangs."""
    waits, over = [0.0], threading.Event()

    def ask() -> None:
        while not over.wait(0.1):
            began = time.monotonic()
            with urllib.request.urlopen(f"{server}/_stcore/health", timeout=60) as answer:
                assert answer.read() == b"ok"
            waits.append(time.monotonic() - began)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield
    finally:
        over.set()
        asking.join()
    waits.sort()
    assert len(waits) > 100
    assert waits[-1 - len(waits) // 100] < 1.0
    assert waits[-1] < 4.0


@pytest.mark.slow
def test_a_parser_that_hangs_holds_nobody_up_and_is_stopped(
    browser: Browser, server: str, tmp_path: Path
) -> None:
    hanging, fine = tmp_path / "hanging.csv", tmp_path / "fine.csv"
    hanging.write_bytes(FILE)
    fine.write_text("c,d,label\n" + "0.5,0.5,c\n0.2,0.8,d\n0.6,0.4,d\n" * 20)
    with tab(browser) as page, tab(browser) as other, healthy(server):
        arrive(page, server, "Data")
        upload(page, hanging)
        stop = page.get_by_role("button", name="Stop reading")
        stop.wait_for()
        upload_own(other, server, fine, "60 cases")  # meanwhile
        stop.wait_for()
        page.get_by_text("seconds so far").wait_for()
        stop.click()
        said = page.get_by_test_id("stAlert")
        said.get_by_text("Reading was stopped. Choose the file again").wait_for()
        settle(page)
        expect(stop).to_have_count(0)
        page.get_by_text("hanging.csv is not used.").wait_for()

        upload(page, hanging)  # to the end of its time
        words = f"Reading the file took more than {SECONDS} seconds, the most that this server allows."
        said.get_by_text(words).wait_for()
        settle(page)

        upload(page, hanging)  # and away
        stop.wait_for()
        go(page, "Learn")
        page.get_by_role("heading", name="What all this means").wait_for()
        settle(page)
        go(page, "Data")
        said.get_by_text("hanging.csv was not read, as this page was left.").wait_for()
        settle(page)
        upload(page, fine)
        said.get_by_text("60 cases").wait_for()
        expect(page.get_by_text("was not read")).to_have_count(0)


@pytest.mark.slow
def test_a_visitor_may_bring_so_much_and_all_together_so_much(
    browser: Browser, server: str, tmp_path: Path
) -> None:
    names = ("one.csv", "two.csv", "three.csv")
    for name in names:
        rows = "".join(f"{LONG_NUMBERS},0.7,{y}\n0.6,{LONG_NUMBERS.replace('3', '4')},a\n" for y in "ba")
        (tmp_path / name).write_text("a,b,label\n" + rows * 10_000)  # 2.8 MB
    with tab(browser, "10.0.0.2") as ann, tab(browser, "10.0.0.3") as bob:
        upload_own(ann, server, tmp_path / names[0], "one.csv · 40,000 cases")
        upload(ann, tmp_path / names[1])
        said = ann.get_by_test_id("stAlert")
        said.get_by_text("two.csv was not taken. With it your files and models").wait_for()
        settle(ann)
        ann.get_by_text("In use: one.csv").wait_for()
        ann.get_by_role("button", name="Forget the file one.csv; what was read from it stays").click()
        settle(ann)
        expect(ann.get_by_text("was not taken")).to_have_count(0)
        ann.get_by_text("In use: one.csv").wait_for()
        upload(ann, tmp_path / names[1])
        ann.get_by_text("In use: two.csv").wait_for()
        settle(ann)

        arrive(bob, server, "Data")
        upload(bob, tmp_path / names[2])
        words = "three.csv was not taken. With it the files and models of all visitors would take"
        bob.get_by_test_id("stAlert").get_by_text(words).wait_for()
        settle(bob)
        ann.get_by_role("button", name="Remove this model").click()
        settle(ann)
        upload(bob, tmp_path / names[2])
        bob.get_by_text("In use: three.csv").wait_for()
        expect(bob.get_by_text("was not taken")).to_have_count(0)
        settle(bob)
