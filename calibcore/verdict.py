"""The verdict on each lens: miscalibrated, consistent with calibration, or cannot tell."""

from dataclasses import dataclass

from calibcore.lenses import Lens
from calibcore.power import Detectable

ANSWERS = ("miscalibrated", "consistent", "cannot-tell")


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval, as probabilities."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Frequencies:
    """How often a class of the lens was predicted and happened.

    Attributes
    ----------
    class_name : of the lens
    said, happened : mean prediction and observed share over all cases
    gap : said − happened with its interval; positive where the model says it too often
    hits, n : whole counts: it happened in ``hits`` of ``n`` cases
    """

    class_name: str
    said: float
    happened: float
    gap: Interval
    hits: int
    n: int


@dataclass(frozen=True)
class Verdict:
    """The answer about one lens and everything that is said about it.

    Attributes
    ----------
    answer : one of :data:`ANSWERS`
    small : miscalibrated, but the typical gap's upper limit lies below the tolerance
    pvalue, adjusted : of the exact test of the unbiased SKCE
    alpha, tolerance : the level and Δ that were set
    typical_gap : ``√max(0, U/2)``, U the pairwise estimator; its interval is approximate
    frequencies : one entry a class of the lens; for two classes the first alone
    detectable : one entry an alternative, the hardest to see first
    smallest_detectable : D80, the largest over alternatives; None where one of them cannot be seen at all
    by_lenses : for the canonical lens, the words of the lenses that reject it where its own test does not
    """

    lens: Lens
    answer: str
    small: bool
    pvalue: float
    adjusted: float
    alpha: float
    tolerance: float
    n: int
    typical_gap: Interval
    frequencies: tuple[Frequencies, ...]
    detectable: tuple[Detectable, ...]
    smallest_detectable: float | None
    by_lenses: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClassFrequencies:
    """Whole counts of one class, both directions."""

    class_name: str
    n: int
    happened: int
    mean_prediction: float
    called: int
    called_and_happened: int
    mean_when_called: float
