"""A PostgreSQL server of Debian's packages for the tests, in a folder of its own, on a free port."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"
"""Who runs it if we are root, as PostgreSQL refuses to."""


def _binaries() -> Path:
    found = [Path(p).resolve().parent for p in (shutil.which("initdb"),) if p]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in found:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise RuntimeError("PostgreSQL is not installed; `make setup-system` installs it.")


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def running() -> Iterator[str]:
    """The URL of an empty database ``shares``, for as long as the context lasts."""
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    as_user = {"user": USER, "group": USER} if os.geteuid() == 0 else {}
    if as_user:
        shutil.chown(folder, USER, USER)
    binaries, data, port = _binaries(), folder / "data", _free_port()

    def run(*words: str | Path) -> None:
        subprocess.run(list(map(str, words)), check=True, capture_output=True, cwd="/", **as_user)

    try:
        run(binaries / "initdb", "-D", data, "-U", "tester", "--auth=trust", "-E", "UTF8", "--locale=C")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        run(binaries / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
        try:
            run(binaries / "createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "tester", "shares")
            yield f"postgresql://tester@127.0.0.1:{port}/shares"
        finally:
            run(binaries / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
