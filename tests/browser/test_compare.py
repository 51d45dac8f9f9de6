"""Compare and Training in a browser: every state that a person can reach there by clicking."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, Position, expect

from tests.browser.acts import LONG, ROW, arrive, choose, go, settle, stays_chosen, unfold, upload_own
from tests.browser.conftest import PHONE, Watched

CLASSES = ("cat", "dog", "fox")
N = 240


def table(probs: np.ndarray, labels: np.ndarray, ids: np.ndarray | None = None) -> str:
    """As a CSV; ``ids`` is a column that says which case a row is."""
    head = [*CLASSES, *(["case"] if ids is not None else []), "label"]
    rows = [
        [*(f"{v:.5f}" for v in row), *([str(ids[i])] if ids is not None else []), CLASSES[labels[i]]]
        for i, row in enumerate(probs)
    ]
    return "\n".join(map(",".join, [head, *rows])) + "\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four models of the same cases, one in another order with ids, one of other cases, and a run."""
    folder = tmp_path_factory.mktemp("compared")
    rng = np.random.default_rng(4)
    labels = rng.integers(3, size=N)
    x = rng.normal(size=(N, 3)) + 1.5 * np.eye(3)[labels]
    ids = np.arange(N) + 100

    def model(by: float) -> np.ndarray:
        g = np.exp(by * x)
        return g / g.sum(axis=1, keepdims=True)

    turned = rng.permutation(N)
    for name, by in (("fair", 1.5), ("bold", 5.0)):
        (folder / f"{name}.csv").write_text(table(model(by), labels, ids))
    (folder / "turned.csv").write_text(table(model(0.5)[turned], labels[turned], ids[turned]))
    (folder / "others.csv").write_text(table(model(1.0)[:200], labels[:200]))
    (folder / "diary.csv").write_text("Dear diary,\n")
    for t, by in ((1, 0.5), (2, 1.5), (12, 6.0)):
        (folder / f"epoch_{t}.csv").write_text(table(model(by), labels))
    return folder


def add(page: Page, label: str, *paths: Path) -> None:
    """Choose several files at once in the widget of that name."""
    page.get_by_test_id("stFileUploader").filter(has_text=label).locator("input").set_input_files(paths)
    settle(page)


def answer(page: Page) -> str:
    """The sentence in large letters."""
    heading = page.locator("[data-testid=stMarkdown] h2").first
    heading.wait_for(timeout=LONG)
    return heading.inner_text()


