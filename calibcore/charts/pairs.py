"""Two models in the bins that they share."""

from calibcore.questions.compare import SharedBin

APART = 0.018
"""Two marks of a bin stand at least so far from each other: the first left, the second right."""
IF_CALIBRATED = "if calibrated"


def place_in_bin(shared: SharedBin, which: int) -> float | None:
    """Where a model's mark stands: at its own mean prediction in the bin, a little aside where the other
    model's would cover it. What is drawn there of frequencies lies between 0 and 1. None without cases.
    """
    side, other = (shared.b, shared.a) if which else (shared.a, shared.b)
    if side is None:
        return None
    place = side.predicted
    if other is not None and abs(place - other.predicted) < APART:
        first, second = sorted((place, other.predicted))
        place = (first + second + (2 * which - 1) * APART) / 2
    ends = (side.deviation, side.low, side.high)
    return min(max(place, *(-end for end in ends)), *(1 - end for end in ends))
