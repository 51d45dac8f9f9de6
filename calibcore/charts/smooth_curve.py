"""Two classes without bins: the smoothed deviation over predictions, and where a calibrated model has it."""

import numpy as np

from calibcore.charts.reliability import Shares
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.types import Float, Int
from calibcore.wording import percent

WIDE = 0.016
"""Of the axis: a bar of how predictions are spread."""
GAP = 0.1
"""Of the axis: between places further apart there are no cases to average, and no line or band is drawn."""


def band_name(found: SmoothArrows) -> str:
    """What the key says of the band."""
    return f"if calibrated, the whole curve {percent(1 - found.alpha, 0)} of the time"


def names(found: SmoothArrows) -> tuple[str, str]:
    """What the key says of the parts of the curve outside the band and within."""
    outside, within = "observed, more than chance allows", "observed, within what chance allows"
    return outside, within if found.strong.any() else "observed"


def stretches(found: SmoothArrows) -> list[Int]:
    """The places in a row between which there are cases."""
    x = found.predicted[:, 0]
    return np.split(np.arange(len(x)), np.flatnonzero(np.diff(x) > GAP) + 1)


def band_of(found: SmoothArrows, part: Int) -> tuple[Float, Float, Float]:
    """Places of a stretch, and where its band begins and ends there in points; a place alone is as wide as a
    bar."""
    x, ends = found.predicted[part, 0], [100 * end[part] for end in found.chance]
    if len(part) == 1 and len(found.predicted) > 1:
        x, ends = x + np.array([-WIDE, WIDE]) / 2, [np.repeat(end, 2) for end in ends]
    return x, ends[0], ends[1]


def strong_line(found: SmoothArrows) -> tuple[Float, Float]:
    """Places and points of the curve where it is strong, not a number elsewhere."""
    return found.predicted[:, 0], np.where(found.strong, 100 * found.curve, np.nan)


def shares_of(found: SmoothArrows) -> Shares:
    """How predictions are spread over the places of the curve."""
    x = found.predicted[:, 0]
    words = [f"{percent(at)}: {percent(share)}" for at, share in zip(x, found.shares, strict=True)]
    return Shares(x, WIDE, found.shares, words)
