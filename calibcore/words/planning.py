"""How many cases are enough, in words and rows."""

from calibcore.assessment.verdict import Verdict
from calibcore.questions.plan import Plan, about, cases_that_would_tell
from calibcore.wording import count, percent
from calibcore.words.phrases import points
from calibcore.words.sizes import tolerance_words

METHOD = (
    "Simulated with the exact omnibus test at the level {alpha:g}. Labels are drawn with errors of the size "
    "that would matter. The number of cases is the one from which 8 of 10 sets of labels are rejected."
)
OTHER_ERRORS = (
    "The errors are overconfidence, shifts towards a class and uneven errors. Other patterns may need more "
    "cases. A survey of many lenses needs more, too."
)
STEPS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Numbers of cases of the table, as multiples of what is planned."""


def would_tell_sentence(verdict: Verdict, noun: str = "case") -> str:
    """ "About 1,900 cases would tell."; empty where the verdict is another one, or that is not known."""
    cases = cases_that_would_tell(verdict)
    return "" if cases is None else f"About {count(cases, noun)} would tell."


def headline(plan: Plan, noun: str = "case") -> str:
    """How many cases to collect, and for what."""
    size = tolerance_words(plan.spec.tolerance)
    cases = count(about(plan.cases), noun)
    return f"About {cases} would do: an error of {size} would be seen 8 times in 10."


def hardest_sentence(plan: Plan) -> str:
    """Which error needs so many."""
    hard = {
        "overconfidence": "overconfidence",
        "bias": f"a shift towards '{plan.check.class_name}'",
        "uneven": "uneven errors",
    }
    seen = percent(plan.check.power, 0)
    return (
        f"The hardest to see is {hard[plan.check.pattern]}: of {points(plan.check.size)}, it was seen in "
        f"{seen} of the simulations with {count(plan.check.n, 'case')}."
    )


def source_sentence(plan: Plan, noun: str = "case") -> str:
    """Where the predictions come from, and how far they were followed."""
    if isinstance(plan.pilot, str):
        source = f"Predictions as in the distribution {plan.pilot}."
    else:
        few = " So few may not stand for all." if plan.pilot < FEW else ""
        source = f"Predictions as those of {count(plan.pilot, noun)}, whose labels were not used.{few}"
    if plan.extrapolated:
        return f"{source} Up to {count(plan.check.n, noun)} were simulated; the rest is extrapolated."
    return source


def unit_sentence(plan: Plan) -> str:
    """What a case is where rows belong together; empty where every row is one."""
    unit = plan.spec.unit
    return f"So many units ({unit}) are needed, however many rows each has." if unit is not None else ""


FEW = 100
"""Cases of a pilot below which that is said."""


def plan_rows(plan: Plan) -> list[dict[str, str]]:
    """How small an error is seen with fewer and with more cases."""
    rows = []
    for step in STEPS:
        n = about(step * plan.cases)
        rows.append({"Cases": f"{n:,}", "Seen 8 times in 10 from": points(plan.detectable(n))})
    return rows


def exact_plan_rows(plan: Plan) -> list[dict[str, object]]:
    """How small an error is seen, in full precision."""
    rows = [about(step * plan.cases) for step in STEPS]
    return [{"cases": n, "smallest detectable": plan.detectable(n)} for n in sorted({*rows, plan.cases})]
