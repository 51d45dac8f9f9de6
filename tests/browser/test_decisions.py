"""Decisions in a browser: what one decides about, the slider, back and forward, a reload, a phone."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import LONG, another_tab, arrive, choose, go, settle, unfold, upload, upload_own
from tests.browser.conftest import PHONE, Watched

N = 300


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fair predictions of three classes, too few to tell; and others whose labels are wrong now and then."""
    folder = tmp_path_factory.mktemp("decided")
    rng = np.random.default_rng(1)
    for name, noise in (("fair", 0.0), ("noisy", 0.15)):
        x = np.exp(2.5 * rng.normal(size=(N, 3)))
        probs = x / x.sum(axis=1, keepdims=True)
        labels = (rng.random(N)[:, None] > probs.cumsum(axis=1)).sum(axis=1).clip(0, 2)
        wrong = rng.random(N) < noise
        labels[wrong] = (labels[wrong] + rng.integers(1, 3, size=int(wrong.sum()))) % 3
        rows = [
            ",".join([*(f"{v:.5f}" for v in row), ("cat", "dog", "fox")[k]])
            for row, k in zip(probs, labels, strict=True)
        ]
        (folder / f"{name}.csv").write_text("\n".join(["cat,dog,fox,label", *rows]) + "\n")
    return folder


def at_threshold(page: Page) -> str:
    """The sentence in whole cases."""
    return page.locator(".st-key-decisions h2").inner_text().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.slow
