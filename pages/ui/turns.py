"""A run of a part of the page does not begin before the end of the run before it has been told."""

from dataclasses import replace
from functools import wraps
from typing import Any

from streamlit.logger import get_logger
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData

_log = get_logger("caliblens")


def keep() -> None:
    """Close a gap in Streamlit: without this, once in some hundred clicks a page stops half drawn.

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
