"""A reloaded tab finds its work; nobody else does, and not for long."""

from collections.abc import Iterator

import pytest

from pages.server import sign_in, workspaces
from pages.server.workspaces import GONE, Workspaces
from pages.work.job import Job
from tests.pages.harness import Tab, begun, choose, press, said, settled, upload

TABLE = "p_yes,p_no,label\n0.8,0.2,yes\n0.3,0.7,no\n0.6,0.4,no\n0.9,0.1,yes\n"


@pytest.fixture(autouse=True)
def none_yet(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspaces]:
    found = Workspaces()
    monkeypatch.setattr(workspaces, "WORKSPACES", found)
    return found


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch) -> Tab:
    return Tab(monkeypatch)


def test_who_changes_nothing_leaves_nothing(none_yet: Workspaces, tab: Tab) -> None:
    tab.opens()
    assert tab.held == ""
    assert none_yet.sweep() == 0


def test_a_reload_finds_the_settings_and_what_was_uploaded(tab: Tab) -> None:
    app = tab.does(upload, tab.opens(), "mine.csv", TABLE)
    app = tab.does(app.switch_page("../monitor.py").run)
    app = tab.does(choose, app, "Look at", "canonical")
    assert tab.held == "model"
    again = tab.opens()
    assert "In use: mine.csv" in said(again)
    for key in ("settings", "in-use"):
        assert again.session_state[key] == app.session_state[key]
    for before, after in zip(*(a.session_state["models"].values() for a in (app, again)), strict=True):
        assert before.predictions.fingerprint == after.predictions.fingerprint


def test_a_reload_finds_the_example_that_was_chosen(tab: Tab) -> None:
    tab.does(choose, tab.opens(), "Predictions", "wine")
    assert tab.held == "settings"
    assert "In use: Wines of three growers" in said(tab.opens())


def test_what_was_removed_does_not_come_back(tab: Tab) -> None:
    app = tab.does(upload, tab.opens(), "mine.csv", TABLE)
    app = tab.does(press, tab.opens(), "Remove this model")
    again = tab.opens()
    assert not again.session_state.get("models")
    assert "mine" not in said(again).replace("'mine.csv' was removed", "")
    assert "No model is in use" in said(again)
    assert not app.exception


def test_another_name_finds_nothing_and_nothing_takes_the_place_of_what_is_gone(tab: Tab) -> None:
    tab.does(upload, tab.opens(), "mine.csv", TABLE)
    right = tab.name
    for wrong in ("", "x", right[:-1], right + "x", right.swapcase()):
        for held in ("", "settings", "model"):
            tab.name, tab.held = wrong, held
            other = tab.opens()
            assert not other.session_state.get("models")
            assert "mine" not in said(other)
            assert (GONE in said(other)) == bool(held)
            assert ("No model is in use: choose one." in said(other)) == (held == "model")
            assert ("All settings are as at the start." in said(other)) == (held == "settings")


