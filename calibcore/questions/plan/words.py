"""How many cases are enough, in words and rows."""

from collections.abc import Sequence
from functools import partial

from calibcore.assessment.verdict import Verdict
from calibcore.questions.plan import Plan, about
from calibcore.wording import count, in_noun, percent, plural, sentences
from calibcore.words.phrases import points
from calibcore.words.sizes import tolerance_words
from calibcore.words.texts import paragraph
from calibcore.words.verdicts import as_a_whole, whole_parts

_text = partial(paragraph, "answer-plan")

ENOUGH = "How many cases would tell?"
"""What asks for a plan on a page."""
COMMAND, FUNCTION = "'caliblens plan'", "calibcore.plan()"
"""What makes a plan on the command line and in Python."""
METHOD = _text("method")
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
    verdicts: Sequence[Verdict], noun: str = "case", plan: Plan | None = None, says: str = COMMAND
) -> tuple[str, str]:
    """:func:`.whole_parts`, with how many cases it takes where these cannot tell."""
    first, more = whole_parts(verdicts, noun)
    return first, sentences(how_many_of(verdicts, plan, noun, says), more)


def headline(plan: Plan) -> str:
    """How many cases to collect, and for what."""
    cases, size = count(about(plan.cases), "case"), tolerance_words(plan.spec.tolerance)
    return f"About {cases} would do: an error of {size} would be seen 8 times in 10."


def plan_sentences(plan: Plan) -> tuple[str, ...]:
    """How many cases, what for, which error needs so many, and where the predictions come from."""
    return tuple(
        filter(
            None,
            (
                headline(plan),
                consistent_sentence(plan),
                hardest_sentence(plan),
                source_sentence(plan),
                unit_sentence(plan),
            ),
        )
    )


def consistent_sentence(plan: Plan) -> str:
    """What so many are for beside seeing an error; empty in plans of earlier versions."""
    if plan.cases_to_see is None or plan.cases_to_see >= plan.cases:
        return ""
    return (
        "A calibrated model would then be called consistent about 8 times in 10. "
        f"To see the error alone takes about {count(about(plan.cases_to_see), 'case')}."
    )


def method_sentence(plan: Plan) -> str:
    """By which test and at which level, and how the number is found."""
    test = f"Simulated with the exact omnibus test at the level {plan.level:.3g}"
    if plan.hypotheses is not None and plan.hypotheses > 1:
        test = f"{test}: {plan.spec.alpha:g} over the {plan.hypotheses:,} checks of a survey"
    else:
        test = f"{test}, for this lens alone"
    return f"{test}. {METHOD}"


def hardest_sentence(plan: Plan) -> str:
    """Which error needs so many."""
    hard = {
        "overconfidence": "overconfidence",
        "bias": f"a shift towards '{plan.check.class_name}'",
        "uneven": "uneven errors",
    }
    return (
        f"The hardest to see is {hard[plan.check.pattern]}: of {points(plan.check.size)}, it was seen in "
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
