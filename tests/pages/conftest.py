"""Sessions end with their test."""

from collections.abc import Iterator

import pytest

from tests.pages.harness import fresh_work


@pytest.fixture(autouse=True)
def _no_work_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    with fresh_work("monkeypatch" in request.fixturenames):
        yield
