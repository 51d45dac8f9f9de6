"""What was told and what happened as counts: "Of 100 patients told about 35 % for 'malignant', …"."""

from collections.abc import Sequence

from calibcore.diagram.natural_frequencies import FEWEST, NaturalFrequency
from calibcore.transforms.lenses import Lens
from calibcore.wording import percent, plural
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import exact_percent, seen_noun

ROUND = (100, 1_000, 10_000)
"""Of so many cases it is told, where there are more."""


def natural_frequency_sentence(one: NaturalFrequency, lens: Lens, noun: str = "case") -> str:
    """ "Of 100 patients told about 35 % for 'ill', it was so in about 22 (45 of 204). If calibrated,
    about 35; chance alone allows 29 to 41."."""
    total = _total(one)
    where, within = lens.region, lens.within
    cases, was, were = within.told(plural(seen_noun(lens, noun)), _told(one), one.class_name)
    before = f"where {where}, of" if where else "of"
    counts = "" if total == one.cases else f" ({one.happened:,} of {one.cases:,})"
    low, high = _of(one.low, one, total), _of(one.high, one, total)
    chance = low if low == high else f"{low} to {high}"
    expected = _about(one.cases * one.told, one, total)
    return sentence_case(
        f"{before} {total:,} {cases}, {was}{_about(one.happened, one, total)}{were}{counts}. "
        f"If calibrated, {expected}; chance alone allows {chance}."
    )


def natural_frequencies_note(
    groups: Sequence[NaturalFrequency], interval: tuple[float, float], found: bool, noun: str = "case"
) -> str:
    """What the ranges are and how the groups were picked; why there are none where there are none."""
    cases = plural(noun)
    if not groups:
        return f"No {FEWEST} {cases} were told about the same, so nothing is said of 100 {cases}."
    often = exact_percent(interval[1] - interval[0])
    ranges = f"A calibrated model stays within such a range at least {often} of the time."
    if groups[0].everyone:
        why = f"No {FEWEST} {cases} were told about the same, so this is of all"
        which = ", for the class furthest off." if groups[0].picked_of > 1 else "."
        alone = " It alone does not show the problem." if found and not groups[0].outside else ""
        return f"{why}{which}{alone} {ranges}"
    if not found:
        are = "These are the largest groups" if len(groups) > 1 else "This is the largest group"
        return f"{are} of {cases} that were told about the same. {ranges}"
    if any(one.outside for one in groups):
        who = f"These groups of {cases} stand" if len(groups) > 1 else f"This group of {cases} stands"
        picked = "were picked" if len(groups) > 1 else "was picked"
        return f"{who} out most and {picked} for that, so expect smaller errors on others. {ranges}"
    return f"No such group alone shows the problem; all {cases} together do. {ranges}"


def _told(one: NaturalFrequency) -> str:
    average = " on average" if one.everyone else ""
    return f"about {percent(one.told, 0 if 0.01 <= one.told <= 0.99 else 1)}{average}"


def _total(one: NaturalFrequency) -> int:
    """Of how many it is told: of 100 or more where that keeps what lies outside outside, else of all."""
    for total in ROUND:
        if total >= one.cases:
            break
        numbers = [round(total * number / one.cases) for number in (one.low, one.happened, one.high)]
        apart = (numbers[1] < numbers[0], numbers[1] > numbers[2])
        if apart == (one.happened < one.low, one.happened > one.high) and _tells(one, total, numbers):
            return total
    return one.cases


def _tells(one: NaturalFrequency, total: int, numbers: Sequence[int]) -> bool:
    """Whether nothing but 0 is rounded to 0, and what was told neither to none nor to all."""
    exact = (one.low, one.happened, one.high)
    rounded_away = any(not number and n for number, n in zip(numbers, exact, strict=True))
    return not rounded_away and 0.5 <= total * one.told <= total - 0.5


def _about(number: float, one: NaturalFrequency, total: int) -> str:
    """ "about 22"; a count as it is."""
    scaled = total * number / one.cases
    if 0 < scaled < 0.5:
        return "fewer than 1"
    exact = abs(scaled - round(scaled)) < 1e-9
    return f"{'' if exact else 'about '}{round(scaled):,}"


def _of(number: int, one: NaturalFrequency, total: int) -> str:
    return f"{round(total * number / one.cases):,}"
