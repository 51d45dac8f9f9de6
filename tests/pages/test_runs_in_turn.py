"""What a run drew last arrives, although a fragment asks for its own run at that very moment."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig, SessionClient, get_instance
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.caching.storage.dummy_cache_storage import MemoryCacheStorageManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SafeSessionState, SessionState

from pages.server import routes, streamlit_internals
from pages.work import job

SCRIPT = """
import streamlit as st
from tests.pages import test_runs_in_turn

@st.fragment(run_every=60)
def part():
    st.button("a button")

part()
test_runs_in_turn.ask_as_this_run_ends()
st.text("the last line")
"""


class Tab(SessionClient):
    """A browser that keeps what it is sent, and asks once."""

    def __init__(self, *, alone: bool) -> None:
        self.got: list[ForwardMsg] = []
        self.alone, self.asked = alone, False

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        self.got.append(msg)

    @property
    def saw(self) -> list[str]:
        """What matters here, in its order: the last line, and the ends of runs that were not cut short."""
        found = []
        for message in self.got:
            if message.delta.new_element.text.body:
                found.append(message.delta.new_element.text.body)
            elif message.WhichOneof("type") == "script_finished":
                found.append(ForwardMsg.ScriptFinishedStatus.Name(message.script_finished))
        return [one for one in found if one != "FINISHED_EARLY_FOR_RERUN"]


def ask_as_this_run_ends() -> None:
    """Called by the script: the fragment's request is next to be heard once this run is over."""
    context, runtime, runner = get_script_run_ctx(), get_instance(), threading.current_thread()
    tab = runtime.get_client(context.session_id)
    if tab.asked:
        return
    tab.asked = True
    ask = BackMsg()
    (ask.rerun_script.fragment_id,) = context.shared.new_fragment_ids.snapshot()
    ask.rerun_script.is_auto_rerun = tab.alone

    def heard() -> None:
        runner.join()
        runtime.handle_backmsg(context.session_id, ask)

    runtime._get_async_objs().eventloop.call_soon_threadsafe(heard)


async def seen(script: Path, *, alone: bool) -> list[str]:
    """What a tab sees of its first run and of what the fragment asked for."""
    (script / "page.py").write_text(SCRIPT)
    runtime = Runtime(
        RuntimeConfig(
            str(script / "page.py"),
            MemoryMediaFileStorage("/media"),
            MemoryUploadedFileManager("/upload"),
            MemoryCacheStorageManager(),
        )
    )
    await runtime.start()
    try:
        tab = Tab(alone=alone)
        session = runtime.connect_session(tab, {})
        runtime.handle_backmsg(session, BackMsg(rerun_script={}))
        for _ in range(100):
            await asyncio.sleep(0.02)
            if tab.asked and runtime.get_app_session(session)._scriptrunner is None:
                break
        await asyncio.sleep(0.1)
        return tab.saw
    finally:
        runtime.stop()
        await runtime.stopped


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    runtime, begin = Runtime._instance, AppSession._create_scriptrunner
    Runtime._instance = None
    AppSession._create_scriptrunner = getattr(begin, "__wrapped__", begin)  # type: ignore[method-assign]
    yield
    Runtime._instance, AppSession._create_scriptrunner = runtime, begin  # type: ignore[method-assign]


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.slow
def test_streamlit_itself_loses_the_end_of_the_run(tmp_path: Path, alone: bool) -> None:
    """Once this fails, Streamlit has closed the gap, and ``streamlit_internals._begin_in_turn`` can go."""
    assert asyncio.run(seen(tmp_path, alone=alone)) == ["FINISHED_FRAGMENT_RUN_SUCCESSFULLY"]


def test_a_fragment_that_asks_by_itself_waits_for_its_next_turn(tmp_path: Path) -> None:
    streamlit_internals.mend(lambda: "")
    assert asyncio.run(seen(tmp_path, alone=True)) == ["the last line", "FINISHED_SUCCESSFULLY"]


def test_a_click_at_the_end_of_a_run_draws_the_whole_page(tmp_path: Path) -> None:
    streamlit_internals.mend(lambda: "")
    streamlit_internals.mend(lambda: "")
    assert asyncio.run(seen(tmp_path, alone=False)) == ["the last line", "FINISHED_SUCCESSFULLY"]


def test_the_server_keeps_turns_from_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "_closing", threading.Event())
    monkeypatch.setattr(routes, "_warm", lambda _: None)

    async def life() -> bool:
        async with routes.lifespan(job)(cast(st.App, None)):
            return hasattr(AppSession._create_scriptrunner, "__wrapped__")

    assert asyncio.run(life())


def test_runs_of_one_tab_change_what_it_remembers_one_at_a_time() -> None:
    """An old run that cleans up and a new one that writes share a lock; another tab's run does not."""
    streamlit_internals.mend(lambda: "")
    state, other = SessionState(), SessionState()
    old, new = SafeSessionState(state, lambda: None), SafeSessionState(state, lambda: None)
    inside, wrote = threading.Event(), threading.Event()

    def write() -> None:
        inside.wait()
        new["what was clicked"] = 1
        wrote.set()

    thread = threading.Thread(target=write)
    thread.start()
    with old.query_params():  # any work under the old run's lock
        inside.set()
        assert not wrote.wait(0.2)
        SafeSessionState(other, lambda: None)["free"] = 1
    thread.join()
    assert wrote.is_set()
    assert new["what was clicked"] == 1


def test_what_was_asked_is_done_to_its_end_although_another_click_follows() -> None:
    """The run is asked to stop amid its callback, which remembers two things."""
    streamlit_internals.mend(lambda: "")

    class Stopped(Exception):
        pass

    stop = threading.Event()

    def pauses() -> None:
        if stop.is_set():
            raise Stopped

    class State(SessionState):
        def on_script_will_rerun(self, *_: object, **__: object) -> None:
            run["first"] = 1
            stop.set()
            run["second"] = 2

    run = SafeSessionState(State(), pauses)
    run.on_script_will_rerun(None)
    with pytest.raises(Stopped):
        run["third"] = 3
    stop.clear()
    assert (run["first"], run["second"]) == (1, 2)
    assert "third" not in run
