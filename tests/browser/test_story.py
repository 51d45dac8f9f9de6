"""As a person would: look, upload, change settings, read the numbers, meet an error."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from calibcore import ECE, Predictions
from calibcore.binning import EqualMassBinning, UniformBinning
from calibcore.lenses import ClassLens, TopKLens
from calibcore.words import points
from tests.browser.conftest import Watched

NAMES = [f"class{k}" for k in range(10)]
LONG = 90_000


@pytest.fixture(scope="module")
def overconfident(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Predictions]:
    """10,000 × 10, too sure of itself, as a CSV and as what is in it."""
    rng = np.random.default_rng(20190501)
    truth = rng.dirichlet(np.full(10, 0.3), size=10_000)
    labels = (rng.random((10_000, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=9)
    sharper = (truth + 1e-3) ** 1.5
    said = np.round(sharper / sharper.sum(axis=1, keepdims=True), 6)
    path = tmp_path_factory.mktemp("files") / "overconfident.csv"
    lines = [",".join([*map(repr, row.tolist()), NAMES[y]]) for row, y in zip(said, labels, strict=True)]
    path.write_text(",".join([*NAMES, "label"]) + "\n" + "\n".join(lines) + "\n")
    return path, Predictions.from_arrays(said, labels, NAMES)


def metric(page: Page, label: str) -> str:
    """What a metric says once the tests are done."""
    found = page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")
    expect(found).to_be_visible(timeout=LONG)
    return found.inner_text()


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option and wait until the page has answered."""
    page.get_by_role("combobox", name=label, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()
    settle(page)


def settle(page: Page) -> None:
    """Wait until the script has run and no progress bar is left."""
    page.wait_for_timeout(400)
    expect(page.get_by_test_id("stProgress")).to_have_count(0, timeout=LONG)
    expect(page.locator("[data-test-script-state=notRunning]")).to_have_count(1, timeout=LONG)


def upload(page: Page, path: Path) -> None:
    page.locator("input[type=file]").first.set_input_files(path)
    page.wait_for_timeout(300)


def test_the_first_look_needs_no_click(watched: Watched) -> None:
    page = watched.page
    page.goto(watched.address)
    expect(page.get_by_role("heading", name="Can these probabilities be believed?")).to_be_visible()
    expect(page.get_by_text("1,047 of 1,079 images")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    assert metric(page, "Kernel test") == "p = 0.001"
    figure = page.get_by_role("figure").first
    expect(figure).to_have_attribute("aria-label", re.compile("outside what chance"))


def test_upload_look_and_change(watched: Watched, overconfident: tuple[Path, Predictions]) -> None:
    path, p = overconfident
    page = watched.page
    page.goto(watched.address)
    page.get_by_role("link", name="Use your own predictions").click()
    upload(page, path)
    expect(page.get_by_text("10,000 cases, 10 classes.")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("What was read, and why")).to_be_visible()
    page.get_by_role("button", name="See the diagnosis").click()
    expect(page.locator(".js-plotly-plot")).to_be_visible()

    settle(page)
    assert metric(page, "Average gap") == points(ECE(UniformBinning(10))(TopKLens(1)(p)))
    assert metric(page, "Kernel test") == "p = 0.001"

    choose(page, "Look at", "One class")
    expect(page.get_by_text("The model gives 'class0'")).to_be_visible()
    assert metric(page, "Average gap") == points(ECE(UniformBinning(10))(ClassLens("class0")(p)))

    page.get_by_role("spinbutton", name="Bins from 0 to 100 %").fill("25")
    page.keyboard.press("Enter")
    settle(page)
    assert metric(page, "Average gap") == points(ECE(UniformBinning(25))(ClassLens("class0")(p)))

    choose(page, "Bins", "Equally many cases")
    assert metric(page, "Average gap") == points(ECE(EqualMassBinning(15))(ClassLens("class0")(p)))

    page.get_by_text("All tests and estimates").click()
    before = page.get_by_text("Squared kernel calibration error").inner_text()
    page.get_by_text("Kernel and tests", exact=True).click()
    choose(page, "Kernel", "Gaussian")
    after = page.get_by_text("Squared kernel calibration error")
    expect(after).to_be_visible()
    assert after.inner_text() != before


def test_a_broken_file_is_one_sentence_and_loses_nothing(
    watched: Watched, overconfident: tuple[Path, Predictions], tmp_path: Path
) -> None:
    page = watched.page
    page.goto(watched.address)
    page.get_by_role("link", name="Use your own predictions").click()
    upload(page, overconfident[0])
    expect(page.get_by_text("10,000 cases, 10 classes.")).to_be_visible(timeout=LONG)

    broken = tmp_path / "broken.csv"
    broken.write_text("a,b,label\n0.5,0.5,a\n0.4,0.53,b\n0.2,0.8,b\n")
    upload(page, broken)
    alert = page.get_by_role("alert").filter(has_text="Row 2")
    expect(alert).to_contain_text("Row 2 sums to 0.93")
    expect(alert).to_contain_text("Rows must sum to 1")
    expect(page.get_by_text("The diagnosis still shows: overconfident.csv.")).to_be_visible()
    page.get_by_role("link", name="Diagnosis", exact=True).click()
    expect(page.get_by_text("overconfident.csv · 10,000 cases")).to_be_visible()
    assert page.get_by_text("Traceback").count() == 0


def test_long_work_can_be_stopped_and_started_again(
    watched: Watched, overconfident: tuple[Path, Predictions]
) -> None:
    page = watched.page
    page.goto(watched.address)
    page.get_by_role("link", name="Use your own predictions").click()
    upload(page, overconfident[0])
    expect(page.get_by_text("10,000 cases, 10 classes.")).to_be_visible(timeout=LONG)
    page.get_by_role("combobox", name="Look at", exact=True).click()
    page.get_by_role("option", name="All classes together", exact=True).click()
    page.get_by_role("button", name="See the diagnosis").click()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("The tests were stopped.")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    page.get_by_role("button", name="Run the tests").click()
    settle(page)
    assert metric(page, "Kernel test") == "p = 0.001"


def test_names_full_of_markup_are_only_names(watched: Watched) -> None:
    names = ["![x](http://host.invalid/p.png)", "<img src=http://host.invalid/q.png>", "**c** :red[d] $e$"]
    rng = np.random.default_rng(1)
    probs = rng.dirichlet(np.ones(3), size=60)
    rows = [",".join([*(f"{v:.6f}" for v in row), str(rng.integers(3))]) for row in probs]
    text = ",".join([*(f'"{n}"' for n in names), "label"]) + "\n" + "\n".join(rows) + "\n"
    page = watched.page
    page.goto(watched.address)
    page.get_by_role("link", name="Use your own predictions").click()
    page.locator("input[type=file]").first.set_input_files(
        {"name": "![y](http://host.invalid/r.png)", "mimeType": "text/csv", "buffer": text.encode()}
    )
    expect(page.get_by_text("60 cases, 3 classes.")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="See the diagnosis").click()
    settle(page)
    choose(page, "Look at", "One class")
    expect(page.get_by_text("The model gives '![x](http://host.invalid/p.png)'")).to_be_visible()
    choose(page, "Look at", "All classes together")
    assert page.locator("img[src*='host.invalid']").count() == 0


def test_headers_and_version(watched: Watched) -> None:
    answer = watched.page.request.get(f"{watched.address}/")
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert watched.page.request.get(f"{watched.address}/version").json()["name"] == "caliblens"
