"""How far off the probabilities are, in plain units, and what size these cases could have shown."""

from collections.abc import Sequence
from statistics import NormalDist

from calibcore.assessment.chance_limits import MOST_OF_TOLERANCE
from calibcore.assessment.power import Detectable, counting
from calibcore.assessment.verdict import Verdict
from calibcore.diagram.gap_sizes import Frequencies, Interval
from calibcore.transforms.lenses import OTHER, Lens
from calibcore.wording import joined, percent, sentences
from calibcore.words.phrases import MOST_DIGITS, digits_shown, points, points_shown
from calibcore.words.tables import Row

HOW_FAR = "How far, these cases do not show."
"""Said of a lens of which a test has shown that it is off, where the interval reaches 0."""
APPROXIMATE = "approximate 95\N{NO-BREAK SPACE}% interval"


def size_beside(size: float, limit: float) -> str:
    """A size in points, with more digits where one would hide on which side of ``limit`` it lies."""
    return points(size, digits_beside(size, limit))


def digits_beside(size: float, limit: float, least: int = 1) -> int:
    """The fewest digits, ``least`` or more, that show on which side of ``limit`` a size lies, and that it is
    not 0; those that show the latter where three do not show the side."""
    border = round(100 * limit, 9)
    if not round(100 * size, least):
        least = max(least, digits_shown(size))
    for digits in range(least, max(least + 1, 3) + 1):
        number = round(100 * size, digits)
        if (number <= border, number < border) == (size <= limit, size < limit):
            return digits
    return least


def digits_apart(sizes: Sequence[float]) -> int:
    """The fewest digits with which none of these sizes shows as 0, and no two of them as the same."""
    for digits in range(1, MOST_DIGITS):
        numbers = {round(100 * size, digits) for size in sizes}
        if 0 not in numbers and len(numbers) == len(set(sizes)):
            return digits
    return MOST_DIGITS


def tolerance_words(tolerance: float) -> str:
    """0.05 -> "5 points"."""
    number = f"{100 * tolerance:g}"
    return f"{number} point{'' if number == '1' else 's'}"


def rare_words(event: str, tolerance: float, mean: float, happened: float | None = None) -> str:
    """That an event is rarer than the error that would matter: the tolerance is no measure of it.

    ``mean`` : its mean probability; ``happened`` : how often it did, where that is known. One of both at
    least lies below ``tolerance``.
    """
    if mean < tolerance or happened is None:
        than = f"the mean probability of {event}, {percent(mean)}"
        beside = "" if happened is None else f" (it happened in {percent(happened)})"
    else:
        than = f"the frequency of {event}, {percent(happened)}"
        beside = f" (its mean probability is {percent(mean)})"
    none = "Expecting none at all is a smaller error than that: name a smaller tolerance."
    return sentences(
        f"An error of {tolerance_words(tolerance)} is more than {than}{beside}.",
        none if happened is None or happened < tolerance else "Name a smaller tolerance.",
    )


def most_words(tolerance: float) -> str:
    """The largest limit of a typical gap that is called consistent: "7.1 points"."""
    return points_shown(MOST_OF_TOLERANCE * tolerance)


def size_sentence(lens: Lens, gap: Interval, classes: Sequence[Frequencies], off: bool = False) -> str:
    """How far off the probabilities are: the typical gap, and in words which way they lean on balance.

    off : a test has shown that they are
    """
    return sentences(typical_sentence(lens, gap, off), balance_sentence(lens, classes))


def balance_sentence(lens: Lens, classes: Sequence[Frequencies]) -> str:
    """ "On balance the model gives 'cat' too high a probability."; empty where chance may explain it.

    Never that it "says 'cat' too often", which could be read as a count of answers.
    """
    leaning = leans(classes)
    if not leaning:
        return ""
    where, lens = lens.region, lens.within
    model = f"On balance, where {where}, the model" if where else "On balance the model"
    if lens.answers:
        return f"{model} is {lens.leaning(leaning[0].gap.value)} of its {lens.answers}."
    parts = []
    for of_class in leaning:
        chosen = lens.top and of_class.class_name != OTHER
        name = f"its '{of_class.class_name}' choice" if chosen else f"'{of_class.class_name}'"
        parts.append(f"{name} {lens.leaning(of_class.gap.value)} a probability")
    return f"{model} gives {' and '.join(parts)}."


