"""The diagram looked at in several ways: with a curve, observed against predicted, with intervals."""

from playwright.sync_api import Page, expect

from calibcore.data.examples import load_example
from calibcore.diagnose import reliability_for
from calibcore.diagnose.curves import curve_for
from calibcore.words.diagram import diagram_sentence
from pages.ui.settings import START
from tests.browser.acts import arrive, go, settle
from tests.browser.conftest import Watched
from tests.browser.test_members_and_tests import click_cross


def legend(page: Page) -> str:
    return page.locator(".js-plotly-plot .legend").first.text_content() or ""


def test_a_curve_leaves_the_crosses_to_be_clicked_and_whiskers_are_drawn(watched: Watched) -> None:
    page, p = watched.page, load_example("digits-forest")
    found = reliability_for(p, START)
    arrive(page, watched.address, "Reliability")
    page.get_by_role("radio", name="Isotonic").or_(page.get_by_role("button", name="Isotonic")).first.click()
    settle(page)
    said = diagram_sentence(found, "image", curve_for(p, START, "isotonic"))
    expect(page.get_by_role("figure").first).to_have_attribute("aria-label", said)
    assert "isotonic curve" in legend(page)
    click_cross(page, 2)  # of those outside
    clicked = int(found.outside.nonzero()[0][2])
    expect(page.get_by_text(f"of {int(found.counts[clicked]):,} images).")).to_be_visible()

    settle(page)
    assert page.locator(".js-plotly-plot .errorbar").count() == 0
    page.get_by_text("Observed against predicted", exact=True).click()
    settle(page)
    page.get_by_text("Intervals of the frequencies", exact=True).click()
    settle(page)
    expect(page.locator(".js-plotly-plot .errorbar")).to_have_count(found.n_bins)
    assert "observed, 90\N{NO-BREAK SPACE}% interval" in legend(page)
    go(page, "Learn")
    go(page, "Reliability")
    settle(page)
    expect(page.locator(".js-plotly-plot .errorbar")).to_have_count(found.n_bins)
