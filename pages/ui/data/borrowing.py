"""A file without labels: those of a model that is loaded, for the same cases in the same order."""

import csv
import io
from dataclasses import replace

import streamlit as st

from calibcore import InputError, Predictions
from calibcore.io import Reading, ReadOptions
from calibcore.wording import count
from calibcore.words.looking import borrowed_labels, other_classes
from pages.ui import state, uploads
from pages.ui.data.file_reading import read
from pages.ui.show import plain

LENDER = "read-lender"
ASKED = "read-borrowed"


def asked(source: uploads.Source | None, wanted: bool, rows: int | None) -> state.Loaded | None:
    """The toggle, if there is a model that could lend its labels; that model, if the user says so.

    ``wanted`` is whether the file could do with labels; a toggle that is on stays. ``rows``: of the file,
    where that is known.
    """
    lender = _lender(source)
    if lender is None or source is None or not (wanted or st.session_state.get(ASKED)):
        return None
    if not may_lend(lender, rows):
        return None
    cases = count(lender.predictions.n, lender.noun)
    on = st.toggle(
        f"The same {plain(cases)} in the same order as in '{plain(lender.title, 80)}': use its labels",
        key=ASKED,
    )
    return lender if on else None


def may_lend(lender: state.Loaded, rows: int | None) -> bool:
    """Whether a file of so many rows may be of the same cases; also where the number is not known."""
    return rows is None or rows == lender.predictions.n


def _lender(source: uploads.Source | None) -> state.Loaded | None:
    """The uploaded model that was in use when this file came, else the last of the others."""
    if source is None or source.data is None or source.labels is not None:
        return None
    models = {key: model for key, model in state.models().items() if key != f"model-{source.number}"}
    if st.session_state.get(LENDER) not in models:
        st.session_state.pop(ASKED, None)  # a yes to the labels of one model is no yes to another's
        in_use = state.in_use()
        last = next(reversed(models), None)
        st.session_state[LENDER] = in_use.key if in_use and in_use.key in models else last
    return models.get(st.session_state[LENDER])


def read_with(source: uploads.Source, options: ReadOptions, lender: state.Loaded) -> Reading:
    """The file with the labels of ``lender``.

    Raises
    ------
    InputError : the file cannot be read, has another number of cases, or other classes.
    """
    p = lender.predictions
    if p.confidence_only:
        raise InputError("Whether the answers of another model were right says nothing of these.")
    reading = read(
        source.data or b"",
        name=source.name,
        labels=_as_file(p),
        labels_name=lender.title,
        options=replace(options, label_column=None, label_base=None, label_says=None, correct_column=None),
    )
    alone = reading.predictions.confidence_only
    if not alone and set(reading.predictions.class_names) != set(p.class_names):
        raise InputError(other_classes(reading.predictions.class_names, lender.title, p.class_names))
    notes_kept = tuple(note for note in reading.notes if not note.startswith("Labels: the second file"))
    notes = (*notes_kept[:1], borrowed_labels(lender.title), *notes_kept[1:])
    # The labels were in no file that could be named.
    return replace(
        reading, predictions=replace(reading.predictions, notes=notes), notes=notes, labels_name=""
    )


def _as_file(p: Predictions) -> bytes:
    """The labels by name, as a column of text."""
    text = io.StringIO()
    csv.writer(text).writerows([["label"], *([p.class_names[k]] for k in p.labels.tolist())])
    return text.getvalue().encode()
