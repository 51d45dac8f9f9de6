"""``--server``: the same words, numbers and exit codes as on this machine, else a sentence."""

import http.server
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibcore import limits
from calibcore.remote import client
from pages.api import asks, callers
from pages.server.rate_limit import Guesses
from tests.cli.commands import run
from tests.pages.programs import EVENT, serving


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "_asked", Guesses(10**6))
    monkeypatch.setattr(asks, "_asked", {})
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "event.csv"
    path.write_text(EVENT)
    return path


TYPED: list[list[str]] = [
    ["survey"],
    ["survey", "--json", "--lens", "confidence", "--fail-if", "miscalibrated"],
    ["survey", "--format", "markdown"],
    ["groups", "--by", "site", "--format", "summary", "--resamples", "99"],
    ["diagnose", "--lens", "confidence", "--resamples", "99", "--json", "--no-shuffle"],
    ["decide", "--lens", "class:yes"],
    ["monitor", "--time", "day"],
    ["recalibrate", "--method", "temperature", "--json"],
    ["label-noise", "--lens", "confidence", "--resamples", "99"],
]


@pytest.mark.some(2)
@pytest.mark.parametrize("typed", TYPED, ids=" ".join)
def test_a_server_says_what_this_machine_says(
    typed: list[str], server: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *rest = typed
    code, here, err = run(capsys, command, table, *rest)
    said = run(capsys, command, table, *rest, "--server", f"{server}/")
    assert said == (code, here, err)


def test_what_takes_longer_is_waited_for(
    server: str, table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asks, "WAITED", 0.0)
    _, here, _ = run(capsys, "survey", table, "--json")
    assert run(capsys, "survey", table, "--json", "--server", server)[1] == here
    for _ in range(100):  # it is forgotten once it was sent
        if not asks.under_way():
            return
        time.sleep(0.02)
    raise AssertionError


def test_files_come_and_go(server: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Labels, a state and a map: those that are typed are sent, and those that are made are written."""
    state, made = table.with_name("state.json"), table.with_name("map.json")
    assert run(capsys, "monitor", table, "--time", "day", "--state", state, "--server", server)[0] == 0
    there = json.loads(state.read_text())
    state.unlink()
    assert run(capsys, "monitor", table, "--time", "day", "--state", state)[0] == 0
    assert there == json.loads(state.read_text())
    code, _, err = run(capsys, "monitor", table, "--time", "day", "--state", state, "--server", server)
    assert (code, "holds this file already" in err) == (2, True)
    words = ["recalibrate", table, "--method", "temperature", "--out", made]
    assert run(capsys, *words, "--server", server)[0] == 0
    there_made = made.read_text()
    assert run(capsys, *words)[0] == 0
    assert there_made == made.read_text()
    rows = [row.split(",") for row in EVENT.splitlines()]
    bare, labels = table.with_name("bare.csv"), table.with_name("l.csv")
    bare.write_text("\n".join(",".join(row[:2]) for row in rows))
    labels.write_text("\n".join(row[-1] for row in rows))
    code, out, _ = run(capsys, "survey", bare, "--labels", labels, "--format", "summary", "--server", server)
    assert code == 0
    _, here, _ = run(capsys, "survey", bare, "--labels", labels, "--format", "summary")
    assert out == here


@pytest.mark.slow
def test_a_sketch_is_sent_as_a_word(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", "beta:2,5", "--tolerance", "0.1", "--lens", "confidence", "--json"]
    _, here, _ = run(capsys, *words)
    assert run(capsys, *words, "--server", server) == (0, here, "")


def test_a_file_that_cannot_be_read_is_refused_with_its_flag(
    server: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_text(EVENT.replace("0.75,0.25", "0.75,oops", 1))
    _, _, here = run(capsys, "survey", table)
    assert run(capsys, "survey", table, "--server", server) == (2, "", here)
    assert "--leave-out-rows" in here


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("ftp://x", "The server is 'ftp://x'; expected https://HOST"),
        ("caliblens.example.org", "The server is 'caliblens.example.org'; expected https://HOST"),
        ("http://me:secret@127.0.0.1", "The address of the server holds a password"),
        ("http://127.0.0.1:1", "The server '127.0.0.1:1' cannot be reached: connection refused."),
    ],
)
def test_a_server_that_is_none_is_said(
    address: str, says: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "survey", table, "--server", address)
    assert (code, out) == (2, "")
    assert err.startswith(says)
    assert "secret" not in err


def test_what_no_server_is_asked_is_refused(
    server: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, says in (
        (["recalibrate", table, "--map", table, "--out", "x.csv"], "--map cannot be asked of a server"),
        (["compare", table, table, "--out", "x.pdf"], "--out cannot be asked of a server"),
        (["training", table.parent], "is a folder; name its files"),
        (["survey", table.with_name("none.csv")], "cannot be opened: no such file"),
    ):
        code, out, err = run(capsys, *words, "--server", server)
        assert (code, out) == (2, "")
        assert says in err


@contextmanager
def answering(
    status: int, body: bytes, headers: dict[str, str]
) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A server that is not ours; its address and what it was told."""
    told: list[dict[str, str]] = []

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append(dict(self.headers))
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    httpd = http.server.HTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}", told
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


ODD = b'{"error": "No.", "remedies": [1, {"words": 2}, {"words": "x", "fields": {"os": "y"}}]}'
EVIL = {"Location": "http://evil.example/"}


@pytest.mark.parametrize(
    ("status", "body", "headers", "says"),
    [
        (200, b"<html>", {}, "gave no answer of Caliblens (status 200)"),
        (200, b"[]", {}, "gave no answer of Caliblens"),
        (302, b"{}", EVIL, "says: status 302"),
        (401, b'{"error": "Say a token."}', {}, "says: Say a token. Here it is said by CALIBLENS_TOKEN."),
        (422, ODD, {}, "No."),
        (429, b'{"error": "Too many."}', {"Retry-After": "1"}, "says: Too many."),
        (500, b'{"error": 5}', {}, "says: 5"),
    ],
)
@pytest.mark.some(2)
def test_what_else_a_server_may_answer(
    status: int,
    body: bytes,
    headers: dict[str, str],
    says: str,
    table: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client.time, "sleep", lambda _: None)
    with answering(status, body, headers) as (address, told):
        code, out, err = run(capsys, "survey", table, "--server", address)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1
    assert len(told) == (client.TRIES if status == 429 else 1)


def test_a_token_is_said_and_only_to_that_server(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SERVER", replace(limits.SERVER, token="caliblens_secret"))
    with answering(200, b"{}", {}) as (other, told_other):
        elsewhere = {"Location": f"{other}/api/v1/survey"}
        with answering(307, b"{}", elsewhere) as (address, told):
            _, _, err = run(capsys, "survey", table, "--server", address)
    assert told[0]["Authorization"] == "Bearer caliblens_secret"
    assert told_other == []
    assert "caliblens_secret" not in err
