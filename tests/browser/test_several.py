"""A file with several models, and one with confidences alone, from the upload to a second tab."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from calibcore.data.confidence import PREDICTED, TRUTH
from calibcore.data.examples import load_example
from tests.browser.acts import LONG, another_tab, arrive, go, settle, upload, upload_own
from tests.browser.conftest import Watched
from tests.confidence import amiss

COMPARED = "Which model is better calibrated?"
pytestmark = pytest.mark.slow


def in_use(page: Page, name: str) -> None:
    expect(page.get_by_role("combobox", name="Predictions", exact=True)).to_have_value(name)


def compared(page: Page) -> None:
    """The page that compares both models, each once."""
    page.get_by_role("heading", name=COMPARED).wait_for(timeout=LONG)
    settle(page)
    in_use(page, "rf")
    expect(page.get_by_test_id("stMultiSelect").filter(has_text="Compared with")).to_contain_text("svm")
    expect(page.get_by_text("svm (2)")).to_have_count(0)


def test_one_model_of_a_file_and_then_all(watched: Watched, tmp_path: Path) -> None:
    page, rng, n = watched.page, np.random.default_rng(3), 150
    probs = rng.dirichlet(np.ones(3), n)
    labels = [("cat", "dog", "fox")[rng.choice(3, p=row)] for row in probs]
    table = {"id": range(n), "label": labels}
    for name, power in (("rf", 1.0), ("svm", 2.0)):
        sharp = probs**power / (probs**power).sum(axis=1, keepdims=True)
        table |= {f"{name}_p_{c}": sharp[:, k] for k, c in enumerate(("cat", "dog", "fox"))}
    path = tmp_path / "models.csv"
    pd.DataFrame(table).to_csv(path, index=False)

    arrive(page, watched.address, "Data")
    upload(page, path)
    page.get_by_role("button", name="Only svm").click()
    page.get_by_text("svm · 150 cases · 3 classes").first.wait_for(timeout=LONG)
    settle(page)
    go(page, "Reliability")
    settle(page)
    in_use(page, "svm")
    page.go_back()
    settle(page)
    in_use(page, "svm")
    page.reload()
    settle(page)
    in_use(page, "svm")

    upload(page, path)
    page.get_by_role("button", name="Compare all").click()
    compared(page)
    page.reload()
    compared(page)
    compared(another_tab(page))
    page.go_back()
    page.get_by_role("heading", name="Your own predictions").wait_for()
    settle(page)
    in_use(page, "rf")
    page.go_forward()
    compared(page)


def verdict(page: Page) -> None:
    """On the file of confidences."""
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for(timeout=LONG)
    settle(page)
    page.get_by_text("answers.csv · 200 cases · confidence only").first.wait_for()
    assert not amiss(page.locator("body").inner_text())


def test_a_file_of_which_only_the_confidence_is_known(watched: Watched, tmp_path: Path) -> None:
    page, rows = watched.page, load_example("letters")[:200]
    path = tmp_path / "answers.csv"
    columns = {"truth": rows.metadata[TRUTH], "prediction": rows.metadata[PREDICTED]}
    pd.DataFrame(columns | {"confidence": rows.probs[:, 0]}).to_csv(path, index=False)
    upload_own(page, watched.address, path, "200 cases · confidence only")
    page.get_by_role("button", name="See the verdict").click()
    verdict(page)
    verdict(another_tab(page))
    page.go_back()
    page.get_by_role("heading", name="Your own predictions").wait_for()
    settle(page)
    in_use(page, "answers.csv")