def balance_words(lens: Lens, classes: Sequence[Frequencies]) -> str:
    """The same in a cell: "too high", "'cat' too high, 'dog' too low"; else "–"."""
    leaning, lens = leans(classes), lens.within
    if len(classes) == len(leaning) == 1 and lens.names_its_class:
        return lens.leaning(leaning[0].gap.value)
    return (
        ", ".join(f"'{of_class.class_name}' {lens.leaning(of_class.gap.value)}" for of_class in leaning)
        or "–"
    )


def leans(classes: Sequence[Frequencies]) -> list[Frequencies]:
    """The class whose probability is most too high, and the one too low; none that chance may explain."""
    leaning = [of_class for of_class in classes if apart(of_many(of_class, len(classes)))]
    leaning.sort(key=lambda of_class: -of_class.gap.value)
    high = [of_class for of_class in leaning[:1] if of_class.gap.value > 0]
    return high + [of_class for of_class in leaning[-1:] if of_class.gap.value < 0]


def of_many(frequencies: Frequencies, number: int) -> Interval:
    """The interval of the farthest of ``number`` gaps: as wide as if all are to hold at once (Bonferroni),
    and no wider than what can happen with these predictions."""
    gap = frequencies.gap
    wider = NormalDist().inv_cdf(1 - 0.025 / number) / NormalDist().inv_cdf(0.975)
    return Interval(
        gap.value,
        max(frequencies.said - 1, gap.value - wider * (gap.value - gap.low)),
        min(frequencies.said, gap.value + wider * (gap.high - gap.value)),
    )


def apart(gap: Interval) -> bool:
    """Whether the interval leaves 0 out."""
    return gap.low > 0 or gap.high < 0


def typical_sentence(lens: Lens, gap: Interval, off: bool = False, how_far: str = HOW_FAR) -> str:
    """ "The probabilities of 'cat' are typically 4.2 points off (approximate 95 % interval 3.0 to 5.1)."

    Where the interval reaches 0 the estimate is not said, as nothing has established it: "… typically at most
    5.1 points off (approximate 95 % interval 0.0 to 5.1). The interval cannot tell that from 0.".

    off : a test has shown that they are off, if not ``how_far``
    """
    whose = whose_words(lens)
    if apart(gap):
        return f"{whose} {typically_off(gap)}."
    if off:
        size = f"{typical_size(gap)} ({approximate_interval(gap)})"
        return f"{whose} off, typically by {size}. {how_far}"
    return f"{whose} {typically_off(gap)}. The interval cannot tell that from 0."


def whose_words(lens: Lens) -> str:
    """ "The confidence is", "Where 'cat' was given 30 % or more, the confidence is"."""
    whose = lens.within.whose()
    return f"Where {lens.region}, {whose[:1].lower()}{whose[1:]}" if lens.region else whose


def typical_size(gap: Interval) -> str:
    """ "4.2 points", and "at most 5.1 points" where the interval reaches 0."""
    digits = _digits_in_words(gap)
    return points(gap.value, digits) if apart(gap) else f"at most {points(gap.high, digits)}"


def _digits_in_words(gap: Interval) -> int:
    """Where the estimate is not said, so many that half of its upper limit would not show as 0."""
    return _typical_digits(gap) if apart(gap) else digits_shown(abs(gap.high) / 2) or 1


def typically_off(gap: Interval) -> str:
    """A size, never without its interval: "typically 4.2 points off (approximate 95 % interval 3.0 to
    5.1)"."""
    return f"typically {typical_size(gap)} off ({approximate_interval(gap)})"


