"""The verdict in words: its chip, the answer in a sentence, how large, and what could have been seen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from calibcore.assessment.chance_limits import MOST_OF_TOLERANCE, limit_of, one_sided
from calibcore.assessment.headline import by_evidence
from calibcore.assessment.impossible import Impossible
from calibcore.assessment.verdict import Verdict
from calibcore.settings import lens_from_words
from calibcore.transforms.lenses import Lens, TopKLens
from calibcore.wording import count, joined, plural, sentences
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.omnibus import is_so, mostly_sentence
from calibcore.words.phrases import (
    MOST_DIGITS,
    PROMISES,
    all_of,
    answers_off,
    expected,
    p_words,
    points,
    points_shown,
)
from calibcore.words.sizes import (
    APPROXIMATE,
    HOW_FAR,
    apart,
    balance_sentence,
    balance_words,
    gap_explained,
    gap_lines,
    leans,
    rare_words,
    size_beside,
    size_sentence,
    smallest_words,
    tolerance_words,
    typical_digits,
    typical_sentence,
    unseen,
)


@dataclass(frozen=True)
class Chip:
    """A verdict at a glance: never by colour alone.

    Attributes
    ----------
    words : "Cannot tell"
    icon : the Material symbol that looks like its sign in :data:`SIGNS`
    colour : "miscalibrated", "consistent" or "cannot-tell"
    """

    words: str
    icon: str
    colour: str


_CHIPS = {
    "miscalibrated": Chip("Miscalibrated", "close", "miscalibrated"),
    "consistent": Chip("Consistent with calibration", "check", "consistent"),
    "cannot-tell": Chip("Cannot tell", "question_mark", "cannot-tell"),
}
SMALL = Chip("Miscalibrated, but small", "close", "miscalibrated")
SIGNS = {"miscalibrated": "✕", "consistent": "✓", "cannot-tell": "?"}
"""What stands for the icon where there are letters only."""
MOST_NAMED = 3
"""Lenses that a sentence names."""
_WORST = ("miscalibrated", "cannot-tell", "consistent")
CHIP_TEXTS = {f"{SIGNS[chip.colour]} {chip.words}": chip.colour for chip in (*_CHIPS.values(), SMALL)}
"""Every :func:`chip_text` -> its colour."""


def chip(verdict: Verdict) -> Chip:
    """Word, icon and colour of a verdict."""
    return SMALL if verdict.answer == "miscalibrated" and is_slight(verdict) else _CHIPS[verdict.answer]


def is_slight(verdict: Verdict) -> bool:
    """Whether a verdict is called small: of an event that is rarer than the tolerance it is not."""
    return verdict.small and not rare_sentence(verdict)


def rare_sentence(verdict: Verdict) -> str:
    """That its event is rarer than the tolerance, by its mean probability or by how often it happened; of
    two classes the rarer one. Empty where it is not, of several classes and of answers."""
    within = verdict.lens.within
    if len(verdict.frequencies) != 1 or within.answers or within.pairs:
        return ""
    (event,) = verdict.frequencies
    name, mean, happened = f"'{event.class_name}'", event.said, event.happened
    if verdict.lens.whole and mean > 0.5:
        name, mean, happened = f"what is not {name}", 1 - mean, 1 - happened
    if min(mean, happened) >= verdict.tolerance:
        return ""
    return rare_words(name, verdict.tolerance, mean, happened)


def _rare_among(overall: Verdict, verdicts: Sequence[Verdict]) -> str:
    """The same of the check of the strongest evidence, where all of them together are called small."""
    if not overall.small or rare_sentence(overall):
        return ""
    off = sorted((v for v in verdicts if v.found), key=by_evidence)
    return next(filter(None, map(rare_sentence, off)), "")


def chip_text(verdict: Verdict) -> str:
    """The chip in letters: "✓ Consistent with calibration"."""
    answer = chip(verdict)
    return f"{SIGNS[answer.colour]} {answer.words}"


def beyond_alone(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Checks that found no problem, but show more than chance allows if each is taken alone: by a p that is
    not adjusted, or by which way the model leans."""
    return [v for v in verdicts if not v.found and (v.pvalue <= v.alpha or leans(v.frequencies))]


