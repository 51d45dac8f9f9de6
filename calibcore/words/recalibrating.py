"""What recalibration would do: how much better, whether a map may be believed, what it cannot mend."""

from collections.abc import Sequence

from calibcore.data.cross_fitted import CROSS_FITTED
from calibcore.data.predictions import Predictions
from calibcore.questions.recalibrate import MAPS, Look, Method, Recalibration, Split, TemperatureCurve
from calibcore.questions.recalibrate.maps.scaling import Temperature
from calibcore.wording import count, percent
from calibcore.words.lens_names import name_in
from calibcore.words.phrases import p_words, points, signed, signed_interval, top_bins
from calibcore.words.reporting import prediction_rows
from calibcore.words.results import reliability_rows
from calibcore.words.sizes import gap_cell, typical_digits
from calibcore.words.temperature import (
    estimate_words,
    leans_against,
    set_words,
    temperature_sentence,
)
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
    "gain is exact: outcomes are redrawn from the original probabilities and every fold is fitted anew, "
    "nearly so where a whole fit takes long. It is adjusted for the number of methods (Holm). So of 100 "
    "calibrated models at most 5 have any method that is called worthwhile. "
    "The interval of a gain is approximate, and too short where there is next to no gain."
)
CHOSEN = "Which method is shown was chosen with all cases in view, so confirm it on others."
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
            f"Recalibration would help: {best.map.label.lower()} takes the {_score(best)} "
            f"from {best.gain.before:.4f} to {best.gain.before - best.gain.value:.4f} "
            f"(a gain of {_gain(best)})."
        )
    if found.methods and all(method.answer == "not-worthwhile" for method in found.methods):
        return "Recalibration is not worthwhile: none of the methods makes the predictions clearly better."
    return "These cases cannot tell whether recalibration would help."


