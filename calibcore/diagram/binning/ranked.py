"""What bins of two classes share that are cut by what lies below a value."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from calibcore.diagram.binning.binning import Binning, check_number
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.wording import count


@dataclass(frozen=True)
class RankedBinning(Binning):
    """Bins along the first of two classes. Equal values share one, so there may be fewer."""

    n_bins: int = 15
    size_label: ClassVar[str] = "Number of bins"
    edge_rule: ClassVar[str] = "equal values share a bin"
    adaptive: ClassVar[bool] = True
    called: ClassVar[str]
    """One of its bins in a sentence: "equal-mass bin"."""

    def __post_init__(self) -> None:
        check_number(self.n_bins)

    def fits(self, m: int) -> bool:
        return m == 2

    def assign(self, probs: Float) -> Int:
        if probs.shape[1] != 2:
            raise InputError(
                f"{self.called[0].upper()}{self.called[1:]}s need a lens with two classes; this one has "
                f"{probs.shape[1]}. Uniform and median-variance bins take any number."
            )
        order = np.argsort(probs[:, 0])
        rising = probs[order, 0]
        bins = np.empty(len(order), np.int64)
        bins[order] = self.in_order(rising, np.diff(rising, prepend=-1.0) > 0)
        return bins

    @abstractmethod
    def in_order(self, rising: Float, first: NDArray[np.bool_]) -> Int:
        """(n,) bins of rising values; ``first`` marks those that the one before is below."""

    def phrase(self, m: int = 2, noun: str = "case") -> str:
        return count(self.n_bins, self.called)
