"""What `calibcore.show` hands over is what a tab begins with."""

import io
import os
import pickle
import signal
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibcore import Predictions, limits
from calibcore.words.repeating import IN_PYTHON
from pages.server import handed
from pages.ui.data import files_at_start
from tests.pages.harness import begun, said
from tests.pages.test_files_at_start import given, in_use, titles

RNG = np.random.default_rng(0)
CHANCE = RNG.uniform(size=200).round(2)
P = Predictions.from_arrays(
    CHANCE, RNG.uniform(size=200) < CHANCE, ["well", "ill"], {"site": ["a", "b"] * 100}
)


def test_they_are_read_once_and_the_server_ends_with_whoever_started_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = threading.Event()
    monkeypatch.setattr(os, "kill", lambda pid, number: ended.set() if number == signal.SIGTERM else None)
    monkeypatch.setattr(handed, "_MODELS", [])
    handed.receive()  # started otherwise: its input is not read
    assert handed.models() == ()
    monkeypatch.setenv("CALIBLENS_HANDED", limits.environment_of_app([], handed=True)["CALIBLENS_HANDED"])
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(pickle.dumps([("forest", P)]))))
    handed.receive()
    ((name, p),) = handed.models()
    assert (name, p.fingerprint) == ("forest", P.fingerprint)
    assert ended.wait(30)


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where the server listens; a test may change it."""
    place, option = ["127.0.0.1"], files_at_start.st.get_option
    monkeypatch.setattr(
        files_at_start.st, "get_option", lambda name: place[0] if name == "server.address" else option(name)
    )
    monkeypatch.setattr(handed, "_MODELS", [("forest", P), ("forest again", P[::2])])
    return place


@pytest.mark.usefixtures("address")
def test_the_first_is_in_use_and_no_file_is_said_to_have_been_read() -> None:
    app = begun().run()
    assert not app.exception
    assert titles(app) == ["forest", "forest again"]
    assert in_use(app) == "forest"
    model: Any = app.session_state["models"]["handed-0"]
    assert (model.origin, model.uploaded, model.reading) == (IN_PYTHON, True, None)
    assert model.predictions.fingerprint == P.fingerprint
    app.switch_page("../data.py").run()
    assert not app.exception
    text = said(app)
    assert "These predictions were made in Python" in text
    assert "200 cases" in text
    assert "'ill', the second class" in text
    assert "How the file was read" not in text


def test_nobody_else_is_shown_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: list[str]
) -> None:
    address[0] = "0.0.0.0"
    given(tmp_path, monkeypatch)
    app = begun().switch_page("../data.py").run()
    assert "models" not in app.session_state or titles(app) == []
    assert app.session_state[files_at_start.WAITING] == ()
