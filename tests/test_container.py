"""The image: what the Dockerfile promises, read from it, and its two commands run here."""

import json
import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.audit import main, permissive

ROOT = Path(__file__).parents[1]
PARTS = {"app.py", ".streamlit", "assets", "calibcore", "pages"}
PINS = ("requirements.txt", "requirements-cluster.txt")
LOCK = "requirements.lock"


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1].strip()) for line in lines if line.strip()]


ALL = instructions()
SECOND = [number for number, (word, _) in enumerate(ALL) if word == "FROM"][-1]
BUILD, FINAL = ALL[:SECOND], ALL[SECOND:]


def of(stage: list[tuple[str, str]], word: str) -> list[str]:
    return [rest for first, rest in stage if first == word]


def the(word: str) -> str:
    (rest,) = of(FINAL, word)
    return rest


def health_command() -> list[str]:
    command: list[str] = json.loads(the("HEALTHCHECK").split("CMD ", 1)[1])
    return [sys.executable, *command[1:]]


def settings() -> dict[str, dict[str, object]]:
    return tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))


def test_both_stages_stand_on_one_pinned_base() -> None:
    build, final = (rest.split(" ")[0] for rest in of(ALL, "FROM"))
    assert re.fullmatch(r"python:3\.\d+-slim-[a-z]+", final)
    assert build == final.replace("-slim", "")  # the same Python, with strip


def test_it_runs_as_a_numbered_user_that_is_not_root() -> None:
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", the("USER"))
    assert the("USER").split(":")[0] in " ".join(of(FINAL, "RUN"))


def test_the_image_holds_the_product_and_nothing_else() -> None:
    assert {source for rest in of(BUILD, "COPY") for source in rest.split()[:-1]} == PARTS | {LOCK}
    assert {rest.split()[-1] for rest in of(BUILD, "COPY") if "requirements" in rest} == {"/build/"}
    assert {tuple(rest.split()) for rest in of(FINAL, "COPY")} == {
        ("--from=build", path, path) for path in ("/opt/venv", "/opt/kernels", "/app")
    }
    assert not of(ALL, "ADD")


def test_the_build_sees_only_what_it_copies() -> None:
    text = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines[0] == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == PARTS | {LOCK}
    assert lines[-2:] == ["**/__pycache__", ".streamlit/secrets.toml"]


def test_only_wheels_of_the_pinned_requirements_are_installed() -> None:
    (install,) = re.findall(r"pip .*? install (.*?)(?:&&|$)", " && ".join(of(BUILD, "RUN")))
    assert "--only-binary=:all:" in install.split()
    assert install.split()[-3:] == ["--require-hashes", "-r", f"/build/{LOCK}"]
    pins = [line for name in PINS for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
    marked = r"[\w-]+==[\w.]+(; python_version [<>]=? \"3\.\d+\")?"
    assert all(re.fullmatch(marked, pin) for pin in pins if not pin.startswith("#"))
    assert not re.search(r"\b(apt-get|apt|curl|wget|git|gcc)\b", " ".join(of(ALL, "RUN")))
    assert "/usr/local/bin/pip*" in of(FINAL, "RUN")[0]


def locked() -> list[tuple[Requirement, list[str]]]:
    """Each package with its version and the Pythons that it is for, and the hashes of its files."""
    text = (ROOT / LOCK).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.partition(" --hash") for line in text.splitlines() if line and not line.startswith("#")]
    return [(Requirement(first), (f"{dashes}{rest}").split()) for first, dashes, rest in lines]


def here() -> dict[str, str]:
    """Package -> version, of what this Python gets."""
    needs = [need for need, _ in locked() if need.marker is None or need.marker.evaluate()]
    versions = {canonicalize_name(need.name): str(need.specifier).removeprefix("==") for need in needs}
    assert len(versions) == len(needs)
    return versions


