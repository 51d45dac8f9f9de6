"""The first page of a report, for whoever has to act: what was asked, what to do, what not to conclude."""

from collections.abc import Sequence
from typing import assert_never

from calibcore.assessment.headline import by_evidence
from calibcore.assessment.verdict import Verdict
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.questions.recalibrate import Recalibration
from calibcore.transforms.lenses.classes import event_of
from calibcore.wording import count, joined, plural, sentences
from calibcore.words.looking import name_of
from calibcore.words.phrases import cases_words, points_shown
from calibcore.words.sizes import APPROXIMATE, apart, tolerance_words
from calibcore.words.testing import ROWS_AS_THEY_COME
from calibcore.words.verdicts import is_slight, not_said, of_labels

ASKED, ANSWERED = "What was asked", "The answer"
TO_DO, NOT_TO_CONCLUDE = "What to do", "What not to conclude"
FOUR_WORDS = "Four words"
NO_FIGURE = "Here is no figure, as each of its points would be a single case."
FOR_STATISTICIANS = "For statisticians"
"""Headings, in their order; the last one of the pages behind."""
GROUPS = "Ask whether it differs between groups, such as age, site or device."
NOT_PLANNED = "How many would tell is the answer of a plan, which this report does not hold."
LOOK_ELSEWHERE = "Do not use the percentages before you have read what other parts of this report found."
MOST_NAMED = 3
"""Checks that are named one by one."""


def counted_heading(noun: str) -> str:
    """Above the natural frequencies: "Counted in patients"."""
    return f"Counted in {plural(noun)}"


def asked_sentences(
    predictions: Cases, verdicts: Sequence[Verdict], unit: str | None, noun: str = "case"
) -> str:
    """The question, of whom it was asked, and in which checks."""
    cases = plural(noun)
    if isinstance(predictions, MultiLabelPredictions):
        question = f"When the model gives a label 40 %, is it true of 40 of 100 {cases}?"
    elif predictions.confidence_only:
        question = f"When the model is 90 % sure of its answer, is it right in 90 of 100 {cases}?"
    elif predictions.m == 2:
        event = predictions.class_names[event_of(predictions.class_names)]
        question = f"When the model gives '{event}' 40 %, is it so in 40 of 100 {cases}?"
    else:
        question = f"When the model gives a class 40 %, is it that class in 40 of 100 {cases}?"
    who = cases_words(predictions.n, noun, predictions.drawn_from)
    if unit is not None:
        who = f"{count(max(v.n for v in verdicts), 'unit')} ({unit}), one row of each,"
    asked = f"Asked of {who} with known outcomes, in {_checks(verdicts)}."
    return f"{question} And so for every other percentage. {asked}"


def valid_if(unit: str | None, noun: str) -> str:
    """What has to hold for any of it, which no number shows; ``unit``: what rows belong to, if anything."""
    these = f"Valid only if the model was not trained, tuned or recalibrated on these {plural(noun)}"
    if unit is None:
        return f"{these}, and no {noun} is counted twice."
    drawn = f"Of each unit ({unit}) one row was drawn and tested, so none is counted twice."
    return sentences(f"{these}.", drawn, ROWS_AS_THEY_COME)


def _checks(verdicts: Sequence[Verdict]) -> str:
    """ "5 checks: confidence in the answer, all classes together and 3 single classes"; where some are not
    named, the strongest evidence comes first."""
    checks = [v for v in verdicts if v.lens.one_class is None]
    named = [name_of(v) for v in (checks if len(checks) < MOST_NAMED else sorted(checks, key=by_evidence))]
    classes = [name_of(v) for v in verdicts if v.lens.one_class is not None]
    what = "labels, each by itself" if of_labels(verdicts) else "single classes"
    named += classes if len(classes) == 1 else [f"{len(classes):,} {what}"] if classes else []
    if len(named) > MOST_NAMED:
        named = [*named[: MOST_NAMED - 1], f"{len(named) - MOST_NAMED + 1:,} more"]
    return f"{count(len(verdicts), 'check')}: {joined(named)}"


