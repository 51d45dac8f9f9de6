"""The scale of deviations: what bins with enough cases need; what lies beyond is marked at the edge."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibcore.diagram.curves import Curve
from calibcore.diagram.reliability import Reliability
from calibcore.numerics.types import Float, Int

DEVIATION = "Observed minus predicted, points"
"""What every axis of deviations says, on the screen and on paper."""
MOST_SQUEEZED = 1.5
"""Nothing is cut off unless it would make the scale so many times as long."""
ROOM = 0.06
"""Beyond the farthest mark at either end, as a share of what is needed."""
AT_EDGE = 0.03
"""How far inside the edge a mark of what lies beyond stands, as a share of the scale."""
LEAST_SPAN = 0.5
"""Points."""
THINNEST = 0.012
"""A bar is drawn at least so thick, as a share of the scale: 3 pixels, a third of a millimetre."""
_CURVE_ENDS = 0.01
"""Share of the cases at either end of a curve for which it may leave the scale."""


MOST_BINS_SHOWN = 40


def fullest_bins(diagram: Reliability) -> tuple[Int, str]:
    """The bins that a diagram of three and more classes shows, the fullest first, and what its axis says."""
    fullest = np.argsort(-diagram.counts, kind="stable")[:MOST_BINS_SHOWN]
    share = f" ({len(fullest)} of {diagram.n_bins:,})" if len(fullest) < diagram.n_bins else ""
    return fullest, f"Bins, those with most cases first{share}"


@dataclass(frozen=True)
class DeviationScale:
    """From ``low`` to ``high``, in points."""

    low: float
    high: float

    @property
    def span(self) -> float:
        """Its length in points."""
        return self.high - self.low

    def beyond(self, points: Float) -> NDArray[np.bool_]:
        """Which deviations lie beyond it."""
        return np.asarray((points < self.low) | (points > self.high))

    def placed(self, points: Float) -> Float:
        """Where they are drawn: those beyond a little inside its ends."""
        inset = AT_EDGE * self.span
        held = np.clip(points, self.low + inset, self.high - inset)
        return np.where(self.beyond(points), held, points)

    def thick_enough(
        self, low: Float, high: Float, least: Float | float, most: Float | float
    ) -> tuple[Float, Float]:
        """Ends of bars in points, moved apart where a bar would be too thin to be seen; not beyond ``least``
        and ``most``, where nothing can lie."""
        more = np.maximum(0.0, THINNEST * self.span - (high - low)) / 2
        low, high = low - more, high + more
        moved = np.maximum(0.0, least - low) - np.maximum(0.0, high - most)
        return np.maximum(low + moved, least), np.minimum(high + moved, most)


def scale_of(diagrams: Sequence[Reliability], curve: Curve | None = None) -> DeviationScale:
    """As far as the crosses and bars of well-filled bins go, and as all crosses where that costs little, or
    where most of them would lie beyond.

    Of three and more classes it begins at 0. A ``curve`` and its band fit in but for the cases at its ends.
    """
    filled = [0.0, *(end for d in diagrams for end in _ends(d, d.well_filled))]
    if curve is not None:
        upto = np.cumsum(curve.counts) / curve.counts.sum()
        inner = (upto >= _CURVE_ENDS) & (upto - curve.counts / curve.counts.sum() <= 1 - _CURVE_ENDS)
        ends = [100 * (e - curve.predicted)[inner] for e in (curve.observed, curve.low, curve.high)]
        filled += [float(np.min(ends)), float(np.max(ends))]
    crosses = 100 * np.concatenate([d.deviation for d in diagrams])
    every = [*filled, float(crosses.min()), float(crosses.max())]
    beyond = (crosses < min(filled)) | (crosses > max(filled))
    costs_little = np.ptp(every) <= MOST_SQUEEZED * np.ptp(filled)
    need = every if costs_little or beyond.mean() > 0.5 else filled
    low, high = min(need), max(need)
    room = ROOM * max(high - low, LEAST_SPAN)
    return DeviationScale(low - room if low < 0 else 0.0, max(high, low + LEAST_SPAN) + room)


def _ends(d: Reliability, bins: Int) -> list[float]:
    """The lowest and the highest cross or end of a bar of these bins; nothing is known of some bars."""
    ends = np.concatenate([values[bins] for values in (d.deviation, d.low, d.high)])
    ends = 100 * ends[np.isfinite(ends)]
    if len(d.class_names) > 2:
        ends = np.maximum(ends, 0.0)
    return [float(ends.min()), float(ends.max())] if len(ends) else []
