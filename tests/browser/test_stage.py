"""Pages whose answer is a picture: it is in sight as a whole, in a low window too."""

import pytest

from tests.browser.acts import arrive, go, settle
from tests.browser.conftest import Watched

STAGES = ("Time", "Reliability", "Simplex", "Decide")


@pytest.mark.slow
def test_the_figure_of_a_stage_is_in_sight_as_a_whole(watched: Watched) -> None:
    """Of two classes with dates, through the confidence and through a class."""
    page = watched.page
    page.set_viewport_size({"width": 1280, "height": 720})
    arrive(page, watched.address, "monitor")
    page.get_by_role("button", name="Look at an example with dates").click()
    settle(page)
    beyond = {}
    for way in ("the confidence", "both classes"):
        for name in STAGES:
            go(page, name)
            page.locator(".js-plotly-plot").first.wait_for()
            settle(page)
            box = page.locator(".js-plotly-plot").first.bounding_box()
            assert box is not None
            if box["y"] < 0 or box["y"] + box["height"] > 720:
                beyond[way, name] = box
        go(page, "Time")
        if (both := page.get_by_role("button", name="Look at both classes")).count():
            both.click()
            settle(page)
    assert beyond == {}
