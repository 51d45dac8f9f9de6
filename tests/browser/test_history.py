"""Back and Forward: one step a page, on the model and with the settings in use; what a tab finds again."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.acts import LONG, another_tab, choose, go, reload_together, settle, upload, upload_own
from tests.browser.conftest import PATIENCE, Watched, free_port, started

HEADINGS = {
    "Data": "Your own predictions",
    "Overview": "Can these probabilities be believed?",
    "Reliability": "Where do the probabilities hold?",
    "Simplex": "Which way do the probabilities lean?",
    "Tests": "Could it be chance?",
    "Share": "Who else should see this?",
    "Learn": "What all this means",
}
WALK = ["Data", "Reliability", "Tests", "Simplex", "Overview", "Data"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "mine.csv"
    rows = "".join(f"0.{7 - i % 4},0.{1 + i % 4},0.2,{'cdf'[i % 3]}\n" for i in range(90))
    path.write_text("c,d,f,label\n" + rows)
    return path


def at(page: Page, name: str, looks: str = "the class 'd'") -> None:
    """Address, page, model and settings belong together."""
    page.get_by_role("heading", name=HEADINGS[name], level=1).wait_for()
    settle(page)
    path = "" if name == "Overview" else name.lower()
    assert re.fullmatch(rf"http://[^/]+/{path}", page.url), page.url
    expect(page.get_by_role("combobox", name="Predictions", exact=True)).to_have_value("mine.csv")
    if name not in ("Data", "Learn"):
        if name not in ("Overview", "Simplex"):  # about all lenses, and about the corners of its triangle
            page.get_by_test_id("stSidebar").get_by_text(looks).wait_for()
        page.get_by_text("mine.csv · 90 cases").first.wait_for()


def entries(page: Page) -> int:
    return int(page.evaluate("history.length"))


@pytest.mark.slow
def test_six_pages_back_and_forth(watched: Watched, file: Path) -> None:
    page = watched.page
    upload_own(page, watched.address, file, "90 cases")
    before = entries(page)
    go(page, WALK[1])
    choose(page, "Look at", "One class")
    choose(page, "Class", "d")
    at(page, WALK[1])
    for name in WALK[2:]:
        go(page, name)
        at(page, name)
    assert entries(page) == before + len(WALK) - 1
    for name in WALK[-2::-1]:
        page.go_back()
        at(page, name)
    page.reload()
    at(page, WALK[0])
    for name in WALK[1:3]:
        page.go_forward()
        at(page, name)
    choose(page, "Class", "f")  # a setting is no page
    for name in WALK[3:]:
        page.go_forward()
        at(page, name, "the class 'f'")
    # Somebody presses Back three times at once, and Forward; and goes back from a page that is not there yet.
    for step, name in (("back", WALK[-4]), ("forward", WALK[-1])):
        for _ in range(3):
            page.evaluate(f"history.{step}()")
            page.wait_for_timeout(60)
        at(page, name, "the class 'f'")
    assert entries(page) == before + len(WALK) - 1
    page.get_by_role("link", name="Tests", exact=True).click()
    page.evaluate("history.back()")
    settle(page)
    # From Data if Tests was there by then, else from the page before Data.
    left = WALK[-1] if page.url.endswith("/data") else WALK[-2]
    at(page, left, "the class 'f'")
    page.get_by_role("link", name="Learn", exact=True).click()
    at(page, "Learn", "the class 'f'")
    page.go_back()
    at(page, left, "the class 'f'")
    assert entries(page) <= before + len(WALK)

    # Over whole loads: a typed address, and a page of somebody else.
    page.goto(f"{watched.address}/tests")
    at(page, "Tests", "the class 'f'")
    page.goto(f"{watched.address}/version")
    page.go_back()
    at(page, "Tests", "the class 'f'")
    page.go_back()
    at(page, left, "the class 'f'")


@pytest.mark.slow
def test_a_link_to_settings_is_one_step_too(watched: Watched, file: Path) -> None:
    page = watched.page
    upload_own(page, watched.address, file, "90 cases")
    go(page, "Share")
    page.get_by_role("button", name="Make a link").wait_for(timeout=LONG)
    settle(page)
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("button", name="I have kept both").wait_for(timeout=LONG)
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    page.goto(link)
    page.get_by_role("link", name="Open these settings in Caliblens").click()
    page.get_by_text("Settings of the report 'mine.csv'").wait_for()
    at(page, "Overview", "confidence in the answer")
    before = entries(page)
    go(page, "Tests")
    at(page, "Tests", "confidence in the answer")
    assert entries(page) == before + 1
    page.go_back()
    at(page, "Overview", "confidence in the answer")
    page.go_back()
    page.get_by_role("heading", name="mine.csv").first.wait_for()
    assert page.url == link
    page.go_back()
    at(page, "Share", "confidence in the answer")


@pytest.mark.slow
def test_copies_of_a_tab_and_reloads_at_once(watched: Watched, file: Path) -> None:
    page = watched.page
    upload_own(page, watched.address, file, "90 cases")
    copy = another_tab(page)
    copy.get_by_text("In use: mine.csv").wait_for()
    settle(copy)
    for tab, name in ((page, "First"), (copy, "Second")):
        tab.get_by_role("textbox", name="Name of the model").fill(name)
        tab.keyboard.press("Enter")
        settle(tab)
    for _ in range(2):
        reload_together(page, copy)
        for tab, name in ((page, "First"), (copy, "Second")):
            tab.get_by_text(f"In use: {name}").wait_for()
            settle(tab)
    anew = page.context.new_page()  # which is no copy
    anew.goto(f"{watched.address}/data")
    anew.get_by_text("In use: Handwritten digits, random forest").wait_for()
    copy.get_by_role("button", name="Remove this model").click()
    copy.get_by_text("'Second' was removed. No model is in use: choose one.").wait_for()
    settle(copy)
    copy.reload()
    copy.get_by_text("'Second' was removed. No model is in use: choose one.").wait_for()
    page.reload()
    page.get_by_text("In use: First").wait_for()


def test_no_address_and_no_cookie_opens_what_a_tab_holds(watched: Watched, file: Path) -> None:
    """Somebody who sends links learns nothing of who follows them, and gives them nothing."""
    page = watched.page
    upload_own(page, watched.address, file, "90 cases")
    name = page.evaluate("sessionStorage.getItem('caliblens-tab')")
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", name)
    assert "?" not in page.url
    assert name not in str(page.context.cookies())
    other = page.context.browser.new_context()  # type: ignore[union-attr]
    other.set_default_timeout(PATIENCE)
    victim = other.new_page()
    query = "&".join(f"{key}={name}" for key in ("w", "tab", "caliblens-tab", "x-caliblens-tab"))
    victim.goto(f"{watched.address}/data?{query}#{name}")
    victim.get_by_text("In use: Handwritten digits, random forest").wait_for()
    settle(victim)
    private = file.with_name("private.csv")
    private.write_text("c,d,f,label\n" + "0.5,0.3,0.2,c\n0.2,0.3,0.5,d\n0.1,0.8,0.1,d\n" * 20)
    upload(victim, private)
    victim.get_by_test_id("stAlert").get_by_text("60 cases").wait_for(timeout=LONG)
    settle(victim)
    victim.reload()
    victim.get_by_text("In use: private.csv").wait_for()
    page.reload()
    page.get_by_text("In use: mine.csv").wait_for()
    settle(page)
    assert page.get_by_text("private.csv").count() == 0
    other.close()


@pytest.mark.slow
def test_a_tab_that_was_open_while_the_server_began_anew_shows_no_other_model(
    browser: Browser, file: Path, tmp_path: Path
) -> None:
    port = free_port()
    context = browser.new_context(viewport={"width": 1440, "height": 1100})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    with started(tmp_path, port) as address:
        upload_own(page, address, file, "90 cases")
        page.get_by_role("textbox", name="Name of the model").fill("Renamed")
        page.keyboard.press("Enter")
        settle(page)
        go(page, "Reliability")
        settle(page)
    connection = page.get_by_test_id("stApp")
    expect(connection).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    with started(tmp_path, port):
        expect(connection).to_have_attribute("data-test-connection-state", "CONNECTED")
        looked_at = page.get_by_role("combobox", name="Predictions", exact=True)
        expect(looked_at).to_have_value("Renamed")  # the page as it was, until something is asked for
        choose(page, "Look at", "All classes together")
        gone = page.get_by_text("What this tab held is gone")
        expect(gone).to_contain_text("No model is in use: choose one.")
        settle(page)
        expect(looked_at).to_have_value("")
        assert page.locator(".js-plotly-plot").count() == 0
        page.reload()
        gone.wait_for()
        settle(page)
        page.get_by_role("button", name="Look at an example").click()
        page.get_by_text("Handwritten digits, random forest · 1,079 images").first.wait_for()
        expect(gone).to_have_count(0)
    context.close()
