"""A store of a test's own, in SQLite and in PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from calibcore.store import Share, Store, open_store
from calibcore.store.schema import SHARES
from tests import postgres

SHARE = Share(
    "Wine, first look", 1_000, 2_000, "f" * 64, '{"schema": 1, "name": "Ödön 葡萄"}', "<p>é 葡萄</p>"
)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.running() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = "" if request.param == "sqlite" else request.getfixturevalue("server")
    found = open_store(url, tmp_path)
    with found._engine.begin() as connection:
        connection.execute(sa.delete(SHARES))
    yield found
    found.close()
