"""A reviewer opens the settings of a report and repeats it: whether the data and the results are the same."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import streamlit as st

from calibcore import InputError
from calibcore.assessment.rerun import Repeatable, differences, repeatable
from calibcore.store import StoreError
from calibcore.words.looking import sample_words
from calibcore.words.sharing import opened_report, repeated, same_data
from calibcore.words.texts import paragraph
from pages.server import report_route, visitors
from pages.server.budget import BUDGET, Hold
from pages.ui import looks, nav, samples, settings, state, surveyed, uploads
from pages.ui.settings import Settings
from pages.ui.show import glossary, plain

OPENED, PROBLEM = "opened-report", "opened-problem"
"""Keys of the session: the report that was opened, and why one could not be."""
MOST_MEGABYTES = 20
"""Of a report's JSON; one with many rows is larger, and is opened by its link."""
GONE = paragraph("messages", "no report")
_log = logging.getLogger("caliblens")


@dataclass(frozen=True)
class Opened:
    """A report whose settings were opened; ``taken`` once they are in use. It counts as ``hold``."""

    shared: Repeatable
    taken: bool = False
    hold: Hold | None = None

    @property
    def settings(self) -> Settings:
        """The settings that repeat its survey."""
        shared = self.shared
        spec = replace(shared.spec, binning=settings.START.binning)
        return Settings(spec, shared.two, shared.many, shared.lenses)


def opened() -> Opened | None:
    """The report that was opened last, until it is closed."""
    report: Opened | None = st.session_state.get(OPENED)
    return report


def arrive() -> None:
    """At the beginning of a run: open what the address names; settings that waited may fit now."""
    token = st.query_params.get(report_route.PARAMETER)
    if token is not None:
        del st.query_params[report_route.PARAMETER]
        open_link(token)
    report, data = opened(), state.in_use()
    if report and not report.taken and data and report.shared.fingerprint == data.predictions.fingerprint:
        take()


def open_link(link: str) -> None:
    """Open the settings of a report of this server; nothing is fetched from elsewhere."""
    try:
        share = report_route.guessed(
            lambda: report_route.store().find(report_route.token_of(link), report_route.now())
        )
    except report_route.TooManyGuesses:
        st.session_state[PROBLEM] = "Too many links that lead nowhere. Wait a minute and try again."
    except StoreError as error:
        _log.exception("A shared report could not be opened.")
        st.session_state[PROBLEM] = f"{error} Load the report's JSON file in its place."
    else:
        if share is None:
            st.session_state[PROBLEM] = GONE
        else:
            open_text(share.document)


def open_text(text: str) -> None:
    """Open a report's JSON; one that cannot be read changes nothing."""
    try:
        shared = repeatable(text)
        st.session_state[OPENED] = Opened(shared, hold=BUDGET.count(visitors.current()[0], len(text)))
    except InputError as error:
        st.session_state[PROBLEM] = str(error)
        return
    st.session_state.pop(PROBLEM, None)
    take()


def _open_file(file: uploads.Taken) -> None:
    data = file.data
    if file.refused:
        st.session_state[PROBLEM] = file.refused
    elif len(data) > MOST_MEGABYTES * 1_000_000:
        st.session_state[PROBLEM] = (
            f"The file has {len(data) / 1e6:,.0f} MB; a report's JSON has {MOST_MEGABYTES} MB at most. "
            "Open a larger one by its link."
        )
    else:
        open_text(data.decode("utf-8", "replace"))


def take() -> None:
    """Use the settings of the opened report, one step that can be undone; they wait if they do not fit."""
    report = opened()
    if report is None or state.in_use() is None:
        return
    try:
        settings.take_over(report.settings)
    except InputError:
        return
    st.session_state[OPENED] = replace(report, taken=True)


def _close() -> None:
    st.session_state.pop(OPENED, None)
    st.session_state.pop(PROBLEM, None)


def _look_at(key: str) -> None:
    state.use(key)
    take()


def _draw(key: str, n: int) -> None:
    samples.use(key, n)
    take()


