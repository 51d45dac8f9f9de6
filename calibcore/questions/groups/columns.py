"""Columns beside the predictions as groups of cases, made without a look at any label."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.times import MISSING, DatesFitTwiceError, DayOrder, times_of
from calibcore.data.units import codes_of
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.questions.given import column_given

MOST_GROUPS = 50
MOST_COLUMNS = 50
FEW_NUMBERS = 20
"""A column of so many whole numbers at most has a group for each; others are cut at their quartiles."""
NO_VALUE = "missing"
Kind = Literal["text", "numbers", "quartiles", "months"]


@dataclass(frozen=True, eq=False)
class Column:
    """A column as groups.

    Attributes
    ----------
    kind : "text", "numbers" (a group each), "quartiles" or "months"
    values : names of the groups, in their order; those of no value come last
    codes : (n,) the group of each case
    missing : whether the last group holds the cases without a value
    """

    name: str
    kind: Kind
    values: tuple[str, ...]
    codes: Int
    missing: bool

    @property
    def ordered(self) -> bool:
        """Whether groups beside each other belong together: numbers and months."""
        return self.kind != "text"


def column_of(predictions: Predictions, name: str, dates: DayOrder | None = None) -> Column:
    """The groups of a column of metadata. Cost O(n log n).

    Up to :data:`FEW_NUMBERS` different whole numbers are groups each, further numbers are cut at the
    quartiles of the column; dates are put together by month; cases without a value are a group.

    Raises
    ------
    InputError : no such column; more than :data:`MOST_GROUPS` groups; one group alone.
    DatesFitTwiceError : dates that may be read with the day or with the month first.
    """
    column = column_given(predictions, name)
    numbers, values_of_all = codes_of(column)
    stripped = [text.strip() for text in values_of_all]
    texts = np.array(stripped, object)[numbers]
    missing = np.array([text.lower() in MISSING for text in stripped])[numbers]
    known = np.flatnonzero(~missing)
    kind, values, codes = _groups(column[known], texts[known], name, dates)
    if len(values) + bool(missing.any()) > MOST_GROUPS:
        raise InputError(
            f"The column {shown(name)} has {len(values):,} groups; expected {MOST_GROUPS} at most. A column "
            "that names single cases makes no groups."
        )
    of_all = np.full(predictions.n, len(values), np.int64)
    of_all[known] = codes
    if missing.any():
        values = (*values, NO_VALUE)
    return Column(name, kind, values, of_all, bool(missing.any()))


def _groups(
    column: NDArray[np.generic], texts: NDArray[np.object_], name: str, dates: DayOrder | None
) -> tuple[Kind, tuple[str, ...], Int]:
    numbers = _numbers(column, texts)
    if numbers is not None:
        return _of_numbers(numbers)
    try:
        months = times_of(column if column.dtype.kind == "M" else texts, name, dates).months()
    except DatesFitTwiceError:
        raise
    except InputError:
        values, codes = np.unique(texts, return_inverse=True)
        return "text", tuple(values.tolist()), codes.astype(np.int64)
    values, codes = np.unique(months, return_inverse=True)
    return "months", tuple(values.tolist()), codes.astype(np.int64)


def _numbers(column: NDArray[np.generic], texts: NDArray[np.object_]) -> Float | None:
    if column.dtype.kind in "iuf":
        return column.astype(np.float64)
    if column.dtype.kind in "bmM" or not len(texts):
        return None
    try:
        numbers = texts.astype(np.float64)
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _of_numbers(numbers: Float) -> tuple[Kind, tuple[str, ...], Int]:
    values, codes = np.unique(numbers, return_inverse=True)
    if len(values) <= FEW_NUMBERS and bool((values % 1 == 0).all()):
        return "numbers", tuple(f"{int(v)}" for v in values.tolist()), codes.astype(np.int64)
    edges = np.unique(np.quantile(numbers, (0.25, 0.5, 0.75), method="inverted_cdf"))
    edges = edges[edges < values[-1]]
    codes = np.searchsorted(edges, numbers, side="left")
    words = [f"{edge:.6g}" for edge in edges.tolist()]
    names = [f"up to {words[0]}"] if words else ["all"]
    names += [f"above {low} to {high}" for low, high in pairwise(words)]
    names += [f"above {words[-1]}"] if words else []
    return "quartiles", tuple(names), codes.astype(np.int64)
