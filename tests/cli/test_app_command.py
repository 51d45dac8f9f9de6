"""``caliblens app``: what is refused before a server is started, and what the server is told."""

import json
import socket
from pathlib import Path

import pytest

from calibcore import limits
from calibcore.__main__ import main
from calibcore.cli.app import HOST, PORT, _port

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere.csv"], "The file 'nowhere.csv' cannot be opened: no such file or directory."),
        (["."], "The file '.' cannot be opened: is a directory."),
        (["--port", "0"], "--port is 0; expected a number from 1 to 65535."),
        (["--port", "70000"], "--port is 70000; expected a number from 1 to 65535."),
    ],
)
def test_what_cannot_be_is_one_sentence(
    words: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["app", *words]) == 2
    assert capsys.readouterr() == ("", f"{sentence}\n")


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["app", "--port", str(port)]) == 2
        assert capsys.readouterr().err == (
            f"Port {port} is taken by another program. Name another by --port.\n"
        )
    assert _port(port) == port
    assert _port(None) >= PORT


def test_the_server_finds_files_and_folder_wherever_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CALIBLENS_DATA", "reports")
    for asked, log in (("", "text"), ("json", "json")):
        monkeypatch.setenv("CALIBLENS_LOG", asked)
        told = limits.environment_of_app([Path("a b.csv"), tmp_path / "c.csv"])
        assert json.loads(told["CALIBLENS_FILES"]) == [str(tmp_path / "a b.csv"), str(tmp_path / "c.csv")]
        assert (told["CALIBLENS_DATA"], told["CALIBLENS_LOG"]) == (str(tmp_path / "reports"), log)
    monkeypatch.setenv("CALIBLENS_FILES", told["CALIBLENS_FILES"])
    assert limits.files_at_start() == (tmp_path / "a b.csv", tmp_path / "c.csv")
    assert limits.app_path() == ROOT / "app.py"
