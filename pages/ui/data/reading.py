"""Reading a file in the app: what was read and why; what could not be, and what would mend it."""

from dataclasses import replace
from functools import partial
from typing import assert_never

import streamlit as st

from calibcore import InputError
from calibcore.answers.predictions import happened_table
from calibcore.errors import NoLabelsError, Remedy, SeveralLabelsError, SeveralModelsError
from calibcore.io import Reading
from calibcore.io.several_labels import ALL_LABELS, one_label
from calibcore.transforms.lenses import LabelLens
from calibcore.wording import count
from calibcore.words.readings import first_rows
from pages.ui import nav, settings, state, uploads
from pages.ui.data import borrowing, each_word, read_controls, several_models
from pages.ui.data.file_reading import labels_in, read
from pages.ui.show import fold, frame, plain, points, rows_and_csv

FIRST_ROWS = 8
ATTENTION = (
    "was not used",
    "already were probabilities",
    "were swapped",
    "left out, as asked",
    "were kept, as asked",
    "joined by column",
)
"""Words of notes that a person should not overlook."""
LAST, PROBLEM = "read-last", "read-problem"
"""Keys of the session: what was read last and how, and the error that came of it, if any."""
SIDE_BY_SIDE = 3
"""Readings to choose from in a row."""


def draw(large: bool) -> bool:
    """The upload widgets, and why a file could not be read, if so; whether all is well.

    large : the place to drop a file at, as long as there is none
    """
    source, problem = uploads.current(), _problem()
    without_labels = isinstance(problem, NoLabelsError)
    match uploads.choose(large=large, ask_for_labels=without_labels and source is not None):
        case "nothing":
            pass
        case "refused":
            st.rerun()
        case "labels":
            st.session_state.pop(PROBLEM, None)
            st.rerun()
        case "predictions":
            st.session_state.pop(PROBLEM, None)
            _forget()
            st.rerun()
        case never:
            assert_never(never)
    _not_taken()
    if source is not None and source.data is None:
        st.info(f"{plain(source.labels_name, 80)} waits for its file of predictions.")
    refusal = st.container()  # above what it asks, and drawn after it
    lender = borrowing.asked(source, without_labels, problem.rows if problem else None)
    if source is None or source.data is None:
        return True
    with refusal:
        if _read_anew(source, lender):
            st.rerun()
        if problem is not None:
            _refused(source, problem)
    return problem is None


def differently() -> None:
    """The controls that correct how the file is read."""
    source = uploads.current()
    read_controls.draw(source, *_columns(source))


def begin(source: uploads.Source) -> bool:
    """Read a file that came by itself; whether it could be read."""
    st.session_state.pop(PROBLEM, None)
    _forget()
    _read_anew(source, None)
    return _problem() is None


def take_over(source: uploads.Source) -> None:
    """A file that came on another page and asks for something: this page reads it as if it came here."""
    st.session_state.pop(PROBLEM, None)
    _forget()
    uploads.keep(source)


def asks() -> bool:
    """Whether something has to be said about a file, on the Data page, before it can be read."""
    return uploads.current() is not None and _problem() is not None


def _read_anew(source: uploads.Source, lender: state.Loaded | None) -> bool:
    """Read and use the file, unless it was read in the same way before; whether it was read now."""
    asked = (source.version, source.options, lender and lender.key)
    if st.session_state.get(LAST) == asked:
        return False
    st.session_state[PROBLEM] = problem = _read(source, lender)
    if problem is not None and any(remedy.asks and not remedy.each for remedy in problem.remedies):
        read_controls.open_in_next_run()
    st.session_state[LAST] = asked  # not before: a reading that a click broke off is begun again
    return True


def _not_taken() -> None:
    """Why a file was not taken, and what would make room that no other button does."""
    if not uploads.why_refused():
        return
    st.error(plain(uploads.why_refused()))
    source = uploads.current()
    if source is not None and source.title:
        words = f"Forget the file {plain(source.title, 80)}; what was read from it stays"
        st.button(words, on_click=uploads.release)


def _problem() -> InputError | None:
    problem: InputError | None = st.session_state.get(PROBLEM)
    return problem


def _forget() -> None:
    """What was said about one file does not hold for the next."""
    read_controls.forget()
    for key in [key for key in st.session_state if str(key).startswith("read-")]:
        del st.session_state[key]


