"""Single phrases: numbers, p-values, the names of lenses and binnings."""

import math
import re
import sys

from calibcore.diagnose import Diagnosis
from calibcore.hypothesis_tests import Promise, TestResult, none_as_extreme
from calibcore.numerics.distances import DISTANCES
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import Lens
from calibcore.wording import count, percent, plural

PROMISES: dict[Promise, str] = {
    "exact": "exact for independent cases",
    "bound": "upper bound, conservative",
    "asymptotic": "approximate, large samples",
    "none": "no guarantee; for comparison",
}

VERDICT_TEST_NAMES = {
    "exact-omnibus": ("exact omnibus test", "omnibus test"),
    "exact-skce": ("exact Monte Carlo test of the unbiased kernel calibration error", "kernel test"),
}
"""A verdict's test -> what it is called in full and in short; the second is of earlier versions."""


def answers_off(number: int) -> str:
    """That answers were wrong of which the model was certain, or right though it ruled them out."""
    were = "was" if number == 1 else "were"
    return (
        f"{count(number, 'answer')} given {percent(1, 0)} {were} wrong (or given {percent(0, 0)} and right)"
    )


ALONE = "of this lens alone, not adjusted"
"""Said beside every p of a test that is no part of a survey: the verdict rests on the survey's."""

NO_BARS = {"none": "Weighted cases", "cross-fitted": "Recalibrated cases", "labels": "Pooled labels"}
"""What cases are of which nothing says how they vary by chance, by the bars of their diagram."""
WEIGHTED = {"none": ", weighted", "cross-fitted": "", "labels": ""}
"""Said after a share of such cases."""

MOST_DIGITS = 6
"""Of points: the ends of a gap's interval are known to some 2e-9, no better."""


def points(probability: float, digits: int = 1) -> str:
    """0.0363 -> "3.6 points", to two digits "3.63 points"."""
    value = f"{100 * probability:.{digits}f}"
    return f"{value} point{'' if value in ('1.0', '-1.0') else 's'}".replace("-", "−")


def number(value: float, digits: int = 1) -> str:
    """-0.034 -> "−0.0": with the sign of a minus."""
    return f"{value:.{digits}f}".replace("-", "−")


def signed(value: float, digits: int = 4) -> str:
    """0.0123 -> "+0.0123"."""
    return f"{value:+z.{digits}f}".replace("-", "−")


def signed_interval(value: float, low: float, high: float) -> str:
    """ "+0.0123 (+0.0100 to +0.0146)", of a gain or a difference."""
    return f"{signed(value)} ({signed(low)} to {signed(high)})"


def signed_range(low: float, high: float) -> str:
    """Deviations in points: "−1.2 to +3.4"."""
    return f"{signed(100 * low, 1)} to {signed(100 * high, 1)}"


def digits_shown(size: float) -> int:
    """The fewest digits of points that do not round ``size`` to 0; 0 where :data:`MOST_DIGITS` do."""
    return next((digits for digits in range(1, MOST_DIGITS + 1) if round(100 * size, digits)), 0)


def points_shown(size: float) -> str:
    """:func:`points` with so many digits that a size that is not 0 does not show as 0: "0.02 points"."""
    return points(size, digits_shown(size) or 1)


def error(value: float, distance: str) -> str:
    """An ECE or MCE: in points, or as it is where the distance is squared."""
    return points(value) if DISTANCES[distance].in_points else f"{value:.4f}"


def expected(number: float) -> str:
    """How many one expects: "about 1.4", "fewer than 0.1"."""
    return f"about {number:.1f}" if number >= 0.1 else "fewer than 0.1"


def error_level(low: float, high: float, distance: str) -> str:
    """Where 90 % of an ECE or MCE lie under calibration, in the same unit: "1.3 to 5.1 points"."""
    return f"{error(low, distance).partition(' ')[0]} to {error(high, distance)}"


def exact_percent(probability: float) -> str:
    """A level as it was set, never rounded: 0.975 -> "97.5 %", 0.95 -> "95 %"."""
    return f"{100 * probability:.6g}\N{NO-BREAK SPACE}%"


