"""`caliblens app FILE …`: what a tab begins with."""

import json
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from calibcore import limits
from calibcore.cli.app import HOST
from pages.ui import state
from pages.ui.data import files_at_start
from tests.pages.harness import CSV, Tab, begun, press, said
from tests.pages.test_mending import table

ODD = table((3, 2, "0.45"))
"""A row of it does not sum to 1."""


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where the server listens; a test may change it."""
    place, option = [HOST], st.get_option
    monkeypatch.setattr(
        files_at_start.st, "get_option", lambda name: place[0] if name == "server.address" else option(name)
    )
    return place


def given(folder: Path, monkeypatch: pytest.MonkeyPatch, **texts: str) -> list[Path]:
    """The files, which the server is given as the command gives them."""
    paths = [folder / f"{name}.csv" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text)
    monkeypatch.chdir(folder)
    environment = limits.environment_of_app([Path(path.name) for path in paths])
    monkeypatch.setenv("CALIBLENS_FILES", environment["CALIBLENS_FILES"])
    return paths


def titles(app: AppTest) -> list[str]:
    return [model.title for model in app.session_state["models"].values()]


def in_use(app: AppTest) -> str:
    found: str = app.session_state["models"][app.session_state[state.IN_USE]].title
    return found


@pytest.mark.usefixtures("address")
def test_a_question_about_one_file_is_asked_and_the_rest_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(tmp_path, monkeypatch, first=CSV, odd=ODD, last=CSV)
    app = begun().run()
    assert not app.exception
    assert titles(app) == ["first.csv"]
    assert "sums to 0.95" in said(app)
    assert "odd.csv is not used. The pages still show: first.csv." in said(app)
    app = press(app, "Divide every row by its sum").run()
    assert not app.exception
    assert titles(app) == ["first.csv", "odd.csv", "last.csv"]
    assert in_use(app) == "odd.csv"  # which was just spoken of
    assert app.session_state[files_at_start.WAITING] == ()


@pytest.mark.usefixtures("address")
def test_the_first_file_is_looked_at_and_what_was_removed_stays_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(tmp_path, monkeypatch, first=CSV, last=CSV)
    tab = Tab(monkeypatch)
    app = tab.opens()
    assert titles(app) == ["first.csv", "last.csv"]
    assert in_use(app) == "first.csv"
    tab.does(press, app, "Remove this model")
    app = tab.opens()  # anew
    assert titles(app) == ["last.csv"]
    assert titles(Tab(monkeypatch).opens()) == ["first.csv", "last.csv"]


@pytest.mark.usefixtures("address")
def test_a_file_that_has_gone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, _ = given(tmp_path, monkeypatch, gone=CSV, there=CSV)
    gone.unlink()
    app = begun().run()
    assert not app.exception
    assert "gone.csv cannot be opened: no such file or directory." in said(app)
    assert titles(app) == ["there.csv"]


def test_others_are_not_shown_the_files_of_whoever_starts_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: list[str]
) -> None:
    given(tmp_path, monkeypatch, first=CSV)
    address[0] = "0.0.0.0"
    app = begun().switch_page("../data.py").run()
    assert "models" not in app.session_state or titles(app) == []
    assert json.loads(limits.environment_of_app([])["CALIBLENS_FILES"]) == []
