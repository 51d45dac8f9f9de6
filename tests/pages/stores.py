"""A store of shared reports of a test's own, at a moment that stands still."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from calibcore.limits import Server
from pages.ui import share, sharing, visitors
from pages.ui.guesses import Guesses

NOW = 1_764_000_000
"""24 November 2025, 16:00 UTC."""


@contextmanager
def store_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch, base_url: str = "") -> Iterator[None]:
    """Within, reports are kept in ``folder``, and nobody has guessed at a link yet."""
    for module in (share, sharing):
        monkeypatch.setattr(module, "SERVER", Server(folder, base_url=base_url))
    monkeypatch.setattr(sharing, "_guesses", Guesses())
    monkeypatch.setattr(sharing, "now", lambda: NOW)
    monkeypatch.setattr(visitors, "address_of_session", lambda: "192.0.2.1")
    sharing.store.cache_clear()
    yield
    sharing.store().close()
    sharing.store.cache_clear()
