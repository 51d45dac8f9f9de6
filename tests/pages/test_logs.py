"""The log says what happened and where, and nothing that came from a user."""

import json
import logging
import sys
from collections.abc import Iterator

import pytest

from pages.server import logs

SECRET = "Patient 4711"


def _record(message: str, *words: object, error: Exception | None = None) -> logging.LogRecord:
    caught = None
    if error is not None:
        try:
            raise error
        except Exception:
            caught = sys.exc_info()
    return logging.LogRecord("caliblens", logging.ERROR, __file__, 1, message, words, caught)


def test_a_line_is_one_json_object() -> None:
    line = logs.Quiet(as_json=True).format(_record("The kernels are warm after %.2f s.", 1.5))
    found = json.loads(line)
    assert found.pop("time").endswith("+00:00")
    assert found == {
        "level": "error",
        "logger": "caliblens",
        "message": "The kernels are warm after 1.50 s.",
    }


@pytest.mark.parametrize("as_json", [True, False])
def test_an_error_is_its_kind_and_its_place_and_not_what_it_quotes(as_json: bool) -> None:
    line = logs.Quiet(as_json).format(_record("A page failed.", error=ValueError(f"no {SECRET} here")))
    assert "ValueError" in line
    assert "pages/test_logs.py:" in line
    assert SECRET not in line
    assert "\n" not in line


@pytest.mark.parametrize("as_json", [True, False])
def test_nothing_can_be_forged_into_a_line_of_its_own(as_json: bool) -> None:
    line = logs.Quiet(as_json).format(
        _record("a file\n2026 ERROR forged\r\nTraceback (most recent call last)\n x")
    )
    assert len(line.splitlines()) == 1
    assert "x" not in line.split("forged")[1]


@pytest.fixture
def kept() -> Iterator[None]:
    """The loggers as they were before."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in logs._OURS]
    loggers = [logging.getLogger(name) for name in {*names, *logs._OURS}]
    before = [(lg, lg.handlers[:], lg.propagate, lg.disabled) for lg in loggers]
    yield
    for lg, handlers, propagate, disabled in before:
        lg.handlers[:], lg.propagate, lg.disabled = handlers, propagate, disabled


@pytest.mark.usefixtures("kept")
def test_streamlit_and_its_server_write_the_same_lines(capsys: pytest.CaptureFixture[str]) -> None:
    logs.quiet()
    for name in ("caliblens", "streamlit", "streamlit.error_util", "uvicorn.error", "uvicorn.access"):
        try:
            raise RuntimeError(SECRET)
        except RuntimeError:
            logging.getLogger(name).exception("Uncaught")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["logger"] for line in lines] == [
        "caliblens",
        "streamlit",
        "streamlit.error_util",
        "uvicorn.error",
    ]
    assert SECRET not in repr(lines)


@pytest.mark.usefixtures("kept")
def test_who_connects_from_where_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("uvicorn.error")
    level = logger.level
    try:
        logs.quiet()
        logger.info('%s - "WebSocket %s" [accepted]', "192.0.2.7:4711", "/_stcore/stream")
        logger.warning("something is wrong")
    finally:
        logger.setLevel(level)
    lines = capsys.readouterr().err
    assert "192.0.2.7" not in lines
    assert "something is wrong" in lines
