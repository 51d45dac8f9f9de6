"""How many cases are enough, in words and rows."""

from collections.abc import Callable, Sequence
from functools import partial

from calibcore.assessment.assess import Assessment
from calibcore.assessment.enough import MARGIN
from calibcore.assessment.verdict import Verdict
from calibcore.questions.plan import Plan, about
from calibcore.wording import count, in_noun, percent, plural, sentences
from calibcore.words.leading import whole_parts
from calibcore.words.phrases import points
from calibcore.words.sizes import digits_apart, rare_words, size_beside, tolerance_words
from calibcore.words.texts import paragraph
from calibcore.words.verdicts import as_a_whole, tested_words

_text = partial(paragraph, "answer-plan")

STEPS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Numbers of cases of the table, as multiples of what is planned."""
ENOUGH = "How many cases would tell?"
"""What asks for a plan on a page."""
COMMAND, FUNCTION = "'caliblens plan'", "calibcore.plan()"
"""What makes a plan on the command line and in Python."""
METHOD = _text("method", more=percent(MARGIN - 1, 0))
OTHER_ERRORS = _text("other errors")


def how_many_sentence(verdict: Verdict, plan: Plan | None, noun: str = "case", says: str = COMMAND) -> str:
    """With how many cases such a verdict could be another one, as the plan says; without one what makes it.

    No other number is told: a cheaper one would differ from the plan's. Empty where the verdict is another.
    """
    if verdict.answer != "cannot-tell":
        return ""
    if plan is None:
        return f"{says} says how many {plural(noun)} would tell."
    if verdict.n < plan.cases * plan.share:
        return in_noun(headline(plan), noun)
    return (
        f"About {count(about(plan.cases), noun)} do 8 times in 10. These are as many or more, and it was "
        "one of the other times."
    )


def how_many_of(
    verdicts: Sequence[Verdict], plan: Plan | None = None, noun: str = "case", says: str = COMMAND
) -> str:
    """The same of the verdict that stands for all."""
    return how_many_sentence(as_a_whole(verdicts), plan, noun, says)


def whole_parts_and_cases(
    assessment: Assessment, noun: str = "case", plan: Plan | None = None, says: str = COMMAND
) -> tuple[str, str]:
    """:func:`.whole_parts`, with how many cases it takes where these cannot tell."""
    verdicts = assessment.verdicts
    first, more = whole_parts(assessment.survey.diagnoses, verdicts, noun)
    return first, sentences(how_many_of(verdicts, plan, noun, says), more)


def headline(plan: Plan) -> str:
    """How many cases to collect, and for what."""
    cases, size = count(about(plan.cases), "case"), tolerance_words(plan.spec.tolerance)
    if _fewer_to_see(plan) is None:
        return f"About {cases} would do: an error of {size} would be seen 8 times in 10."
    return f"About {cases} would do: {consistent_words(plan.spec.tolerance)} 8 times in 10."


def consistent_words(tolerance: float) -> str:
    """What so many cases are for."""
    return f"a calibrated model would be called consistent within {tolerance_words(tolerance)}"


def _fewer_to_see(plan: Plan) -> int | None:
    """Cases that see the error, where these are fewer; None in plans of earlier versions."""
    return plan.cases_to_see if plan.cases_to_see is not None and plan.cases_to_see < plan.cases else None


def plan_sentences(plan: Plan) -> tuple[str, ...]:
    """How many cases, what for, which error needs so many, and where the predictions come from."""
    return tuple(
        filter(
            None,
            (
                headline(plan),
                to_see_sentence(plan),
                rare_sentence(plan),
                hardest_sentence(plan),
                source_sentence(plan),
                unit_sentence(plan),
            ),
        )
    )


def to_see_sentence(plan: Plan) -> str:
    """With how many cases the error is seen; empty where the headline says it."""
    if (cases := _fewer_to_see(plan)) is None:
        return ""
    size = tolerance_words(plan.spec.tolerance)
    return f"To see an error of {size} as often takes about {count(about(cases), 'case')}."


def rare_sentence(plan: Plan) -> str:
    """That an event is rarer than the error that would matter; empty where it is not."""
    if not is_rare(plan) or plan.event is None:
        return ""
    return rare_words(f"'{plan.event.name}'", plan.spec.tolerance, plan.event.mean)


def is_rare(plan: Plan) -> bool:
    """Whether the tolerance is larger than the mean probability of the rarer outcome."""
    return plan.event is not None and plan.event.mean < plan.spec.tolerance


def method_sentence(plan: Plan) -> str:
    """By which test and at which level, and how the number is found."""
    test = f"Simulated with the exact omnibus test at the level {plan.level:.3g}"
    hypotheses, of_label = plan.hypotheses or 1, f" of '{plan.label_of}' alone" if plan.label_of else ""
    if hypotheses > 1 and plan.checks is not None:
        together = f"{tested_words(plan.checks, hypotheses)}, as in a survey{of_label}"
        test = f"{test}: {plan.spec.alpha:g} over {together}"
    elif hypotheses > 1:
        test = f"{test}: {plan.spec.alpha:g} over {hypotheses:,} hypotheses that are tested together"
    else:
        test = f"{test}, for this lens alone"
    return f"{test}. {METHOD}"


def fewer_and_more(plan: Plan) -> tuple[int, ...]:
    """Numbers of cases around those that are planned, of which it is said how small an error is seen."""
    return tuple(about(step * plan.cases) for step in STEPS)


def size_format(plan: Plan) -> Callable[[float], str]:
    """What writes each of these errors with the same digits: none as 0, and no two alike."""
    return partial(points, digits=digits_apart([plan.detectable(n) for n in fewer_and_more(plan)]))


def hardest_sentence(plan: Plan) -> str:
    """Which error needs so many, of the tolerance or, where fewer cases were simulated, of the larger one."""
    size = tolerance_words(plan.spec.tolerance)
    if plan.extrapolated:
        size = f"{size_beside(plan.check.size, plan.spec.tolerance)}, the size that was simulated"
    hard = {
        "overconfidence": "overconfidence",
        "bias": f"a shift {plan.spec.lens.within.towards(plan.check.class_name)}",
        "uneven": "uneven errors",
    }
    return (
        f"The hardest to see is {hard[plan.check.pattern]}: of {size}, it was seen in "
        f"{percent(plan.check.power, 0)} of the simulations with {count(plan.check.n, 'case')}."
    )


def source_sentence(plan: Plan) -> str:
    """Where the predictions come from, and how far they were followed."""
    if isinstance(plan.pilot, str):
        source = f"Predictions as in the distribution {plan.pilot}."
    else:
        few = " So few may not stand for all." if plan.pilot < FEW else ""
        source = f"Predictions as those of {count(plan.pilot, 'case')}, whose labels were not used.{few}"
    if plan.extrapolated:
        return f"{source} Up to {count(plan.check.n, 'case')} were simulated; the rest is extrapolated."
    return source


def unit_sentence(plan: Plan) -> str:
    """What a case is where rows belong together; empty where every row is one."""
    unit = plan.spec.unit
    return f"So many units ({unit}) are needed, however many rows each has." if unit is not None else ""


FEW = 100
"""Cases of a pilot below which that is said."""