def test_a_threshold_is_chosen_for_a_class_for_the_models_answers_and_on_a_phone(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Decisions")  # its address has the name of its file
    first = at_threshold(page)
    slider = page.get_by_role("slider", name="Threshold")
    slider.focus()
    page.keyboard.press("End")
    page.get_by_text(re.compile(r"^At a threshold of 95\s% the model promises")).wait_for()
    settle(page)
    at_end = at_threshold(page)
    assert at_end != first
    # Another page and back: the threshold stays. A class has a threshold of its own.
    go(page, "Tests")
    settle(page)
    page.go_back()
    settle(page)
    assert at_threshold(page) == at_end
    choose(page, "Decide about", "Act for '3'")
    assert at_threshold(page) != at_end
    expect(page.get_by_role("combobox", name="Look at", exact=True)).to_have_value("One class")
    page.get_by_role("button", name="Undo").click()
    settle(page)
    assert at_threshold(page) == at_end
    # Through a lens of many classes there is nothing to decide, until one is chosen.
    choose(page, "Look at", "All classes together")
    page.reload()
    settle(page)
    page.get_by_role("heading", name="A decision is about two outcomes.").wait_for()
    choose(page, "Decide about", "Act on the model's own answer, or ask")
    page.set_viewport_size(PHONE)
    settle(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    unfold(page, "Errors among accepted answers")
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    choose(page, "Decide about", "Act for '3'")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_too_few_cases_wrong_labels_and_arrows_without_bins(watched: Watched, files: Path) -> None:
    page = watched.page
    upload_own(page, watched.address, files / "fair.csv", "300 cases")
    go(page, "Overview")
    page.get_by_role("button", name="How many cases would tell?").click(timeout=LONG)
    number = page.get_by_text(re.compile(r"About [\d,]+ cases would do"))
    number.wait_for(timeout=4 * LONG)
    planned = number.inner_text()
    settle(page)
    figure = page.locator(".st-key-enough-figure .js-plotly-plot")
    figure.wait_for()
    figure.get_by_text("enough").wait_for()
    go(page, "Decide")
    settle(page)
    unfold(page, "How many cases would tell?")
    expect(number).to_have_text(planned)
    page.go_back()
    settle(page)
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
    expect(number).to_have_text(planned)
    copy = another_tab(page)
    settle(copy)
    page.reload()
    settle(page)
    for tab in (page, copy):
        expect(tab.get_by_text(re.compile(r"About [\d,]+ cases would do"))).to_have_text(
            planned, timeout=LONG
        )
    copy.close()
    go(page, "Share")
    settle(page)
    page.get_by_text("Include how many cases would tell").click()
    settle(page)
    expect(page.get_by_role("checkbox", name="Include how many cases would tell")).to_be_checked()
    go(page, "Tests")
    settle(page)
    unfold(page, "For statisticians")
    unfold(page, "How many wrong labels would explain it?")
    page.get_by_role("button", name="Start", exact=True).last.click()
    page.get_by_text("Nothing here needs wrong labels to explain it").wait_for(timeout=LONG)
    go(page, "Data")
    settle(page)
    upload(page, files / "noisy.csv")
    expect(page.get_by_role("combobox", name="Predictions", exact=True)).to_have_value("noisy.csv")
    settle(page)
    go(page, "Tests")
    settle(page)
    # The fold is as it was left; other cases are asked about anew.
    page.get_by_role("button", name="Start", exact=True).last.click()
    page.get_by_text("% wrong labels would explain it").wait_for(timeout=LONG)
    go(page, "Reliability")
    settle(page)
    page.get_by_text("Without bins", exact=True).click()
    settle(page)
    curve = page.locator(".st-key-curve-without-bins .js-plotly-plot")
    curve.wait_for()
    page.get_by_text("for the whole curve, of this lens alone").wait_for()
    expect(page.get_by_role("combobox", name="The cases behind a cross")).to_have_count(0)
    go(page, "Tests")
    settle(page)
    page.go_back()
    settle(page)
    curve.wait_for()  # the switch stays
    page.get_by_text("Without bins", exact=True).click()
    settle(page)
    expect(curve).to_have_count(0)
    page.get_by_role("combobox", name="The cases behind a cross").wait_for()
    choose(page, "Look at", "All classes together")
    go(page, "Simplex")
    settle(page)
    page.get_by_text("Without bins", exact=True).click()
    settle(page)
    page.locator(".st-key-triangle-smooth .js-plotly-plot").first.wait_for()
    page.get_by_text(re.compile(r"(At|at) (none|\d+) of \d+ places")).wait_for()
    go(page, "Decide")
    settle(page)
    go(page, "Simplex")
    settle(page)
    page.locator(".st-key-triangle-smooth .js-plotly-plot").first.wait_for()  # the switch stays
    page.get_by_text("Without bins", exact=True).click()
    settle(page)
    expect(page.locator(".st-key-triangle-smooth")).to_have_count(0)
    page.locator(".js-plotly-plot").first.wait_for()


@pytest.mark.slow
def test_a_target_stays_on_the_way_back_after_a_reload_and_is_each_tabs_own(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Decisions")
    told = page.locator(".st-key-decisions")
    expect(told).to_contain_text("At least 95", timeout=LONG)
    target = page.get_by_role("spinbutton", name="Right in at least, %")
    target.fill("99")
    target.press("Enter")
    expect(told).to_contain_text("At least 99", timeout=LONG)
    settle(page)
    other = another_tab(page)  # of the same address, with a session of its own
    expect(other.locator(".st-key-decisions")).to_contain_text("At least 95", timeout=LONG)
    other.close()
    go(page, "Tests")
    settle(page)
    page.go_back()
    expect(told).to_contain_text("At least 99", timeout=LONG)
    page.reload()
    expect(told).to_contain_text("At least ", timeout=LONG)
    settle(page)
    assert f"At least {target.input_value()}" in told.inner_text()  # what is asked and what is said agree


@pytest.mark.slow
def test_groups_and_another_prevalence_by_back_undo_and_in_a_second_tab(watched: Watched) -> None:
    """Each takes the place of what it cannot be asked with, and gives it back."""
    page = watched.page
    arrive(page, watched.address, "Decisions")
    choose(page, "Predictions", "Simulated: a clinic, one site off, and a change in September")
    choose(page, "Decide about", "Act on the model's own answer, or ask")
    choose(page, "Also in each group of", "site")
    in_groups = page.get_by_text("Does it hold in every group?")
    in_groups.wait_for(timeout=LONG)
    go(page, "Tests")
    settle(page)
    page.go_back()
    settle(page)
    in_groups.wait_for(timeout=LONG)
    page.get_by_role("button", name="Undo").click()
    expect(in_groups).to_have_count(0)
    settle(page)

    copy = another_tab(page)
    settle(copy)
    for tab in (page, copy):
        go(tab, "Decide")
        settle(tab)
    box = page.get_by_role("combobox", name="Decide about", exact=True)
    box.click()
    page.get_by_role("option", name=re.compile("^Act for ")).first.click()
    settle(page)
    share = page.get_by_role("spinbutton", name="Another prevalence, %")
    share.fill("2")
    share.press("Enter")
    at_prevalence = page.get_by_text(re.compile(r"^Where 2\s% of the .* acting from "))
    at_prevalence.wait_for(timeout=LONG)
    page.get_by_text(
        re.compile(r"^Where 2\s% of the .* may be ruled out|no threshold was found")
    ).first.wait_for()
    settle(copy)
    expect(copy.get_by_text(re.compile(r"^Where 2\s% of the "))).to_have_count(0)  # it is another session
    page.get_by_role("button", name="Undo").click()
    expect(at_prevalence).to_have_count(0)
    page.get_by_role("spinbutton", name="Right in at least, %").wait_for()


@pytest.mark.slow
def test_where_no_model_is_needed_a_click_acts_for_the_rarer_class(watched: Watched, tmp_path: Path) -> None:
    """The choice of the box stays over Back, a reload and in a second tab, and Undo takes it back."""
    rng = np.random.default_rng(3)
    chance = rng.beta(0.4, 12, 1_500)
    rows = (f"{p:.4f},{1 - p:.4f},{'sepsis' if rng.random() < p else 'well'}" for p in chance)
    file = tmp_path / "rare.csv"
    file.write_text("\n".join(["sepsis,well,label", *rows]) + "\n", "utf-8")
    page = watched.page
    upload_own(page, watched.address, file, "1,500 cases")
    go(page, "Decide")
    settle(page)
    page.get_by_text("Always answering 'well' is right in").first.wait_for(timeout=LONG)
    page.get_by_role("button", name="Act for 'sepsis'").click()
    settle(page)

    def acts_for_sepsis(tab: Page) -> None:
        tab.get_by_role("heading", level=1).wait_for(timeout=LONG)
        settle(tab)
        expect(tab.get_by_role("combobox", name="Decide about")).to_have_value("Act for 'sepsis'")
        expect(tab.get_by_role("button", name="Act for 'sepsis'")).to_have_count(0)

    acts_for_sepsis(page)
    go(page, "Tests")
    settle(page)
    page.go_back()
    acts_for_sepsis(page)
    page.reload()
    acts_for_sepsis(page)
    acts_for_sepsis(another_tab(page))
    page.get_by_role("button", name="Undo").click()
    settle(page)
    page.get_by_role("button", name="Act for 'sepsis'").wait_for()
