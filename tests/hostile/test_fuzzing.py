"""Inputs that reach more and more of the code: what was reached guides what is tried next."""

from pathlib import Path

import pytest

from tests.hostile.fuzzing import fuzzed


@pytest.mark.slow
def test_some_of_everything(tmp_path: Path) -> None:
    fuzzed("any", 300, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.hostile
@pytest.mark.parametrize(("target", "runs"), [("readers", 4_000), ("documents", 2_000), ("backups", 1_000)])
def test_all(target: str, runs: int, tmp_path: Path) -> None:
    fuzzed(target, runs, tmp_path)
    assert list(tmp_path.iterdir()) == []
