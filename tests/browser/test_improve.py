"""Improve in a browser: every state that a person can reach there by clicking."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import LONG, choose, go, settle, stays_chosen, unfold, upload_own, widened
from tests.browser.conftest import PHONE, Watched
from tests.browser.test_compare import answer

N = 300


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Overconfident models of two and of three classes, with a column that parts the cases."""
    folder = tmp_path_factory.mktemp("improved")
    rng = np.random.default_rng(6)
    of_three = ("cat", "dog", "fox")
    made = (("two", N, ("ill", "well")), ("three", N, of_three), ("many", 2_500, tuple("abcdefghij")))
    for name, n, classes in made:
        m = len(classes)
        labels = rng.integers(m, size=n)
        g = np.exp(4.0 * (rng.normal(size=(n, m)) + 1.5 * np.eye(m)[labels]))
        probs = g / g.sum(axis=1, keepdims=True)
        lines = [",".join((*classes, "year", "label"))]
        lines += [
            ",".join((*(f"{v:.5f}" for v in row), "2024" if i < 120 else "2025", classes[labels[i]]))
            for i, row in enumerate(probs)
        ]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return folder


def downloaded(page: Page, name: str) -> str:
    """What a button gives."""
    with page.expect_download() as coming:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(coming.value.path()).read_text(encoding="utf-8")


@pytest.mark.slow
def test_three_classes_from_the_answer_to_a_model_that_is_not_tested(watched: Watched, files: Path) -> None:
    page = watched.page
    upload_own(page, watched.address, files / "three.csv", "300 cases")
    go(page, "Overview")
    settle(page)
    page.get_by_role("button", name="Would recalibration help?").click()
    settle(page)
    assert answer(page)
    assert page.locator(".js-plotly-plot").count() == 1
    for folded in (
        "Methods of recalibration, by their Brier gain",
        "The temperature, and the class mix",
    ):
        unfold(page, folded)
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    settle(page)
    assert not widened(page)
    # One method after another; the choice stays after a visit elsewhere.
    choose(page, "Method", "Isotonic")
    page.get_by_text("isotonic takes the Brier score from").wait_for()
    page.get_by_text("Too few cases: the rarest outcome has", exact=False).last.wait_for()
    choose(page, "Method", "Temperature")
    page.get_by_text("temperature takes the log loss from").wait_for()
    stays_chosen(page, "Method", "Temperature")
    # A column of the file parts the cases.
    page.get_by_text("map fitted to 150 cases").wait_for(timeout=LONG)
    choose(page, "Cases that fit the map, and those that judge it", "By the column 'year'")
    page.get_by_text("map fitted to 120 cases").wait_for(timeout=LONG)
    # What is taken along.
    document = json.loads(downloaded(page, "Map as JSON"))
    assert (document["kind"], document["class_names"]) == ("temperature", ["cat", "dog", "fox"])
    names: dict[str, Any] = {}
    exec(downloaded(page, "NumPy"), names)
    assert names["recalibrate"](np.array([[0.98, 0.01, 0.01]]))[0, 0] < 0.95
    assert "class Recalibrated:" in downloaded(page, "scikit-learn")
    assert "torch.softmax" in downloaded(page, "PyTorch")
    unfold(page, "The code, to paste")
    expect(page.get_by_test_id("stCode").first).to_contain_text("def recalibrate(probs):")
    table = downloaded(page, "Recalibrated predictions as CSV")
    assert table.splitlines()[0] == "p_cat,p_dog,p_fox,label,year,caliblens_cross_fitted"
    assert table.splitlines()[1].endswith(",2024,temperature")
    # As a model: on no page is it tested, and each says why.
    page.get_by_role("button", name="Open these as a model").click()
    why = "These probabilities were recalibrated on these same cases (temperature)."
    page.get_by_text(why).wait_for(timeout=LONG)
    page.get_by_text("three.csv, recalibrated (temperature) · 300 cases").wait_for()
    settle(page)
    for name in ("Tests", "Recalibrate", "Compare"):
        go(page, name)
        settle(page)
        page.get_by_text("were recalibrated on these same cases").first.wait_for()
    go(page, "Share")
    settle(page)
    page.get_by_text("Recalibrated cases have no tests and no verdict").wait_for()
    go(page, "Reliability")
    settle(page)
    page.get_by_text("Recalibrated cases have no consistency bars").first.wait_for()
    page.reload()
    settle(page)
    page.get_by_text("recalibrated (temperature) · 300 cases").wait_for()
    # The file that was written is known again by its column, as it is the model that it came from.
    marked = files / "marked.csv"
    marked.write_text(table)
    upload_own(page, watched.address, marked, "300 cases")
    go(page, "Tests")
    settle(page)
    page.get_by_text(why).wait_for()
    choose(page, "Predictions", "three.csv")
    expect(page.get_by_text(why)).to_have_count(0)


@pytest.mark.slow
def test_two_classes_and_a_phone(watched: Watched, files: Path) -> None:
    page = watched.page
    upload_own(page, watched.address, files / "two.csv", "300 cases")
    go(page, "Recalibrate")
    settle(page)
    assert answer(page).startswith("Recalibration would help: ")
    for label in ("Logistic (Platt)", "Beta", "Histogram of the confidence"):
        choose(page, "Method", label)
        page.locator(".st-key-before-after .js-plotly-plot").wait_for()
    unfold(page, "Not tried: 1")
    page.get_by_text("with two outcomes the beta map does the same with fewer numbers").wait_for()
    page.set_viewport_size(PHONE)
    settle(page)
    page.locator(".js-plotly-plot").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_work_is_stopped_and_begun_again(watched: Watched, files: Path) -> None:
    page = watched.page
    upload_own(page, watched.address, files / "many.csv", "2,500 cases")
    go(page, "Recalibrate")
    page.get_by_role("button", name="Stop", exact=True).press("Enter")
    page.get_by_text("Recalibrating was stopped.").wait_for()
    page.get_by_role("button", name="Start again").click()
    assert answer(page).startswith("Recalibration would help: ")
