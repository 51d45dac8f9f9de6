"""Two models in the bins that they share."""

from calibcore.questions.compare import SharedBin

ASIDE = 0.18
"""How far from the middle of a bin a model stands, in widths of a bin: the first left, the second right."""
IF_CALIBRATED = "if calibrated"


def place_in_bin(shared: SharedBin, which: int) -> float:
    """Where a model's mark stands: the first left of the middle, the second right."""
    width = shared.end - shared.start
    return (shared.start + shared.end) / 2 + (2 * which - 1) * ASIDE * width
