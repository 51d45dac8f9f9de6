"""The only place that touches parts of Streamlit which its documentation does not name.

They are looked up where they are used. One that a new Streamlit does not have costs what :data:`PARTS` says
and nothing else; :func:`check` names it in the log as the server starts.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, wraps
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import streamlit as st

RUNTIME: Final = "streamlit.runtime:get_instance"
EXISTS: Final = "streamlit.runtime:exists"
CONTEXT: Final = "streamlit.runtime.scriptrunner:get_script_run_ctx"
COOKIE: Final = "streamlit.web.server.starlette.starlette_websocket:_get_signed_cookie_with_chunks"
MESSAGE: Final = "streamlit.proto.BackMsg_pb2:BackMsg"
BEGIN_RUN: Final = "streamlit.runtime.app_session:AppSession._create_scriptrunner"
STATE: Final = "streamlit.runtime.state:SafeSessionState"
CALLBACKS: Final = "streamlit.runtime.state:SafeSessionState.on_script_will_rerun"
DOWNLOAD: Final = "streamlit.runtime.media_file_manager:MediaFileManager.execute_deferred"
WAY_IN: Final = "streamlit.user_info:make_url_path"
FILES: Final = "streamlit.file_util:get_static_dir"
PARTS: Final = {
    RUNTIME: "closed tabs and their files are forgotten later, and the log says less",
    EXISTS: "closed tabs and their files are forgotten later, and the log says less",
    CONTEXT: "tabs of one person are not told apart, and uploads stay in memory until their tab is closed",
    COOKIE: "where people sign in, nobody can upload files or open reports",
    MESSAGE: "messages of a browser come to Streamlit unread, such as to empty the caches",
    BEGIN_RUN: "pages may stop half drawn",
    STATE: "once in some thousand clicks one may be forgotten",
    CALLBACKS: "a name that is typed just before a click may be lost",
    DOWNLOAD: "on a busy server a file that a click makes may be gone before the browser fetches it",
    WAY_IN: "behind a proxy that takes a prefix away, the sign-in is looked for outside of the prefix",
    FILES: "any address is answered by a page of the app, none by 404, and a first page comes in steps",
}
"""Module and name of each part -> what the app does without it."""
_LOCK: Final = "_lock_of_all_runs"
_log = logging.getLogger("caliblens")


def part(place: str) -> Any | None:
    """The part of Streamlit at a place "module:name"; None where this Streamlit has none."""
    module, _, name = place.partition(":")
    try:
        return attrgetter(name)(import_module(module))
    except (ImportError, AttributeError):
        return None


def check() -> None:
    """Say in the log, in a line each, which of :data:`PARTS` are missing and what that costs."""
    for place, cost in PARTS.items():
        if part(place) is None:
            _log.warning("Streamlit %s has no %s: %s.", st.__version__, place.replace(":", "."), cost)


def runtime() -> Any | None:
    """The running Streamlit; None where none runs."""
    exists, instance = part(EXISTS), part(RUNTIME)
    return instance() if exists is not None and instance is not None and exists() else None


def session_id() -> str | None:
    """Streamlit's name for the session whose page runs; None outside of pages, empty where none is known."""
    context_of = part(CONTEXT)
    if context_of is None:
        return ""
    context = context_of(suppress_warning=True)
    return None if context is None else str(context.session_id)


def is_open(session: str) -> bool:
    """Whether a browser looks at a session."""
    streamlit = runtime()
    return streamlit is not None and bool(streamlit.is_active_session(session))


def has_upload(session: str, file_id: str) -> bool:
    """Whether Streamlit still has a file that came; it has, if that cannot be known."""
    streamlit = runtime()
    return streamlit is None or bool(streamlit.uploaded_file_mgr.get_files(session, [file_id]))


def remove_upload(file_id: str) -> None:
    """Take a file of the session whose page runs out of Streamlit's store, which would keep it until a later
    session ends."""
    context_of = part(CONTEXT)
    if context_of is None:
        return  # said at the start
    try:
        context = context_of()
        context.uploaded_file_mgr.remove_file(context.session_id, file_id)
    except AttributeError:
        _log.exception("An upload could not be removed from Streamlit's store.")


def held() -> tuple[int, int, int]:
    """Open tabs, closed ones that can come back, bytes of uploads.

    A closed tab is kept two minutes, for broken connections, but forgotten only when another one is
    closed: on a quiet server somebody's data would stay. To ask how many there are forgets the old ones.
    """
    streamlit = runtime()
    if streamlit is None:
        return 0, 0, 0
    try:
        sessions = streamlit._session_mgr
        closed = len(sessions._session_storage._cache)
        files = streamlit._uploaded_file_mgr.file_storage
        uploaded = sum(len(file.data) for session in list(files.values()) for file in list(session.values()))
        return len(sessions.list_active_sessions()), closed, uploaded
    except AttributeError:
        _log.exception("Streamlit's closed tabs could not be forgotten.")
        return 0, 0, 0


def signed_cookie(cookies: dict[str, str], name: str) -> bytes | None:
    """What a cookie holds that this server has signed; None for any other."""
    read: Callable[[dict[str, str], str], bytes | None] | None = part(COOKIE)
    return None if read is None else read(cookies, name)


def page_message(data: bytes) -> Any | None:
    """A message of a browser; None for what is none."""
    from google.protobuf.message import DecodeError

    kind = part(MESSAGE)
    if kind is None:
        return None
    message = kind()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return None
    return message


