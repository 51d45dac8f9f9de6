"""Natural frequencies: of each class, called so and it is, is so and it is called; of what was given."""

from collections.abc import Sequence

from calibcore.diagram.gap_sizes import ClassFrequencies, Interval
from calibcore.diagram.natural_frequencies import FEWEST, NaturalFrequency
from calibcore.transforms.lenses import Lens
from calibcore.wording import in_noun, percent, plural
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import exact_percent

A_HUNDRED = 100


def frequency_sentence(frequencies: ClassFrequencies, noun: str) -> str:
    """ "Of 100 images that the model calls 'cat', 88 are (855 of 971). It was 91 % sure on average. Of 100
    images that are 'cat', it calls 85 'cat' (855 of 1,006)."."""
    return f"{_called(frequencies, noun)} {_happened(frequencies, noun)}"


def _called(frequencies: ClassFrequencies, noun: str) -> str:
    name, hits, called = frequencies.class_name, frequencies.called_and_happened, frequencies.called
    if not called:
        return f"The model calls no {noun} '{name}'."
    assert frequencies.mean_when_called is not None
    sure = percent(frequencies.mean_when_called, 0)
    if called == 1:
        return f"The one {noun} that the model calls '{name}' is{'' if hits else ' not'}. It was {sure} sure."
    number = _number(hits, called)
    are = "is" if number in ("none", "1", "fewer than 1") else "are"
    return (
        f"Of {_of(called, noun)} that the model calls '{name}', {number} {are}{_counts(hits, called)}. "
        f"It was {sure} sure on average."
    )


def _happened(frequencies: ClassFrequencies, noun: str) -> str:
    name, hits, happened = frequencies.class_name, frequencies.called_and_happened, frequencies.happened
    if not happened:
        return f"No {noun} is '{name}'."
    if happened == 1:
        called = f"'{name}'" if hits else "something else"
        return f"The one {noun} that is '{name}' it calls {called}."
    number = _number(hits, happened)
    return f"Of {_of(happened, noun)} that are '{name}', it calls {number} '{name}'{_counts(hits, happened)}."


def _of(total: int, noun: str) -> str:
    """As they are where there are few, of 100 where there are more."""
    return f"{min(total, A_HUNDRED):,} {plural(noun)}"


def _counts(hits: int, total: int) -> str:
    return f" ({hits:,} of {total:,})" if hits and total > A_HUNDRED else ""


def _number(hits: int, total: int) -> str:
    """How many of 100, or of all if they are fewer; never rounded to all or none."""
    if hits in (0, total):
        return "all" if hits else "none"
    if total <= A_HUNDRED:
        return f"{hits:,}"
    rounded = round(A_HUNDRED * hits / total)
    if rounded == 0:
        return "fewer than 1"
    return "more than 99" if rounded == A_HUNDRED else str(rounded)


def frequencies_note(unit: str | None = None) -> str:
    """What the brackets behind the shares of classes hold.

    unit : what rows belong to that depend on each other; shares then have no exact intervals
    """
    if unit is not None:
        return f"Rows of one unit ({unit}) depend on each other, so these shares have no exact intervals."
    return "Behind the shares of right and found stands their exact 95\N{NO-BREAK SPACE}% interval."


def share_words(hits: int, share: Interval, independent: bool) -> str:
    """ "5 (36 %, 13 to 65)"; cases that are not ``independent`` have no interval."""
    ends = f", {100 * share.low:.0f} to {100 * share.high:.0f}" if independent else ""
    return f"{hits:,} ({percent(share.value, 0)}{ends})"


# --- of what was given ----------------------------------------------------------------


ROUND = (100, 1_000, 10_000)
"""Of so many cases it is told; of more than 100 only where there are so many."""


def natural_frequency_sentences(
    groups: Sequence[NaturalFrequency], lens: Lens, noun: str = "case"
) -> tuple[str, ...]:
    """ "Of 133 patients given about 14 % for 'ill', it was so in 7: about 5 in 100. If calibrated, about 14
    in 100; chance alone allows 10 to 20.": of one number of cases in all groups."""
    total = _total(groups)
    return tuple(_sentence(group, lens, noun, total or group.cases) for group in groups)


