"""A file is read in a process of its own, while the page waits for it and can be told to stop."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Unpack

import streamlit as st

from calibcore import InputError
from calibcore.io import Reading
from calibcore.io.all_models import Models
from calibcore.io.apart import (
    Check,
    Turn,
    WithLabels,
    models_in_apart,
    read_apart,
    read_epochs_apart,
    read_labels_apart,
)
from calibcore.io.epochs import Epochs
from calibcore.io.several_labels import LabelsReading
from pages.server import visitors
from pages.ui import uploads

PATIENCE = 1.0
"""Seconds before a way to stop is offered: most files are read before."""
EVERY = 0.5
"""Seconds between two looks whether the page has been told anything else meanwhile."""
STOPPED = "read-stopped"
"""Key of the session: whether the reading was stopped by its button."""
_NUMBERS = count()


def read(source: bytes, **how: Unpack[WithLabels]) -> Reading:
    """As :func:`calibcore.io.read`. A click, or a page that is left, ends it: Streamlit raises an exception
    of its own as soon as a run that is to end shows something."""
    with _watched("Choose the file again, or read it differently.") as turn:
        return read_apart(source, **(how | turn))


def labels_in(source: uploads.Source) -> LabelsReading:
    """All labels of the files of a source, as :func:`read` reads one."""
    with _watched("Choose the file again, or read it differently.") as turn:
        return read_labels_apart(source.data or b"", **(_of(source) | turn))


def models_in(source: uploads.Source) -> Models:
    """All models of the files of a source, as :func:`read` reads one."""
    with _watched("Choose the file again, or read it differently.") as turn:
        return models_in_apart(source.data or b"", **(_of(source) | turn))


def _of(source: uploads.Source) -> WithLabels:
    return {
        "name": source.name, "labels": source.labels, "labels_name": source.labels_name or None,
        "options": source.options,
    }  # fmt: skip


def read_epochs(source: bytes, name: str) -> Epochs:
    """A training run in one file, as :func:`read` reads the file of one model."""
    with _watched("Choose the files again.") as turn:
        return read_epochs_apart([source], names=[name], **turn)


@contextmanager
def _watched(after_stop: str) -> Iterator[Turn]:
    """The turn of a reading that people see and may stop; ``after_stop`` says what to do then."""
    if st.session_state.pop(STOPPED, False):
        raise InputError(f"Reading was stopped. {after_stop}")
    with _progress() as check:
        yield {"check": check, "visitor": visitors.current()[0]}


@contextmanager
def _progress() -> Iterator[Check]:
    """What tells how long reading takes, with a way to stop it."""
    place, beside, begun, last_told = st.empty(), st.empty(), time.monotonic(), 0.0

    def check(waits: bool) -> None:
        nonlocal last_told
        now = time.monotonic()
        if now - begun < PATIENCE or now - last_told < EVERY:
            return
        if not last_told:
            key = f"stop-reading-{next(_NUMBERS)}"  # several files are read in one run
            place.button("Stop reading", on_click=_stop, icon=":material/stop:", key=key)
        else:
            first = ". Other files are read first" if waits else ""
            beside.caption(f"{now - begun:.0f} seconds so far{first}.")
        last_told = now

    try:
        yield check
    finally:
        for box in (place, beside):
            box.empty()


def _stop() -> None:
    st.session_state[STOPPED] = True
