"""A file in which each case has several labels -> all of them, or one by itself."""

from dataclasses import dataclass, replace

import numpy as np

from calibcore.data.counts_and_weights import whole_counts
from calibcore.data.parts import rows_of_sample
from calibcore.data.row_numbers import row_number
from calibcore.data.several_labels import UNKNOWN, MultiLabelPredictions
from calibcore.errors import InputError, Remedy, SeveralLabelsError
from calibcore.io.columns import other_columns, without_column
from calibcore.io.options import NO_ORDER, ReadOptions, left_out_note
from calibcore.io.reading import NOTE, FirstRow, Reading, remarks_on
from calibcore.io.roles.look import FIRST_ROWS, Look
from calibcore.io.roles.several_labels import (
    Listed,
    Pair,
    described,
    listed_names,
    outcomes,
    pairs_of,
    probabilities,
)
from calibcore.io.sources import Tables
from calibcore.wording import count, listed, quote

ALL_LABELS = "all"
"""What is said for every label of a case."""


@dataclass(frozen=True)
class LabelsReading:
    """Several labels of each case and how the file was understood, as :class:`.Reading` is of one.

    predictions : with the notes
    probability_columns, outcome_columns : names in the file, in the order of the labels
    columns, label_columns : names of all columns of the file, and of a second one of labels
    """

    predictions: MultiLabelPredictions
    notes: tuple[str, ...]
    probability_columns: tuple[str, ...]
    outcome_columns: tuple[str, ...]
    name: str = ""
    labels_name: str | None = None
    options: ReadOptions = ReadOptions()
    columns: tuple[str, ...] = ()
    label_columns: tuple[str, ...] = ()

    def of_sample(self, n: int) -> "LabelsReading":
        """The same with ``n`` of the cases, drawn at random, the same ones every time."""
        data = self.predictions
        if not 2 <= n <= data.n:
            raise InputError(f"A sample of {n:,} cases was asked for; expected 2 to {data.n:,}.")
        note = f"{NOTE}{n:,} of {data.n:,} cases, the same ones every time."
        sample = data[rows_of_sample(n, data.n, data.n)].noted((*data.notes[:1], note, *data.notes[1:]))
        return replace(self, predictions=sample, notes=sample.notes, options=replace(self.options, sample=n))


def labels_of(tables: Tables, options: ReadOptions, own_notes: tuple[str, ...] = ()) -> LabelsReading:
    """All labels of tables whose rows belong together. Cost O(nk).

    own_notes : how the rows of two files were put together

    Raises
    ------
    InputError : columns that do not pair, values that are none, outcomes of −1 that nobody has explained.
    """
    table, second = tables.table, tables.second
    if options.ordered not in (None, NO_ORDER):
        raise InputError(
            "Each of several labels is true or not: such classes have no order, and none is named."
        )
    columns = table.names
    table, counts, count_note = without_column(table, options.count_column, "counts")
    table, weights, weight_note = without_column(table, options.weight_column, "weights")
    own = table if second is None else second
    look = Look(table)
    label_look = look if second is None else Look(own)
    pairs, named = pairs_of(look, label_look), None
    if not pairs:
        named = listed_names(look, label_look)
    if not pairs and named is None:
        raise InputError(
            "No labels were found that have a column of probabilities and one of 0 and 1 each, such as "
            f"'effusion_prob' and 'effusion_true'. The columns are {listed(columns)}."
        )
    if named is not None:
        pairs = tuple(Pair(name, j, named.column) for name, j in zip(named.names, named.probs, strict=True))
    names = _names(pairs, named, options)
    probs = probabilities(table, pairs, options)
    true, outcome_notes = (named.outcomes, ()) if named else outcomes(own, pairs, options)
    used = {pair.probs for pair in pairs} | ({pair.outcomes for pair in pairs} if second is None else set())
    data = MultiLabelPredictions.from_arrays(probs, true, names, other_columns(table, used), weights=weights)
    if counts is not None:
        times, repeated = whole_counts(counts, table.n)
        data = data[np.repeat(np.arange(table.n), times)]
        count_note = (*count_note, repeated)
    notes = (
        f"Read as {table.source}: {table.n:,} rows, {count(len(columns), 'column')}.",
        *left_out_note(options.leave_out_rows, table.n),
        *tables.notes,
        *table.notes,
        described(table, own, pairs),
        *own_notes,
        *count_note,
        *weight_note,
        *outcome_notes,
        *data.notes,
    )
    data = data.noted(notes)
    return LabelsReading(
        data,
        notes,
        tuple(table.names_of(pair.probs for pair in pairs)),
        tuple(own.names_of(pair.outcomes for pair in pairs)),
        options=options,
        columns=columns,
        label_columns=own.names if second is not None else (),
    )


def _names(pairs: tuple[Pair, ...], named: Listed | None, options: ReadOptions) -> tuple[str, ...]:
    """What the labels are called: as the columns say, or of lists in their order as ``class_names`` do."""
    if options.class_names is None or named is not None:
        return tuple(pair.name for pair in pairs)
    if len(options.class_names) != len(pairs):
        raise InputError(
            f"There are {len(pairs):,} labels, and {count(len(options.class_names), 'name')} of them: "
            f"{listed(options.class_names)}. Expected a name a label."
        )
    return options.class_names


def all_pairs(reading: LabelsReading) -> Reading:
    """All labels of all cases in one pool: the :meth:`~.MultiLabelPredictions.pairs`.

    Raises
    ------
    InputError : more pairs than are made; too few outcomes that are known.
    """
    data = reading.predictions
    pairs = data.pairs()
    return Reading(
        pairs,
        reading.notes,
        "column:" + ", ".join(reading.outcome_columns),
        "probabilities",
        "0-based",
        reading.probability_columns,
        tuple(pairs.metadata),
        reading.name,
        reading.labels_name,
        reading.options,
        columns=reading.columns,
        label_columns=reading.label_columns,
    )


def one_label(reading: LabelsReading, name: str) -> Reading:
    """One label by itself, as of a file that has no other.

    Raises
    ------
    InputError : no such label; too few outcomes that are known.
    """
    data = reading.predictions
    if name == ALL_LABELS and name not in data.label_names:
        raise SeveralLabelsError(
            f"Each case has {data.k:,} labels, and here one of them can be looked at: "
            f"{listed(data.label_names)}. All of them are for a survey.",
            [Remedy(f"Read the label {quote(each)}", {"label": each}) for each in data.label_names],
        )
    of_one, place = data.label(name), data.label_names.index(name)
    known = np.flatnonzero(data.outcomes[:, place] != UNKNOWN)[:FIRST_ROWS]
    first, *rest = of_one.notes
    notes = (first, f"Only the label {quote(name)} was read, as asked.", *rest, *remarks_on(of_one))
    return Reading(
        of_one.noted(notes),
        notes,
        f"column:{reading.outcome_columns[place]}",
        "probabilities",
        "0-based",
        (reading.probability_columns[place],),
        tuple(of_one.metadata),
        reading.name,
        reading.labels_name,
        replace(reading.options, label=name),
        columns=reading.columns,
        label_columns=reading.label_columns,
        first_rows=tuple(
            FirstRow(
                row_number(int(i)),
                tuple(map(float, of_one.probs[row])),
                int(of_one.labels[row]),
            )
            for row, i in enumerate(known)
        ),
    )
