"""What was read, whether labels belong to it, and what would mend a file that cannot be read."""

import math
import re
from dataclasses import fields, replace

from calibcore.data.class_order import order_to_ask
from calibcore.data.mismatch import Mismatch, mismatch
from calibcore.data.row_numbers import row_number
from calibcore.data.several_labels import UNKNOWN
from calibcore.errors import InputError, SeveralModelsError
from calibcore.io import LabelsReading, Reading, ReadOptions
from calibcore.io.options import NO_ORDER
from calibcore.io.reading import FirstRow, file_columns_are
from calibcore.io.roles.look import FIRST_ROWS, MOST_CELLS
from calibcore.io.roles.stacked import repeated, repeated_note
from calibcore.io.roles.table_reading import row_cells
from calibcore.wording import count, percent, plural
from calibcore.words.repeating import in_flags, quoted


def first_rows(reading: Reading) -> tuple[str, ...]:
    """ "row 1: cat 0.81, dog 0.19, was dog": how the first rows were taken, to be compared with the file.

    Where only the confidence is known: "row 1: answered B, 0.93 sure, truth B: right".
    """
    names = reading.predictions.class_names
    if reading.predictions.confidence_only:
        return tuple(_answer(row, names[row.label]) for row in reading.first_rows)
    sentences = []
    for number, probs, k, *_ in reading.first_rows:
        *classes, (was, label) = row_cells(names, probs, names[k]).items()
        cells = [f"{name} {probability}" for name, probability in classes]
        more = reading.predictions.m - len(cells)
        rest = f", {more:,} more {'class' if more == 1 else 'classes'}" if more > 0 else ""
        sentences.append(f"row {number:,}: {', '.join(cells)}{rest}, {was} {label}")
    return tuple(sentences)


def first_rows_of_labels(reading: LabelsReading) -> tuple[str, ...]:
    """ "row 1: effusion 0.9 (true), mass 0.2 (not true), 12 more labels": how the first rows were taken."""
    p, known = reading.predictions, {1: "true", 0: "not true", UNKNOWN: "not known"}
    sentences = []
    for i in range(min(FIRST_ROWS, p.n)):
        cells = [
            f"{name} {p.probs[i, j]:.3g} ({known[int(p.outcomes[i, j])]})"
            for j, name in enumerate(p.label_names[:MOST_CELLS])
        ]
        more = p.k - len(cells)
        rest = f", {count(more, 'more label')}" if more else ""
        sentences.append(f"row {row_number(i):,}: {', '.join(cells)}{rest}")
    return tuple(sentences)


def _answer(row: FirstRow, right: str) -> str:
    answered = f"answered {_cut(row.answered)}, " if row.answered else ""
    truth = f", truth {_cut(row.truth)}" if row.truth else ""
    return f"row {row.number:,}: {answered}{row.probs[0]:.3g} sure{truth}: {right}"


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


_LONGEST = 40
"""Letters of an answer that are shown: it may be a text."""
# --- labels that do not belong --------------------------------------------------------


MOST_SPELLED = 8
"""Classes whose order is spelled out; of more, those that are others."""
QUESTION = "Are labels and columns of the same {cases}, in the same order?"


def mismatch_sentence(mismatch: Mismatch, noun: str) -> str:
    """How often the model is right, what guessing would give, what another order would; and the question."""
    chance = 2 * math.sqrt(mismatch.by_guessing * (1 - mismatch.by_guessing) / mismatch.n)
    near = abs(mismatch.accuracy - mismatch.by_guessing) <= chance
    guessing = "as by guessing" if near else f"where guessing gives {percent(mismatch.by_guessing, 0)}"
    right = f"Right in {percent(mismatch.accuracy, 0)} of {count(mismatch.n, noun)}, {guessing}"
    question = QUESTION.format(cases=plural(noun))
    if mismatch.accuracy_then is None:
        return f"{right}, though the model is {percent(mismatch.claimed, 0)} sure on average. {question}"
    return f"{right}. It would be {percent(mismatch.accuracy_then, 0)} if {_order(mismatch)}. {question}"


def _order(mismatch: Mismatch) -> str:
    """The order that would explain the labels."""
    names = mismatch.columns_are
    if len(names) == 2:
        return "the two classes changed places"
    moved = [(a, b) for a, b in zip(mismatch.class_names, names, strict=True) if a != b]
    if len(names) <= MOST_SPELLED or len(moved) > MOST_SPELLED:
        classes = ", ".join(repr(name) for name in names[:MOST_SPELLED])
        return f"the columns were {classes}" + (", …" if len(names) > MOST_SPELLED else "")
    return " and ".join(f"column {a!r} were {b!r}" for a, b in moved)


