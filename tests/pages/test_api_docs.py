"""The clients of docs/api.md are run as they stand there, against a server, where their interpreter is."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from pages.api import asks, callers
from pages.server.rate_limit import Guesses
from tests.documents import TEXTS
from tests.pages.programs import EVENT, serving

CLIENTS = dict(re.findall(r"^```(\w+) server\n(.*?)^```$", TEXTS["api"], flags=re.MULTILINE | re.DOTALL))
RUN = {
    "python": [sys.executable, "-c"],
    "sh": ["sh", "-c"],
    "r": ["Rscript", "-e"],
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(callers, "_asked", Guesses(10**6))
    with serving() as address:
        yield address


def has(language: str) -> bool:
    """Whether the interpreter is there, and what it needs."""
    if shutil.which(RUN[language][0]) is None:
        return False
    if language == "sh":
        return shutil.which("curl") is not None
    if language == "r":
        ready = 'quit(status = as.integer(!requireNamespace("httr2", quietly = TRUE)))'
        return subprocess.run(["Rscript", "-e", ready], check=False).returncode == 0
    return True


def test_there_is_one_in_each_language() -> None:
    assert set(CLIENTS) == set(RUN)
    assert all(len(code.splitlines()) <= 18 for code in CLIENTS.values())


@pytest.fixture
def below() -> Iterator[str]:
    """A base path, below which the server is as long as it is set."""
    before = st.get_option("server.baseUrlPath")
    st.config.set_option("server.baseUrlPath", "lens")
    yield "/lens"
    st.config.set_option("server.baseUrlPath", before)


@pytest.mark.parametrize("waited", [5.0, 0.0], ids=["at once", "as a job"])
@pytest.mark.parametrize("language", list(RUN))
@pytest.mark.some(2)
def test_a_client_gets_the_verdict(
    language: str, waited: float, server: str, below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server += below
    if not has(language):
        pytest.skip(f"There is no {RUN[language][0]} with what it needs.")
    monkeypatch.setattr(asks, "WAITED", waited)
    (tmp_path / "predictions.csv").write_text(EVENT)
    head = {"python": f"SERVER = {server!r}\n", "r": f"SERVER <- {server!r}\n"}.get(language, "")
    done = subprocess.run(
        [*RUN[language], head + CLIENTS[language]],
        cwd=tmp_path,
        env=os.environ | {"SERVER": server, "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in ("miscalibrated", "consistent", "cannot-tell")