def nothing_shown(alone: bool) -> str:
    """How a verdict begins that found no problem; ``alone``: though a check shows one if taken alone."""
    return "No proof of miscalibration" if alone else "No sign of miscalibration"


def alone_sentence(verdicts: Sequence[Verdict]) -> str:
    """Which checks show more than chance allows only if each is taken alone; empty where another found a
    problem, or none does."""
    alone = beyond_alone(verdicts)
    if not alone or any(v.found for v in verdicts):
        return ""
    if len(verdicts) == 1:
        return "Only which way the model leans on balance lies beyond what chance allows."
    names = [_short(v) for v in sorted(alone, key=by_evidence)]
    names[MOST_NAMED:] = [f"{len(names) - MOST_NAMED:,} more"] * (len(names) > MOST_NAMED)
    show = "shows" if len(alone) == 1 else "show"
    return (
        f"Taken alone, {len(alone):,} of {count(len(verdicts), 'check')} {show} more than chance allows: "
        f"{joined(names)}. Adjusted for the number of checks, no test does."
    )


def answer_sentence(verdict: Verdict, noun: str = "case") -> str:
    """What the verdict on one lens comes to, in one to four sentences."""
    return sentences(*answer_parts(verdict, noun))


def answer_parts(verdict: Verdict, noun: str = "case", alone: bool = False) -> tuple[str, str]:
    """The same in two parts: what stands first, in large letters on a page, and what it rests on.

    alone : whether another check shows more than chance allows if taken alone
    """
    nothing = nothing_shown(alone or bool(beyond_alone([verdict])))
    match verdict.answer:
        case "miscalibrated":
            return _miscalibrated(verdict, noun)
        case "consistent":
            assert verdict.smallest_detectable is not None, "it is said only where a size can be seen"
            size = f"{sentence_case(_patterns(verdict))} of more than {smallest_words(verdict)}"
            most = (
                f"The typical gap of {name_of(verdict)} is at most {points_shown(verdict.typical_gap.high)}, "
                f"by its {APPROXIMATE}."
            )
            seen = f"{size} would have been seen 8 times in 10. Other patterns may need more cases."
            return f"{nothing}. {most}", sentences(seen, rare_sentence(verdict))
        case "cannot-tell" | "":
            return _cannot_tell(verdict, noun, nothing)
        case _:
            assert_never(verdict.answer)


def _patterns(verdict: Verdict) -> str:
    """ "overconfidence, a shift or uneven errors"; with many classes only some shifts are tried, and that is
    said. Surveys of earlier versions did not look for uneven errors."""
    tried = sum(sizes.pattern == "bias" for sizes in verdict.detectable)
    few = tried < len(verdict.frequencies)
    shift = f"a shift towards one of the {count(tried, 'most predicted class')}" if few else "a shift"
    uneven = any(sizes.pattern == "uneven" for sizes in verdict.detectable)
    return f"overconfidence, {shift} or uneven errors" if uneven else f"overconfidence or {shift}"


def _cannot_tell(verdict: Verdict, noun: str, nothing: str) -> tuple[str, str]:
    if not verdict.detectable:
        return (
            "We cannot tell.",
            f"{nothing}, but what could have been seen is not known here.",
        )
    few, cases = f"Too few {plural(noun)} to tell", count(verdict.n, noun)
    if verdict.smallest_detectable is None:
        return f"{few}.", f"In {cases} even the largest {unseen(verdict)} could go unseen."
    if verdict.smallest_detectable <= verdict.tolerance:
        what, size, passes = may_be(verdict)
        more = f"{nothing} in {cases}, but only up to {passes} would be called consistent."
        return f"{few}: {what} may still be {size}.", more
    matter = f"errors matter from {tolerance_words(verdict.tolerance)} on"
    return (
        f"{few}: errors of up to {smallest_words(verdict)} could go unseen.",
        f"{nothing} in {cases}, but {matter}.",
    )


