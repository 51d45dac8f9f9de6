"""Two models bin by bin: what each has in the same equally wide bins of what it said."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.errors import InputError

N_BINS = 10


@dataclass(frozen=True)
class Side:
    """What a model has in a bin.

    Attributes
    ----------
    cases : of this model in the bin; another model may have others there
    predicted : the mean
    deviation : observed − predicted
    low, high : where it lies under calibration, at the levels of the consistency bars
    """

    cases: int
    predicted: float
    deviation: float
    low: float
    high: float

    @property
    def outside(self) -> bool:
        """Whether chance allows no such deviation."""
        return not self.low <= self.deviation <= self.high


@dataclass(frozen=True)
class SharedBin:
    """Predictions of the first class from ``start`` to ``end``; None for a model without cases there."""

    start: float
    end: float
    a: Side | None
    b: Side | None


def bins_of_both(
    a: Predictions, b: Predictions, interval: tuple[float, float] = (0.05, 0.95)
) -> tuple[SharedBin, ...]:
    """Ten equally wide bins of two models through a lens of two classes, those that one has cases in.

    Cost O(n) and the exact bars.

    Raises
    ------
    InputError : other than two classes.
    """
    for p in (a, b):
        if p.m != 2:
            raise InputError(f"There are {p.m} classes; bins that both models share need 2.")
    sides = [_sides(reliability(p, UniformBinning(N_BINS), interval)) for p in (a, b)]
    return tuple(
        SharedBin(k / N_BINS, (k + 1) / N_BINS, sides[0].get(k), sides[1].get(k))
        for k in range(N_BINS)
        if k in sides[0] or k in sides[1]
    )


def _sides(diagram: Reliability) -> dict[int, Side]:
    """Number of the bin -> what is in it: no bin's mean leaves it, whatever the rule at its edges."""
    predicted = diagram.mean_prediction[:, 0]
    numbers: Sequence[int] = (
        UniformBinning(N_BINS).assign(np.column_stack([predicted, 1 - predicted])).tolist()
    )
    columns = (diagram.counts, predicted, diagram.deviation, diagram.low, diagram.high)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {number: Side(*row) for number, row in zip(numbers, rows, strict=True)}
