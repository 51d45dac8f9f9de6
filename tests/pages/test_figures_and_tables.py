"""Every figure has its sentence, how to read it, its table and its CSV; every table has its CSV."""

import ast
import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.answers.diagram import bins_table
from calibcore.answers.predictions import happened_table
from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagnose import reliability_for
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens
from calibcore.words.diagram import members_csv
from calibcore.words.tables import csv_of, number_in
from pages.server import page_list
from pages.ui import show
from pages.ui.learn import course
from pages.ui.learn.lessons import LESSONS
from pages.ui.show import plain
from tests.cases import each
from tests.pages.harness import begun, choose, displayed, on_page, opened, press, said, settled, upload

PAGES = Path(__file__).parents[2] / "pages"
NAMES = [page.name for page in page_list.pages()]
TABLES = ("dataframe", "table")
LAYOUT = ("column", "flex_container")
STAGES = ("reliability", "simplex", "decisions")
"""Pages on which the sentence of a figure stands beside it."""


def in_order(node: object) -> Iterator[tuple[str, object]]:
    """Kind and element of everything on the page, top down; a fold comes before what is in it."""
    for child in getattr(node, "children", {}).values():
        yield str(child.type), child
        yield from in_order(child)


def shown(app: AppTest) -> list[tuple[str, object]]:
    return list(in_order(app.main))


def panel(chart: Any) -> bool:
    """Whether it is one of several panels, which have no tools of their own."""
    return json.loads(chart.proto.config).get("displayModeBar") is False


def endless(layout: dict[str, Any]) -> list[str]:
    """Axes whose ends a browser would have to find."""
    axes = {name: axis for name, axis in layout.items() if name[1:5] == "axis"}
    return [name for name, axis in axes.items() if "range" not in axis and "matches" not in axis]


def figures_without(found: list[tuple[str, object]], stage: bool = False) -> list[str]:
    """What the figures on a page lack. One on a ``stage`` has its sentence beside it, in the next column.
    Those side by side, with only columns between, have one sentence above them all, and one reading and table
    below, if they are panels of one figure, without tools of their own."""
    new_column = {i for i, (kind, _) in enumerate(found) if kind == "column"}
    numbered = [(i, kind, element) for i, (kind, element) in enumerate(found) if kind not in LAYOUT]
    found = [(kind, element) for _, kind, element in numbered]
    at = [i for i, _, _ in numbered]
    lacking = []
    said_beside = {element.value for kind, element in found if stage and kind == "markdown"}

    def beside(place: int) -> bool:
        """Whether a figure of the same, and no more than a column, follows this one."""
        if place < 0 or place + 1 == len(found):
            return False
        one, other = found[place], found[place + 1]
        if not one[0] == other[0] == "plotly_chart":
            return False
        alike = panel(one[1]) and panel(other[1])
        return alike and not new_column.isdisjoint(range(at[place], at[place + 1]))

    for place, (kind, element) in enumerate(found):
        if kind != "plotly_chart":
            continue
        alt = element.proto.alt
        lacking += [
            f"{name} of {alt!r} has no ends" for name in endless(json.loads(element.proto.spec)["layout"])
        ]
        if len(alt.split()) < 5:
            lacking.append(f"{alt!r} says too little")
        before, after = found[place - 1], found[place + 1 :]
        if not beside(place - 1):
            says = before[1].value if before[0] == "markdown" else ""
            if plain(alt) not in {says, *said_beside} and not (panel(element) and len(says.split()) >= 5):
                lacking.append(f"no sentence above or beside {alt!r}")
        if beside(place):
            continue
        ends = next((i for i, (kind, _) in enumerate(after) if kind == "plotly_chart"), len(after))
        folds = [element.label for kind, element in after[:ends] if kind == "expander"]
        if folds[:1] != ["How to read this"] or "table" not in "".join(folds[1:2]):
            lacking.append(f"no reading and table below {alt!r}: {folds[:2]}")
        if not {"dataframe", "download_button"} <= {kind for kind, _ in after[:ends]}:
            lacking.append(f"no table with CSV below {alt!r}")
    return lacking


def tables_without(found: list[tuple[str, object]]) -> int:
    """Tables after which another table comes, or the page ends, before a button to download."""
    waiting = missing = 0
    for kind, _ in found:
        if kind in TABLES:
            missing += waiting
            waiting = 1
        elif kind == "download_button":
            waiting = 0
    return missing + waiting


@each("path", sorted(PAGES.rglob("*.py")), ids=lambda path: path.name)
def test_charts_and_tables_are_drawn_in_one_place(path: Path) -> None:
    if path.name != "show.py":
        used = re.findall(r"\.(?:plotly_chart|pyplot|\w+_chart|table)\(", path.read_text(encoding="utf-8"))
        assert set(used) <= {".table("}
        assert "st.table(" not in path.read_text(encoding="utf-8")


