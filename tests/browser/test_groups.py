"""Groups and Time in a browser: every state that a person can reach there by clicking."""

import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, Position, expect

from calibcore.words.tables import columns_of_numbers, number_in, sortable
from tests.browser.acts import LONG, arrive, choose, click_row, go, settle, unfold, upload_own
from tests.browser.conftest import PHONE, Watched

N = 600


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A year of visits in two files, site B off and a change in the second: their dates fit twice."""
    folder = tmp_path_factory.mktemp("groups")
    rng = np.random.default_rng(8)
    q = rng.uniform(0.1, 0.9, N)
    site = np.where(np.arange(N) % 3 == 0, "B", "A").astype(object)  # else "tiny" is cut to a letter
    site[[7, 8, 9]] = "tiny"
    later = np.arange(N) >= N // 2
    ill = rng.random(N) < q - 0.2 * later - 0.15 * (site == "B")
    for name, rows in (("first", ~later), ("second", later)):
        lines = [
            f"{q[i]:.6f},{1 - q[i]:.6f},{site[i]},{1 + i // 60:02d}/{1 + i % 60 // 5:02d}/2026,"
            f"{'ill' if ill[i] else 'well'}"
            for i in np.flatnonzero(rows)
        ]
        (folder / f"{name}.csv").write_text("\n".join(["ill,well,site,seen,label", *lines]) + "\n")
    (folder / "diary.csv").write_text("Dear diary,\n")
    return folder


def tick(page: Page, *names: str) -> None:
    """Choose columns that make groups."""
    for name in names:
        choose(page, "Columns that make groups", name)
    page.keyboard.press("Escape")
    settle(page)


def answer(page: Page) -> str:
    """The sentence in large letters."""
    heading = page.locator("[data-testid=stMarkdown] h2").first
    heading.wait_for(timeout=LONG)
    return heading.inner_text()


def evidence(page: Page) -> str:
    """The sentence in large letters, and how strong the evidence is: the last window may be the same."""
    page.locator(".st-key-monitor-answer h2").wait_for(timeout=LONG)
    parts = page.locator(".st-key-monitor-answer, .st-key-monitor-evidence")
    return "\n".join(parts.all_inner_texts())


def add(page: Page, label: str, path: Path) -> None:
    """Choose a file in the widget of that name."""
    page.get_by_test_id("stFileUploader").filter(has_text=label).locator("input").set_input_files(path)
    settle(page)


@pytest.mark.slow
def test_groups_of_ones_own_file_one_of_them_alone_and_back_and_its_time(
    watched: Watched, files: Path
) -> None:
    page = watched.page
    upload_own(page, watched.address, files / "first.csv", "300 cases")
    go(page, "Groups")
    choose(page, "Look at", "Confidence in the answer")
    page.get_by_text("so choose before you see results").wait_for()
    page.get_by_role("button", name="Look at both classes").click()
    settle(page)
    expect(page.get_by_role("button", name="Look at both classes")).to_have_count(0)
    tick(page, "site")
    said = answer(page)
    assert said.startswith("Worst in site B: it says ")
    page.get_by_text("Miscalibrated in 1 of 2 groups that were tested.").wait_for()
    page.get_by_text("1 group not tested: fewer than 20 cases.").wait_for()
    page.get_by_role("button", name="Where is it worst?").click()
    page.get_by_text("Where it is worst: in 99 cases with site B").wait_for(timeout=LONG)
    # The row of a small group says why it stays closed; that of a tested one opens it.
    click_row(page, 2)
    page.get_by_text("Site tiny is not looked at alone: fewer than 20 cases.").wait_for()
    settle(page)
    click_row(page, 1)
    page.get_by_text("first.csv, site B · 99 of 300 cases · 2 classes").wait_for()
    page.get_by_role("button", name="Back to all 300 cases").click()
    settle(page)
    go(page, "Groups")
    settle(page)
    expect(page.get_by_text("is not looked at alone")).to_have_count(0)
    # So does a cross of its diagram, and its mark; then it is looked at alone on every page.
    unfold(page, "The groups' diagrams side by side")
    cross = page.locator(".st-key-group-diagrams-0 .scatterlayer .trace").nth(1).locator(".point").first
    cross.scroll_into_view_if_needed()
    cross.click(force=True)
    page.get_by_text("first.csv, site B · 99 of 300 cases · 2 classes").wait_for()
    page.get_by_role("button", name="Back to all 300 cases").click()
    settle(page)
    go(page, "Groups")
    settle(page)
    mark = page.locator(".st-key-groups-forest .scatterlayer .point").nth(0)
    mark.scroll_into_view_if_needed()
    mark.click(force=True)
    page.get_by_role("heading", name="Can these probabilities be believed?").wait_for()
    page.get_by_text("first.csv, site B · 99 of 300 cases · 2 classes").wait_for()
    go(page, "Reliability")
    settle(page)
    page.get_by_text("first.csv, site B · 99 of 300 cases · 2 classes").wait_for()
    page.reload()
    settle(page)
    page.get_by_text("first.csv, site B · 99 of 300 cases · 2 classes").wait_for()
    page.get_by_role("button", name="Back to all 300 cases").click()
    settle(page)
    page.get_by_text("first.csv · 300 cases · 2 classes").wait_for()
    page.go_back()  # to the first page, with all cases
    settle(page)
    page.get_by_text("first.csv · 300 cases · 2 classes").wait_for()
    time_goes_on_with_the_next_file_and_from_a_state(page, files)


def time_goes_on_with_the_next_file_and_from_a_state(page: Page, files: Path) -> None:
    """After all cases of the first file were looked at."""
    go(page, "Time")
    choose(page, "Look at", "The class 'well'")
    page.get_by_role("button", name="The month comes first").click()
    settle(page)
    page.get_by_text("Dates: the month comes first, as you said.").wait_for()
    before = evidence(page)
    page.locator(".st-key-evidence-figure .js-plotly-plot").first.wait_for()
    unfold(page, "The windows as a table")
    page.get_by_test_id("stDataFrame").wait_for()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Save the state").click()
    state = files / "state.json"
    coming.value.save_as(state)
    assert json.loads(state.read_text())["time"] == "seen"
    add(page, "Next month's predictions", files / "diary.csv")
    page.get_by_text("diary.csv: ").wait_for()
    page.get_by_role("button", name="Leave this file out").click()
    settle(page)
    assert evidence(page) == before
    add(page, "Next month's predictions", files / "second.csv")
    page.get_by_text("Dates: the month comes first, as you said.").wait_for()
    page.get_by_text("Goes on from 'first.csv', 300 cases before these.").wait_for()
    both = evidence(page)
    assert both.startswith("Not calibrated")
    page.reload()
    settle(page)
    assert evidence(page) == both
    page.get_by_role("button", name="Begin anew with this file").click()
    settle(page)
    expect(page.get_by_text("Goes on from '")).to_have_count(0)
    assert evidence(page) != both
    add(page, "A state that was saved", state)
    page.get_by_text("Goes on from 'state.json', 300 cases before these.").wait_for()
    assert evidence(page) == both
    choose(page, "Look at", "Confidence in the answer")
    page.get_by_text("Monitoring is not possible: The state has the lens").wait_for()
    page.get_by_role("button", name="as before").click()
    settle(page)
    assert evidence(page) == both


@pytest.mark.slow
def test_the_figures_of_groups_and_of_time_on_a_phone(watched: Watched) -> None:
    page = watched.page
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    arrive(page, watched.address, "Groups")
    page.get_by_role("button", name="Look at an example with sites and patients").click()
    settle(page)
    tick(page, "site")
    page.locator(".st-key-groups-forest .js-plotly-plot").first.wait_for(timeout=LONG)
    unfold(page, "The groups' diagrams side by side")
    expect(page.locator(".st-key-fold-group-diagrams .js-plotly-plot")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"{watched.address}/monitor")  # the tab keeps the example, which has dates
    page.locator(".st-key-evidence-figure .js-plotly-plot").first.wait_for(timeout=LONG)
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_a_click_on_a_head_sorts_by_numbers(watched: Watched, tmp_path: Path) -> None:
    """Gaps of 8.7 and 13.3 points are no words."""
    rng = np.random.default_rng(5)
    site = np.repeat([f"site {k}" for k in range(6)], 150)
    x = rng.uniform(0.6, 0.95, site.size)
    off = np.repeat([0.0, 0.14, 0.2, 0.3, 0.09, 0.1], 150)
    ill = np.diff(np.floor(np.cumsum(x - off)), prepend=0) > 0  # as many as it takes, without chance
    rows = [f"{p:.4f},{1 - p:.4f},{'ill' if y else 'well'},{s}" for p, y, s in zip(x, ill, site, strict=True)]
    path = tmp_path / "sorted.csv"
    path.write_text("\n".join(["ill,well,label,site", *rows]) + "\n")
    page = watched.page
    upload_own(page, watched.address, path, "900 cases")
    go(page, "Groups")
    tick(page, "site")
    table = page.get_by_test_id("stDataFrame").filter(visible=True).first
    table.wait_for(timeout=LONG)
    settle(page)
    heads = table.locator("[role=columnheader]")
    head = "Typical gap, points"
    before = _column(table, head)
    assert sorted(before) != sorted(before, key=number_in), before  # words would be in another order
    width = (table.bounding_box() or {"width": 0})["width"]
    for across in range(60, int(width), 60):  # a canvas does not say where its heads are
        at: Position = {"x": across, "y": 16}
        table.hover(position=at)
        table.click(position=at)
        settle(page)
        if f"↑ {head}" in heads.all_inner_texts():
            break
    assert f"↑ {head}" in heads.all_inner_texts()
    assert _column(table, f"↑ {head}") == sorted(before, key=number_in)


@pytest.mark.some(1)
@pytest.mark.parametrize("language", ["th-TH", "de-DE"])
def test_a_rank_in_white_space_counts_in_every_language(browser: Browser, server: str, language: str) -> None:
    """Thai passes over white space, in which numbers have their rank: 13.3 would come before 8.7."""
    rows = [{"Gap": gap} for gap in ("13.3", "8.7", "–", "100.2", "9.1")]
    ranked = list(sortable(rows, columns_of_numbers(rows)).data["Gap"])
    context = browser.new_context(locale=language)
    page = context.new_page()
    page.goto(f"{server}/learn", wait_until="domcontentloaded")
    by_browser = page.evaluate("cells => cells.sort((a, b) => a.localeCompare(b))", ranked)
    context.close()
    assert [cell.strip() for cell in by_browser] == ["8.7", "9.1", "13.3", "100.2", "–"]


def _column(table: Locator, head: str) -> list[str]:
    """The cells below a head, from the top."""
    place = table.locator("[role=columnheader]").all_inner_texts().index(head)
    return [row.locator("td").nth(place).inner_text().strip() for row in table.locator("tbody tr").all()]
