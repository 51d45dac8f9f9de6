"""What a tab holds, found again after a reload by a token in its address; for minutes, in memory only."""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from calibcore.limits import LIMITS

PARAMETER = "w"
"""Of the address."""
TOKEN_BYTES = 24
VALUES = (
    "in-use", "settings", "last-lens", "welcomed", "source", "read-last", "read-problem", "upload-turn",
    "shares", "opened-report",
)  # fmt: skip
CONTAINERS = ("models", "jobs", "settings-before")
"""Keys of the session that are kept: values that are replaced, and containers that are changed in place."""
OURS, GONE = "workspace", "workspace-gone"
"""Keys of the session: its token, and whether its address named one that is not there any more."""


@dataclass
class Workspace:
    """What a session held after its last run. ``session`` is Streamlit's name for it."""

    held: dict[str, Any]
    session: str
    seen: float


class Workspaces:
    """Workspaces by token: in memory, until nobody has looked at them for so many ``minutes``."""

    def __init__(
        self, minutes: float = LIMITS.workspace_minutes, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds, self._clock = 60 * minutes, clock
        self._kept: dict[str, Workspace] = {}
        self._lock = threading.Lock()

    def keep(self, token: str, session: str, held: dict[str, Any]) -> None:
        """Remember what a session holds now."""
        with self._lock:
            self._kept[token] = Workspace(held, session, self._clock())

    def drop(self, token: str) -> None:
        """Forget what was kept under a token."""
        with self._lock:
            self._kept.pop(token, None)

    def taken(self, token: str) -> dict[str, Any] | None:
        """What was kept under a token, as copies; None for one that never was or is too old."""
        self.sweep()
        with self._lock:
            found = self._kept.get(token)
            return None if found is None else _copied(found.held)

    def sweep(self, is_open: Callable[[str], bool] = lambda _session: False) -> int:
        """Forget what nobody has looked at; a tab that ``is_open`` looks. How many are left."""
        with self._lock:
            now = self._clock()
            for kept in self._kept.values():
                if is_open(kept.session):
                    kept.seen = now
            self._kept = {t: kept for t, kept in self._kept.items() if now - kept.seen < self._seconds}
            return len(self._kept)


WORKSPACES = Workspaces()


def _copied(held: dict[str, Any]) -> dict[str, Any]:
    """Containers of its own for every session: what one removes, another tab still has."""
    found = dict(held)
    for name in CONTAINERS:
        if name in found:
            found[name] = found[name].copy()
    if "jobs" in found:
        found["jobs"] = {kind: dict(kept) for kind, kept in found["jobs"].items()}
    return found


def resume() -> None:
    """At the beginning of a run: a new session takes up what its address names, if it is still there."""
    if OURS in st.session_state:
        return
    token = st.query_params.get(PARAMETER, "")
    found = WORKSPACES.taken(token)
    if found is None:
        st.session_state[GONE] = bool(token)
        token = secrets.token_urlsafe(TOKEN_BYTES)
    else:
        for name, value in found.items():
            st.session_state[name] = value
    st.session_state[OURS] = token


def say_if_gone() -> None:
    """Said to whoever comes back too late, until there is something again."""
    if st.session_state.get(GONE) and not st.session_state.get("models"):
        st.info(
            f"What this tab held is gone: a closed tab is remembered for {LIMITS.workspace_minutes} minutes, "
            "in memory only. Load your file again.",
            icon=":material/schedule:",
        )


def remember() -> None:
    """At the end of a run: keep what there is and name it in the address, while there is something."""
    state = st.session_state
    if not any(state.get(name) for name in ("models", "settings-before", "shares", "opened-report")):
        WORKSPACES.drop(state[OURS])  # what was removed must not come back
        if st.query_params.get(PARAMETER) == state[OURS]:
            del st.query_params[PARAMETER]
        return
    context = get_script_run_ctx()
    held = {name: state[name] for name in (*VALUES, *CONTAINERS) if name in state}
    WORKSPACES.keep(state[OURS], context.session_id if context else "", _copied(held))
    if st.query_params.get(PARAMETER) != state[OURS]:
        st.query_params[PARAMETER] = state[OURS]


def sweep() -> int:
    """Forget what nobody has looked at, tabs that are open excepted; how many are left."""
    return WORKSPACES.sweep(get_instance().is_active_session if exists() else lambda _session: False)