def _columns(source: uploads.Source | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of the file of predictions and of the file of labels, as far as they are known."""
    problem = _problem()
    if problem is not None:
        return problem.columns, problem.label_columns
    model = state.models().get(f"model-{source.number}") if source else None
    reading = model.reading if model else None
    return (reading.columns, reading.label_columns) if reading else ((), ())


def _read(source: uploads.Source, lender: state.Loaded | None) -> InputError | None:
    """Read and use; returns why it could not be read."""
    st.session_state[uploads.UNDER_WAY] = source.title
    try:
        with st.spinner(f"Reading {plain(source.title, 80)} …"):
            reading = borrowing.read_with(source, source.options, lender) if lender else _own(source)
    except InputError as error:
        st.session_state.pop(uploads.UNDER_WAY)
        return error
    st.session_state.pop(uploads.UNDER_WAY)
    name = source.labels_name if reading.swapped else source.name
    state.add(source.number, reading.options.model or name, reading)
    return None


def _compare_all(source: uploads.Source, problem: SeveralModelsError) -> None:
    """The button that makes models of all that a file holds, and goes where they are compared."""
    words, icon = several_models.COMPARE, ":material/compare_arrows:"
    if not several_models.fit(problem) or not st.button(words, "compare-all", icon=icon, type="primary"):
        return
    try:
        models = several_models.take_all(source, problem)
    except InputError as error:
        st.session_state[PROBLEM] = error
        st.rerun()
    first = models[0]
    assert first.reading is not None
    uploads.keep(source := replace(source, options=first.reading.options))
    st.session_state[LAST] = (source.version, source.options, None)
    st.session_state[PROBLEM] = None
    state.use(first.key)
    st.switch_page(nav.page("compare"))


def _look_at_all(source: uploads.Source) -> None:
    """The button that reads all labels of each case, and goes where they are tested."""
    words, icon = "Look at all labels", ":material/checklist:"
    if not st.button(words, "all-labels", icon=icon, type="primary"):
        return
    try:
        with st.spinner(f"Reading {plain(source.title, 80)} …"):
            labels = labels_in(replace(source, options=replace(source.options, label=ALL_LABELS)))
        reading = one_label(labels, (*labels.predictions.known, *labels.predictions.label_names)[0])
    except InputError as error:
        st.session_state[PROBLEM] = error
        st.rerun()
    state.add(source.number, source.name, reading, labels=labels)
    settings.try_lens(LabelLens(reading.predictions.label_of))
    uploads.keep(source := replace(source, options=reading.options))
    st.session_state[LAST] = (source.version, source.options, None)
    st.session_state[PROBLEM] = None
    st.switch_page(nav.page("overview"))


def _own(source: uploads.Source) -> Reading:
    return read(
        source.data or b"",
        name=source.name,
        labels=source.labels,
        labels_name=source.labels_name or None,
        options=source.options,
    )


def _refused(source: uploads.Source, problem: InputError) -> None:
    """The sentence, and each thing that would mend it as a button."""
    box = st.info if isinstance(problem, NoLabelsError | SeveralModelsError) else st.error
    with st.container(gap="small", key="refused"):
        box(_in_points(problem))
        if isinstance(problem, SeveralModelsError):
            _compare_all(source, problem)
        if isinstance(problem, SeveralLabelsError):
            _look_at_all(source)
        asked = [remedy for remedy in problem.remedies if remedy.asks]
        readings = [remedy for remedy in problem.remedies if remedy.rows]
        remedies = [r for r in problem.remedies if not r.asks and not r.rows]
        if remedies:
            with st.container(horizontal=True):
                for i, remedy in enumerate(remedies):
                    _button(remedy, f"mend-{i}", source)
        for start in range(0, len(readings), SIDE_BY_SIDE):
            shown = readings[start : start + SIDE_BY_SIDE]
            for place, remedy in zip(st.columns(len(shown)), shown, strict=True):
                with place.container(border=True):
                    frame(remedy.rows)
                    _button(remedy, f"take-{start}-{remedy.words}", source)
        for remedy in asked:
            if remedy.each:
                each_word.draw(source, remedy)
                continue
            st.caption(f"{plain(remedy.words)} under 'Read it differently'.")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(_what_is_shown(source))
            st.button("Forget this file", key="forget-refused", on_click=uploads.release, type="tertiary")


def _in_points(problem: InputError) -> str:
    """Its sentences; where several things are wrong, a point for each."""
    rest = str(problem).removeprefix(" ".join(problem.kinds)).strip()
    if not problem.kinds:
        return plain(rest)
    return "\n".join(f"- {plain(kind)}" for kind in problem.kinds) + f"\n\n{plain(rest)}"


def _what_is_shown(source: uploads.Source) -> str:
    """Which files are not used, and what the pages show instead."""
    still = state.in_use()
    if still is not None and still.key == f"model-{source.number}":
        return f"The pages still show {plain(still.title, 80)} as it was read before."
    shows = f" The pages still show: {plain(still.title, 80)}." if still else ""
    are = "are" if source.name and source.labels_name else "is"
    return f"{plain(source.title, 80)} {are} not used.{shows}"


def _button(remedy: Remedy, key: str, source: uploads.Source) -> None:
    st.button(plain(remedy.words, 160), key=key, on_click=_mend, args=(source.version, remedy))


def _mend(version: int, remedy: Remedy) -> None:
    """Read the file as the remedy says, if it is still the one that the button stood below."""
    source = uploads.current()
    if source is not None and source.version == version:
        uploads.keep(replace(source, options=source.options.mended(remedy)))
        read_controls.forget()


def explain(data: state.Loaded, reading: Reading) -> None:
    """What was taken for what, and why; the first rows; how often each class happened."""
    st.header("How the file was read, and why")
    striking = [note for note in reading.notes if any(words in note for words in ATTENTION)]
    for note in striking:
        st.warning(plain(note))
    points(note for note in reading.notes if note not in striking)
    st.caption("How the first rows were read. Compare them with your file:")
    points(first_rows(reading))
    fold(
        "The first rows",
        "fold-rows",
        lambda: rows_and_csv(partial(_first_rows, reading), "first-rows", "first-rows"),
    )
    fold(
        "How often the answer was right"
        if data.predictions.confidence_only
        else "How often each class happened",
        "fold-class-counts",
        lambda: _classes(data),
    )


def _classes(data: state.Loaded) -> None:
    st.caption(plain(count(data.predictions.n, data.noun)))
    rows_and_csv(happened_table(data.predictions).rows, "classes", "classes")


def _first_rows(reading: Reading, exact: bool = False) -> list[dict[str, object]]:  # noqa: ARG001 (always)
    """Probabilities and other columns as they are, so that the CSV has them too."""
    p = reading.predictions
    given = ["Confidence"] if p.confidence_only else [f"P({name})" for name in p.class_names]
    return [
        {"Row": i + 1, "The answer was" if p.confidence_only else "Label": p.class_names[p.labels[i]]}
        | {name: float(p.probs[i, k]) for k, name in enumerate(given)}
        | {name: str(values[i]) for name, values in p.metadata.items()}
        for i in range(min(FIRST_ROWS, p.n))
    ]
