"""Every test of a diagnosis on one axis of p, grouped by what it promises."""

import math
from dataclasses import dataclass

from calibcore.diagnose import Diagnosis, NamedTest
from calibcore.hypothesis_tests import Promise
from calibcore.hypothesis_tests.families import names_of
from calibcore.words.phrases import PROMISES, pvalue_in_full
from calibcore.words.testing import grouped_tests, row_words, smallest_possible

LEAST = 1e-4
"""The axis ends here unless redraws allow a smaller p; what is smaller stands at its end."""
AXIS_TITLE = "p: how often chance alone looks at least this bad"
HIGH = 1.12
"""So that a mark at 1 is whole."""
_ARROW = 0.16
"""How far to the left the arrow of a bound reaches, as a share of the axis."""


@dataclass(frozen=True)
class Row:
    """A test whose row begins ``top`` below the upper edge."""

    test: NamedTest
    top: float

    @property
    def p(self) -> float | None:
        """What is marked; None where there is nothing."""
        result = self.test.result
        return None if result is None or math.isnan(result.pvalue) else result.pvalue

    @property
    def bound(self) -> bool:
        """Whether p is an upper bound."""
        return self.test.result is not None and self.test.result.promise == "bound"

    @property
    def smallest(self) -> bool:
        """Whether p is the smallest that the redraws allow."""
        return smallest_possible(self.test)

    @property
    def name(self) -> str:
        """What the test is called."""
        return names_of(self.test.name).short

    @property
    def words(self) -> str:
        """p in words."""
        return row_words(self.test)

    @property
    def hover(self) -> tuple[str, str, str]:
        """What a hand that rests on its mark reads: a heading and two lines."""
        result = self.test.result
        assert result is not None
        return names_of(self.test.name).full, pvalue_in_full(result), PROMISES[result.promise]

    def strong(self, alpha: float) -> bool:
        """Whether there is a p, at most ``alpha``."""
        return self.p is not None and self.p <= alpha


def heading_of(promise: Promise) -> str:
    """What stands above the tests of one promise."""
    return PROMISES[promise].capitalize()


def placed(
    diagnosis: Diagnosis, heading: float, row: float
) -> tuple[list[tuple[Promise, float, list[Row]]], float]:
    """Each promise with where its heading begins and its rows, so high, from the top down; all they take."""
    groups = []
    top = 0.0
    for promise, tests in grouped_tests(diagnosis):
        rows = [Row(test, top + heading + i * row) for i, test in enumerate(tests)]
        groups.append((promise, top, rows))
        top += heading + len(tests) * row
    return groups, top


def leftmost(diagnosis: Diagnosis) -> float:
    """Where the axis of p ends: what the redraws allow is on it."""
    redraws = [test.result.n_resamples for test in diagnosis.tests if test.result is not None]
    return 0.6 * min([LEAST, *(1 / (n + 1) for n in redraws if n)])


def line_of_bound(p: float, low: float) -> tuple[float, float]:
    """From where to where the line to the left of a bound goes, as p may lie anywhere there."""
    p = max(p, low)
    return max(low, p * low**_ARROW), p
