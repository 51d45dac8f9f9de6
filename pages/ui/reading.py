"""Reading a file in the app: how to read it, what was read and why."""

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from calibcore import InputError
from calibcore.io import Reading, ReadOptions, read
from calibcore.words import count
from pages.ui import nav, state
from pages.ui.show import plain

FIRST_ROWS = 8
DETECTED = "detected automatically"
ATTENTION = ("was not used", "already were probabilities")
"""Words of notes that a person should not overlook."""
VALUES = {
    "auto": "Detect automatically",
    "probabilities": "Probabilities",
    "percent": "Percent",
    "logits": "Logits (softmax is applied)",
}
BASES = {None: "Detect automatically", 0: "0, 1, 2, …", 1: "1, 2, 3, …"}
HEADER = {None: "Detect automatically", True: "Yes", False: "No"}


def forget_options() -> None:
    """What was said about one file does not hold for the next."""
    if "read-last" in st.session_state:
        for key in [key for key in st.session_state if str(key).startswith("read-")]:
            del st.session_state[key]


def options(has_file: bool) -> tuple[ReadOptions, str]:
    """The folded controls that correct a reading, and what one case is called."""
    with st.expander("Read it differently"):
        if not has_file:
            st.caption("These apply to the file that is chosen above.")
        left, right = st.columns(2)
        values = left.selectbox("The numbers are", list(VALUES), format_func=VALUES.get, key="read-values")
        base = right.selectbox("Integer labels count", list(BASES), format_func=BASES.get, key="read-base")
        column = left.text_input("Column with the labels", key="read-column", placeholder=DETECTED)
        names = right.text_input("Class names", key="read-names", placeholder="cat, dog, bird")
        header = left.selectbox(
            "First line names the columns", list(HEADER), format_func=HEADER.get, key="read-header"
        )
        delimiter = right.text_input("Columns are separated by", key="read-delimiter", placeholder=DETECTED)
        renormalise = left.toggle("Divide every row by its sum", key="read-renormalise")
        noun = right.text_input("One case is called", "case", key="read-noun", max_chars=40)
    read_options = ReadOptions(
        label_column=column.strip() or None,
        values=values,
        label_base=base,
        header=header,
        delimiter={"tab": "\t", "\\t": "\t"}.get(delimiter, delimiter) or None,
        class_names=tuple(name.strip() for name in names.split(",")) if names.strip() else None,
        renormalise=renormalise,
    )
    return read_options, noun.strip() or "case"


def read_and_use(file: UploadedFile, labels: UploadedFile | None, how: ReadOptions, noun: str) -> bool:
    """Read once per file and options; on success it is the data in use, on failure nothing changes."""
    asked = (file.file_id, labels and labels.file_id, how)
    if st.session_state.get("read-last") != asked:
        st.session_state["read-last"] = asked
        st.session_state["read-problem"] = _problem(file, labels, how, noun)
        if not st.session_state["read-problem"]:
            st.rerun()
    problem: str = st.session_state.get("read-problem", "")
    if not problem:
        state.rename_cases(noun)
    else:
        st.error(plain(problem))
        st.caption(f"This file is not used. The diagnosis still shows: {plain(state.loaded().title, 80)}.")
    return not problem


def _problem(file: UploadedFile, labels: UploadedFile | None, how: ReadOptions, noun: str) -> str:
    """Read and use; returns why it could not be read, or an empty string."""
    try:
        with st.spinner(f"Reading {plain(file.name, 80)} …"):
            found = read(
                file.getvalue(),
                name=file.name,
                labels=None if labels is None else labels.getvalue(),
                labels_name=None if labels is None else labels.name,
                options=how,
            )
    except InputError as error:
        return str(error)
    state.use_upload(file.name, noun, found)
    return ""


def explain(data: state.Loaded) -> None:
    """What was taken for what, and why; the first rows; how often each class happened."""
    p = data.predictions
    reading = data.reading
    if reading is None:
        return
    st.success(
        f"{plain(data.title, 80)}: {plain(count(p.n, data.noun))}, {p.m} classes.", icon=":material/check:"
    )
    if st.button("See the diagnosis", type="primary"):
        st.switch_page(nav.page("diagnosis"))
    st.subheader("What was read, and why")
    for note in reading.notes:
        if any(words in note for words in ATTENTION):
            st.warning(plain(note))
        else:
            st.markdown(f"- {plain(note)}")
    with st.expander("The first rows"):
        st.dataframe(_first_rows(reading), hide_index=True)
    with st.expander("How often each class happened"):
        st.dataframe(
            [
                {"Class": name, "Happened": int(n), "Predicted on average": f"{100 * mean:.1f} %"}
                for name, n, mean in zip(p.class_names, p.class_counts, p.probs.mean(axis=0), strict=True)
            ],
            hide_index=True,
        )


def _first_rows(reading: Reading) -> list[dict[str, object]]:
    p = reading.predictions
    return [
        {"Row": i + 1, "Label": p.class_names[p.labels[i]]}
        | {f"P({name})": float(p.probs[i, k]) for k, name in enumerate(p.class_names)}
        | {name: str(values[i]) for name, values in p.metadata.items()}
        for i in range(min(FIRST_ROWS, p.n))
    ]