def test_every_figure_of_data_says_what_a_case_of_them_is() -> None:
    """In the text that says how to read it, and in heads of its table; lessons speak of cases."""
    lacking = []
    for path in PAGES.rglob("*.py"):
        calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
        for call in calls:
            if path.parent.name != "learn" and ast.unparse(call.func) == "show.figure":
                named = {keyword.arg for keyword in call.keywords}
                lacking += [] if {"noun", None} & named else [f"{path.name}:{call.lineno}"]
    assert lacking == []


@pytest.mark.parametrize(
    "lens",
    [
        "canonical",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("confidence", "groups", "top-k", "class")),
    ],
)
def test_every_page_has_words_and_every_figure_and_table_what_belongs_to_it(lens: str) -> None:
    app = settled(choose(opened("monitor", in_use="wine"), "Look at", lens))
    for page in NAMES:
        if page == "training" and lens in ("top-k", "canonical"):  # 24 triangles: see test_training.py
            continue
        app = on_page(app, page)
        assert app.title[0].value
        assert not app.error, page
        assert len(said(app)) > 200, page
        found = shown(app)
        assert figures_without(found, stage=page in STAGES) == [], page
        assert tables_without(found) == 0, page
        if page == "reliability":
            assert any(kind == "plotly_chart" for kind, _ in found), page


@pytest.mark.slow
def test_the_tables_of_a_file_and_of_a_bin_have_their_csv() -> None:
    found = shown(settled(upload(opened("data"))))
    assert sum(kind in TABLES for kind, _ in found) == 2
    assert tables_without(found) == 0
    for lesson in LESSONS:
        app = begun().switch_page("../learn.py")
        app.query_params[course.PARAMETER] = lesson.name
        app = settled(app.run())
        if lesson.name == "exact":
            app = settled(press(app, "Try 20 data sets"))
        elif lesson.name == "lens":
            (lens,) = [group for group in app.button_group if group.key == "lesson-lens"]
            app = settled(lens.set_value("All three").run())
        found = shown(app)
        assert sum(kind == "plotly_chart" for kind, _ in found) == 1, lesson.name
        assert figures_without(found) == []
        assert tables_without(found) == 0


def test_a_figure_that_lacks_something_is_noticed() -> None:
    found = shown(opened("reliability", in_use="wine"))
    chart = next(i for i, (kind, _) in enumerate(found) if kind == "plotly_chart")
    said = plain(found[chart][1].proto.alt)
    elsewhere = [e for e in found if e[0] != "markdown" or e[1].value != said]
    assert len(elsewhere) == len(found) - 1
    assert "no sentence" in figures_without(elsewhere, stage=True)[0]
    assert "no sentence" in figures_without(found)[0]  # beside it, where none is looked for
    assert "no reading" in figures_without([e for e in found if e[0] != "expander"], stage=True)[0]
    assert "no table" in figures_without([e for e in found if e[0] != "download_button"], stage=True)[0]
    assert tables_without([e for e in found if e[0] != "download_button"]) == 1


def test_columns_of_numbers_are_sorted_as_numbers_and_shown_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """:func:`settled` looks for columns of numbers that are not on every page that any test waits for."""
    app = settled(opened("", in_use="wine"))
    survey = next(table for table in app.dataframe if "Check" in table.value)
    for head in ("Typical gap", "Adjusted p", "Smallest detectable"):
        values, words = list(survey.value[head]), list(displayed(survey)[head])
        assert [value.strip() for value in values] == words
        in_order = [number_in(value.strip()) for value in sorted(values)]
        assert in_order == sorted(in_order)
        assert any(" " in cell for cell in words) or head == "Adjusted p"
    monkeypatch.setattr(show, "columns_of_numbers", lambda rows: {})
    with pytest.raises(AssertionError, match="Adjusted p"):
        settled(opened("", in_use="wine"))


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_no_name_becomes_a_formula_in_any_csv(first: str) -> None:
    wine = load_example("wine")
    names = tuple(f"{first}cmd|' /C calc'!A{k}" for k in range(3))
    p = Predictions(wine.probs, wine.labels, names)
    spec = DiagnosisSpec(lens=CanonicalLens())
    found = reliability_for(p, spec)
    texts = {
        "bins": csv_of(bins_table(found).rows(exact=True)),
        "bins as read": csv_of(bins_table(found).rows()),
        "classes": csv_of(happened_table(p).rows(exact=True)),
        "members": members_csv(p, spec, range(found.n_bins)),
    }
    for what, text in texts.items():
        for row in csv.reader(io.StringIO(text)):
            for cell in row:
                assert not cell.startswith(first) or _number(cell), (what, cell)


def _number(cell: str) -> bool:
    return re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", cell) is not None


def test_a_cell_that_may_be_cut_stands_on_the_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one on the right the first digits would be cut: 0.028 (smallest) would read 28 (sm."""
    drawn: dict[str, Any] = {}
    monkeypatch.setattr(show.st, "dataframe", lambda *_, **look: drawn.update(look))
    monkeypatch.setattr(show, "by_touch", lambda: False)
    rows = [{"Cases": "1,028", "p": "0.028 (smallest)"}, {"Cases": "972", "p": "1"}]
    show.frame(rows)
    assert {head: look["alignment"] for head, look in drawn["column_config"].items()} == {
        "Cases": "right",
        "p": "left",
    }
