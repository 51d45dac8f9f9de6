"""The app in Streamlit's own test harness: opened, waited for, asked."""

import re
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow
import pytest
import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

from pages.server import workspaces
from pages.ui import settings
from pages.work import job as work
from pages.work.job import Job
from tests.quick import FEW

OPENED: list[AppTest] = []
MAIN = str(Path(__file__).parents[2] / "pages" / "ui" / "main.py")
COMPILED = ScriptCache()
# As a server compiles the pages: once. The harness would compile them for every run.
local_script_runner.ScriptCache = lambda: COMPILED
_ask_until_done = local_script_runner.require_widgets_deltas


def _wait(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    """Sleep until the run is over. The harness would ask a thousand times a second."""
    runner._script_thread.join(timeout)
    _ask_until_done(runner, timeout if runner.script_stopped() else 0)


local_script_runner.require_widgets_deltas = _wait


@cache
def _components() -> BidiComponentManager:
    """As a server finds them: once. The harness would look through all packages for every session."""
    found = BidiComponentManager()
    found.discover_and_register_components(start_file_watching=False)
    return found


def begun() -> AppTest:
    """A fresh session that has not run yet."""
    app = AppTest.from_file(MAIN, default_timeout=60)
    app._bidi_component_manager = _components()
    OPENED.append(app)
    return app


class _Drawn:
    """What was done when the last run of a session began: that run showed it."""

    def __init__(self) -> None:
        self.done: dict[int, list[Job[object]]] = {}

    def note(self, app: AppTest) -> None:
        everybodys: list[Job[object]] = [*work._shared.values()]
        self.done[id(app)] = [job for job in (*_jobs(app), *everybodys) if job.future.done()]

    def all_of(self, app: AppTest) -> bool:
        """Whether nothing came while the page was drawn, and nothing is to come."""
        done = {id(job) for job in self.done.get(id(app), [])}
        return all(id(job) in done or id(job.leader) in done for job in _jobs(app) if not job.waits)


DRAWN = _Drawn()
_run_app, _expander, _popover = AppTest._run, st.expander, st.popover
UNFOLDING = threading.Event()
"""Set while pages are drawn with every fold open that makes its inside only then."""


def _noted_run(app: AppTest, *given: Any, **named: Any) -> AppTest:
    DRAWN.note(app)
    return _run_app(app, *given, **named)


def _open_expander(*given: Any, **named: Any) -> Any:
    if UNFOLDING.is_set() and named.get("on_change") == "rerun" and named["key"] not in WORK:
        st.session_state[named["key"]] = True
    return _expander(*given, **named)


def _open_popover(*given: Any, **named: Any) -> Any:
    if UNFOLDING.is_set() and named.get("on_change") == "rerun":
        st.session_state[named["key"]] = True
    return _popover(*given, **named)


AppTest._run = _noted_run  # type: ignore[method-assign]
st.expander = _open_expander
st.popover = _open_popover


def drawn_unfolded(app: AppTest) -> AppTest:
    """One run, with every fold open."""
    UNFOLDING.set()
    try:
        return app.run()
    finally:
        UNFOLDING.clear()


START = replace(settings.START, resamples=199)
"""Where a session of a test begins, as far as it is not about numbers."""
AS_PEOPLE_GET_IT: dict[str, object] = {}
QUICK: dict[str, object] = {"settings_at_first": settings.Settings(START), "effort": FEW}


def opened(page: str = "", begin: dict[str, object] = QUICK, **state: object) -> AppTest:
    """A fresh session on the start page, or on another; what is in ``state`` is there from the beginning.

    Without what it shall ``begin`` with it has fewer redraws than people get.
    """
    app = begun()
    for key, value in (begin | state).items():
        app.session_state[key.replace("_", "-")] = value
    if page:
        app.switch_page(f"../{page}.py")
    return settled(drawn_unfolded(app))


def on_page(app: AppTest, page: str) -> AppTest:
    """The session on another page, when its work is shown."""
    return settled(drawn_unfolded(app.switch_page(f"../{page}.py")))


WORK = ("fold-sensitivity", "fold-multiples")
"""Folds that begin work when they are opened."""


def unfolded(app: AppTest) -> AppTest:
    """With every fold open that makes its inside only then, so that a test sees what is in it."""
    return unfolded(drawn_unfolded(app)) if _opens_folds(app) else app


def _opens_folds(app: AppTest) -> bool:
    """Have the folds opened by the next run that are there now; whether there is any."""
    folds = [fold for fold in app.expander if fold.proto.id and fold.key not in WORK]
    closed = [fold for fold in folds if not fold.proto.expanded]
    for fold in closed:
        app.session_state[fold.key] = True
    return bool(closed)


def close_all() -> None:
    """Stop the work of every session that was opened. What was found of bundled data stays, as it does on a
    server."""
    for app in OPENED:
        for job in _jobs(app):
            job.cancel()
    OPENED.clear()
    DRAWN.done.clear()
    for name in [name for name, job in work._shared.items() if not job.ready]:
        del work._shared[name]


@contextmanager
def fresh_work(fresh: bool) -> Iterator[None]:
    """Sessions end with what is done within. A fresh one, as of a test that patches, neither finds nor leaves
    any work: what was found of bundled data before it is there again after it."""
    before = dict(work._shared)
    if fresh:
        work._shared.clear()
    yield
    close_all()
    if fresh:
        work._shared.clear()
        work._shared.update(before)


def _jobs(app: AppTest) -> list[Job[object]]:
    kept = app.session_state.get("jobs", {})
    return [job for of_kind in kept.values() for job in of_kind.values()]


def settled(app: AppTest) -> AppTest:
    """Run until the background work is shown; fails on any exception on the way, and on a table in which a
    column of numbers would be sorted as words."""
    for _ in range(2):  # what is shown may begin work that shows elsewhere on the page
        if DRAWN.all_of(app):
            break
        for job in _jobs(app):
            if not job.stop.is_set() and not job.waits:
                job.future.exception(timeout=60)
        _opens_folds(app)
        app = drawn_unfolded(app)
    app = unfolded(app)
    assert not app.exception, app.exception
    unsorted = words_for_numbers(app)
    assert not unsorted, f"sorted as words: {unsorted}"
    return app


def choose(app: AppTest, label: str, value: object) -> AppTest:
    """Choose an option by the label of its select box."""
    return next(box for box in app.selectbox if box.label == label).select(value).run()


def press(app: AppTest, label: str) -> AppTest:
    """Press a button by its label, without the marks that escape it."""
    return next(button for button in app.button if button.label.replace("\\", "") == label).click().run()


def numbers(app: AppTest) -> dict[str, str]:
    """What the metrics say."""
    return {metric.label: metric.value for metric in app.metric}


def said(app: AppTest) -> str:
    """All text on the page, without the marks that escape it and hold a p-value together."""
    parts = (
        app.title,
        app.markdown,
        app.caption,
        app.header,
        app.subheader,
        app.error,
        app.warning,
        app.info,
        app.success,
    )
    text = "\n".join(element.value for kind in parts for element in kind).replace("\\", "")
    return re.sub("p\N{NO-BREAK SPACE}([=<>≤])\N{NO-BREAK SPACE}", r"p \1 ", text)


def lens_table(app: AppTest) -> Any:
    """The survey on Overview, as a data frame."""
    return next(displayed(table) for table in app.dataframe if "Check" in table.value)


_BEGINS_WITH_A_NUMBER = re.compile(r"(?!\s)[<>≤=(]?\s?[+−-]?\d[\d,]*(\.\d+)?(?=$|[\s%)])")


def words_for_numbers(app: AppTest) -> list[str]:
    """Heads of columns all of whose cells begin with numbers, and that a click would sort as words."""
    return [
        str(head)
        for table in app.dataframe
        for head in table.value.columns
        if len(table.value)
        and all(isinstance(c, str) and _BEGINS_WITH_A_NUMBER.match(c) for c in table.value[head])
    ]


def displayed(table: Any) -> Any:
    """A table as a person reads it, as a data frame: the words without their rank."""
    words = table.proto.arrow_data.styler.display_values
    if not words:
        return table.value
    shown = pyarrow.ipc.open_stream(words).read_all().to_pandas()
    for head in table.value.columns:
        if not all(isinstance(cell, str) for cell in table.value[head]):
            shown[head] = table.value[head]
    return shown


CSV = "patient,cat,dog,fox,label\n" + "".join(
    f"p{i // 3},{a:.2f},{b:.2f},{1 - a - b:.2f},{('cat', 'dog', 'fox')[i % 3]}\n"
    for i, (a, b) in enumerate([(0.6, 0.3), (0.2, 0.5), (0.1, 0.3), (0.3, 0.3), (0.8, 0.1)] * 12)
)
"""60 cases of 20 patients in three classes."""


def upload(app: AppTest, name: str = "animals.csv", text: str = CSV, place: int = 0) -> AppTest:
    """Upload a file on the Data page; ``place`` 1 is the file of labels."""
    app.file_uploader[place].upload(name, text.encode(), "text/csv").run()
    assert not app.exception, app.exception
    return app


class Tab:
    """A tab of a browser: it takes a new name with each connection, and keeps the last one."""

    def __init__(self, patch: pytest.MonkeyPatch, name: str = "") -> None:
        self.name, self.held, self.patch = name, "", patch

    def connects(self, owner: str = "") -> str:
        """As the handshake does; the name taken."""
        before, self.name = self.name, secrets.token_urlsafe(24)
        workspaces.WORKSPACES.copy(before, self.name, owner)
        return self.name

    def does(self, what: Callable[..., AppTest], *given: object) -> AppTest:
        """Something that a person does in this tab, which then sees what it holds."""
        self.patch.setattr(workspaces, "_handshake", lambda: (self.name, self.held))
        app = settled(what(*given))
        styles = [html.proto.body for html in app.get("html")]
        self.held = next((s.split("held: ")[1].split(";")[0] for s in styles if "caliblens-held" in s), "")
        return app

    def opens(self) -> AppTest:
        """The Data page, where no survey is begun."""
        self.connects()
        return self.does(begun().switch_page("../data.py").run)
