"""A file and what the user says about it -> predictions, and how the file was understood."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from calibcore import limits
from calibcore.data.checks import row_number, rows_left_out
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError, Remedy
from calibcore.io.columns import rows_of, understand
from calibcore.io.columns_beside import metadata_of, without_column
from calibcore.io.joining import Joined, ways
from calibcore.io.left_out import left_out_note
from calibcore.io.look import FIRST_ROWS
from calibcore.io.options import FIELDS, ReadOptions, checked_options
from calibcore.io.outcomes import outcomes
from calibcore.io.reading import FirstRow, Reading, reordered
from calibcore.io.sampling import remarks_on
from calibcore.io.sources import SWAP, File, Source, Tables, may_be_swapped, name_of, tables_of
from calibcore.io.tables import Table, listed
from calibcore.io.values import to_probabilities


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
    try:
        return _read(source, name, labels, labels_name, options)
    except InputError as error:
        error.name_fields(FIELDS)
        raise
    except limits.SettingError:
        raise
    except MemoryError:
        raise InputError("The file needs more memory than there is. Use fewer cases or columns.") from None
    except Exception:
        raise InputError(
            "The file cannot be understood: it is damaged or built in a way that is not known here. "
            "Expected a table with one row per case, one column per class, and the label."
        ) from None


def _read(
    source: Source,
    name: str | None,
    labels: Source | None,
    labels_name: str | None,
    options: ReadOptions,
) -> Reading:
    options = checked_options(options)
    file = File(source, name or name_of(source))
    second = None if labels is None else File(labels, labels_name or name_of(labels))
    tables = _tables(file, second, options)
    if tables.table.header_open and options.header is None:
        raise _header_question(file, second, options, tables.table.names)
    with _columns_known(tables), rows_left_out(options.leave_out_rows):
        reading = _understood(tables, replace(options, columns_are=None))
        reading = reordered(reading, options.columns_are)
    reading = replace(reading, name=file.name, labels_name=second.name if second else None)
    return reading if options.sample is None else reading.of_sample(options.sample)


def _tables(file: File, second: File | None, options: ReadOptions) -> Tables:
    return tables_of(
        file,
        second,
        options.header,
        options.delimiter,
        options.values == "logits",
        options.leave_out_rows,
        options.swap_files,
    )


def _header_question(
    file: File, second: File | None, options: ReadOptions, names: Sequence[str]
) -> InputError:
    """Whether 0, 1 in the first line name two columns, or are the probabilities of the first case."""
    remedies = []
    for header, words in ((True, "The first line names the columns"), (False, "The first line is a case")):
        answer = replace(options, header=header)
        tables = _tables(file, second, answer)
        rows = rows_of(tables.table, tables.second, answer)
        remedies.append(Remedy(words, {"header": header}, rows=rows))
    return InputError(
        f"The first line numbers the {len(names):,} columns, or is a case of which one class is certain: it "
        "may be either.",
        remedies,
    )


@contextmanager
def _columns_known(tables: Tables) -> Iterator[None]:
    """Inside, errors and readings know the columns that there are."""
    try:
        yield
    except InputError as error:
        error.columns = tables.table.names
        error.label_columns = tables.second.names if tables.second else ()
        if may_be_swapped(tables):
            error.remedies = (SWAP,)  # the others take the labels for predictions
        raise


def _understood(tables: Tables, options: ReadOptions) -> Reading:
    table, second, labels_name = tables.table, tables.second, tables.labels_name
    if not table.n:
        raise InputError("There are no cases; expected at least 2 rows of predictions.")
    width, columns = len(table.names), table.names
    table, counts, count_note = without_column(table, options.count_column, "counts")
    table, weights, weight_note = without_column(table, options.weight_column, "weights")
    n = table.n
    if n < 2:
        raise InputError("There is 1 case; expected at least 2 rows of predictions.")
    joined = None
    if second is not None:
        joined = _joined(table, second, options)
        second = joined.second
    one = understand(table, second, options)
    kind = one.kind.name
    probs, value_notes = to_probabilities(
        one.values, table, one.probs, kind, one.kind.why, options.renormalise
    )
    labels, label_source, label_notes = outcomes(table, joined, one, labels_name)
    if len(one.probs) == 1:
        probs = np.column_stack([probs, 1.0 - probs])
    used = {*one.probs, *(one.place.columns if second is None else ())}
    metadata = {table.names[j]: metadata_of(table, j) for j in range(len(table.names)) if j not in used}
    try:
        predictions = Predictions.from_arrays(
            probs,
            labels,
            one.meaning.class_names,
            metadata,
            renormalise=options.renormalise,
            counts=counts,
            weights=weights,
        )
    except InputError as error:
        if kind == "percent":
            raise error.reworded(f"{error} The values are percent and were divided by 100 first.") from None
        raise
    extent = f"{n:,} rows, {width:,} {'column' if width == 1 else 'columns'}"
    notes = (
        f"Read as {table.source}: {extent}.",
        *left_out_note(options.leave_out_rows, n),
        *tables.notes,
        *table.notes,
        *one.notes,
        *count_note,
        *weight_note,
        *label_notes,
        *value_notes,
        *one.meaning.notes,
        *predictions.notes,
        *remarks_on(predictions),
        *((f"Kept as metadata: {listed(list(metadata))}.",) if metadata else ()),
    )
    return Reading(
        replace(predictions, notes=notes),
        notes,
        label_source,
        kind,
        one.meaning.kind,
        tuple(table.names[j] for j in one.probs),
        tuple(metadata),
        options=options,
        columns=columns,
        label_columns=second.names if second else (),
        swapped=tables.swapped,
        first_rows=tuple(
            FirstRow(row_number(i), tuple(map(float, predictions.probs[i])), int(predictions.labels[i]))
            for i in range(min(FIRST_ROWS, n))
        ),
    )


def _joined(table: Table, second: Table, options: ReadOptions) -> Joined:
    """The file of labels row by row that of the predictions; a question if it is open how."""
    joins, doubt = ways(table, second, options.join)
    if not doubt:
        return joins[0]
    remedies = [
        Remedy(way.words, {"join": way.how}, rows=rows_of(table, way.second, options)) for way in joins
    ]
    raise InputError(doubt, remedies)
