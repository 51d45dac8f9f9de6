"""Without a mouse, and by ear: the keyboard reaches and moves everything, and axe finds nothing serious."""

from importlib.resources import files
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.acts import LONG, POINTED_AT, arrive, fold, go, settle
from tests.browser.conftest import Watched
from tests.browser.test_pages import TITLES
from tests.core.test_colours import THEME, contrast, over

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
MOST_STEPS = 120
SERIOUS = ("serious", "critical")
STREAMLITS: dict[str, str] = {}
"""Rules that Streamlit itself breaks, each with what breaks it."""
_REACHED = "e => e.contains(document.activeElement)"
# Colours that fade in are at their end at once; what turns for ever has none.
_AT_REST = """() => document.getAnimations().forEach((a) => {
  if (a.effect.getComputedTiming().endTime < Infinity) a.finish();
})"""
_LOOKS = f"""e => {{
  ({_AT_REST})();
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

_DARK = "matchMedia('(prefers-color-scheme: dark)').matches"
_LEVELS = """() => [...document.querySelectorAll('[data-testid=stMain] :is(h1, h2, h3, h4, h5, h6)')]
  .filter((e) => e.checkVisibility())
  .map((e) => Number(e.tagName[1]))"""

# The ground of the page, then each text in a figure with its colour, as #rrggbbaa.
_TEXTS = """() => {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const hex = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return '#' + [...pen.getImageData(0, 0, 1, 1).data].map((v) => v.toString(16).padStart(2, '0')).join('');
  };
  const all = [...document.querySelectorAll('.js-plotly-plot svg text')];
  const texts = all.filter((e) => e.textContent.trim());
  return [
    hex(getComputedStyle(document.querySelector('.stApp')).backgroundColor).slice(0, 7),
    ...texts.map((e) => [e.textContent, hex(getComputedStyle(e).fill)]),
  ];
}"""


def schemes(page: Page) -> tuple[str, str]:
    """The theme that the page has now, and the other one."""
    return ("dark", "light") if page.evaluate(_DARK) else ("light", "dark")


def repaint(page: Page, scheme: str) -> None:
    """Streamlit's parts in another theme, at once; a figure changes when the page is run again."""
    page.emulate_media(color_scheme=scheme)
    ground = THEME[scheme]["backgroundColor"].lower()
    page.wait_for_function(f"ground => ({_TEXTS})()[0] === ground", arg=ground)


def serious(page: Page) -> list[str]:
    """What axe finds serious or critical, apart from what Streamlit itself does."""
    page.evaluate(AXE)
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]} {node['failureSummary']}"
        for rule in found
        if rule["impact"] in SERIOUS and rule["id"] not in STREAMLITS
        for node in rule["nodes"]
    ]


def pale_texts(page: Page) -> list[str]:
    """Texts in figures, which axe does not look at, below a contrast of 4.5 to the page."""
    ground, *texts = page.evaluate(_TEXTS)
    return [
        f"{words}: {contrast(over(colour, ground), ground):.2f}"
        for words, colour in texts
        if contrast(over(colour, ground), ground) < 4.5
    ]


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


def unnamed_figures(page: Page) -> list[str]:
    """The beginnings of figures that have no role and name."""
    figures = page.locator(".js-plotly-plot").all()
    named = [figure.locator("xpath=ancestor-or-self::*[@role='figure']") for figure in figures]
    return [name for figure in named if len(name := figure.get_attribute("aria-label") or "") <= 30]


def nothing_serious(page: Page, name: str) -> None:
    for _ in range(8):  # what is drawn anew fades in, and is pale for a moment
        page.evaluate(_AT_REST)
        if not (found := serious(page) + pale_texts(page)):
            break
        page.wait_for_timeout(1_000)
    assert found == [], (name, schemes(page)[0])
    levels = [0, *page.evaluate(_LEVELS)]
    assert all(b <= a + 1 for a, b in pairwise(levels)), (name, levels)
    assert page.get_by_role("button", name="Download as CSV").count() == 0  # not safe from formulas