def reorder_words(mismatch: Mismatch) -> str:
    """What a button says that takes the columns so."""
    return "Swap the two classes" if len(mismatch.columns_are) == 2 else "Take the columns in this order"


def mismatch_on_the_command_line(reading: Reading) -> str:
    """The sentence and the flag that takes the columns in the other order; empty where there is nothing."""
    doubt = mismatch(reading.predictions)
    if doubt is None:
        return ""
    sentence = mismatch_sentence(doubt, "case")
    if not doubt.columns_are:
        return sentence
    options = reading.options
    flags = flags_beyond(replace(options, columns_are=file_columns_are(reading, doubt.columns_are)), options)
    return f"{sentence} {reorder_words(doubt)} with {flags}."


def repeats_on_the_command_line(reading: Reading, unit: str | None) -> str:
    """The sentence on cases in several rows, with the flag; empty for none, where ``unit`` is named, and of
    pairs of a case and a label, which are known to belong together."""
    if unit is not None or reading.options.count_column or reading.predictions.case_of is not None:
        return ""
    note, case = repeated_note(reading.predictions), repeated(reading.predictions)
    return f"{note.removesuffix('.')} with --unit {quoted(case)}." if case else note


def order_asked(reading: Reading) -> tuple[str, ...] | None:
    """The order of the classes that their names suggest, where nobody said whether there is one."""
    p = reading.predictions
    if p.confidence_only or p.ordered or reading.options.ordered is not None:
        return None
    return order_to_ask(p.class_names)


def order_sentence(names: tuple[str, ...]) -> str:
    """Whether these classes are in order: the question."""
    first, last = repr(names[0]), repr(names[-1])
    return f"The classes may be in order, {first} the lowest and {last} the highest, as grades are."


def order_on_the_command_line(reading: Reading) -> str:
    """The question with the flags that answer it; empty where there is none."""
    names = order_asked(reading)
    if names is None:
        return ""
    flags = [flags_beyond(ReadOptions(ordered=answer), ReadOptions()) for answer in (names, NO_ORDER)]
    return f"{order_sentence(names)} Say so with {flags[0]}, or that they are not with {flags[1]}."


# --- what would mend a file -----------------------------------------------------------


_ASKED = {
    "model": "--model NAME",
    "model_column": "--model-column NAME",
    "label_column": "--label-column NAME",
    "probability_columns": "--probability-columns A,B,…",
    "class_names": "--class-names A,B,…",
    "rows_where": "--rows-where COLUMN=VALUE",
    "confidence_column": "--confidence-column NAME",
    "prediction_column": "--prediction-column NAME",
    "correct_column": "--correct-column NAME",
    "confidence_words": "--confidence-words high=0.9,low=0.3,…",
}
"""Flags whose value only a person knows."""


def with_flags(error: InputError, options: ReadOptions) -> str:
    """The sentence of an error and the flags that would mend it, beside those of ``options``."""
    ways: list[str] = []
    for remedy in error.remedies:
        flags = (
            _ASKED[remedy.asks] if remedy.asks else _shortened(flags_beyond(options.mended(remedy), options))
        )
        first = ", ".join(f"{name} {cell}" for name, cell in remedy.rows[0].items()) if remedy.rows else ""
        words = remedy.words if not ways else remedy.words[0].lower() + remedy.words[1:]
        ways.append(f"{words} with {flags}" + (f" (first row: {first})" if first else ""))
    if isinstance(error, SeveralModelsError):
        column = flags_beyond(ReadOptions(model_column=error.model_column or None), ReadOptions())
        ways.append(f"compare them all with '{' '.join(filter(None, ('compare FILE', column)))}'")
    return f"{error} {'; or '.join(ways)}." if ways else str(error)


_MOST_ROWS = 20
"""Places of rows that are named in a sentence."""
_ROWS = re.compile(rf"(--leave-out-rows (?:[\d-]+,){{{_MOST_ROWS}}})[\d,-]+")


def _shortened(flags: str) -> str:
    """Flags with the first of many rows: a list of hundreds hides what the sentence says."""
    return _ROWS.sub(r"\1…", flags)


def flags_beyond(options: ReadOptions, before: ReadOptions) -> str:
    """The flags that say what ``options`` say beyond ``before``."""
    names = [field.name for field in fields(ReadOptions)]
    changes = {n: getattr(options, n) for n in names if getattr(options, n) != getattr(before, n)}
    return " ".join(map(quoted, in_flags(ReadOptions(**changes))[0]))
