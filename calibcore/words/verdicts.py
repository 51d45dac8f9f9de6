"""The verdict in words: its chip, the answer in a sentence, how large, and what could have been seen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibcore.lenses import CanonicalLens, Lens, TopKLens
from calibcore.power import Detectable
from calibcore.spec import lens_from_words
from calibcore.verdict import Frequencies, Interval, Verdict
from calibcore.words.phrases import (
    PROMISES,
    count,
    lens_words,
    number_p,
    plural,
    points,
    region_words,
)


@dataclass(frozen=True)
class Chip:
    """A verdict at a glance: never by colour alone.

    Attributes
    ----------
    words : "Cannot tell"
    icon : name of a Material symbol
    colour : "miscalibrated", "consistent" or "cannot-tell"
    """

    words: str
    icon: str
    colour: str


_CHIPS = {
    "miscalibrated": Chip("Miscalibrated", "error", "miscalibrated"),
    "consistent": Chip("Consistent with calibration", "check_circle", "consistent"),
    "cannot-tell": Chip("Cannot tell", "help", "cannot-tell"),
}
SMALL = Chip("Miscalibrated, but small", "error", "miscalibrated")
NONE = "0.0 points"
SIGNS = {"miscalibrated": "✕", "consistent": "✓", "cannot-tell": "?"}
"""What stands for the icon where there are letters only."""
_WORST = ("miscalibrated", "cannot-tell", "consistent")
CHIP_TEXTS = {f"{SIGNS[found.colour]} {found.words}": found.colour for found in (*_CHIPS.values(), SMALL)}
"""Every :func:`chip_text` -> its colour."""


def chip(verdict: Verdict) -> Chip:
    """Word, icon and colour of a verdict."""
    return SMALL if verdict.answer == "miscalibrated" and verdict.small else _CHIPS[verdict.answer]


def chip_text(verdict: Verdict) -> str:
    """The chip in letters: "✓ Consistent with calibration"."""
    found = chip(verdict)
    return f"{SIGNS[found.colour]} {found.words}"


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


def answer_sentence(verdict: Verdict, noun: str = "case") -> str:
    """What the verdict on one lens comes to, in one to three sentences."""
    if verdict.answer == "miscalibrated":
        return _miscalibrated(verdict, noun)
    if verdict.answer == "consistent":
        return f"No sign of miscalibration; {would_have_been_seen(verdict)}"
    return _cannot_tell(verdict, noun)


def would_have_been_seen(verdict: Verdict) -> str:
    """What these cases would have shown: "overconfidence or a shift of more than 3.1 points would …"."""
    size = verdict.smallest_detectable
    assert size is not None, "consistent is said only where a size can be seen"
    return (
        f"overconfidence or a shift of more than {size_beside(size, verdict.tolerance)} would have been seen "
        "8 times in 10. Other patterns may need more cases."
    )


def _cannot_tell(verdict: Verdict, noun: str) -> str:
    with_cases = f"With {count(verdict.n, noun)} "
    if verdict.smallest_detectable is None:
        return f"{with_cases}even the largest overconfidence or shift could go unseen. We cannot tell."
    size = size_beside(verdict.smallest_detectable, verdict.tolerance)
    return f"{with_cases}we could only have seen errors larger than about {size}. We cannot tell."


def _miscalibrated(verdict: Verdict, noun: str) -> str:
    if verdict.by_lenses:
        return by_lenses_sentence(verdict)
    parts = [size_sentence(verdict), f"Chance is a poor explanation: {adjusted_words(verdict, noun)}."]
    if verdict.small:
        parts.append(small_sentence(verdict))
    return " ".join(parts)


def small_sentence(verdict: Verdict) -> str:
    """Why a verdict is called small."""
    high = size_beside(verdict.typical_gap.high, verdict.tolerance)
    return (
        f"That is small: the typical gap is hardly more than {high}, "
        f"below the tolerance of {tolerance_words(verdict.tolerance)}."
    )


def adjusted_words(verdict: Verdict, noun: str = "case") -> str:
    """ "adjusted p = 0.013, exact for independent patients"."""
    p = number_p(verdict.adjusted)
    return f"adjusted p {p if p[0] in '<>' else f'= {p}'}, {promise_words(noun)}"


def promise_words(noun: str = "case") -> str:
    """What an exact p promises, in the user's word: "exact for independent patients"."""
    return PROMISES["exact"].replace(plural("case"), plural(noun))


def by_lenses_sentence(verdict: Verdict) -> str:
    """Why all classes together are miscalibrated where their own test shows nothing."""
    named = [lens_words(lens_from_words(words)) for words in verdict.by_lenses]
    more = f" and {count(len(named) - 1, 'other lens')}" if len(named) > 1 else ""
    p = number_p(verdict.adjusted)
    return (
        f"Miscalibrated through {named[0]}{more}, and so as a whole; "
        f"the test of {lens_words(verdict.lens)} alone does not show it "
        f"(adjusted p {p if p[0] in '<>' else f'= {p}'})."
    )


# --- how large ------------------------------------------------------------------


def size_sentence(verdict: Verdict) -> str:
    """How far off, in plain units: on average where that shows, typically where that is more."""
    typical = typical_sentence(verdict.typical_gap)
    if len(verdict.frequencies) != 1:
        worst = max(verdict.frequencies, key=lambda found: abs(found.gap.value))
        if not _apart(worst.gap):
            return typical
        return f"{typical} Furthest off on average: {_lower(gap_sentence(verdict.lens, worst))}"
    found = verdict.frequencies[0]
    if not _apart(found.gap):
        return typical
    both_ways = verdict.typical_gap.low > abs(found.gap.value)
    return gap_sentence(verdict.lens, found) + (f" {typical}" if both_ways else "")


