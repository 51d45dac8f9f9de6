"""The ways through the app: every page by click and by keyboard, the lessons one by one, the tour."""

import re

import pytest
from playwright.sync_api import Page, expect

from pages.server import page_list
from pages.ui.learn.lessons import LESSONS
from tests.browser.acts import LONG, arrive, choose, fold, go, settle, unfold
from tests.browser.conftest import DESK, PHONE, Watched
from tests.browser.test_pages import TITLES

LABELS = {
    "data": "Predictions",
    "lens": "Look at",
    "bins": "Bins",
    "tolerance": "Tolerance, in points",
    "unit": "Rows that belong together",
    "tests": "Tests",
    "kernel": "Kernel",
    "bandwidth": "Bandwidth",
    "level": "Level of the tests",
    "seed": "Seed",
}
"""Part of the side bar -> the label of its first control."""
CLINIC = "Simulated: a clinic, one site off, and a change in September"
WINES = "Wines of three growers, gradient boosting"


def controls(page: Page) -> set[str]:
    """The labels of these parts that stand in the side bar."""
    bar = page.get_by_test_id("stSidebar").get_by_test_id("stWidgetLabel")
    shown = {words.split("\n")[0] for words in bar.all_inner_texts()}
    return shown & set(LABELS.values())


def has_what_matters(page: Page, name: str, folded: bool = True) -> None:
    """The side bar has the parts of this page; those of its fold, too, where that is open."""
    one = next(one for one in page_list.pages() if one.title == name)
    parts = one.sidebar if folded else (*one.sidebar, *one.more)
    assert controls(page) == {LABELS[part] for part in parts if part in LABELS}, name
    assert fold(page, "More settings").count() == bool(one.more), name


