"""How far off the probabilities are, in plain units."""

from dataclasses import replace
from statistics import NormalDist

from calibcore.lenses import OTHER, ClassLens, Lens, TopKLens
from calibcore.verdict import Frequencies, Interval, Verdict
from calibcore.words.phrases import MOST_DIGITS, digits_shown, points, region_words


def size_beside(size: float, limit: float) -> str:
    """A size in points, with more digits where one would hide on which side of ``limit`` it lies."""
    border = round(100 * limit, 9)
    for digits in (1, 2, 3):
        number = round(100 * size, digits)
        if (number <= border, number < border) == (size <= limit, size < limit):
            return points(size, digits)
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
    size, interval = typical_words(gap)
    about = f"approximate 95\N{NO-BREAK SPACE}% interval {interval}"
    if gap.value == 0:
        return f"No typical gap stands out from chance ({about} points)."
    return f"The probabilities are typically {size} off ({about})."


def typical_words(gap: Interval) -> tuple[str, str]:
    """ "4.2 points" and "3.0 to 5.1", with as many digits as show that a size is not 0."""
    digits = _digits(gap) if apart(gap) else digits_shown(gap.value) or 1
    return points(gap.value, digits), interval_words(gap, digits)


def gap_sentence(lens: Lens, found: Frequencies, at_once: bool = False) -> str:
    """ "The model says 'cat' 3.6 points too often (95 % interval 2.1 to 5.0).", or "for all at once".

    For gaps that stand :func:`apart` from 0; what chance may explain is not said in a sentence.
    """
    where, lens = region_words(lens)
    how, interval = _gap_words(lens, found.gap)
    model = f"Where {where}, the model" if where else "The model"
    name = f"'{found.class_name}'"
    if not isinstance(lens, TopKLens):
        said = f"says {name} {how}"
    elif lens.k == 1:
        said = f"is {how} of its answers"
    else:
        said = f"gives {name if found.class_name == OTHER else f'its {name} choice'} {how}"
    holds = " for all at once" if at_once else ""
    return f"{model} {said} (95\N{NO-BREAK SPACE}% interval{holds} {interval})."


def on_average(verdict: Verdict) -> str:
    """The signed gap of two classes in a cell: "3.6 points too often (2.1 to 5.0)"; "–" for more classes.

    Of what is said so is named, "'cat' 3.6 points too often (2.1 to 5.0)", unless the lens names it.
    """
    if len(verdict.frequencies) != 1:
        return "–"
    found, (_, lens) = verdict.frequencies[0], region_words(verdict.lens)
    how, interval = _gap_words(lens, found.gap)
    named = isinstance(lens, ClassLens) or (isinstance(lens, TopKLens) and lens.k == 1)
    return f"{how} ({interval})" if named else f"'{found.class_name}' {how} ({interval})"


def _gap_words(lens: Lens, gap: Interval) -> tuple[str, str]:
    """ "3.6 points too often" and "2.1 to 5.0", which is turned to go with the direction.

    A size that shows as 0 has none, and its interval is of what was said less what happened.
    """
    digits = _digits(gap)
    size = points(abs(gap.value), digits)
    if not apart(gap) and not round(100 * gap.value, digits):
        return size, interval_words(gap, digits)
    turned = Interval(gap.value, -gap.high, -gap.low) if gap.value < 0 else gap
    return f"{size} {_direction(lens, gap.value)}", interval_words(turned, digits)


def _digits(gap: Interval) -> int:
    """The fewest digits that show that the interval leaves 0 out, or else that the size is not 0."""
    if not apart(gap):
        return 1
    nearest = min(abs(gap.value), abs(gap.low), abs(gap.high))
    return digits_shown(nearest) or digits_shown(abs(gap.value)) or MOST_DIGITS


def _direction(lens: Lens, gap: float) -> str:
    if not isinstance(lens, TopKLens):
        return "too often" if gap > 0 else "too rarely"
    if lens.k == 1:
        return "too sure" if gap > 0 else "too unsure"
    return "too much" if gap > 0 else "too little"


def interval_words(found: Interval, digits: int = 1) -> str:
    """ "2.1 to 5.0", in points."""
    return " to ".join(f"{100 * end:z.{digits}f}".replace("-", "−") for end in (found.low, found.high))
