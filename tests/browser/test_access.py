"""By ear, and with weak eyes: axe finds nothing serious, and texts stand out in both themes."""

from collections.abc import Callable
from importlib.resources import files
from itertools import pairwise

import pytest
from playwright.sync_api import Page

from tests.browser.acts import LONG, arrive, go, settle
from tests.browser.conftest import Watched
from tests.browser.test_pages import TITLES
from tests.charts.test_colours import THEME

PRINCIPAL = ("Reliability", "Overview")
"""What most people look at."""
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
MOST_FOLDS = 40
"""Of a page, with those in others."""
SERIOUS = ("serious", "critical")
STREAMLITS: dict[str, str] = {}
"""Rules that Streamlit itself breaks, each with what breaks it."""
# Colours that fade in are at their end at once; what turns for ever has none.
AT_REST = """() => document.getAnimations().forEach((a) => {
  if (a.effect.getComputedTiming().endTime < Infinity) a.finish();
})"""
_DARK = "matchMedia('(prefers-color-scheme: dark)').matches"
_LEVELS = """() => [...document.querySelectorAll('[data-testid=stMain] :is(h1, h2, h3, h4, h5, h6)')]
  .filter((e) => e.checkVisibility())
  .map((e) => Number(e.tagName[1]))"""

# Each text on the page below a contrast of 4.5 to what is behind it, or 3 if it is large; nothing that is not
# seen or cannot be used. Wherever it stands: axe looks at no colours but of what is scrolled into sight.
_PALE = """() => {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      known.set(colour, [...pen.getImageData(0, 0, 1, 1).data].map((v) => v / 255));
    }
    return known.get(colour);
  };
  const over = (top, ground, seen) => ground.map((v, i) => top[i] * top[3] * seen + v * (1 - top[3] * seen));
  const light = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const bright = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const off = ':disabled, [disabled], [aria-disabled=true], [aria-hidden=true], [inert], canvas';
  const apart = `:is(${off}, [data-testid=stSliderThumbValue])`;  // that stands above the knob that holds it
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const words = texts.currentNode.textContent.trim(), e = texts.currentNode.parentElement;
    if (!words || e.closest(apart) || !e.checkVisibility({ visibilityProperty: true })) continue;
    const styles = [];
    for (let n = e; n; n = n.parentElement) styles.unshift(getComputedStyle(n));
    let ground = [1, 1, 1], seen = 1;
    for (const style of styles) {
      seen *= Number(style.opacity);
      ground = over(rgba(style.backgroundColor), ground, seen);
    }
    if (!seen) continue;
    const own = styles.at(-1), ink = over(rgba(e instanceof SVGElement ? own.fill : own.color), ground, seen);
    const [more, less] = [bright(ink), bright(ground)].sort((a, b) => b - a);
    const contrast = (more + 0.05) / (less + 0.05), size = parseFloat(own.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(own.fontWeight) >= 700);
    if (contrast < (large ? 3 : 4.5)) found.push(`${words.slice(0, 80)}: ${contrast.toFixed(2)}`);
  }
  return found;
}"""
# A heading and the texts of figures, hardly to be told from the ground, in either theme.
_PLANT = """() => {
  const ground = getComputedStyle(document.querySelector('.stApp')).backgroundColor;
  for (const e of [...document.querySelectorAll('h1, .js-plotly-plot text')])
    for (const part of [e, ...e.querySelectorAll('*')])
      for (const how of ['color', 'fill'])
        part.style.setProperty(how, `color-mix(in srgb, ${ground} 80%, currentColor)`, 'important');
}"""
_GROUND = "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"


def schemes(page: Page) -> tuple[str, str]:
    """The theme that the page has now, and the other one."""
    return ("dark", "light") if page.evaluate(_DARK) else ("light", "dark")


def repaint(page: Page, scheme: str) -> None:
    """Streamlit's parts in another theme, at once; a figure changes when the page is run again."""
    page.emulate_media(color_scheme=scheme)
    red, green, blue = bytes.fromhex(THEME[scheme]["backgroundColor"].removeprefix("#"))
    page.wait_for_function(f"ground => ({_GROUND})() === ground", arg=f"rgb({red}, {green}, {blue})")


