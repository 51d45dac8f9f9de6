"""How monitoring goes on: from a state that was saved, or with next month's file."""

from dataclasses import dataclass, replace

import streamlit as st

from calibcore import InputError
from calibcore.errors import NoLabelsError
from calibcore.io import ReadOptions
from calibcore.questions.monitor import Monitoring
from calibcore.wording import count
from calibcore.words.looking import name_among
from calibcore.words.texts import paragraph
from pages.server import visitors
from pages.server.budget import BUDGET, Hold
from pages.ui import dates, nav, saving, settings, show, state, uploads
from pages.ui.data import reading
from pages.ui.data.file_reading import read
from pages.ui.monitor import order
from pages.ui.show import plain

BEFORE, WAITING, PROBLEM = "monitor-before", "monitor-waiting", "monitor-problem"
"""Keys of the session: the key of a model -> :class:`Before`; a file that is not read yet; why one could not
be taken."""
MOST_MEGABYTES = 64
IN_MEMORY = 4
"""Bytes that a state takes for each byte of its text, with hashes of many units as without any."""
NEXT, SAVED = "monitor-next", "monitor-saved"
"""Keys of the widgets."""


ONE_GROUP = paragraph("messages", "one group")


@dataclass(frozen=True, eq=False)
class Before:
    """What a model goes on from, and what that is called; of a file it counts as long as this lives."""

    state: Monitoring
    title: str
    hold: Hold | None = None


@dataclass(frozen=True, eq=False)
class Waiting:
    """A file that came: next month's predictions, after what was found in the model ``data``."""

    source: uploads.Source
    monitoring: Monitoring
    data: state.Loaded


@dataclass(frozen=True, eq=False)
class Problem:
    """Why a file was not taken; one of predictions can be answered for on the Data page."""

    why: str
    source: uploads.Source | None = None


def before(data: state.Loaded) -> Before | None:
    """What the model in use goes on from, if anything."""
    all_before: dict[str, Before] = st.session_state.get(BEFORE, {})
    return all_before.get(data.key)


def _keep(key: str, before: Before | None) -> None:
    rest = {k: v for k, v in st.session_state.get(BEFORE, {}).items() if k != key and state.find(k)}
    st.session_state[BEFORE] = rest if before is None else {**rest, key: before}
    st.session_state.pop(PROBLEM, None)


def draw(monitoring: Monitoring | None, data: state.Loaded) -> None:
    """The state to be saved, and what can be added: next month's file where something was ``monitoring``."""
    show.fold("Go on with the next file", "fold-monitor-next", lambda: _inside(monitoring, data), opened=True)


def _inside(monitoring: Monitoring | None, data: state.Loaded) -> None:
    if data.whole is not None:
        st.markdown(plain(ONE_GROUP))
        return
    columns = st.columns(2)
    if monitoring is not None:
        with columns[0]:
            came = uploads.several(
                "Next month's predictions", NEXT, "A file as the Data page reads it, with the same columns."
            )
            if came:
                st.session_state.pop(PROBLEM, None)
                st.session_state[WAITING] = Waiting(came[0], monitoring, data)
                st.rerun()
    with columns[0 if monitoring is None else 1]:
        saved = uploads.several("A state that was saved", SAVED, "These predictions go on from it.")
        if saved:
            _take_state(saved[0], data)
            st.rerun()
    for key in (NEXT, SAVED):
        if why := st.session_state.get(uploads.refused_key(key)):
            st.error(plain(why))
    if monitoring is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.download_button(
                "Save the state", monitoring.to_state, saving.named("state", "json"), "application/json",
                icon=":material/download:", on_click="ignore", key="monitor-state",
            )  # fmt: skip
            st.caption(
                "Give it back another day, here or on the command line, to go on from here. It holds no "
                "column of your file. It holds probabilities and outcomes of fewer than "
                f"{count(3 * monitoring.windows.size // 2, data.noun)}, the last ones.",
                width="stretch",
            )


def _take_state(source: uploads.Source, data: state.Loaded) -> None:
    """The model in use goes on from a state, in the order and through the lens that the state has."""
    data_of = source.data or b""
    try:
        if len(data_of) > MOST_MEGABYTES * 1_000_000:
            raise InputError(
                f"The file has {len(data_of) / 1e6:,.0f} MB; a state has {MOST_MEGABYTES} MB at most."
            )
        held = Monitoring.from_state(data_of.decode("utf-8"))
    except UnicodeDecodeError:
        st.session_state[PROBLEM] = Problem(
            f"{source.name} is no text; expected a state as it was saved here."
        )
        return
    except InputError as error:
        st.session_state[PROBLEM] = Problem(f"{source.name}: {error}")
        return
    order.take(held.time)
    size = IN_MEMORY * len(data_of)
    _keep(data.key, Before(held, source.name, BUDGET.count(visitors.current()[0], size)))


def read_waiting() -> None:
    """Read next month's file, which comes into use; what was in use stays where it cannot be read."""
    waiting: Waiting | None = st.session_state.get(WAITING)
    if waiting is None:
        return
    source = waiting.source
    try:
        with st.spinner(f"Reading {plain(source.title, 80)} …"):
            reading_ = read(source.data or b"", name=source.name, options=ReadOptions())
    except InputError as error:
        labels = " Monitoring needs what happened." if isinstance(error, NoLabelsError) else ""
        st.session_state[PROBLEM] = Problem(f"{source.name}: {error}{labels}", source)
    else:
        new = state.add(source.number, source.name, reading_)
        state.describe(new.key, noun=waiting.data.noun)
        dates.alike(new, waiting.data)
        order.take(waiting.monitoring.time)
        _keep(new.key, Before(waiting.monitoring, waiting.data.title))
    st.session_state.pop(WAITING)  # not before: what a click broke off is read again
    st.rerun()


def problem_note() -> None:
    """Why a file was not taken, with the way to mend it."""
    problem: Problem | None = st.session_state.get(PROBLEM)
    if problem is None:
        return
    with st.container(gap="small", key="monitor-problem-said"):
        st.error(plain(problem.why))
        with st.container(horizontal=True):
            if problem.source is not None and st.button("Answer on the Data page", icon=":material/upload:"):
                st.session_state.pop(PROBLEM)
                reading.take_over(problem.source)
                st.switch_page(nav.page("data"))
            st.button("Leave this file out", on_click=_dismiss, key="monitor-dismiss")


def _dismiss() -> None:
    st.session_state.pop(PROBLEM, None)


def goes_on(before: Before, data: state.Loaded) -> None:
    """What the model in use goes on from, and the way to begin anew."""
    with st.container(horizontal=True, vertical_alignment="center", key="monitor-goes-on"):
        st.caption(
            f":material/link: Goes on from '{plain(before.title, 80)}', {count(before.state.n, data.noun)} "
            "before these."
        )
        st.button(
            "Begin anew with this file", type="tertiary", key="monitor-anew", on_click=_keep,
            args=(data.key, None),
        )  # fmt: skip


def other_look(before: Before) -> None:
    """Where the settings in use are not those with which it was begun: these, one click away."""
    held, now = before.state.spec, settings.current()
    if (held.lens, held.unit) != (now.lens, now.unit):
        name = name_among(held.lens, state.predictions().class_names)
        st.button(
            plain(f"Look at {name} as before"), key="monitor-as-before",
            on_click=_as_before, args=(before,), icon=":material/undo:",
        )  # fmt: skip


def _as_before(before: Before) -> None:
    held = before.state.spec
    try:
        settings.change(replace(settings.current(), lens=held.lens, unit=held.unit))
    except InputError as error:
        st.session_state[PROBLEM] = Problem(str(error))
