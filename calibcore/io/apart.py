"""Reading in a process of its own, which has a time and a share of memory, and ends when it has answered.

Parsers are written in C: one that takes for ever cannot be stopped from another thread, and holds all of them
up. A clean process that has loaded the parsers and nothing else waits to be asked; for every file it forks a
child, which starts at once, knows nothing of other files and gives all its memory back.
"""

import atexit
import contextlib
import io
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

from calibcore import limits
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.io.all_models import Models
from calibcore.io.child import COUNT, READERS, Refused
from calibcore.io.epochs import Epochs
from calibcore.io.options import ReadOptions
from calibcore.io.places import LOOK, Places
from calibcore.io.reading import Reading
from calibcore.io.several_labels import LabelsReading

LARGE = 10_000_000
"""Bytes from which a file is large: of such one is read at a time."""
TIMES, SHARE = 7, 150_000_000
"""A child may take so many times what a file may unpack to, or so many bytes for a file that is not large."""
_LARGE, _SMALL = Places(1, 1), Places(3, 2)

T = TypeVar("T")
Check = Callable[[bool], None]
"""Is called some times a second, and told whether other files come first; what it raises ends the reading."""


_log = logging.getLogger("caliblens")


class _Larger(Exception):
    """A file takes more memory than its size says: it has to be read among the large ones."""


class Turn(TypedDict, total=False):
    """How a file is read apart.

    Attributes
    ----------
    options : how it is read
    check : what may end the reading
    visitor : by whom turns go round
    seconds : that it may take once its turn has come; by default what the server allows
    """

    options: ReadOptions
    check: Check
    visitor: str
    seconds: float | None


class LabelsBeside(Turn, total=False):
    """The same of files whose labels may be in one of their own, with its name."""

    labels: bytes | None
    labels_name: str | None


class WithLabels(LabelsBeside, total=False):
    """The same of one file, with its name."""

    name: str | None


def read_apart(source: bytes, **how: Unpack[WithLabels]) -> Reading:
    """As :func:`calibcore.io.read` of bytes. Takes some hundredths of a second more, in which no other
    thread is held up.

    Raises
    ------
    InputError : as :func:`calibcore.io.read`, or the file takes too long or too much memory.
    """
    return _one("read", Reading, source, how)


def read_labels_apart(source: bytes, **how: Unpack[WithLabels]) -> LabelsReading:
    """As :func:`read_apart`, of all labels of a file, as :func:`.read_labels` takes them."""
    return _one("read_labels", LabelsReading, source, how)


def models_in_apart(source: bytes, **how: Unpack[WithLabels]) -> Models:
    """As :func:`read_apart`, of all models of a file, as :func:`.models_in` takes it."""
    return _one("models_in", Models, source, how)


def read_pilot_apart(source: bytes, **how: Unpack[WithLabels]) -> Predictions:
    """As :func:`read_apart`, of predictions with outcomes or without, as :func:`.read_pilot` takes them."""
    return _one("read_pilot", Predictions, source, how)


def read_epochs_apart(
    sources: Sequence[bytes],
    *,
    names: Sequence[str],
    epoch_column: str | None = None,
    **how: Unpack[LabelsBeside],
) -> Epochs:
    """As :func:`read_apart`, of the files of a training run, as :func:`.read_epochs` takes them."""
    second = {"labels_name": how.get("labels_name"), "epoch_column": epoch_column}
    answer = _apart("read_epochs", sources, how.get("labels"), {"names": list(names), **second}, how)
    assert isinstance(answer, Epochs)
    return answer


def read_for_map_apart(
    source: bytes, class_names: tuple[str, ...], *, name: str, **turn: Unpack[Turn]
) -> tuple[Predictions, bool]:
    """As :func:`read_apart`, of predictions that a map is applied to, as :func:`.read_for_map` takes them."""
    arguments = {"class_names": class_names, "name": name}
    predictions, labelled = _apart("read_for_map", [source], None, arguments, turn)
    assert isinstance(predictions, Predictions)
    return predictions, bool(labelled)


