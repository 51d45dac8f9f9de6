"""A link is made, opened by somebody else, repeated by a reviewer, and deleted."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.acts import LONG, arrive, choose, go, settle
from tests.browser.conftest import PATIENCE, Watched

EXAMPLE = "Wines of three growers, gradient boosting"


@dataclass
class Reader:
    """A fresh browser with nothing in it, and what it asked for or complained about."""

    context: BrowserContext
    page: Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture
def reader(browser: Browser) -> Reader:
    context = browser.new_context(viewport={"width": 1280, "height": 1000}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    found = Reader(context, context.new_page())
    context.on("request", lambda request: found.asked.append(request.url))
    found.page.on("websocket", lambda socket: found.asked.append(socket.url))
    found.page.on("console", lambda m: found.complaints.append(m.text) if m.type == "error" else None)
    found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
    found.page.add_init_script(
        "window.violations = []; addEventListener('securitypolicyviolation', e => "
        "violations.push(e.violatedDirective + ' ' + e.blockedURI))"
    )
    return found


def made(page: Page, address: str) -> tuple[str, str]:
    """A link for the wines, and its key."""
    arrive(page, address, "Data")
    choose(page, "Predictions", EXAMPLE)
    go(page, "Share")
    page.get_by_role("button", name="Make a link").wait_for(timeout=LONG)
    settle(page)
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("button", name="I have kept both").wait_for(timeout=LONG)
    codes = page.get_by_test_id("stCode")
    expect(codes).to_have_count(2)
    link, key = codes.all_inner_texts()
    return link.strip(), key.strip()


def test_a_link_opens_for_others_its_files_are_theirs_a_reviewer_repeats_it_and_it_is_taken_back(
    watched: Watched, reader: Reader, tmp_path: Path
) -> None:
    page = watched.page
    link, key = made(page, watched.address)
    assert link.startswith(f"{watched.address}/r/")
    page.get_by_text("Anybody who has the link can open it, without signing in.").first.wait_for()

    answer = reader.page.goto(link)
    assert answer is not None
    assert answer.status == 200
    reader.page.get_by_role("heading", name=EXAMPLE).wait_for()
    reader.page.get_by_text("Miscalibrated").first.wait_for()
    figures = reader.page.locator("figure .drawn")
    assert figures.count() >= 3
    reader.page.locator("figure .js-plotly-plot .main-svg").first.wait_for()
    assert reader.page.locator("figure .drawn:not(:has(.js-plotly-plot))").count() == 0
    assert reader.asked == [link]
    assert reader.complaints == []
    assert reader.page.evaluate("violations") == []
    repeats(reader)

    settle(page)
    every_file_is_what_its_button_says(page, tmp_path)
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete it now").click()
    page.get_by_text("Deleted: the link leads nowhere now").wait_for()
    gone = reader.page.goto(link)
    assert gone is not None
    assert gone.status == 404
    reader.page.get_by_text("It may have expired or been deleted").wait_for()
    assert key not in page.content()
    reader.context.close()


def repeats(reader: Reader) -> None:
    """From the link in the report."""
    page = reader.page
    page.get_by_role("link", name="Open these settings in Caliblens").click()
    page.get_by_text(f"Settings of the report '{EXAMPLE}'").wait_for(timeout=LONG)
    page.get_by_text("These are other data").wait_for()
    assert "spec=" not in page.url
    settle(page)
    page.get_by_role("button", name="Look at its data").click()
    said = page.get_by_text("Repeated: the verdicts and p-values are those of the report, in all 5 checks.")
    said.wait_for(timeout=LONG)
    go(page, "Share")
    settle(page)
    page.get_by_text("Settings of the report").first.wait_for()
    assert reader.complaints == []


def every_file_is_what_its_button_says(page: Page, folder: Path) -> None:
    """And the last of them is known again."""
    begins = {
        "HTML": b"<!DOCTYPE html>",
        "PDF, A4": b"%PDF-",
        "PDF, Letter": b"%PDF-",
        "JSON": b'{"schema": 1',
    }
    for name, first in begins.items():
        with page.expect_download() as caught:
            page.get_by_role("button", name=name, exact=True).click()
        assert caught.value.path().read_bytes().startswith(first), name
    kept = folder / "report.json"  # what is caught has no ending
    kept.write_bytes(caught.value.path().read_bytes())
    page.locator("input[type=file]").set_input_files(kept)
    page.get_by_text("These data have the report's fingerprint").wait_for()
    settle(page)
