"""As a person would: upload, survey, worst class, its diagram, the test; change, undo, meet an error."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from calibcore import Predictions
from calibcore.diagram.typical_gap import gaps_of
from calibcore.transforms.lenses import ClassLens, Lens
from calibcore.words.sizes import typical_words
from calibcore.words.tables import number_in
from tests.browser.acts import (
    HIGH,
    LONG,
    arrive,
    choose,
    click_row,
    go,
    metric,
    settle,
    unfold,
    upload,
    upload_own,
)
from tests.browser.conftest import PATIENCE, Watched

NAMES = [f"class{k}" for k in range(10)]
Written = tuple[Path, Predictions]


def written(folder: Path, n: int) -> Written:
    """n × 10, too sure of itself and most so of class3, as a CSV and as what is in it."""
    rng = np.random.default_rng(20190501)
    truth = rng.dirichlet(np.full(10, 0.3), size=n)
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=9)
    sharper = (truth + 1e-3) ** 1.3 * np.where(np.arange(10) == 3, 4.0, 1.0)
    said = np.round(sharper / sharper.sum(axis=1, keepdims=True), 6)
    path = folder / "overconfident.csv"
    lines = [",".join([*map(repr, row.tolist()), NAMES[y]]) for row, y in zip(said, labels, strict=True)]
    path.write_text(",".join([*NAMES, "label"]) + "\n" + "\n".join(lines) + "\n")
    return path, Predictions.from_arrays(said, labels, NAMES)


def gap_of(p: Predictions, lens: Lens) -> str:
    """The typical gap through a lens, as it is written."""
    return typical_words(gaps_of(lens(p))[0])[0]


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return written(tmp_path_factory.mktemp("some"), 1_500)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return written(tmp_path_factory.mktemp("many"), 3_500)


def test_the_first_look_needs_no_click(watched: Watched) -> None:
    page = watched.page
    answer = page.goto(watched.address)
    assert answer is not None
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert page.request.get(f"{watched.address}/version").json()["name"] == "caliblens"
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
    page.locator(".js-plotly-plot").first.wait_for()
    page.get_by_text("All 12 checks found a problem").wait_for(timeout=LONG)
    settle(page)
    page.get_by_role("button", name="Got it").click()
    expect(page.get_by_text("New here?")).to_have_count(0)
    settle(page)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)  # no control changed by itself


def test_from_the_upload_to_the_worst_class_its_diagram_and_the_test(watched: Watched, some: Written) -> None:
    path, p = some
    page = watched.page
    page.goto(watched.address)
    page.get_by_role("link", name="Use your own predictions").click()
    upload(page, path)
    page.get_by_text("How the file was read, and why").wait_for(timeout=LONG)
    settle(page)
    page.get_by_role("button", name="See the verdict").click()
    page.locator(".st-key-verdict h2").wait_for(timeout=LONG)
    settle(page)

    click_row(page, 0, high=HIGH)  # the strongest evidence stands first
    page.get_by_role("heading", name="Where do the probabilities hold?").wait_for()
    page.get_by_role("heading", name="The model gives 'class3'").wait_for()
    page.locator(".js-plotly-plot").first.wait_for()
    expect(page.get_by_role("figure").first).to_have_attribute(
        "aria-label", re.compile("outside what chance")
    )

    settle(page)
    page.get_by_role("button", name="Could it be chance?").click()
    page.get_by_role("heading", name="Could it be chance?").wait_for()
    settle(page)
    unfold(page, "For statisticians")
    assert metric(page, "Typical gap") == gap_of(p, ClassLens("class3"))  # the class stays

    go(page, "Overview")
    settle(page)
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()


RECORD = """() => {
  const text = (place) => document.querySelector(place)?.innerText ?? '';
  window.seen = [];
  const look = () => {
    const cells = [...document.querySelectorAll('[data-testid=stDataFrame] canvas table tbody tr')].map(
      (row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim()));
    const now = { early: text('.st-key-verdict-so-far h2'), whole: text('.st-key-verdict h2'), cells,
      bar: text('[data-testid=stProgress]') };
    if (JSON.stringify(now) !== JSON.stringify(window.seen.at(-1))) window.seen.push(now);
  };
  setInterval(look, 20);
}"""
"""In the browser: notes whatever stands on the page, as it changes."""


@pytest.mark.slow
def test_the_answer_stands_before_all_is_known(watched: Watched, many: Written) -> None:
    page = watched.page
    arrive(page, watched.address, "Reliability")  # what figures need is there by then, as on any second page
    go(page, "Data")
    settle(page)
    upload(page, many[0])
    settle(page)
    page.evaluate(RECORD)
    page.get_by_role("button", name="See the verdict").click()
    whole = page.locator(".st-key-verdict h2")
    whole.wait_for(timeout=LONG)
    settle(page)
    seen = page.evaluate("seen")
    first = "Miscalibrated. The check 'Confidence in the answer' shows it."
    early = list(dict.fromkeys(at["early"] for at in seen))
    assert [text for text in early if text] in ([first, whole.inner_text()], [whole.inner_text()])

    # All rows at once, each filled as its lens comes, its p of itself; then all verdicts.
    tables = [at["cells"] for at in seen if at["cells"]]
    assert {len(cells) for cells in tables} == {12}
    filled = [[row for row in cells if row[5] != "…"] for cells in tables]
    some = [rows for rows in filled if len(rows) < 12]
    assert some
    assert all(0 < (number_in(row[5]) or 0) <= 1 and row[2] == "…" for rows in some for row in rows)
    assert [len(cells) for cells in some] == sorted(len(cells) for cells in some)
    answered = [at["cells"] for at in seen if at["early"] and "could have been seen" in at["bar"]]
    judged = [cells for cells in answered if cells and cells[0][2] != "…"]  # drawn apart
    assert judged[0][0][2] == "✕ Miscalibrated"
    assert (number_in(judged[0][0][5]) or 0) >= (number_in(some[0][0][5]) or 0)  # adjusted
    last = tables[-1]
    assert not [cell for row in last for cell in row if "…" in cell]
    assert [row[:6] for row in last if row[2] == "✕ Miscalibrated"] == [
        row[:6] for row in judged[-1] if row[2] == "✕ Miscalibrated"
    ]


@pytest.mark.slow
def test_a_change_shows_and_undo_and_reset_take_it_back(watched: Watched, some: Written) -> None:
    path, p = some
    page = watched.page
    upload_own(page, watched.address, path, "1,500 cases")
    go(page, "Tests")
    settle(page)
    unfold(page, "For statisticians")
    before = metric(page, "Typical gap")
    choose(page, "Look at", "One class")
    assert metric(page, "Typical gap") == gap_of(p, ClassLens("class0"))
    unfold(page, "More settings")
    page.get_by_role("spinbutton", name="Bins from 0 to 100 %").fill("25")
    page.keyboard.press("Enter")
    settle(page)
    assert metric(page, "Typical gap") == gap_of(p, ClassLens("class0"))
    choose(page, "Bins", "Equally many cases")
    assert metric(page, "Typical gap") == gap_of(p, ClassLens("class0"))
    page.get_by_test_id("stSidebar").get_by_text("the class 'class0', 15 equal-mass bins").wait_for()

    page.get_by_role("button", name="Undo").click()
    settle(page)
    assert metric(page, "Typical gap") == gap_of(p, ClassLens("class0"))
    expect(page.get_by_role("spinbutton", name="Bins from 0 to 100 %")).to_have_value("25")
    page.get_by_role("button", name="Reset", exact=True).click()
    settle(page)
    assert metric(page, "Typical gap") == before
    page.get_by_role("button", name="Undo").press("Enter")  # by keyboard
    settle(page)
    expect(page.get_by_role("spinbutton", name="Bins from 0 to 100 %")).to_have_value("25")

    unfold(page, "More measures")
    estimate = page.get_by_role("row").filter(has_text="Kernel error (SKCE), unbiased")
    first = estimate.inner_text()
    choose(page, "Kernel", "Gaussian")
    estimate.wait_for()
    assert estimate.inner_text() != first


@pytest.mark.slow
def test_a_lens_joins_the_survey_only_by_its_button(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Monitor")  # where nothing begins
    choose(page, "Predictions", "Wines of three growers, gradient boosting")
    choose(page, "Look at", "The most likely classes")
    go(page, "Overview")
    settle(page)
    page.get_by_text("All 5 checks found a problem").wait_for(timeout=LONG)
    go(page, "Reliability")
    page.get_by_role("button", name="Add this lens to the survey").click()
    settle(page)
    go(page, "Overview")
    page.get_by_text("All 6 checks found a problem").wait_for(timeout=LONG)
    box = page.get_by_role("spinbutton", name="Tolerance, in points")
    box.fill("60")
    box.press("Enter")  # the longest verdicts there are
    settle(page)
    page.locator(".st-key-verdict").get_by_text("Miscalibrated, but small").first.wait_for()
    assert page.locator(".dvn-scroller").first.evaluate("e => e.scrollWidth <= e.clientWidth")
    go(page, "Reliability")
    settle(page)
    page.locator(".st-key-verdict-line").get_by_text("Miscalibrated, but small").first.wait_for()
    unfold(page, "Every class by itself")
    page.get_by_text("adjusted for its 6 checks").wait_for()
    page.get_by_role("button", name="Take it out again").click()
    settle(page)
    expect(page.locator(".st-key-verdict-line")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    settle(page)
    page.get_by_role("button", name="Take it out again").wait_for()


@pytest.mark.slow
def test_a_broken_file_is_one_sentence_loses_nothing_and_nobody_else_sees_it(
    watched: Watched, browser: Browser, some: Written, tmp_path: Path
) -> None:
    page = watched.page
    upload_own(page, watched.address, some[0], "1,500 cases")
    go(page, "Reliability")
    choose(page, "Look at", "One class")
    go(page, "Data")
    settle(page)
    broken = tmp_path / "broken.csv"
    broken.write_text("a,b,label\n0.5,0.5,a\n0.4,0.53,b\n0.2,0.8,b\n")
    upload(page, broken)
    alert = page.get_by_role("alert").filter(has_text="Row 2")
    expect(alert).to_contain_text("Row 2 sums to 0.93")
    expect(alert).to_contain_text("Rows must sum to 1")
    page.get_by_text("The pages still show: overconfident.csv.").wait_for()
    go(page, "Reliability")
    page.get_by_text("overconfident.csv · 1,500 cases").wait_for()
    assert page.get_by_text("Traceback").count() == 0

    other = browser.new_context(viewport={"width": 1440, "height": 1100})
    other.set_default_timeout(PATIENCE)
    page = other.new_page()
    arrive(page, watched.address, "Reliability")
    page.get_by_text("Handwritten digits, random forest · 1,079 images").wait_for()
    page.get_by_role("combobox", name="Predictions", exact=True).click()
    page.get_by_role("option", name="Handwritten digits, random forest").wait_for()
    assert page.get_by_role("option", name="overconfident.csv").count() == 0
    assert page.get_by_text("class0").count() == 0
    other.close()


@pytest.mark.slow
def test_long_work_can_be_stopped_and_started_again(watched: Watched, many: Written) -> None:
    page = watched.page
    upload_own(page, watched.address, many[0], "3,500 cases")
    go(page, "Reliability")
    choose(page, "Look at", "All classes together")
    unfold(page, "More settings")
    page.get_by_role("spinbutton", name="Redraws").fill("9999")
    page.keyboard.press("Enter")
    settle(page)
    go(page, "Tests")
    page.get_by_role("button", name="Stop", exact=True).press("Enter")  # the page above it may still grow
    page.get_by_text("Testing was stopped.").wait_for()
    go(page, "Reliability")
    page.locator(".js-plotly-plot").first.wait_for()
    go(page, "Tests")
    page.get_by_role("button", name="Start again").click()
    page.get_by_role("button", name="Stop", exact=True).wait_for()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    undo.press("Enter")  # back to 999 redraws: the longer work gives way
    settle(page)
    unfold(page, "For statisticians")
    omnibus = page.get_by_test_id("stMetric").filter(has_text="Omnibus test").get_by_test_id("stMetricValue")
    expect(omnibus).to_have_text("p = 0.001", timeout=LONG)  # the longer work may have come first