def cases_words(n: int, noun: str, drawn_from: int | None) -> str:
    """ "1,204 cases", or "a random 1,204 of 20,000 cases" if they were drawn from more."""
    return count(n, noun) if drawn_from is None else f"a random {n:,} of {count(drawn_from, noun)}"


def classes_words(m: int, kind: str | None) -> str:
    """ "10 classes", "14 labels", "confidence only" where nothing else is known: by the ``kind`` of data."""
    if kind == "labels":
        return count(m, "label")
    return "confidence only" if kind == "confidence" else f"{m:,} classes"


def sample_sentence(n: int, noun: str, drawn_from: int | None) -> str:
    """Stands beside every verdict and p of a sample; empty for all cases."""
    if drawn_from is None:
        return ""
    return f"Of a random sample: {n:,} of {count(drawn_from, noun)}. All of them could show smaller errors."


def one_row_sentence(n: int, unit: str | None, seed: int) -> str:
    """What cases are where rows belong together; empty where every row is an independent case."""
    if unit is None:
        return ""
    return f"These are {count(n, 'unit')} ({unit}), one row of each, drawn at random by seed {seed}."


def units_words(rows: int, units: int, unit: str | None) -> str:
    """ "412 rows of 87 units (patient)"."""
    return f"{count(rows, 'row')} of {count(units, 'unit')} ({unit})"


def redraws_sentence(spec: DiagnosisSpec) -> str:
    """How often labels were drawn anew, and from which seed."""
    return f"It takes {spec.resamples:,} redraws, seed {spec.seed}."


def all_of(number: int, noun: str) -> str:
    """1 -> "the one lens", 2 -> "both lenses", 13 -> "all 13 lenses"."""
    if number == 1:
        return f"the one {noun}"
    return f"both {plural(noun)}" if number == 2 else f"all {count(number, noun)}"


def seen_noun(lens: Lens, noun: str) -> str:
    """What a row of a diagram is: the user's noun, or "pair" where every class of every case is a row."""
    return "pair" if lens.pairs else noun


def duration(seconds: float) -> str:
    """How long something takes, roughly: "about 40 seconds", "about 3 minutes", "about 2 hours"."""
    for size, unit, most in ((1, "second", 90), (60, "minute", 90), (3600, "hour", 48), (86400, "day", 1e9)):
        if seconds < size * most:
            number = max(1, float(f"{seconds / size:.1g}") if seconds > 20 * size else round(seconds / size))
            return f"about {count(int(number), unit)}"
    return "years"


def kernel_error(value: float) -> str:
    """A squared kernel calibration error, three digits: "1.30 × 10⁻⁴"."""
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{mantissa} × {power_of_ten(int(exponent))}".replace("-", "−")


def kernel_errors(low: float, high: float) -> str:
    """From where to where they lie, with the power of the larger: "(−1.06 to 1.62) × 10⁻³"."""
    most = max(abs(low), abs(high))
    if most == 0:
        return "0"
    exponent = int(f"{most:.2e}".split("e")[1])
    ends = " to ".join(f"{end / 10.0**exponent:z.2f}" for end in (low, high))
    return f"({ends}) × {power_of_ten(exponent)}".replace("-", "−")


def power_of_ten(exponent: int) -> str:
    """-4 -> "10⁻⁴"."""
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def p_words(
    p: float, least: bool = False, *, bound: bool = False, alpha: float = 0.05, short: bool = False
) -> str:
    """A p-value as it stands everywhere: "p = 0.034", "p ≤ 0.39" of a bound, "–" where it is not defined.

    least : as small as it can come out with so many redraws, then it says so:
        "p = 0.005, the smallest possible"
    short : for a cell under a head that says p: "0.034", "0.005 (smallest)"
    """
    if p != p:
        return "–"
    number = number_p(p, bound, alpha)
    if short:
        return f"{number} (smallest)" if least else number
    sign = "" if number[0] in "<>" else "≤ " if bound else "= "
    return f"p {sign}{number}{', the smallest possible' if least else ''}"


