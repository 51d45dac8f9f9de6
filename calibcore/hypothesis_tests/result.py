"""What tests need of predictions, what every test returns, and the Monte Carlo p-value."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeVar

import numpy as np

from calibcore.bounds import Count, NullIs, Shape, Within
from calibcore.data.predictions import Predictions
from calibcore.data.weights import refuse_untested
from calibcore.display import Displayed
from calibcore.errors import InputError
from calibcore.numerics.types import Float

S = TypeVar("S", float, Float)
TIE = 1e-9
ROUNDING = 1e-12
NOISE = 1e-14
_PLAINEST = ("temperature", "class-mix")

NUMBERS = ("stop_at", "most_resamples", "rank", "trace_left", "widest_bandwidth")
"""Details that are numbers, where they are there."""
Promise = Literal["exact", "bound", "asymptotic", "none"]
"""What a p-value promises; see the package."""


def needs_independent_rows(predictions: Predictions, test: str) -> None:
    """Raises :class:`InputError` unless every row is one case of its own; ``test`` is its name there."""
    refuse_untested(predictions)
    if predictions.pooled_from is not None:
        raise InputError(
            f"The {test} test needs independent rows, and the pooled pairs of one case depend on each other. "
            "The exact test takes them."
        )


@dataclass(frozen=True)
class Component:
    """One of the statistics that a test combines.

    Attributes
    ----------
    statistic : its value
    tail : −log of how rarely a calibrated model would show as much or more, by an approximation; what is
        compared between components and between label sets, no p-value
    direction : what its sign says, "too sure" say; else empty
    as_extreme : how many redraws reached the statistic; None in documents of earlier versions
    """

    name: str
    statistic: Annotated[float, NullIs(math.inf)]
    tail: Annotated[float, NullIs(math.inf)]
    direction: str = ""
    as_extreme: Count | None = None


@dataclass(frozen=True, eq=False, repr=False)
class TestResult(Displayed):
    """What a test found, with SciPy's names.

    ``null_distribution (n_resamples,)`` holds the statistic under the null
    hypothesis, None for tests by formula. ``pvalue`` is NaN where it is not defined.

    >>> import numpy as np
    >>> from calibcore import ECE, ExactTest, Predictions
    >>> probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> result = ExactTest(ECE(), n_resamples=99)(p, np.random.default_rng(0))
    >>> result
    TestResult(statistic=0.4, pvalue=0.01, method='exact Monte Carlo', promise='exact', n_resamples=99)
    >>> result.null_distribution.shape, result.at_floor
    ((99,), True)
    """

    __test__ = False  # not a test case of pytest
    NAMES: ClassVar = {"pvalue": "p_value", "decided_by_name": "decided_by"}
    KEYS: ClassVar = (
        "statistic", "pvalue", "promise", "method", "n_resamples", "null_distribution", "confidence_interval",
        "details", "components", "decided_by_name",
    )  # fmt: skip
    OPTIONAL: ClassVar = ("components", "decided_by_name")
    WITHHELD: ClassVar = ("statistic", "p_value", "promise")

    statistic: Annotated[float, NullIs(math.nan)]
    pvalue: Annotated[float, Within(0, 1), NullIs(math.nan)]
    method: str
    promise: Promise
    null_distribution: Annotated[Float, Shape("redraws"), NullIs(math.inf)] | None = None
    n_resamples: Count = 0
    confidence_interval: tuple[float, float] | None = None
    """Of the population value, two-sided 95 %, where the test has one."""
    details: Mapping[str, float | int | str] = field(default_factory=dict)
    """What else was decided on the way: block size, degrees of freedom, rank and trace left, …"""
    components: tuple[Component, ...] = ()
    """Of a test that combines several statistics, each of them."""
    component_redraws: Float | None = None
    """(C, B) the components of each redraw; not part of a document, as it can be drawn again."""

    def __post_init__(self) -> None:
        # The largest of several tails is infinite after an impossible outcome, and defined in any case.
        if self.components and math.isnan(self.statistic):
            object.__setattr__(self, "statistic", math.inf)

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where details of a document are no numbers."""
        for name in NUMBERS:
            if isinstance(self.details.get(name, 0), str):
                raise InputError(f"The detail {name} is text; expected a number.")
        if "stop_at" in self.details and "most_resamples" not in self.details:
            raise InputError("The detail most_resamples is missing.")

    def __repr__(self) -> str:
        redraws = f", n_resamples={self.n_resamples}" if self.n_resamples else ""
        return (
            f"TestResult(statistic={self.statistic:.6g}, pvalue={self.pvalue:.6g}, method={self.method!r}, "
            f"promise={self.promise!r}{redraws})"
        )

    @property
    def decided_by(self) -> Component | None:
        """The component that stands out most; None where there are none.

        The one with the largest tail, the first of equals. Where p is as small as can be, components whose
        own statistic no redraw reaches would decide alone, and tails say no more; then the plainest of them.
        """
        if self.at_floor:
            alone = {component.name: component for component in self.components if component.as_extreme == 0}
            if plain := next((alone[name] for name in _PLAINEST if name in alone), None):
                return plain
        return max(self.components, key=lambda component: component.tail, default=None)

    @property
    def decided_by_name(self) -> str | None:
        """The name of :attr:`decided_by`."""
        return None if self.decided_by is None else self.decided_by.name

    @property
    def stopped_early(self) -> bool:
        """Whether it stopped before all redraws were made."""
        return "stop_at" in self.details and self.n_resamples < int(self.details["most_resamples"])

    @property
    def at_floor(self) -> bool:
        """Whether no redraw was as extreme, so that more redraws might have given a smaller p."""
        return none_as_extreme(self.pvalue, self.n_resamples) and not self.stopped_early


