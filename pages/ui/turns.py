"""Two runs of one tab: the later does not begin before the end of the earlier has been told, and what a tab
remembers is changed by one of them at a time."""

import threading
from dataclasses import replace
from functools import wraps
from typing import Any, Final

from streamlit.logger import get_logger
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.state import SafeSessionState

_LOCK: Final = "_lock_of_all_runs"
_log = get_logger("caliblens")


def keep() -> None:
    """Close gaps in Streamlit: see the functions below."""
    _begin_in_turn()
    _remember_in_turn()
    _do_what_was_asked()


def _do_what_was_asked() -> None:
    """What a click or a word asks for is done to its end, although another click follows at once.

    Streamlit ends the run before a new one wherever it touches what the tab remembers: also amid a callback.
    The change then counts as told, so no later run does it: a name typed just before a click was lost.
    """
    begin = SafeSessionState.on_script_will_rerun
    if hasattr(begin, "__wrapped__"):
        return

    @wraps(begin)
    def to_its_end(self: Any, *given: Any, **named: Any) -> None:
        pauses = self._yield_callback
        pauses()  # a run that is not wanted any more ends before it begins
        object.__setattr__(self, "_yield_callback", lambda: None)
        try:
            begin(self, *given, **named)
        finally:
            object.__setattr__(self, "_yield_callback", pauses)

    SafeSessionState.on_script_will_rerun = to_its_end  # type: ignore[method-assign]


def _remember_in_turn() -> None:
    """One lock for what a tab remembers. Without this, once in some thousand clicks one is forgotten.

    A click ends the run before it and begins a new one at once, while the old one may still be cleaning up:
    it goes through what the tab remembers and puts a shorter copy in its place. Streamlit guards it by a
    lock, but each run makes its own, so the new run writes meanwhile: its value is lost, or the old run
    breaks off ("dictionary changed size during iteration").
    """
    begin = SafeSessionState.__init__
    if hasattr(begin, "__wrapped__"):
        return

    @wraps(begin)
    def with_one_lock(self: Any, state: Any, *others: Any, **named: Any) -> None:
        begin(self, state, *others, **named)
        # What a tab remembers has slots; the parameters of its address belong to it and take one thing more.
        object.__setattr__(self, "_lock", vars(state.query_params).setdefault(_LOCK, threading.RLock()))

    SafeSessionState.__init__ = with_one_lock  # type: ignore[method-assign]


def _begin_in_turn() -> None:
    """Without this, once in some hundred clicks a page stops half drawn.

    A run that is done hands over what it drew last, and that it is done, a moment later. If a
    fragment's run is asked for within that moment, Streamlit begins a new runner and ignores all that
    the old one still has to say: no later run draws it, and a bar of progress asks no more. So a
    fragment that asks by itself is not answered then, as it asks again soon; a click within a fragment
    runs the whole page. Streamlit begins runners by a private function, hence this one place.
    """
    begin = getattr(AppSession, "_create_scriptrunner", None)
    if begin is None:
        _log.error("Streamlit begins its runs in another way: pages may stop half drawn.")
        return
    if hasattr(begin, "__wrapped__"):
        return

    @wraps(begin)
    def in_turn(session: Any, asked: RerunData) -> None:
        if session._scriptrunner is not None and asked.fragment_id:
            if asked.is_auto_rerun:
                return
            asked = replace(asked, fragment_id=None)
        begin(session, asked)

    AppSession._create_scriptrunner = in_turn  # type: ignore[method-assign]
