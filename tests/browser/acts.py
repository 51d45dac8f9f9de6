"""What a person does in the browser, and waiting for the answer."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Position, TimeoutError, expect

from tests.browser.conftest import PATIENCE

LONG = 120_000
MOST_SHIFTED = 0.05
"""How much of the window may move by itself while a page is opened: half of what is called good."""
ROW = 35
"""Height in pixels of a row of a table, and of its head."""
HIGH = 52
"""Of a row with a small diagram."""
POINTED_AT = "[role=option][data-focused]"
"""The option that Enter would choose: a busy page lists options before it points at one."""
# For 0.3 s no run, no bar of progress, no element more or less, no fold that moves, and no figure or table
# still to come: their programs are fetched when the first of them is shown. A page is half drawn between two
# runs; what is pressed while a fold opens may be gone from under the pointer when it is let go.
_SETTLED = f"""async () => {{
  const end = performance.now() + {LONG};
  for (let before = 0, quiet = 0; quiet < 6; ) {{
    if (performance.now() > end) return false;
    await new Promise((done) => setTimeout(done, 50));
    const now = document.querySelectorAll('*').length;
    const still = now === before
      && document.querySelector('[data-test-script-state=notRunning]')
      && !document.querySelector('[data-testid=stProgress]')
      && !document.querySelector('[data-testid=stSkeleton]')
      && ![...document.querySelectorAll('[data-testid=stPlotlyChart]')]
        .some((e) => e.checkVisibility() && !e.querySelector('.js-plotly-plot')?._fullLayout)
      && !document.getAnimations().some((a) => a.effect.target?.tagName === 'DETAILS');
    quiet = still ? quiet + 1 : 0;
    before = now;
  }}
  return true;
}}"""

# What was in sight and moved by itself since the page was opened; browsers call the sum of how far CLS.
_SHIFTS = """() => new Promise((done) => {
  new PerformanceObserver((list) => {
    const own = list.getEntries().filter((shift) => !shift.hadRecentInput);
    done(own.map((shift) => [shift.value, shift.sources.map(({ node, previousRect, currentRect }) =>
      [node?.textContent?.slice(0, 30), previousRect.y, currentRect.y])]));
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done([]), 1000);
})"""
# A list closes when the page scrolls, even by what a click scrolls for itself: so it is scrolled before.
_IN_SIGHT = """async (e) => {
  e.scrollIntoView({ block: 'center' });
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
}"""


# Plotly draws a figure anew whose margins it has to widen.
_WIDENED = """() => [...document.querySelectorAll('.js-plotly-plot')]
  .map((figure) => [figure.layout.margin, figure._fullLayout._size])
  .map(([given, taken]) => ['l', 'r', 't', 'b'].map((side) => [side, given[side], taken[side]]))
  .map((sides) => sides.filter(([_, given, taken]) => given !== taken))
  .filter((sides) => sides.length)"""


def widened(page: Page) -> list[list[tuple[str, int, int]]]:
    """Of each figure that had to be drawn again the sides with too little room, what they had and took."""
    found: list[list[tuple[str, int, int]]] = page.evaluate(_WIDENED)
    return found


def metric(page: Page, label: str) -> str:
    """What a metric says once the tests are done."""
    found = page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")
    found.wait_for(timeout=LONG)
    return found.inner_text()


def opened_list(page: Page, label: str) -> Locator:
    """A box whose list of options is open."""
    box = page.get_by_role("combobox", name=label, exact=True)
    box.evaluate(_IN_SIGHT)
    box.click()
    return box


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option and wait until the page has answered."""
    opened_list(page, label)
    page.get_by_role("option", name=option, exact=True).click()
    settle(page)


def stays_chosen(page: Page, label: str, option: str) -> None:
    """What is chosen is so after a visit to Tests, by Back, Forward and Back."""
    go(page, "Tests")
    settle(page)
    page.go_back()
    settle(page)
    expect(page.get_by_role("combobox", name=label)).to_have_value(option)
    page.go_forward()
    settle(page)
    page.get_by_role("heading", name="Could it be chance?").wait_for()
    page.go_back()
    settle(page)
    expect(page.get_by_role("combobox", name=label)).to_have_value(option)


def pointed_at(page: Page, words: str) -> None:
    """Wait until Enter would choose what begins with these words. Pressed while a list is still made anew, it
    closes the list and chooses nothing."""
    expect(page.locator(POINTED_AT)).to_contain_text(words)
    settle(page)


def settle(page: Page) -> None:
    """Wait until the script has run, no progress bar is left and nothing comes, goes or moves."""
    assert page.evaluate(_SETTLED), f"{page.url} does not come to rest"


def shifts(page: Page) -> list[Any]:
    """How far what was in sight moved by itself since the page was opened, each time with what moved."""
    moved: list[Any] = page.evaluate(_SHIFTS)
    return moved


def another_tab(page: Page) -> Page:
    """The same address in a second tab, which has a copy of what the first has stored, as by "Duplicate"."""
    with page.context.expect_page() as opened:
        page.evaluate("window.open(location.href)")
    tab = opened.value
    tab.set_default_timeout(PATIENCE)
    return tab


def reload_together(*tabs: Page) -> None:
    """Load tabs anew at the same time; each is a new document when this ends."""
    with ExitStack() as documents:
        for tab in tabs:
            documents.enter_context(tab.expect_event("domcontentloaded"))
        for tab in tabs:
            tab.evaluate("setTimeout(() => location.reload(), 50)")


def fold(page: Page, name: str) -> Locator:
    """What opens and closes the fold called ``name``."""
    return page.locator("summary").filter(has_text=name)


def unfold(page: Page, name: str) -> None:
    """Open a fold and wait until it is open."""
    fold(page, name).click()
    settle(page)


def arrive(page: Page, address: str, name: str) -> None:
    """By a page's own address. Whoever comes by the first page begins a survey there, seconds of work."""
    page.goto(f"{address}/{name.lower()}")
    page.locator("h1").first.wait_for()
    settle(page)


def go(page: Page, name: str) -> None:
    """To another page by the navigation."""
    click_page(page, name)
    page.wait_for_timeout(300)


def click_page(page: Page, name: str) -> None:
    """A click on a page in the navigation, through the menu at its end where the row has no room for it."""
    link = page.get_by_role("link", name=name, exact=True)
    if not link.count():  # at first the row does not know its width, and shows the menu alone
        settle(page)
        page.wait_for_timeout(300)
    if not link.count():
        try:
            page.get_by_test_id("stTopNavSection").click(timeout=5_000)
            link = page.get_by_role("menuitem", name=name, exact=True)
        except TimeoutError:  # the menu went as the row found its width, and the link is there
            pass
    link.click()


def upload(page: Page, path: Path) -> None:
    """Choose a file on the Data page."""
    page.locator("input[type=file]").first.set_input_files(path)
    page.wait_for_timeout(300)


def upload_own(page: Page, address: str, path: Path, said: str) -> None:
    """On the Data page, to a file that was read."""
    arrive(page, address, "Data")
    upload(page, path)
    page.get_by_test_id("stAlert").get_by_text(said).first.wait_for(timeout=LONG)
    settle(page)


def click_row(page: Page, number: int, of: str = "", high: int = ROW) -> None:
    """A click into a row, from 0, so many pixels ``high``, of the one table that is not folded, or of the one
    ``of`` that name."""
    place = page.locator(f"[class*='st-key-{of}-table']") if of else page
    table = place.get_by_test_id("stDataFrame").filter(visible=True)
    table.wait_for(timeout=LONG)
    table.scroll_into_view_if_needed()
    at: Position = {"x": 320, "y": ROW + high * number + high // 2}
    table.hover(position=at)  # a table overlooks a click that comes with the pointer's first move over it
    table.click(position=at)
