"""What a tab holds, found again after a reload by the name of the tab; for minutes, in memory only."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from calibcore.limits import LIMITS
from calibcore.words.texts import paragraph
from pages.server import sign_in, streamlit_internals

HEADER = "x-caliblens-tab"
"""In the handshake: the name that the tab takes, and what it last held: "model", "settings" or nothing."""
VALUES = (
    "in-use",
    "why-nothing",
    "settings",
    "last-lens",
    "welcomed",
    "source",
    "read-last",
    "read-problem",
    "upload-turn",
    "shares",
    "opened-report",
    "files-at-start",
    "compare-left-out",
    "compare-pair",
    "compare-waiting",
    "compare-unread",
    "run",
    "groups-by",
    "date-orders",
    "monitor-time",
    "monitor-before",
    "lessons-opened",
    "tour",
)
CONTAINERS = ("models", "jobs", "settings-before")
"""Keys of the session that are kept: values that are replaced, and containers that are changed in place."""
OURS, LOST = "workspace", "workspace-lost"
"""Keys of the session: the name of its tab, which changes with each connection; whether settings are gone."""
GONE = paragraph("messages", "session gone", minutes=LIMITS.workspace_minutes)


@dataclass
class Workspace:
    """What a session held after its last run. ``session`` is Streamlit's name for it, ``owner`` whoever
    has signed in."""

    held: dict[str, Any]
    session: str
    seen: float
    owner: str = ""


class Workspaces:
    """Workspaces by the names of tabs: in memory, until nobody has looked at them for so many ``minutes``."""

    def __init__(
        self, minutes: float = LIMITS.workspace_minutes, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds, self._clock = 60 * minutes, clock
        self._workspaces: dict[str, Workspace] = {}
        self._lock = threading.Lock()

    def keep(self, name: str, session: str, held: dict[str, Any], owner: str = "") -> None:
        """Remember what a session holds now."""
        with self._lock:
            self._workspaces[name] = Workspace(held, session, self._clock(), owner)

    def drop(self, name: str) -> None:
        """Forget what was kept under a name."""
        with self._lock:
            self._workspaces.pop(name, None)

    def copy(self, before: str, name: str, owner: str = "") -> None:
        """What was kept under one name is kept under a new one, too; its owner's only. The old stays as it
        is: another copy of the tab may know it."""
        self.sweep()
        with self._lock:
            workspace = self._workspaces.get(before)
            if workspace is not None and workspace.owner == owner and name not in self._workspaces:
                self._workspaces[name] = Workspace(_copied(workspace.held), "", self._clock(), owner)

    def goes_on(self, session: str, name: str, owner: str = "") -> bool:
        """Whether a connection may go on with a session of Streamlit's: what that holds is its owner's only,
        and theirs who know the name of its tab. The session's own name is no secret: it is part of the
        addresses to which files are sent."""
        with self._lock:
            holding = {n: w.owner for n, w in self._workspaces.items() if w.session == session}
            return not holding or holding.get(name) == owner

    def left(self, name: str) -> None:
        """No session goes by that name any more."""
        with self._lock:
            if name in self._workspaces:
                self._workspaces[name].session = ""

    def taken(self, name: str, owner: str = "") -> dict[str, Any] | None:
        """What was kept under a name, as copies; None for one that never was or is too old, or not theirs."""
        self.sweep()
        with self._lock:
            workspace = self._workspaces.get(name)
            return None if workspace is None or workspace.owner != owner else _copied(workspace.held)

    def empty(self, owner: str) -> None:
        """Forget all that somebody held, in whatever tab."""
        with self._lock:
            for workspace in self._workspaces.values():
                if workspace.owner == owner:
                    workspace.held = {}

    def sweep(self, is_open: Callable[[str], bool] = lambda _session: False) -> int:
        """Forget what nobody has looked at; a tab that ``is_open`` looks. How many are left."""
        with self._lock:
            now = self._clock()
            for workspace in self._workspaces.values():
                if is_open(workspace.session):
                    workspace.seen = now
            self._workspaces = {
                name: workspace
                for name, workspace in self._workspaces.items()
                if now - workspace.seen < self._seconds
            }
            return len(self._workspaces)


WORKSPACES = Workspaces()


def _copied(held: dict[str, Any]) -> dict[str, Any]:
    """Containers of its own for every session: what one removes, another tab still has. Work that waits to be
    asked for is nothing yet: whoever begins it begins it in that tab alone."""
    copy = dict(held)
    for name in CONTAINERS:
        if name in copy:
            copy[name] = copy[name].copy()
    if "jobs" in copy:
        copy["jobs"] = {
            kind: {key: job for key, job in of_kind.items() if not job.waits}
            for kind, of_kind in copy["jobs"].items()
        }
    return copy


def resume() -> bool:
    """At the beginning of a run: a new session takes up what its tab held, if it is still there.

    Returns whether it held a model that is gone.
    """
    name, held = _handshake()
    before = st.session_state.get(OURS)
    st.session_state[OURS] = name
    if before is not None:
        if before != name:  # the connection broke and was made again
            WORKSPACES.left(before)
        return False
    values = WORKSPACES.taken(name, _owner()) if name else None
    for key, value in (values or {}).items():
        st.session_state[key] = value
    if values is None and held and held != "model":
        st.session_state[LOST] = True
    return values is None and held == "model"


def say_if_gone() -> None:
    """Said to whoever comes back too late, until there is something again."""
    if st.session_state.get(LOST) and not _holds():
        st.info(f"{GONE} All settings are as at the start.", icon=":material/schedule:")


def remember() -> None:
    """At the end of a run: keep what there is under the name of the tab, and tell the tab that it is kept."""
    session = st.session_state
    name = session[OURS]
    if not name:
        return
    what = _holds()
    if not what:
        WORKSPACES.drop(name)  # what was removed must not come back
        return
    held = {key: session[key] for key in (*VALUES, *CONTAINERS) if key in session}
    WORKSPACES.keep(name, streamlit_internals.session_id() or "", _copied(held), _owner())
    st.html(f"<style>:root {{ --caliblens-held: {what}; }}</style>")  # read by assets/tab.js


def forget() -> None:
    """Forget what this session holds."""
    for key in (*VALUES, *CONTAINERS):
        st.session_state.pop(key, None)


def forget_all() -> None:
    """Forget what this person holds, here and in every other tab."""
    WORKSPACES.empty(_owner())
    forget()


def _handshake() -> tuple[str, str]:
    """The name of this tab and what it last held, as its page said when it connected."""
    name, _, held = str(st.context.headers.get(HEADER) or "").partition(" ")
    return name, held


def _holds() -> str:
    """What is worth coming back to."""
    session = st.session_state
    if session.get("models"):
        return "model"
    worth = ("in-use", "why-nothing", "settings-before", "shares", "opened-report", "run", "lessons-opened")
    return "settings" if any(session.get(key) for key in worth) else ""


def _owner() -> str:
    return sign_in.owner(st.user.to_dict())


def sweep() -> int:
    """Forget what nobody has looked at, tabs that are open excepted; how many are left."""
    return WORKSPACES.sweep(streamlit_internals.is_open)
