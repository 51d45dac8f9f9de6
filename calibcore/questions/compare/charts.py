"""What the charts of a comparison show: models by typical gap, and two in the bins that they share."""

from calibcore.charts.forest import Row, forest_rows
from calibcore.questions.compare import Comparison, SharedBin
from calibcore.words.sizes import size_and_ends

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


def comparison_rows(comparison: Comparison) -> list[Row]:
    """The models as rows of a forest, by typical gap."""
    return forest_rows([(model.name, "", model.verdict) for model in comparison.by_gap])


def comparison_joined(comparison: Comparison) -> list[list[int]]:
    """The places of models that a bar joins."""
    places = {model.name: place for place, model in enumerate(comparison.by_gap)}
    return [[places[name] for name in run] for run in comparison.undecided]


def comparison_says(comparison: Comparison) -> str:
    """The figure in words, for who cannot see it."""
    first, *_, last = comparison.by_gap
    ends = [size_and_ends(v.typical_gap) for v in (first.verdict, last.verdict)]
    return (
        f"{len(comparison.models)} models by typical gap, from '{first.name}' with {ends[0]} "
        f"to '{last.name}' with {ends[1]}."
    )
