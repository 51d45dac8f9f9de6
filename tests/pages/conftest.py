"""Sessions end with their test."""

from collections.abc import Iterator

import pytest

from tests.pages.harness import fresh_work


@pytest.fixture
def work_as_it_is() -> None:
    """For tests that patch something else than the work: it may be what another test began."""


@pytest.fixture
def no_work_is_done() -> None:
    """For tests of work under way: nobody may have done it before."""


@pytest.fixture(autouse=True)
def _no_work_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    names = request.fixturenames
    patched = "monkeypatch" in names and "work_as_it_is" not in names
    with fresh_work(patched or "no_work_is_done" in names):
        yield
