"""Predictions that ``calibcore.show`` hands to the server that it starts, through the pipe between both."""

import os
import signal
import sys
import threading

from calibcore import Predictions
from calibcore.dashboard import received
from calibcore.limits import handed_from_python

_MODELS: list[tuple[str, Predictions]] = []


def receive() -> None:
    """As the server starts, read what it is handed; it ends with the Python that started it."""
    if not handed_from_python() or _MODELS:
        return
    pipe = sys.stdin.buffer
    _MODELS.extend(received(pipe))

    def until_the_other_end_is_closed() -> None:
        pipe.read()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=until_the_other_end_is_closed, name="starter", daemon=True).start()


def models() -> tuple[tuple[str, Predictions], ...]:
    """Names and predictions; none where this server was started otherwise."""
    return tuple(_MODELS)
