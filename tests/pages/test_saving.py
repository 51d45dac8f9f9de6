"""The button beside a figure: files for print, drawn when they are asked for."""

import ast
import re
from pathlib import Path

import pytest

from calibcore.charts.formats import FORMATS, WIDTHS
from calibcore.painters import paper
from calibcore.words.letters import BY_NUMBER
from pages.ui import saving
from tests.pages.harness import CSV, on_page, opened, said, upload
from tests.painters.printed import two_classes

ROOT = Path(__file__).parents[2]


def test_no_download_runs_the_page_again() -> None:
    """The run would forget what it is about to be asked for: on a busy server the file would be gone."""
    again, found = [], 0
    for path in (ROOT / "pages").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".download_button"):
                found += 1
                if "on_click='ignore'" not in [ast.unparse(word) for word in node.keywords]:
                    again.append(f"{path.name}:{node.lineno}")
    assert found > 5
    assert again == []


@pytest.mark.parametrize("page", ["reliability", "tests"])
def test_beside_the_figure_are_all_formats_and_widths(page: str) -> None:
    app = opened(page, in_use="wine")
    labels = [button.label for button in app.get("download_button")]
    for width in WIDTHS:
        for format in FORMATS:
            assert f"{format.upper()}, {width} mm" in labels


@pytest.mark.parametrize(("name", "announced"), [("東京", True), ("Łódź", False)])
def test_names_that_may_be_printed_as_their_number_are_announced(name: str, announced: bool) -> None:
    app = upload(opened("data"), "x.csv", CSV.replace("fox", name))
    app = on_page(app, "reliability")
    assert (BY_NUMBER in said(app)) == announced


def test_a_file_is_the_printed_figure() -> None:
    printed = saving.on_paper("reliability_print", two_classes(), "image")
    expected = paper.reliability_print(two_classes(), "image", width=183)
    assert saving.file_of(printed, 183, "svg") == paper.saved(expected, "svg")


def test_every_function_that_a_page_names_is_there() -> None:
    named = set()
    for path in (ROOT / "pages").rglob("*.py"):
        named |= set(re.findall(r'on_paper\(\s*"(\w+)"', path.read_text(encoding="utf-8")))
    for path in (ROOT / "calibcore" / "questions").rglob("says.py"):
        named |= set(re.findall(r'"(\w+_print)"', path.read_text(encoding="utf-8")))
    assert named == {name for name in paper.__all__ if name.endswith("_print")}


def test_every_figure_of_a_page_can_be_saved() -> None:
    """But those of the lessons, and pairs of reliability diagrams, whose members have it by themselves."""
    without = {"side_by_side.py", "toys.py"}
    for path in (ROOT / "pages").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "show.figure(" in text and path.name not in without:
            assert text.count("show.figure(") == len(re.findall(r"\bprinted(=|\":)", text)), path.name
