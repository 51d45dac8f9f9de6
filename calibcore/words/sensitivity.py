"""What other bins would say."""

from calibcore.diagram.binning import UniformBinning
from calibcore.hypothesis_tests import none_as_extreme
from calibcore.sensitivity.binnings import BinningSensitivity, LeftClosedBinning, Way
from calibcore.spec.words import binning_to_words
from calibcore.wording import count
from calibcore.words.phrases import ALONE, all_of, error, error_level, p_words

SCHEMES = {
    "uniform": "Equally wide",
    "uniform-left-closed": "Equally wide, edges to the bin above",
    "equal-mass": "Equally many cases",
    "median-variance": "Split at the median",
    "mean-variance": "Split at the mean",
    "simplex": "Triangles",
}


def way_p(sensitivity: BinningSensitivity, way: Way) -> str:
    """The exact p of the ECE with one way of binning: "p = 0.034"."""
    return _p(sensitivity, way.pvalue)


def _p(sensitivity: BinningSensitivity, p: float, short: bool = False) -> str:
    return p_words(p, none_as_extreme(p, sensitivity.n_resamples), short=short)


def sensitivity_sentence(sensitivity: BinningSensitivity) -> str:
    """The range of the ECE over all ways, and in how many its own exact test has a small p."""
    values = [way.ece for way in sensitivity.ways]
    above, ways = sum(way.pvalue <= sensitivity.alpha for way in sensitivity.ways), len(sensitivity.ways)
    range_words = _range(min(values), max(values), sensitivity.distance)
    level = f"{sensitivity.alpha:g}"
    if above == ways:
        return (
            f"However the cases are binned, the average gap (ECE) is above what chance allows: "
            f"{range_words} over {count(ways, 'way')}, exact p of the ECE ≤ {level} in each, {ALONE}."
        )
    if not above:
        return (
            f"However the cases are binned, the average gap (ECE) is what chance allows: "
            f"{range_words} over {count(ways, 'way')}, exact p of the ECE > {level} in each, {ALONE}."
        )
    return (
        f"It depends on the bins: the average gap (ECE) is {range_words} over {count(ways, 'way')}, "
        f"above what chance allows (exact p of the ECE ≤ {level}, {ALONE}) in {above:,} of them."
    )


def _range(low: float, high: float, distance: str) -> str:
    """ "2.1 to 4.8 points", "3.6 points"."""
    one, other = error(low, distance), error(high, distance)
    return one if one == other else error_level(low, high, distance)


def exploratory(sensitivity: BinningSensitivity) -> str:
    """What a p picked from these is worth, and the one that may be used after having tried all."""
    least = none_as_extreme(min(way.pvalue for way in sensitivity.ways), sensitivity.n_resamples)
    smallest = p_words(sensitivity.smallest, least)
    return (
        "A p picked from these is exploratory: whoever tries many bins finds some that suit. "
        f"The smallest one, adjusted for {all_of(len(sensitivity.ways), 'way')}: {smallest} "
        "(exact for independent cases)."
    )


def chosen_way(sensitivity: BinningSensitivity) -> str:
    """What the bins of the settings give, beside their level under calibration."""
    way = sensitivity.ways[sensitivity.chosen]
    level = error_level(way.low, way.high, sensitivity.distance)
    return (
        f"Your bins ({way_words(way, sensitivity.m)}): {error(way.ece, sensitivity.distance)}, "
        f"{level} if calibrated; exact test of this ECE: {way_p(sensitivity, way)}."
    )


def edge_words(sensitivity: BinningSensitivity) -> str:
    """What the rule for edges changes; empty for more than two classes, where it is not tried."""
    ours, theirs = (sensitivity.schemes.get(kind, ()) for kind in ("uniform", "uniform-left-closed"))
    if not theirs:
        return ""
    other = {way.number: way.ece for way in theirs}
    most = max(abs(way.ece - other[way.number]) for way in ours if way.number in other)
    if most <= 1e-9:
        return "Whether a value on an edge belongs to the bin below or above changes nothing here."
    if error(most, sensitivity.distance) == error(0.0, sensitivity.distance):
        return "Whether a value on an edge belongs to the bin below or above changes next to nothing here."
    return (
        "Other tools put a value on an edge into the bin above, not below: "
        f"that changes the ECE by up to {error(most, sensitivity.distance)}."
    )


def way_words(way: Way, m: int) -> str:
    """ "10 equal-width bins, 9 with cases"."""
    words = way.binning.phrase(m)
    if isinstance(way.binning, LeftClosedBinning):
        words += ", edges to the bin above"
    in_use = isinstance(way.binning, UniformBinning) and m == 2 and way.held == way.binning.n_bins
    return words if in_use or words.startswith(f"{way.held:,} ") else f"{words}, {way.held:,} with cases"


def sensitivity_rows(sensitivity: BinningSensitivity, exact: bool = False) -> list[dict[str, object]]:
    """One row a way of binning, scheme by scheme; ``exact`` gives the numbers in full precision."""
    if exact:
        return [
            {
                "binning": binning_to_words(way.binning),
                "bins with cases": way.held,
                "ece": way.ece,
                "mean if calibrated": way.mean,
                "low if calibrated": way.low,
                "high if calibrated": way.high,
                "p": way.pvalue,
            }
            for way in sensitivity.ways
        ]
    return [
        {
            "Scheme": SCHEMES[way.binning.kind],
            "Bins": way.number,
            "With cases": way.held,
            "Average gap (ECE)": error(way.ece, sensitivity.distance),
            "If calibrated": error_level(way.low, way.high, sensitivity.distance),
            "Exact p of the ECE": _p(sensitivity, way.pvalue, short=True),
        }
        for way in sensitivity.ways
    ]