def may_be(verdict: Verdict) -> tuple[str, str, str]:
    """What may be how large where the usual patterns would have been seen, and up to what it would pass."""
    gap, most = verdict.typical_gap, MOST_OF_TOLERANCE * verdict.tolerance
    limit = limit_of(gap)
    what = "the typical gap" if limit == one_sided(gap) else "an error in proportion to the probabilities"
    differing = (
        d for d in range(1, MOST_DIGITS) if points(limit, d) != points(most, d) and round(100 * most, d)
    )
    digits = next(differing, MOST_DIGITS)
    return what, points(limit, digits), points(most, digits)


def _miscalibrated(verdict: Verdict, noun: str) -> tuple[str, str]:
    small = (rare_sentence(verdict) or small_sentence(verdict)) if verdict.small else ""
    if verdict.refuted is not None:
        return _size(verdict), sentences(refuted_sentence(verdict.refuted, verdict.lens), small)
    if verdict.by_lenses:
        return _size(verdict), by_lenses_sentence(verdict, noun)
    chance = f"Chance is a poor explanation: {adjusted_words(verdict, noun)}."
    return _size(verdict), sentences(chance, _mostly(verdict), small)


def _mostly(verdict: Verdict) -> str:
    """What the test saw most of; empty where the sentence on the balance has said it.

    Of the confidence that sentence says whether the model is too sure of its answers. The slope of their
    log-odds, which the test looks at, may go the other way below one half. And of an event a shift alone
    looks too sure or too unsure: a rare one that is given too high a probability looks too unsure.
    """
    about = verdict.decided_by == "class-mix" or (
        verdict.direction and (verdict.lens.within.answers or _is_shifted(verdict))
    )
    if about and balance_sentence(verdict.lens, verdict.frequencies):
        return ""
    two = len(verdict.frequencies) == 1
    return mostly_sentence(verdict.decided_by, verdict.direction, two)


def _is_shifted(verdict: Verdict) -> bool:
    """Whether the balance of an event by itself makes it look as sure as the ``direction`` says."""
    if len(verdict.frequencies) != 1:
        return False
    (event,) = verdict.frequencies
    return is_so(verdict.direction, event.said, event.happened)


def refuted_sentence(impossible: Impossible, lens: Lens | None = None) -> str:
    """What happened although it was called impossible: "3 outcomes happened that were called impossible", of
    answers, which a ``lens`` may look at, "3 answers given 100 % were wrong (or given 0 % and right)"."""
    outcomes, was = count(impossible.outcomes, "outcome"), "was" if impossible.outcomes == 1 else "were"
    certain = (
        answers_off(impossible.outcomes) if lens is not None and lens.within.answers == "answers" else ""
    )
    if impossible.decimals is None:
        return f"{certain or f'{outcomes} happened that {was} called impossible'}: p = 0."
    p = "" if impossible.adjusted is None else f" (adjusted {p_words(impossible.adjusted)})"
    return (
        f"{certain or f'{outcomes} happened that {was} given probability 0'}. Rounding "
        f"explains {expected(impossible.expected)} at most{p}."
    )


def _size(verdict: Verdict) -> str:
    return size_sentence(verdict.lens, verdict.typical_gap, verdict.frequencies, off=True)


def small_sentence(verdict: Verdict) -> str:
    """Why a verdict is called small."""
    high = size_beside(verdict.typical_gap.high, verdict.tolerance)
    return (
        f"That is small: the typical gap is hardly more than {high}, "
        f"below the tolerance of {tolerance_words(verdict.tolerance)}."
    )


def adjusted_words(verdict: Verdict, noun: str = "case") -> str:
    """ "adjusted p = 0.013, exact for independent patients"."""
    return f"adjusted {adjusted_p(verdict)}, {promise_words(verdict.adjustment, noun)}"


def deciding_p_sentence(verdict: Verdict, resamples: int, adjusted_for: str) -> str:
    """The p that the verdict on one check goes by, and the p before it was adjusted; empty where the verdict
    goes by other checks or by impossible outcomes."""
    if verdict.by_lenses or verdict.refuted is not None:
        return ""
    return (
        f"The verdict goes by {adjusted_p(verdict)}: that is {p_words(verdict.pvalue)} of the survey "
        f"({count(resamples, 'redraw')}), adjusted for {adjusted_for}."
    )