@pytest.mark.slow
def test_the_side_bar_has_what_matters_and_is_the_way_to_every_page_on_a_phone(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Learn")
    choose(page, "Predictions", CLINIC)
    here = "Learn"
    has_what_matters(page, here)

    # What is set holds on the pages that do not show it, and the fold stays open.
    go(page, "Tests")
    settle(page)
    has_what_matters(page, "Tests")
    unfold(page, "More settings")
    unfold(page, "How it is tested")
    level = page.get_by_role("spinbutton", name="Level of the tests")
    level.fill("0.01")
    level.press("Enter")
    settle(page)
    for here in ("Time", "Recalibrate"):
        go(page, here)
        settle(page)
        has_what_matters(page, here, folded=False)
    expect(level).to_have_value("0.01")
    fold(page, "More settings").click()
    settle(page)
    go(page, "Tests")
    settle(page)
    fold(page, "How it is tested").click()
    settle(page)
    here = "Tests"

    page.set_viewport_size(PHONE)
    drawer = page.get_by_test_id("stSidebar")
    for name, heading in TITLES.items():
        page.get_by_test_id("stExpandSidebarButton").click()
        expect(drawer).to_have_attribute("data-collapsed", "false")
        has_what_matters(page, here)
        drawer.get_by_role("link", name=name, exact=True).click()
        expect(drawer).to_have_attribute("data-collapsed", "true")
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_in_viewport()
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
        here = name
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(drawer).to_have_attribute("data-collapsed", "false")
    has_what_matters(page, here)
    settle(page)  # a list that moves closes
    choose(page, "Predictions", WINES)  # which is no page
    expect(drawer).to_have_attribute("data-collapsed", "false")


def at(page: Page, name: str) -> None:
    """The page is there, and the navigation marks it."""
    page.get_by_role("heading", name=TITLES[name], level=1).wait_for()
    settle(page)
    marked = page.get_by_test_id("stTopNav").locator("[aria-current=page]")
    assert marked.all_inner_texts() == [name]


def test_every_page_opens_with_its_settings_and_no_page_is_too_wide(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Learn")
    choose(page, "Predictions", CLINIC)
    for name in TITLES:
        go(page, name)
        at(page, name)
        assert page.get_by_text("Something went wrong").count() == 0, name
        has_what_matters(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= DESK["width"], name


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.textContent"))


@pytest.mark.slow
def test_the_keyboard_reaches_every_page_in_the_order_of_the_row(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Learn")
    choose(page, "Predictions", WINES)
    row = [one.title for one in page_list.pages()]
    navigation = page.get_by_test_id("stTopNav")
    assert navigation.get_by_role("link").all_inner_texts() == row  # wide enough for all of them
    navigation.get_by_role("link", name=row[0], exact=True).focus()
    for words in row[1:]:
        page.keyboard.press("Tab")
        assert focused(page).startswith(words), focused(page)
    for name in TITLES:
        navigation.get_by_role("link", name=name, exact=True).focus()
        page.keyboard.press("Enter")
        at(page, name)
    page.get_by_role("button", name="Undo").click()  # of the choice of data: nothing changed by itself
    settle(page)
    expect(page.get_by_role("combobox", name="Predictions", exact=True)).not_to_have_value(WINES)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    settle(page)

    # Where it is narrow the last ones are folded, each with its question, and the fold says that it is open.
    page.set_viewport_size({"width": 1000, "height": 720})
    settle(page)
    menu = page.get_by_test_id("stTopNavSection")
    folded = [name for name in row if not navigation.get_by_role("link", name=name, exact=True).count()]
    assert folded == row[-len(folded) :]
    menu.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    item = page.get_by_role("menuitem", name=folded[0], exact=True)
    assert TITLES[folded[0]] in item.evaluate("e => getComputedStyle(e, '::after').content")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=TITLES[folded[0]], level=1).wait_for()
    settle(page)
    assert menu.evaluate("e => getComputedStyle(e).fontWeight") == "600"
    navigation.get_by_role("link", name=row[0], exact=True).click()
    page.get_by_role("heading", name=TITLES[row[0]], level=1).wait_for()
    assert menu.evaluate("e => getComputedStyle(e).fontWeight") == "400"


def in_lesson(page: Page, name: str) -> None:
    """Its title and its address, or those of the list where there is no name."""
    title = next((lesson.title for lesson in LESSONS if lesson.name == name), TITLES["Learn"])
    page.get_by_role("heading", name=title, level=1).wait_for()
    settle(page)
    assert page.url.endswith(f"/learn?lesson={name}" if name else "/learn"), page.url


@pytest.mark.slow
def test_the_lessons_one_by_one_back_and_forth_and_on_to_the_data(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Learn")
    page.get_by_text(f"0 of {len(LESSONS)} opened").wait_for()
    before = int(page.evaluate("history.length"))
    names = [lesson.name for lesson in LESSONS[:3]]
    page.get_by_role("link", name=LESSONS[0].title).click()
    for name in names:
        in_lesson(page, name)
        page.get_by_role("link", name="Next: ").click()
    in_lesson(page, LESSONS[3].name)
    page.get_by_text(f"Lesson 4 of {len(LESSONS)} · 4 of {len(LESSONS)} opened").wait_for()
    for name in [*names[::-1], ""]:
        page.go_back()
        in_lesson(page, name)
    page.get_by_text(f"4 of {len(LESSONS)} opened").wait_for()
    for name in names:
        page.go_forward()
        in_lesson(page, name)
    page.reload()
    in_lesson(page, names[-1])
    page.get_by_text(f"Lesson 3 of {len(LESSONS)} · 4 of {len(LESSONS)} opened").wait_for()
    page.get_by_role("link", name="Previous: ").click()
    in_lesson(page, "lens")
    assert int(page.evaluate("history.length")) == before + 4  # what was ahead is gone

    # A control moves its lesson and stays at its address; the navigation leads to the list.
    page.get_by_text("the model always says 60").wait_for()
    page.get_by_role("radio", name="All three").click()
    page.get_by_text("makes 6 predictions, and none happens").wait_for()
    in_lesson(page, "lens")
    page.get_by_test_id("stTopNav").get_by_role("link", name="Learn", exact=True).click()
    in_lesson(page, "")

    # Tried on the model in use, and on an example where there is none.
    page.get_by_role("link", name="An exact test can be trusted").press("Enter")
    in_lesson(page, "exact")
    page.get_by_role("button", name="Try 20 data sets").click()
    page.get_by_text("Of 20 calibrated data sets, resampling calls 20 miscalibrated").wait_for()
    page.get_by_text("Tests opens with an example: Handwritten digits").wait_for()
    page.get_by_role("link", name="Test your own predictions").click()
    page.get_by_role("heading", name=TITLES["Tests"], level=1).wait_for()
    assert page.url.endswith("/tests")
    page.go_back()
    in_lesson(page, "exact")
    page.goto(f"{watched.address}/learn?lesson=threshold")
    in_lesson(page, "threshold")


@pytest.mark.slow
def test_the_tour_to_its_end_and_left_halfway(watched: Watched) -> None:
    page = watched.page
    page.goto(watched.address)
    banner = page.locator(".st-key-tour")
    stops = [one for one in page_list.pages() if one.tour]
    page.get_by_role("button", name="Take the tour").click()
    for number, one in enumerate(stops, start=1):
        page.get_by_role("heading", name=one.heading, level=1).wait_for()
        expect(banner).to_contain_text(re.compile(rf"Tour, {number} of {len(stops)}\."), timeout=LONG)
        expect(banner).to_contain_text(one.tour)
        pointed = page.locator(f".st-key-{one.tour_at}").first
        expect(pointed).to_have_css("outline-style", "solid", timeout=LONG)
        expect(pointed).to_be_in_viewport()
        if number < len(stops):
            banner.get_by_role("link", name="Next: ").click()
    page.go_back()  # a step of the tour is a page
    expect(banner).to_contain_text("Tour, 4 of 5.")
    page.go_forward()
    expect(banner).to_contain_text("Tour, 5 of 5.")
    banner.get_by_role("button", name="End the tour").click()
    expect(banner).to_have_count(0)

    page.set_viewport_size(PHONE)
    arrive(page, watched.address, "Learn")
    page.get_by_role("button", name="Take the tour").click()
    expect(banner).to_contain_text("Tour, 1 of 5.")
    banner.get_by_role("link", name="Next: ").click()
    expect(banner).to_contain_text("Tour, 2 of 5.")
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Data", exact=True).click()
    expect(banner).to_contain_text("The tour waits.")
    banner.get_by_role("link", name="Back to Reliability").click()
    expect(banner).to_contain_text("Tour, 2 of 5.")
    banner.get_by_role("button", name="Leave").click()
    expect(banner).to_have_count(0)
