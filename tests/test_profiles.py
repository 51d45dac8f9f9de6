"""Examples of Hypothesis: the same with `make test`, drawn anew with `make slow` and `make hostile`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
WRONG = """
from hypothesis import given, strategies as st

@given(st.integers())
def test_all_numbers_are_small(x):
    assert abs(x) < 10**6
"""


def failed(folder: Path, *options: str) -> str:
    (folder / "test_wrong.py").write_text(WRONG, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
        *options,
        ".",
    ]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1
    return done.stdout


@pytest.mark.slow
def test_what_fails_on_fresh_examples_is_printed_so_that_it_can_be_repeated(tmp_path: Path) -> None:
    said = failed(tmp_path, "-m", "hypothesis", "--hypothesis-profile=fresh")
    assert "Failing test case: test_all_numbers_are_small" in said
    assert re.search(r"@reproduce_failure\('[\d.]+', b'.+'\)", said)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    fresh = [line for line in makefile.splitlines() if "--hypothesis-profile=fresh" in line]
    assert [re.search("-m (hostile|.*slow or hypothesis)", line) is not None for line in fresh] == [
        True,
        True,
    ]


def test_here_the_examples_are_the_same_every_time_unless_asked_otherwise(request) -> None:
    fresh = request.config.getoption("--hypothesis-profile") == "fresh"
    assert settings().derandomize != fresh