def _sentence(group: NaturalFrequency, lens: Lens, noun: str, total: int) -> str:
    where, within = lens.region, lens.within
    what = in_noun(f"pairs of {lens.pair}" if lens.pairs else "cases", noun)
    given, was, were = within.frequency_words(what, _given_words(group), group.class_name)
    before = f"where {where}, of" if where else "of"
    rate, in_all = f"{_about(group.happened, group, total)} in {total:,}", f" in {total:,}"
    if total == group.cases:
        rate = in_all = ""
    low, high = _scaled(group.low, group, total), _scaled(group.high, group, total)
    chance = low if low == high else f"{low} to {high}"
    expected = _about(group.cases * group.predicted, group, total)
    return sentence_case(
        f"{before} {group.cases:,} {given}, {was}{group.happened:,}{were}{rate and f': {rate}'}. "
        f"If calibrated, {expected}{in_all}; chance alone allows {chance}."
    )


def natural_frequencies_note(
    groups: Sequence[NaturalFrequency], interval: tuple[float, float], rejected: bool, noun: str
) -> str:
    """What the ranges are and how the groups were picked; why there are none where there are none."""
    cases = plural(noun)
    if not groups:
        return f"No {FEWEST} {cases} were given about the same, so none are counted here."
    often = exact_percent(interval[1] - interval[0])
    ranges = f"A calibrated model stays within such a range at least {often} of the time."
    if groups[0].everyone:
        why = f"No {FEWEST} {cases} were given about the same, so this is of all"
        which = ", for the class furthest off." if groups[0].picked_of > 1 else "."
        alone = " It alone does not show the problem." if rejected and not groups[0].outside else ""
        return f"{why}{which}{alone} {ranges}"
    if not rejected:
        are = "These are the largest groups" if len(groups) > 1 else "This is the largest group"
        return f"{are} of {cases} that were given about the same. {ranges}"
    if any(group.outside for group in groups):
        who = f"These groups of {cases} stand" if len(groups) > 1 else f"This group of {cases} stands"
        picked = "were picked" if len(groups) > 1 else "was picked"
        return f"{who} out most and {picked} for that, so expect smaller errors on others. {ranges}"
    return f"No group of {FEWEST} {cases} or more shows the problem alone; all {cases} together do. {ranges}"


def _given_words(group: NaturalFrequency) -> str:
    average = " on average" if group.everyone else ""
    return f"about {percent(group.predicted, 0 if 0.01 <= group.predicted <= 0.99 else 1)}{average}"


def _total(groups: Sequence[NaturalFrequency]) -> int | None:
    """Of how many it is told in all groups: of 100, or more where all of them hold so many, if that keeps
    what lies outside outside; None where it has to be of all cases of each."""
    for total in ROUND:
        if total > ROUND[0] and any(group.cases < total for group in groups):
            break
        if all(_keeps(group, total) for group in groups):
            return total
    return None


def _keeps(group: NaturalFrequency, total: int) -> bool:
    numbers = [round(total * number / group.cases) for number in (group.low, group.happened, group.high)]
    apart = (numbers[1] < numbers[0], numbers[1] > numbers[2])
    return apart == (group.happened < group.low, group.happened > group.high) and _tells(
        group, total, numbers
    )


def _tells(group: NaturalFrequency, total: int, numbers: Sequence[int]) -> bool:
    """Whether nothing but 0 is rounded to 0, and what was told neither to none nor to all."""
    exact = (group.low, group.happened, group.high)
    rounded_away = any(not number and n for number, n in zip(numbers, exact, strict=True))
    return not rounded_away and 0.5 <= total * group.predicted <= total - 0.5


def _about(number: float, group: NaturalFrequency, total: int) -> str:
    """ "about 22"; a count as it is."""
    scaled = total * number / group.cases
    if 0 < scaled < 0.5:
        return "fewer than 1"
    exact = abs(scaled - round(scaled)) < 1e-9
    return f"{'' if exact else 'about '}{round(scaled):,}"


def _scaled(number: int, group: NaturalFrequency, total: int) -> str:
    return f"{round(total * number / group.cases):,}"
