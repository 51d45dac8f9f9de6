"""People at a real browser: fewer kinds of acts, timed in the page from the click to its effect."""

import asyncio
import re
import time
from collections.abc import Awaitable

import numpy as np
from playwright.async_api import Browser, Error, Page

from tests.soak.client import Unanswered
from tests.soak.people import HEADINGS, LOOKS_AT, THINK, Diary

LENSES = {label: words for label, words in LOOKS_AT.items() if label != "The most likely classes"}
_LOOKED_AT = "[data-testid=stSidebar] p"
# From the first click or key on, until the page says what it should and no script runs: window.soaked, in
# milliseconds. That a script ran is not waited for: its beginning and its end may be drawn at once.
_WATCH = """([where, words]) => {
  const app = document.querySelector('[data-testid=stApp]'), wanted = new RegExp(words);
  let began = null;
  window.soaked = null;
  window.watching?.disconnect();
  const look = window.watching = new MutationObserver(() => {
    if (began === null || app.getAttribute('data-test-script-state') !== 'notRunning') return;
    if ([...document.querySelectorAll(where)].some(one => wanted.test(one.textContent))) {
      window.soaked = performance.now() - began;
      look.disconnect();
    }
  });
  const which = { childList: true, subtree: true, characterData: true };
  look.observe(app, { ...which, attributeFilter: ['data-test-script-state'] });
  const begin = () => { began ??= performance.now(); };
  for (const type of ['keydown', 'click']) addEventListener(type, begin, { once: true, capture: true });
}"""
_STATE = """() => [
  document.querySelector('[data-testid=stApp]').dataset.testScriptState,
  ...[...document.querySelectorAll('h1')].map(one => one.textContent),
  ...[...document.querySelectorAll('[data-testid=stSidebar] p')].slice(0, 2).map(one => one.textContent),
].join('; ')"""


class Visitor:
    """Somebody at a browser."""

    def __init__(self, page: Page, rng: np.random.Generator, diary: Diary) -> None:
        self.page, self.rng, self.diary = page, rng, diary
        page.on("pageerror", lambda error: diary.errors.append(f"browser: {error}"))
        page.on(
            "console",
            lambda message: (
                diary.errors.append(f"browser: {message.text}") if message.type == "error" else None
            ),
        )

    async def live(self, address: str, seconds: float, think: tuple[float, float] = THINK) -> None:
        """Act and think until the time is over."""
        end = time.monotonic() + seconds
        await self.page.goto(address)
        await self.page.get_by_test_id("stSidebar").wait_for()
        await asyncio.sleep(self.rng.uniform(*think))
        acts = (self._page, self._lens, self._bins)
        while time.monotonic() < end:
            act = acts[int(self.rng.integers(len(acts)))]
            try:
                await act()
            except (Error, Unanswered) as problem:
                self.diary.errors.append(f"browser {act.__name__}: {str(problem).splitlines()[0]}")
            if await self.page.get_by_test_id("stException").count():
                self.diary.errors.append("browser: an exception is shown")
            if await self.page.get_by_text("Something went wrong").count():
                self.diary.errors.append("browser: something went wrong")
            await asyncio.sleep(self.rng.uniform(*think))

    async def _timed(self, act: str, where: str, words: str, does: Awaitable[None]) -> None:
        """Do it; the seconds until some element ``where`` says ``words``, which none says yet."""
        await self.page.evaluate(_WATCH, [where, words])
        await does
        try:
            taken = await (await self.page.wait_for_function("() => window.soaked")).json_value()
        except Error as problem:
            said = await self.page.evaluate(_STATE)
            raise Unanswered(f"no {words!r} on the page: {said[:200]}") from problem
        self.diary.wrote(f"browser: {act}", taken / 1000)

    async def _page(self) -> None:
        title = await self.page.locator("h1").first.text_content() or ""
        names = [name for name, heading in HEADINGS.items() if heading not in title]
        name = names[int(self.rng.integers(len(names)))]
        link = self.page.get_by_role("link", name=name, exact=True)
        if not await link.count():
            await self.page.get_by_test_id("stTopNavSection").click()
            link = self.page.get_by_role("menuitem", name=name, exact=True)
        await self._timed("to a page", "h1", re.escape(HEADINGS[name]), link.click())

    async def _lens(self) -> None:
        box = self.page.get_by_role("combobox", name="Look at", exact=True)
        if not await box.count():  # it does nothing on this page
            return
        options = list(LENSES)
        option = options[int(self.rng.integers(len(options)))]
        if await box.input_value() == option:
            return
        await box.click()
        await self.page.get_by_role("option").first.wait_for()
        choice = self.page.get_by_role("option", name=option, exact=True)
        if not await choice.count():  # a page offers what it can draw
            await self.page.keyboard.press("Escape")
            return
        await self._timed("another lens", _LOOKED_AT, LENSES[option], choice.click())

    async def _bins(self) -> None:
        box = self.page.get_by_role("spinbutton", name=re.compile(r"\bbins?\b", re.IGNORECASE))
        says = self.page.locator(_LOOKED_AT).filter(has_text="You look at")
        if not (await box.count() and await says.count()):  # nothing on Overview says how many there are
            return
        value = str(int(self.rng.integers(20, 60)))
        if await box.input_value() == value:
            return
        await box.fill(value)
        await self._timed("other bins", _LOOKED_AT, rf"\b{value} \D", box.press("Enter"))


async def visit(browser: Browser, address: str, seed: list[int], seconds: float, diary: Diary) -> None:
    """A tab of its own from opening to closing."""
    context = await browser.new_context(viewport={"width": 1440, "height": 1100})
    context.set_default_timeout(60_000)
    try:
        await Visitor(await context.new_page(), np.random.default_rng(seed), diary).live(address, seconds)
    finally:
        await context.close()
