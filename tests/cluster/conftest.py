"""Clusters of processes, healthy ones and such as get hurt; none outlives its test."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibcore.cluster import Cluster, connection, link
from tests.cluster.machines import Machines


@pytest.fixture(scope="session")
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CALIBLENS_THREADS"] = "1"  # for the processes that are started from here
        yield Path(folder)


@pytest.fixture(scope="session")
def healthy(_folder: Path) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    machines = Machines(_folder)
    try:
        yield machines.start(2)
    finally:
        machines.stop()


@pytest.fixture
def cluster(healthy: str) -> Iterator[Cluster]:
    """A new connection to two workers that nobody hurts; it takes any work, however small."""
    with Cluster.at(healthy, smallest=1) as found:
        yield found


@pytest.fixture
def machines(_folder: Path) -> Iterator[Machines]:
    """For clusters that get hurt."""
    found = Machines(_folder)
    try:
        yield found
    finally:
        found.stop()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> float:
    """Work is given up sooner; the seconds."""
    for module in (link, connection):
        monkeypatch.setattr(module, "GONE", 3.0)
    return 3.0
