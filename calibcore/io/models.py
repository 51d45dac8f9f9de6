"""Several models in one file, beside each other or below each other, and the part that is one of them.

Once one is chosen the file is read as if it held nothing else.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import says_of_answers, tokens
from calibcore.column_names.names import parse
from calibcore.column_names.no_classes import is_model_like
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError, NoSuchModelError, Remedy, SeveralModelsError
from calibcore.io.columns import other_column
from calibcore.io.model_rows import Rows, few_rows, rows_of_models, rows_of_reading
from calibcore.io.model_sets import (
    ModelSet,
    are_models,
    by_column,
    by_column_and_others,
    cells_of,
    many_models,
    sets_of,
    which_says,
)
from calibcore.io.options import ReadOptions
from calibcore.io.reading import Reading
from calibcore.io.roles import label_places, wide_models
from calibcore.io.roles.look import FIRST_ROWS, MOST_OFFERED, Look
from calibcore.io.roles.stacked import ALL, Stacked, are_of_same_cases, names_cases, stacked, values_of
from calibcore.io.roles.understanding import likeliest_columns
from calibcore.io.roles.wide_models import MOST_MODELS
from calibcore.io.sources import Tables
from calibcore.wording import count, listed, quote

RowsOfModels = Mapping[str, Rows]
"""Name of a model -> its first rows, as they are read."""
ReadTables = Callable[[Tables, ReadOptions], Reading]
"""Reads tables that hold one model."""
_MODEL_WORDS = lexicon.words_of("""
    model models modell modele modelo classifier clf estimator learner method algorithm algo system
    architecture arch backbone network variant engine llm
""")
"""Words in the name of a column that says which model a row is from."""
_MODELS_ALONE = lexicon.words_of("""
    model models modell modele modelo classifier clf estimator algorithm algo llm
""")
"""Those of which each says it alone: a "network" may carry calls, a "variant" may be of a gene."""
_OF_GOODS = lexicon.words_of("make brand manufacturer mileage horsepower odometer")
"""Words of columns beside a "model" that is one of cars or phones."""
_BESIDE_THEM = lexicon.words_of("""
    name names id ids key code no nr number type kind family version tag used which of the ml ai dl base
    trained prediction predictive predictor
