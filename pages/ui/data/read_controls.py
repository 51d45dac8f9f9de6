"""How a file is read, as controls: what a person may say in place of what was found out."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

from calibcore import InputError
from calibcore.io import ReadOptions
from calibcore.io.joining import BY_ROWS
from calibcore.io.options import (
    confidence_words_of,
    names_from_words,
    names_in_words,
    rows_from_words,
    rows_in_words,
)
from calibcore.io.reading import options_in_order
from pages.ui import choices, state, uploads
from pages.ui.show import glossary, plain

Names: TypeAlias = Sequence[str]
Options: TypeAlias = Sequence[tuple[Any, str]]
FOLD, OPEN = "fold-differently", "read-open"
"""Keys of the session: the fold, and whether it is to be opened."""
DETECTED = "detected automatically"
FOUND_OUT = ("label_column", "confidence_column", "prediction_column", "correct_column")
"""Columns that are found out where nobody names them."""
FAULTS = "read-faults"
"""Key of the session: field -> what was typed and why it cannot be used."""
VALUES = [
    ("auto", "Detect automatically"),
    ("probabilities", "Probabilities"),
    ("percent", "Percent"),
    ("logits", "Logits (softmax is applied)"),
    ("log-probabilities", "Logarithms of probabilities"),
]
BASES = [(None, "Detect automatically"), (0, "0, 1, 2, …"), (1, "1, 2, 3, …")]
LABELS = [
    (None, "Detect automatically"),
    ("outcome", "What happened"),
    ("right", "Whether the likelier class was right"),
    ("wrong", "Whether the likelier class was wrong"),
]
UNSURE = [
    (None, "Ask"),
    ("unknown", "Not known"),
    ("no", "Not true"),
    ("yes", "True"),
]
HEADER = [(None, "Detect automatically"), (True, "Yes"), (False, "No")]
FILES = [(None, "Detect automatically"), (False, "In the first file"), (True, "In the second file")]


def draw(source: uploads.Source | None, columns: Names, label_columns: Names) -> None:
    """The folded controls that correct a reading; ``columns`` are those of the two files."""
    if st.session_state.pop(OPEN, False):
        st.session_state[FOLD] = True
    with st.expander("Read it differently", key=FOLD, on_change="rerun"):
        if source is None or source.data is None:
            st.caption("The file itself is not kept. Choose it again to correct how it was read.")
            return
        left, right = st.columns(2)
        how = source.options
        with left:
            _choice("The numbers are", "values", how, VALUES)
            _column("Column with the labels", "label_column", how, label_columns or columns)
            several = names_from_words(how.label_column or "") or ()
            onehot = how.label_column or "" if len(several) > 1 and how.label_column not in columns else ""
            _text("Or one-hot columns", "label_column", onehot, _name, "none; as in a, b, c", "read-onehot")
            predictions = names_in_words(how.probability_columns or ())
            _text("Columns of predictions", "probability_columns", predictions, names_from_words, DETECTED)
            _column("Column with the confidence", "confidence_column", how, columns)
            _column("Column with the answers", "prediction_column", how, columns)
            _choice("First line names the columns", "header", how, HEADER)
            _column("Column with counts", "count_column", how, columns, glossary("count column"))
            taken = names_in_words(how.columns_are or ())
            _text("The columns are", "columns_are", taken, names_from_words, "what they say; cat, bird, dog")
            rows = rows_in_words(how.leave_out_rows)
            _text("Rows left out", "leave_out_rows", rows, rows_from_words, "none; as in 3, 17, 25-40")
        with right:
            _choice("Integer labels count", "label_base", how, BASES)
            _choice("The labels say", "label_says", how, LABELS)
            _column("Column with what was right", "correct_column", how, label_columns or columns)
            words = names_in_words(how.confidence_words or ())
            _text("Words for a confidence", "confidence_words", words, _confidence_words, "none; high=0.9")
            names = names_in_words(how.class_names or ())
            _text("Class names", "class_names", names, names_from_words, "cat, dog, bird")
            order, like = names_in_words(how.ordered or ()), "not known; low, medium, high"
            _text("The classes in order", "ordered", order, names_from_words, like)
            _text("Columns are separated by", "delimiter", _of_delimiter(how), _delimiter, DETECTED)
            _column("Column with weights", "weight_column", how, columns, glossary("weight column"))
            where = names_in_words(how.rows_where or ())
            _text("Only the rows where", "rows_where", where, names_from_words, "all rows; model=A")
            _text("Only the model", "model", how.model or "", _name, "the only one; rf")
            _column("Column that says which model", "model_column", how, columns)
            _text("Of several labels, only", "label", how.label or "", _name, "no other; effusion")
            _choice("−1 in a label is", "unsure_labels", how, UNSURE)
            asked = "" if how.sample is None else f"{how.sample:,}"
            _text("Only so many cases, drawn at random", "sample", asked, _number_of_cases, "all cases")
            if source.labels is not None:
                _choice("The predictions are", "swap_files", how, FILES)
                _choice("The files belong together", "join", how, _joins(how, label_columns))
        _toggle("Divide every row by its sum", "renormalise", how)
        _toggle("A row is a class: turn the predictions round", "transpose", how)
        _toggle("Of a language model's log: divide by the length of each option", "by_length", how)


def _joins(how: ReadOptions, label_columns: Names) -> Options:
    """Row by row, or by one of the columns of the file of labels."""
    known = [*label_columns, *([how.join] if how.join not in (None, BY_ROWS, *label_columns) else [])]
    named = [(name, f"By column {name!r}") for name in known if name != BY_ROWS]
    return [(None, "Detect automatically"), (BY_ROWS, "Row by row"), *named]


def _confidence_words(words: str) -> tuple[str, ...] | None:
    pairs = names_from_words(words)
    confidence_words_of(pairs)
    return pairs


def _of_delimiter(how: ReadOptions) -> str:
    return "tab" if how.delimiter == "\t" else how.delimiter or ""


def _delimiter(words: str) -> str | None:
    return "\t" if words in ("tab", "\\t") else words or None


def _number_of_cases(words: str) -> int | None:
    digits = words.replace(",", "").strip()
    if digits and not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise InputError(
            f"The number of cases is {words!r:.60}; expected a whole number, or nothing for all."
        )
    return int(digits) if digits else None


def open_in_next_run() -> None:
    """Unfold the controls: something has to be said there."""
    st.session_state[OPEN] = True


def forget() -> None:
    """What was typed about one file and could not be used."""
    st.session_state.pop(FAULTS, None)


def _say(field: str, value: Any) -> None:
    source = uploads.current()
    if source is None:
        return
    options = replace(source.options, **{field: value})
    model = state.models().get(f"model-{source.number}")
    if field == "ordered" and options.columns_are is not None and model is not None and model.reading:
        options = options_in_order(model.reading, value or ())  # these go by the order of the classes
        options = replace(options, ordered=value)
    uploads.keep(replace(source, options=options))


def _choice(label: str, field: str, how: ReadOptions, options: Options, help: str | None = None) -> None:
    """Values and their words."""
    words = list(choices.worded(range(len(options)), lambda place: options[place][1]).values())
    values = {choice: value for choice, (value, _) in zip(words, options, strict=True)}
    current = next(choice for choice, value in values.items() if value == getattr(how, field))

    def keep(choice: str | None) -> None:
        if choice is not None:
            _say(field, values[choice])

    choices.choose_one(
        label,
        dict(zip(words, words, strict=True)),
        current,
        keep,
        name=f"read-{field}",
        undone=False,
        help=help,
    )


def _column(
    label: str, field: str, how: ReadOptions, columns: Sequence[str], help: str | None = None
) -> None:
    """The columns that there are; one that was named and is not there stays until another is chosen."""
    named = getattr(how, field)
    known = [*columns, *([named] if named is not None and named not in columns else [])]
    first = DETECTED if field in FOUND_OUT else "none"
    _choice(label, field, how, [(None, first), *((name, name) for name in known)], help)


def _toggle(label: str, field: str, how: ReadOptions) -> None:
    key = f"read-{field}"
    if st.session_state.get(key) != getattr(how, field):
        st.session_state[key] = getattr(how, field)
    st.toggle(label, key=key, on_change=lambda: _say(field, st.session_state[key]))


def _name(words: str) -> str | None:
    return words.strip() or None


def _text(
    label: str, field: str, words: str, read: Callable[[str], Any], placeholder: str, name: str = ""
) -> None:
    """Typed words; those that cannot be used stay, with the reason, and change nothing."""
    key = name or f"read-{field}"
    typed, fault = st.session_state.get(FAULTS, {}).get(field, (words, ""))
    if st.session_state.get(key) != typed:
        st.session_state[key] = typed
    st.text_input(label, key=key, on_change=partial(_typed, field, read, key), placeholder=placeholder)
    if fault:
        st.caption(f":red[{plain(fault)}]")


def _typed(field: str, read: Callable[[str], Any], key: str) -> None:
    words = st.session_state[key]
    faults = st.session_state.setdefault(FAULTS, {})
    faults.pop(field, None)
    try:
        _say(field, read(words))
    except InputError as error:
        faults[field] = (words, str(error))
