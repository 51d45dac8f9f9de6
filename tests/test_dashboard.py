"""``show``: what is refused before a server is started, what it is handed, and when it ends."""

import io
import pickle
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibcore import InputError, MultiLabelPredictions, Predictions, dashboard, limits, show
from calibcore.extras import MissingExtra
from calibcore.transforms.lenses import PooledLens
from tests.cases import each

P = Predictions.from_confidence([0.9, 0.4, 0.7], [True, False, True], {"site": ["a", "b", "a"]})
SERVER = """
import sys, threading, time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

class Health(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")
    def log_message(self, *_): pass

def until_the_end():
    Path(sys.argv[2]).write_bytes(sys.stdin.buffer.read())
    server.shutdown()

server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Health)
threading.Thread(target=until_the_end).start()
server.serve_forever()
"""
"""Stands for the dashboard: says that it is well, and ends when its input does."""


def stand_in(monkeypatch: pytest.MonkeyPatch, program: str, *more: str) -> None:
    monkeypatch.setattr(
        dashboard,
        "server_command",
        lambda script, host, port, headless: [sys.executable, "-c", program, str(port), *more],
    )


def test_it_is_handed_the_predictions_and_ends_with_the_python_that_started_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # No pipe holds so many bytes.
    came, opened = tmp_path / "came", list[str]()
    stand_in(monkeypatch, SERVER, str(came))
    monkeypatch.setattr("webbrowser.open", opened.append)
    big = Predictions.from_arrays(
        np.tile([0.25, 0.75], (50_000, 1)), np.arange(50_000) % 2
    )  # no pipe holds it
    app = show({"one": P, "two": big})
    assert opened == [app.url]
    assert app.running
    assert app.url in app._repr_html_()
    server = app._server
    assert server.stdin is not None
    server.stdin.close()  # as the end of this process would
    server.wait(30)
    assert not app.running
    assert "ended" in repr(app)
    models = dashboard.received(io.BytesIO(came.read_bytes()))
    assert [(name, p.fingerprint, p.kind) for name, p in models] == [
        ("one", P.fingerprint, "confidence"),
        ("two", big.fingerprint, "probabilities"),
    ]
    assert models[0][1].metadata["site"].tolist() == ["a", "b", "a"]
    app.stop()  # once more is no error


def test_it_can_be_stopped_and_opens_no_browser_unasked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in(monkeypatch, SERVER, str(tmp_path / "came"))
    monkeypatch.setattr("webbrowser.open", lambda _: pytest.fail("opened"))
    with show(P, open_browser=False) as app:
        assert app.running
    assert not app.running
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(app.url, timeout=5)


def test_a_server_that_does_not_start_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "raise SystemExit('the port is taken')")
    with pytest.raises(InputError, match="The dashboard did not start: 'the port is taken'"):
        show(P)
    stand_in(monkeypatch, "import time; time.sleep(60)")
    monkeypatch.setattr(dashboard, "_SECONDS", 0.5)
    with pytest.raises(InputError, match="The dashboard did not start: 'it said nothing'"):
        show(P)


@each(
    ("given", "sentence"),
    [
        (lambda: np.ones((2, 2)), "There are no predictions in array("),
        (dict, "There are no predictions in {}"),
        (lambda: {"old": P, "new": 3}, "'new' is of type int; expected Predictions."),
        (lambda: PooledLens()(Predictions.from_arrays([[0.2, 0.3, 0.5]], [0])), "holds pooled pairs"),
        (lambda: {str(i): P for i in range(13)}, "There are 13 models; the dashboard holds 12."),
    ],
)
def test_what_cannot_be_shown_is_a_sentence(given: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        show(given())
    assert sentence in str(caught.value)


def test_without_the_dashboard_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "streamlit", None)
    with pytest.raises(MissingExtra, match=r"The dashboard needs the package streamlit.*caliblens\[app\]"):
        show(P)


class Odd:
    """Of no module that another process could load."""

    def __repr__(self) -> str:
        return "odd"


def test_columns_of_any_object_are_handed_over_as_text() -> None:
    given = np.array([Odd(), "a", date(2026, 1, 2)], dtype=object)
    p = Predictions.from_arrays([0.9, 0.4, 0.7], [1, 0, 1], metadata={"what": given})
    again = pickle.loads(pickle.dumps(dashboard._plain(p)))
    assert again.metadata["what"].tolist() == ["odd", "a", date(2026, 1, 2)]
    assert again.fingerprint == p.fingerprint


def test_no_module_takes_the_place_of_a_public_function() -> None:
    """One of its name does, if it is imported later than the function: all are imported here."""
    code = (
        "import calibcore, importlib, importlib.util as u, types\n"
        "names = [n for n in calibcore.__all__ if u.find_spec('calibcore.' + n)]\n"
        "for n in names: importlib.import_module('calibcore.' + n)\n"
        "print([n for n in calibcore.__all__ if isinstance(getattr(calibcore, n), types.ModuleType)])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
        check=True,
    )
    assert ran.stdout.strip() == "[]"


def test_no_other_server_waits_for_predictions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBLENS_HANDED", limits.environment_of_app([], handed=True)["CALIBLENS_HANDED"])
    assert limits.handed_from_python()
    monkeypatch.setenv("CALIBLENS_HANDED", limits.environment_of_app([])["CALIBLENS_HANDED"])
    assert not limits.handed_from_python()


def test_what_is_known_of_predictions_is_handed_over_with_them() -> None:
    """Whatever field comes: an order, whose label they are, which pairs are of a case."""
    graded = Predictions.from_arrays([[0.5, 0.3, 0.2]] * 3, [0, 1, 2], ["a", "b", "c"], ordered=True)
    several = MultiLabelPredictions.from_arrays(
        [[0.9, 0.2]] * 3, [[1, 0], [0, 1], [1, 1]], ["mass", "hernia"]
    )
    for p in (graded, several.label("mass"), several.pairs()):
        again = pickle.loads(pickle.dumps(dashboard._plain(p)))
        assert again.fingerprint == p.fingerprint
        assert (again.ordered, again.label_of, again.untested) == (p.ordered, p.label_of, p.untested)
