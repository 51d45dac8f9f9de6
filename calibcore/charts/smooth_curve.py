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


def band_name(arrows: SmoothArrows) -> str:
    """What the key says of the band."""
    return f"if calibrated, the whole curve {percent(1 - arrows.alpha, 0)} of the time"


def names(arrows: SmoothArrows) -> tuple[str, str]:
    """What the key says of the parts of the curve outside the band and within."""
    outside, within = "observed, more than chance allows", "observed, within what chance allows"
    return outside, within if arrows.strong.any() else "observed"


def stretches(arrows: SmoothArrows) -> list[Int]:
    """The places in a row between which there are cases."""
    x = arrows.predicted[:, 0]
    return np.split(np.arange(len(x)), np.flatnonzero(np.diff(x) > GAP) + 1)


def band_of(arrows: SmoothArrows, part: Int) -> tuple[Float, Float, Float]:
    """Places of a stretch, and where its band begins and ends there in points; a place alone is as wide as a
    bar."""
    x, ends = arrows.predicted[part, 0], [100 * end[part] for end in arrows.chance]
    if len(part) == 1 and len(arrows.predicted) > 1:
        x, ends = x + np.array([-WIDE, WIDE]) / 2, [np.repeat(end, 2) for end in ends]
    return x, ends[0], ends[1]


def strong_line(arrows: SmoothArrows) -> tuple[Float, Float]:
    """Places and points of the curve where it is strong, not a number elsewhere."""
    return arrows.predicted[:, 0], np.where(arrows.strong, 100 * arrows.curve, np.nan)


def shares_of(arrows: SmoothArrows) -> Shares:
    """How predictions are spread over the places of the curve."""
    x = arrows.predicted[:, 0]
    words = [
        f"{percent(position)}: {percent(share)}" for position, share in zip(x, arrows.shares, strict=True)
    ]
    return Shares(x, WIDE, arrows.shares, words)