@cache
def static_files() -> frozenset[str] | None:
    """The files that Streamlit's page loads, but not the page itself; None if that cannot be known."""
    folder_of = part(FILES)
    if folder_of is None:
        return None  # said at the start
    folder = Path(folder_of())
    files = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return frozenset(files) - {"index.html"}


def look_beside(app: Path) -> None:
    """Settings are read from the folder of the app, in whatever folder the server starts: so that they can be
    asked for before Streamlit knows of the app."""
    if getattr(st.config, "_main_script_path", "") is None:
        st.config._main_script_path = str(app)


def mend(prefix: Callable[[], str]) -> None:
    """Close gaps in Streamlit: see the functions below. ``prefix`` tells the path below which browsers reach
    the server."""
    _sign_in_below(prefix)
    _begin_in_turn()
    _remember_in_turn()
    _finish_callbacks()
    _keep_downloads()


def _sign_in_below(prefix: Callable[[], str]) -> None:
    """Where people sign in and out the browser is told by a path: Streamlit takes the base path for it, which
    is empty where a proxy takes a prefix away."""
    make = part(WAY_IN)
    if make is None or hasattr(make, "__wrapped__"):
        return

    @wraps(make)
    def below(_base_path: str, path: str) -> str:
        return str(make(prefix(), path))

    import_module(WAY_IN.partition(":")[0]).make_url_path = below  # type: ignore[attr-defined]


def _keep_downloads() -> None:
    """A file that a click makes stays until the page of its button runs again.

    Streamlit makes it and tells the browser its address, but counts it as nobody's: the second run of a
    page that ends, anybody's, throws it away, fetched or not. With twenty tabs that is a moment.
    So it belongs to the button's tab, beside the button.
    """
    make = part(DOWNLOAD)
    if make is None or hasattr(make, "__wrapped__"):
        return

    @wraps(make)
    def as_its_own(self: Any, button: str) -> str:
        address: str = make(self, button)
        with suppress(AttributeError, LookupError, TypeError), self._lock:
            made = self._deferred_callables[button]
            own = self._files_by_session_and_coord[made["session_id"]]
            own[f"{made['coordinates']} made"] = address.rpartition("/")[2].partition(".")[0]
        return address

    owner, _, name = DOWNLOAD.rpartition(".")
    setattr(part(owner), name, as_its_own)


def _finish_callbacks() -> None:
    """What a click or a word asks for is done to its end, although another click follows at once.

    Streamlit ends the run before a new one wherever it touches what the tab remembers: also amid a callback.
    The change then counts as told, so no later run does it: a name typed just before a click was lost.
    """
    state, begin = part(STATE), part(CALLBACKS)
    if state is None or begin is None or hasattr(begin, "__wrapped__"):
        return

    @wraps(begin)
    def to_its_end(self: Any, *given: Any, **named: Any) -> None:
        pauses = getattr(self, "_yield_callback", None)
        if pauses is None:
            begin(self, *given, **named)
            return
        pauses()  # a run that is not wanted any more ends before it begins
        object.__setattr__(self, "_yield_callback", lambda: None)
        try:
            begin(self, *given, **named)
        finally:
            object.__setattr__(self, "_yield_callback", pauses)

    state.on_script_will_rerun = to_its_end


def _remember_in_turn() -> None:
    """One lock for what a tab remembers. Without this, once in some thousand clicks one is forgotten.

    A click ends the run before it and begins a new one at once, while the old one may still be cleaning up:
    it goes through what the tab remembers and puts a shorter copy in its place. Streamlit guards it by a
    lock, but each run makes its own, so the new run writes meanwhile: its value is lost, or the old run
    breaks off ("dictionary changed size during iteration").
    """
    safe_state = part(STATE)
    if safe_state is None or hasattr(safe_state.__init__, "__wrapped__"):
        return
    begin = safe_state.__init__

    @wraps(begin)
    def with_one_lock(self: Any, state: Any, *args: Any, **named: Any) -> None:
        begin(self, state, *args, **named)
        with suppress(AttributeError, TypeError):
            # What a tab remembers has slots; the parameters of its address belong to it and take one more.
            lock = vars(state.query_params).setdefault(_LOCK, threading.RLock())
            object.__setattr__(self, "_lock", lock)

    safe_state.__init__ = with_one_lock


def _begin_in_turn() -> None:
    """Without this, once in some hundred clicks a page stops half drawn.

    A run that is done hands over what it drew last, and that it is done, a moment later. If a
    fragment's run is asked for within that moment, Streamlit begins a new runner and ignores all that
    the old one still has to say: no later run draws it, and a bar of progress asks no more. So a
    fragment that asks by itself is not answered then, as it asks again soon; a click within a fragment
    runs the whole page.
    """
    begin = part(BEGIN_RUN)
    if begin is None or hasattr(begin, "__wrapped__"):
        return

    @wraps(begin)
    def in_turn(session: Any, asked: Any) -> None:
        if getattr(session, "_scriptrunner", None) is not None and getattr(asked, "fragment_id", None):
            if getattr(asked, "is_auto_rerun", False):
                return
            asked = replace(asked, fragment_id=None)
        begin(session, asked)

    owner, _, name = BEGIN_RUN.rpartition(".")
    setattr(part(owner), name, in_turn)


def programs(names: Sequence[str]) -> list[str]:
    """Where the page finds Streamlit's programs that draw what is called so; none that is not there."""
    folder_of = part(FILES)
    if folder_of is None:
        return []
    folder = Path(folder_of())
    return [
        path.relative_to(folder).as_posix()
        for name in names
        for path in sorted((folder / "static" / "js").glob(f"{name}.*.js"))
    ]
