"""Whose predictions are shown: never others than those chosen, whatever a browser still holds."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pages.server import page_list
from tests.browser.acts import LONG, choose, go, settle, upload, upload_own
from tests.browser.conftest import Watched

PAGES = [page.title for page in page_list.pages() if "data" in page.sidebar and page.name != "learn"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same 3 classes; 120 and 150 cases, so that a page says which file it shows."""
    folder = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(7)
    found = {}
    for name, n in (("a", 120), ("b", 150)):
        counts = rng.multinomial(100, rng.dirichlet(np.ones(3), n))
        labels = [("cat", "dog", "fox")[rng.choice(3, p=row / 100)] for row in counts]
        lines = [
            ",".join([*(f"{k / 100}" for k in row), y])
            for row, y in zip(counts.tolist(), labels, strict=True)
        ]
        path = folder / f"{name}.csv"
        path.write_text("cat,dog,fox,label\n" + "\n".join(lines) + "\n")
        found[name] = path
    return found


def rename(page: Page, name: str) -> None:
    """On the Data page, as by hand."""
    page.get_by_role("textbox", name="Name of the model").fill(name)
    page.keyboard.press("Enter")
    settle(page)


def looked_at(page: Page, name: str, cases: int) -> None:
    """The side bar and the page say this model and no other."""
    box = page.get_by_role("combobox", name="Predictions", exact=True)
    expect(box).to_have_value(name)
    page.get_by_text(f"{name} · {cases} cases").first.wait_for()


def look_at(page: Page, name: str) -> None:
    choose(page, "Predictions", name)


def stays_the_one_that_is_looked_at(page: Page) -> None:
    """One of 120 cases, renamed."""
    go(page, "Data")
    settle(page)
    rename(page, "Nurses' triage")
    looked_at(page, "Nurses' triage", 120)
    # A name that is still being typed when another button is pressed.
    page.get_by_role("textbox", name="Name of the model").fill("Triage *2* <b>")
    page.get_by_role("button", name="See the verdict").click()
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
    settle(page)
    looked_at(page, "Triage *2* <b>", 120)
    for name in PAGES[1:]:
        go(page, name)
        settle(page)
        looked_at(page, "Triage *2* <b>", 120)
    rename(page, "Triage")
    go(page, "Tests")
    choose(page, "Look at", "One class")
    choose(page, "Class", "fox")
    looked_at(page, "Triage", 120)
    page.get_by_role("button", name="Undo").click()
    settle(page)
    expect(page.get_by_role("combobox", name="Class", exact=True)).to_have_value("cat")
    looked_at(page, "Triage", 120)
    go(page, "Share")
    settle(page)
    expect(page.get_by_role("textbox", name="Title of the report")).to_have_value("Triage")
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("heading", name="The link to 'Triage'").wait_for(timeout=LONG)
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    assert "120 cases" in page.request.get(link).text()


@pytest.mark.slow
def test_names_can_be_swapped_the_one_in_use_removed_and_the_other_renamed(
    watched: Watched, files: dict[str, Path]
) -> None:
    page = watched.page
    upload_own(page, watched.address, files["a"], "120 cases")
    upload(page, files["b"])
    page.get_by_test_id("stAlert").get_by_text("150 cases").wait_for(timeout=LONG)
    settle(page)
    rename(page, "a.csv")  # there is one
    looked_at(page, "a.csv (2)", 150)
    rename(page, "other")
    look_at(page, "a.csv")
    looked_at(page, "a.csv", 120)
    rename(page, "b.csv")
    look_at(page, "other")
    rename(page, "a.csv")
    looked_at(page, "a.csv", 150)
    look_at(page, "b.csv")
    looked_at(page, "b.csv", 120)
    go(page, "Reliability")
    settle(page)
    looked_at(page, "b.csv", 120)
    look_at(page, "a.csv")
    looked_at(page, "a.csv", 150)
    go(page, "Data")
    settle(page)
    looked_at(page, "a.csv", 150)

    page.get_by_role("button", name="Remove this model").click()
    said = page.get_by_text("'a.csv' was removed. No model is in use: choose one.")
    said.wait_for()
    settle(page)
    for name in PAGES:
        go(page, name)
        settle(page)
        said.wait_for()
        expect(page.get_by_role("combobox", name="Predictions", exact=True)).to_have_value("")
        assert page.get_by_text("150 cases").count() == 0
        assert page.get_by_text("Handwritten digits, random forest · 1,079").count() == 0
    go(page, "Tests")
    page.get_by_role("button", name="Look at 'b.csv'").click()
    settle(page)
    expect(said).to_have_count(0)
    looked_at(page, "b.csv", 120)
    stays_the_one_that_is_looked_at(page)
