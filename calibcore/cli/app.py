"""``caliblens app [FILE …]``: the dashboard on this machine and for it alone, with files loaded."""

import argparse
import signal
import socket
import subprocess
import sys
from pathlib import Path

from calibcore import limits
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.numerics.progress import Progress

HELP = "the dashboard in a browser, with files loaded"
PLACE = 150
EXAMPLES = ("app predictions.csv", "app old-model.csv new-model.csv --port 8600")

HOST = "localhost"
PORT = 8501
ENDS = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end it: Ctrl+C, a request, the terminal that is closed."""
MOST_PORTS = 50
"""Ports that are tried, one after the other, where none is asked for."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    add = command.add_argument
    add("files", metavar="FILE", nargs="*", help="predictions with their labels; each is a model of its own")
    add("--port", type=int, metavar="N", help=f"default: {PORT}, or the next that is free")
    add("--no-browser", action="store_true", help="only say where the dashboard is")


def run(arguments: argparse.Namespace, _: Progress | None) -> tuple[str, int]:
    """Start the server and wait for its end; nothing to print, and its exit code.

    Raises
    ------
    InputError : a file cannot be read, the port is taken, or the dashboard is not installed.
    """
    need("The dashboard", "app")
    files = [_file(name) for name in arguments.files]
    port, script = _port(arguments.port), limits.app_path()
    command = server_command(script.name, HOST, port, headless=arguments.no_browser)
    environment = limits.environment_of_app(files)
    # It says itself where it is, once it is there. In a session of its own: Ctrl+C would break off its work,
    # with a traceback. Request to end, it closes.
    with subprocess.Popen(  # noqa: S603 (ours)
        command, cwd=script.parent, env=environment, start_new_session=True
    ) as server:
        for name in ENDS:
            signal.signal(getattr(signal, name), lambda *_: server.terminate())
        code = server.wait()
    return "", 0 if code == -signal.SIGTERM else code


def server_command(script: str, host: str, port: int, headless: bool) -> list[str]:
    """What starts the server, in the folder of its ``script``; unless ``headless`` it opens a browser."""
    flags = {
        "server.address": host,
        "server.port": port,
        "server.headless": str(headless).lower(),
        "logger.hideWelcomeMessage": "true",
        "logger.level": "error",  # the rest is for whoever runs a server
    }
    command = [sys.executable, "-m", "streamlit", "run", script]
    return command + [f"--{name}={value}" for name, value in flags.items()]


def _file(name: str) -> Path:
    """A file that can be read."""
    try:
        with Path(name).open("rb"):
            return Path(name)
    except OSError as error:
        why = (error.strerror or "an error").lower()
        raise InputError(f"The file {name!r} cannot be opened: {why}.") from None


def _port(asked: int | None) -> int:
    """The port that was asked for, else the first one that is free."""
    if asked is not None and not 1 <= asked <= 65_535:
        raise InputError(f"--port is {asked}; expected a number from 1 to 65535.")
    for port in range(PORT, PORT + MOST_PORTS) if asked is None else (asked,):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port
    if asked is not None:
        raise InputError(f"Port {asked} is taken by another program. Name another by --port.")
    raise InputError(f"The ports {PORT} to {PORT + MOST_PORTS - 1} are all taken. Name another by --port.")
