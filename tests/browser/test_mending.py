"""In a real browser: files that cannot be read are mended by a button, columns put in order, and back."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import LONG, another_tab, arrive, choose, go, settle, unfold, upload
from tests.browser.conftest import Watched
from tests.pages.test_column_order import BACK, BUTTON, NOTE, WARNING
from tests.pages.test_column_order import table as turned
from tests.pages.test_mending import BROKEN, LABELS, PROBS


def give(page: Page, text: str, name: str = "broken.csv", place: int = 0) -> None:
    page.locator("input[type=file]").nth(place).set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
    )
    page.get_by_text(name).first.wait_for(timeout=LONG)
    settle(page)


def press(page: Page, words: str) -> None:
    page.get_by_role("button", name=words, exact=True).click()
    settle(page)


def broken(page: Page, name: str) -> None:
    text, labels, _ = BROKEN[name]
    assert text is not None
    give(page, text, f"{name}.csv")
    if labels:
        give(page, labels, f"{name}, labels.csv", 1)


def in_use(page: Page, name: str, cases: int, ending: str = ".csv") -> None:
    page.get_by_test_id("stAlert").get_by_text(f"{name}{ending} · {cases} cases").wait_for()
    assert page.get_by_text("--").count() == 0


def mended(page: Page, name: str, words: str) -> None:
    broken(page, name)
    press(page, words)
    in_use(page, name, 12)


@pytest.mark.slow
def test_each_button_mends_its_file_and_what_it_chose_can_be_changed(watched: Watched) -> None:
    page = watched.page
    arrive(page, watched.address, "Data")
    broken(page, "a bad cell")
    page.get_by_text("Row 3 has 'oops' in column 'b'; row 5 is empty in column 'b'.").wait_for()
    press(page, "Leave out these 2 rows")
    in_use(page, "a bad cell", 10)
    page.get_by_text("2 of 12 rows were left out, as asked: 3, 5.").wait_for()
    unfold(page, "Read it differently")
    rows = page.get_by_role("textbox", name="Rows left out")
    expect(rows).to_have_value("3,5")
    rows.fill("5")
    rows.press("Enter")
    page.get_by_text("Row 3 has 'oops' in column 'b'.").wait_for()
    settle(page)
    press(page, "Leave out this row")
    in_use(page, "a bad cell", 10)
    expect(rows).to_have_value("3,5")

    mended(page, "scores", "These look like logits: apply softmax")
    expect(rows).to_have_value("")  # what was said about one file does not hold for the next
    expect(page.get_by_role("combobox", name="The numbers are")).to_have_value("Logits (softmax is applied)")
    choose(page, "The numbers are", "Detect automatically")
    page.get_by_text("these look like scores").wait_for()

    mended(page, "an open base", "The labels count from 1")
    mended(page, "one column", "It holds the probabilities of 'v'")
    mended(page, "unnamed columns", "The columns are 'well', 'ill'")


@pytest.mark.slow
def test_columns_in_another_order_are_put_right_and_back_and_two_files_find_their_places(
    watched: Watched,
) -> None:
    page = watched.page
    arrive(page, watched.address, "Data")
    give(page, turned(), "turned.csv")
    warning, note = page.get_by_text(WARNING), page.get_by_test_id("stAlert").get_by_text(NOTE)
    warning.wait_for()
    press(page, BUTTON)
    expect(warning).to_have_count(0)
    note.wait_for()
    press(page, BACK)
    warning.wait_for()
    expect(note).to_have_count(0)

    page.get_by_role("button", name="See the verdict").click()
    verdict = page.locator(".st-key-verdict h2")
    verdict.wait_for(timeout=LONG)
    settle(page)
    warning.wait_for()
    wrong = verdict.inner_text()
    press(page, BUTTON)  # the file itself is gone by now
    verdict.wait_for(timeout=LONG)
    settle(page)
    expect(warning).to_have_count(0)
    note.wait_for()
    right = verdict.inner_text()
    assert right != wrong
    go(page, "Data")
    settle(page)
    note.wait_for()
    press(page, BACK)
    warning.wait_for()
    go(page, "Overview")
    expect(verdict).to_have_text(wrong, timeout=LONG)
    two_files_find_their_places(page)


def two_files_find_their_places(page: Page) -> None:
    """And columns are chosen from a list; the page has another file, and its fold was not opened."""
    go(page, "Data")
    settle(page)
    give(page, PROBS, "probs.csv")
    lacking = page.get_by_text("No column of labels was found.")
    lacking.wait_for()
    page.get_by_text("Say which column holds the labels under").wait_for()
    page.get_by_role("combobox", name="Column with the labels").wait_for()  # the fold is open
    give(page, LABELS, "truth.csv", 1)
    expect(lacking).to_have_count(0)
    in_use(page, "probs", 12)

    give(page, LABELS, "the truth.csv")
    give(page, PROBS, "what was said.csv", 1)
    in_use(page, "what was said", 12)
    page.get_by_text("The two files were swapped (by what they hold)").wait_for()

    broken(page, "files that may be swapped")
    press(page, "Swap the two files")
    in_use(page, "files that may be swapped, labels", 12)

    mended(page, "several labels", "The labels are 'theirs'")
    choose(page, "Column with the labels", "mine")
    mine = page.get_by_text("row by row, column 'mine'.")
    mine.wait_for()
    page.reload()  # and what was chosen is still so
    settle(page)
    in_use(page, "several labels", 12)
    mine.wait_for()


STACKED = "id,a,b,label,variant\n" + "".join(
    f"{i},0.{p},0.{10 - p},{'ab'[(i * 7) % 3 % 2]},{variant}\n"
    for variant, shift in (("old", 0), ("new", 1))
    for i in range(20)
    for p in [2 + (i * 3 + shift) % 7]
)
ANSWERS = "prob,correct\n" + "0.9,1\n0.2,1\n0.4,0\n0.7,0\n0.3,1\n" * 4
ONEHOT = "a,b,c,u,v,w,site\n" + "0.9,0.1,0,1,0,0,1\n0.1,0.8,0.1,0,1,0,1\n0,0.2,0.8,0,0,1,0\n" * 4
CHOSEN = [
    ("stacked", STACKED, "Only variant old", "Only the model", "old"),
    (
        "answers",
        ANSWERS,
        "The labels are 'correct'; it says whether the rounded answer was right",
        "The labels say",
        "Whether the likelier class was right",
    ),
    ("onehot", ONEHOT, "u, v, w", "Or one-hot columns", "u, v, w"),
]
"""Name, file, the button or what is typed, the control and what stands there then."""
SAID = {
    "stacked": "20 rows of 40 were kept, as asked",
    "answers": "says whether the rounded answer was right: what happened",
    "onehot": "Labels: 3 columns, 'u', 'v', 'w', one-hot",
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "text", "act", "label", "value"), CHOSEN)
def test_what_was_said_of_a_file_stays_by_back_reload_and_in_a_second_tab(
    watched: Watched, name: str, text: str, act: str, label: str, value: str
) -> None:
    page = watched.page
    arrive(page, watched.address, "Data")
    give(page, text, f"{name}.csv")
    control = page.get_by_label(label, exact=True).first
    if name == "onehot":
        unfold(page, "Read it differently")
        control.fill(act)
        control.press("Enter")
        settle(page)
    else:
        press(page, act)
    expect(control).to_have_value(value)
    cases = 12 if name == "onehot" else 20
    called = ("old", cases, "") if name == "stacked" else (name, cases)
    in_use(page, *called)
    go(page, "Tests")
    settle(page)
    page.go_back()
    settle(page)
    copy = another_tab(page)
    settle(copy)
    page.reload()
    settle(page)
    for tab in (page, copy):
        in_use(tab, *called)
        tab.get_by_text(SAID[name]).wait_for()


@pytest.mark.slow
def test_an_array_that_lies_on_its_side_is_turned_by_one_button(watched: Watched, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    probs = rng.dirichlet(np.ones(3), 60)
    path = tmp_path / "side.npz"
    np.savez(path, probs=probs.T, labels=[rng.choice(3, p=row) for row in probs])
    page = watched.page
    arrive(page, watched.address, "Data")
    upload(page, path)
    press(page, "Turn it round")

    def turned_round(tab: Page) -> None:
        tab.get_by_role("heading", level=1).wait_for(timeout=LONG)
        settle(tab)
        in_use(tab, "side", 60, ".npz")
        tab.get_by_text("was turned round, as asked: 3 × 60 became 60 × 3").first.wait_for(timeout=LONG)

    turned_round(page)
    go(page, "Tests")
    settle(page)
    page.go_back()
    turned_round(page)
    page.reload()
    turned_round(page)
    turned_round(another_tab(page))
