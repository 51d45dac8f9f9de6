"""Redraws under which nothing moves: every frame of every page's figure in a real browser."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from pages.ui import progress
from tests.browser.acts import LONG, choose, go, opened_list, settle
from tests.browser.conftest import DESK, PATIENCE

CONFIDENCE, CLASS = "Confidence in the answer", "One class"
CLINIC = "Simulated: a clinic, one site off, and a change in September"
DIAGRAM = ".st-key-diagram"
FIGURES = {
    "Tests": ".st-key-null-figure",
    "Groups": ".st-key-groups-forest",
    "Time": ".st-key-evidence-figure",
    "Decide": ".st-key-decisions-figure",
    "Recalibrate": ".st-key-before-after",
}
# If asked, each message of the server has a frame of its own, as on a slow line: nothing is away unseen.
_ONE_BY_ONE = """(() => {
  const plain = WebSocket.prototype.addEventListener;
  const waiting = [];
  let busy = false;
  const next = () => {
    const deliver = waiting.shift();
    busy = deliver !== undefined;
    if (!busy) return;
    deliver();
    if (window.one_by_one) requestAnimationFrame(() => setTimeout(next));
    else setTimeout(next);
  };
  WebSocket.prototype.addEventListener = function (type, listener, ...more) {
    const queued = (event) => {
      waiting.push(() => listener.call(this, event));
      if (!busy) next();
    };
    plain.call(this, type, type === 'message' ? queued : listener, ...more);
  };
})()"""
# Of each frame the heights of the figures that are seen, and of the place that is held for one.
_FRAMES = """([selector, one_by_one]) => {
  const mine = window.frames_seen = [];
  window.one_by_one = one_by_one;
  const seen = (which) => [...document.querySelectorAll(which)].map((e) => e.offsetHeight).filter(Boolean);
  const look = () => {
    mine.push([seen(selector), Math.max(0, ...seen('[class*="st-key-held-"]'))]);
    if (window.frames_seen === mine) requestAnimationFrame(look);
  };
  look();
}"""
_SEEN = """() => {
  const seen = window.frames_seen;
  window.frames_seen = null;
  window.one_by_one = false;
  return seen;
}"""
# What plotly has computed when a figure is first there. Whatever draws the figure once more computes it anew.
_MARKED = """new MutationObserver(() => {
  for (const plot of document.querySelectorAll('.js-plotly-plot')) plot.first ??= plot.calcdata;
}).observe(document, { subtree: true, childList: true })"""
_DRAWN = (
    """() => [...document.querySelectorAll('.js-plotly-plot')].map((plot) => plot.first === plot.calcdata)"""
)


def drawn_once(page: Page) -> None:
    """Each figure of the page was drawn when it came, and not again since."""
    drawn = page.evaluate(_DRAWN)
    assert drawn
    assert all(drawn), (page.url, drawn)


def frames(
    page: Page, figure: str, act: Callable[[], None], one_by_one: bool = True
) -> list[tuple[list[int], int]]:
    """Of each frame while something is done the heights of the figures in sight, and of the place held."""
    page.evaluate(_FRAMES, [figure, one_by_one])
    act()
    seen = [(figures, held) for figures, held in page.evaluate(_SEEN)]
    assert len(seen) > 1
    return seen


def stays(page: Page, figure: str, act: Callable[[], None]) -> None:
    """One figure of one height in each frame of a redraw."""
    seen = frames(page, figure, act)
    heights = seen[0][0]
    assert len(heights) == 1
    assert [figures for figures, _ in seen if figures != heights] == [], figure


def is_held(page: Page, figure: str, act: Callable[[], None], one_by_one: bool = False) -> None:
    """In each frame until a result is there one figure, or the place of one."""
    seen = frames(page, figure, act, one_by_one)
    assert [held for figures, held in seen if not figures and held < progress.FIGURE] == [], figure
    assert max(len(figures) for figures, _ in seen) <= 1, figure


def there_and_back(page: Page, figure: str, control: str, to: str, back: str) -> None:
    """A choice whose result is waited for, and the one before, whose result is there."""
    page.locator(figure).wait_for(timeout=LONG)
    settle(page)
    is_held(page, figure, lambda: choose(page, control, to))
    page.locator(figure).wait_for()
    stays(page, figure, lambda: choose(page, control, back))
    drawn_once(page)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=DESK)
    context.add_init_script(_ONE_BY_ONE)
    context.add_init_script(_MARKED)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.slow
def test_no_page_is_without_its_figure_in_any_frame_of_a_redraw(page: Page, server: str) -> None:
    page.goto(server)  # the verdict comes after a figure, and takes its place
    carrying = ".st-key-answer :is(.st-key-diagram, .st-key-headline)"
    page.locator(carrying).wait_for()
    whole = page.locator(".st-key-verdict")
    stays(page, carrying, lambda: whole.wait_for(timeout=LONG))
    settle(page)
    drawn_once(page)
    go(page, "Compare")
    there_and_back(page, ".st-key-compare-figure", "Look at", CLASS, CONFIDENCE)

    go(page, "Simplex")
    choose(page, "Predictions", "Wines of three growers, gradient boosting")
    triangle = "[class*='st-key-triangle-']:has(.stPlotlyChart)"
    stays(page, triangle, lambda: choose(page, "Bins", "Split at the mean"))
    without = page.get_by_test_id("stCheckbox").filter(has_text="Without bins").locator("label")
    for act in (is_held, stays):
        act(page, triangle, lambda: (without.click(), settle(page)))
        drawn_once(page)

    go(page, "Reliability")
    settle(page)
    there_and_back(page, DIAGRAM, "Look at", CLASS, CONFIDENCE)
    classical = page.get_by_text("Observed against predicted", exact=True)
    is_held(page, DIAGRAM, lambda: (classical.click(), settle(page)), one_by_one=True)
    drawn_once(page)
    either = ":is(.st-key-diagram, .st-key-curve-without-bins):has(.stPlotlyChart)"
    for act in (is_held, stays):
        act(page, either, lambda: (without.click(), settle(page)))
        drawn_once(page)


@pytest.mark.slow
def test_nor_is_one_of_the_pages_that_answer_questions(page: Page, server: str) -> None:
    """They draw as the pages above do."""
    page.goto(f"{server}/groups")
    settle(page)
    choose(page, "Predictions", CLINIC)
    opened_list(page, "Columns that make groups")
    page.get_by_role("option", name="site", exact=True).click()
    page.keyboard.press("Escape")
    settle(page)
    for name, figure in FIGURES.items():
        go(page, name)
        settle(page)
        there_and_back(page, figure, "Look at", CLASS, CONFIDENCE)