def redrawn_p(p: float, n_resamples: int, short: bool = False) -> str:
    """:func:`p_words` of a p that counts so many redraws, of which none may have been as extreme."""
    return p_words(p, none_as_extreme(p, n_resamples), short=short)


_P = re.compile(r"\bp ([=<>≤]) (?=\d)")
"""The beginning of a p-value."""


def unbroken(text: str) -> str:
    """A text in which no line may part a p from its number."""
    return _P.sub("p\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


def result_of(diagnosis: Diagnosis, name: str) -> TestResult | None:
    """What a test found; None where it was not run."""
    test = diagnosis.test(name)
    return None if test is None else test.result


def pvalue(result: TestResult) -> str:
    """:func:`p_words` of a test. Only an exact p can be 0."""
    p = result.pvalue if result.promise == "exact" else above_zero(result.pvalue)
    return p_words(p, result.at_floor, bound=result.promise == "bound")


def above_zero(p: float) -> float:
    """A p of an approximation, which gives 0 where p is too small for a float."""
    return p if p else sys.float_info.min


def pvalue_in_full(result: TestResult) -> str:
    """:func:`pvalue` and what has to be known about it: "p = 0.001, the smallest possible (none of …)"."""
    remark = pvalue_remark(result)
    return pvalue(result) + (f" ({remark})" if remark else "")


def pvalue_remark(result: TestResult) -> str:
    """What has to be known about a p-value at its floor, or one that is not defined; else empty."""
    if result.pvalue != result.pvalue:
        return f"not defined: {result.details.get('undefined', 'all terms are equal')}"
    if result.method == "chi-squared approximation":
        return "rejects too often with few cases; the exact p of the UCME stands among the estimates"
    if "tests" in result.details:
        return f"tests {result.details['tests']}" + (f"; {remark}" if (remark := _floor(result)) else "")
    return _floor(result)


def _floor(result: TestResult) -> str:
    if result.stopped_early:
        return f"stopped after {result.n_resamples:,} redraws, {as_extreme(result):,} of them as extreme"
    if result.at_floor:
        return f"none of {result.n_resamples:,} redraws was as extreme"
    return ""


def as_extreme(result: TestResult) -> int:
    """How many redraws were as extreme as what was observed, out of a Monte Carlo p-value."""
    stop_at, draws = result.details.get("stop_at"), result.n_resamples
    if stop_at is not None and abs(result.pvalue * draws - float(stop_at)) < 1e-9 * draws:
        return int(stop_at)
    return round(result.pvalue * (draws + 1)) - 1


_LEVELS = (0.001, 0.01, 0.05, 0.1)


def number_p(p: float, bound: bool = False, alpha: float = 0.05) -> str:
    """Two digits, more where they would hide on which side of α (0.05, 0.01, 0.1) p lies; bounds go up.

    0.0344 -> "0.034", 0.0496 -> "0.0496", 0.996 -> "> 0.99", 1 -> "1", and 0 of what cannot be -> "0".
    """
    levels = (*_LEVELS, alpha)
    if p >= 1:
        return "1"
    if p > 0.99:
        return "1" if bound else "> 0.99"
    if p < 0.0001:
        return "< 0.0001" if p > 0 else "0"
    for digits in (2, 3, 4, 5):
        text = f"{p:.{digits}g}"
        if bound and float(text) < p:
            step = 10.0 ** (math.floor(math.log10(p)) - digits + 1)
            text = f"{math.ceil(p / step - 1e-9) * step:.{digits}g}"
        if all((float(text) <= level) == (p <= level) for level in levels) and all(
            (float(text) < level) == (p < level) for level in levels
        ):
            break
    return text


def top_bins(probs: list[float], names: tuple[str, ...], most: int = 3) -> str:
    """The largest mean predictions of a bin, "cat: 81 %, dog: 12 %, …"."""
    order = sorted(range(len(probs)), key=lambda k: -probs[k])[:most]
    return ", ".join(f"{names[k]}: {percent(probs[k], 0)}" for k in order)
