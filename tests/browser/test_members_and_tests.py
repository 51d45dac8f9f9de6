"""The diagram with a curve and with intervals; its cases by click, frame and keyboard; a test drawn."""

import csv
import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from calibcore import diagnose
from calibcore.answers.diagnosis import components_table
from calibcore.data.examples import load_example
from calibcore.diagnose import reliability_for
from calibcore.diagnose.curves import curve_for
from calibcore.diagnose.parts import spread_bins, spread_for
from calibcore.words.diagram import bin_words, diagram_sentence, members_sentence
from calibcore.words.tables import csv_of
from pages.ui.settings import START
from tests.browser.acts import LONG, arrive, choose, go, pointed_at, settle, unfold
from tests.browser.conftest import Watched

# How strong each mark is drawn, with all that it is within; crosses first, bars after them.
_OPACITIES = """() => [...document.querySelectorAll('.js-plotly-plot .scatterlayer .point'),
  ...document.querySelectorAll('.js-plotly-plot .barlayer .point path')].map((mark) => {
  let seen = 1;
  for (let e = mark; e; e = e.parentElement) seen *= getComputedStyle(e).opacity;
  return seen;
})"""


def click_cross(page: Page, number: int) -> None:
    """Click a cross of the figure, in the order in which they are drawn."""
    cross = page.locator(".js-plotly-plot .scatterlayer .point").nth(number)
    cross.scroll_into_view_if_needed()
    box = cross.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(200)
    page.mouse.down()
    page.mouse.up()
    settle(page)


def frame(page: Page, left: float, top: float, right: float, bottom: float) -> None:
    """Draw a frame over part of the upper panel of the figure, in shares of its width and height."""
    panel = page.locator(".js-plotly-plot .nsewdrag").first
    panel.scroll_into_view_if_needed()
    page.get_by_role("button", name="Box Select").click()
    box = panel.bounding_box()
    assert box is not None
    x, y, w, h = (box[side] for side in ("x", "y", "width", "height"))
    page.mouse.move(x + left * w, y + top * h)
    page.mouse.down()
    page.mouse.move(x + right * w, y + bottom * h, steps=8)
    page.mouse.up()
    settle(page)


def legend(page: Page) -> str:
    return page.locator(".js-plotly-plot .legend").first.text_content() or ""


@pytest.mark.slow
def test_a_click_a_frame_or_the_keyboard_shows_the_cases_of_bins_however_they_are_drawn(
    watched: Watched,
) -> None:
    page, p = watched.page, load_example("digits-forest")
    found = reliability_for(p, START)
    arrive(page, watched.address, "Reliability")
    page.get_by_role("radio", name="Isotonic").or_(page.get_by_role("button", name="Isotonic")).first.click()
    settle(page)
    said = diagram_sentence(found, "image", curve_for(p, START, "isotonic"), START.lens)
    expect(page.get_by_role("figure").first).to_have_attribute("aria-label", said)
    assert "isotonic curve" in legend(page)
    before = page.evaluate(_OPACITIES)
    click_cross(page, 2)  # of those outside: the curve is above none of them
    assert page.evaluate(_OPACITIES) == [*before[: found.n_bins], 1, *before[found.n_bins :]]  # and its ring
    clicked = int(found.outside.nonzero()[0][2])
    cases = page.get_by_text(f"of {int(found.counts[clicked]):,} images).")
    cases.wait_for()
    expect(cases).to_be_in_viewport()
    frame(page, 0.92, 0.0, 1.0, 1.0)  # the last bin alone
    last = found.n_bins - 1
    sentence = f"of {int(found.counts[last]):,} images\\)"
    page.get_by_text(re.compile(sentence)).wait_for()
    page.get_by_text("The first 50 of", exact=False).wait_for()

    box = page.get_by_role("combobox", name="The cases behind a cross")
    box.focus()
    page.keyboard.press("Backspace")  # the bin goes
    settle(page)
    first = bin_words(found, 0, "image")
    box.focus()
    page.keyboard.type(first[:6])
    pointed_at(page, first[:6])
    for key in ("Enter", "Escape"):  # the first one comes
        page.keyboard.press(key)
    settle(page)
    page.get_by_text("The one image.").or_(page.get_by_text(f"All {found.counts[0]} images.")).wait_for()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="These cases as CSV").click()
    text = download.value.path().read_text()
    assert text.startswith("Row,predicted hit,predicted miss,Top class,Happened")
    assert len(text.splitlines()) == 1 + found.counts[0]

    assert page.locator(".js-plotly-plot .errorbar").count() == 0
    page.get_by_text("Observed against predicted", exact=True).click()
    settle(page)
    page.locator(".js-plotly-plot").get_by_text("How often it happened").wait_for()
    page.get_by_text("Intervals of the frequencies", exact=True).click()
    settle(page)
    expect(page.locator(".js-plotly-plot .errorbar")).to_have_count(found.n_bins)
    interval = "what chance allows, 90\N{NO-BREAK SPACE}% interval"
    for words in ("if calibrated, at least 90\N{NO-BREAK SPACE}% of the time", "isotonic curve"):
        assert words in legend(page)
    for words in (f"observed, outside {interval}", f"observed, within {interval}"):
        assert words in legend(page)
    go(page, "Learn")
    go(page, "Reliability")
    settle(page)
    expect(page.locator(".js-plotly-plot .errorbar")).to_have_count(found.n_bins)

    choose(page, "Bins", "Equally many cases")  # other bins: none is chosen
    expect(page.get_by_text("The one image.")).to_have_count(0)
    expect(page.get_by_role("button", name="These cases as CSV")).to_have_count(0)
    for name in ("Data", "Reliability"):  # settings survive pages and data
        go(page, name)
        settle(page)
    words = "confidence in the answer, 15 equal-mass bins"
    page.get_by_test_id("stMain").get_by_text(words).wait_for()
    choose(page, "Predictions", "Wines of three growers, gradient boosting")
    page.get_by_test_id("stMain").get_by_text(words).wait_for()