def test_axe_finds_nothing_serious_and_figures_have_names_on_every_page(watched: Watched) -> None:
    """In both themes: the next page is first drawn in the one that the page before was seen in last."""
    page, server = watched.page, watched.address
    arrive(page, server, "Learn")
    for name, title in TITLES.items():
        go(page, name)
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        settle(page)
        assert unnamed_figures(page) == [], name
        if name == "Simplex":
            page.get_by_role("button", name="First and second choice, and the rest").click()
            expect(page.locator(".js-plotly-plot")).to_be_visible()
            settle(page)
        if name == "Overview":
            expect(page.get_by_text("All 12 checks found a problem")).to_be_visible(timeout=LONG)
        opened = page.get_by_test_id("stMain").locator("details[open]")
        folds = page.get_by_test_id("stMain").locator("details").all()
        for one in folds:
            if one.get_attribute("open") is None:  # some were left open on the page before
                one.locator("summary").first.press("Enter")  # those that open push others from the pointer
        settle(page)
        assert opened.count() >= len(folds), name
        nothing_serious(page, name)
        before = opened.count()
        repaint(page, schemes(page)[1])
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("r")  # runs it again, with the figures in the other theme
        settle(page)
        assert opened.count() == before, name
        nothing_serious(page, name)
        assert unnamed_figures(page) == [], name

    # It would find something.
    page.evaluate("document.querySelector('h1').innerHTML = '<button style=\"color:#ddd\"></button>'")
    assert any(line.startswith("button-name") for line in serious(page))


def test_the_settings_are_moved_by_the_keyboard(watched: Watched) -> None:
    page, server = watched.page, watched.address
    arrive(page, server, "Reliability")
    line = page.get_by_test_id("stMain").get_by_test_id("stCaptionContainer").first
    tab_to(page, page.get_by_role("combobox", name="Look at", exact=True))
    page.keyboard.press("ArrowDown")
    page.keyboard.type("One class")
    expect(page.locator(POINTED_AT)).to_have_text("One class")
    page.keyboard.press("Enter")
    expect(line).to_contain_text("the class '0'")
    settle(page)
    tab_to(page, page.get_by_role("spinbutton", name="Bins from 0 to 100 %"))
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(line).to_contain_text("7 equal-width bins")
    settle(page)
    tab_to(page, fold(page, "More settings"))
    page.keyboard.press("Enter")
    settle(page)  # what is in a fold that still opens is passed over
    tab_to(page, page.get_by_role("combobox", name="Kernel", exact=True))
    page.keyboard.press("Escape")
    tab_to(page, page.get_by_role("button", name="Undo"), "Shift+Tab")
    page.keyboard.press("Enter")
    expect(line).to_contain_text("10 equal-width bins")


def test_figure_table_csv_and_members_are_reached_by_the_keyboard(watched: Watched) -> None:
    page, server = watched.page, watched.address
    arrive(page, server, "Reliability")
    tab_to(page, page.get_by_test_id("stMain").get_by_test_id("stCheckbox"))
    tab_to(page, fold(page, "How to read this"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("where the cross would lie if the model were calibrated")).to_be_visible()
    settle(page)
    tab_to(page, fold(page, "The bins as a table"))
    page.keyboard.press("Space")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    settle(page)
    button = page.get_by_role("button", name="As CSV", exact=True)
    tab_to(page, button)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.path().read_text().startswith("cases,")
    tab_to(page, page.get_by_role("combobox", name="Bins chosen"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="These cases as CSV")).to_be_visible()


def test_simplex_and_tests_are_worked_by_the_keyboard(watched: Watched) -> None:
    page, server = watched.page, watched.address
    arrive(page, server, "Simplex")
    tab_to(page, page.get_by_role("button", name="First, second and third choice, and the rest"))
    page.keyboard.press("Enter")
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()  # 3-D has its table open
    settle(page)
    tab_to(page, page.get_by_role("combobox", name="The images of an arrow"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Predicted on average")).to_be_visible()
    go(page, "Tests")
    settle(page)
    tab_to(page, page.get_by_role("combobox", name="Test drawn"))
    tab_to(page, fold(page, "Methods and data"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Lens:")).to_be_visible()


def test_the_lessons_and_the_examples_are_worked_by_the_keyboard(watched: Watched) -> None:
    page, server = watched.page, watched.address
    arrive(page, server, "Learn")
    expect(page.get_by_text("the model always says 60")).to_be_visible()
    tab_to(page, page.get_by_role("slider", name="How overconfident is the forecaster?"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("the forecaster says 9")).to_be_visible()
    tab_to(page, page.get_by_role("radio", name="Confidence"))
    tab_to(page, page.get_by_role("button", name="Try 20 data sets"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Of 20 calibrated data sets")).to_be_visible()
    go(page, "Data")
    expect(page.get_by_role("heading", name=TITLES["Data"])).to_be_visible()
    settle(page)
    tab_to(page, page.get_by_test_id("stFileUploader").get_by_role("button").first)
    tab_to(page, fold(page, "Read it differently"))