def serious(page: Page) -> list[str]:
    """What axe finds serious or critical, apart from what Streamlit itself does."""
    if page.evaluate("!window.axe"):
        page.evaluate(AXE)
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]} {node['failureSummary']}"
        for rule in found
        if rule["impact"] in SERIOUS and rule["id"] not in STREAMLITS
        for node in rule["nodes"]
    ]


def pale_texts(page: Page) -> list[str]:
    """Texts that stand out too little from what is behind them, with their contrast."""
    return list(page.evaluate(_PALE))


def serious_or_pale(page: Page) -> list[str]:
    return serious(page) + pale_texts(page)


def unnamed_figures(page: Page) -> list[str]:
    """The beginnings of figures that have no role and name."""
    figures = page.locator(".js-plotly-plot").all()
    named = [figure.locator("xpath=ancestor-or-self::*[@role='figure']") for figure in figures]
    return [name for figure in named if len(name := figure.get_attribute("aria-label") or "") <= 30]


def nothing_found(page: Page, name: str, look: Callable[[Page], list[str]]) -> None:
    for _ in range(8):  # what is drawn anew fades in, and is pale for a moment
        page.evaluate(AT_REST)
        if not (found := look(page)):
            break
        page.wait_for_timeout(1_000)
    assert found == [], (name, schemes(page)[0])


def levels_and_buttons(page: Page, name: str) -> None:
    levels = [0, *page.evaluate(_LEVELS)]
    assert all(b <= a + 1 for a, b in pairwise(levels)), (name, levels)
    assert page.get_by_role("button", name="Download as CSV").count() == 0  # not safe from formulas


def accessible(page: Page, name: str) -> None:
    """A page with all its folds open, in both themes: it is first drawn in the one that was seen last."""
    go(page, name)
    page.get_by_role("heading", name=TITLES[name]).wait_for()
    settle(page)
    assert page.get_by_text("Something went wrong").count() == 0, name
    assert unnamed_figures(page) == [], name
    if name == "Simplex":
        page.get_by_role("button", name="First and second choice").click()
        page.locator(".js-plotly-plot").first.wait_for()
        settle(page)
    if name == "Overview":
        page.get_by_text("All 12 checks found a problem").wait_for(timeout=LONG)
    closed = page.get_by_test_id("stMain").locator("details:not([open])")
    for _ in range(MOST_FOLDS):
        if not closed.count():
            break
        closed.first.locator("summary").first.press("Enter")  # those that open push others from the pointer
        settle(page)  # and have others in them
    assert not closed.count(), name
    nothing_found(page, name, serious)
    nothing_found(page, name, pale_texts)
    levels_and_buttons(page, name)
    repaint(page, schemes(page)[1])
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("r")  # runs it again, with the figures in the other theme
    settle(page)
    assert not closed.count(), name
    nothing_found(page, name, pale_texts)
    assert unnamed_figures(page) == [], name


def test_axe_finds_nothing_serious_and_figures_have_names(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Learn")
    for name in PRINCIPAL:
        accessible(page, name)

    # It would find something: in both themes, at the top, and out of sight.
    page.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<button></button>')")
    for _ in range(2):
        repaint(page, schemes(page)[1])
        page.evaluate(_PLANT)
        page.get_by_test_id("stMain").evaluate("e => e.scrollTo(0, 0)")
        page.evaluate(AT_REST)
        rules = {line.partition(":")[0] for line in serious(page)}
        assert rules >= {"button-name", "color-contrast"}, rules
        page.get_by_test_id("stMain").evaluate("e => e.scrollTo(0, 2_000)")
        settle(page)
        page.evaluate(_PLANT)  # figures that came into sight, or were drawn anew, are not planted yet
        heading, *in_figures = pale_texts(page)
        assert heading.startswith(TITLES["Overview"])
        assert in_figures


@pytest.mark.slow
def test_nor_on_any_other_page(watched: Watched) -> None:
    arrive(watched.page, watched.address, "Learn")
    for name in TITLES:
        if name not in PRINCIPAL:
            accessible(watched.page, name)
