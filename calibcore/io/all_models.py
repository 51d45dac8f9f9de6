"""All models of one file, each as it would be read if the file held it alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibcore.errors import InputError
from calibcore.io.model_sets import ModelSet, refuse_nameless
from calibcore.io.models import models_of
from calibcore.io.options import ReadOptions, checked_options
from calibcore.io.reader import of_chosen_rows, opened_tables, read_model, refusing
from calibcore.io.reading import Reading
from calibcore.io.sources import Source, Tables
from calibcore.wording import quote


@dataclass(frozen=True, eq=False)
class Models:
    """The models of a file.

    Attributes
    ----------
    readings : name of each -> how it was read, in the order of the file; the options name the model
    column : the column that says which model a row is from; empty where they stand beside each other
    """

    readings: Mapping[str, Reading]
    column: str = ""


def models_in(
    source: Source,
    *,
    name: str | None = None,
    labels: Source | None = None,
    labels_name: str | None = None,
    options: ReadOptions = ReadOptions(),
) -> Models:
    """Read every model of a file. Cost as :func:`.read` for each of at most 50 models.

    Parameters as of :func:`.read`; ``options.model_column`` is the column that says which model a row is
    from, where that is not to be found out.

    Raises
    ------
    InputError : the file holds one model, or one of them cannot be read, which is named.
    """
    with refusing("Expected a table with the predictions of several models of the same cases."):
        options = checked_options(replace(options, model=None))
        with opened_tables(source, name, labels, labels_name, options) as (tables, named):
            models = models_of(tables, options, of_chosen_rows)
            if models is None:
                raise InputError(
                    "The file seems to hold the predictions of one model; a comparison needs 2 or more. Name "
                    "the column that says which model a row is from, or give one file a model."
                )
            refuse_nameless(tables, models)
            readings, refused = _read_all(tables, options, models)
            if refused and (names := _class_names(readings, refused)):
                readings, refused = _read_all(tables, replace(options, class_names=names), models)
            for model, error in refused.items():
                raise error.reworded(f"Model {quote(model)}: {error}")
            for model, reading in readings.items():
                reading = reading if options.sample is None else reading.of_sample(options.sample)
                readings[model] = named(reading)
    return Models(readings, models.column)


def _read_all(
    tables: Tables, options: ReadOptions, models: ModelSet
) -> tuple[dict[str, Reading], dict[str, InputError]]:
    """Each model as it is read, or why it is not."""
    readings: dict[str, Reading] = {}
    refused: dict[str, InputError] = {}
    for model in models.names:
        how = replace(options, model=model, model_column=models.column or None)
        try:
            reading = read_model(tables, how, models)
        except InputError as error:
            refused[model] = error
        else:
            first = next(iter(readings.values()), reading)
            readings[model] = _sharing(reading, first, models.column)
    return readings, refused


def _class_names(
    readings: Mapping[str, Reading], refused: Mapping[str, InputError]
) -> tuple[str, ...] | None:
    """Which class the one column of every model is about, where that is known of one and open of another."""
    asked = all(any("class_names" in r.change for r in error.remedies) for error in refused.values())
    alone = [r.predictions for r in readings.values() if len(r.probability_columns) == 1]
    names = {p.class_names for p in alone if not p.confidence_only}
    return names.pop() if asked and len(names) == 1 and len(alone) == len(readings) else None


def _sharing(reading: Reading, first: Reading, column: str) -> Reading:
    """The same, where models beside each other hold what stands beside all of them once."""
    if column or reading is first:
        return reading
    p, known = reading.predictions, first.predictions.metadata
    shared = {
        name: known[name] if name in known and np.array_equal(known[name], values) else values
        for name, values in p.metadata.items()
    }
    return replace(reading, predictions=replace(p, metadata=shared))