def test_two_copies_of_a_tab_have_work_of_their_own(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    app = tab.does(upload, tab.opens(), "mine.csv", TABLE)
    copy = Tab(monkeypatch, tab.name)
    copy_app = copy.opens()
    assert "In use: mine.csv" in said(copy_app)
    copy_app = copy.does(press, copy_app, "Remove this model")
    app = tab.does(upload, app, "second.csv", TABLE.replace("yes", "ill"))
    assert list(tab.opens().session_state["models"]) == ["model-0", "model-1"]
    assert not copy.opens().session_state.get("models")
    assert list(app.session_state["models"]) == ["model-0", "model-1"]


@pytest.mark.slow
def test_a_connection_that_is_made_again_goes_on_under_its_new_name(tab: Tab, none_yet: Workspaces) -> None:
    app = tab.does(upload, tab.opens(), "mine.csv", TABLE)
    first = tab.name
    second = tab.connects()
    assert none_yet.taken(first) is not None
    app = tab.does(upload, app, "later.csv", TABLE.replace("yes", "ill"))
    assert list((none_yet.taken(first) or {})["models"]) == ["model-0"]
    assert list((none_yet.taken(second) or {})["models"]) == ["model-0", "model-1"]
    assert "In use: later.csv" in said(tab.opens())


def test_without_a_name_nothing_is_kept(tab: Tab, none_yet: Workspaces) -> None:
    app = settled(upload(begun().switch_page("../data.py").run(), "mine.csv", TABLE))
    assert "In use: mine.csv" in said(app)
    assert none_yet.sweep() == 0


def test_an_address_names_nothing(tab: Tab) -> None:
    tab.does(upload, tab.opens(), "mine.csv", TABLE)
    for parameter in ("w", "tab", workspaces.HEADER, "caliblens-tab"):
        app = begun().switch_page("../data.py")
        app.query_params[parameter] = tab.name
        tab.patch.setattr(workspaces, "_handshake", lambda: ("", ""))
        assert "mine" not in said(settled(app.run()))


def test_work_is_found_by_its_owner_only(none_yet: Workspaces) -> None:
    none_yet.keep("a" * 32, "s", {"models": {"x": 1}}, "ada")
    for other in ("", "bob"):
        none_yet.copy("a" * 32, "n" * 32, other)
        assert none_yet.taken("n" * 32, other) is None
        assert none_yet.taken("a" * 32, other) is None
    none_yet.copy("a" * 32, "n" * 32, "ada")
    assert none_yet.taken("n" * 32, "ada") == {"models": {"x": 1}}


def test_a_name_that_stands_for_something_is_not_given_away(none_yet: Workspaces) -> None:
    none_yet.keep("a" * 32, "s", {"models": {"x": 1}})
    none_yet.keep("b" * 32, "s", {"models": {"y": 2}})
    none_yet.copy("b" * 32, "a" * 32)
    assert none_yet.taken("a" * 32) == {"models": {"x": 1}}


def test_a_sign_out_empties_every_tab_of_that_person(none_yet: Workspaces) -> None:
    for name, owner in (("a", "ada"), ("b", "ada"), ("c", "bob")):
        none_yet.keep(name, "s", {"models": {"x": 1}}, owner)
    none_yet.empty("ada")
    assert none_yet.taken("a", "ada") == none_yet.taken("b", "ada") == {}
    assert none_yet.taken("c", "bob") == {"models": {"x": 1}}


def test_an_owner_is_a_person_at_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = {"iss": "https://a.org", "sub": "1", "email": "x@y.z"}
    assert sign_in.owner(ada) == ""  # where nobody signs in
    monkeypatch.setattr(type(sign_in.SERVER), "signs_in", True)
    others = ({"sub": "2"}, {"iss": "https://b.org"}, {"iss": 'https://a.org", "1'})
    assert len({sign_in.owner(ada | other) for other in ({}, *others)}) == 4
    assert sign_in.owner(ada | {"email": "new"}) == sign_in.owner(ada)


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
    clock[0] = 1_799.0
    found.left("open")  # its connection has another name now
    assert found.sweep(lambda session: session == "tab") == 1
    clock[0] = 1_800.0
    assert found.taken("open") is None
    assert found.sweep() == 0


def test_what_is_taken_is_a_copy() -> None:
    found = Workspaces()
    done, waiting = Job[int](), Job[int](begin=lambda: None)
    jobs = {"survey": {"k": done, "l": waiting}}
    found.keep("t", "s", {"models": {"a": 1}, "jobs": jobs, "in-use": "a"})
    first = found.taken("t")
    assert first is not None
    first["models"].clear()
    first["jobs"]["survey"].clear()
    found.copy("t", "u")
    second = found.taken("u")
    assert second == {"models": {"a": 1}, "jobs": {"survey": {"k": done}}, "in-use": "a"}
    assert found.taken("t") == second
