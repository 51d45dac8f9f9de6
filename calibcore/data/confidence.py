"""What is known where only a confidence is: how sure the model was of each answer, and if it was right."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibcore.data.arrays import as_array, check_same_order, numbers_in, widened
from calibcore.data.decimals import rest_to_1
from calibcore.data.labels import name_of
from calibcore.data.outside_text import shown
from calibcore.data.row_numbers import list_rows
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int

RIGHT, WRONG = "right", "wrong"
"""The classes of predictions of which only the confidence in the answer is known."""
PREDICTED, TRUTH = "predicted class", "true class"
"""What the columns are called that say what was answered and what was so."""
MARKS_RIGHT = frozenset(["✓", "✔", "✔️", "✅", "☑", "√", "ok", "okay", "pass", "passed", "r", "c"])
MARKS_WRONG = frozenset(
    ["✗", "✘", "❌", "✕", "✖", "✖️", "☒", "×", "x", "nok", "ko", "fail", "failed", "w", "i"]
) | {"not ok", "not okay"}
"""What stands in a column that is known to say whether answers were right, in small letters."""
_RIGHT = {"1", "true", "yes", "y", "t", "right", "correct", *MARKS_RIGHT}
_WRONG = {"0", "-1", "false", "no", "n", "f", "wrong", "incorrect", *MARKS_WRONG}


@dataclass(frozen=True)
class Answers:
    """(n, 2) how sure and the rest to 1, (n,) 0 where right and 1 where wrong, and columns beside them."""

    probs: Float
    labels: Int
    columns: dict[str, NDArray[Any]]
    notes: tuple[str, ...] = ()


def answers_of(confidence: Any, correct: Any = None, predicted: Any = None, truth: Any = None) -> Answers:
    """What is known of the answers. Cost O(n).

    Raises
    ------
    InputError : a confidence outside 0 to 1, words that say neither right nor wrong, other lengths; neither
        ``correct`` nor both of ``predicted`` and ``truth``, or both that contradict each other.
    """
    sure = _confidences(confidence)
    n = len(sure)
    for what, values in (("answers", predicted), ("truths", truth), ("marks of right and wrong", correct)):
        check_same_order(confidence, values, what)
    if (predicted is None) != (truth is None):
        known, lacks = ("predicted", "truth") if truth is None else ("truth", "predicted")
        if correct is None or truth is not None:
            raise InputError(
                f"There is {known} and no {lacks}; expected both, or whether each answer is correct."
            )
    columns = {
        column: _names(values, n, what)
        for column, what, values in ((PREDICTED, "predicted", predicted), (TRUTH, "truth", truth))
        if values is not None
    }
    right = None if correct is None else _truth_values(correct, n)
    if predicted is not None and truth is not None:
        agree = columns[PREDICTED] == columns[TRUTH]
        if right is not None and len(rows := np.flatnonzero(agree != right)):
            i = int(rows[0])
            verdict = "right" if right[i] else "wrong"
            raise InputError(
                f"Row {i + 1:,} answers {shown(columns[PREDICTED][i])}, the truth is "
                f"{shown(columns[TRUTH][i])}, and it is said to be {verdict} ({len(rows):,} such rows). Give "
                "either correct, or predicted and truth."
            )
        right = agree
        _check_known(columns)
    if right is None:
        raise InputError("Nothing says which answers are right: give correct, or predicted and truth.")
    return Answers(np.column_stack([sure, rest_to_1(sure)]), np.where(right, 0, 1).astype(np.int64), columns)


def _confidences(confidence: Any) -> Float:
    sure = _column(confidence, "confidences")
    if sure.ndim != 1 or sure.dtype.kind not in "fiu":
        raise InputError(
            f"The confidences have the shape {sure.shape} and the type {sure.dtype}; expected (n,) numbers, "
            "how sure the model was of each answer."
        )
    if not len(sure):
        raise InputError("There are no cases; expected at least one confidence.")
    sure = widened(sure)
    bad = np.flatnonzero(~(np.isfinite(sure) & (sure >= 0) & (sure <= 1)))
    if len(bad):
        cents = np.isfinite(sure).all() and sure.min() >= 0 and 1.5 < sure.max() <= 100
        rows = list_rows(bad, lambda i: f"has the confidence {sure[i]:g}")
        raise InputError(f"{rows} Expected 0 to 1." + " Divide per cent by 100." * bool(cents))
    return sure


def _column(values: Any, what: str) -> NDArray[Any]:
    """As it is, but for the second axis of a table or a tensor of one column."""
    array = numbers_in(as_array(values, what))
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def _names(values: Any, n: int, what: str) -> NDArray[Any]:
    names = _column(values, what)
    if names.shape != (n,):
        raise InputError(f"{what} has the shape {names.shape}; expected ({n:,},), one a confidence.")
    cells = names.tolist()
    unknown = [i for i, cell in enumerate(cells) if cell is None or cell != cell]
    if unknown and what == "truth":
        raise InputError(
            f"{list_rows(unknown, lambda _: 'has no truth')} Expected one in every row: leave these rows out."
        )
    return np.array([name_of(name) for name in cells], dtype=object).astype(str)


def _truth_values(correct: Any, n: int) -> NDArray[np.bool_]:
    values = _column(correct, "correct")
    if values.shape != (n,):
        raise InputError(f"correct has the shape {values.shape}; expected ({n:,},), one a confidence.")
    if values.dtype.kind == "b":
        return np.asarray(values, np.bool_)
    words = np.array([name_of(value).strip().lower() for value in values.tolist()], dtype=object)
    right = np.array([word in _RIGHT for word in words])
    unclear = np.flatnonzero(~right & np.array([word not in _WRONG for word in words]))
    if len(unclear):
        rows = list_rows(unclear, lambda i: f"has {shown(name_of(values[i]))}")
        raise InputError(f"{rows} Expected 1 or 0, true or false, yes or no, right or wrong.")
    return right


def _check_known(columns: dict[str, NDArray[Any]]) -> None:
    """Raises :class:`InputError` where no answer is the name of any truth: names of two kinds."""
    answered, true = set(columns[PREDICTED].tolist()), set(columns[TRUTH].tolist())
    if answered & true:
        return
    raise InputError(
        f"No answer is a class that is true anywhere: the first is {shown(columns[PREDICTED][0])}, the first "
        f"truth {shown(columns[TRUTH][0])}. Expected names of the same classes in both."
    )
