"""How small an error is seen with fewer and more cases than are planned: D80 over n, on axes of powers."""

from calibcore.charts.style import short
from calibcore.questions.plan import Plan
from calibcore.questions.plan.words import size_format
from calibcore.wording import count, plural
from calibcore.words.looking import sentence_case

SEEN = "Seen 8 times in 10 from, points"
SEES, ENOUGH, MATTERS = "seen", "enough", "what would matter to you"
STEPS = 60


def reach(plan: Plan) -> tuple[float, float]:
    """The fewest and the most cases of the axis: around those that are planned."""
    return max(1.0, marked(plan)[0][0] / 3), 3.0 * plan.cases


def seen_over(plan: Plan) -> tuple[list[float], list[float]]:
    """Cases, and the error in points that is seen with them."""
    low, high = reach(plan)
    x = [low * (high / low) ** (k / STEPS) for k in range(STEPS + 1)]
    return x, [100 * plan.detectable(n) for n in x]


def marked(plan: Plan) -> list[tuple[int, float, str, str]]:
    """(cases, points, word, where it stands) of those that see the error, and of those that are enough."""
    enough = (plan.cases, 100 * plan.detectable(plan.cases), ENOUGH, "bottom left")
    sees = plan.cases_to_see
    if sees is None or sees >= plan.cases:
        return [enough]
    return [(sees, 100 * plan.detectable(sees), SEES, "top right"), enough]


def ends(plan: Plan) -> tuple[float, float]:
    """The range of the axis of errors, in points."""
    _, y = seen_over(plan)
    return y[-1] / 1.15, y[0] * 1.15


def across(noun: str) -> str:
    """What runs along the axis of cases."""
    return sentence_case(plural(noun))


def hovers(plan: Plan, noun: str) -> list[tuple[str, ...]]:
    """Of each place that is :func:`marked` what a hand that rests on it reads."""
    size_words = size_format(plan)
    return [
        (short(count(n, noun)), f"seen from {size_words(size / 100)} on") for n, size, _, _ in marked(plan)
    ]
