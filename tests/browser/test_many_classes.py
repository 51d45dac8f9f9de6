"""Many classes: what a person sees in a real browser."""

from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import expect

from tests.browser.acts import LONG, go, opened_list, settle, unfold, upload_own
from tests.browser.conftest import Watched

CASES, CLASSES = 400, 520


def many(folder: Path) -> Path:
    """More classes than cases, of which class 5 is said four times as often as it happens."""
    random = np.random.default_rng(11)
    labels = np.arange(CASES) % CLASSES
    probs = random.dirichlet(np.full(CLASSES, 0.05), size=CASES)
    right = random.random(CASES) < 0.8
    probs[np.arange(CASES), np.where(right, labels, random.permutation(labels))] += 1.0
    probs[:, 5] += 0.4
    table = pd.DataFrame(
        probs / probs.sum(axis=1, keepdims=True), columns=[f"kind {k:03d}" for k in range(CLASSES)]
    )
    table["label"] = [f"kind {k:03d}" for k in labels]
    table.to_parquet(folder / "many.parquet", index=False)
    return folder / "many.parquet"


def test_any_of_many_classes_is_found_and_the_strongest_evidence_comes_first(
    watched: Watched, tmp_path: Path
) -> None:
    page = watched.page
    upload_own(page, watched.address, many(tmp_path), f"{CLASSES} classes")
    go(page, "Overview")
    expect(page.get_by_text("All 20 by evidence")).to_be_visible(timeout=LONG)
    settle(page)
    box = opened_list(page, "Look at one class")
    options = page.get_by_role("option")
    expect(options.first).to_have_text("kind 005 (no. 1 by evidence)")
    box.fill("kind 500")
    expect(options.first).to_have_text("kind 500")
    page.keyboard.press("Escape")
    go(page, "Decisions")
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
    expect(page.get_by_role("button", name="First and second choice, and the rest")).to_be_visible()
    settle(page)
    unfold(page, "Build groups of your own")
    expect(page.get_by_text("Every class is in exactly one group.")).to_be_visible()
