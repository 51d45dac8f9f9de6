"""What a look at groups comes to: where the model is off, and where these cases cannot tell."""

import math
from collections.abc import Sequence
from functools import partial

from calibcore.assessment.chance_limits import limit_of
from calibcore.assessment.verdict import Verdict
from calibcore.questions.groups import Group, GroupSurvey, Worst
from calibcore.questions.groups.ask import WORST_RESAMPLES
from calibcore.questions.groups.between import Between
from calibcore.questions.groups.differences import ALIKE, FEWEST
from calibcore.questions.groups.search import FEWEST as FEWEST_FOUND
from calibcore.wording import count, joined, percent, quote, sentences
from calibcore.words.leading import told_apart
from calibcore.words.looking import of_words, sentence_case
from calibcore.words.phrases import above_zero, all_of, p_words
from calibcore.words.sizes import (
    apart,
    balance_words,
    leans,
    of_many,
    smallest_words,
    tolerance_words,
    typically_off,
)
from calibcore.words.testing import ROWS_AS_THEY_COME
from calibcore.words.texts import paragraph
from calibcore.words.verdicts import beyond_alone, may_be, nothing_shown, panel_titles, panels_alt

_text = partial(paragraph, "answer-groups")

NOT_IMPLIED = _text("not implied")
NEEDED = _text("needed")
RANGE = _text("range")
BY_TRUTH = _text("by truth")
BETWEEN = _text("between")
BY_LABEL_BETWEEN = _text("between by label")
BESIDE = _text("beside")
NOT_TESTED = "not tested"
UNKNOWN = "–"
"""The cell of what is not said of a group."""
NET_GAP, TYPICAL_GAP, SMALLEST = "Net gap, points", "Typical gap, points", "Smallest detectable"
FEWER = f"fewer than {FEWEST}"
"""Cases of a group that is withheld for its size."""
NOTHING_LARGE = _text("nothing large", cases=FEWEST_FOUND)
KINDS = {
    "text": "a group for each value",
    "numbers": "a group for each number",
    "quartiles": "cut at its quartiles, before any outcome was looked at",
    "months": "by month",
}
WORST_KEPT_BACK = _text("worst kept back", cases=FEWEST)
MOST_NAMED = 5
CLEAR = 0.1
"""Of the level: up to here a report tells what is tested beside the headline as a problem that was found."""
SEARCH = _text("search", cases=FEWEST_FOUND, redraws=WORST_RESAMPLES)


def group_name(column: str, value: str) -> str:
    """ "site B", "age up to 41"."""
    return f"{column} {value}"


def group_title(title: str, column: str, value: str) -> str:
    """What a group of a model's cases is called: "clinic.csv, site East"."""
    return f"{title}, {group_name(column, value)}"


def not_opened(group: Group) -> str:
    """Why the cases of a group are not shown by themselves."""
    name = sentence_case(group_name(group.column, group.value))
    return f"{name} is not looked at alone: {group.withheld}."


def by_gap(survey: GroupSurvey) -> list[tuple[Group, Verdict]]:
    """The groups that were tested with their verdicts, the largest typical gap first."""
    tested = [(group, group.verdict) for group in survey.tested if group.verdict is not None]
    return sorted(tested, key=lambda pair: -pair[1].typical_gap.value)


def worst_off(survey: GroupSurvey) -> tuple[Group, Verdict] | None:
    """Of the groups that are miscalibrated the one with the largest typical gap; None where none is."""
    return next((pair for pair in by_gap(survey) if pair[1].answer == "miscalibrated"), None)


