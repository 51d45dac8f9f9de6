"""The other side of :mod:`.apart`: the process that waits, and its children that read one file each."""

import contextlib
import ctypes
import io
import os
import pickle
import signal
import socket
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NoReturn

from calibcore.errors import InputError
from calibcore.io.all_models import models_in
from calibcore.io.epochs import read_epochs
from calibcore.io.formats import FORMATS
from calibcore.io.reader import read, read_labels
from calibcore.io.unlabelled import read_for_map, read_labels_for_map, read_pilot

_END_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG."""
COUNT = struct.Struct("<Q")
"""Before all that is sent: how many bytes, or how many parts."""
Reads = Callable[[Sequence[bytes], bytes | None, Mapping[str, Any]], Any]
READERS: Mapping[str, Reads] = {
    "read": lambda sources, labels, more: read(sources[0], labels=labels, **more),
    "read_labels": lambda sources, labels, more: read_labels(sources[0], labels=labels, **more),
    "models_in": lambda sources, labels, more: models_in(sources[0], labels=labels, **more),
    "read_epochs": lambda sources, labels, more: read_epochs(sources, labels=labels, **more),
    "read_pilot": lambda sources, labels, more: read_pilot(sources[0], labels=labels, **more),
    "read_for_map": lambda sources, _, more: read_for_map(sources[0], **more),
    "read_labels_for_map": lambda sources, labels, more: read_labels_for_map(
        sources[0], labels=labels, **more
    ),
}
"""What a child may be asked to do with files, and with one of labels."""


@dataclass(frozen=True)
class Refused:
    """An :class:`InputError` on its way: what it is made of, as it may carry more than its sentence."""

    kind: type[InputError]
    args: tuple[Any, ...]
    state: dict[str, Any]


def wait_for_files(number: int) -> None:
    """In the process that waits: a child for everybody who asks, until nobody can."""
    for module in dict.fromkeys(module for form in FORMATS.values() for module in form.modules):
        with contextlib.suppress(ImportError):  # of an extra
            import_module(module)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for its children
    with socket.socket(fileno=number) as requests:
        while True:
            message, handles, _, _ = socket.recv_fds(requests, 1, 1)
            if not message:
                return
            try:
                child = os.fork()
            except OSError:  # no room for one: who asked is told by the end of the connection
                child = -1
            if child:
                os.close(handles[0])
            else:
                requests.close()
                _serve(handles[0])


def _serve(handle: int) -> NoReturn:
    """In a child: read files as one of :data:`READERS` does, and end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with contextlib.suppress(AttributeError):  # elsewhere than on Linux
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # where memory runs out, this goes and no other
    try:
        wire = socket.socket(fileno=handle)
        wire.sendall(COUNT.pack(os.getpid()))
        stream = wire.makefile("rb")
        request = _read_all(stream)
        reader, arguments, seconds, number, with_labels = pickle.loads(request)  # noqa: S301 (the server's own)
        sources = [_read_all(stream) for _ in range(number)]
        labels = _read_all(stream) if with_labels else None
        signal.alarm(int(seconds) + 60)  # even if nobody is left to end it
        try:
            answer = READERS[reader](sources, labels, arguments)
        except InputError as error:
            answer = Refused(type(error), error.args, error.__dict__)
        buffers: list[pickle.PickleBuffer] = []
        body = io.BytesIO()
        pickle.Pickler(body, protocol=5, buffer_callback=buffers.append).dump(answer)
        parts = [body.getbuffer(), *(buffer.raw() for buffer in buffers)]
        wire.sendall(COUNT.pack(len(parts)))
        for part in parts:
            wire.sendall(COUNT.pack(part.nbytes))
            wire.sendall(part)
        stream.close()
        wire.close()
    finally:
        os._exit(0)


def _read_all(stream: IO[bytes]) -> bytes:
    size = COUNT.unpack(stream.read(COUNT.size))[0]
    data = stream.read(size)
    if len(data) < size:
        os._exit(1)
    return data
