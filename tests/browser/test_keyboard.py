"""Without a mouse: the keyboard reaches and moves everything, and where it is can be seen in both themes."""

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.ui.learn.lessons import LESSONS
from tests.browser.acts import arrive, fold, go, pointed_at, settle
from tests.browser.conftest import DESK, Watched
from tests.browser.test_access import AT_REST, nothing_found, repaint, schemes, serious_or_pale
from tests.browser.test_pages import TITLES

MOST_STEPS = 120
_REACHED = "e => e.contains(document.activeElement)"
_LOOKS = f"""e => {{
  ({AT_REST})();
  const styles = [];
  for (let n = e, up = 0; n && up < 4; n = n.parentElement, up += 1) {{
    const s = getComputedStyle(n);
    styles.push(s.outline + s.boxShadow + s.borderColor + s.backgroundColor);
  }}
  return styles.join('|');
}}"""
# Whether what has the keyboard and stands still looks otherwise, within two seconds, when it has lost it.
_SEEN = f"""async () => {{
  const e = document.activeElement, looks = {_LOOKS};
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  let seen = false;
  for (let tries = 0; !seen && tries < 4; tries += 1) {{
    await new Promise((done) => setTimeout(done, 300 * tries));  // a busy page shows it late
    let held = looks(e);
    for (let same = 0; same < 3; same += 1) {{
      await frame();
      const now = looks(e);
      if (now !== held) same = 0;
      held = now;
    }}
    e.blur();
    for (const end = performance.now() + 2000; !seen && performance.now() < end; await frame())
      seen = looks(e) !== held;
    e.focus({{ focusVisible: true }});
  }}
  return seen;
}}"""


def tab_to(page: Page, target: Locator, key: str = "Tab") -> None:
    """Press Tab until the keyboard is in ``target``; there it must be seen, in both themes."""
    for _ in range(MOST_STEPS):
        if target.count() and target.first.evaluate(_REACHED):
            break
        page.keyboard.press(key)
    else:
        pytest.fail(f"the keyboard does not reach {target}")
    now, other = schemes(page)
    assert page.evaluate(_SEEN), f"where the keyboard is cannot be seen, {now}: {target}"
    repaint(page, other)
    assert target.first.evaluate(_REACHED), f"the keyboard went away: {target}"
    assert page.evaluate(_SEEN), f"where the keyboard is cannot be seen, {other}: {target}"


@pytest.mark.slow
def test_the_settings_are_moved_by_the_keyboard(watched: Watched) -> None:
    page, server = watched.page, watched.address
    arrive(page, server, "Reliability")
    line = page.get_by_test_id("stMain").get_by_test_id("stCaptionContainer").first
    tab_to(page, page.get_by_role("combobox", name="Look at", exact=True))
    settle(page)  # the themes were changed, and a list that moves closes
    page.keyboard.press("ArrowDown")
    page.keyboard.type("One class")
    pointed_at(page, "One class")
    page.keyboard.press("Enter")
    expect(line).to_contain_text("the class '0'")
    settle(page)
    tab_to(page, page.get_by_role("spinbutton", name="Fewest cases in a bin"))
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("70")
    page.keyboard.press("Enter")
    expect(line).to_contain_text("70 images or more each")
    settle(page)
    tab_to(page, fold(page, "More settings"))
    page.keyboard.press("Enter")
    settle(page)  # what is in a fold that still opens is passed over
    tab_to(page, page.get_by_role("spinbutton", name="Level of the tests"))
    tab_to(page, page.get_by_role("button", name="Undo"), "Shift+Tab")
    page.keyboard.press("Enter")
    expect(line).to_contain_text("53 images or more each")  # as it was


def test_figure_table_csv_and_members_are_reached_by_the_keyboard(watched: Watched) -> None:
    page, server = watched.page, watched.address
    arrive(page, server, "Reliability")
    tab_to(page, page.get_by_test_id("stMain").get_by_test_id("stCheckbox"))
    tab_to(page, fold(page, "How to read this"))
    page.keyboard.press("Enter")
    page.get_by_text("where the cross would lie if the model were calibrated").wait_for()
    settle(page)
    tab_to(page, fold(page, "The bins as a table"))
    page.keyboard.press("Space")
    page.get_by_test_id("stDataFrame").wait_for()
    settle(page)
    button = page.get_by_role("button", name="As CSV", exact=True)
    tab_to(page, button)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.path().read_text().startswith("cases,")
    tab_to(page, page.get_by_role("combobox", name="The cases behind a cross"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="These cases as CSV").wait_for()


@pytest.mark.slow
def test_simplex_and_tests_are_worked_by_the_keyboard(watched: Watched) -> None:
    page, server = watched.page, watched.address
    arrive(page, server, "Simplex")
    tab_to(page, page.get_by_role("button", name="First three choices"))
    page.keyboard.press("Enter")
    page.locator(".js-plotly-plot").first.wait_for()
    settle(page)
    tab_to(page, page.get_by_role("combobox", name="The images of an arrow"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_text("Predicted on average").wait_for()
    go(page, "Tests")
    settle(page)
    tab_to(page, fold(page, "For statisticians"))
    page.keyboard.press("Enter")
    settle(page)
    tab_to(page, page.get_by_role("combobox", name="Test drawn"))
    tab_to(page, fold(page, "Methods and data"))
    page.keyboard.press("Enter")
    page.get_by_text("Lens:").wait_for()


@pytest.mark.slow
def test_the_lessons_and_the_examples_are_worked_by_the_keyboard(watched: Watched) -> None:
    page, server = watched.page, watched.address
    arrive(page, server, "Learn")
    tab_to(page, page.get_by_role("link", name=LESSONS[0].title))
    nothing_found(page, "the list of lessons", serious_or_pale)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=LESSONS[0].title, level=1).wait_for()
    settle(page)
    nothing_found(page, "a lesson", serious_or_pale)
    tab_to(page, page.get_by_role("slider", name="How overconfident is the forecaster?"))
    page.keyboard.press("ArrowRight")
    page.get_by_text("the forecaster says 9").wait_for()
    tab_to(page, page.get_by_role("link", name="Next: "))
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=LESSONS[1].title, level=1).wait_for()
    settle(page)
    tab_to(page, page.get_by_role("radio", name="Confidence"))
    page.set_viewport_size({"width": 1000, "height": 720})  # the last pages are in a menu
    page.get_by_test_id("stTopNavSection").press("Enter")
    expect(page.get_by_role("menuitem")).not_to_have_count(0)
    nothing_found(page, "the menu", serious_or_pale)
    page.keyboard.press("Escape")
    page.set_viewport_size(DESK)
    go(page, "Data")
    page.get_by_role("heading", name=TITLES["Data"]).wait_for()
    settle(page)
    tab_to(page, page.get_by_test_id("stFileUploader").get_by_role("button").first)
    tab_to(page, fold(page, "How to make such a file"))
