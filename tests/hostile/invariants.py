"""What holds for every input: a result or one sentence, soon, in bounded memory, and nothing beside it."""

import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from calibcore.errors import InputError

SECONDS = 5.0
MEGABYTES = 1_000
LONGEST = 1_000
"""Characters of a refusal."""
WRITES = re.compile(r"[wax+]")
DEEDS = (
    "os.mkdir", "os.rename", "os.remove", "os.link", "os.symlink", "os.system", "os.exec", "os.fork",
    "os.posix_spawn", "subprocess.Popen", "socket.connect", "socket.bind", "pickle.find_class", "shutil.",
    "webbrowser.open", "ctypes.dlopen",
)  # fmt: skip
"""Beginnings of audit events that no input may cause."""
_found: list[str] = []
_watching = False


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event == "open":
        mode, flags = arguments[1], arguments[2]
        if (isinstance(mode, str) and WRITES.search(mode)) or (isinstance(flags, int) and flags & 3):
            _found.append(f"opened {arguments[0]!r} for writing")
    elif event.startswith(DEEDS):
        _found.append(f"{event} {arguments!r:.200}")


sys.addaudithook(_hook)


@contextmanager
def nothing_beside() -> Iterator[None]:
    """No file written, no process started, no connection made, nothing unpickled, inside this."""
    global _watching
    _found.clear()
    _watching = True
    try:
        yield
    finally:
        _watching = False
    assert not _found, _found


def peak_kb() -> int:
    """The most memory that was resident since :func:`_forget_peak`; 0 where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0])


def _forget_peak() -> int:
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return peak_kb()


@contextmanager
def bounded(seconds: float = SECONDS, megabytes: float = MEGABYTES) -> Iterator[None]:
    """No longer and no more memory than this, by the processor's time of this process."""
    before, began = _forget_peak(), time.process_time()
    yield
    took, more = time.process_time() - began, (peak_kb() - before) / 1000
    assert took <= seconds, f"{took:.1f} s"
    assert more <= megabytes, f"{more:.0f} MB"


def one_sentence(message: str) -> None:
    """What a refusal looks like."""
    assert message, "nothing was said"
    assert len(message) <= LONGEST, f"{len(message)} characters: {message[:200]}"
    assert message.isprintable(), repr(message)
    assert message[-1] in ".}", message
    for place in (str(Path.cwd()), str(Path.home()), tempfile.gettempdir(), "site-packages", "Traceback"):
        assert len(place) < 2 or place not in message, message


def result_or_sentence(call: Callable[[], Any], allowed: tuple[type[Exception], ...] = (InputError,)) -> Any:
    """What ``call`` returns; None if it refused in one sentence. Any other exception goes through."""
    with bounded(), nothing_beside():
        try:
            return call()
        except allowed as error:
            one_sentence(str(error))
            return None
