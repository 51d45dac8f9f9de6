"""Many classes: what a person sees in a real browser."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from calibcore import Predictions
from calibcore.sensitivity.class_screen import screen_classes
from tests.browser.acts import LONG, another_tab, click_row, go, opened_list, settle, upload_own
from tests.browser.conftest import Watched

CASES, CLASSES = 400, 520


def many(folder: Path) -> Path:
    """More classes than cases. Class 5 is said far too often, and 25 others often enough to be ranked."""
    random = np.random.default_rng(11)
    labels = np.arange(CASES) % CLASSES
    probs = random.dirichlet(np.full(CLASSES, 0.05), size=CASES)
    right = random.random(CASES) < 0.8
    probs[np.arange(CASES), np.where(right, labels, random.permutation(labels))] += 1.0
    probs[:, 5] += 0.4
    probs[:, 10:35] += 0.06
    table = pd.DataFrame(
        probs / probs.sum(axis=1, keepdims=True), columns=[f"kind {k:03d}" for k in range(CLASSES)]
    )
    table["label"] = [f"kind {k:03d}" for k in labels]
    table.to_parquet(folder / "many.parquet", index=False)
    return folder / "many.parquet"


def ranked(path: Path) -> tuple[str, ...]:
    """The classes in the order of the table of all of them."""
    table = pd.read_parquet(path)
    names = [*table.columns.drop("label")]
    return screen_classes(Predictions.from_arrays(table[names].to_numpy(), [*table["label"]], names)).names


def shows(page: Page, name: str) -> None:
    """The page of diagrams looks at this class: its first line, its sentence and the side bar say so."""
    page.get_by_role("heading", name="Where do the probabilities hold?").wait_for()
    page.get_by_text(f"· {CLASSES} classes · the class '{name}',").wait_for()
    settle(page)
    expect(page.get_by_role("combobox", name="Class", exact=True)).to_have_value(
        re.compile(rf"{name}( \(no\. \d+ by evidence\))?")
    )
    page.get_by_role("heading", name=f"The model gives '{name}'", level=2).wait_for()
    page.get_by_role("figure").wait_for()


@pytest.mark.slow
def test_any_of_many_classes_is_found_and_the_strongest_evidence_comes_first(
    watched: Watched, tmp_path: Path
) -> None:
    page = watched.page
    path = many(tmp_path)
    upload_own(page, watched.address, path, f"{CLASSES} classes")
    go(page, "Overview")
    page.get_by_text("The survey has 20 of").wait_for(timeout=LONG)
    settle(page)
    box = opened_list(page, "Look at one class")
    options = page.get_by_role("option")
    expect(options.first).to_have_text("kind 005 (no. 1 by evidence)")
    box.fill("kind 500")
    expect(options.first).to_have_text("kind 500")
    page.keyboard.press("Escape")
    by_difference = ranked(path)
    click_row(page, 7, of="all-classes")
    shows(page, by_difference[7])
    page.go_back()
    settle(page)  # where nothing opens by itself again
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
    page.go_forward()
    shows(page, by_difference[7])
    other = another_tab(page)
    shows(other, by_difference[7])
    go(other, "Overview")
    other.get_by_text("The survey has 20 of").wait_for(timeout=LONG)
    settle(other)
    click_row(other, 4, of="all-classes")
    shows(other, by_difference[4])
    page.reload()
    shows(page, by_difference[7])
    other.close()
    go(page, "Decide")
    settle(page)
    about = opened_list(page, "Decide about")
    expect(options.nth(1)).to_have_text("Act for 'kind 005' (no. 1 by evidence)")
    about.fill("kind 500")
    options.filter(has_text="Act for 'kind 500'").click()
    settle(page)
    go(page, "Reliability")
    settle(page)
    expect(page.get_by_role("combobox", name="Class", exact=True)).to_have_value("kind 500")
    go(page, "Simplex")
    page.get_by_role("button", name="First and second choice").wait_for()
    settle(page)
    page.get_by_role("button", name="Build your own").click()
    page.get_by_text("Every class is in exactly one group.").wait_for()
