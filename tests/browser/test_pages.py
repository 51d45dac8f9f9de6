"""Each page's main path, wide and narrow, light and dark."""

import re

import pytest
from playwright.sync_api import expect

from calibcore.painters.screen.tetrahedron import camera
from pages.server import page_list
from tests.browser.acts import arrive, click_page, settle, widened
from tests.browser.conftest import Watched

_FIRST, *_OTHERS = page_list.pages()
TITLES = {page.title: page.heading for page in (*_OTHERS, _FIRST)}
"""Name in the navigation -> heading; the page where people arrive comes last."""


@pytest.mark.slow
def test_a_click_brings_the_tetrahedron_and_the_triangle_with_its_arrows(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Simplex")
    page.get_by_role("button", name="First three choices").click()
    page.locator(".js-plotly-plot .gl-container canvas").first.wait_for()
    settle(page)
    page.get_by_role("radio", name="2nd", exact=True).click()
    settle(page)
    eye = "document.querySelector('.js-plotly-plot')._fullLayout.scene._scene.getCamera().eye"
    found = page.evaluate(eye)
    asked = camera(1)["eye"]
    assert [round(found[axis], 2) for axis in "xyz"] == [round(asked[axis], 2) for axis in "xyz"]
    page.get_by_text("Were the model calibrated, any would be strong at most").wait_for()
    page.get_by_role("button", name="Undo").click()
    settle(page)

    page.get_by_role("button", name="First and second choice").click()
    page.locator(".js-plotly-plot").first.wait_for()
    words = "'1st' happens 25.1 points more often than predicted \\(chance .*, 'other' 17.1 points less \\("
    expect(page.get_by_role("figure").first).to_have_attribute("aria-label", re.compile(words))
    page.get_by_test_id("stSidebar").get_by_text("the 2 most likely classes").wait_for()
    settle(page)
    page.get_by_role("button", name="Undo").click()
    page.get_by_test_id("stSidebar").get_by_text("the 3 most likely classes").wait_for()
    settle(page)

    # Again; a click on an arrow lists its cases, and groups bring other corners.
    page.get_by_role("button", name="First and second choice").click()
    dots = page.locator(".js-plotly-plot .point")
    dots.first.wait_for()
    settle(page)
    dots.last.scroll_into_view_if_needed()
    box = dots.last.bounding_box()  # of the tails, which come after the heads
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_text("Predicted on average 1st").wait_for()
    settle(page)  # the p-values of the arrows come after the arrows, and draw the page anew
    page.get_by_role("button", name="Build your own").click()
    page.get_by_role("button", name="Show the triangle").click()
    page.get_by_text("The corners are '0, 6', '1, 2, 3, 5, 8, 9' and '4, 7'.").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 1440])
def test_no_figure_is_drawn_again_for_want_of_room(watched: Watched, width: int) -> None:
    """Plotly draws all of a figure a second time whose numbers, words or key need more than its margins."""
    page = watched.page
    page.set_viewport_size({"width": width, "height": 1000})
    arrive(page, watched.address, "Learn")
    crowded = {}
    for name in TITLES:
        click_page(page, name)
        page.get_by_role("heading", name=TITLES[name], exact=True).wait_for()
        settle(page)
        if found := widened(page):
            crowded[name] = found
    assert crowded == {}
