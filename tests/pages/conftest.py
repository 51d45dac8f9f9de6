"""Sessions end with their test."""

from collections.abc import Iterator

import pytest

from tests.pages.harness import close_all


@pytest.fixture(autouse=True)
def _no_work_is_left() -> Iterator[None]:
    yield
    close_all()
