"""Pages opened cold, by a browser that has nothing of the app yet: what is read stays where it is."""

from contextlib import suppress

import pytest
from playwright.sync_api import Browser

from pages.server import page_list
from tests.browser.acts import LONG, MOST_SHIFTED, settle, shifts

MOST_RESTS = 3
"""Times two minutes that a page may take to come to rest."""
# Each program of the app comes late, as on a slow line: what has no place held for it moves what is there.
SLOW_LINE = {"offline": False, "latency": 100, "downloadThroughput": 1_000_000, "uploadThroughput": 1_000_000}


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (1440, 900)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_in_sight_moves_while_a_page_is_opened(
    browser: Browser, server: str, size: tuple[int, int]
) -> None:
    moved, told = {}, 0
    for page_name in (page.name for page in page_list.pages()):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        context.set_default_timeout(LONG)
        page = context.new_page()
        line = context.new_cdp_session(page)
        line.send("Network.emulateNetworkConditions", SLOW_LINE)
        page.goto(f"{server}/{'' if page_name == 'overview' else page_name}")
        page.locator("h1").first.wait_for()
        for _ in range(MOST_RESTS - 1):  # its results may take longer than a test waits elsewhere
            with suppress(AssertionError):
                settle(page)
                break
        else:
            settle(page)
        found = shifts(page)
        told += len(found)
        if sum(value for value, _ in found) > MOST_SHIFTED:
            moved[page_name] = found
        context.close()
    assert moved == {}
    assert told > 0  # the browser tells of every move, however small
