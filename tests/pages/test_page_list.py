"""A page is its file: the navigation, links, the side bar and the gate find what it says of itself."""

import ast
import re
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from streamlit import config

from pages.server import gate, page_list
from pages.ui.sidebar.parts import PARTS, folds
from tests.pages.harness import begun, said, settled

ROOT = Path(__file__).parents[2]
HELLO = '''"""Hello: a page that somebody adds."""

import streamlit as st

from pages.ui import frame, nav, state

TITLE = "Hello"
HEADING = "Is there anybody?"
ICON = "waving_hand"
GROUP = "Look"
PLACE = 25
SIDEBAR = ("data", "bins")
MORE = ("seed",)
TOUR = "Everybody says hello."
TOUR_AT = "hello"

frame.heading(HEADING)
st.markdown(f"{state.predictions().n} cases say hello.")
nav.link("hello", "Once more")
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The pages that there are, in a folder to which some can be added."""
    for page in page_list.pages():
        shutil.copy(page.path, tmp_path)
    monkeypatch.setattr(page_list, "FOLDER", tmp_path)
    yield tmp_path
    page_list.pages.cache_clear()


def add(folder: Path, text: str) -> None:
    """The page "hello", as a server finds it that starts now."""
    (folder / "hello.py").write_text(text)
    page_list.pages.cache_clear()


def test_the_first_visitors_parse_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 raises SystemError where two threads build a tree at once."""
    at_once, most, parse = [0], [0], ast.parse

    def slowly(text: str) -> ast.Module:
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        time.sleep(0.002)
        tree = parse(text)
        at_once[0] -= 1
        return tree

    monkeypatch.setattr(ast, "parse", slowly)
    page_list.pages.cache_clear()
    with ThreadPoolExecutor(6) as visitors:
        found = list(visitors.map(lambda _: page_list.pages(), range(6)))
    assert most == [1]
    assert all(each == found[0] for each in found)


def test_nothing_else_is_parsed_while_a_server_runs() -> None:
    folders = ROOT / "calibcore", ROOT / "pages"
    parses = re.compile(r"^\s*(import ast$|from ast )", re.MULTILINE)
    files = [path for folder in folders for path in folder.rglob("*.py")]
    users = [path for path in files if parses.search(path.read_text(encoding="utf-8"))]
    assert users == [ROOT / "pages/server/page_list.py"]
    assert config.get_option("runner.magicEnabled") is False


def test_the_pages_in_their_order() -> None:
    pages = page_list.pages()
    row = ", ".join(f"**{page.title}**" for page in pages)
    assert f"stand in the row at the top: {row}." in (ROOT / "docs/app.md").read_text("utf-8"), (
        f"docs/app.md lacks the pages in order: … stand in the row at the top: {row}."
    )
    for one, other in pairwise(pages):
        assert one.place != other.place, f"{one.name} and {other.name} have the same PLACE, {one.place}."
    assert [*dict.fromkeys(page.group for page in pages)] == ["Look", "Ask", "Hand on", "Data", "Learn"]
    for page in pages:
        parts = [*page.sidebar, *page.more]
        assert set(parts) <= set(PARTS), (
            f"{page.name} names {set(parts) - set(PARTS)}, which is no part there."
        )
        of_each = [names for _, _, names in folds(page)]
        assert max(map(len, of_each), default=0) <= 6, f"{page.name} has too many settings in a fold."
        assert sorted(name for names in of_each for name in names) == sorted(page.more)
        assert len(set(parts)) == len(parts), page.name
    assert {part for page in pages for part in (*page.sidebar, *page.more)} == set(PARTS)
    assert [page.name for page in pages if page.without_data] == ["data", "learn"]


def test_a_page_that_is_added_is_found_everywhere(folder: Path) -> None:
    add(folder, HELLO)
    assert gate.is_open("hello")
    assert [page.title for page in page_list.pages()][:3] == ["Overview", "Reliability", "Hello"]
    app = begun().switch_page("../learn.py")
    app.session_state["in-use"] = "wine"
    app = settled(app.run())
    assert "Hello" in {page["page_name"] for page in app._registered_pages.values()}
    app = settled(app.switch_page(str(folder / "hello.py")).run())
    assert app.title[0].value == "Is there anybody?"
    assert "89 cases say hello." in said(app)
    assert [box.label for box in app.sidebar.selectbox] == ["Predictions", "Bins"]  # as the page says
    assert [box.label for box in app.sidebar.number_input] == ["Bins from 0 to 100 %", "Seed"]
    (link,) = app.main.get("page_link")
    assert link.proto.icon == ":material/waving_hand:"


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('TITLE = "Hello"\n', "", "pages/hello.py needs a constant TITLE, which is a str."),
        ("PLACE = 25", 'PLACE = "25"', "pages/hello.py needs a constant PLACE, which is a int."),
    ],
)
def test_a_page_that_says_too_little_is_named(folder: Path, before: str, after: str, fault: str) -> None:
    add(folder, HELLO.replace(before, after))
    with pytest.raises(ValueError, match=fault):
        page_list.pages()


def test_a_page_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="There is no page 'hello'"):
        page_list.page("hello")


def test_nothing_imports_a_page() -> None:
    names = {f"pages.{page.name}" for page in page_list.pages()}
    for path in [ROOT / "app.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "calibcore").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                imported = {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
            elif isinstance(node, ast.Import):
                imported = {one.name for one in node.names}
            else:
                continue
            assert not names & imported, path