def read_labels_for_map_apart(
    source: bytes, label_names: tuple[str, ...], **how: Unpack[WithLabels]
) -> tuple[MultiLabelPredictions, bool]:
    """As :func:`read_apart`, of several labels that maps are applied to, as :func:`.read_labels_for_map`."""
    named = {"name": how.get("name"), "labels_name": how.get("labels_name")}
    arguments = {"label_names": label_names, **named}
    cases, known = _apart("read_labels_for_map", [source], how.get("labels"), arguments, how)
    assert isinstance(cases, MultiLabelPredictions)
    return cases, bool(known)


def _one(reader: str, kind: type[T], source: bytes, how: WithLabels) -> T:
    """What a reader of one file makes of it."""
    arguments = {"name": how.get("name"), "labels_name": how.get("labels_name")}
    answer = _apart(reader, [source], how.get("labels"), arguments, how)
    assert isinstance(answer, kind)
    return answer


def _apart(
    reader: str,
    sources: Sequence[bytes],
    labels: bytes | None,
    arguments: Mapping[str, Any],
    turn: Turn,
) -> Any:
    """What the function ``reader`` makes of files, in a child where there can be one."""
    arguments = {**arguments, "options": turn.get("options", ReadOptions())}
    if not hasattr(os, "fork"):
        return READERS[reader](sources, labels, arguments)
    given, check, visitor = turn.get("seconds"), turn.get("check", _never), turn.get("visitor", "")
    seconds = limits.LIMITS.read_seconds if given is None else given
    request = pickle.dumps((reader, arguments, seconds, len(sources), labels is not None), protocol=5)
    parts = (request, *sources, *(() if labels is None else (labels,)))
    large = sum(map(len, sources)) + len(labels or b"") > LARGE
    while True:
        try:
            with (_LARGE if large else _SMALL).one(visitor, lambda: check(True)):
                answer = _answer(parts, seconds, check, large)
            break
        except _Larger:
            large = True
    if not isinstance(answer, Refused):
        return answer
    error: InputError = answer.kind.__new__(answer.kind, *answer.args)
    error.args = answer.args
    error.__dict__.update(answer.state)
    raise error


def _never(_: bool) -> None:
    """The check that ends no reading."""


def warm() -> None:
    """Have the process wait that will read, so that the first file need not."""
    if hasattr(os, "fork"):
        with contextlib.suppress(InputError):  # the log says why
            _child().close()


def _answer(parts: tuple[bytes, ...], seconds: float, check: Check, large: bool) -> Any:
    until = time.monotonic() + seconds
    most = TIMES * limits.LIMITS.max_unpacked_mb * 1_000_000 if large else SHARE
    with _child() as wire:
        wire.settimeout(LOOK)
        pid = at_first = 0

        def look() -> None:
            check(False)
            if time.monotonic() > until:
                raise InputError(
                    f"Reading the file took more than {seconds:,.0f} seconds, the most that this server "
                    "allows. Use fewer cases or columns, or another format: Parquet is read fastest."
                )
            if pid and _resident(pid) - at_first > most:
                if not large:
                    raise _Larger
                raise InputError(
                    "Reading the file needs more memory than this server allows. Use fewer cases or columns."
                )

        try:
            pid = _number(wire, look)
            at_first = _resident(pid)
            for part in parts:
                _send(wire, part, look)
            body, *buffers = [_part(wire, most, look) for _ in range(_number(wire, look))]
        except (EOFError, ConnectionError):
            raise InputError(
                "The file could not be read: most likely it needs more memory than there is. Use fewer cases "
                "or columns."
            ) from None
        except BaseException:
            if pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            raise
    return _AnswerUnpickler(
        io.BytesIO(body), buffers=[memoryview(buffer).toreadonly() for buffer in buffers]
    ).load()