def elsewhere_sentence(parts: Sequence[tuple[str, str]]) -> str:
    """Which other parts of the report found a problem: each with its title, and what it has against the model
    in a few words; empty where none has."""
    named = [f"{words} ('{title}')" for title, words in parts if words]
    if not named:
        return ""
    which = "Another part" if len(named) == 1 else "Other parts"
    return f"{which} of this report found a problem: {'; '.join(named)}."


def steps(
    overall: Verdict,
    mixed_up: bool,
    recalibration: Recalibration | None,
    noun: str = "case",
    how_many: str = "",
    elsewhere: bool = False,
) -> tuple[str, ...]:
    """What to do next, the most urgent first.

    mixed_up : labels and columns probably do not belong together
    recalibration : what the pages behind say of it, if anything
    how_many : what is said of how many cases could tell, where that does not stand beside the verdict
    elsewhere : whether another part of the report found a problem
    """
    cases = plural(noun)
    if mixed_up:
        return (
            "First find out whether labels and columns belong together. Until then believe no number here.",
        )
    match overall.answer:
        case "miscalibrated":
            return _when_off(overall, recalibration, cases)
        case "consistent":
            use = (
                f"The percentages may be used as they are for {cases} like these, if a typical gap of up to "
                f"{points_shown(overall.typical_gap.high)} (the end of its {APPROXIMATE}) does not matter to "
                "you."
            )
            return (
                LOOK_ELSEWHERE if elsewhere else use,
                GROUPS,
                f"Check again when {cases}, devices or practice change.",
            )
        case "cannot-tell" | "":
            return _when_open(noun, how_many, elsewhere)
        case _:
            assert_never(overall.answer)


def _when_off(overall: Verdict, recalibration: Recalibration | None, cases: str) -> tuple[str, ...]:
    first = "Do not take the percentages at face value as long as this is not mended."
    if is_slight(overall):
        size = tolerance_words(overall.tolerance)
        first = f"Decide whether it matters: the error is below {size}, the tolerance that was set."
    zero = "Ask how a probability of 0 came about: by rounding, by a limit, or by the model."
    asked = () if overall.refuted is None else (zero,)
    if not apart(overall.typical_gap):  # nothing else speaks against the model
        return *asked, first, _mending(recalibration, cases), GROUPS
    return first, *asked, _mending(recalibration, cases), GROUPS


def _mending(recalibration: Recalibration | None, cases: str) -> str:
    new = f"Then check the result on new {cases}."
    answers = [] if recalibration is None else [method.answer for method in recalibration.methods]
    if "worthwhile" in answers:
        return f"Have the model recalibrated: the pages behind show that it helps. {new}"
    if answers and set(answers) == {"not-worthwhile"}:
        return "Look for another remedy than recalibration: it is not worthwhile, as the pages behind show."
    if recalibration is not None:
        return f"Collect more {cases}: whether recalibration helps, these cannot tell."
    return f"Ask whether recalibration would mend it. {new}"


def _when_open(noun: str, how_many: str, elsewhere: bool) -> tuple[str, ...]:
    cases = plural(noun)
    return (
        sentences(f"Collect more {cases} with known outcomes.", how_many),
        LOOK_ELSEWHERE
        if elsewhere
        else "Until then take the percentages as unchecked, neither right nor wrong.",
        f"Once you have more {cases}, ask about groups, too, such as age, site or device.",
    )


def not_to_conclude(overall: Verdict, noun: str) -> tuple[str, ...]:
    """What a hurried reader may take from the verdict and should not; last what no verdict says."""
    cases = plural(noun)
    match overall.answer:
        case "miscalibrated":
            first = (
                f"Not that the model is useless. It may still tell {cases} apart well, which was not asked."
            )
            second = (
                "Not how many diagnoses or answers are wrong. Percentages that are 5 points off do not "
                "mean that 5 of 100 answers are."
            )
        case "consistent":
            first = "Not that the model is calibrated. Smaller errors may have gone unseen."
            second = "Not that it is often right. A calibrated model may be unsure of most answers."
        case "cannot-tell" | "":
            first = (
                f"Not that the model is calibrated. An error that matters could go unseen in these {cases}."
            )
            second = "Not that the model is wrong: no check of this survey found an error."
        case _:
            assert_never(overall.answer)
    return first, second, not_said(noun)
