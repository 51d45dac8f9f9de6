"""The server's log: a line an event, and nothing in it that came from a user."""

import json
import logging
import traceback
from datetime import UTC, datetime

import streamlit as st

from calibcore.limits import SERVER


class Quiet(logging.Formatter):
    """What happened, and where: of an error its kind and its lines of code, never its message or its values.

    Messages of errors quote what was wrong, and that is somebody's data.
    """

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """One line, as JSON or to be read by people."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": time, "level": record.levelname.lower(), "logger": record.name}
        line["message"] = _one_line(record.getMessage())
        audited: dict[str, object] = getattr(record, "audited", {})
        error, frames = _error(record)
        if self._as_json:
            more = {"error": error, "at": frames} if error else {}
            return json.dumps({**line, **audited, **more}, ensure_ascii=False)
        line["message"] = " ".join((line["message"], *(f"{name}={value}" for name, value in audited.items())))
        where = f" [{error} at {' < '.join(frames)}]" if error else ""
        return f"{time} {record.levelname:<8} {record.name}: {line['message']}{where}"


def _error(record: logging.LogRecord) -> tuple[str, list[str]]:
    """The kind of error and the lines of code that led there, the last first; nothing where there is none."""
    if not record.exc_info or record.exc_info[0] is None:
        return "", []
    frames = traceback.extract_tb(record.exc_info[2])[-12:]
    places = [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in reversed(frames)]
    return record.exc_info[0].__qualname__, places


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
    logging.getLogger("caliblens.audit").setLevel(logging.INFO)  # however little else is logged
    logging.getLogger("caliblens").setLevel(str(st.get_option("logger.level")).upper())
    for name in _OURS:
        logging.getLogger(name).addHandler(handler)
    logging.getLogger("uvicorn.access").disabled = True  # its lines hold the tokens of links
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # it tells who connects from where


_OURS = ("caliblens", "streamlit", "uvicorn", "asyncio", "alembic", "distributed", "tornado")