def _apart(gap: Interval) -> bool:
    return gap.low > 0 or gap.high < 0


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def typical_sentence(gap: Interval) -> str:
    """ "The probabilities are typically 4.2 points off (approximate 95 % interval 3.0 to 5.1)."."""
    interval = f"approximate 95\N{NO-BREAK SPACE}% interval {interval_words(gap)}"
    if gap.value == 0:
        return f"No typical gap stands out from chance ({interval} points)."
    return f"The probabilities are typically {points(gap.value)} off ({interval})."


def gap_sentence(lens: Lens, found: Frequencies) -> str:
    """ "The model says 'cat' 3.6 points too often (95 % interval 2.1 to 5.0)."."""
    where, lens = region_words(lens)
    gap, size = found.gap, points(abs(found.gap.value))
    towards = Interval(gap.value, -gap.high, -gap.low) if gap.value < 0 else gap
    interval = f"(95\N{NO-BREAK SPACE}% interval {interval_words(towards)})"
    model = f"Where {where}, the model" if where else "The model"
    how = f"{size} {_direction(lens, gap.value)}"
    if isinstance(lens, TopKLens) and lens.k == 1:
        return (
            f"{model} is {'as sure as it is right' if size == NONE else f'{how} of its answers'} {interval}."
        )
    what = f"its '{found.class_name}' choice" if isinstance(lens, TopKLens) else f"'{found.class_name}'"
    return f"{model} says {what} {'as often as it happens' if size == NONE else how} {interval}."


def on_average(verdict: Verdict) -> str:
    """The signed gap of a lens of two classes in a cell: "3.6 points too often"; "–" for more classes."""
    if len(verdict.frequencies) != 1:
        return "–"
    gap = verdict.frequencies[0].gap.value
    size = points(abs(gap))
    return size if size == NONE else f"{size} {_direction(verdict.lens, gap)}"


def _direction(lens: Lens, gap: float) -> str:
    _, lens = region_words(lens)
    if isinstance(lens, TopKLens) and lens.k == 1:
        return "too sure" if gap > 0 else "too unsure"
    return "too often" if gap > 0 else "too rarely"


def interval_words(found: Interval) -> str:
    """ "2.1 to 5.0", in points."""
    ends = (f"{100 * end:.1f}" for end in (found.low, found.high))
    return " to ".join("0.0" if end == "-0.0" else end.replace("-", "−") for end in ends)


# --- what could have been seen --------------------------------------------------------


def detectable_sentence(verdict: Verdict) -> str:
    """What these cases can show, whatever the verdict; with the mean bandwidth too, where that was asked."""
    size = verdict.smallest_detectable
    if size is None:
        said = "Even the largest overconfidence or shift would be missed more than 2 times in 10 here."
    else:
        seen = size_beside(size, verdict.tolerance)
        said = f"Overconfidence or a shift of {seen} would be seen 8 times in 10 here."
    return said


def pattern_words(found: Detectable) -> str:
    """ "Overconfidence", "Shift towards 'cat'"."""
    return f"Shift towards '{found.class_name}'" if found.pattern == "bias" else "Overconfidence"


def rows_of_detectable(verdict: Verdict, exact: bool = False) -> list[dict[str, object]]:
    """One row a pattern, the hardest to see first: how large it must be to be seen 8 times in 10."""
    if exact:
        return [
            {
                "pattern": found.pattern,
                "class": found.class_name,
                "smallest detectable": found.size,
                "share": found.share,
                "power": found.power,
            }
            for found in verdict.detectable
        ]
    return [
        {
            "Pattern": pattern_words(found),
            "Seen 8 times in 10 from": "not even the largest"
            if found.size is None
            else size_beside(found.size, verdict.tolerance),
        }
        for found in verdict.detectable
    ]


# --- all lenses together --------------------------------------------------------------


def not_said(noun: str = "case") -> str:
    """What no verdict says, in a line."""
    return (
        f"This does not say whether it holds in subgroups of these {plural(noun)}, "
        "in other populations, or later (drift)."
    )


def as_a_whole(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict that stands for all: on the canonical lens, else the worst; small only if all are."""
    canonical = [v for v in verdicts if isinstance(v.lens, CanonicalLens)]
    worst = sorted(verdicts, key=lambda v: (_WORST.index(v.answer), -v.typical_gap.value))
    whole = (canonical or worst)[0]
    return replace(whole, small=all(v.small for v in verdicts if v.answer == "miscalibrated"))


def lenses_sentence(verdicts: Sequence[Verdict]) -> str:
    """Through how many lenses which verdict: "Through 2 of 13 lenses …, through 3 we cannot tell."."""
    total = count(len(verdicts), "lens")
    rejected = sum(v.adjusted <= v.alpha for v in verdicts)
    unclear = sum(v.answer == "cannot-tell" for v in verdicts)
    where = "all" if rejected == len(verdicts) > 1 else f"{rejected or 'none'} of"
    differ = "the probabilities differ" if rejected else "do the probabilities differ"
    first = f"Through {where} {total} {differ} from what happened by more than chance allows"
    return f"{first}; through {unclear:,} we cannot tell." if unclear else f"{first}."