def _child() -> socket.socket:
    try:
        return _NURSERY.child()
    except OSError as error:
        _log.error("No process can be started to read a file: %s.", error.strerror)
        raise InputError(
            "The file cannot be read now: the server has no room for it. Choose it again in a minute."
        ) from None


def _send(wire: socket.socket, part: bytes, look: Callable[[], None]) -> None:
    for left in (memoryview(COUNT.pack(len(part))), memoryview(part)):
        while left:
            try:
                left = left[wire.send(left) :]
            except TimeoutError:
                look()


def _receive(wire: socket.socket, size: int, look: Callable[[], None]) -> bytearray:
    data = bytearray(size)
    left = memoryview(data)
    while left:
        try:
            number = wire.recv_into(left)
        except TimeoutError:
            look()
            continue
        if not number:
            raise EOFError
        left = left[number:]
    return data


def _number(wire: socket.socket, look: Callable[[], None]) -> int:
    return int(COUNT.unpack(_receive(wire, COUNT.size, look))[0])


def _part(wire: socket.socket, most: int, look: Callable[[], None]) -> bytearray:
    size = _number(wire, look)
    if size > most:
        raise EOFError  # no child of ours answers so
    return _receive(wire, size, look)


def _resident(pid: int) -> int:
    """Bytes of memory of a process; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
    except (OSError, IndexError):
        return 0


_PLAIN = {
    ("builtins", "set"), ("builtins", "frozenset"), ("builtins", "complex"), ("builtins", "slice"),
    ("numpy", "ndarray"), ("numpy", "dtype"), ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"), ("numpy._core.numeric", "_frombuffer"), ("decimal", "Decimal"),
    ("datetime", "datetime"), ("datetime", "date"), ("datetime", "time"), ("datetime", "timedelta"),
    ("datetime", "timezone"),
}  # fmt: skip


class _AnswerUnpickler(pickle.Unpickler):
    """Takes what Caliblens makes and nothing else, in case somebody's file made the child its own."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        if module.startswith("calibcore.") and name.isidentifier() and module in sys.modules:
            value = getattr(sys.modules[module], name)
            if isinstance(value, type) and value.__module__ == module:
                return value
        raise pickle.UnpicklingError(f"{module}.{name}")


# The process that waits ------------------------------------------------------------------------------------


@contextlib.contextmanager
def _closed_on_failure(wire: socket.socket) -> Iterator[None]:
    try:
        yield
    except BaseException:
        wire.close()
        raise


class _Nursery:
    """Starts the process that waits when it is first needed, and anew if it has ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._wire: socket.socket | None = None

    def child(self) -> socket.socket:
        """A connection to a new child. Raises OSError if no process can be started."""
        near, far = socket.socketpair()
        with far, self._lock, _closed_on_failure(near):
            try:
                socket.send_fds(self._waiting_process(), [b"."], [far.fileno()])
            except OSError:  # it has ended
                self.stop()
                socket.send_fds(self._waiting_process(), [b"."], [far.fileno()])
        return near

    def _waiting_process(self) -> socket.socket:
        if self._wire is None or self._process is None or self._process.poll() is not None:
            self._wire = self._start()
        return self._wire

    def _start(self) -> socket.socket:
        self.stop()
        near, far = socket.socketpair()
        home = str(Path(__file__).parents[2])
        code = f"import sys; sys.path[:0] = [{home!r}]; from calibcore.io.child import wait_for_files as wait"
        command = [sys.executable, "-c", f"{code}; wait({far.fileno()})"]
        with far, _closed_on_failure(near):
            self._process = subprocess.Popen(command, pass_fds=[far.fileno()], stdin=subprocess.DEVNULL)  # noqa: S603
        return near

    def stop(self) -> None:
        """It ends as nobody can ask it any more."""
        if self._wire is not None:
            self._wire.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._wire = self._process = None


_NURSERY = _Nursery()
atexit.register(_NURSERY.stop)
