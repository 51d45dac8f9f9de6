"""The server's log: a line an event, and nothing in it that came from a user."""

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType

import streamlit as st

from calibcore.limits import SERVER

Caught = tuple[type[BaseException], BaseException, TracebackType | None]


class Quiet(logging.Formatter):
    """What happened, and where: of an error its kind and its lines of code, never its message or its values.

    Messages of errors quote what was wrong, and that is somebody's data.
    """

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """One line, as JSON or to be read by people."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        found: dict[str, object] = {"time": at, "level": record.levelname.lower(), "logger": record.name}
        found["message"] = _one_line(record.getMessage())
        if record.exc_info and record.exc_info[0] is not None:
            found |= _error(record.exc_info)  # type: ignore[arg-type]
        if self._as_json:
            return json.dumps(found, ensure_ascii=False)
        error = f" [{found['error']} at {' < '.join(found['at'])}]" if "error" in found else ""  # type: ignore[arg-type]
        return f"{at} {record.levelname:<8} {record.name}: {found['message']}{error}"


def _error(caught: Caught) -> dict[str, object]:
    frames = traceback.extract_tb(caught[2])
    return {
        "error": caught[0].__qualname__,
        "at": [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in reversed(frames[-12:])],
    }


def _short(path: str) -> str:
    return "/".join(path.replace("\\", "/").split("/")[-2:])


def _one_line(text: str) -> str:
    """Without line breaks: what is forged into a message stays in its line. Tracebacks in a message go."""
    return " ".join(text.partition("Traceback (most recent call last)")[0].split())


def quiet() -> None:
    """Every logger of ours, of Streamlit and its server writes such lines to stderr; links are not logged."""
    handler = logging.StreamHandler()
    handler.setFormatter(Quiet(SERVER.log == "json"))
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _OURS]
    for name in {*names, *_OURS}:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = "." in name
    logging.getLogger("caliblens").setLevel(str(st.get_option("logger.level")).upper())
    for name in _OURS:
        logging.getLogger(name).addHandler(handler)
    logging.getLogger("uvicorn.access").disabled = True  # its lines hold the tokens of links
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # it tells who connects from where


_OURS = ("caliblens", "streamlit", "uvicorn", "asyncio", "alembic", "distributed", "tornado")
