"""What recalibration would do: how much better, whether a map may be believed, what it cannot mend."""

from calibcore.assessment.temperature_set import TemperatureSet
from calibcore.numerics.tempering import LEAST, MOST
from calibcore.questions.recalibrate import MAPS, Method, Recalibration, Split
from calibcore.questions.recalibrate.maps.temperature import Temperature
from calibcore.wording import count, percent
from calibcore.words.phrases import p_words
from calibcore.words.sizes import typical_digits, typical_words
from calibcore.words.verdicts import adjusted_p

ANSWERS = {
    "worthwhile": "Worthwhile",
    "not-worthwhile": "Not worthwhile",
    "cannot-tell": "Cannot tell",
}
CANNOT_MEND = (
    "Recalibration changes how sure a model is. It does not make it right more often. It does not mend "
    "groups that are off in different ways, and it does not last when the data change."
)
METHOD = (
    "Every fold is changed by what was fitted to the other folds, so that no case judges itself. The p of a "
    "gain is exact: outcomes are redrawn from the original probabilities and everything is fitted anew. "
    "The interval of a gain is approximate, and too short where there is next to no gain."
)
NO_TEST = (
    "The recalibrated probabilities of these cases are not tested: outcomes of the same cases made them. "
    "A test would find too little."
)


def headline(found: Recalibration) -> str:
    """Whether anything is worth doing."""
    worth = [method for method in found.methods if method.answer == "worthwhile"]
    if worth:
        best = worth[0]
        return (
            f"Recalibration would help: {best.map.label.lower()} takes the Brier score "
            f"from {best.brier.before:.4f} to {best.brier.before - best.brier.value:.4f}."
        )
    if found.methods and all(method.answer == "not-worthwhile" for method in found.methods):
        return "Recalibration is not worthwhile: none of the methods makes the predictions clearly better."
    return "These cases cannot tell whether recalibration would help."


def gap_sentence(found: Recalibration, method: Method) -> str:
    """The typical gap before and after."""
    digits = typical_digits([found.typical_gap, method.typical_gap])
    before, after = (typical_words(gap, digits)[0] for gap in (found.typical_gap, method.typical_gap))
    return (
        f"Typical gap {before} before and {after} after; right in {percent(found.accuracy)} before and "
        f"{percent(method.accuracy)} after."
    )


def temperature_sentence(found: TemperatureSet) -> str:
    """What temperature would explain what happened, if the model is only too sure or too unsure."""
    p = p_words(found.pvalue, found.at_floor)
    if found.empty:
        return f"No temperature explains what happened (too sure or too unsure: {p})."
    low = f"{found.low:.2g}" if found.low > LEAST else f"below {LEAST:g}"
    high = f"{found.high:.2g}" if found.high < MOST else f"above {MOST:g}"
    way = "overconfidence" if found.score < 0 else "underconfidence"
    if found.low <= 1 <= found.high:
        return f"A temperature of 1, no change, fits what happened ({low} to {high} do; {p})."
    return (
        f"A temperature of {found.estimate:.2g} ({low} to {high}) would mend it, if {way} is all that is "
        f"wrong ({p})."
    )


def class_mix_sentence(found: Recalibration) -> str:
    """Whether another class mix explains what is wrong."""
    if found.class_mix is None:
        return f"Whether it is only the class mix is not tested. {found.class_mix_note}"
    test = found.class_mix
    p = p_words(test.pvalue, test.at_floor)
    if test.pvalue > found.spec.alpha:
        return (
            f"Nothing speaks against another class mix being all that is wrong ({p}): if the model is off, "
            "correcting how common each class is may be enough."
        )
    return f"It is not only the class mix: the model is off beyond how common each class is ({p})."


def split_sentence(split: Split) -> str:
    """Whether one map, fitted to one part, may be believed."""
    verdict = split.verdict
    p = adjusted_p(verdict)
    fitted = f"The {split.map.label.lower()} map fitted to {count(split.fitted_on, 'case')}"
    on = f"the other {count(split.judged_on, 'case')}"
    if verdict.answer == "miscalibrated":
        return f"{fitted} is itself off, judged on {on} ({p})."
    if verdict.answer == "consistent":
        return f"{fitted} may be believed: {on} show no sign of miscalibration ({p})."
    return (
        f"Whether the map fitted to {count(split.fitted_on, 'case')} may be believed, {on} cannot tell ({p})."
    )


def method_rows(found: Recalibration) -> list[dict[str, str]]:
    """One row a method, the largest gain first."""
    digits = typical_digits([method.typical_gap for method in found.methods])
    return [
        {
            "Method": method.map.label,
            "Answer": ANSWERS[method.answer],
            "Brier gain": _gain(method.brier.value, method.brier.low, method.brier.high),
            "Log loss gain": "–"
            if method.log_loss is None
            else _gain(method.log_loss.value, method.log_loss.low, method.log_loss.high),
            "By chance": "–"
            if method.test is None
            else f"{_signed(method.test.low_by_chance)} to {_signed(method.test.high_by_chance)}",
            "Adjusted p": "–"
            if method.test is None or method.adjusted is None
            else p_words(method.adjusted, method.test.at_floor, short=True),
            "Typical gap after": typical_words(method.typical_gap, digits)[0],
            "Remark": method.note,
        }
        for method in found.methods
    ]


def _gain(value: float, low: float, high: float) -> str:
    return f"{_signed(value)} ({_signed(low)} to {_signed(high)})"


def _signed(value: float) -> str:
    return f"{value:+z.4f}".replace("-", "−")


def exact_method_rows(found: Recalibration) -> list[dict[str, object]]:
    """Methods in full precision."""
    return [
        {
            "method": method.kind,
            "answer": method.answer,
            "Brier gain": method.brier.value,
            "Brier gain, low": method.brier.low,
            "Brier gain, high": method.brier.high,
            "log loss gain": method.log_loss and method.log_loss.value,
            "p": method.test and method.test.pvalue,
            "adjusted p": method.adjusted,
            "typical gap after": method.typical_gap.value,
            "accuracy after": method.accuracy,
        }
        for method in found.methods
    ]


def refused_sentences(found: Recalibration) -> list[str]:
    """What was not tried and why."""
    return [f"{MAPS[kind].label}: not tried; {why}." for kind, why in found.refused.items()]


def parameters_sentence(method: Method) -> str:
    """The parameters of the map that is offered, where they are few."""
    if isinstance(method.map, Temperature):
        return f"Temperature {method.map.temperature:.3g}, fitted to all cases."
    return ""