def size_and_ends(gap: Interval) -> str:
    """The same behind it, of what is held against it: "4.2 points (3.0 to 5.1)"."""
    return f"{typical_size(gap)} ({typical_words(gap, _digits_in_words(gap))[1]})"


def approximate_interval(gap: Interval) -> str:
    """ "approximate 95 % interval 3.0 to 5.1", of a typical gap."""
    return f"{APPROXIMATE} {typical_words(gap, _digits_in_words(gap))[1]}"


def typical_words(gap: Interval, digits: int | None = None) -> tuple[str, str]:
    """ "4.2 points" and "3.0 to 5.1", with so many digits or those it needs by itself."""
    digits = _typical_digits(gap) if digits is None else max(digits, _digits(gap))
    return points(gap.value, digits), interval_words(gap, digits)


def gap_cell(gap: Interval, digits: int | None = None, unit: bool = True) -> str:
    """A typical gap in a cell, whatever the verdict: "4.2 points (3.0 to 5.1)".

    Without its ``unit``, under a head that says points: "4.2 (3.0 to 5.1)".
    """
    size, ends = typical_words(gap, digits)
    return f"{size if unit else size.partition(' ')[0]} ({ends})"


def gap_lines(gap: Interval, digits: int | None) -> tuple[str, str]:
    """The same in two lines above a panel: "typical gap 4.2 points", "95 % interval 3.0 to 5.1"."""
    size, ends = typical_words(gap, digits)
    return f"typical gap {size}", f"95\N{NO-BREAK SPACE}% interval {ends}"


def gap_explained(gap: Interval, unclear: bool = False) -> tuple[str, str]:
    """The one typical gap of a page: "4.2 points" and "approximate 95 % interval 3.0 to 5.1".

    Where one cannot tell (``unclear``), or the interval reaches 0, the interval stands first: the estimate
    alone in large letters would look established, or like no error. "0.0 to 6.9 points" and "…; best estimate
    0.0".
    """
    size, ends = typical_words(gap)
    number = size.partition(" ")[0]
    if unclear or not apart(gap):
        return f"{ends} points", f"{APPROXIMATE}; best estimate {number}"
    return size, f"{APPROXIMATE} {ends}"


def in_keys(name: str) -> tuple[str, str, str]:
    """What an estimate and the ends of its interval are called in full precision."""
    return name, f"{name}, low", f"{name}, high"


def in_full(name: str, interval: Interval | None) -> Row:
    """The cells of an estimate in full precision, its interval beside it; empty where there is none."""
    ends = (None, None, None) if interval is None else (interval.value, interval.low, interval.high)
    return dict(zip(in_keys(name), ends, strict=True))


def typical_digits(gaps: Sequence[Interval]) -> int:
    """The digits with which all of these typical gaps are written, one below the other.

    So many that a size that is not 0 does not show as 0, and that no interval shows as one number. An end
    next to 0 takes more in its own cell: others would look more exact than they are.
    """
    return max((_typical_digits(gap, digits_shown(gap.value) or 1) for gap in gaps), default=1)


def _typical_digits(gap: Interval, digits: int = 0) -> int:
    """Of one gap: so many ``digits`` or, where none are given, those that also show no end as 0."""
    digits = digits or (_digits(gap) if apart(gap) else digits_shown(gap.value) or 1)
    while digits < MOST_DIGITS and gap.low < gap.high and _end(gap.low, digits) == _end(gap.high, digits):
        digits += 1
    return digits


def _end(end: float, digits: int) -> str:
    return f"{100 * end:z.{digits}f}"