def on_a_phone(page: Page) -> None:
    """The page as it is, on a phone: its figure is there and nothing is wider than the window."""
    page.set_viewport_size(PHONE)
    settle(page)
    page.locator(".js-plotly-plot").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_own_models_are_added_compared_and_left_out(watched: Watched, files: Path) -> None:
    page = watched.page
    upload_own(page, watched.address, files / "fair.csv", "240 cases")
    go(page, "Compare")
    page.get_by_text("A comparison needs another model of the same cases").wait_for()
    settle(page)
    add(
        page,
        "Drop the files of other models here",
        *(files / f"{name}.csv" for name in ("bold", "turned", "others", "diary")),
    )
    assert answer(page).startswith(
        "'fair.csv' is better calibrated than 'bold.csv' and 'turned.csv' (adjusted p"
    )
    page.get_by_text("The rows of 'turned.csv' were put into the order of 'fair.csv'").wait_for()
    page.get_by_text("diary.csv: ").wait_for()
    page.get_by_role("button", name="Leave this file out").click()
    settle(page)
    expect(page.get_by_text("diary.csv: ")).to_have_count(0)
    # A pair, by its row; what was opened stays after a visit elsewhere.
    pairs = page.get_by_test_id("stDataFrame").nth(1)
    pairs.scroll_into_view_if_needed()
    second: Position = {"x": 320, "y": ROW * 2 + ROW // 2}
    pairs.hover(position=second)  # a table overlooks a click that comes with the pointer's first move over it
    pairs.click(position=second)
    settle(page)
    expect(page.get_by_role("combobox", name="Open a pair")).to_have_value("fair.csv and turned.csv")
    page.get_by_role("heading", name="Bin by bin").wait_for()
    page.get_by_role("heading", name="What each leaves out").wait_for()
    assert page.locator(".js-plotly-plot").count() == 4
    stays_chosen(page, "Open a pair", "fair.csv and turned.csv")
    page.get_by_text("others.csv is not compared: ").wait_for()  # where it was dropped
    # One is left out, and stays out after a reload.
    page.get_by_role("combobox", name="Compared with").focus()
    page.keyboard.press("Backspace")
    page.keyboard.press("Escape")
    settle(page)
    assert answer(page).startswith("'fair.csv' is better calibrated than 'bold.csv' (adjusted p")
    page.reload()
    settle(page)
    assert answer(page).startswith("'fair.csv' is better calibrated than 'bold.csv' (adjusted p")


@pytest.mark.slow
def test_models_are_renamed_and_removed_meanwhile(watched: Watched, files: Path) -> None:
    page = watched.page
    arrive(page, watched.address, "Compare")
    assert "'Handwritten digits, logistic regression' is better calibrated than" in answer(page)
    add(page, "Drop the files of other models here", files / "bold.csv", files / "fair.csv")
    assert answer(page).startswith(
        "'fair.csv' is better calibrated than 'bold.csv' (adjusted p"
    )  # in place of the example
    page.get_by_role("heading", name="Bin by bin").wait_for()  # the only pair is open
    go(page, "Data")
    settle(page)
    page.get_by_role("textbox", name="Name of the model").fill("Bold *one* <b>")
    page.keyboard.press("Enter")
    settle(page)
    go(page, "Compare")
    settle(page)
    assert answer(page).startswith("'fair.csv' is better calibrated than 'Bold *one* <b>' (adjusted p")
    choose(page, "Predictions", "fair.csv")
    assert answer(page).startswith("'fair.csv' is better calibrated than 'Bold *one* <b>' (adjusted p")
    go(page, "Data")
    settle(page)
    page.get_by_role("button", name="Remove", exact=True).click()
    settle(page)
    go(page, "Compare")
    page.get_by_text("A comparison needs another model of the same cases").wait_for()
    page.get_by_role("button", name="Look at three models of one example").click()
    settle(page)
    assert "'Handwritten digits, logistic regression' is better calibrated than" in answer(page)
    go(page, "Reliability")
    page.get_by_role("button", name="Is another model better?").click()
    page.get_by_role("heading", name="Which model is better calibrated?").wait_for()
    settle(page)
    on_a_phone(page)
    page.get_by_role("combobox", name="Open a pair").scroll_into_view_if_needed()
    settle(page)  # a list that moves closes
    choose(page, "Open a pair", "Handwritten digits, random forest and Handwritten digits, naive Bayes")
    page.get_by_role("heading", name="What each leaves out").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_a_training_run_and_its_epochs(watched: Watched, files: Path) -> None:
    page = watched.page
    arrive(page, watched.address, "Training")
    assert answer(page) == "Take epoch 12: it has the least log loss, and no sign of miscalibration."
    page.get_by_role("heading", name="Epoch 12", exact=True).wait_for()
    unfold(page, "The diagram of this epoch")
    page.locator(".st-key-training-diagram .js-plotly-plot").wait_for()
    ends = "[...document.querySelectorAll('.js-plotly-plot')].at(-1)._fullLayout.yaxis.range.join()"
    before = page.evaluate(ends)
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    page.get_by_role("heading", name="Epoch 72", exact=True).wait_for()
    settle(page)
    assert page.evaluate(ends) == before
    choose(page, "Look at", "The most likely classes")
    page.locator(".st-key-triangle-training .js-plotly-plot").first.wait_for()
    page.get_by_role("button", name="Undo").click()
    settle(page)
    add(page, "Drop the files of one training run here", files / "diary.csv", files / "fair.csv")
    page.get_by_text("2 files: The name 'diary.csv' holds no number").wait_for()
    add(page, "Drop the files of one training run here", *(files / f"epoch_{t}.csv" for t in (1, 2, 12)))
    page.get_by_text("3 files · 3 epochs · 240 cases · 3 classes").wait_for()
    page.get_by_role("heading", name="Epoch 2", exact=True).wait_for()
    go(page, "Learn")
    settle(page)
    page.go_back()
    settle(page)
    page.get_by_text("3 files · 3 epochs · 240 cases · 3 classes").wait_for()
    page.reload()
    settle(page)
    page.get_by_text("3 files · 3 epochs · 240 cases · 3 classes").wait_for()
    second = page.context.new_page()
    arrive(second, watched.address, "Training")
    second.get_by_text("24 epochs").wait_for()  # another tab has its own
    second.close()
    page.get_by_role("button", name="Remove this run").click()
    settle(page)
    page.get_by_text("24 epochs").wait_for()
    on_a_phone(page)
