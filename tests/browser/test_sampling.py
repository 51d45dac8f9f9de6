"""A sample is offered beside all cases where they take long, in their place where the server would end them,
and is named to the end."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from calibcore.__main__ import main
from calibcore.assessment.assess import Assessment
from calibcore.assessment.rerun import differences, repeatable
from calibcore.words.phrases import duration
from tests.browser.acts import LONG, another_tab, choose, fold, go, settle, upload_own
from tests.browser.conftest import PATIENCE, Watched, free_port, started
from tests.cli.test_words_command import by_shell

CASES, LIMIT = 1_500_000, 27
"""All cases may take a second more than the server allows, the sample that it offers a seventh of that."""


def saved(path: Path) -> Path:
    """The model is too sure."""
    rng = np.random.default_rng(3)
    said = rng.beta(0.6, 0.6, CASES).astype(np.float32)
    happened = rng.random(CASES) < 0.1 + 0.8 * said
    np.savez(path, probs=np.stack([1 - said, said], axis=1), labels=happened.astype(np.uint8))
    return path


@pytest.mark.slow
def test_a_sample_in_the_place_of_all_cases(browser: Browser, tmp_path: Path, monkeypatch, capsys) -> None:
    file = saved(tmp_path / "the clinic's.npz")
    with started(tmp_path, free_port(), CALIBLENS_JOB_SECONDS=str(LIMIT)) as address:
        context = browser.new_context(viewport={"width": 1440, "height": 1100}, accept_downloads=True)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        upload_own(page, address, file, "1,500,000 cases")
        go(page, "Overview")
        settle(page)
        page.get_by_text(f"this server ends work after {duration(LIMIT)}").wait_for()
        expect(page.get_by_role("button", name="Start", exact=True)).to_have_count(0)
        page.get_by_role("button", name="Look at a random 200,000 of 1,500,000 cases").click()
        title = "the clinic's.npz (random 200,000 of 1,500,000 cases)"
        page.get_by_text(f"{title} · 200,000 cases").first.wait_for(timeout=LONG)
        expect(page.get_by_role("combobox", name="Predictions", exact=True)).to_have_value(title)
        page.get_by_text("Miscalibrated").first.wait_for(timeout=LONG)
        line = "Of a random sample: 200,000 of 1,500,000 cases."
        page.get_by_text(line).first.wait_for()
        settle(page)

        go(page, "Share")
        for name in ("HTML", "JSON"):
            button = page.get_by_role("button", name=name, exact=True)
            button.wait_for(timeout=LONG)
            settle(page)
            with page.expect_download(timeout=LONG) as begun:
                button.click()
            begun.value.save_as(tmp_path / f"report.{name.lower()}")
        text = (tmp_path / "report.json").read_text()
        command = json.loads(text)["report"]["repeat"]["command"]
        assert "'the clinic'\"'\"'s.npz'" in command
        assert "--sample 200000" in command
        report = context.new_page()
        report.goto(f"file://{tmp_path}/report.html")
        report.get_by_text(line).wait_for()
        assert report.locator("pre").inner_text().strip() == command
        report.close()

        choose(page, "Predictions", "the clinic's.npz")  # all cases are still there
        page.get_by_text("the clinic's.npz · 1,500,000 cases").first.wait_for()
        page.get_by_role("button", name="Look at a random 200,000 of 1,500,000 cases").first.wait_for()
        go(page, "Tests")
        settle(page)
        page.get_by_text("Testing may take about 3 minutes; this server ends work").wait_for()
        fold(page, "For statisticians").wait_for()
        context.close()
    monkeypatch.chdir(tmp_path)
    assert main([*by_shell(command)[1:], "--json"]) == 0
    assert differences(repeatable(text), Assessment.from_json(capsys.readouterr().out)) == ()


QUICK = "A random sample of 200,000 cases: under a minute"
ALL = "Start with all"


def offered(page: Page) -> None:
    """The sample first and as what is advised, then the whole; nothing is at work."""
    page.get_by_role("button", name=QUICK).wait_for()
    settle(page)
    asked = page.get_by_test_id("stMain").get_by_role("button").filter(has_text=re.compile(f"{QUICK}|{ALL}"))
    assert [text.split("\n")[-1] for text in asked.all_inner_texts()] == [QUICK, ALL]
    expect(asked.first).to_have_attribute("data-testid", "stBaseButton-primary")
    page.get_by_text("Working through every check may take about").wait_for()
    assert page.get_by_test_id("stProgress").count() == 0


@pytest.mark.slow
def test_above_a_minute_a_sample_comes_first_then_the_whole(watched: Watched, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    probs = rng.dirichlet(np.ones(3), 1_000_000).astype(np.float32)
    labels = (rng.random((len(probs), 1)) > (0.7 * probs + 0.1).cumsum(axis=1)).sum(axis=1).astype(np.uint8)
    np.savez(tmp_path / "large.npz", probs=probs, labels=labels.clip(max=2))
    page = watched.page
    upload_own(page, watched.address, tmp_path / "large.npz", "1,000,000 cases")
    page.get_by_role("button", name="See the verdict").click()
    offered(page)
    page.reload()
    offered(page)
    page.go_back()
    page.get_by_test_id("stAlert").get_by_text("1,000,000 cases").wait_for()
    page.go_forward()
    offered(page)
    other = another_tab(page)
    offered(other)

    other.get_by_role("button", name=ALL).click()
    stop = other.get_by_role("button", name="Stop", exact=True)
    stop.wait_for()
    expect(other.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    other.reload()
    stop.wait_for()  # the work goes on
    stop.click()
    other.get_by_text("Working through every check was stopped.").wait_for()
    other.get_by_role("button", name=QUICK).wait_for()
    other.get_by_role("button", name="Start again").wait_for()
    other.close()

    page.get_by_role("button", name=QUICK).click()
    title = "large.npz (random 200,000 of 1,000,000 cases)"
    under_way_or_done = page.get_by_test_id("stProgress").or_(page.locator(".st-key-verdict h2"))
    acts: list[tuple[Callable[[], object], str]] = [
        (lambda: None, "Can these probabilities be believed?"),
        (page.reload, "Can these probabilities be believed?"),
        (page.go_back, "Your own predictions"),
        (page.go_forward, "Can these probabilities be believed?"),
    ]
    for act, heading in acts:
        act()
        page.get_by_role("heading", name=heading, level=1).wait_for()
        expect(page.get_by_role("combobox", name="Predictions", exact=True)).to_have_value(title)
        page.get_by_text(f"{title} · 200,000 cases").first.wait_for()
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    under_way_or_done.first.wait_for()  # begun without another click
    choose(page, "Predictions", "large.npz")
    offered(page)  # what the other tab began and stopped was its own
