"""Every page in six looks (wide, low and narrow, light and dark) as pictures: make screenshots OUT=folder."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from pages.server import page_list
from tests.browser.acts import LONG, settle
from tests.browser.conftest import PATIENCE, QUIET, find_chromium, free_port, started

PAGES = tuple(page.name for page in page_list.pages())
SIZES = {"wide": (1440, 1000), "low": (1280, 720), "narrow": (390, 844)}
PHONE: dict[str, Any] = {
    "is_mobile": True,
    "has_touch": True,
    "user_agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/130.0.0.0 Mobile Safari/537.36",
}
"""Tables and figures know one by what it calls itself."""
TALLEST = 6_000
"""Pixels of a picture; a longer page is cut."""


def look(page: Page, address: str, name: str) -> None:
    """Open a page and wait until everything on it is there."""
    page.goto(f"{address}/{'' if name == PAGES[0] else name}")
    page.locator("h1").first.wait_for()
    settle(page)
    if name == "simplex":
        page.get_by_role("button", name="First and second choice").click()
        page.locator(".js-plotly-plot").first.wait_for()
        settle(page)
    page.wait_for_timeout(1_000)


def taken(browser: Browser, address: str, folder: Path, names: Sequence[str]) -> None:
    """A picture of each page in each look, as tall as the page is."""
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme,
                **(PHONE if size == "narrow" else {}),
            )  # fmt: skip
            context.set_default_timeout(max(PATIENCE, LONG))
            page = context.new_page()
            for name in names:
                page.set_viewport_size({"width": width, "height": height})
                look(page, address, name)
                tall = page.get_by_test_id("stMain").evaluate("e => e.scrollHeight")
                page.set_viewport_size({"width": width, "height": min(TALLEST, max(height, tall + 80))})
                page.wait_for_timeout(1_000)
                page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")
            context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="+", default=PAGES, choices=PAGES)
    parser.add_argument("--out", type=Path, default=Path("build/screenshots"))
    parser.add_argument("--address", help="of an app that runs already")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        if asked.address:
            taken(browser, asked.address, asked.out, asked.pages)
        else:
            with started(asked.out, free_port()) as address:
                taken(browser, address, asked.out, asked.pages)
        browser.close()
    print(f"{len(SIZES) * 2 * len(asked.pages)} pictures in {asked.out}")


if __name__ == "__main__":
    main()
