"""A reloaded tab finds its work; nobody else does, and not for long."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import workspaces
from pages.ui.workspaces import PARAMETER, Workspaces
from tests.pages.harness import begun, choose, opened, press, said, settled, upload

TABLE = "p_yes,p_no,label\n0.8,0.2,yes\n0.3,0.7,no\n0.6,0.4,no\n0.9,0.1,yes\n"


@pytest.fixture(autouse=True)
def none_yet(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspaces]:
    found = Workspaces()
    monkeypatch.setattr(workspaces, "WORKSPACES", found)
    return found


def _reloaded(token: str) -> AppTest:
    """On the Data page, where no survey is begun."""
    app = begun().switch_page("../data.py")
    app.query_params[PARAMETER] = token
    return settled(app.run())


def _token(app: AppTest) -> str:
    found = app.query_params[PARAMETER]
    return found if isinstance(found, str) else found[0]


def test_who_changes_nothing_leaves_nothing(none_yet: Workspaces) -> None:
    app = opened("reliability", in_use="wine")
    assert PARAMETER not in app.query_params
    assert none_yet.sweep() == 0


def test_a_reload_finds_the_settings_and_what_was_uploaded() -> None:
    app = settled(upload(opened("data", in_use="wine"), "mine.csv", TABLE))
    app = settled(choose(app, "Look at", "canonical"))
    token = _token(app)
    again = _reloaded(token)
    assert "mine" in said(again)
    assert list(again.session_state["models"]) == list(app.session_state["models"])
    assert again.session_state["settings"] == app.session_state["settings"]
    assert again.session_state["in-use"] == app.session_state["in-use"]
    assert _token(again) == token


def test_what_was_removed_does_not_come_back(none_yet: Workspaces) -> None:
    app = settled(upload(opened("data", in_use="wine"), "mine.csv", TABLE))
    token = _token(app)
    app = settled(press(app, "Remove this model"))
    assert none_yet.sweep() == 0
    assert PARAMETER not in app.query_params
    again = _reloaded(token)
    assert not again.session_state.get("models")
    assert "mine" not in said(again)


def test_another_token_finds_nothing() -> None:
    app = settled(upload(opened("data", in_use="wine"), "mine.csv", TABLE))
    for wrong in ("", "x", _token(app)[:-1], _token(app) + "x"):
        other = _reloaded(wrong)
        assert not other.session_state.get("models")
        assert ("What this tab held is gone" in said(other)) == bool(wrong)
        assert "mine" not in said(other)


def test_a_second_tab_keeps_what_the_first_one_removes() -> None:
    app = settled(upload(opened("data", in_use="wine"), "mine.csv", TABLE))
    again = _reloaded(_token(app))
    app.session_state["models"].clear()
    assert again.session_state["models"]


def test_tokens_differ_and_are_long() -> None:
    tokens = {
        _token(settled(choose(opened("learn", in_use="wine"), "Look at", "canonical"))) for _ in range(3)
    }
    assert len(tokens) == 3
    assert min(map(len, tokens)) * 6 >= 192


def test_it_is_forgotten_after_its_minutes_and_not_while_a_tab_is_open() -> None:
    clock = [0.0]
    found = Workspaces(15, lambda: clock[0])
    found.keep("open", "tab", {"models": {"a": 1}})
    found.keep("closed", "other tab", {"models": {"b": 2}})
    clock[0] = 899.0
    assert found.taken("closed") == {"models": {"b": 2}}
    assert found.sweep(lambda session: session == "tab") == 2
    clock[0] = 900.0
    assert found.sweep(lambda session: session == "tab") == 1
    assert found.taken("closed") is None
    assert found.taken("open") is not None
    clock[0] = 1_800.0
    assert found.taken("open") is None
    assert found.sweep() == 0


def test_what_is_taken_is_a_copy() -> None:
    found = Workspaces()
    found.keep("t", "s", {"models": {"a": 1}, "jobs": {"survey": {"k": "job"}}, "in-use": "a"})
    first = found.taken("t")
    assert first is not None
    first["models"].clear()
    first["jobs"]["survey"].clear()
    assert found.taken("t") == {"models": {"a": 1}, "jobs": {"survey": {"k": "job"}}, "in-use": "a"}
