"""What other bins would say, and which classes stand out."""

from calibcore.binning import UniformBinning
from calibcore.classes import ClassesByEvidence, ClassEvidence
from calibcore.predictions import listed
from calibcore.sensitivity import BinningSensitivity, LeftClosedBinning, Way
from calibcore.spec import to_words
from calibcore.words.phrases import PROMISES, all_of, binning_words, count, error, error_level, number_p

SCHEMES = {
    "uniform": "Equally wide",
    "uniform-left-closed": "Equally wide, edges to the bin above",
    "equal-mass": "Equally many cases",
    "median-variance": "Split at the median",
    "mean-variance": "Split at the mean",
    "simplex": "Triangles",
}


def p_words(p: float, smallest: float = 0.0) -> str:
    """ "p = 0.034", "p > 0.99"; with a word where p is as small as it could be."""
    words = number_p(p)
    words = f"p {words}" if words[0] in "<>" else f"p = {words}"
    return f"{words}, the smallest possible" if p <= smallest * (1 + 1e-9) else words


def sensitivity_sentence(found: BinningSensitivity) -> str:
    """The range of the ECE over all ways, and in how many it stands above chance."""
    values = [way.ece for way in found.ways]
    above, ways = sum(way.pvalue <= found.alpha for way in found.ways), len(found.ways)
    said = _range(min(values), max(values), found.distance)
    level = f"{found.alpha:g}"
    if above == ways:
        return (
            f"However the cases are binned, the average gap (ECE) stands above chance: "
            f"{said} over {count(ways, 'way')}, p ≤ {level} in each."
        )
    if not above:
        return (
            f"However the cases are binned, the average gap (ECE) stays within chance: "
            f"{said} over {count(ways, 'way')}, p > {level} in each."
        )
    return (
        f"It depends on the bins: the average gap (ECE) is {said} over {count(ways, 'way')}, "
        f"above chance (p ≤ {level}) in {above:,} of them."
    )


def _range(low: float, high: float, distance: str) -> str:
    """ "2.1 to 4.8 points", "3.6 points"."""
    one, other = error(low, distance), error(high, distance)
    return one if one == other else error_level(low, high, distance)


def exploratory(found: BinningSensitivity) -> str:
    """What a p picked from these is worth, and the one that may be used after having tried all."""
    smallest = p_words(found.smallest, 1 / (found.n_resamples + 1))
    return (
        "A p picked from these is exploratory: whoever tries many bins finds some that suit. "
        f"The smallest one, adjusted for {all_of(len(found.ways), 'way')}: {smallest} "
        "(exact for independent cases)."
    )


def chosen_way(found: BinningSensitivity) -> str:
    """What the bins of the settings give, beside their level under calibration."""
    way = found.ways[found.chosen]
    level = error_level(way.low, way.high, found.distance)
    return (
        f"Your bins ({way_words(way, found.m)}): {error(way.ece, found.distance)}, "
        f"{level} if calibrated; {p_words(way.pvalue)}."
    )


def edge_words(found: BinningSensitivity) -> str:
    """What the rule for edges changes; empty for more than two classes, where it is not tried."""
    ours, theirs = (found.schemes.get(kind, ()) for kind in ("uniform", "uniform-left-closed"))
    if not theirs:
        return ""
    other = {way.number: way.ece for way in theirs}
    most = max(abs(way.ece - other[way.number]) for way in ours if way.number in other)
    if most <= 1e-9:
        return "Whether a value on an edge belongs to the bin below or above changes nothing here."
    if error(most, found.distance) == error(0.0, found.distance):
        return "Whether a value on an edge belongs to the bin below or above changes next to nothing here."
    return (
        "Other tools put a value on an edge into the bin above, not below: "
        f"that changes the ECE by up to {error(most, found.distance)}."
    )


def way_words(way: Way, m: int) -> str:
    """ "10 equal-width bins, 9 with cases"."""
    words = binning_words(way.binning, m)
    if isinstance(way.binning, LeftClosedBinning):
        words += ", edges to the bin above"
    shown = isinstance(way.binning, UniformBinning) and m == 2 and way.held == way.binning.n_bins
    return words if shown or words.startswith(f"{way.held:,} ") else f"{words}, {way.held:,} with cases"