""")
"""Words beside those in a name that says nothing else: a "payment_method" is no model."""
_COLUMNS = (
    "label_column", "count_column", "weight_column",
    "confidence_column", "prediction_column", "correct_column",
)  # fmt: skip
"""Options that name a column, which may bear the name of a model."""
KEEP_ALL = Remedy("Keep all rows, and say that those of one case belong together", {"rows_where": (ALL,)})
_ENOUGH = 5_000
"""Rows of a model by which it is seen whether it can be read."""
_MOST_ANSWERS = 3
"""Answers to another question that are tried, to see which columns hold predictions."""
_AS_MANY = 0.02
"""So large a share of the rows may be missing in a set below another one."""


def models_of(tables: Tables, options: ReadOptions, read: ReadTables) -> ModelSet | None:
    """The models of the tables; None where they seem to hold one.

    The columns that the options name split the rows. Else columns of models beside each other are looked for,
    then a column that is called as models are, first one that splits the rows evenly, then rows of the same
    cases below each other. What stands beside such a column tells rows of the same case apart. Cost
    O(n·columns).

    Raises
    ------
    InputError : the column that is named is not there, or has one value or more than 50.
    """
    if options.model_column is not None:
        return by_column(tables, options.model_column)
    if wide := _wide(tables, options, read):
        return wide[0]
    called = [column for column in _columns_of_models(tables) if _names_models(tables, column)]
    evenly = [column for column in _columns_of_models(tables) if _splits_evenly(tables, column)]
    for named in (called, evenly):
        if len(named) == 1:
            return by_column_and_others(tables, named[0], options)
    try:
        stack = stacked(read(tables, _all_rows(options)).predictions)
    except InputError:
        stack = None
    if stack is not None:
        return sets_of(stack.by, stack.sets)
    return by_column_and_others(tables, called[0], options) if called else None


def one_model(tables: Tables, options: ReadOptions, models: ModelSet | None) -> tuple[Tables, ReadOptions]:
    """The tables of the model that the options name, and how they are read.

    Raises
    ------
    SeveralModelsError : the options name a column of models, and none of these.
    NoSuchModelError : there is no such model.
    """
    if options.model is None:
        assert models is not None
        raise SeveralModelsError(
            f"{which_says(models)} There {are_models(models)}. Read one of them, or compare them all.",
            _remedies(models),
            models.names,
            models.column,
        )
    name = options.model.strip()
    if models is None:
        raise NoSuchModelError(
            f"There is no model {quote(name)}: the file seems to hold the predictions of one model. If a "
            "column says which model a row is from, name it.",
            [Remedy("Read the file as that of one model", {"model": None})],
        )
    if name not in models.names:
        raise NoSuchModelError(
            f"There is no model {quote(name)} in the file. It holds {listed(models.names)}.",
            _remedies(models),
            models.names,
        )
    if models.column:
        where = (*(options.rows_where or ()), *models.where(name))
        return tables, replace(options, rows_where=where)
    return _of_wide(tables, options, models, name)


def _of_wide(tables: Tables, options: ReadOptions, models: ModelSet, name: str) -> tuple[Tables, ReadOptions]:
    own = models.wide[models.names.index(name)]
    table = wide_models.table_of(tables.table, models.wide, own)
    full = [tables.table.names[j] for j, _ in own.columns]
    note = (
        f"Of {len(models.names):,} models in the file, {quote(name)} was read, as asked: {listed(full, 6)}."
        f"{_not_taken(models)}"
    )
    names = {tables.table.names[j]: called for j, called in own.columns}

    def called(column: str | None) -> str | None:
        return None if column is None or column in table.names else names.get(column, column)

    change: dict[str, Any] = {
        field: called(getattr(options, field)) or getattr(options, field) for field in _COLUMNS
    }
    probabilities = options.probability_columns and tuple(
        called(column) or column for column in options.probability_columns
    )
    doubtful = any(parse(column).speaks_of_predictions for column in models.beside)
    if not probabilities and len(full) == 1 and doubtful and all(map(wide_models.is_known, models.names)):
        probabilities = (called(full[0]) or full[0],)  # not the "score" that stands beside all models
    return replace(tables, table=table, notes=(*tables.notes, note)), replace(
        options, probability_columns=probabilities, **change
    )


# Beside each other -----------------------------------------------------------------------------------------


def _wide(
    tables: Tables, options: ReadOptions, read: ReadTables
) -> tuple[ModelSet, dict[str, Reading]] | None:
    """Models beside each other: the likeliest of which some rows can be read, else those that are clear.

    With the models some rows of each that was looked at, read.
    """
    if not tables.table.n:
        return None
    look = Look(tables.table)
    label_look, own_file = (look, False) if tables.second is None else (Look(tables.second), True)
    try:
        places = label_places.find_places(label_look, options.label_column, own_file)
    except InputError:  # it bears the name of a model
        places = label_places.find_places(label_look, None, own_file)
    words = label_places.likely_words(label_look, places)
    few = _some_rows(tables)
    candidates = wide_models.candidates(look, words, label_look)
    candidates.sort(key=lambda candidate: options.model is not None and options.model not in candidate.names)
    plain = replace(_all_rows(options), probability_columns=None, class_names=None)
    for candidate in candidates:
        models, readings = _beside_each_other(look, candidate), dict[str, Reading]()
        asked = 0
        first, last = models.names[0], models.names[-1]
        for name in (options.model,) if options.model in models.names else (first, last, *models.names):
            if name is not None and name not in readings and len(readings) < MOST_OFFERED:
                try:
                    readings[name] = read(*_of_wide(few, plain, models, name))
                except InputError as error:
                    if not any(remedy.rows or _leaves_out(remedy) for remedy in error.remedies):
                        break  # it is no table of predictions, and not only open what they are about
                    asked += any(_asks_what_was_so(r) or _leaves_out(r) for r in error.remedies)
        else:
            if readings or asked > (options.model not in models.names):
                return models, readings
    # What is clear of each model is of models, though a row of one is none.
    sure = next((c for c in candidates if c.clear or options.model in c.names), None)
    return None if sure is None else (_beside_each_other(look, sure), {})


def _asks_what_was_so(remedy: Remedy) -> bool:
    """Whether it says which column tells what was right, and leaves the predictions as they are."""
    return "correct_column" in remedy.change or set(remedy.change) == {"label_column"}


def _leaves_out(remedy: Remedy) -> bool:
    """Whether only some rows stand in the way."""
    return set(remedy.change) == {"leave_out_rows"}


def _beside_each_other(look: Look, candidate: wide_models.Candidate) -> ModelSet:
    """The models of a candidate, and what else is a fraction and may be one."""
    taken = frozenset[int]().union(*(model.places for model in candidate.models))
    rest = tuple(
        name
        for j, name in enumerate(look.names)
        if j not in taken and look.fractional[j] and (look.unit[j] or wide_models.is_of_models(name))
    )
    return ModelSet(candidate.names, wide=candidate.models, beside=rest)


def _not_taken(models: ModelSet) -> str:
    if not models.beside:
        return ""
    which = "Column" if len(models.beside) == 1 else "Columns"
    verb = "was" if len(models.beside) == 1 else "were"
    return f" {which} {listed(models.beside, 6)} {verb} not taken for a model."


def left_out_question(
    tables: Tables, options: ReadOptions, read: ReadTables, reading: Reading
) -> InputError | None:
    """Which of several models is meant, where one was read and others stand beside it as other columns."""
    columns, field = reading.probability_columns, "probability_columns"
    if options.probability_columns or options.confidence_column:
        return None
    if reading.predictions.confidence_only:
        field = "confidence_column"
    beside = [name for name in reading.metadata_columns if name not in columns]
    rest = wide_models.of_models_among(beside, beside)
    if not rest and not set(columns) & set(
        wide_models.of_models_among((*columns, *beside), (*columns, *beside))
    ):
        return None
    question = wide_question(tables, options, read, True)
    if question is not None and not set(columns) & set(question.models):
        change = {field: columns if field == "probability_columns" else columns[0]}
        question.remedies = (*question.remedies, Remedy(f"Only {listed(columns, 3)}", change))
    return question


def _some_rows(tables: Tables) -> Tables:
    """The first rows and some of the others: enough to see whether they can be read."""
    n, table = tables.table.n, tables.table
    if tables.second is not None or n <= _ENOUGH:
        return tables
    rows = np.unique([*range(FIRST_ROWS), *np.linspace(0, n - 1, _ENOUGH).astype(np.int64).tolist()])
    columns = tuple(column.iloc[rows].reset_index(drop=True) for column in table.columns)
    return replace(tables, table=replace(table, columns=columns))


def _all_rows(options: ReadOptions) -> ReadOptions:
    """The same, where rows of one case are no question."""
    return replace(options, model=None, rows_where=(*(options.rows_where or ()), ALL), leave_out_rows=())


def wide_question(
    tables: Tables, options: ReadOptions, read: ReadTables, labels: bool, asked: InputError | None = None
) -> SeveralModelsError | None:
    """Which of the models beside each other is meant; None where there are none, or columns were chosen.

    ``labels`` : whether there are any, as far as is known; else one of the models has to have its own.
    ``asked`` : what is open of the table as one of one model: what their columns may be as well.
    """
    beside = None if options.probability_columns else _wide(tables, options, read)
    if beside is None:
        return None
    models, readings = beside
    own = all(any(says_of_answers(name) for _, name in model.columns) for model in models.wide)
    if not (labels or readings or own):
        return None
    columns = frozenset[int]().union(*(model.places for model in models.wide))
    likeliest = likeliest_columns(tables.table, tables.second, options) if asked else ()
    classes = [
        replace(
            remedy, words=f"They are the classes of one model: {remedy.words[0].lower()}{remedy.words[1:]}"
        )
        for remedy in (asked.remedies if asked else ())
        if remedy.rows and any(columns == set(candidate.columns) for candidate in likeliest)
    ]
    or_classes = " Or these are the classes of one model." if classes else ""
    return SeveralModelsError(
        f"The file holds the predictions of {many_models(models)}, beside each other.{_not_taken(models)} "
        f"Read one of them, or compare them all.{or_classes}",
        [*_remedies(models, {name: rows_of_reading(known) for name, known in readings.items()}), *classes],
        models.names,
    )


# Below each other ------------------------------------------------------------------------------------------


def is_called_a_model(name: str) -> bool:
    """Whether a column is called a model and nothing else: "model", "classifier_id", "Name of the model"."""
    words = [token.text for token in tokens(name)]
    return not _MODEL_WORDS.isdisjoint(words) and (_MODEL_WORDS | _BESIDE_THEM).issuperset(words)


def named_question(
    tables: Tables, options: ReadOptions, beside: Collection[str], rows_of: Callable[[ModelSet], RowsOfModels]
) -> InputError | None:
    """Which of the models is meant that a column names; None where none is called so, or rows were chosen.

    ``beside`` : columns that hold neither predictions nor labels; ``rows_of`` gives the first rows of models.
    Whether the models are of the same cases is no matter: rows of two models are never those of one.
    """
    wanted = options.rows_where or ()
    if ALL in wanted:
        return None
    for column in _columns_of_models(tables):
        chosen = any(words.startswith((f"{column}=", f"{column} =")) for words in wanted)
        if column not in beside or chosen or not _names_models(tables, column):
            continue
        models = by_column_and_others(tables, column, options)
        keep_all = Remedy("All rows are of one model", {"rows_where": (ALL,)})
        nameless = f" {count(models.nameless, 'row')} named none." if models.nameless else ""
        which = f"{which_says(models)} There {are_models(models)}.{nameless}"
        if options.model is None and options.model_column is None:
            return SeveralModelsError(
                f"{which} Read one of them, or compare them all.",
                [*_remedies(models, rows_of(models)), keep_all],
                models.names,
                models.column,
            )
        return InputError(
            f"{which} Say which rows to keep.", [*rows_to_keep(models, rows_of(models)), keep_all]
        )
    return None


def first_question(
    tables: Tables, options: ReadOptions, read: ReadTables, refusal: InputError
) -> InputError | None:
    """Which model is meant, where the rows of all together cannot be read: the rest is asked of its rows.

    What numbers are, or a bad row, is asked of the model that is chosen. It is asked where a column is called
    a model and holds neither predictions nor labels, as the rows of one model show, or an answer.
    """
    for column in _columns_of_models(tables):
        if not _names_models(tables, column):
            continue
        models = by_column_and_others(tables, column, options)
        for name in dict.fromkeys((models.names[0], models.names[-1])):
            of_name = replace(options, rows_where=(*(options.rows_where or ()), *models.where(name)))
            answers = [r for r in refusal.remedies if r.change and "rows_where" not in r.change]
            for how in (of_name, *map(of_name.mended, answers[:_MOST_ANSWERS])):
                try:
                    beside = read(tables, how).metadata_columns
                except InputError:
                    continue
                as_asked = how is of_name  # else it is open what the rows say
                rows_of = partial(_rows_of_each, tables, options, read) if as_asked else _no_rows
                return named_question(tables, options, beside, rows_of)
    return None


def _rows_of_each(tables: Tables, options: ReadOptions, read: ReadTables, models: ModelSet) -> RowsOfModels:
    """The first rows of the models that are offered, each read alone, of those that can be."""
    few, rows = few_rows(tables, models), {}
    for name in models.names[:MOST_OFFERED]:
        with suppress(InputError):
            of_name = replace(options, rows_where=(*(options.rows_where or ()), *models.where(name)))
            rows[name] = rows_of_reading(read(few, of_name))
    return rows


def _no_rows(models: ModelSet) -> RowsOfModels:  # noqa: ARG001 (as the others)
    return {}


def stack_question(stack: Stacked, options: ReadOptions, predictions: Predictions) -> InputError:
    """Which of the sets of rows below each other is meant; of one model, which of its runs.

    ``predictions``: of all rows, of which the first of each set are shown.
    """
    models = sets_of(stack.by, stack.sets)
    rows = rows_of_models(predictions, models)
    if options.model is None and options.model_column is None:
        return SeveralModelsError(
            f"{stack.sentence} These may be several models below each other: such rows are no independent "
            "cases. Read one of them, or compare them all.",
            [*_remedies(models, rows), KEEP_ALL],
            models.names,
            models.column,
        )
    return InputError(
        f"{stack.sentence} Such rows are no independent cases.", [*rows_to_keep(models, rows), KEEP_ALL]
    )


def rows_to_keep(models: ModelSet, rows: Mapping[str, Rows]) -> list[Remedy]:
    """The rows of one model each, where the model was chosen already."""
    remedies = []
    for name in models.names[:MOST_OFFERED]:
        of_columns = zip(models.columns, models.values[models.names.index(name)], strict=True)
        words = f"Keep the rows where {' and '.join(f'{column} is {value}' for column, value in of_columns)}"
        remedies.append(Remedy(words, {"rows_where": models.where(name)}, rows=rows.get(name, ())))
    if len(models.names) > MOST_OFFERED:
        remedies.append(Remedy("Say which rows to keep", asks="rows_where"))
    return remedies


def _remedies(models: ModelSet, rows: Mapping[str, Rows] = MappingProxyType({})) -> list[Remedy]:
    """One model each, with its first rows as they were read."""
    remedies = []
    for name in models.names[:MOST_OFFERED]:
        change = {"model": name} | ({"model_column": models.column} if models.column else {})
        remedies.append(Remedy(f"Only {models.words(name)}", change, rows=rows.get(name, ())))
    if len(models.names) > MOST_OFFERED:
        remedies.append(Remedy("Say which of the models to read", asks="model"))
    return remedies


def _columns_of_models(tables: Tables) -> list[str]:
    """Columns that are called as those are that say which model a row is from."""
    table = tables.table
    return [
        name
        for j, name in enumerate(table.names)
        if j not in table.in_blocks and any(token.text in _MODEL_WORDS for token in tokens(name))
    ]


def _splits(tables: Tables, column: str) -> bool:
    """Whether a column names 2 to 50 models, of which some has two rows."""
    cells = tables.table.columns[tables.table.names.index(column)]
    many = cells.nunique(dropna=False)
    if not 2 <= many <= MOST_MODELS or many == tables.table.n:
        return False
    values = cells_of(tables, column)
    written = values.dtype.kind in "iubUO" or (
        values.dtype.kind == "f" and not np.mod(values[np.isfinite(values)], 1).any()
    )
    return bool(written and any(values_of(values)) and len(values_of(values)) >= 2)


def _names_models(tables: Tables, column: str) -> bool:
    """Whether a column is called a model, and splits the rows into several.

    A "model" beside makes and mileages, a "network" or a "method" has to say more: its values are called as
    models are, or cases stand in several of its sets.
    """
    if not is_called_a_model(column) or not _splits(tables, column):
        return False
    words = {token.text for token in tokens(column)}
    all_words = {token.text for name in tables.table.names for token in tokens(name)}
    if not _MODELS_ALONE.isdisjoint(words) and _OF_GOODS.isdisjoint(all_words):
        return True
    values = cells_of(tables, column)
    like = sum(map(is_model_like, filter(None, values_of(values))))
    places = [j for j, name in enumerate(tables.table.names) if names_cases(name)]
    return like >= 2 or any(
        are_of_same_cases(other_column(tables.table, j), values)
        for j in places
        if j not in tables.table.in_blocks
    )


def _splits_evenly(tables: Tables, column: str) -> bool:
    """Whether 2 to 50 values stand in about as many rows each."""
    cells = tables.table.columns[tables.table.names.index(column)]
    counts = cells.value_counts(dropna=False)
    if not 2 <= len(counts) <= MOST_MODELS:
        return False
    return bool(np.ptp(counts) <= max(1, _AS_MANY * counts.max()))
