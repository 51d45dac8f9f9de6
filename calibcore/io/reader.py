"""A file and what the user says about it -> predictions, and how the file was understood."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np

from calibcore import limits
from calibcore.data.predictions import Predictions
from calibcore.data.row_numbers import leaving_out, list_rows, row_number, rows_left_out
from calibcore.errors import InputError, NoLabelsError, OtherValuesError, Remedy, SeveralModelsError
from calibcore.io.answered import Known, known_of
from calibcore.io.columns import other_column, other_columns, without_column
from calibcore.io.doubled import refuse_doubled
from calibcore.io.faults import LARGE, name_spreadsheet_row, raise_every_kind, rows_to_leave_out
from calibcore.io.joining import BY_ROWS, Joined, ways
from calibcore.io.labels_below import labels_question
from calibcore.io.model_rows import rows_of_models
from calibcore.io.model_sets import ModelSet
from calibcore.io.models import (
    first_question,
    is_called_a_model,
    left_out_question,
    models_of,
    named_question,
    one_model,
    stack_question,
    wide_question,
)
from calibcore.io.options import FIELDS, ReadOptions, checked_options, left_out_note
from calibcore.io.reading import FirstRow, Reading, first_places, in_order, remarks_on, reordered
from calibcore.io.roles.answer_reading import Answered
from calibcore.io.roles.confidence_beside import answered_after_all, question_of
from calibcore.io.roles.confidences import asked, instead
from calibcore.io.roles.label_columns import without_labels
from calibcore.io.roles.look import Look
from calibcore.io.roles.outcome_words import outcomes_in_numbers
from calibcore.io.roles.right_answers import OUTCOME, outcomes_of_answers
from calibcore.io.roles.service_confidence import confidence_notes
from calibcore.io.roles.stacked import ALL, chosen_rows, repeated_note, stacked
from calibcore.io.roles.table_reading import Understanding
from calibcore.io.roles.understanding import rows_of, understand
from calibcore.io.roles.values import errors_of, to_probabilities
from calibcore.io.roles.varying_options import refuse_absent
from calibcore.io.several_labels import LabelsReading, labels_of, one_label
from calibcore.io.sources import (
    SWAP,
    File,
    Source,
    Tables,
    may_be_swapped,
    name_of,
    size_of,
    tables_of,
)
from calibcore.io.tables import Array, Table, refused_name
from calibcore.numerics.types import Int
from calibcore.wording import count, listed

R = TypeVar("R", Reading, LabelsReading)


class Named(Protocol):
    """Gives a reading the names of its files."""

    def __call__(self, reading: R) -> R: ...


def read(
    source: Source,
    *,
    name: str | None = None,
    labels: Source | None = None,
    labels_name: str | None = None,
    options: ReadOptions = ReadOptions(),
) -> Reading:
    """Read predictions from a file or its bytes. Cost O(bytes).

    Parameters
    ----------
    source : a path, or the content of a file
    name : the file's name, if ``source`` is its content; says the format where the content leaves it open
    labels, labels_name : a second file, of labels

    Raises
    ------
    InputError : says what was found, where (row and column), and what was expected; its ``remedies`` say
        what would mend it.
    """
    with refusing("Expected a table with one row per case, one column per class, and the label."):
        return _read(source, name, labels, labels_name, options)


def read_labels(
    source: Source,
    *,
    name: str | None = None,
    labels: Source | None = None,
    labels_name: str | None = None,
    options: ReadOptions = ReadOptions(),
) -> LabelsReading:
    """Read all labels of a file in which each case has several, as :func:`read` does one.

    Raises
    ------
    InputError : as :func:`read`; also where no columns of probabilities and of 0 and 1 belong together.
    """
    with refusing("Expected a table with one row per case, and two columns per label."):
        options = checked_options(options)
        with opened_tables(source, name, labels, labels_name, options) as (tables, named):
            chosen, rest = _with_chosen_rows(tables, options)
            with rows_left_out(sorted({*options.leave_out_rows, *rest})):
                reading = named(_of_labels(chosen, options))
        if options.sample is None:
            return reading
        return reading.of_sample(options.sample)


def _of_labels(tables: Tables, options: ReadOptions) -> LabelsReading:
    second = tables.second
    if second is None:
        return labels_of(tables, options)
    joined = _joined(tables.table, second, options)
    note = f"Labels: the second file ({joined.second.source}), {joined.note}."
    return labels_of(replace(tables, second=joined.second), options, (note, *joined.second.notes))


@contextmanager
def refusing(expected: str) -> Iterator[None]:
    """Inside, whatever a parser raises becomes :class:`InputError`."""
    try:
        yield
    except InputError as error:
        error.name_fields(FIELDS)
        name_spreadsheet_row(error)
        raise
    except limits.SettingError:
        raise
    except MemoryError:
        raise InputError("The file needs more memory than there is. Use fewer cases or columns.") from None
    except Exception:
        raise InputError(
            "The file cannot be understood: it is damaged or built in a way that is not known here. "
            + expected
        ) from None


def _read(
    source: Source, name: str | None, labels: Source | None, labels_name: str | None, options: ReadOptions
) -> Reading:
    options = checked_options(options)

    def once(options: ReadOptions) -> Reading:
        with opened_tables(source, name, labels, labels_name, options) as (tables, named):
            return named(read_model(tables, options))

    try:
        reading = once(options)
    except InputError as error:
        if not rows_to_leave_out(error) or size_of(source) > LARGE:
            raise
        raise_every_kind(error, once, options)
    return reading if options.sample is None else reading.of_sample(options.sample)


@contextmanager
def opened_tables(
    source: Source, name: str | None, labels: Source | None, labels_name: str | None, options: ReadOptions
) -> Iterator[tuple[Tables, "Named"]]:
    """The tables of one or two files, and what gives a reading of them their names.

    Within, errors know rows and columns as the files have them.
    """
    file = File(source, name or name_of(source))
    second = None if labels is None else File(labels, labels_name or name_of(labels))
    tables = tables_of(file, second, options)
    if tables.table.header_open and options.header is None:
        raise _header_question(file, second, options, tables.table.names)
    tables = _with_outcomes_in_numbers(tables)
    with _names_told_apart(tables), _columns_known(tables), rows_left_out(options.leave_out_rows):

        def named(reading: R) -> R:
            return replace(reading, name=file.name, labels_name=second.name if second else None)

        yield tables, named


def _with_outcomes_in_numbers(tables: Tables) -> Tables:
    if tables.second is None:
        return replace(tables, table=outcomes_in_numbers(tables.table, tables.table))
    return replace(tables, second=outcomes_in_numbers(tables.second, tables.table))


def read_model(tables: Tables, options: ReadOptions, models: ModelSet | None = None) -> Reading:
    """The only model of the tables, or the one of several that the options name.

    ``models`` are those of the tables, where these are known. What the only model cannot be read of may hold
    several beside each other: then these are the question.
    """
    how = replace(options, columns_are=None)
    if options.model is not None or options.model_column is not None:
        models = models or models_of(tables, how, of_chosen_rows)
        chosen, of_model = one_model(tables, how, models)
        with _columns_known(chosen):
            reading = of_chosen_rows(chosen, of_model)
            if question := _named_question(chosen, of_model, reading):
                raise question
    else:
        try:
            reading = of_chosen_rows(tables, how)
        except SeveralModelsError:
            raise
        except InputError as error:
            labels = not isinstance(error, NoLabelsError)
            beside = wide_question(tables, how, of_chosen_rows, labels, error)
            raise beside or first_question(tables, how, of_chosen_rows, error) or error from None
        question = _named_question(tables, how, reading)
        if question := question or left_out_question(tables, how, of_chosen_rows, reading):
            raise question
    return reordered(in_order(replace(reading, options=how), options.ordered), options.columns_are)


def _named_question(tables: Tables, options: ReadOptions, reading: Reading) -> InputError | None:
    """Which model of the chosen rows is meant, where a column that was read beside them names several."""
    if not any(map(is_called_a_model, reading.metadata_columns)):
        return None
    chosen, rows_of = _with_chosen_rows(tables, options)[0], partial(rows_of_models, reading.predictions)
    return named_question(chosen, options, reading.metadata_columns, rows_of)


def of_chosen_rows(tables: Tables, options: ReadOptions) -> Reading:
    """The tables as those of one model, of the rows that the options choose."""
    tables, rest = _with_chosen_rows(tables, options)
    with rows_left_out(sorted({*options.leave_out_rows, *rest})):
        return _understood(tables, options)


def _header_question(
    file: File, second: File | None, options: ReadOptions, names: Sequence[str]
) -> InputError:
    """Whether 0, 1 in the first line name two columns, or are the probabilities of the first case."""
    remedies = []
    for header, words in ((True, "The first line names the columns"), (False, "The first line is a case")):
        answer = replace(options, header=header)
        tables = tables_of(file, second, answer)
        rows = rows_of(tables.table, tables.second, answer)
        remedies.append(Remedy(words, {"header": header}, rows=rows))
    return InputError(
        f"The first line numbers the {len(names):,} columns, or is a case of which one class is certain: it "
        "may be either.",
        remedies,
    )


@contextmanager
def _names_told_apart(tables: Tables) -> Iterator[None]:
    """Inside, what cannot be read of a table with a name that stands twice is put down to that name."""
    doubled = [*tables.table.doubled, *(tables.second.doubled if tables.second else ())]
    try:
        yield
    except InputError:
        if doubled:
            raise refused_name(*doubled[0]) from None
        raise


@contextmanager
def _columns_known(tables: Tables) -> Iterator[None]:
    """Inside, errors and readings know the columns that there are."""
    try:
        yield
    except InputError as error:
        if not error.columns:  # of one model of several they are called otherwise
            error.columns, error.rows = tables.table.names, tables.table.n
            error.label_columns = tables.second.names if tables.second else ()
        if tables.second is None or tables.second.lines_above == tables.table.lines_above:
            error.lines_above = tables.table.lines_above
        if may_be_swapped(tables):
            error.remedies = (SWAP,)  # the others take the labels for predictions
        raise


def _with_chosen_rows(tables: Tables, options: ReadOptions) -> tuple[Tables, list[int]]:
    """The tables with the rows that are asked for, and the numbers of all others in the file."""
    wanted, table, second = options.rows_where or (), tables.table, tables.second
    if not set(wanted) - {ALL}:
        return tables, []
    columns = {name: other_column(table, j) for j, name in enumerate(table.names) if j not in table.in_blocks}
    rows = chosen_rows(columns, table.n, wanted)
    rest = np.delete(np.arange(table.n), rows)
    by_rows = second is not None and second.n == table.n and options.join in (None, BY_ROWS)
    numbers = (rest + 1).tolist()
    note = f"{count(len(rows), 'row')} of {table.n:,} were kept, as asked: {listed(wanted)}."
    remaining = replace(
        tables,
        table=table.without(numbers),
        second=second.without(numbers) if second is not None and by_rows else second,
        notes=(*tables.notes, note),
    )
    return remaining, [row_number(i) for i in rest.tolist()]


def _understood(tables: Tables, options: ReadOptions) -> Reading:
    table, second = tables.table, tables.second
    if not table.n:
        raise InputError("There are no cases; expected at least 2 rows of predictions.")
    if options.label is not None:
        return one_label(_of_labels(tables, options), options.label)
    columns = table.names
    table, counts, count_note = without_column(table, options.count_column, "counts")
    table, weights, weight_note = without_column(table, options.weight_column, "weights")
    n = table.n
    if n < 2:
        raise InputError("There is 1 case; expected at least 2 rows of predictions.")
    joined = None if second is None else _joined(table, second, options)
    tables = replace(tables, table=table, second=joined.second if joined else None)
    understood = _columns_understood(tables, options)
    more = {"counts": counts, "weights": weights}
    if isinstance(understood, Answered):
        known = _of_answers(tables, joined, understood, options, more)
    else:
        known = _of_classes(tables, joined, understood, options, more)
    predictions, metadata = known.predictions, tuple(known.predictions.metadata)
    repeats = ""
    if counts is None:
        stack = stacked(predictions)
        if stack is not None and ALL not in (options.rows_where or ()):
            raise stack_question(stack, options, predictions)
        if not options.rows_where and (question := labels_question(predictions)):
            raise question
        repeats = repeated_note(predictions)
    notes = (
        f"Read as {table.source}: {n:,} rows, {count(len(columns), 'column')}.",
        *left_out_note(options.leave_out_rows, n),
        *tables.notes,
        *table.notes,
        *known.notes,
        *count_note,
        *weight_note,
        *known.value_notes,
        *predictions.notes,
        *remarks_on(predictions),
        *((repeats,) if repeats else ()),
        *((f"Other columns, kept for groups and times: {listed(metadata)}.",) if metadata else ()),
    )
    return Reading(
        replace(predictions, notes=notes),
        notes,
        known.label_source,
        known.kind,
        known.label_kind,
        known.columns,
        metadata,
        options=options,
        columns=columns,
        label_columns=tables.second.names if tables.second else (),
        swapped=tables.swapped,
        first_rows=known.first_rows,
    )


def _columns_understood(tables: Tables, options: ReadOptions) -> Understanding | Answered:
    """Which columns hold the probabilities of classes, or how sure the model was of its answer."""
    table, second = tables.table, tables.second
    answered = asked(table, second, options)
    if answered is not None:
        return answered
    try:
        understood = understand(table, second, options)
    except InputError as refusal:
        try:
            return instead(table, second, options, refusal)
        except OtherValuesError as error:
            if second is not None:
                raise
            raise without_labels(error, Look(table), ()) from None
    if not options.probability_columns:
        columns = understood.probs, understood.place.columns
        question = question_of(table, second, options, *columns)
        if question is not None:
            raise question
        if (reading := answered_after_all(table, second, options, *columns)) is not None:
            return reading
    return understood


def _of_classes(
    tables: Tables,
    joined: Joined | None,
    understood: Understanding,
    options: ReadOptions,
    more: dict[str, Any],
) -> Known:
    """Predictions of a table of probabilities a class; ``more``: counts and weights."""
    table, second = tables.table, tables.second
    refuse_doubled(table, understood.probs)
    refuse_doubled(table if second is None else second, understood.place.columns)
    kind = understood.kind.name
    probs, value_notes = to_probabilities(
        understood.values, table, understood.probs, kind, understood.kind.why, options.renormalise
    )
    labels, label_source, label_notes = _outcomes(table, joined, understood, tables.labels_name)
    if understood.meaning.says != OUTCOME:
        labels = outcomes_of_answers(np.asarray(probs, np.float64), labels, understood.meaning.says)
    names = understood.meaning.class_names
    refuse_absent(table, understood.probs, labels, names)
    used = {*understood.probs, *(understood.place.columns if second is None else ())}
    metadata = other_columns(table, used)
    with errors_of(kind):
        predictions = Predictions.from_arrays(
            probs, labels, names, metadata, renormalise=options.renormalise, **more
        )
    as_given = more["counts"] is None and len(understood.probs) == predictions.m
    beside = confidence_notes(table, used, predictions.probs) if as_given else ()
    return Known(
        predictions,
        kind,
        understood.meaning.kind,
        label_source,
        tuple(table.names_of(understood.probs)),
        understood.notes,
        (*label_notes, *value_notes, *understood.meaning.notes, *beside),
        tuple(
            FirstRow(row_number(i), tuple(map(float, predictions.probs[k])), int(predictions.labels[k]))
            for i, k in first_places(table.n, more["counts"])
        ),
    )


def _of_answers(
    tables: Tables, joined: Joined | None, answered: Answered, options: ReadOptions, more: dict[str, Any]
) -> Known:
    """The same of a table that says how sure the model was of its answers."""
    table, second = tables.table, tables.second
    answer_columns = (answered.sure, *(() if answered.predicted is None else (answered.predicted,)))
    refuse_doubled(table, answer_columns)
    refuse_doubled(table if second is None else second, answered.label_columns)
    note = () if joined is None else (f"Labels: the second file ({joined.second.source}), {joined.note}.",)
    metadata = other_columns(table, answered.used)
    known = known_of(answered, metadata, options, more)
    source = known.label_source if joined is None else f"file:{tables.labels_name or 'labels'}"
    own_notes = joined.second.notes if joined else ()
    return replace(known, label_source=source, value_notes=(*note, *own_notes, *known.value_notes))


def _joined(table: Table, second: Table, options: ReadOptions) -> Joined:
    """The file of labels row by row that of the predictions; a question if it is open how."""
    joins, doubt = ways(table, second, options.join)
    if not doubt:
        return joins[0]
    remedies = [Remedy(j.words, {"join": j.how}, rows=rows_of(table, j.second, options)) for j in joins]
    raise InputError(doubt, remedies)


def _outcomes(
    table: Table, joined: Joined | None, understood: Understanding, labels_name: str
) -> tuple[Int, str, tuple[str, ...]]:
    """(n,) labels from 0, their source (see :class:`.Reading`), and sentences about it."""
    own, columns = joined.second if joined else table, understood.place.columns
    names = own.names_of(columns)
    if understood.words is None:
        matrix = np.column_stack([own.numbers(j) for j in columns])
        labels, which = _onehot_labels(matrix, names, understood.meaning.numbers), "one-hot"
        source = "columns:" + ",".join(names)
    else:
        labels, which = understood.words.mapped(understood.meaning.numbers), own.where(columns[0])
        source = f"{'array' if own.of_arrays else 'column'}:{names[0]}"
    if joined is None:
        return labels, source, ()
    note = f"Labels: the second file ({own.source}), {joined.note}, {which}."
    return labels, f"file:{labels_name or 'labels'}", (note, *own.notes)


def _onehot_labels(matrix: Array, columns: Sequence[str], order: Sequence[int]) -> Int:
    """Labels as (n, m) zeros with exactly one 1 a row; ``order[k]`` is the class of column k."""
    ones = matrix == 1
    bad = np.flatnonzero((ones.sum(axis=1) != 1) | ~(ones | (matrix == 0)).all(axis=1))

    def describe(i: int) -> str:
        other = matrix[i][(matrix[i] != 0) & (matrix[i] != 1)]
        number = int(ones[i].sum())
        return f"has {other[0]:.6g}" if len(other) else f"has {number} {'one' if number == 1 else 'ones'}"

    if len(bad):
        raise InputError(
            f"{list_rows(bad, describe)} Expected exactly one 1, and zeros, in the one-hot labels "
            f"{listed(columns, 5)}.",
            leaving_out(bad, len(matrix)),
        )
    classes: Int = np.asarray(order, dtype=np.int64)[np.argmax(ones, axis=1)]
    return classes
