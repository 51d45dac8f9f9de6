"""Every half minute: what nobody looks at any more is forgotten, and the log says what is held."""

import asyncio
import ctypes
import gc
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pages.server import streamlit_internals, workspaces

EVERY = 30.0
"""Seconds between two rounds."""
_log = logging.getLogger("caliblens")


class Work(Protocol):
    """The long work of everybody, as far as the server has to do with it."""

    def under_way(self) -> int:
        """How many pieces of it are at work or wait."""
        ...

    def in_line(self) -> tuple[int, int]:
        """How many of them are at work, and how many wait."""
        ...

    def release(self) -> None:
        """Leave what is held for work, where nobody works."""
        ...

    def close(self) -> None:
        """End it, as the server ends."""
        ...


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


async def rounds(work: Work, every: float = EVERY) -> None:
    """Until the server stops; ``every`` is in seconds."""
    before: Held | None = None
    while True:
        await asyncio.sleep(every)
        try:
            held = tidied(work)
            await asyncio.to_thread(give_back, work)
            if held != before:
                _log.info(held.words)
            before = held
        except Exception:
            _log.exception("A round of upkeep failed.")


def tidied(work: Work) -> Held:
    """Forget workspaces and closed tabs that are too old; what is left."""
    tabs, closed, uploaded = streamlit_internals.held()
    return Held(tabs, closed, workspaces.sweep(), work.under_way(), uploaded)


def give_back(work: Work) -> None:
    """What the long work holds in vain is let go. What nothing refers to is freed; freed memory goes back to
    the system, where the C library can."""
    work.release()
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not say."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * 4096 if status.exists() else 0
