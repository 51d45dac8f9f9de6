"""How many cases are enough, in words and rows."""

from collections.abc import Sequence

from calibcore.assessment.verdict import Verdict
from calibcore.questions.plan import (
    Plan,
    about,
    cases_for,
    cases_for_size,
    cases_that_would_tell,
    detectable_with,
)
from calibcore.wording import count, percent, plural, sentences
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import points
from calibcore.words.sizes import most_words, smallest_words, tolerance_words
from calibcore.words.tables import Cells, Rows
from calibcore.words.verdicts import as_a_whole, whole_parts

METHOD = (
    "Labels are drawn with errors of the size that would matter, until 8 of 10 sets of them are rejected. "
    "A tenth more cases make that sure. Labels without errors are drawn, too, until the typical gap is known "
    "to be small enough."
)
OTHER_ERRORS = (
    "The errors are overconfidence, shifts towards a class and uneven errors. Other patterns may need more "
    "cases."
)
STEPS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Numbers of cases of the table, as multiples of what is planned."""


def would_tell_sentence(verdict: Verdict, noun: str = "case") -> str:
    """ "It takes about 960 cases in all to see an error of 5 points, 8 times in 10."; empty where the verdict
    is another one, or that is not known."""
    cases = cases_that_would_tell(verdict)
    if cases is None:
        return ""
    size = tolerance_words(verdict.tolerance)
    if cases > (cases_for(verdict) or cases):
        return (
            f"It takes about {count(cases, noun)} in all to show that a calibrated model is off by no more "
            f"than {most_words(verdict.tolerance)}, 8 times in 10."
        )
    return f"It takes about {count(cases, noun)} in all to see an error of {size}, 8 times in 10."


def whole_parts_and_cases(verdicts: Sequence[Verdict], noun: str = "case") -> tuple[str, str]:
    """:func:`.whole_parts`, with how many cases it takes where these cannot tell."""
    first, more = whole_parts(verdicts, noun)
    return first, sentences(would_tell_sentence(as_a_whole(verdicts), noun), more)


def enough_sentence(verdict: Verdict, noun: str = "case") -> str:
    """With how many cases an error of the tolerance would be seen; what is known where even that is not."""
    cases = cases_for(verdict)
    if cases is None:
        return "Even the largest error could go unseen. How many would do cannot be told from these."
    size = tolerance_words(verdict.tolerance)
    return (
        f"With about {count(cases, noun)} an error of {size} is seen 8 times in 10. "
        f"These {verdict.n:,} show errors from {smallest_words(verdict)} on."
        + (f" {most_too}" if (most_too := _size_too(verdict, cases, noun)) else "")
    )


def _size_too(verdict: Verdict, cases: int, noun: str) -> str:
    """What "consistent" takes beyond seeing an error of the tolerance; empty where that is no more."""
    more = cases_that_would_tell(verdict) or cases_for_size(verdict)
    if more <= cases:
        return ""
    return f"To be called consistent a calibrated model takes about {count(more, noun)}."


ENOUGH_METHOD = (
    "Drawn from what these cases could have shown. The smallest error that is seen falls like 1/√n: half of "
    "it takes four times as many. Nothing more was simulated, so far from these cases it is a rough guide."
)


def enough_rows(verdict: Verdict, noun: str = "case", exact: bool = False) -> Rows:
    """How small an error is seen with fewer and with more cases than these."""
    cases = cases_for(verdict)
    if cases is None or verdict.smallest_detectable is None:
        return []
    rows: Rows = []
    for n in sorted({verdict.n, cases, *(about(step * verdict.n) for step in STEPS)}):
        size = detectable_with(verdict, n)
        if exact:
            rows.append({"cases": n, "smallest detectable": size})
        else:
            here = " (these)" * (n == verdict.n)
            rows.append(
                {sentence_case(plural(noun)): f"{n:,}{here}", "Seen 8 times in 10 from": points(size)}
            )
    return rows


def headline(plan: Plan) -> str:
    """How many cases to collect, and for what."""
    cases, size = count(about(plan.cases), "case"), tolerance_words(plan.spec.tolerance)
    return f"About {cases} would do: an error of {size} would be seen 8 times in 10."


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


def plan_rows(plan: Plan) -> Cells:
    """How small an error is seen with fewer and with more cases."""
    return [
        {"Cases": f"{n:,}", "Seen 8 times in 10 from": points(plan.detectable(n))}
        for n in (about(step * plan.cases) for step in STEPS)
    ]


def exact_plan_rows(plan: Plan) -> Rows:
    """How small an error is seen, in full precision."""
    rows = [about(step * plan.cases) for step in STEPS]
    return [{"cases": n, "smallest detectable": plan.detectable(n)} for n in sorted({*rows, plan.cases})]
