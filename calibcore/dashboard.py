"""Predictions in memory -> the dashboard: a server of their own on this machine, handed over by a pipe."""

import atexit
import pickle
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from calibcore import limits
from calibcore.cli.app import server_command
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.extras import need

HOST = "127.0.0.1"
MOST = 12
"""Models that a tab of the dashboard holds."""
_SECONDS = 120.0
"""A server that has not answered by then does not start: on a busy machine it takes some ten."""
_ENDS = 10.0
_PLAIN = (str, int, float, bool, date, type(None))


class Dashboard:
    """A dashboard that :func:`show` started. In a notebook it is its link.

    url : where it is, for this machine alone
    """

    def __init__(self, url: str, server: "subprocess.Popen[bytes]") -> None:
        self.url = url
        self._server = server
        atexit.register(self.stop)

    @property
    def running(self) -> bool:
        """Whether it still answers."""
        return self._server.poll() is None

    def stop(self) -> None:
        """End it. It ends by itself with the Python that started it."""
        atexit.unregister(self.stop)
        self._server.terminate()
        try:
            self._server.wait(_ENDS)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        if self._server.stdin is not None:  # not before: whoever still writes to it would be waited for
            with suppress(OSError):
                self._server.stdin.close()

    def wait(self) -> None:
        """Until it ends: a script that shows something would end it at its own end."""
        self._server.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"Dashboard({self.url!r}{'' if self.running else ', ended'})"

    def _repr_html_(self) -> str:
        if not self.running:
            return "The dashboard has ended."
        return f'<a href="{self.url}" target="_blank" rel="noopener">Open the dashboard: {self.url}</a>'


def show(
    predictions: Predictions | Mapping[str, Predictions],
    *,
    open_browser: bool = True,
) -> Dashboard:
    """Open the dashboard on predictions in memory. Cost: some seconds until its server answers.

    The server is a process of its own, at an address of this machine that nobody else reaches. It is handed
    the predictions through a pipe, so nothing is written to disk, and it ends with this Python.

    predictions : one model's, or several by their names
    open_browser : whether a browser is opened; a notebook prints the link in any case

    Raises
    ------
    InputError : no predictions; more than 12 models; the server does not start. Of it
        :class:`~calibcore.extras.MissingExtra` where the dashboard is not installed.

    Examples
    --------
    >>> from calibcore import Predictions, show
    >>> p = Predictions.from_predictions([1, 0, 1], [0.9, 0.2, 0.7])
    >>> with show(p, open_browser=False) as app:  # doctest: +SKIP
    ...     print(app.url)
    http://127.0.0.1:45671
    """
    models = _models(predictions)
    need("The dashboard", "app")
    try:
        handed = pickle.dumps([(name, _plain(p)) for name, p in models.items()])
    except Exception as error:  # whatever stands in somebody's columns
        raise InputError(f"The predictions cannot be handed to the dashboard: {shown(str(error))}.") from None
    with tempfile.TemporaryFile() as log:  # of which the server has a handle of its own
        made = _started(handed, log)
    if _in_a_notebook():
        print(f"Caliblens is at {made.url}, for this machine alone.")
    if open_browser:
        webbrowser.open(made.url)
    return made


def _started(handed: bytes, log: Any) -> Dashboard:
    """A server that answers."""
    port, script = _free_port(), limits.app_path()
    url = f"http://{HOST}:{port}"
    # In a session of its own: Ctrl+C, by which a notebook breaks off a cell, is not meant for it.
    server = subprocess.Popen(  # noqa: S603 (ours)
        server_command(script.name, HOST, port, headless=True),
        cwd=script.parent,
        env=limits.environment_of_app([], handed=True),
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert server.stdin is not None
    # It reads them as it starts: until then this waits, as a pipe holds little.
    threading.Thread(target=_hand, args=(server.stdin, handed), daemon=True).start()
    made = Dashboard(url, server)
    try:
        _wait_until_it_answers(url, server, log)
    except BaseException:
        made.stop()
        raise
    return made


def received(stream: BinaryIO) -> list[tuple[str, Predictions]]:
    """What :func:`show` hands over, read in the server from the pipe between both, once.

    Only the process that started this one holds its other end: it could run anything here anyway.
    """
    models: list[tuple[str, Predictions]] = pickle.load(stream)  # noqa: S301
    return models


def _models(given: Any) -> dict[str, Predictions]:
    models = {"Predictions": given} if isinstance(given, Predictions) else given
    if not isinstance(models, Mapping) or not models:
        raise InputError(
            f"There are no predictions in {shown(given)}; expected Predictions, or some by name."
        )
    for name, p in models.items():
        if not isinstance(p, Predictions):
            raise InputError(f"{shown(name)} is of type {type(p).__name__}; expected Predictions.")
        if p.pooled_from is not None:
            raise InputError(f"{shown(name)} holds pooled pairs; show the predictions that were pooled.")
    if len(models) > MOST:
        raise InputError(f"There are {len(models):,} models; the dashboard holds {MOST}.")
    return {str(name): p for name, p in models.items()}


def _plain(p: Predictions) -> Predictions:
    """The same with columns that a process knows which has loaded nothing else: other objects as text."""
    columns = {name: _plain_column(column) for name, column in p.metadata.items()}
    return replace(p, metadata=columns)


def _plain_column(column: NDArray[Any]) -> NDArray[Any]:
    if column.dtype.kind != "O" or all(type(value) in _PLAIN for value in column):
        return column
    return np.array([value if type(value) in _PLAIN else str(value) for value in column], dtype=object)


def _hand(pipe: Any, handed: bytes) -> None:
    """And leave the pipe open: its end tells the server that this Python has ended."""
    with suppress(OSError, ValueError):  # the server ended, or was stopped, before
        pipe.write(handed)
        pipe.flush()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _wait_until_it_answers(url: str, server: "subprocess.Popen[bytes]", log: Any) -> None:
    last = time.monotonic() + _SECONDS
    while server.poll() is None and time.monotonic() < last:
        with suppress(OSError), urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:  # noqa: S310 (ours)
            if answer.read() == b"ok":
                return
        time.sleep(0.1)
    log.seek(0)
    lines = log.read().decode(errors="replace").split("\n")
    why = next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
    raise InputError(f"The dashboard did not start: {shown(why, 300)}.")


def _in_a_notebook() -> bool:
    """Whether a kernel runs this, which has a page to print to."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
