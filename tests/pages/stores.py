"""A store of shared reports of a test's own, at a moment that stands still."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from calibcore.limits import Server
from pages.server import report_route, visitors
from pages.server.rate_limit import Guesses
from pages.ui.share import links

NOW = 1_764_000_000
"""24 November 2025, 16:00 UTC."""


@contextmanager
def store_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch, base_url: str = "") -> Iterator[None]:
    """Within, reports are kept in ``folder``, and nobody has guessed at a link yet."""
    for module in (links, report_route):
        monkeypatch.setattr(module, "SERVER", Server(folder, base_url=base_url))
    monkeypatch.setattr(report_route, "_guesses", Guesses())
    monkeypatch.setattr(report_route, "now", lambda: NOW)
    monkeypatch.setattr(visitors, "address_of_session", lambda: "192.0.2.1")
    report_route.store.cache_clear()
    yield
    report_route.store().close()
    report_route.store.cache_clear()