def headline(survey: GroupSurvey) -> str:
    """Where it is worst, what the model says there and what it gets, of the groups that are miscalibrated:
    "Worst in site West: it says 84 %, it is right in 66 to 74 %."; else how far it typically is off there.

    "Largest estimate in site West" where only estimates tell the groups apart: nothing holds for all of them
    at once, or the groups of that column show no sign that they differ.
    """
    worst = worst_off(survey)
    if worst is not None:
        group, verdict = worst
        balance, between = _on_balance(survey, verdict), survey.between or ()
        alike = any(each.column == group.column and each.adjusted > survey.spec.alpha for each in between)
        begins = "Worst in" if balance and not alike else "Largest estimate in"
        how_far = balance or typically_off(verdict.typical_gap)
        return f"{begins} {group_name(group.column, group.value)}: {how_far}."
    tested = by_gap(survey)
    if not tested:
        kept_back = any(group.withheld == ALIKE for group in survey.groups)
        return "No group is shown." if kept_back else "No group is large enough to be tested."
    nothing = nothing_shown(bool(beyond_alone([verdict for _, verdict in tested])))
    none = f"{nothing} in any of {count(len(tested), 'group')}"
    if survey.global_pvalue is not None and survey.global_pvalue <= survey.spec.alpha:
        return f"{none} alone, but chance is a poor explanation of all of them together."
    unclear = [verdict for _, verdict in tested if verdict.answer != "consistent"]
    if not unclear:
        return f"{none}."
    if not any(verdict.detectable for _, verdict in tested):
        return f"{none}. What could have been seen is not known for this statistic."
    return f"{none}, but {_unseen(unclear, len(tested))}."


def _unseen(unclear: Sequence[Verdict], tested: int) -> str:
    """What may have been missed in groups where one cannot tell: errors that would not have been seen, and a
    typical gap that may be large though the usual patterns would have been seen."""
    tolerance = unclear[0].tolerance
    blind = [v for v in unclear if v.smallest_detectable is None or v.smallest_detectable > tolerance]
    wide = [v for v in unclear if v not in blind]
    parts = []
    if blind:
        largest = max(
            blind, key=lambda v: math.inf if v.smallest_detectable is None else v.smallest_detectable
        )
        size = f"{tolerance_words(tolerance)} or more"
        if largest.smallest_detectable is not None:
            size = f"{tolerance_words(tolerance).partition(' ')[0]} up to {smallest_words(largest)}"
        parts.append(f"{_in_so_many(len(blind), tested)}errors of {size} could have gone unseen")
    if wide:
        what, size, _ = may_be(max(wide, key=lambda v: limit_of(v.typical_gap)))
        parts.append(f"{_in_so_many(len(wide), tested)}{what} may still be {size}")
    return joined(parts)


def _in_so_many(number: int, tested: int) -> str:
    """ "in 2 of them "; empty for all."""
    if number == tested:
        return ""
    return "in one of them " if number == 1 else f"in {number:,} of them "


def _on_balance(survey: GroupSurvey, verdict: Verdict) -> str:
    """ "it says 84 % for 'ill', it happens in 66 to 74 %", of the class that is off most on balance.

    The group was chosen after looking, so the interval holds for all groups and classes at once. Empty where
    it leaves no class off.
    """
    number = sum(len(each.frequencies) for _, each in by_gap(survey))
    leaning = sorted(leans(verdict.frequencies), key=lambda of_class: -abs(of_class.gap.value))
    for of_class in leaning[:1]:
        gap = of_many(of_class, number)
        if apart(gap):
            ends = of_class.said - gap.high, of_class.said - gap.low
            predicted, between = told_apart(of_class.said, *ends)
            lens = verdict.lens.within
            name = "" if lens.names_its_class else f" for '{of_class.class_name}'"
            return f"it says {predicted}{name}, {lens.comes_true[0]} in {between}"
    return ""


def worst_sentences(survey: GroupSurvey) -> list[str]:
    """What the headline rests on: how far off the worst group is typically, and which others are; none where
    none is miscalibrated."""
    worst = worst_off(survey)
    if worst is None:
        return []
    name, verdict = group_name(worst[0].column, worst[0].value), worst[1]
    off = [(group, v) for group, v in by_gap(survey) if v.answer == "miscalibrated"]
    names = [group_name(group.column, group.value) for group, _ in off]
    if len(names) > MOST_NAMED:
        names[MOST_NAMED:] = [count(len(names) - MOST_NAMED, "more group")]
    leans_words = balance_words(verdict.lens, verdict.frequencies) if verdict.frequencies else "–"
    balance = "" if leans_words == "–" else f", on balance {leans_words}"
    size = f"In {name} it is {typically_off(verdict.typical_gap)}{balance}."
    return [
        size if _on_balance(survey, verdict) else "",  # else the headline has said it
        _in_which(names, len(off), len(survey.tested)),
    ]


