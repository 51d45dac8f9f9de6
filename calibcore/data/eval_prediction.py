"""What a Trainer of Hugging Face gives to measure by: logits and labels, some of which are to be ignored."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.data.arrays import as_array
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.numerics.types import Int

SEQUENCE = "sequence"
"""The column that says of which row of the data set a token is, from 0."""


@dataclass(frozen=True)
class Labelled:
    """(k, m) logits and (k,) labels of what has a label, (k,) the row of each of n, and what was done."""

    logits: NDArray[Any]
    labels: NDArray[Any]
    rows: Int
    n: int
    tokens: bool
    notes: tuple[str, ...]


def labelled(output: Any, ignore: int) -> Labelled:
    """What is not to be ignored. Cost O(nm).

    Raises
    ------
    InputError : no labels, other shapes, nothing that has a label.
    """
    predictions, label_ids = _pair(output)
    logits, labels = as_array(predictions, "predictions"), as_array(label_ids, "label_ids")
    if labels.ndim == 0:
        raise InputError("There are no labels (label_ids); expected one a case.")
    if logits.ndim == labels.ndim and logits.shape == labels.shape and logits.shape[-1:] != (1,):
        raise InputError(
            f"predictions and label_ids both have the shape {logits.shape}: several labels a case. Take one "
            "label at a time, by Predictions.from_logits(logits[:, k], labels[:, k])."
        )
    if labels.ndim not in (1, 2) or logits.shape[:-1] != labels.shape or logits.shape[-1] < 2:
        raise InputError(
            f"predictions have the shape {logits.shape} and label_ids {labels.shape}; expected (n, classes) "
            "and (n,), or of tokens (n, length, classes) and (n, length)."
        )
    known = labels != ignore
    places = np.nonzero(known)
    tokens = labels.ndim == 2
    if not len(places[0]):
        raise InputError(f"All labels are {ignore}, which is to be ignored; expected at least one other.")
    notes: tuple[str, ...] = ()
    if left := int(known.size - np.count_nonzero(known)):
        what, have = (
            ("tokens" if tokens else "cases"),
            ("was", "it has") if left == 1 else ("were", "they have"),
        )
        notes = (f"{left:,} of {known.size:,} {what} {have[0]} left out: {have[1]} the label {ignore}.",)
    if tokens:
        notes += (
            f"Each token is a case. Those of one sequence belong together: name the column {SEQUENCE!r} as "
            "the unit.",
        )
    return Labelled(
        logits[places], labels[places], np.asarray(places[0], np.int64), len(labels), tokens, notes
    )


def _pair(output: Any) -> tuple[Any, Any]:
    """Logits and labels; of several outputs of the model the first, as transformers has them."""
    predictions, labels = getattr(output, "predictions", None), getattr(output, "label_ids", None)
    if predictions is None and isinstance(output, tuple | list) and len(output) >= 2:
        predictions, labels = output[0], output[1]
    if predictions is None:
        raise InputError(
            f"There are no predictions in an object of type {type(output).__name__}; expected an "
            "EvalPrediction, or logits and labels in a pair."
        )
    if isinstance(predictions, tuple | list) and np.ndim(predictions[0]) >= 2:
        predictions = predictions[0]
    return predictions, labels


def names_by_number(names: Mapping[Any, object], m: int) -> list[object]:
    """m names in the order of their numbers, as ``id2label`` of a model has them.

    Raises
    ------
    InputError : the keys are not 0 to m − 1.
    """
    try:
        numbered = {int(number): name for number, name in names.items()}
    except (TypeError, ValueError):
        numbered = {}
    if sorted(numbered) != list(range(m)):
        raise InputError(
            f"The class names have the numbers {shown(list(names))}; expected 0 to {m - 1}, one a column, as "
            "in config.id2label."
        )
    return [numbered[k] for k in range(m)]
