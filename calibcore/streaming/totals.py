"""What the first pass over the slices adds up: scores, ties, order of the labels, fingerprint."""

from dataclasses import dataclass, field

import numpy as np

from calibcore.data.fingerprint import Fingerprint, neighbours, visibly_ordered
from calibcore.data.predictions import Predictions
from calibcore.estimators import scores
from calibcore.hypothesis_tests import SpiegelhalterTest, TestResult
from calibcore.hypothesis_tests.asymptotic import Terms
from calibcore.numerics.types import Int
from calibcore.transforms.lenses import Lens
from calibcore.wording import count


@dataclass
class Order:
    """Whether labels that come in slices, each but the last of an even number, are visibly ordered."""

    counts: Int
    changes: int = 0
    alike: int = 0
    last: int = -1

    def add(self, labels: Int) -> None:
        """The next labels."""
        changes, alike = neighbours(labels)
        self.changes += changes + (self.last >= 0 and self.last != int(labels[0]))
        self.alike += alike
        self.counts += np.bincount(labels, minlength=len(self.counts))
        self.last = int(labels[-1])

    @property
    def visible(self) -> bool:
        """As :attr:`Predictions.labels_ordered`."""
        return visibly_ordered(self.counts, self.changes, self.alike)


@dataclass
class Totals:
    """Of ``n`` cases over ``m`` classes, seen through ``lens``, which shows ``lens_m`` classes."""

    n: int
    m: int
    lens: Lens
    scores: dict[str, Terms] = field(default_factory=dict)
    ties: int = 0
    impossible_outcomes: int = 0
    were_rounded: bool = False
    excess: float = 0.0
    variance: float = 0.0

    def __post_init__(self) -> None:
        self.fingerprint = Fingerprint(self.n, self.m)
        self.fingerprint.begin(8 * self.n * self.m)
        self.order = Order(np.zeros(self.m, np.int64))
        self.lens_order = Order(np.zeros(0, np.int64))
        self.low, self.high = np.array([np.inf]), np.array([-np.inf])

    def add(self, predictions: Predictions, induced: Predictions) -> None:
        """A slice as given and as the lens shows it."""
        for name, values in scores.of_cases(predictions).items():
            terms = Terms.of(values)
            self.scores[name] = self.scores[name] + terms if name in self.scores else terms
        self.fingerprint.add_probs(predictions.probs)
        self.ties += self.lens.ties(predictions)
        self.impossible_outcomes += predictions.impossible_outcomes
        self.were_rounded |= predictions.rounding is not None
        if not len(self.lens_order.counts):
            self.lens_order.counts = np.zeros(induced.m, np.int64)
        self.order.add(predictions.labels)
        self.lens_order.add(induced.labels)
        self.low = np.minimum(self.low, induced.probs.min(axis=0))
        self.high = np.maximum(self.high, induced.probs.max(axis=0))
        if induced.m == 2:
            excess, variance = SpiegelhalterTest().sums(induced)
            self.excess += excess
            self.variance += variance

    @property
    def at_rounded_zero(self) -> tuple[str, ...]:
        """What is said of outcomes at a rounded 0, which redraws of slices do not leave as they are."""
        if not self.were_rounded or not self.impossible_outcomes:
            return ()
        return (
            f"{count(self.impossible_outcomes, 'outcome')} at a probability that was rounded to 0 "
            f"{'counts' if self.impossible_outcomes == 1 else 'count'} in every test of a file in slices, "
            "though rounding may explain them. Where the file is read whole, they are judged by themselves.",
        )

    @property
    def ordered(self) -> bool:
        """Whether labels are visibly ordered, as they are or through the lens."""
        return self.order.visible or self.lens_order.visible

    def means(self) -> tuple[dict[str, float], dict[str, float]]:
        """Scores and their standard errors, as :func:`~calibcore.estimators.scores.with_standard_errors`."""
        n = self.n
        return (
            {name: terms.mean for name, terms in self.scores.items()},
            {name: (terms.squares / (n - 1)) ** 0.5 / n**0.5 for name, terms in self.scores.items()},
        )

    def spiegelhalter(self) -> TestResult:
        """The test, of two classes."""
        return SpiegelhalterTest().of_sums(self.excess, self.variance, self.n)
