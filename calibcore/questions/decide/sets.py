"""Sets of likely classes: how often they hold the truth, promised and achieved, and how large they are."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from calibcore.bounds import MOST_NUMBER, AtLeastOne, Count, Length, Share, Within
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.diagram.gap_sizes import Interval, share_of
from calibcore.errors import InputError
from calibcore.hypothesis_tests.result import ROUNDING
from calibcore.numerics.poisson_binomial import hits_distribution
from calibcore.numerics.resampling import first_class_chances
from calibcore.transforms.lenses import SetLens

CUT = 1e-14
"""The law may lack as much: what can hardly happen is not impossible."""


@dataclass(frozen=True)
class Sets:
    """The sets of one level.

    Attributes
    ----------
    level, n : that the sum of each set reaches; cases
    mean_size : classes in a set on average; ``sizes[k]``: how many sets have k + 1 classes
    promised : how often the sets claim to hold the truth, the mean of their sums, ``level`` or more
    held : in how many cases they do
    pvalue : exact, of the held against the promised ones; from the law itself, without redraws
    """

    level: Share
    n: AtLeastOne
    mean_size: Annotated[float, Within(1, MOST_NUMBER)]
    sizes: Annotated[tuple[Count, ...], Length(1)]
    promised: Share
    held: Count
    pvalue: Share

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where numbers of a document contradict each other."""
        if self.held > self.n or sum(self.sizes) != self.n:
            raise InputError("Some of the sets are more than all of them, or not all are there.")

    @property
    def achieved(self) -> Interval:
        """The share of sets that hold the truth, with the 95 % interval of Clopper & Pearson."""
        return share_of(self.held, self.n)


def sets_of(predictions: Predictions, level: float = 0.9) -> Sets:
    """Sets of likely classes whose sum reaches ``level``. Cost O(nm·size) and O(n log n).

    Raises
    ------
    InputError : weighted or pooled cases, a level that is none.
    """
    lens = SetLens(level)
    refuse_untested(predictions)
    if not predictions.rows_are_cases:
        raise InputError("Pooled pairs of one case depend on each other: sets are about cases.")
    induced, sizes = lens(predictions), lens.sizes(predictions)
    chances = first_class_chances(induced.chances)
    promised = float(first_class_chances(induced.probs).sum())
    held = int(np.count_nonzero(induced.labels == 0))
    law = hits_distribution(chances)
    off = np.abs(np.arange(len(law)) - promised)
    as_far = off >= abs(held - promised) * (1 - ROUNDING) - 1e-9
    possible = np.count_nonzero(chances == 1) <= held <= np.count_nonzero(chances > 0)
    return Sets(
        level,
        predictions.n,
        float(sizes.mean()),
        tuple(np.bincount(sizes, minlength=predictions.m + 1)[1:].tolist()),
        promised / predictions.n,
        held,
        min(1.0, float(law[as_far].sum()) + (CUT if possible else 0.0)),
    )