def tested_words(checks: int, hypotheses: int) -> str:
    """What p is adjusted for: "6 checks and the outcomes given 0"."""
    return count(checks, "check") + (" and the outcomes given 0" if hypotheses > checks else "")


def adjusted_p(verdict: Verdict, short: bool = False) -> str:
    """The survey's p on one lens: "p = 0.013"; ``short`` in a cell."""
    return p_words(verdict.adjusted, verdict.at_floor, alpha=verdict.alpha, short=short)


def promise_words(adjustment: str = "holm", noun: str = "case") -> str:
    """What an adjusted p promises, in the user's word: "exact for independent patients"."""
    if adjustment == "benjamini-hochberg":
        return f"valid for independent {plural(noun)} and tests that do not speak against each other"
    return PROMISES["exact"].replace(plural("case"), plural(noun))


def panel_titles(verdicts: Sequence[Verdict], ps: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """The lines below the name of each panel, with its adjusted p: "✕ Miscalibrated", "typical gap 3.6
    points", "95 % interval 2.9 to 4.4", "adjusted p 0.005"."""
    digits = typical_digits([verdict.typical_gap for verdict in verdicts])
    return [
        (chip_text(v), *gap_lines(v.typical_gap, digits), f"adjusted p {p}")
        for v, p in zip(verdicts, ps, strict=True)
    ]


def panels_alt(names: Sequence[str], titles: Sequence[Sequence[str]], first: int, number: int) -> str:
    """What so many panels from the ``first`` on show, one by one."""
    every = [f"{name}: {', '.join(lines)}" for name, lines in zip(names, titles, strict=True)]
    return "; ".join(every[first : first + number])


def by_lenses_sentence(verdict: Verdict, noun: str) -> str:
    """Why all classes together are miscalibrated where their own test shows nothing."""
    first, *rest = verdict.by_lenses
    more = f" and {count(len(rest), 'other')}" if rest else ""
    return (
        f"Miscalibrated in the check of {lens_from_words(first).phrase()}{more}, and so as a whole; the test "
        f"of {name_of(verdict)} alone does not show it ({adjusted_words(verdict, noun)})."
    )


# --- what could have been seen --------------------------------------------------------


def detectable_sentence(verdict: Verdict) -> str:
    """What these cases can show, whatever the verdict."""
    if not verdict.detectable:
        return "What could be seen here is not known."
    if verdict.smallest_detectable is None:
        return f"Even the largest {unseen(verdict)} would be missed more than 2 times in 10 here."
    patterns = sentence_case(_patterns(verdict))
    return f"{patterns} of {smallest_words(verdict)} would be seen 8 times in 10 here."


# --- all lenses together --------------------------------------------------------------


def not_said(noun: str = "case") -> str:
    """What no verdict says, in a line."""
    return (
        f"This does not say whether it holds in subgroups of these {plural(noun)}, "
        "in other populations, or later (drift)."
    )


def as_a_whole(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict that stands for all: on the canonical lens, else the worst; small only if all are."""
    canonical = [v for v in verdicts if v.lens.whole]
    worst = sorted(verdicts, key=lambda v: (_WORST.index(v.answer), -v.typical_gap.value))
    overall = (canonical or worst)[0]
    return replace(overall, small=all(v.small for v in verdicts if v.answer == "miscalibrated"))


def sized_parts(verdicts: Sequence[Verdict], noun: str = "case", alone: bool = False) -> tuple[str, str]:
    """What all verdicts come to, in two parts: how far off, then how sure the model is and what lenses found.

    For verdicts by themselves; with their diagnoses :func:`.leading.whole_parts` says where, too.

    alone : whether something beside the verdicts shows more than chance allows if taken alone
    """
    if of_labels(verdicts):
        return _labels_parts(verdicts, noun)
    overall = as_a_whole(verdicts)
    sure = ""
    for verdict in verdicts:
        if (
            verdict.lens == TopKLens(1) != overall.lens
            and verdict.answer == overall.answer == "miscalibrated"
        ):
            sure = balance_sentence(verdict.lens, verdict.frequencies)
    if overall.direction and sure:  # which says it once, of the answers
        overall = replace(overall, decided_by="", direction="")
    first, more = answer_parts(overall, noun, alone or bool(beyond_alone(verdicts)))
    lenses = lenses_sentence(verdicts) if len(verdicts) > 1 else ""
    return first, sentences(
        sure,
        more,
        _unseen_elsewhere(overall, verdicts),
        _rare_among(overall, verdicts),
        _largest_elsewhere(overall, verdicts),
        alone_sentence(verdicts),
        lenses,
    )


def _unseen_elsewhere(overall: Verdict, verdicts: Sequence[Verdict]) -> str:
    """What could go unseen in another check, if more than in the one that stands for all says; else empty."""
    size = overall.smallest_detectable
    if overall.answer != "cannot-tell" or size is None or size <= overall.tolerance:
        return ""
    rest = [v for v in verdicts if v.lens != overall.lens and v.detectable]
    if missed := next((v for v in rest if v.smallest_detectable is None), None):
        return f"Of {name_of(missed)} even the largest {unseen(missed)} could go unseen."
    most = max(rest, key=lambda v: v.smallest_detectable or 0.0, default=overall)
    if (most.smallest_detectable or 0.0) <= size or smallest_words(most) == smallest_words(overall):
        return ""
    return f"Of {name_of(most)} alone errors of up to {smallest_words(most)} could go unseen."


def _largest_elsewhere(overall: Verdict, verdicts: Sequence[Verdict]) -> str:
    """Up to how far another check may be off, if farther than the one that stands for all; else empty."""
    most = max(verdicts, key=lambda v: v.typical_gap.high)
    high = points_shown(most.typical_gap.high)
    if (
        overall.answer != "consistent"
        or most.lens == overall.lens
        or high == points_shown(overall.typical_gap.high)
    ):
        return ""
    return f"The typical gap of {name_of(most)} alone may be up to {high}, by the same interval."


def sized_sentence(verdicts: Sequence[Verdict], way: str, noun: str = "case") -> str:
    """The same where a check found a problem, below a sentence that has said which ``way``: "too sure"."""
    overall = as_a_whole(verdicts)
    if way:
        overall = replace(overall, decided_by="", direction="")
    _, more = _miscalibrated(overall, noun)
    how_far = _least(overall, verdicts) or HOW_FAR
    size = typical_sentence(overall.lens, overall.typical_gap, off=True, how_far=how_far)
    lenses = lenses_sentence(verdicts) if len(verdicts) > 1 else ""
    return sentences(size, more, _rare_among(overall, verdicts), lenses)


def _least(overall: Verdict, verdicts: Sequence[Verdict]) -> str:
    """How far off two classes are at least, by the confidence where that is measured; else empty.

    The confidence says less than both probabilities do: its gaps are means of theirs, and the root mean
    square of means is no larger.
    """
    two = overall.lens.whole and len(overall.frequencies) == 1
    for v in verdicts:
        gap = v.typical_gap
        if two and v.found and v.lens == TopKLens(1) and 0 < gap.low <= overall.typical_gap.high:
            size = points(gap.low, typical_digits([gap]))
            return f"By its own interval the confidence is off by at least {size}, and so are they."
    return ""


def of_labels(verdicts: Sequence[Verdict]) -> bool:
    """Whether these are the verdicts on several labels of a case, one each."""
    return bool(verdicts) and all(v.lens.within.of_label is not None for v in verdicts)


TOGETHER = (
    "Each label is tested by itself. Whether labels occur together as often as predicted is not tested."
)
"""What verdicts on several labels do not say."""


def _labels_parts(verdicts: Sequence[Verdict], noun: str) -> tuple[str, str]:
    """ "2 of 14 labels are miscalibrated: 'effusion' too high, 'mass' too low.", and what it rests on."""
    off, total = sorted((v for v in verdicts if v.found), key=by_evidence), len(verdicts)
    unclear = sum(v.answer == "cannot-tell" for v in verdicts)
    labels = count(total, "label")
    if not off:
        nothing = nothing_shown(bool(beyond_alone(verdicts)))
        none = f"{nothing} in {'the label' if total == 1 else f'any of {labels}'}."
        open_ = f"Of {unclear:,} we cannot tell." if unclear else ""
        return none, sentences(open_, alone_sentence(verdicts), TOGETHER)
    named = [_leaning(v) for v in off[:MOST_NAMED]]
    more = f" and {len(off) - MOST_NAMED:,} more" if len(off) > MOST_NAMED else ""
    are = "is" if len(off) == 1 else "are"
    which = f"{len(off):,} of {labels} {are} miscalibrated: {', '.join(named)}{more}."
    rest = _inconclusive(unclear, total - len(off), of_all=False) if unclear else ""
    return which, sentences(answer_sentence(off[0], noun), rest, TOGETHER)


def _leaning(verdict: Verdict) -> str:
    """ "'effusion' too high", or the name alone where errors go both ways."""
    leaning = balance_words(verdict.lens, verdict.frequencies)
    return f"'{verdict.lens.within.of_label}'" + (f" {leaning}" if leaning != "–" else "")


def worst_class(verdicts: Sequence[Verdict]) -> tuple[Lens, str] | None:
    """The class furthest off and a sentence about it: of largest typical gap, a rejected one if there is any.
    None where none is off or one alone was looked at.

    The one rule for "furthest off", wherever it is said.
    """
    of_one = [v for v in verdicts if v.lens.one_class is not None]
    among = [v for v in of_one if v.typical_gap.value > 0]
    if not among or len(of_one) == 1:
        return None
    worst = max(among, key=lambda v: (v.answer == "miscalibrated", v.typical_gap.value))
    name, among_all = _short(worst), "labels" if of_labels([worst]) else "single classes"
    chance = "" if worst.answer == "miscalibrated" else ", which chance may explain"
    size, interval = gap_explained(worst.typical_gap)
    seems = "is" if apart(worst.typical_gap) else "looks"
    return worst.lens, (
        f"Of the {among_all}, {name} {seems} furthest off: typically {size} ({interval}){chance}."
    )


def lenses_sentence(verdicts: Sequence[Verdict]) -> str:
    """How many checks have which verdict.

    "2 of 6 checks found a problem: 'malignant', all classes together. The other 4 are inconclusive." Those
    with the strongest evidence are named first.
    """
    total = len(verdicts)
    rejected = [v for v in verdicts if v.found]
    unclear, not_rejected = sum(v.answer == "cannot-tell" for v in verdicts), total - len(rejected)
    if not not_rejected:
        return f"{sentence_case(all_of(total, 'check'))} found a problem."
    if rejected:
        names = [_short(v) for v in sorted(rejected, key=by_evidence)]
        more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
        named = f"{', '.join(names[:MOST_NAMED])}{more}"
        sentence = f"{len(rejected):,} of {total:,} checks found a problem: {named}."
    else:
        few = {1: "The one check found no problem.", 2: "Neither check found a problem."}
        sentence = few.get(total, f"None of {total:,} checks found a problem.")
    return f"{sentence} {_inconclusive(unclear, not_rejected, of_all=not rejected)}" if unclear else sentence


def _short(verdict: Verdict) -> str:
    """The name of a check, of one class or label that alone: "'malignant'"."""
    return name_of(verdict).removeprefix("the class ").removeprefix("the label ")


def _inconclusive(unclear: int, not_rejected: int, of_all: bool) -> str:
    """ "The other 4 are inconclusive.", "All are inconclusive.", "2 of them are inconclusive."."""
    if unclear < not_rejected:
        who = f"{unclear:,} of {'them' if of_all else 'the others'}"
    elif not_rejected == 1:
        who = "It" if of_all else "The other"
    else:
        who = f"The other {not_rejected:,}" if not of_all else "Both" if not_rejected == 2 else "All"
    return f"{who} {'is' if unclear == 1 else 'are'} inconclusive."