def net_gap(lens: Lens, classes: Sequence[Frequencies], digits: int | None = None, unit: bool = True) -> str:
    """The signed gap of two classes in a cell: "3.6 points too high (2.1 to 5.0)"; "–" for more classes.

    Of what is said so is named, "'cat' 3.6 points too high (2.1 to 5.0)", unless the lens names it.
    Without its ``unit``, under a head that says points: "3.6 too high (2.1 to 5.0)".
    """
    if len(classes) != 1:
        return "–"
    gap, lens = classes[0], lens.within
    how, interval = _gap_words(lens, gap.gap, digits, unit)
    name = "" if lens.names_its_class else f"'{gap.class_name}' "
    return f"{name}{how} ({interval})"


def net_digits(each: Sequence[Sequence[Frequencies]]) -> int:
    """The digits with which all of these net gaps are written, one below the other; see
    :func:`typical_digits`."""
    gaps = [classes[0].gap for classes in each if len(classes) == 1]
    return max((digits_shown(abs(gap.value)) or 1 for gap in gaps if apart(gap)), default=1)


def _gap_words(lens: Lens, gap: Interval, digits: int | None, unit: bool) -> tuple[str, str]:
    """ "3.6 points too high" and "2.1 to 5.0", which is turned to go with the direction.

    A size that shows as 0 has none, and its interval is of what was said less what happened.
    """
    digits = max(1 if digits is None else digits, _digits(gap))
    size = points(abs(gap.value), digits) if unit else f"{100 * abs(gap.value):.{digits}f}"
    if not apart(gap) and not round(100 * gap.value, digits):
        return size, interval_words(gap, digits)
    turned = Interval(gap.value, -gap.high, -gap.low) if gap.value < 0 else gap
    return f"{size} {lens.leaning(gap.value)}", interval_words(turned, digits)


def _digits(gap: Interval) -> int:
    """The fewest digits that show that the interval leaves 0 out, or else that the size is not 0."""
    if not apart(gap):
        return 1
    nearest = min(abs(gap.value), abs(gap.low), abs(gap.high))
    return digits_shown(nearest) or digits_shown(abs(gap.value)) or MOST_DIGITS


def interval_words(interval: Interval, digits: int = 1) -> str:
    """ "2.1 to 5.0", in points."""
    return " to ".join(_end(end, digits).replace("-", "−") for end in (interval.low, interval.high))


# --- what could have been seen --------------------------------------------------------


_UNSEEN = {"overconfidence": "overconfidence", "uneven": "uneven error"}


def smallest_words(verdict: Verdict) -> str:
    """D80: "3.1 points", "none" where even the largest could go unseen.

    The same wherever it stands, also in a column. Two digits, as its simulation is right within some 3 %;
    more where two would hide on which side of the tolerance it lies.
    """
    size = verdict.smallest_detectable
    return "none" if size is None else points(size, digits_of(size, verdict.tolerance))


def digits_of(size: float, tolerance: float) -> int:
    """The digits with which what was found by simulation is written beside the tolerance."""
    known = 2 if size < 0.01 else 1 if size < 0.1 else 0
    return max(known, digits_beside(size, tolerance, least=known))


def unseen(verdict: Verdict) -> str:
    """The patterns that are not seen 8 times in 10 even at their largest: "overconfidence (6.8 points)".

    Of those only that could exceed the tolerance; see :func:`~calibcore.assessment.power.smallest`.
    """
    missed = [sizes for sizes in counting(verdict.detectable, verdict.tolerance) if sizes.size is None]
    shifts = [sizes.class_name for sizes in missed if sizes.pattern == "bias"]
    named = [f"{_UNSEEN[f.pattern]} ({points_shown(f.largest)})" for f in missed if f.pattern != "bias"]
    if shifts:
        alone = len(shifts) == len(missed) == 1
        named.append(f"shift {verdict.lens.within.towards(shifts[0])}" if alone else "shift")
    return joined(named, "or")


def pattern_words(lens: Lens, detectable: Detectable) -> str:
    """ "Overconfidence", "Shift towards 'cat'", "Uneven errors"."""
    if detectable.pattern == "bias":
        return f"Shift {lens.within.towards(detectable.class_name)}"
    return "Uneven errors" if detectable.pattern == "uneven" else "Overconfidence"
