"""What of Streamlit is private stands in one module, and one that is missing costs a line in the log."""

import ast
import asyncio
import logging
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import cast

import pytest
import streamlit as st
from streamlit.runtime import app_session

from pages.server import routes, sign_in, streamlit_internals, visitors
from pages.server.entry import wanted
from pages.server.streamlit_internals import PARTS
from pages.work import job
from tests.pages.harness import opened

ROOT = Path(__file__).parents[2]
PUBLIC = {"streamlit", "streamlit.delta_generator"}
"""What anybody may import: the rest of the package is Streamlit's own."""
OTHERS = sorted({*(ROOT / "pages").rglob("*.py"), ROOT / "app.py"})


def private_uses(tree: ast.AST) -> Iterator[str]:
    """Imports of Streamlit's inner modules, and private names or inner modules as attributes of ``st``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if _inner(a.name))
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module for a in node.names if _inner(node.module) or a.name.startswith("_"))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "st":
            if node.attr.startswith("_") or node.attr in ("runtime", "web", "proto", "elements", "config"):
                yield f"st.{node.attr}"
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("__import__", "import_module"):
            yield "an import by name"


def _inner(module: str) -> bool:
    return module.partition(".")[0] == "streamlit" and module not in PUBLIC


def test_nothing_else_reaches_into_streamlit() -> None:
    found = {}
    for path in OTHERS:
        uses = [
            use
            for use in private_uses(ast.parse(path.read_text(encoding="utf-8")))
            if use.startswith(("streamlit", "st.", "an import"))
        ]
        if uses:
            found[path.relative_to(ROOT).as_posix()] = uses
    assert set(found) == {"pages/server/streamlit_internals.py"}, found


@pytest.mark.parametrize(
    "code",
    [
        "import streamlit.runtime",
        "from streamlit.web import server",
        "from streamlit import _main",
        "st.runtime.get_instance()",
        "st._config",
    ],
)
def test_what_reaches_into_streamlit_is_noticed(code: str) -> None:
    assert list(private_uses(ast.parse(code)))


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.levelno >= logging.WARNING:
                lines.append(record.getMessage())

    logger = logging.getLogger("test-of-streamlit-internals")
    logger.handlers[:] = [Lines()]
    logger.propagate = False
    monkeypatch.setattr(streamlit_internals, "_log", logger)
    return lines


def _live(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's start and end."""
    monkeypatch.setattr(routes, "_warm", lambda _: None)
    monkeypatch.setattr(job, "close", lambda: None)

    async def life() -> None:
        async with routes.lifespan(job)(cast(st.App, None)):
            pass

    asyncio.run(life())


def test_this_streamlit_has_all(log: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _live(monkeypatch)
    assert log == []


@pytest.mark.parametrize("place", PARTS)
def test_without_a_part_the_app_starts_and_the_log_says_so_in_a_line(
    place: str, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, name = place.partition(":")
    owner, _, last = name.rpartition(".")
    holder = attrgetter(owner)(import_module(module)) if owner else import_module(module)
    with monkeypatch.context() as other:
        other.delattr(holder, last)
        _live(other)
        assert streamlit_internals.held() == (0, 0, 0)
        assert streamlit_internals.signed_cookie({}, sign_in.COOKIE) is None
        assert wanted(b"\xff\xff")
        assert visitors.current() == ("", "")
    missing = [line for line in log if PARTS[place] in line]
    assert missing
    assert place.replace(":", ".") in missing[0]
    children = [other for other in PARTS if other.startswith(f"{place}.")]
    assert len(log) == 1 + len(children)


def test_a_page_is_shown_where_runs_begin_in_another_way(
    log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(app_session.AppSession, "_create_scriptrunner")
    _live(monkeypatch)
    assert opened("data").title[0].value == "Your own predictions"
    (line,) = log
    assert line == (
        f"Streamlit {st.__version__} has no streamlit.runtime.app_session.AppSession._create_scriptrunner: "
        "pages may stop half drawn."
    )
