"""What share of wrong labels would explain what happened."""

from dataclasses import dataclass
from typing import ClassVar

from calibcore.display import Displayed
from calibcore.settings.layout import headed
from calibcore.settings.result import Result


@dataclass(frozen=True, repr=False)
class WrongLabels(Result, Displayed):
    """What share of wrong labels would explain what happened.

    Attributes
    ----------
    smallest : the smallest share that is not rejected at the level ``alpha``, less than 0.1 points below it:
        0 where nothing speaks against calibration, None where no share that was tried explains it
    estimate : the share of largest likelihood
    pvalue, at_floor : exact, of calibration: no label is wrong
    pvalue_at_estimate : exact, of the share of largest likelihood
    rounding : a share of wrong labels that rounding alone can look like: half of the last digit for each of
        the other classes; 0 where nothing was rounded to 0

    >>> import numpy as np
    >>> from calibcore import DiagnosisSpec, Predictions, TopKLens, WrongLabels, explain_by_wrong_labels
    >>> labels = np.tile([0] * 18 + [1, 1], 20)
    >>> p = Predictions.from_arrays(np.tile([0.99, 0.01], (400, 1)), labels)
    >>> result = explain_by_wrong_labels(p, DiagnosisSpec(lens=TopKLens(1)))
    >>> isinstance(result, WrongLabels), 0.05 < result.smallest < result.estimate < 0.1
    (True, True)
    """

    HEAD = headed("label-noise")
    DATA = ("n", "m")
    KEYS: ClassVar = ("smallest", "estimate", "pvalue", "pvalue_at_estimate", "rounding")
    NAMES: ClassVar = {"pvalue": "p_value", "pvalue_at_estimate": "p_value_at_estimate"}

    n: int
    m: int
    smallest: float | None
    estimate: float
    pvalue: float
    at_floor: bool
    pvalue_at_estimate: float
    class_names: tuple[str, ...]
    rounding: float = 0.0

    def __repr__(self) -> str:
        share = "no share" if self.smallest is None else f"{self.smallest:.3g}"
        return f"WrongLabels({self.n:,} cases, {share} would explain it, p {self.pvalue:.4g} without any)"