def test_the_lock_holds_all_that_the_requirements_need_with_hashes_and_no_address() -> None:
    for need, hashes in locked():
        assert re.fullmatch(r"==[\w.]+", str(need.specifier)), need
        assert hashes, need
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", h) for h in hashes), need
    assert not re.search(r"://|--(extra-)?index|--find", (ROOT / LOCK).read_text(encoding="utf-8"))
    pins = [line for name in PINS for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
    wanted = [Requirement(pin) for pin in pins if not pin.startswith("#")]
    base, _ = of(ALL, "FROM")
    for python in ("3.11", re.findall(r"\d+\.\d+", base)[0]):
        environment = {"python_version": python, "python_full_version": f"{python}.5"}
        both = [
            {
                (canonicalize_name(need.name), str(need.specifier))
                for need in needs
                if need.marker is None or need.marker.evaluate(environment)
            }
            for needs in (wanted, [need for need, _ in locked()])
        ]
        assert both[0] <= both[1], python
        assert len({name for name, _ in both[1]}) == len(both[1]), python


def test_the_image_has_a_numpy_and_a_scipy_that_python_3_11_does_not_hold_back() -> None:
    base, _ = of(ALL, "FROM")
    python = re.findall(r"\d+\.\d+", base)[0]
    versions: dict[str, set[str]] = {"3.11": set(), python: set()}
    for need, _ in locked():
        for each, found in versions.items():
            environment = {"python_version": each, "python_full_version": f"{each}.5"}
            if need.name in ("numpy", "scipy") and (need.marker is None or need.marker.evaluate(environment)):
                found.add(str(need))
    assert not versions["3.11"] & versions[python]
    paths = set(re.findall(r"lib/python(\d+\.\d+)", " ".join(of(ALL, "RUN"))))
    assert paths == {python}


def test_the_lock_is_what_the_tests_run_on() -> None:
    """Walks what every package asks for on this platform: all of it is locked, at the installed version."""
    versions = here()
    environment = {"extra": "", "sys_platform": "linux", "platform_system": "Linux"}
    pending, seen = list(versions), set[str]()
    while pending:
        name = canonicalize_name(pending.pop())
        if name in seen:
            continue
        seen.add(name)
        assert versions[name] == version(name), name
        for text in requires(name) or []:
            need = Requirement(text)
            if need.marker is None or need.marker.evaluate(environment):
                pending.append(need.name)
    assert seen == set(versions)


@pytest.mark.parametrize(
    ("words", "fine"),
    [
        ("MIT", True),
        ("Apache-2.0 OR BSD-3-Clause", True),
        ("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", True),
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", True),
        ("Apache Software License", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only", False),
        ("MIT AND LGPL-2.1-or-later", False),
        ("AGPL-3.0", False),
        ("MPL-2.0", False),
        ("Proprietary", False),
        ("not said", False),
        ("BSD-3-Clause-No-Nuclear-Warranty", False),
        ("Apache-2.0 with Commons Clause", False),
    ],
)
def test_only_permissive_licences_need_no_reason(words: str, fine: bool) -> None:
    assert permissive(words) == fine


def test_every_licence_is_permissive_or_has_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0, capsys.readouterr().out
    assert "streamlit" in capsys.readouterr().out


def test_one_port_one_volume_and_no_look_up_of_addresses() -> None:
    server, browser = settings()["server"], settings()["browser"]
    assert the("EXPOSE") == str(server["port"])
    assert f"'127.0.0.1', {server['port']}," in health_command()[-1]
    assert the("VOLUME") == "/data"
    assert browser["serverAddress"] == "localhost"


def test_a_worker_of_a_cluster_finds_the_code_and_keeps_data_in_memory() -> None:
    variables = dict(pair.split("=", 1) for pair in the("ENV").split())
    assert variables["PYTHONPATH"] == of(FINAL, "WORKDIR")[0]
    spilling = "import dask.config, distributed; print(*map(dask.config.get, sys.argv[1:]))"
    names = ("target", "spill", "pause", "terminate")
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; {spilling}", *(f"distributed.worker.memory.{n}" for n in names)],
        env={**os.environ, **{k: v for k, v in variables.items() if k.startswith("DASK_")}},
        capture_output=True,
        text=True,
    )
    assert found.stdout.split() == ["False", "False", "0.8", "0.95"], found.stderr


def test_what_is_written_at_run_time_goes_to_tmp() -> None:
    variables = dict(pair.split("=", 1) for pair in the("ENV").split())
    for name in ("NUMBA_CACHE_DIR", "MPLCONFIGDIR"):
        assert variables[name].startswith("/tmp/")
    assert variables["OPENBLAS_NUM_THREADS"] == "1"
    assert variables["MALLOC_ARENA_MAX"] == "2"
    assert "OMP_NUM_THREADS" not in variables


@contextmanager
def answering(body: bytes) -> Iterator[int]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body if self.path == "/healthz" else b"another path")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the test's output stays clean."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.02])
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def healthy(port: int) -> bool:
    command = health_command()
    command[-1] = command[-1].replace("8501", str(port))
    return subprocess.run(command, capture_output=True, timeout=20).returncode == 0


@pytest.mark.parametrize(("body", "well"), [(b"ok", True), (b"<html>ok</html>", False), (b"", False)])
def test_the_health_check_reads_the_body(body: bytes, well: bool) -> None:
    with answering(body) as port:
        assert healthy(port) is well


def test_the_health_check_fails_without_a_server() -> None:
    with answering(b"ok") as port:
        pass
    assert not healthy(port)


@pytest.mark.parametrize("writable", [True, False])
def test_the_entry_brings_the_kernels_and_makes_way_for_the_server(tmp_path: Path, writable: bool) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made/kernel.nbi").write_text("compiled")
    if not writable:
        (tmp_path / "place").write_text("a file, so that nothing can be put below it")
    target = tmp_path / "place/kernels" if not writable else tmp_path / "kernels"
    entry = [part.replace("/opt/kernels", str(tmp_path / "made")) for part in json.loads(the("ENTRYPOINT"))]
    server = subprocess.Popen(
        [*entry, sys.executable, "-c", "import os, sys; print(os.getpid(), sys.argv[1])", "two words"],
        env={**os.environ, "NUMBA_CACHE_DIR": str(target)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    out, _ = server.communicate(timeout=20)
    assert out.strip() == f"{server.pid} two words"  # the same process: it gets the signal to stop
    assert (target / "kernel.nbi").is_file() is writable
    assert json.loads(the("CMD"))[:4] == ["python", "-m", "streamlit", "run"]