@pytest.mark.slow
def test_sure_predictions_start_in_log_odds_and_one_click_goes_back(watched: Watched) -> None:
    page, p = watched.page, load_example("digits-logistic")
    spread = spread_for(p, START)
    assert spread is not None
    own, usual = reliability_for(p, spread_bins(START, spread)), reliability_for(p, START)
    arrive(page, watched.address, "Reliability")
    expect(page.get_by_role("radiogroup", name="Axis")).to_have_count(0)  # the first example is less sure
    choose(page, "Predictions", "Handwritten digits, logistic regression")
    figure, ticks = page.get_by_role("figure").first, page.locator(".js-plotly-plot .xtick, .x2tick")
    page.get_by_text("so this diagram starts on a log-odds axis").wait_for()
    expect(figure).to_have_attribute("aria-label", diagram_sentence(own, "image", lens=START.lens))
    ticks.get_by_text("99.9\N{NO-BREAK SPACE}%", exact=True).wait_for()
    number = int(own.outside.nonzero()[0][0])
    click_cross(page, 0)  # those outside are drawn first
    page.get_by_text(members_sentence(own, [number], "image", START.lens)).wait_for()
    page.get_by_text("Even", exact=True).click()
    settle(page)
    expect(figure).to_have_attribute("aria-label", diagram_sentence(usual, "image", lens=START.lens))
    page.get_by_text("spreads them out").wait_for()
    page.get_by_text(f"10 equal-width bins, {usual.n_bins} with images").first.wait_for()
    expect(page.get_by_role("button", name="These cases as CSV")).to_have_count(0)  # its bin is not there
    page.get_by_text("Observed against predicted", exact=True).click()
    settle(page)
    page.locator(".js-plotly-plot").first.locator(".scatterlayer .point").first.scroll_into_view_if_needed()
    click_cross(page, 0)  # of those outside, which are drawn first here, too
    clicked = int(usual.outside.nonzero()[0][0])
    page.get_by_text(members_sentence(usual, [clicked], "image", START.lens)).wait_for()
    left = figure.get_attribute("aria-label")
    go(page, "Learn")
    go(page, "Reliability")
    settle(page)
    expect(figure).to_have_attribute("aria-label", str(left))


def same_numbers(text: str, expected: str) -> None:
    """A table of names and numbers, as exact as another processor's order of summing allows."""
    (head, *rows), (names, *others) = (list(csv.reader(found.splitlines())) for found in (text, expected))
    assert head == names
    assert [row[0] for row in rows] == [row[0] for row in others]
    for row, other in zip(rows, others, strict=True):
        assert [*map(float, row[1:])] == pytest.approx([*map(float, other[1:])], rel=1e-9)


@pytest.mark.slow
def test_a_test_is_drawn_against_chance(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Tests")
    heading = page.get_by_role("heading", name="None of 999 sets of outcomes drawn from the model's own")
    heading.wait_for()
    figure = page.get_by_role("figure").first
    expect(figure).to_have_attribute(
        "aria-label", re.compile("no redraw lies beyond the line, the observed one counted: 1 of 1,000")
    )
    page.locator(".js-plotly-plot").get_by_text("if calibrated").wait_for()
    unfold(page, "For statisticians")
    parts = page.locator(".st-key-components")
    parts.get_by_text("It looks in 7 ways at once").wait_for()
    parts.get_by_test_id("stDataFrame").wait_for()
    with page.expect_download() as download:
        parts.get_by_role("button", name="As CSV").click()
    spec = replace(START, tests=("exact-omnibus",), estimates=())
    expected = csv_of(components_table(diagnose(load_example("digits-forest"), spec)).rows(exact=True))
    same_numbers(download.value.path().read_text(), expected)
    choose(page, "Test drawn", "Calibration error (ECE), exact")
    page.locator(".js-plotly-plot").get_by_text("observed 25.1 points").wait_for()
    expect(parts).to_have_count(0)  # they are of the omnibus test
    choose(page, "Test drawn", "Kernel error, distribution-free (biased)")
    page.get_by_text("It follows a formula").wait_for()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)  # all tests on one axis
    aligned = page.get_by_role("figure")
    expect(aligned).to_have_attribute(
        "aria-label", re.compile("tests of calibration have a p of 0.05 or less, of this lens alone")
    )
    page.locator(".js-plotly-plot").get_by_text("Exact for independent cases").wait_for()

    unfold(page, "Would another bandwidth change the answer?")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text("a p-value picked from this curve is exploratory").wait_for(timeout=LONG)
    page.locator(".js-plotly-plot").get_by_text("median", exact=True).wait_for()

    unfold(page, "Other estimates")
    page.get_by_role("button", name="Make them").click()
    settle(page)
    page.get_by_role("cell").get_by_text("Smooth ECE", exact=True).wait_for()
    page.get_by_text("tests of calibration have a p").first.wait_for()