def none_as_extreme(pvalue: float, n_resamples: int) -> bool:
    """Whether a Monte Carlo p is as small as so many redraws allow."""
    return n_resamples > 0 and pvalue <= (1 + TIE) / (n_resamples + 1)


def monte_carlo_pvalue(statistic: float, null_distribution: Float) -> float:
    """``(1 + #{T_b ≥ T}) / (B + 1)``, never 0; T_b counts as ≥ from 1e-9 null deviations below T.

    Also from 1e-12·|T| + 1e-14 below, so that rounding does not order redraws that are all equal.
    """
    slack = tie_slack(statistic, deviation(null_distribution))
    as_extreme = int(np.count_nonzero(null_distribution >= statistic - slack))
    return (1 + as_extreme) / (len(null_distribution) + 1)


def stopped_at(statistic: float, null_distribution: Float, stop_at: int) -> int | None:
    """The number l of redraws with which the ``stop_at``-th T_b ≥ T comes, None if it does not come.

    Ties as in :func:`monte_carlo_pvalue`, with the deviation of the redraws so far: what comes
    later changes nothing. Then p = stop_at / l (Besag & Clifford 1991).
    """
    finite = np.isfinite(null_distribution)
    x = np.where(finite, null_distribution - (null_distribution[0] if finite[0] else 0.0), 0.0)
    so_far = np.arange(1, len(x) + 1)
    variance = np.cumsum(x**2) / so_far - (np.cumsum(x) / so_far) ** 2
    slack = tie_slack(statistic, np.sqrt(np.maximum(variance, 0.0)))
    extreme = np.flatnonzero(null_distribution >= statistic - slack)
    return int(extreme[stop_at - 1]) + 1 if len(extreme) >= stop_at else None


def deviation(null_distribution: Float) -> float:
    """The standard deviation of the redraws; of the finite ones, as an impossible outcome makes others."""
    finite = null_distribution[np.isfinite(null_distribution)]
    return float(finite.std()) if len(finite) else 0.0


def tie_slack(statistic: float, deviation: S) -> S:
    """How far below ``statistic`` a redraw counts as a tie, given the deviation of the redraws.

    Infinite ones tie with infinite ones alone.
    """
    size = abs(statistic) if np.isfinite(statistic) else 0.0
    return TIE * deviation + (ROUNDING * size + NOISE)
