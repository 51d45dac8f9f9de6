"""Several labels of each case below each other: a row for each case and finding."""

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import tokens
from calibcore.data.predictions import Predictions
from calibcore.data.units import codes_of
from calibcore.errors import InputError, Remedy
from calibcore.io.model_rows import rows_of_models
from calibcore.io.model_sets import sets_of
from calibcore.io.models import KEEP_ALL, rows_to_keep
from calibcore.io.roles import combined_sets
from calibcore.io.roles.stacked import FEWEST_CASES, names_cases
from calibcore.numerics.types import Int
from calibcore.wording import quote


def labels_question(predictions: Predictions) -> InputError | None:
    """Whether rows are several labels of each case, where a column that may name labels by its name has each
    of its values once for every case, with outcomes that differ; None where there is none. O(n·columns).
    """
    if predictions.m != 2 or predictions.confidence_only:
        return None
    columns = {
        name: codes_of(column, names=False)[0]
        for name, column in predictions.metadata.items()
        if column.dtype.kind in "iubUO"
    }
    cases = [name for name in columns if names_cases(name)]
    labels = [name for name in columns if name not in cases and _may_name_labels(name)]
    for case in cases:
        for by in labels:
            if _is_each_once(columns[case], columns[by]) and _differ(columns[case], predictions.labels):
                return _question(predictions, case, by)
    return None


def _may_name_labels(name: str) -> bool:
    return any(token.text in lexicon.NAMING_LABELS for token in tokens(name))


def _is_each_once(case: Int, label: Int) -> bool:
    """Whether nearly every case has one row of each label."""
    many = int(label.max()) + 1
    if not 2 <= many <= combined_sets.MOST_SETS or int(case.max()) + 1 < FEWEST_CASES:
        return False
    return combined_sets.is_once(case, label) and combined_sets.missing(case, label) is not None


def _differ(case: Int, labels: Int) -> bool:
    """Whether rows of one case have differing outcomes."""
    first = np.zeros(int(case.max()) + 1, np.int64)
    first[case] = labels
    return bool((first[case] != labels).any())


def _question(predictions: Predictions, case: str, by: str) -> InputError:
    models = sets_of((by,), combined_sets.values_of([predictions.metadata[by]]))
    remedies: list[Remedy] = rows_to_keep(models, rows_of_models(predictions, models))
    return InputError(
        f"Each {quote(case)} stands in {len(models.names):,} rows, once for each of "
        f"{combined_sets.how_many((by,), len(models.names))}, with outcomes that differ: these may be "
        "several labels of each case. Together one of them can hide another. Look at one, or give all as one "
        "row a case, with two columns a label.",
        [*remedies, KEEP_ALL],
    )