def sensitivity_rows(found: BinningSensitivity, exact: bool = False) -> list[dict[str, object]]:
    """One row a way of binning, scheme by scheme; ``exact`` gives the numbers in full precision."""
    if exact:
        return [
            {
                "binning": to_words(way.binning),
                "bins with cases": way.held,
                "ece": way.ece,
                "mean if calibrated": way.mean,
                "low if calibrated": way.low,
                "high if calibrated": way.high,
                "p": way.pvalue,
            }
            for way in found.ways
        ]
    return [
        {
            "Scheme": SCHEMES[way.binning.kind],
            "Bins": way.number,
            "With cases": way.held,
            "Average gap (ECE)": error(way.ece, found.distance),
            "If calibrated": error_level(way.low, way.high, found.distance),
            "Exact p": number_p(way.pvalue),
        }
        for way in found.ways
    ]


def classes_sentence(found: ClassesByEvidence) -> str:
    """Which class stands out most, and how many differ by more than chance allows."""
    first, total = found.classes[0], len(found.classes)
    differ = sum(c.adjusted <= found.alpha for c in found.classes)
    smallest = total / (found.n_resamples + 1)
    gap, level = error(first.ece, found.distance), error_level(first.low, first.high, found.distance)
    off = f"{gap} off on average, {level} if calibrated; adjusted {p_words(first.adjusted, smallest)}"
    if not differ:
        return (
            f"None of {count(total, 'class')} differs from what happened by more than chance allows. "
            f"'{first.name}' comes closest: {off}."
        )
    verb = "differs" if differ == 1 else "differ"
    where = f"All {total:,} classes" if differ == total > 1 else f"{differ:,} of {count(total, 'class')}"
    return (
        f"'{first.name}' stands out most: {off}. "
        f"{where} {verb} from what happened by more than chance allows."
    )


def classes_note(found: ClassesByEvidence) -> str:
    """How p was adjusted, and which classes are not among those drawn."""
    total = len(found.classes)
    said = (
        "Across: the probability the model gave the class. Up: how much more often it happened, in points. "
        f"p is {PROMISES['exact']}, adjusted for the {count(total, 'class')} looked at (Holm)."
    )
    if not found.left_out:
        return said
    return (
        f"{said} Drawn are the {total:,} that the model gives most probability, whatever happened; "
        f"not {listed(found.left_out, 5)}."
    )


def class_title(c: ClassEvidence, distance: str) -> str:
    """The second line of a panel's title: "3.6 points, p = 0.005"."""
    return f"{error(c.ece, distance)}, {p_words(c.adjusted)}"


def classes_alt(found: tuple[ClassEvidence, ...], distance: str) -> str:
    """What a row of panels shows, class by class."""
    return "; ".join(f"{c.name}: {class_title(c, distance)}" for c in found)


def evidence_rows(found: ClassesByEvidence, exact: bool = False) -> list[dict[str, object]]:
    """One row a class, in the order of the panels; ``exact`` gives the numbers in full precision."""
    if exact:
        return [
            {
                "class": c.name,
                "ece": c.ece,
                "mean if calibrated": c.mean,
                "low if calibrated": c.low,
                "high if calibrated": c.high,
                "standard deviations above the mean": c.excess,
                "p": c.pvalue,
                "adjusted p": c.adjusted,
                "bins": c.diagram.n_bins,
                "bins outside": int(c.diagram.outside.sum()),
            }
            for c in found.classes
        ]
    return [
        {
            "Class": c.name,
            "Average gap (ECE)": error(c.ece, found.distance),
            "If calibrated": error_level(c.low, c.high, found.distance),
            "Exact p": number_p(c.pvalue),
            "Adjusted p": number_p(c.adjusted),
            "Bins outside": f"{int(c.diagram.outside.sum())} of {c.diagram.n_bins}",
        }
        for c in found.classes
    ]
