"""Reading a file in the app: how to read it, what was read and why."""

from functools import partial

import streamlit as st

from calibcore import InputError
from calibcore.io import Reading, ReadOptions, read
from calibcore.predictions import listed
from calibcore.words import class_rows, count
from pages.ui import borrowing, state, uploads
from pages.ui.show import fold, glossary, plain, rows_and_csv

FIRST_ROWS = 8
DETECTED = "detected automatically"
NONE = "none"
ATTENTION = ("was not used", "already were probabilities")
"""Words of notes that a person should not overlook."""
LACKING = "No column of labels"
"""How the problem of a file without labels begins."""
VALUES = {
    "auto": "Detect automatically",
    "probabilities": "Probabilities",
    "percent": "Percent",
    "logits": "Logits (softmax is applied)",
}
BASES = {None: "Detect automatically", 0: "0, 1, 2, …", 1: "1, 2, 3, …"}
HEADER = {None: "Detect automatically", True: "Yes", False: "No"}


def draw() -> None:
    """The upload widgets, how the file is read, and why it could not be, if so."""
    with st.container(border=True):
        if came := uploads.choose():
            if came == "predictions":
                _forget_options()
            st.rerun()
        source = uploads.current()
        if source is not None and source.data is None:
            st.info(f"{plain(source.labels_name, 80)} waits for its file of predictions.")
        how = _options(source)
        lender = borrowing.asked(source, LACKING in str(st.session_state.get("read-problem", "")))
    if source is None or source.data is None:
        return
    asked = (source.version, how, lender and lender.key)
    if st.session_state.get("read-last") != asked:
        st.session_state["read-last"] = asked
        st.session_state["read-problem"] = _problem(source, how, lender)
        st.rerun()
    if problem := str(st.session_state.get("read-problem", "")):
        st.error(plain(problem))
        still = state.in_use()
        shows = f" The pages still show: {plain(still.title, 80)}." if still else ""
        st.caption(f"{plain(source.title, 80)} is not used.{shows}")


def _forget_options() -> None:
    """What was said about one file does not hold for the next."""
    for key in [key for key in st.session_state if str(key).startswith("read-")]:
        del st.session_state[key]


def _options(source: uploads.Source | None) -> ReadOptions:
    """The folded controls that correct a reading."""
    with st.expander("Read it differently", key="fold-differently"):
        if source is None:
            st.caption("For the file that you choose above. Choose it again to correct how it was read.")
        elif columns := _columns(source):
            st.caption(f"Columns: {plain(columns)}.")
        left, right = st.columns(2)
        values = left.selectbox("The numbers are", list(VALUES), format_func=VALUES.get, key="read-values")
        base = right.selectbox("Integer labels count", list(BASES), format_func=BASES.get, key="read-base")
        column = left.text_input("Column with the labels", key="read-column", placeholder=DETECTED)
        names = right.text_input("Class names", key="read-names", placeholder="cat, dog, bird")
        header = left.selectbox(
            "First line names the columns", list(HEADER), format_func=HEADER.get, key="read-header"
        )
        delimiter = right.text_input("Columns are separated by", key="read-delimiter", placeholder=DETECTED)
        counts = left.text_input(
            "Column with counts", key="read-counts", placeholder=NONE, help=glossary("count column")
        )
        weights = right.text_input(
            "Column with weights", key="read-weights", placeholder=NONE, help=glossary("weight column")
        )
        renormalise = left.toggle("Divide every row by its sum", key="read-renormalise")
    return ReadOptions(
        label_column=column.strip() or None,
        values=values,
        label_base=base,
        header=header,
        delimiter={"tab": "\t", "\\t": "\t"}.get(delimiter, delimiter) or None,
        class_names=tuple(name.strip() for name in names.split(",")) if names.strip() else None,
        renormalise=renormalise,
        count_column=counts.strip() or None,
        weight_column=weights.strip() or None,
    )


def _columns(source: uploads.Source) -> str:
    """The columns that were found in the file in use, the label's among them."""
    model = state.models().get(f"model-{source.number}")
    if model is None or model.reading is None:
        return ""
    kind, _, label = model.reading.label_source.partition(":")
    own = label.split(",") if kind in ("column", "columns") else []
    return listed((*model.reading.probability_columns, *own, *model.reading.metadata_columns))


def _problem(source: uploads.Source, how: ReadOptions, lender: state.Loaded | None) -> str:
    """Read and use; returns why it could not be read, or an empty string."""
    try:
        with st.spinner(f"Reading {plain(source.title, 80)} …"):
            found = borrowing.read_with(source, how, lender) if lender else _own(source, how)
    except InputError as error:
        return str(error)
    state.add(source.number, source.name, found)
    return ""


def _own(source: uploads.Source, how: ReadOptions) -> Reading:
    return read(
        source.data or b"",
        name=source.name,
        labels=source.labels,
        labels_name=source.labels_name or None,
        options=how,
    )


def explain(data: state.Loaded, reading: Reading) -> None:
    """What was taken for what, and why; the first rows; how often each class happened."""
    st.header("What was read, and why")
    striking = [note for note in reading.notes if any(words in note for words in ATTENTION)]
    for note in striking:
        st.warning(plain(note))
    st.markdown("\n".join(f"- {plain(note)}" for note in reading.notes if note not in striking))
    fold(
        "The first rows",
        "fold-rows",
        lambda: rows_and_csv(partial(_first_rows, reading), "first-rows", "first-rows"),
    )
    fold("How often each class happened", "fold-classes", lambda: _classes(data))


def _classes(data: state.Loaded) -> None:
    st.caption(plain(count(data.predictions.n, data.noun)))
    rows_and_csv(partial(class_rows, data.predictions), "classes", "classes")


def _first_rows(reading: Reading, exact: bool = False) -> list[dict[str, object]]:  # noqa: ARG001 (always)
    """Probabilities and other columns as they are, so that the CSV has them too."""
    p = reading.predictions
    return [
        {"Row": i + 1, "Label": p.class_names[p.labels[i]]}
        | {f"P({name})": float(p.probs[i, k]) for k, name in enumerate(p.class_names)}
        | {name: str(values[i]) for name, values in p.metadata.items()}
        for i in range(min(FIRST_ROWS, p.n))
    ]
