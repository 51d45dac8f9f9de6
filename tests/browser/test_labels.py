"""Several labels of each case in a browser: which is looked at, and what a report of them is about."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import LONG, another_tab, arrive, choose, go, settle, stays_chosen, upload
from tests.browser.conftest import Watched
from tests.pages.test_several_labels import chests

TOGETHER = "All labels together"
pytestmark = pytest.mark.slow


@pytest.fixture
def labelled(watched: Watched, tmp_path: Path) -> Page:
    """On Overview, with a file of three findings."""
    path, page = tmp_path / "chests.csv", watched.page
    path.write_bytes(chests())
    arrive(page, watched.address, "Data")
    upload(page, path)
    page.get_by_role("button", name="Look at all labels").click()
    go(page, "Overview")
    page.get_by_text("1 of 3 labels is miscalibrated: 'mass' too low.").first.wait_for(timeout=LONG)
    settle(page)
    return page


def looked_at(page: Page, label: str) -> None:
    settle(page)
    expect(page.get_by_role("combobox", name="Label", exact=True)).to_have_value(label)


def test_the_label_that_is_looked_at_stays_and_each_tab_has_its_own(labelled: Page) -> None:
    go(labelled, "Reliability")
    choose(labelled, "Label", TOGETHER)
    labelled.get_by_text("3 labels", exact=False).first.wait_for()
    stays_chosen(labelled, "Label", TOGETHER)
    labelled.reload()
    looked_at(labelled, TOGETHER)
    choose(labelled, "Label", "mass")
    tab = another_tab(labelled)
    tab.get_by_role("heading", level=1).wait_for(timeout=LONG)
    looked_at(tab, "mass")
    choose(tab, "Label", "hernia")
    looked_at(labelled, "mass")
    go(labelled, "Groups")
    looked_at(labelled, "mass")
    looked_at(tab, "hernia")


def test_a_report_is_about_all_labels_or_about_the_label_in_use(labelled: Page) -> None:
    choose(labelled, "Label", "mass")
    go(labelled, "Share")
    about = labelled.get_by_role("radiogroup", name="The report is about")
    about.get_by_role("radio", name="'mass' alone").click()
    said = labelled.get_by_text("A report is about one label, here 'mass' of 3.")
    said.wait_for(timeout=LONG)
    go(labelled, "Tests")
    labelled.go_back()
    said.wait_for(timeout=LONG)
    settle(labelled)
    about.get_by_role("radio", name="All labels").click()
    expect(said).to_have_count(0, timeout=LONG)
    labelled.reload()
    about.wait_for(timeout=LONG)
    settle(labelled)
    labelled.get_by_text("1 of 3 labels is miscalibrated: 'mass' too low.").first.wait_for(timeout=LONG)


def test_all_labels_are_asked_about_where_all_are_looked_at_together(labelled: Page) -> None:
    """The answer of each page comes back with Back, after a reload and in a second tab."""
    go(labelled, "Reliability")
    choose(labelled, "Label", TOGETHER)
    go(labelled, "Tests")
    labelled.get_by_role("heading", name="Label by label").wait_for(timeout=LONG)
    go(labelled, "Decide")
    settle(labelled)
    labelled.get_by_role("button", name="Ask about all labels").click()
    answer = "1 of 3 labels delivers something else than the model promises: 'mass' more."
    labelled.get_by_text(answer).first.wait_for(timeout=LONG)
    go(labelled, "Tests")
    settle(labelled)
    labelled.go_back()
    labelled.get_by_text(answer).first.wait_for(timeout=LONG)
    labelled.reload()
    looked_at(labelled, TOGETHER)
    tab = another_tab(labelled)
    for page in (labelled, tab):
        page.get_by_role("heading", name="All labels at once").wait_for(timeout=LONG)
        asked = page.get_by_role("button", name="Ask about all labels")
        page.get_by_text(answer).or_(asked).first.wait_for(timeout=LONG)
