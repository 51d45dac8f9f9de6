"""Arrays that people give as predictions: checked and copied, with sentences on what was changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibcore.data.arrays import as_array, check_same_order, column_names, eager, numbers_in
from calibcore.data.case_data import checked_columns
from calibcore.data.checks import (
    as_probabilities,
    check_range,
    clip,
    clipped_note,
    of_event,
    refuse_transposed,
)
from calibcore.data.counts_and_weights import normalised_weights, whole_counts
from calibcore.data.decimals import Rounding, rounding_of
from calibcore.data.labels import by_columns, event_is_first, labels_and_names, of_event_note, one_a_case
from calibcore.data.sums import check_sums
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int


@dataclass(frozen=True)
class GivenArrays:
    """What :class:`.Predictions` are made of, checked; the arrays are nobody else's.

    probs : (n, m) float64, a row for each case after repeating
    labels : (n,) int64 in 0..m-1
    class_names : m distinct names
    sorted_names : whether nobody said their order: they are those of the labels, sorted
    columns : other columns, name -> (n,) array
    notes : sentences about what was changed
    weights : (n,) above 0 with mean 1, or None if all cases count alike
    rounding : how the probabilities were rounded as they came, None if they were not
    """

    probs: Float
    labels: Int
    class_names: tuple[str, ...]
    sorted_names: bool
    columns: Mapping[str, NDArray[np.generic]]
    notes: tuple[str, ...]
    weights: Float | None
    rounding: Rounding | None


def checked_arrays(
    probs: ArrayLike,
    labels: ArrayLike,
    class_names: Sequence[object] | None,
    metadata: Mapping[str, ArrayLike] | None,
    *,
    renormalise: bool,
    counts: ArrayLike | None,
    weights: ArrayLike | None,
) -> GivenArrays:
    """Check and copy what :meth:`.Predictions.from_arrays` is given. Cost O(nm), n after repeating.

    Raises
    ------
    InputError : says row, column, what was found and what was expected.
    """
    probs, labels = eager(probs), eager(labels)
    given = numbers_in(as_array(probs, "predictions"))
    event, g = of_event(given), as_probabilities(given)
    n, m = g.shape
    for what, values in (("labels", labels), ("counts", counts), ("weights", weights)):
        check_same_order(probs, values, what)
    called, columns, asked = class_names, column_names(probs, m), class_names is not None
    labels, called, hot_notes = one_a_case(labels, m, columns, called)
    refuse_transposed(g, labels)
    labels, called, read_notes = by_columns(columns, labels, called)
    y, names, notes = labels_and_names(labels, called, n, m, event)
    if event:
        first = event_is_first(probs, names, asked)
        g = np.ascontiguousarray(g[:, ::-1]) if first else g
        notes = (*notes, of_event_note(names, first))
    notes = (*hot_notes, *read_notes, *notes, *clipped_note(*clip(g, renormalise)))
    check_range(g, names, renormalise)
    rounding = rounding_of(g)
    try:
        notes += check_sums(g, renormalise)
    except InputError as error:
        error.name_fields(["renormalise"])
        raise
    beside = checked_columns(metadata, n, probs)
    w: Float | None = None
    if counts is not None and weights is not None:
        raise InputError("There are counts and weights; expected one of them or none.")
    if weights is not None:
        w, note = normalised_weights(weights, n)
        notes += (note,)
    if counts is not None:
        times, note = whole_counts(counts, n)
        notes += (note,)
        g, y = np.repeat(g, times, axis=0), np.repeat(y, times)
        beside = {name: np.repeat(column, times) for name, column in beside.items()}
    sorted_names = called is None and names != tuple(map(str, range(m)))
    return GivenArrays(g, y, names, sorted_names, beside, notes, w, rounding)