def _in_which(names: Sequence[str], off: int, tested: int) -> str:
    """ "Miscalibrated in 2 of 5 groups that were tested: site B and sex f."; one has been named."""
    if tested == 1:
        return "It is the only group that was tested."
    named = f": {joined(names)}" if off > 1 else ""
    which = all_of(off, "group") if off == tested else f"{off:,} of {tested:,} groups"
    return f"Miscalibrated in {which} that were tested{named}."


def against(survey: GroupSurvey, _fingerprint: str = "") -> str:
    """What was found against the model, in a few words; empty for nothing.

    What the headline says, and what is tested beside it only where that is clear: at the level itself each of
    these tests would find something in as many calibrated models as the headline does.
    """
    off = sum(verdict.answer == "miscalibrated" for _, verdict in by_gap(survey))
    if off:
        return f"miscalibrated in {off:,} of {count(len(survey.tested), 'group')}"
    if survey.global_pvalue is not None and survey.global_pvalue <= survey.spec.alpha:
        return "miscalibrated in all groups together"
    clear = CLEAR * survey.spec.alpha
    if survey.worst is not None and survey.worst.pvalue <= clear:
        return "miscalibrated where it is worst"
    return "groups differ" if any(each.adjusted <= clear for each in survey.between or ()) else ""


def beside_sentence(survey: GroupSurvey) -> str:
    """That a test beside the headline finds something more often by chance, where it does and nothing is
    clear; else empty."""
    pvalues = [each.adjusted for each in survey.between or ()]
    pvalues += [] if survey.worst is None else [survey.worst.pvalue]
    return BESIDE if min(pvalues, default=1.0) <= survey.spec.alpha and not against(survey) else ""


def between_sentence(survey: GroupSurvey) -> str:
    """Whether the groups of each column differ from each other on balance; empty where that was not
    tested."""
    every = sorted(survey.between or (), key=lambda between: between.pvalue)
    alpha, several = survey.spec.alpha, len(every) > 1
    apart = [_by(between, several, alpha) for between in every if between.adjusted <= alpha]
    alike = [_by(between, several, alpha) for between in every if between.adjusted > alpha]
    parts = []
    if apart:
        parts.append(f"On balance groups differ from each other by {joined(_few(apart))}")
    if alike:
        no_sign = "no sign of it" if apart else "No sign that groups differ from each other on balance"
        parts.append(f"{no_sign} by {joined(_few(alike))}")
    these = "These p are" if len(apart) + len(alike) > 1 else "This p is"
    return f"{'; '.join(parts)}. {these} approximate, for large samples." if parts else ""


def _by(between: Between, several: bool, alpha: float) -> str:
    p = f"{'adjusted ' * several}{p_words(above_zero(between.adjusted), alpha=alpha)}"
    return f"{between.column} ({p})"


def _few(names: list[str]) -> list[str]:
    if len(names) <= MOST_NAMED:
        return names
    return [*names[:MOST_NAMED], count(len(names) - MOST_NAMED, "more column")]


def global_sentence(survey: GroupSurvey) -> str:
    """Whether the model is calibrated in every group, or why that is not said; empty for none tested."""
    if survey.global_withheld:
        return (
            "All groups together have no p, and where it is worst is not searched: "
            f"{survey.global_withheld}. Name the unit of these rows, or look at one model and compare it "
            "with the others."
        )
    if survey.global_pvalue is None:
        return ""
    p = p_words(survey.global_pvalue, survey.global_at_floor, alpha=survey.spec.alpha)
    poor = survey.global_pvalue <= survey.spec.alpha
    chance = "Chance is a poor explanation of" if poor else "Chance may explain"
    return f"{chance} all groups together ({p}, exact)."


