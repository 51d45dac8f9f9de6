"""How far off the probabilities are, in plain units."""

from dataclasses import replace
from statistics import NormalDist

from calibcore.lenses import ClassLens, Lens, TopKLens
from calibcore.verdict import Frequencies, Interval, Verdict
from calibcore.words.phrases import points, region_words

NONE = "0.0 points"


def size_beside(size: float, limit: float) -> str:
    """A size in points, with more digits where one would hide on which side of ``limit`` it lies."""
    border = round(100 * limit, 9)
    for digits in (1, 2, 3):
        number = round(100 * size, digits)
        if (number <= border, number < border) == (size <= limit, size < limit):
            return points(size) if digits == 1 else f"{number:.{digits}f} points"
    return points(size)


def tolerance_words(tolerance: float) -> str:
    """0.05 -> "5 points"."""
    number = f"{100 * tolerance:g}"
    return f"{number} point{'' if number == '1' else 's'}"


def size_sentence(verdict: Verdict) -> str:
    """How far off, in plain units: on average where that shows, typically where that is more."""
    typical = typical_sentence(verdict.typical_gap)
    if len(verdict.frequencies) != 1:
        worst = max(verdict.frequencies, key=lambda found: abs(found.gap.value))
        worst = replace(worst, gap=of_many(worst, len(verdict.frequencies)))
        if not apart(worst.gap):
            return typical
        return f"{typical} Furthest off on average: {_lower(gap_sentence(verdict.lens, worst, at_once=True))}"
    found = verdict.frequencies[0]
    if not apart(found.gap):
        return typical
    both_ways = verdict.typical_gap.low > abs(found.gap.value)
    return gap_sentence(verdict.lens, found) + (f" {typical}" if both_ways else "")


def of_many(found: Frequencies, number: int) -> Interval:
    """The interval of the farthest of ``number`` gaps: as wide as if all are to hold at once (Bonferroni),
    and no wider than what can happen with these predictions."""
    gap = found.gap
    wider = NormalDist().inv_cdf(1 - 0.025 / number) / NormalDist().inv_cdf(0.975)
    return Interval(
        gap.value,
        max(found.said - 1, gap.value - wider * (gap.value - gap.low)),
        min(found.said, gap.value + wider * (gap.high - gap.value)),
    )


def apart(gap: Interval) -> bool:
    """Whether the interval leaves 0 out."""
    return gap.low > 0 or gap.high < 0


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def typical_sentence(gap: Interval) -> str:
    """ "The probabilities are typically 4.2 points off (approximate 95 % interval 3.0 to 5.1)."."""
    interval = f"approximate 95\N{NO-BREAK SPACE}% interval {interval_words(gap)}"
    if gap.value == 0:
        return f"No typical gap stands out from chance ({interval} points)."
    return f"The probabilities are typically {points(gap.value)} off ({interval})."


def gap_sentence(lens: Lens, found: Frequencies, at_once: bool = False) -> str:
    """ "The model says 'cat' 3.6 points too often (95 % interval 2.1 to 5.0).", or "for all at once"."""
    where, lens = region_words(lens)
    gap, size = found.gap, points(abs(found.gap.value))
    holds = " for all at once" if at_once else ""
    interval = f"(95\N{NO-BREAK SPACE}% interval{holds} {interval_words(_towards(gap))})"
    model = f"Where {where}, the model" if where else "The model"
    how = f"{size} {_direction(lens, gap.value)}"
    if isinstance(lens, TopKLens) and lens.k == 1:
        return (
            f"{model} is {'as sure as it is right' if size == NONE else f'{how} of its answers'} {interval}."
        )
    what = f"its '{found.class_name}' choice" if isinstance(lens, TopKLens) else f"'{found.class_name}'"
    return f"{model} says {what} {'as often as it happens' if size == NONE else how} {interval}."


def on_average(verdict: Verdict) -> str:
    """The signed gap of two classes in a cell: "3.6 points too often (2.1 to 5.0)"; "–" for more classes.

    Of what is said so is named, "'cat' 3.6 points too often (2.1 to 5.0)", unless the lens names it.
    """
    if len(verdict.frequencies) != 1:
        return "–"
    found, (_, lens) = verdict.frequencies[0], region_words(verdict.lens)
    size, interval = points(abs(found.gap.value)), interval_words(_towards(found.gap))
    how = size if size == NONE else f"{size} {_direction(lens, found.gap.value)}"
    named = isinstance(lens, ClassLens) or (isinstance(lens, TopKLens) and lens.k == 1)
    return f"{how} ({interval})" if named else f"'{found.class_name}' {how} ({interval})"


def _towards(gap: Interval) -> Interval:
    """The interval of a gap that is told by its size and its direction."""
    return Interval(gap.value, -gap.high, -gap.low) if gap.value < 0 else gap


def _direction(lens: Lens, gap: float) -> str:
    _, lens = region_words(lens)
    if isinstance(lens, TopKLens) and lens.k == 1:
        return "too sure" if gap > 0 else "too unsure"
    return "too often" if gap > 0 else "too rarely"


def interval_words(found: Interval) -> str:
    """ "2.1 to 5.0", in points."""
    ends = (f"{100 * end:.1f}" for end in (found.low, found.high))
    return " to ".join("0.0" if end == "-0.0" else end.replace("-", "−") for end in ends)
