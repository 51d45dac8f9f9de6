"""Every half minute: what nobody looks at any more is forgotten, and the log says what is held."""

import asyncio
import ctypes
import gc
import logging
from dataclasses import dataclass
from pathlib import Path

from streamlit.runtime import exists, get_instance

from pages.ui import elsewhere, job, workspaces

EVERY = 30.0
"""Seconds between two rounds."""
_log = logging.getLogger("caliblens")


@dataclass(frozen=True)
class Held:
    """What the server holds in memory for people: numbers only, nothing of theirs."""

    tabs: int
    closed: int
    workspaces: int
    jobs: int
    uploaded: int

    @property
    def words(self) -> str:
        """For the log; with the memory that the process has, where the system says so."""
        return (
            f"Held: {self.tabs} open tabs, {self.closed} closed ones, {self.workspaces} workspaces, "
            f"{self.jobs} jobs, {self.uploaded} bytes of uploads; memory {resident() / 1e6:.0f} MB."
        )


async def rounds(every: float = EVERY) -> None:
    """Until the server stops; ``every`` is in seconds."""
    before: Held | None = None
    while True:
        await asyncio.sleep(every)
        try:
            held = tidied()
            await asyncio.to_thread(give_back)
            if held != before:
                _log.info(held.words)
            before = held
        except Exception:
            _log.exception("A round of upkeep failed.")


def tidied() -> Held:
    """Forget workspaces and closed tabs that are too old; what is left."""
    tabs, closed, uploaded = _of_streamlit()
    return Held(tabs, closed, workspaces.sweep(), job.under_way(), uploaded)


def _of_streamlit() -> tuple[int, int, int]:
    """Open tabs, closed ones that can come back, bytes of uploads.

    A closed tab is kept two minutes, for broken connections, but forgotten only when another one is
    closed: on a quiet server somebody's data would stay. Its manager is private, hence this one place.
    """
    if not exists():
        return 0, 0, 0
    try:
        runtime = get_instance()
        sessions = runtime._session_mgr
        kept = sessions._session_storage._cache  # type: ignore[attr-defined]
        closed = len(kept)  # a question for their number forgets those that are too old
        files = runtime._uploaded_file_mgr.file_storage  # type: ignore[attr-defined]
        uploaded = sum(len(file.data) for of in list(files.values()) for file in list(of.values()))
        return len(sessions.list_active_sessions()), closed, uploaded
    except AttributeError:
        _log.exception("Streamlit's closed tabs could not be forgotten.")
        return 0, 0, 0


def give_back() -> None:
    """A cluster that nobody works with is left, with what was sent there. What nothing refers to is freed;
    freed memory goes back to the system, where the C library can."""
    if not job.under_way():
        elsewhere.CONNECTION.close()
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not say."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * 4096 if status.exists() else 0
