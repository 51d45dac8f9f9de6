"""The file that a command writes: its format by its ending, and one sentence where it cannot be written."""

from collections.abc import Collection
from pathlib import Path
from typing import TypeVar

from calibcore.errors import InputError

F = TypeVar("F", bound=str)


def format_of(path: str, formats: Collection[F]) -> F:
    """The one of ``formats`` that a file's ending names; :class:`InputError` for another."""
    ending = Path(path).suffix.lower().removeprefix(".")
    for format in formats:
        if format == ending:
            return format
    fault = f"ends in .{ending}" if ending else "has no ending"
    raise InputError(f"The file {path!r} {fault}; expected {', '.join('.' + name for name in formats)}.")


def write_file(path: str, made: bytes) -> None:
    """Write it, over what is there; :class:`InputError` for a path that cannot be written."""
    try:
        Path(path).write_bytes(made)
    except OSError as error:
        why = (error.strerror or "an error").lower()
        raise InputError(f"The file {path!r} cannot be written: {why}.") from error
