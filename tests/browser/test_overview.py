"""The first page: answer and figure on one screen, in order on a phone, one click to what comes next."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.acts import (
    HIGH,
    LONG,
    MOST_SHIFTED,
    ROW,
    another_tab,
    arrive,
    choose,
    go,
    settle,
    shifts,
    upload_own,
)
from tests.browser.conftest import PATIENCE, PHONE, Watched

QUESTIONS = {
    "Where is it off?": "Where do the probabilities hold?",
    "Could it be chance?": "Could it be chance?",
    "Would recalibration help?": "What would recalibration do?",
    "For whom?": "Is it calibrated in every group?",
    "Is it worth acting on?": "What are the probabilities worth at a threshold?",
    "Since when?": "Is it still calibrated?",
    "Is another model better?": "Which model is better calibrated?",
}
"""What is asked next -> the page on which it is answered."""
MOBILE = "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/147.0.0.0 Mobile Safari/537.36"
IN_ORDER = (
    ".st-key-verdict .stMarkdownBadge:visible",
    ".st-key-verdict h2",
    ".st-key-headline .js-plotly-plot",
    ".st-key-next-from-overview",
    "h3:has-text('Classes and checks')",
    "[data-testid=stDataFrame]",
)


# What is read: words with a letter or a digit, and how far down they stand.
READ = """() => {
  const main = document.querySelector('[data-testid=stMainBlockContainer]');
  const words = main.innerText.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word));
  return [words.length, main.getBoundingClientRect().height];
}"""


# Pixels of the letters of the verdict, the title and the other headings.
LARGEST = """() => {
  const size = (e) => parseFloat(getComputedStyle(e).fontSize);
  const main = document.querySelector('[data-testid=stMain]');
  return { verdict: size(main.querySelector('.st-key-verdict h2')),
    others: Math.max(...[...main.querySelectorAll('h1, h3, p, :not(.st-key-verdict *):is(h2)')].map(size)) };
}"""


def test_three_classes_are_read_in_a_minute_and_one_step_is_recommended(watched: Watched) -> None:
    page = watched.page
    page.set_viewport_size({"width": 1440, "height": 900})
    arrive(page, watched.address, "Learn")
    choose(page, "Predictions", "Wines of three growers, gradient boosting")
    page.goto(watched.address)  # as somebody arrives, nothing is in sight yet
    _answered(page)
    moved = shifts(page)
    assert sum(value for value, _ in moved) <= MOST_SHIFTED, moved
    words, height = page.evaluate(READ)
    assert words <= 350
    assert height <= 1_800
    filled = page.get_by_test_id("stMain").get_by_test_id("stBaseButton-primary")
    assert filled.all_inner_texts() != []
    expect(filled).to_have_count(1)
    expect(page.locator("canvas td[aria-label=diagram]")).to_have_count(5)  # read aloud as what it is
    title, line = (_box(page.locator(place)) for place in (".st-key-quiet-title h1", ".st-key-quiet-title p"))
    assert title["bottom"] <= line["top"] + 2
    sizes = page.evaluate(LARGEST)
    assert sizes["verdict"] == max(sizes.values()), sizes


def _box(place: Locator) -> dict[str, float]:
    box = place.first.bounding_box()
    assert box is not None
    return {"top": box["y"], "bottom": box["y"] + box["height"]}


def _answered(page: Page) -> None:
    # The one of the run before may stand beside it for a moment.
    page.locator(".st-key-headline .js-plotly-plot").first.wait_for(timeout=LONG)
    settle(page)


@pytest.mark.slow
def test_the_answer_and_its_figure_are_on_one_screen_and_each_question_keeps_the_lens(
    watched: Watched,
) -> None:
    page = watched.page
    page.set_viewport_size({"width": 1440, "height": 900})
    arrive(page, watched.address, "Learn")
    choose(page, "Predictions", "Simulated: a clinic, one site off, and a change in September")
    go(page, "Overview")
    _answered(page)
    page.get_by_text("· 2 classes · 2 checks").wait_for()
    page.get_by_text("New here?").wait_for()  # what stands above the answer at most
    for place in IN_ORDER[:3]:
        assert _box(page.locator(place))["bottom"] < 900, place
    for words, heading in QUESTIONS.items():
        page.get_by_role("button", name=words, exact=True).click()
        page.get_by_role("heading", name=heading, exact=True).wait_for()
        page.get_by_text("· 2 classes · the class 'comes back',").wait_for()
        settle(page)
        assert page.get_by_role("button", name=words, exact=True).count() == 0
        go(page, "Overview")
        _answered(page)


def test_on_a_phone_nothing_moves_and_the_figure_follows_the_verdict(
    watched: Watched,
) -> None:
    page = watched.page
    drawer = page.get_by_test_id("stSidebar")
    page.set_viewport_size(PHONE)
    for scheme, come in (("dark", lambda: page.goto(watched.address)), ("light", page.reload)):
        page.emulate_media(color_scheme=scheme)
        come()
        page.get_by_text("10 classes · 12 checks").first.wait_for()
        expect(drawer).to_have_attribute("data-collapsed", "true")
        page.get_by_text("All 12 checks found a problem").wait_for(timeout=LONG)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], scheme
        settle(page)
        moved = shifts(page)
        assert sum(value for value, _ in moved) < 0.1, moved
    _answered(page)
    tops = [_box(page.locator(place))["top"] for place in IN_ORDER]
    assert tops == sorted(tops)
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")
    choose(page, "Look at one class", "7")
    page.get_by_role("heading", name="Where do the probabilities hold?").wait_for()
    page.get_by_text("· 10 classes · the class '7',").wait_for()
    settle(page)
    page.go_back()  # where nothing opens by itself again
    _answered(page)
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()


@pytest.mark.slow
def test_where_one_cannot_tell_how_many_cases_it_takes_is_the_first_to_be_opened(
    watched: Watched, tmp_path: Path
) -> None:
    sure, unsure = ["0.8,0.2,ill"] * 24 + ["0.8,0.2,well"] * 6, ["0.2,0.8,ill"] * 6 + ["0.2,0.8,well"] * 24
    few = tmp_path / "few.csv"
    few.write_text("\n".join(["ill,well,label", *sure, *unsure]) + "\n")
    page = watched.page
    page.set_viewport_size(PHONE)
    upload_own(page, watched.address, few, "60 cases")
    page.get_by_role("button", name="See the verdict").click()
    _answered(page)
    page.get_by_text("few.csv · 60 cases · 2 classes · 2 checks").wait_for()
    plan = page.get_by_role("button", name="How many cases would tell?")
    assert _box(plan)["bottom"] < _box(page.locator(".st-key-next-from-overview"))["top"]
    plan.click()
    page.locator(".st-key-enough-figure .js-plotly-plot").wait_for(timeout=4 * LONG)
    shown = _box(page.locator(".st-key-enough-figure .js-plotly-plot"))
    assert shown["bottom"] < _box(page.locator(".st-key-next-from-overview"))["top"]
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.slow
def test_where_cases_repeat_one_row_of_each_is_a_click_away(watched: Watched, tmp_path: Path) -> None:
    rows = ["0.8,0.2,ill", "0.8,0.2,ill", "0.2,0.8,well", "0.7,0.3,ill", "0.3,0.7,ill", "0.1,0.9,well"] * 20
    file = tmp_path / "visits.csv"
    file.write_text(
        "\n".join(["ill,well,label,patient", *(f"{row},p{i // 2}" for i, row in enumerate(rows))]) + "\n"
    )
    page = watched.page
    upload_own(page, watched.address, file, "120 cases")
    page.get_by_role("button", name="See the verdict").click()
    _answered(page)
    page.get_by_role("button", name="Look at one row of each patient").click()
    words = "120 rows of 60 units (patient)."

    def of_patients(tab: Page) -> None:
        _answered(tab)
        tab.get_by_text(words).first.wait_for()
        expect(tab.get_by_role("button", name="Look at one row of each patient")).to_have_count(0)

    of_patients(page)
    go(page, "Tests")
    page.get_by_text("These are 60 units (patient), one row of each").first.wait_for(timeout=LONG)
    page.go_back()
    of_patients(page)
    page.reload()
    of_patients(page)
    other = another_tab(page)
    of_patients(other)
    other.get_by_role("button", name="Undo").click()  # in this tab alone
    _answered(other)
    other.get_by_role("button", name="Look at one row of each patient").wait_for()
    page.reload()
    of_patients(page)


@pytest.mark.slow
def test_a_finger_opens_a_check_and_the_way_back_is_the_table(browser: Browser, server: str) -> None:
    """A phone's table has the verdict first and neither boxes to tick nor a column that is held."""
    context = browser.new_context(viewport=PHONE, user_agent=MOBILE, has_touch=True, is_mobile=True)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()

    def tap_second_check() -> str:
        _answered(page)
        page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
        table = page.locator("[class*='st-key-survey-table'] [data-testid=stDataFrame]")
        table.scroll_into_view_if_needed()
        heads = table.locator("[role=columnheader]").all_inner_texts()
        assert heads[:2] == ["Verdict", "Check"]
        check = table.locator("tbody tr").nth(1).locator("td").nth(1).inner_text()
        settle(page)
        table.tap(position={"x": 120, "y": ROW + HIGH + HIGH // 2})
        page.get_by_role("heading", name="Where do the probabilities hold?").wait_for()
        page.get_by_text(f"· 10 classes · {check},").wait_for()
        settle(page)
        return check

    page.goto(server)
    check = tap_second_check()
    page.reload()
    page.get_by_text(f"· 10 classes · {check},").wait_for()
    page.go_back()
    assert tap_second_check() == check
    other = another_tab(page)
    other.get_by_text(f"· 10 classes · {check},").wait_for()
    other.close()
    page.go_back()
    _answered(page)
    page.reload()  # where nothing opens by itself
    _answered(page)
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
    context.close()
