"""A file that can be read in two ways: both stand beside each other, and one is chosen."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.acts import LONG, arrive, choose, go, settle, unfold, upload
from tests.browser.conftest import Watched

N = 60


def two_readings(folder: Path) -> Path:
    """A column of probabilities, and two labels that go with it."""
    rng = np.random.default_rng(5)
    p = np.round(rng.beta(0.7, 0.7, N), 2)
    happened = np.where(rng.random(N) < p, "yes", "no")
    lines = [f"{a},{b},{c}" for a, b, c in zip(p, happened, np.roll(happened, 1), strict=True)]
    path = folder / "two.csv"
    path.write_text("risk,label,target\n" + "\n".join(lines) + "\n")
    return path


@pytest.mark.slow
def test_of_two_readings_one_is_chosen_and_changed(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    path = two_readings(tmp_path)
    first = path.read_text().splitlines()[1].split(",")
    arrive(page, watched.address, "Data")
    upload(page, path)
    page.get_by_text("The columns 'label', 'target' could all be the labels.").wait_for(timeout=LONG)
    settle(page)
    buttons = [page.get_by_role("button", name=f"The labels are '{name}'") for name in ("label", "target")]
    for button in buttons:
        button.wait_for()
    expect(page.get_by_test_id("stDataFrame")).to_have_count(2)
    page.get_by_text("two.csv is not used.").wait_for()

    buttons[1].click()
    page.get_by_text(f"two.csv · {N} cases · 2 classes").wait_for(timeout=LONG)
    other = f"{1 - float(first[0]):.3g}"
    row = f"row 1: no {other}, yes {float(first[0]):.3g}, was {first[2]}"
    page.get_by_text(row).wait_for()
    page.get_by_text("Labels: column 'target' (as asked).").wait_for()
    settle(page)

    # What was chosen is changed and taken back where it stands, and outlives another page.
    unfold(page, "Read it differently")
    choose(page, "Column with the labels", "label")
    changed = page.get_by_text(f"row 1: no {other}, yes {float(first[0]):.3g}, was {first[1]}")
    changed.wait_for(timeout=LONG)
    choose(page, "Column with the labels", "detected automatically")
    for button in buttons:
        button.wait_for(timeout=LONG)
    settle(page)
    buttons[1].click()
    page.get_by_text(row).wait_for(timeout=LONG)
    settle(page)
    go(page, "Overview")
    settle(page)
    go(page, "Data")
    page.get_by_text(row).wait_for(timeout=LONG)
