"""What other bins, and other bandwidths of the kernel test, would say."""

from calibcore.diagram.binning import UniformBinning
from calibcore.hypothesis_tests import none_as_extreme
from calibcore.sensitivity.bandwidths import BandwidthSensitivity
from calibcore.sensitivity.binnings import BinningSensitivity, LeftClosedBinning, Way
from calibcore.settings.words import binning_to_words
from calibcore.transforms.nulls import Identity
from calibcore.wording import count, percent
from calibcore.words.phrases import (
    ALONE,
    PROMISES,
    all_of,
    error,
    error_level,
    kernel_error,
    number,
    p_words,
    redrawn_p,
)
from calibcore.words.tables import Rows
from calibcore.words.texts import paragraph

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
    return redrawn_p(way.pvalue, sensitivity.n_resamples)


def sensitivity_sentence(sensitivity: BinningSensitivity) -> str:
    """The range of the ECE over all ways, and in how many its own exact test has a small p."""
    values = [way.ece for way in sensitivity.ways]
    above, ways = sum(way.pvalue <= sensitivity.alpha for way in sensitivity.ways), len(sensitivity.ways)
    range_words = _range(min(values), max(values), sensitivity.distance)
    level, over = f"{sensitivity.alpha:g}", f"{range_words} over {count(ways, 'way')}"
    if 0 < above < ways:
        return (
            f"It depends on the bins: the average gap (ECE) is {over}, above what chance allows "
            f"(exact p of the ECE ≤ {level}, {ALONE}) in {above:,} of them."
        )
    allows, sign = ("above what chance allows", "≤") if above else ("what chance allows", ">")
    return (
        f"However the cases are binned, the average gap (ECE) is {allows}: {over}, "
        f"exact p of the ECE {sign} {level} in each, {ALONE}."
    )


def _range(low: float, high: float, distance: str) -> str:
    """ "2.1 to 4.8 points", "3.6 points"."""
    first, other = error(low, distance), error(high, distance)
    return first if first == other else error_level(low, high, distance)


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


def sensitivity_rows(sensitivity: BinningSensitivity, exact: bool = False) -> Rows:
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
            "Exact p of the ECE": redrawn_p(way.pvalue, sensitivity.n_resamples, short=True),
        }
        for way in sensitivity.ways
    ]


# --- bandwidths -----------------------------------------------------------------------


EXPLORATORY = paragraph("remarks", "exploratory")
RULES = {
    "median": "the median distance",
    "median-with-diagonal": "the median with each case's zero",
    "mean": "the mean distance",
    "number": "the number that was set",
}


def rule_words(rule: str) -> str:
    """A bandwidth's rule beside its line: "median", "mean", "set"."""
    return {"median-with-diagonal": "median with zeros", "number": "set"}.get(rule, rule)


def chance_of(sensitivity: BandwidthSensitivity) -> str:
    """What the redraws are, beside their band."""
    return "if calibrated" if isinstance(sensitivity.spec.null, Identity) else "if the hypothesis holds"


def bandwidth_sentence(sensitivity: BandwidthSensitivity) -> str:
    """Whether p of the kernel test depends on the bandwidth, and what it is at the one in use."""
    alpha, p = sensitivity.spec.alpha, sensitivity.pvalue
    low, high = _number(sensitivity.bandwidths[0]), _number(sensitivity.bandwidths[-1])
    least, most = (redrawn_p(float(end), sensitivity.n_resamples, short=True) for end in (p.min(), p.max()))
    small = int((p <= alpha).sum())
    span = f"from {low} to {high}"
    between = least if least == most else f"between {least} and {most}"
    if small in (0, len(p)):
        lies = "is" if least == most else "lies"
        answer = (
            f"At the level {alpha:g} the exact kernel test says the same at every bandwidth {span}: "
            f"its p {lies} {between}"
        )
    else:
        answer = (
            f"The exact kernel test depends on the bandwidth: at {small} of {len(p)} bandwidths "
            f"{span} its p is {alpha:g} or less; it lies {between}"
        )
    k = sensitivity.at(sensitivity.in_use)
    bandwidth = f"{RULES[sensitivity.in_use]}, {_number(sensitivity.bandwidths[k])}"
    used = f"In use: {bandwidth}, with {bandwidth_p(sensitivity, k)}"
    return f"{answer}. {used}; {PROMISES['exact']}, {ALONE}."


def bandwidth_p(sensitivity: BandwidthSensitivity, k: int) -> str:
    """The p of the kernel test at one bandwidth: "p = 0.034"."""
    return redrawn_p(float(sensitivity.pvalue[k]), sensitivity.n_resamples)


def bandwidth_notes(sensitivity: BandwidthSensitivity) -> list[str]:
    """How it was made: redraws, what they are drawn from, and what a kernel of low rank leaves out."""
    made = f"{sensitivity.n_resamples:,} redraws, the same at every bandwidth"
    if sensitivity.n_resamples < sensitivity.spec.resamples:
        made += f" (not {sensitivity.spec.resamples:,}, as there are many cases)"
    notes = [f"{made}; the smallest possible p is {1 / (sensitivity.n_resamples + 1):.2g}."]
    if not isinstance(sensitivity.spec.null, Identity):
        notes.append(f"Redraws: outcomes drawn from {sensitivity.spec.null.phrase()}.")
    if sensitivity.trace_left.any():
        most = percent(float(sensitivity.trace_left.max()))
        notes.append(
            f"A kernel of low rank stands in for the whole; it leaves out up to {most} of its trace, most at "
            "narrow bandwidths. The level stays exact."
        )
    return notes


def rows_of_bandwidths(sensitivity: BandwidthSensitivity, exact: bool = False) -> Rows:
    """One row a bandwidth; ``exact`` gives full precision and the statistic with its null range."""
    rules = {sensitivity.at(rule): rule for rule in sensitivity.rules}
    if exact:
        columns: dict[str, list[object]] = {
            "bandwidth": sensitivity.bandwidths.tolist(),
            "rule": [rules.get(k, "") for k in range(len(sensitivity.bandwidths))],
            "skce_unbiased": sensitivity.statistic.tolist(),
            "null_mean": sensitivity.null_mean.tolist(),
            "null_sd": sensitivity.null_sd.tolist(),
            "null_5_percent": sensitivity.low.tolist(),
            "null_95_percent": sensitivity.high.tolist(),
            "p_value": sensitivity.pvalue.tolist(),
            "redraws": [sensitivity.n_resamples] * len(sensitivity.bandwidths),
        }
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    low, high = sensitivity.range
    return [
        {
            "Bandwidth": _number(bandwidth) + (f" ({rule_words(rules[k])})" if k in rules else ""),
            "Above chance (standard deviations)": _deviations(sensitivity.above[k]),
            "If calibrated": "–" if low[k] != low[k] else f"{_deviations(low[k])} to {_deviations(high[k])}",
            "p-value": bandwidth_p(sensitivity, k),
        }
        for k, bandwidth in enumerate(sensitivity.bandwidths.tolist())
    ]


def _number(bandwidth: float) -> str:
    if bandwidth < 1e-3:
        return kernel_error(bandwidth)
    return f"{bandwidth:.2g}" if bandwidth < 100 else f"{bandwidth:,.0f}"


def _deviations(value: float) -> str:
    return "–" if value != value else number(value)
