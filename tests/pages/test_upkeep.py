"""What nobody looks at any more is forgotten; the log says how much is held, and nothing of anybody's."""

import asyncio
import gc
import weakref
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from streamlit import config
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages.server import streamlit_internals, upkeep, workspaces
from pages.work import job


class Tab:
    """Stands for Streamlit's session."""

    id = "tab"


class Streamlit:
    """What of a running Streamlit is looked at."""

    def __init__(self, seconds: float) -> None:
        storage = MemorySessionStorage(ttl_seconds=seconds)  # type: ignore[arg-type]
        self._session_mgr = SimpleNamespace(_session_storage=storage, list_active_sessions=lambda: [1, 2, 3])
        self._uploaded_file_mgr = MemoryUploadedFileManager("/upload")

    def is_active_session(self, _session: str) -> bool:
        return False


@pytest.fixture
def streamlit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Streamlit]:
    found = Streamlit(0.0)
    monkeypatch.setattr(streamlit_internals, "runtime", lambda: found)
    monkeypatch.setattr(workspaces, "WORKSPACES", workspaces.Workspaces())
    return found


@pytest.mark.slow
def test_a_closed_tab_that_is_too_old_is_forgotten_without_another_one(streamlit: Streamlit) -> None:
    tab = Tab()
    gone = weakref.ref(tab)
    streamlit._session_mgr._session_storage.save(SessionInfo(None, tab))
    del tab
    gc.collect()
    assert gone() is not None
    assert upkeep.tidied(job).closed == 0
    gc.collect()
    assert gone() is None


def test_what_is_held_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Streamlit(60.0)
    found._session_mgr._session_storage.save(SessionInfo(None, Tab()))
    found._uploaded_file_mgr.add_file("tab", UploadedFileRec("1", "a.csv", "text/csv", b"12345"))
    monkeypatch.setattr(streamlit_internals, "runtime", lambda: found)
    monkeypatch.setattr(workspaces, "WORKSPACES", workspaces.Workspaces())
    workspaces.WORKSPACES.keep("token", "tab", {})
    monkeypatch.setattr(job, "under_way", lambda: 7)
    held = upkeep.tidied(job)
    assert held == upkeep.Held(3, 1, 1, 7, 5)
    assert held.words.startswith(
        "Held: 3 open tabs, 1 closed ones, 1 workspaces, 7 jobs, 5 bytes of uploads; memory "
    )


class Log:
    """What was said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def info(self, words: str) -> None:
        self.said.append(words.partition(";")[0])

    exception = info


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    found = Log()
    monkeypatch.setattr(upkeep, "_log", found)
    return found


def test_a_round_that_fails_is_logged_and_the_next_one_comes(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the same is not said twice."""
    outcomes = iter([RuntimeError(), upkeep.Held(1, 0, 0, 0, 0), upkeep.Held(1, 0, 0, 0, 0)])

    def tidied(_work: object) -> upkeep.Held:
        outcome = next(outcomes, None)
        if outcome is None:
            raise asyncio.CancelledError
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(upkeep, "tidied", tidied)
    monkeypatch.setattr(upkeep, "give_back", lambda _work: None)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(upkeep.rounds(job, 0.001))
    assert log.said == [
        "A round of upkeep failed.",
        "Held: 1 open tabs, 0 closed ones, 0 workspaces, 0 jobs, 0 bytes of uploads",
    ]


def test_another_streamlit_is_noticed_in_the_log(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit_internals, "runtime", SimpleNamespace)
    monkeypatch.setattr(streamlit_internals, "_log", log)
    assert streamlit_internals.held() == (0, 0, 0)
    assert log.said == ["Streamlit's closed tabs could not be forgotten."]


def test_memory_is_looked_through_by_upkeep_alone() -> None:
    assert config.get_option("runner.postScriptGC") is False
    assert config.get_option("logger.enableRich") is False
    upkeep.give_back(job)
    assert upkeep.resident() > 10_000_000