def worst_sentence(survey: GroupSurvey, worst: Worst) -> str:
    """Where a search found the largest error, and whether chance would do."""
    where = " and ".join(_where(*part) for part in worst.where)
    p = p_words(worst.pvalue, worst.at_floor, alpha=survey.spec.alpha)
    answers = len(survey.class_names) != 2 or survey.spec.lens.within.answers
    what = "being right" if answers else f"'{worst.class_name}'"
    happened = "were right" if answers else "happened"
    size = (
        f"in {count(worst.n, 'case')} with {where} it says {percent(worst.said)} for {what} on average, and "
        f"{percent(worst.happened)} {happened} (as found: fresh cases will differ less)"
    )
    if worst.pvalue <= survey.spec.alpha:
        return f"Where it is worst: {size}. The search would rarely find as much by chance ({p}, exact)."
    return f"Where it is worst: {size}. By chance the search may find as much ({p}, exact)."


def _where(column: str, values: tuple[str, ...], inside: bool) -> str:
    words = values[0] if len(values) == 1 else f"{values[0]} … {values[-1]}"
    return f"{column} {'' if inside else 'other than '}{words}"


def group_titles(groups: Sequence[Group]) -> list[tuple[str, str, str, str]]:
    """:func:`.panel_titles` of groups that were tested."""
    ps = [p_words(group.adjusted or 0.0, group.at_floor, short=True) for group in groups]
    return panel_titles([group.verdict for group in groups if group.verdict is not None], ps)


def diagrams_sentence(survey: GroupSurvey, drawn: Sequence[Group]) -> str:
    """What the diagrams of groups show, and which of them are drawn."""
    drawn_words = ""
    if len(drawn) < len(survey.tested):
        drawn_words = (
            f" Drawn are the {len(drawn):,} groups with the strongest evidence of {len(survey.tested):,}."
        )
    return (
        f"Across: the probability the model gave {of_words(survey)}. Up: observed minus predicted, in "
        f"points. All have the same scales.{drawn_words}"
    )


def diagrams_alt(groups: Sequence[Group], first: int, number: int) -> str:
    """What so many panels from the ``first`` on show, group by group."""
    names = [group_name(group.column, group.value) for group in groups]
    return panels_alt(names, group_titles(groups), first, number)


def cases_words(n: int) -> str:
    """How many cases a group has; of one that is withheld for its size no number."""
    return FEWER if n < FEWEST else f"{n:,}"


def kept_back_sentence(survey: GroupSurvey) -> str:
    """Of which columns no counts are handed on, and why; empty where there are none."""
    reasons: dict[str, list[str]] = {}
    for name, why in (survey.kept_back or {}).items():
        reasons.setdefault(why, []).append(repr(name))
    return sentences(
        *(
            f"Cases and net gaps of {joined(names)} are not handed on: {why}."
            for why, names in reasons.items()
        )
    )


def withheld_sentence(survey: GroupSurvey) -> str:
    """How many groups were not tested, and why; empty where all were."""
    small = [group for group in survey.groups if group.pvalue is None]
    if not small:
        return ""
    reasons = dict.fromkeys(group.withheld for group in small)
    return f"{count(len(small), 'group')} not tested: {' or '.join(reasons)}."


def column_sentences(survey: GroupSurvey) -> list[str]:
    """How each column became groups, and what rows were taken."""
    lines = [f"The column {quote(name)}: {KINDS[kind]}." for name, kind in survey.columns.items()]
    if survey.rows is not None:
        lines.append(
            f"{count(survey.rows, 'row')} of {count(survey.n, 'unit')} ({survey.spec.unit}): one row of each "
            f"was drawn at random, seed {survey.spec.seed}. Gaps are of all rows. {ROWS_AS_THEY_COME}"
        )
    return lines


def methods(survey: GroupSurvey) -> list[str]:
    """How it was tested."""
    test = {
        "exact-omnibus": "the exact omnibus test",
        "skce-unbiased": "the exact test of the unbiased kernel error",
    }[survey.statistic]
    lines = [
        f"Each group of 20 cases or more has {test}. Outcomes of all cases are redrawn together. p is "
        "adjusted for the number of groups in all columns by Holm's method. "
        f"It takes {survey.spec.resamples:,} redraws, seed {survey.spec.seed}.",
        "The p of all groups together is that of the group whose statistic is rarest among its own redraws.",
    ]
    worst = worst_off(survey)
    lines += [RANGE] * bool(worst is not None and _on_balance(survey, worst[1]))
    lines += [BETWEEN] * bool(survey.between)
    if survey.worst is not None:
        lines.append(SEARCH)
    return lines
