"""Binning sensitivity: the ECE against the number of bins, a panel a scheme, on the band of chance."""

from calibcore.numerics.distances import DISTANCES
from calibcore.sensitivity.binnings import BinningSensitivity, Way
from calibcore.words.phrases import error, error_level
from calibcore.words.sensitivity import way_p, way_words

LEFT_CLOSED = "uniform-left-closed"
MOST_LINEAR = 64
"""Bins up to which the axis is linear."""
TICKS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
ACROSS = "Number of bins"
CHANCE = "if calibrated, 9 times in 10"
ABOVE, WITHIN = "observed, above chance", "observed, within chance"
OTHER_EDGES = "a value on an edge in the bin above"


def kinds_of(sensitivity: BinningSensitivity) -> list[str]:
    """The schemes that have a panel of their own."""
    return [kind for kind in sensitivity.schemes if kind != LEFT_CLOSED]


def axis_words(sensitivity: BinningSensitivity) -> str:
    """What the axis of the ECE says."""
    return "Average gap (ECE)" + (", points" if scale_of(sensitivity) == 100 else "")


def scale_of(sensitivity: BinningSensitivity) -> float:
    """What an ECE is multiplied by on the axis."""
    return 100.0 if DISTANCES[sensitivity.distance].in_points else 1.0


def most_shown(sensitivity: BinningSensitivity) -> float:
    """The end of the scale."""
    return 1.1 * scale_of(sensitivity) * max(max(way.ece, way.high) for way in sensitivity.ways) or 1.0


def edges_matter(sensitivity: BinningSensitivity) -> bool:
    """Whether the other edge rule gives a line that can be told apart from ours."""
    schemes, least = sensitivity.schemes, 0.01 * most_shown(sensitivity) / scale_of(sensitivity)
    ours = {way.number: way.ece for way in schemes["uniform"]}
    return any(abs(way.ece - ours[way.number]) > least for way in schemes.get(LEFT_CLOSED, ()))


def most_bins(sensitivity: BinningSensitivity) -> int:
    """The most bins of all ways."""
    return max(way.number for way in sensitivity.ways)


def logarithmic(sensitivity: BinningSensitivity) -> bool:
    """Whether the axis of bins is."""
    return most_bins(sensitivity) > MOST_LINEAR


def chosen_words(sensitivity: BinningSensitivity) -> str:
    """What stands beside the ring around the bins of the settings."""
    return f"your bins: {error(sensitivity.ways[sensitivity.chosen].ece, sensitivity.distance)}"


def hover(way: Way, sensitivity: BinningSensitivity) -> tuple[str, str, str, str]:
    """What a hand that rests on a mark reads."""
    return (
        way_words(way, sensitivity.m),
        f"ECE {error(way.ece, sensitivity.distance)}",
        f"If calibrated: {error_level(way.low, way.high, sensitivity.distance)}",
        way_p(sensitivity, way),
    )