def gap_sentence(found: Recalibration, method: Method) -> str:
    """The typical gap before and after."""
    digits = typical_digits([found.typical_gap, method.typical_gap])
    before, after = (gap_cell(one.typical_gap, digits) for one in (found, method))
    right, then = percent(found.accuracy), percent(method.accuracy)
    accuracy = f"{right} before and after" if right == then else f"{right} before and {then} after"
    return (
        f"Typical gap, {name_in(found)}: {before} before and {after} after. Intervals are approximate, "
        f"at 95\N{NO-BREAK SPACE}%; that after flatters a little, as folds share cases. Right in {accuracy}."
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


def split_sentence(split: Split, noun: str = "case") -> str:
    """Whether one map, fitted to one part, may be believed."""
    verdict = split.verdict
    p = adjusted_p(verdict)
    fitted = f"The {split.map.label.lower()} map fitted to {count(split.fitted_on, noun)}"
    on = f"the other {count(split.judged_on, noun)}"
    if verdict.answer == "miscalibrated":
        return f"{fitted} is itself off, judged on {on} ({p})."
    if verdict.answer == "consistent":
        return f"{fitted} may be believed: {on} show no sign of miscalibration ({p}). {CHOSEN}"
    return (
        f"Whether the map fitted to {count(split.fitted_on, noun)} may be believed, {on} cannot tell ({p})."
    )


def method_rows(found: Recalibration) -> list[dict[str, str]]:
    """One row a method, the largest gain first."""
    digits = typical_digits([method.typical_gap for method in found.methods])
    return [
        {
            "Method": method.map.label,
            "Answer": ANSWERS[method.answer],
            "Brier gain": signed_interval(method.brier.value, method.brier.low, method.brier.high),
            "Log loss gain": "–"
            if method.log_loss is None
            else signed_interval(method.log_loss.value, method.log_loss.low, method.log_loss.high),
            "By chance": "–"
            if method.test is None
            else f"{signed(method.test.low_by_chance)} to {signed(method.test.high_by_chance)}",
            "Adjusted p": "–"
            if method.test is None or method.adjusted is None
            else p_words(method.adjusted, method.test.at_floor, short=True),
            "Typical gap after": gap_cell(method.typical_gap, digits),
            "Remark": method.note,
        }
        for method in found.methods
    ]


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
        return f"Temperature {method.map.temperature:.3g}."
    return ""


def gain_sentence(method: Method) -> str:
    """How much better the method would do on other cases, and whether chance could explain it."""
    found = method.gain
    start = (
        f"On cases that did not fit it, {_called(method)} takes the {_score(method)} "
        f"from {found.before:.4f} to {found.before - found.value:.4f} (a gain of {_gain(method)})."
    )
    if method.test is None or method.adjusted is None:
        return f"{start} Whether chance could explain that is not tested: redrawing it would take too long."
    test = method.test
    chance = f"{signed(test.low_by_chance)} to {signed(test.high_by_chance)}"
    p = p_words(method.adjusted, test.at_floor)
    return f"{start} A calibrated model would gain {chance}, 9 times in 10 (adjusted {p})."


def _gain(method: Method) -> str:
    """With its interval."""
    return f"{signed(method.gain.value)}, interval {signed(method.gain.low)} to {signed(method.gain.high)}"


def _score(method: Method) -> str:
    """In which its gain is tested."""
    return "Brier score" if method.log_loss is None else "log loss"


def _called(method: Method) -> str:
    label = method.map.label
    return f"{label[:1].lower()}{label[1:]}"


def method_label(method: Method) -> str:
    """What stands below a method's name beside its row: its p."""
    if method.test is None or method.adjusted is None:
        return "not tested"
    return p_words(method.adjusted)


SHARES = "Gain, % of the loss"
"""What the figure of all methods shows: each in the score in which it is tested."""


def share_of_loss(method: Method, gain: float) -> float:
    """A gain in percent of the loss before; 0 where there is no loss."""
    before = method.gain.before
    return 100 * gain / before if before > 0 else 0.0


def method_hover(method: Method) -> str:
    """What a hand that rests on a mark reads; plain text of ours alone."""
    found = method.gain
    p = (
        "not tested"
        if method.test is None or method.adjusted is None
        else f"adjusted {p_words(method.adjusted, method.test.at_floor)}"
    )
    gain = signed_interval(found.value, found.low, found.high)
    return f"{method.map.label}<br>{ANSWERS[method.answer]}, {p}<br>Gain in {_score(method)} {gain}"


def figure_sentence(found: Recalibration) -> str:
    """The figure of all methods in words, for who cannot see it."""
    if not found.methods:
        return "None of the methods fits these data."
    worth = [_called(method) for method in found.methods if method.answer == "worthwhile"]
    tried = count(len(found.methods), "method")
    if not worth:
        return f"{tried} tried, none clearly worthwhile."
    return f"{len(worth)} of {tried} {'is' if len(worth) == 1 else 'are'} worthwhile: {', '.join(worth)}."


AFTER = "recalibrated, fold by fold"
"""Said of marks of cross-fitted predictions."""


def before_after_sentence(look: Look) -> str:
    """What the two diagrams show, without any test of the second."""
    sizes = [
        float(abs(diagram.deviation) @ diagram.counts / diagram.counts.sum())
        for diagram in (look.before, look.after)
    ]
    return (
        f"Bin by bin the probabilities are {points(sizes[0])} off on average before and {points(sizes[1])} "
        "after. The marks after have no bars, as outcomes of these cases helped to make them."
    )


def before_after_rows(look: Look, exact: bool = False) -> list[dict[str, object]]:
    """The bins of both diagrams, one below the other."""
    return [
        {"Which": words} | row
        for words, diagram in (("as it is", look.before), (AFTER, look.after))
        for row in reliability_rows(diagram, exact=exact)
    ]


def of_temperature(found: Recalibration) -> str:
    """What stands beside the verdict on these cases, too."""
    return temperature_sentence(found.temperature, found.confidence)


def curve_sentence(found: Recalibration) -> str:
    """What the curve of the temperature shows."""
    of_set = found.temperature
    least = f"The log loss is least at a temperature of {estimate_words(of_set)}."
    if of_set.empty:
        return f"{least} No temperature explains what happened."
    if leans_against(of_set, found.confidence):
        return f"{least} No one temperature mends it."
    low, high = set_words(of_set)
    inside = "is among them" if of_set.low <= 1 <= of_set.high else "is not among them"
    return f"{least} Those from {low} to {high} fit what happened; 1, no change, {inside}."


def curve_rows(curve: TemperatureCurve, exact: bool = False) -> list[dict[str, object]]:
    """The curve as numbers."""
    step = 1 if exact else 4
    pairs = zip(curve.temperatures.tolist()[::step], curve.log_loss.tolist()[::step], strict=True)
    if exact:
        return [{"temperature": t, "log loss": loss} for t, loss in pairs]
    return [{"Temperature": f"{t:.3g}", "Log loss": f"{loss:.4f}"} for t, loss in pairs]


def example_rows(
    look: Look, class_names: Sequence[str], noun: str = "case", exact: bool = False
) -> list[dict[str, object]]:
    """Three cases before and after: their likeliest classes, and what happened."""
    if exact:
        return [
            {"row": one.row + 1, "happened": class_names[one.label]}
            | {f"before, {name}": p for name, p in zip(class_names, one.before, strict=True)}
            | {f"after, {name}": p for name, p in zip(class_names, one.after, strict=True)}
            for one in look.examples
        ]
    names = tuple(class_names)
    return [
        {
            noun[:1].upper() + noun[1:]: f"{one.row + 1:,}",
            "The model says": top_bins(list(one.before), names),
            "Recalibrated": top_bins(list(one.after), names),
            "It was": class_names[one.label],
        }
        for one in look.examples
    ]


def recalibrated_title(title: str, kind: str) -> str:
    """What a recalibrated model is called: "net, recalibrated (temperature)"."""
    return f"{title}, recalibrated ({MAPS[kind].label.lower()})"


def recalibrated_rows(p: Predictions) -> list[dict[str, object]]:
    """One row a case, to be read again: probabilities, the label, and all other columns; one marks them."""
    rows = prediction_rows(p)
    return [
        row | {name: values[i] for name, values in columns.items() if name not in row}
        for columns in ({name: values.tolist() for name, values in p.metadata.items()},)
        for i, row in enumerate(rows)
    ]


MARKED = (
    f"The column '{CROSS_FITTED}' marks the file: each case was recalibrated by a map that was fitted to "
    "other cases of the same file. Read here again it is known by it, and no test is made."
)
MAP_OF_ALL = (
    "This map is fitted to all cases. It is for cases to come, and carries no p-value: test it on cases that "
    "did not fit it."
)
TOO_FEW_TO_SPLIT = "There are too few cases to fit a map to one part and to judge it on the other."
