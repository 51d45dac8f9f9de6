"""What was uploaded and forgotten does not stay in memory."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.soak.client import Session
from tests.soak.people import file_of
from tests.soak.server import Server, started

MEGABYTE = 1_000_000
ABOVE = 40.0
"""Megabytes that may stay: allocators keep some, and what a first reading loads."""


async def _brought(server: Server, name: str, data: bytes) -> float:
    """The memory while the file is read and looked at; afterwards it is removed."""
    session = await Session.opened(server.address)
    await session.go("Data")
    await session.upload(name, data)
    assert name in session.said()
    assert session.errors == []
    await session.go("Learn")
    most = server.megabytes()
    await session.go("Data")
    await session.press("Remove this model")
    await session.go("Learn")
    await session.close()
    return most


def _settled(server: Server, below: float) -> float:
    """The memory after the next rounds of upkeep."""
    for _ in range(100):
        if server.megabytes() <= below:
            break
        time.sleep(1)
    return server.megabytes()


@pytest.mark.slow
def test_memory_returns_after_a_hundred_megabytes_are_forgotten(tmp_path: Path) -> None:
    small = file_of(20_000, 5, 1)
    head, _, rows = small.partition(b"\n")
    large = head + b"\n" + rows * (100 * MEGABYTE // len(rows) + 1)
    assert len(large) > 100 * MEGABYTE
    with started(tmp_path) as server:
        asyncio.run(_brought(server, "small.csv", small))
        before = server.megabytes()
        during = asyncio.run(_brought(server, "large.csv", large))
        after = _settled(server, before + ABOVE)
        print(f"before {before:.0f} MB, loaded {during:.0f} MB, after {after:.0f} MB")
        assert during > before + ABOVE  # 65 MB are held, of which most must go
        assert after <= before + ABOVE
