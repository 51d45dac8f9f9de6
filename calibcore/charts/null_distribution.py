"""What a test saw: the observed value among those that chance alone gives (after the poster of W19)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.diagnose import NamedTest
from calibcore.errors import InputError
from calibcore.hypothesis_tests.histogram import far_out, histogram
from calibcore.numerics.distances import DISTANCES
from calibcore.numerics.types import Float, Int
from calibcore.words.phrases import pvalue
from calibcore.words.testing import chance_words, statistic_words

AXES = {
    "ece": "Average gap (ECE)",
    "skce": "Squared kernel calibration error",
    "omnibus": "How far out the farthest of its statistics lies",
}
_BARS, _GAP, _ROOM = 0.72, 0.05, 0.03
"""Of the width: the part of the redraws and the break; room beside the bars, in their width."""
EXTREME = "at least as large as observed"
"""What the redraws are that count for p."""
UPWARDS = "Redraws"
"""What the axis of their numbers says."""


@dataclass(frozen=True)
class NullMarks:
    """The redraws of a test as they are drawn, on the screen and on paper, in the unit of the axis.

    words, p, chance : what was observed, its p, and what the redraws are
    axis : what the axis of the statistic says
    """

    edges: Float
    counts: Int
    beyond: NDArray[np.bool_]
    observed: float
    words: str
    p: str
    chance: str
    axis: str

    @property
    def top(self) -> float:
        """Where the axis of redraws ends."""
        return 1.16 * float(self.counts.max())

    @property
    def left(self) -> bool:
        """Whether the words on chance stand at the left end of the bars."""
        return bool(self.observed > (self.edges[0] + self.edges[-1]) / 2)

    @property
    def beside(self) -> float:
        """Where they begin, so that no line crosses them."""
        return float(self.edges[0] if self.left else max(self.observed, self.edges[0]))

    @property
    def broken(self) -> bool:
        """Whether what was observed lies so far out that the axis is broken before it."""
        return far_out(self.edges, self.observed)

    @property
    def parts(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Of a broken axis, as shares of its width: the part of the redraws, that of what was observed."""
        return (
            ((0.0, _BARS), (_BARS + _GAP, 1.0)) if self.left else ((1 - _BARS, 1.0), (0.0, 1 - _BARS - _GAP))
        )

    @property
    def break_at(self) -> float:
        """Where the axis is broken, as a share of its width."""
        bars, line = self.parts
        return (bars[1] + line[0]) / 2 if self.left else (line[1] + bars[0]) / 2

    def ends(self) -> tuple[float, float]:
        """Of the axis, or of the part of a broken one that has the redraws."""
        low, high = float(self.edges[0]), float(self.edges[-1])
        if not self.broken:
            low, high = min(low, self.observed), max(high, self.observed)
        room = _ROOM * (high - low)
        return low - room, high + room

    @property
    def hover(self) -> tuple[str]:
        """What a hand that rests on the line reads."""
        return (f"Observed: {self.words}",)

    def side(self, low: float, high: float) -> str:
        """How the words on what was observed are aligned, on an axis from ``low`` to ``high``."""
        if self.broken:
            return "right" if self.left else "left"
        place = (self.observed - low) / (high - low)
        return "left" if place < 1 / 3 else "right" if place > 2 / 3 else "center"


def null_marks(test: NamedTest, distance: str) -> NullMarks:
    """What is drawn of a test.

    Raises
    ------
    InputError : a test that made no redraws.
    """
    result = test.result
    if result is None:
        raise InputError(f"The test {test.name!r} has no redraws to draw.")
    bars = histogram(result)
    in_points = test.estimator == "ece" and DISTANCES[distance].in_points
    scale = 100.0 if in_points else 1.0
    return NullMarks(
        scale * bars.edges,
        bars.counts,
        bars.beyond,
        scale * bars.observed,
        statistic_words(test.estimator, result.statistic, distance),
        pvalue(result),
        chance_words(result),
        AXES[test.estimator.partition("-")[0]] + (", points" if in_points else ""),
    )
