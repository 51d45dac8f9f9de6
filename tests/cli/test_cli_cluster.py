"""The command line with a cluster: who is asked, what is said, and that it is left at the end."""

import logging
import socket
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from calibcore import limits
from calibcore.__main__ import main
from calibcore.cli.arguments import parser
from calibcore.cluster import Cluster
from calibcore.limits import Server
from calibcore.numerics.engine import EngineError, taking
from tests.streaming.streamed import model, write

GONE = "All workers are gone. Nothing is lost."
COMMANDS = {
    "diagnose": ["diagnose"],
    "survey": ["survey", "--lens", "confidence"],
    "figure": ["figure"],
    "report": ["report", "--lens", "confidence"],
}


class Asked:
    """A cluster that notes how much work it was offered, and does ``then`` at the first."""

    def __init__(self, then: BaseException | None) -> None:
        self.then, self.offered, self.left, self.address = then, 0, False, ""

    def __enter__(self) -> "Asked":
        return self

    def __exit__(self, *_: object) -> None:
        self.left = True

    def worth(self, cost: float) -> bool:
        self.offered += 1
        if self.then is not None:
            raise self.then
        return False


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    rows = [f"{a / 100},{(100 - a) / 200},{(100 - a) / 200},{'abc'[a % 3]}" for a in range(1, 61)]
    path.write_text("\n".join(["a,b,c,label", *rows]) + "\n")
    return path


def connected(monkeypatch: pytest.MonkeyPatch, then: BaseException | None = None) -> Asked:
    cluster = Asked(then)

    def at(address: str) -> Asked:
        cluster.address = address
        return cluster

    monkeypatch.setattr(Cluster, "at", at)
    return cluster


def run(name: str, table: Path, *more: str) -> int:
    out = ["--out", str(table.with_suffix(".pdf"))] if name in ("figure", "report") else []
    return main([*COMMANDS[name], str(table), "--resamples", "19", *out, *more])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_offers_its_work_and_leaves(
    name: str, table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cluster = connected(monkeypatch, EngineError(GONE))
    more = ("--figure", "classes") if name == "figure" else ()
    assert run(name, table, "--cluster", "tcp://here:1", *more) == 3
    assert capsys.readouterr() == ("", f"{GONE}\n")
    assert (cluster.address, cluster.left) == ("tcp://here:1", True)
    assert taking(1e15) is None
    assert not table.with_suffix(".pdf").exists()


@pytest.mark.parametrize("error", [None, KeyboardInterrupt()])
def test_it_is_left_however_the_work_ends(
    error: BaseException | None, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = connected(monkeypatch, error)
    assert run("diagnose", table, "--cluster", "tls://here:1") == (0 if error is None else 130)
    assert cluster.offered
    assert cluster.left
    assert logging.root.manager.disable == logging.NOTSET


def test_the_setting_is_the_default_and_none_overrides_it(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert parser().parse_args(["diagnose", "x"]).cluster == ""
    monkeypatch.setattr(limits, "SERVER", Server(cluster="tcp://set:1"))
    cluster = connected(monkeypatch)
    assert run("diagnose", table) == 0
    assert (cluster.address, cluster.offered > 0) == ("tcp://set:1", True)
    cluster = connected(monkeypatch)
    assert run("diagnose", table, "--cluster", "none") == 0
    assert (cluster.address, cluster.offered) == ("", 0)


def test_a_stream_stays_here_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The setting is for whoever asks for long work; only the flag is refused."""
    path, flags = write(tmp_path / "p.parquet", *model(40, 2)), ["--resamples", "9"]
    assert main(["stream", str(path), *flags, "--cluster", "tcp://here:1"]) == 2
    assert capsys.readouterr() == (
        "", "A stream is read and computed on this machine alone; leave out --cluster.\n"
    )  # fmt: skip
    monkeypatch.setattr(limits, "SERVER", Server(cluster="tcp://set:1"))
    cluster = connected(monkeypatch, EngineError(GONE))
    for here in ([], ["--cluster", "none"]):
        assert main(["stream", str(path), *flags, *here]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert "cluster" not in out
    assert (cluster.address, cluster.offered) == ("", 0)


@pytest.mark.parametrize("address", ["here:8786", "http://here:8786", "tcp://here", "tcp://:x", " "])
def test_what_is_no_address_is_said_before_the_file_is_read(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", "no-such-file.csv", "--cluster", address]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        f"The address of the cluster is {address!r}; expected tcp://HOST:PORT or tls://HOST:PORT.\n"
    )


@pytest.fixture
def closed_port() -> Iterator[int]:
    with socket.socket() as taken:  # bound and not listening: nobody answers, and nobody else gets it
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def test_a_scheduler_that_is_not_there_is_one_sentence(
    closed_port: int, table: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Cluster, "at", partial(Cluster.at, patience=0.5))
    assert run("diagnose", table, "--cluster", f"tcp://127.0.0.1:{closed_port}") == 3
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"No scheduler of a cluster answers at tcp://127.0.0.1:{closed_port} (waited")
    assert err.count("\n") == 1


def test_a_package_that_is_missing_is_named(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run("diagnose", table, "--cluster", "tcp://here:1") == 2
    assert 'pip install "caliblens[cluster]"' in capsys.readouterr().err
