"""People at a real browser: fewer kinds of acts, timed in the page from the click to its answer."""

import asyncio
import time

import numpy as np
from playwright.async_api import Browser, Error, Page

from tests.soak.people import THINK, Diary

PAGES = ("Overview", "Reliability", "Simplex", "Tests", "Data", "Learn")
LENSES = ("Confidence in the top class", "One class", "All classes together")
# From the first click or key on, until the script has run and is done: window.soaked, in milliseconds.
_WATCH = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  let began = null, ran = false;
  window.soaked = null;
  window.watching?.disconnect();
  const look = window.watching = new MutationObserver(() => {
    if (began === null) return;
    if (app.getAttribute('data-test-script-state') !== 'notRunning') {
      ran = true;  // 'running' itself is not drawn if its end comes with it
    } else if (ran) {
      window.soaked = performance.now() - began;
      look.disconnect();
    }
  });
  look.observe(app, { attributes: true });
  const begin = () => { began ??= performance.now(); };
  for (const type of ['keydown', 'click']) addEventListener(type, begin, { once: true, capture: true });
}"""


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
            except Error as problem:
                self.diary.errors.append(f"browser {act.__name__}: {str(problem).splitlines()[0]}")
            if await self.page.get_by_test_id("stException").count():
                self.diary.errors.append("browser: an exception is shown")
            if await self.page.get_by_text("Something went wrong").count():
                self.diary.errors.append("browser: something went wrong")
            await asyncio.sleep(self.rng.uniform(*think))

    async def _timed(self, act: str) -> None:
        taken = await (await self.page.wait_for_function("() => window.soaked")).json_value()
        self.diary.wrote(f"browser: {act}", taken / 1000)

    async def _page(self) -> None:
        link = self.page.get_by_role("link", name=PAGES[int(self.rng.integers(len(PAGES)))], exact=True)
        await self.page.evaluate(_WATCH)
        await link.click()
        await self._timed("to a page")

    async def _lens(self) -> None:
        box = self.page.get_by_role("combobox", name="Look at", exact=True)
        option = LENSES[int(self.rng.integers(len(LENSES)))]
        if await box.input_value() == option:
            return
        await box.click()
        choice = self.page.get_by_role("option", name=option, exact=True)
        await choice.wait_for()
        await self.page.evaluate(_WATCH)
        await choice.click()
        await self._timed("another lens")

    async def _bins(self) -> None:
        box = self.page.get_by_role("spinbutton").first
        value = str(int(self.rng.integers(20, 60)))
        if await box.input_value() == value:
            return
        await box.fill(value)
        await self.page.evaluate(_WATCH)
        await box.press("Enter")
        await self._timed("other bins")


async def visit(browser: Browser, address: str, seed: list[int], seconds: float, diary: Diary) -> None:
    """A tab of its own from opening to closing."""
    context = await browser.new_context(viewport={"width": 1440, "height": 1100})
    context.set_default_timeout(60_000)
    try:
        await Visitor(await context.new_page(), np.random.default_rng(seed), diary).live(address, seconds)
    finally:
        await context.close()
