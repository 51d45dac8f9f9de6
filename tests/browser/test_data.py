"""The Data page in the browser: a sample down and up again, an example, a million cases."""

from pathlib import Path

import pytest

from tests.browser.acts import LONG, arrive, choose, go, settle, unfold, upload
from tests.browser.conftest import Watched


def test_the_sample_file_comes_down_and_goes_up(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    arrive(page, watched.address, "Data")
    unfold(page, "How to make such a file")
    with page.expect_download() as begun:
        page.get_by_role("button", name="Download a sample file").click()
    path = tmp_path / begun.value.suggested_filename
    begun.value.save_as(path)
    assert path.name == "sample-predictions.csv"
    page.get_by_role("tab", name="R", exact=True).click()
    page.get_by_text("write.csv(table").wait_for()

    upload(page, path)
    page.get_by_text("sample-predictions.csv · 89 cases · 3 classes").wait_for(timeout=LONG)
    settle(page)
    page.get_by_role("button", name="See the verdict").click()
    page.get_by_text("sample-predictions.csv · 89 cases · 3 classes").wait_for()


@pytest.mark.slow
def test_an_example_is_chosen_on_the_page(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Data")
    choose(page, "Example", "Breast tumours, gradient boosting")
    page.get_by_text("Wisconsin diagnostic data").wait_for()
    page.get_by_role("link", name="See the verdict").click()
    page.get_by_text("Breast tumours, gradient boosting · 285 patients").wait_for()
    go(page, "Data")
    settle(page)
    page.get_by_text("In use: Breast tumours").wait_for()
