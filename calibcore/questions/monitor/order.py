"""The order of cases in time, and when it is no order of time but one of labels."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from calibcore.data.checks import shown
from calibcore.data.predictions import Predictions
from calibcore.data.times import DayOrder, Times, times_of
from calibcore.errors import InputError
from calibcore.numerics.types import Int
from calibcore.questions.given import column_given

RARE = 1_000
"""Labels of cases without an order stand in blocks by chance in 1 of so many files at most: then they are
called ordered."""


@dataclass(frozen=True, eq=False)
class InTime:
    """Predictions in the order of their times, equal ones in the order of the rows; ``times`` None for that
    of the rows alone. ``sorted_`` says whether the rows stood in another order."""

    predictions: Predictions
    times: Times | None
    sorted_: bool

    def text(self, i: int) -> str:
        """The time of a case; empty where there is none."""
        return "" if self.times is None else self.times.text(i)

    def only(self, rows: Int) -> "InTime":
        """Some of the cases."""
        times = self.times and Times(self.times.kind, self.times.values[rows], self.times.zoned)
        return InTime(self.predictions.with_rows(rows), times, self.sorted_)


def in_time(predictions: Predictions, column: str | None, dates: DayOrder | None = None) -> InTime:
    """Cases in the order of ``column`` of the metadata, or as they stand.

    Raises
    ------
    InputError : no such column; times that cannot be read, see :func:`.times_of`; labels that stand in
        blocks where nothing but the order of the rows orders the cases, see :func:`in_blocks`.
    """
    if column is None:
        ties = np.zeros(predictions.n, np.int64)
        found = InTime(predictions, None, False)
    else:
        times = times_of(column_given(predictions, column), column, dates)
        order = np.argsort(times.values, kind="stable")
        moved = bool((order != np.arange(len(order))).any())
        found = InTime(predictions, times, False)
        if moved:
            found = found.only(order)
            found = InTime(found.predictions, found.times, True)
        assert found.times is not None
        ties = np.cumsum(np.diff(found.times.values, prepend=found.times.values[:1]) != 0)
    if in_blocks(found.predictions.labels, ties):
        where = "the file" if column is None else f"the rows of one time in column {shown(column)}"
        raise InputError(
            f"The labels stand in order within {where}: all cases of a class stand together, so that each "
            "outcome foretells the next. Expected rows in the order in which they happened."
        )
    return found


def in_blocks(labels: Int, ties: Int) -> bool:
    """Whether within every tie all cases of a class stand together, though chance would hardly do so.

    ties : (n,) rising numbers of the ties, of which the order is that of the rows

    With counts ``c_k`` in a tie of ``c`` cases, of ``m`` classes, ``m! Π c_k!/c!`` of all orders have one run
    a class. The product over the ties is compared with 1/1,000. Refusing looks at
    labels and can only take alarms away: that calibrated models reach 20 in 1 of 20 histories at most stays
    true. Labels in ties of one case are not looked at, so that no change in time is mistaken for an order.
    """
    if not len(labels):
        return False
    new = np.diff(ties, prepend=ties[:1] - 1) != 0
    starts = np.flatnonzero(new)
    tie = np.cumsum(new) - 1
    changes = (np.diff(labels, prepend=labels[:1]) != 0) | new
    runs = np.bincount(tie, changes, len(starts))
    kinds, counts = np.unique(tie * (int(labels.max()) + 1) + labels, return_counts=True)
    of_tie = kinds // (int(labels.max()) + 1)
    classes = np.bincount(of_tie, minlength=len(starts))
    if (runs != classes).any():
        return False
    sizes = np.bincount(tie, minlength=len(starts))
    log_share = float((gammaln(classes + 1) - gammaln(sizes + 1)).sum() + gammaln(counts + 1).sum())
    return log_share < -math.log(RARE)