@contextmanager
def banner() -> Iterator[None]:
    """On every page while a report is open: which one, whether the data and the results are its own.

    Around the page, which may bring the results that are compared.
    """
    if problem := st.session_state.get(PROBLEM):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.error(plain(problem))
            st.button("Dismiss", key="close-problem", on_click=_close_problem, type="tertiary")
    report = opened()
    if report is None or state.in_use() is None:
        yield
        return
    with st.container(border=True, key="opened-report"):
        st.markdown(f"**{plain(opened_report(report.shared))}**", help=glossary("fingerprint"))
        st.markdown(plain(same_data(report.shared, state.predictions().fingerprint)))
        place = st.empty()
        with place:
            awaited = _results(report)
        with st.container(horizontal=True, vertical_alignment="center"):
            _ways(report)
            st.button("Close", key="close-report", on_click=_close, help="The settings stay as they are.")
    yield
    if awaited and surveyed.result(state.loaded()) is not None:
        with place:
            _results(report)


def _close_problem() -> None:
    st.session_state.pop(PROBLEM, None)


def _results(report: Opened) -> bool:
    """Whether the results are the report's, in a sentence; returns whether they are still awaited."""
    data = state.loaded()
    if why := _misfit(report):
        st.markdown(f"Its settings do not fit these data and wait: {plain(why)}")
    elif not settings.same_survey(report.settings):
        st.markdown("A setting was changed, so the results are not compared with the report's.")
    elif report.shared.fingerprint == data.predictions.fingerprint:
        assessment = surveyed.result(data)
        if assessment is None:
            st.caption(
                "Open Overview to run the survey. This page then says whether the results are the same."
            )
            return True
        different = differences(report.shared, assessment)
        sentence = plain(repeated(len(assessment.verdicts), different))
        if different:
            st.warning(sentence, icon=":material/warning:")
        else:  # no green: that is the colour of a verdict
            st.info(sentence, icon=":material/check:")
    return False


def _misfit(report: Opened) -> str:
    """Why the settings cannot be used on the data in use; empty if they can."""
    try:
        settings.check(report.settings)
    except InputError as error:
        return str(error)
    return ""


def _ways(report: Opened) -> None:
    """What a reviewer can do next."""
    if not _misfit(report) and not settings.same_survey(report.settings):
        st.button("Use its settings", on_click=take, icon=":material/tune:")
    if report.shared.fingerprint == state.predictions().fingerprint:
        return
    data = _with_fingerprint(report.shared.fingerprint)
    shared, loaded = report.shared, state.loaded()
    if data is None and shared.drawn_from == loaded.predictions.n:
        words = sample_words(shared.n, loaded.noun, shared.drawn_from)
        sample = (loaded.key, shared.n)
        st.button(f"Look at the {plain(words)}", on_click=_draw, args=sample, icon=":material/casino:")
    elif data is None:
        nav.link("data", "Load the report's file")
    else:
        words = f"Look at its data: {plain(data.title, 60)}"
        st.button(words, on_click=_look_at, args=(data.key,), icon=":material/table:")


def _with_fingerprint(fingerprint: str) -> state.Loaded | None:
    """The model or example that has it."""
    known = (state.find(key) for key in state.known())
    return next((data for data in known if data and data.predictions.fingerprint == fingerprint), None)


def place() -> None:
    """Where a report's settings are opened: by its link or its JSON file."""
    st.markdown(
        "Somebody shared a report with you? Open its settings and repeat it on your copy of the data. "
        "Undo takes them back."
    )
    left, right = st.columns(2)
    turn = st.session_state.setdefault("report-turn", 0)
    file = right.file_uploader(
        "The report's JSON file", key=f"report-file-{turn}", type="json", max_upload_size=MOST_MEGABYTES
    )
    link = looks.typed(left, "The link to the report", "report-link", placeholder="https://…/r/…")
    left.button("Open its settings", on_click=open_link, args=(link,), disabled=not link.strip())
    if file is not None:
        st.session_state["report-turn"] = turn + 1
        _open_file(uploads.take(file))
        st.rerun()
