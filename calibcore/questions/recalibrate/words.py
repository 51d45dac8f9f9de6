"""What recalibration would do: how much better, whether a map is itself off, what it cannot mend."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from calibcore.answers.diagram import bins_table
from calibcore.data.cross_fitted import CROSS_FITTED
from calibcore.data.several_labels import Cases
from calibcore.data.units import FEWEST
from calibcore.questions.recalibrate import MAPS, Look, Method, Recalibration, Split, TemperatureCurve
from calibcore.questions.recalibrate.ask import WORTH
from calibcore.questions.recalibrate.gain import MOST_BRIER, Gain, GainTest
from calibcore.questions.recalibrate.maps.logistic import Logistic
from calibcore.questions.recalibrate.maps.map import RecalibrationMap
from calibcore.questions.recalibrate.maps.scaling import Temperature
from calibcore.transforms.lenses import Lens
from calibcore.wording import count, joined, percent, sentences
from calibcore.words.looking import name_in, sentence_case
from calibcore.words.phrases import number, p_words, points, signed, signed_interval, top_bins
from calibcore.words.reporting import prediction_rows
from calibcore.words.sizes import apart, size_and_ends, typical_size, whose_words
from calibcore.words.tables import Rows
from calibcore.words.temperature import (
    estimate_words,
    leans_against,
    set_words,
    temperature_sentence,
    told_from_1,
)
from calibcore.words.texts import paragraph
from calibcore.words.verdicts import adjusted_p

_text = partial(paragraph, "answer-recalibrate")

ANSWERS = {"worthwhile": "Worthwhile", "not-worthwhile": "Not worthwhile", "cannot-tell": "Cannot tell"}
CANNOT_MEND = _text("cannot mend")
METHOD = _text("method")
CHOSEN = _text("chosen")
NO_TEST = _text("no test")
TOO_FEW = "too few cases for an interval"
"""Said of a gain whose interval holds all that can be."""


def headline(recalibration: Recalibration) -> str:
    """Whether anything is worth doing, and what the gap is before and after; first what no map can know."""
    return sentences(_never(recalibration), _headline(recalibration))


def _never(recalibration: Recalibration) -> str:
    """Which class never happened, or that no answer was wrong, or right; else empty."""
    unseen = recalibration.unseen or ()
    if len(unseen) == 1:
        return _text("class never happened", unseen=f"'{unseen[0]}'")
    if unseen:
        return _text("classes never happened", classes=count(len(unseen), "class"))
    if recalibration.one_sided:
        return _text("all right") if recalibration.accuracy == 1 else _text("all wrong")
    return ""


def _headline(recalibration: Recalibration) -> str:
    worth = best(recalibration)
    if worth is not None:
        before, left = size_and_ends(recalibration.typical_gap), worth.typical_gap
        after = size_and_ends(left) if apart(left) else f"{typical_size(left)}, perhaps to none"
        return f"Recalibration would help: {_called(worth)} takes the typical gap from {before} to {after}."
    if recalibration.methods and all(method.answer == "not-worthwhile" for method in recalibration.methods):
        return (
            "Recalibration is not worthwhile: none of the methods makes the predictions better by as much as "
            f"{percent(WORTH, 0)} of the loss."
        )
    return "These cases cannot tell whether recalibration would help."


def best(recalibration: Recalibration) -> Method | None:
    """The method that the headline names: of those that are worthwhile the first."""
    return next((method for method in recalibration.methods if method.answer == "worthwhile"), None)


def against(recalibration: Recalibration, _fingerprint: str = "") -> str:
    """What was found against the model as it is, in a few words; empty for nothing."""
    return "" if best(recalibration) is None else "recalibration would help"


def evidence_sentences(recalibration: Recalibration) -> list[str]:
    """What the headline rests on: the loss, and what the intervals are; where no method is worthwhile the gap
    by the first of them."""
    worth = best(recalibration)
    if worth is None:
        return [gap_sentence(recalibration, method) for method in recalibration.methods[:1]]
    return [gain_sentence(worth), sentences(*_gap_parts(recalibration, worth)[1:])]


def gap_sentence(recalibration: Recalibration, method: Method) -> str:
    """The typical gap before and after the map of a method."""
    return sentences(*_gap_parts(recalibration, method))


def _gap_parts(recalibration: Recalibration, method: Method) -> tuple[str, str, str]:
    """The gaps, what their intervals are, and how often the model is right."""
    before, after = (size_and_ends(result.typical_gap) for result in (recalibration, method))
    all_rows = "" if recalibration.spec.unit is None or recalibration.n < FEWEST else " of all rows"
    right, then = percent(recalibration.accuracy), percent(method.accuracy)
    accuracy = f"{right} before and after" if right == then else f"{right} before and {then} after"
    return (
        f"Typical gap{all_rows}, {name_in(recalibration)}: {before} before and {after} after the "
        f"{_called(method)} map.",
        f"Intervals of the gap{all_rows} are approximate, at 95\N{NO-BREAK SPACE}%; that after flatters a "
        "little, as folds share cases.",
        f"Right in {accuracy}.",
    )


def class_mix_sentence(recalibration: Recalibration) -> str:
    """Whether another class mix explains what is wrong."""
    if recalibration.class_mix is None:
        return f"Whether it is only the class mix is not tested. {recalibration.class_mix_note}"
    test = recalibration.class_mix
    p = p_words(test.pvalue, test.at_floor)
    if test.pvalue > recalibration.spec.alpha:
        return (
            f"Nothing speaks against another class mix being all that is wrong ({p}): if the model is off, "
            "correcting how common each class is may be enough."
        )
    return f"It is not only the class mix: the model is off beyond how common each class is ({p})."


def split_sentence(recalibration: Recalibration, split: Split, noun: str = "case") -> str:
    """Whether one map, fitted to one part, is itself off, and what chose it."""
    p, on = adjusted_p(split.verdict), f"the other {count(split.judged_on, noun)}"
    fitted = f"{_lower(split.map.label)} map fitted to {count(split.fitted_on, noun)}"
    judged = {
        "miscalibrated": f"The {fitted} is itself off, judged on {on} ({p}).",
        "consistent": f"The {fitted} leaves no sign of miscalibration, judged on {on} ({p}).",
        "cannot-tell": f"Whether the {fitted} is itself off, {on} cannot tell ({p}).",
    }
    return sentences(judged[split.verdict.answer], _chosen_by(recalibration, split))


def _chosen_by(recalibration: Recalibration, split: Split) -> str:
    """What chose the map that is judged, where it is not the one recommended, or where all cases did."""
    if not split.held_out:
        other = f"The cases that fit it chose {_lower(MAPS[split.chosen].label)}." if split.chosen else ""
        return sentences(CHOSEN, other)
    first = best(recalibration) or recalibration.methods[0]
    if first.kind == split.map.kind:
        return ""
    return f"The cases that fit it chose this method; all cases together suggest {_called(first)}."


def answer_words(method: Method) -> str:
    """A method that makes the predictions worse is called that."""
    return f"{ANSWERS[method.answer]}: worse" if is_worse(method) else ANSWERS[method.answer]


def share_words(method: Method) -> str:
    """ "+6.2 (log loss)", "−3.1 (Brier score), worse", "0.0 (log loss)"."""
    share = signed(100 * method.share, 1) if _percent(method) else "0.0"
    return f"{share} ({_score(method)}){', worse' if is_worse(method) else ''}"


def is_worse(method: Method) -> bool:
    """Whether the score was better before, by more than is shown as nothing."""
    return _percent(method) < 0


def _percent(method: Method) -> float:
    """Its gain as it is shown."""
    return round(100 * method.share, 1)


def gain_words(gain: Gain) -> str:
    """A gain and its interval."""
    return signed_interval(gain.value, gain.low, gain.high)


def brier_words(value: float, low: float, high: float) -> str:
    """A gain of the Brier score; no interval where all that can be lies in it."""
    few = _all_that_can_be(low, high)
    return f"{signed(value)} ({TOO_FEW})" if few else signed_interval(value, low, high)


def _all_that_can_be(low: float, high: float) -> bool:
    """Whether an interval of a Brier gain is as wide as the score can differ."""
    return high - low >= MOST_BRIER - 1e-9


def _tested_words(method: Method) -> str:
    """The gain that is tested, with its interval."""
    gain = method.gain
    return (brier_words if method.log_loss is None else signed_interval)(gain.value, gain.low, gain.high)


def by_chance_words(test: GainTest) -> str:
    """What a calibrated model would gain."""
    return f"{signed(test.low_by_chance)} to {signed(test.high_by_chance)}"


def adjusted_words(method: Method, short: bool = False) -> str:
    """Its p; empty where it was not tested."""
    if method.test is None or method.adjusted is None:
        return ""
    return p_words(method.adjusted, method.test.at_floor, short=short)


def refused_sentences(recalibration: Recalibration) -> list[str]:
    """What was not tried and why."""
    return [f"{MAPS[kind].label}: not tried; {why}." for kind, why in recalibration.refused.items()]


def parameters_sentence(recalibration: Recalibration, method: Method) -> str:
    """The parameters of the map that is offered, where few; why a temperature is not the one above."""
    if not isinstance(method.map, Temperature):
        return ""
    own = replace(recalibration.temperature, estimate=method.map.temperature)
    alike = estimate_words(own) == estimate_words(recalibration.temperature)
    why = (
        " A map also has to change a probability of 0: it takes it for "
        f"{percent(method.map.smallest)}, the smallest other one. So its temperature is not the one above."
    )
    return f"Temperature {estimate_words(own)}.{'' if alike else why}"


def map_words(fitted: RecalibrationMap) -> str:
    """A map of a label in a cell, with its numbers where they are few: "Temperature 1.43", "Logistic (Platt):
    log-odds × 1.12 − 0.83"."""
    if isinstance(fitted, Temperature):
        return f"{fitted.label} {told_from_1(fitted.temperature)}"
    if isinstance(fitted, Logistic):  # its own numbers are of the first class: that the label is not true
        return f"{fitted.label}: log-odds × {number(fitted.slope, 2)} {_added(-fitted.intercept)}"
    return fitted.label


def _added(shift: float) -> str:
    return f"{'+' if shift >= 0 else '−'} {abs(shift):.2f}"


def gain_sentence(method: Method) -> str:
    """How much better the method would do on other cases, and whether chance could explain it."""
    start = f"On cases that did not fit it, {_called(method)} {_takes(method)}"
    p = adjusted_words(method)
    if method.test is None or not p:
        return f"{start} Whether chance could explain that is not tested: redrawing it would take too long."
    chance = by_chance_words(method.test)
    return f"{start} A calibrated model would gain {chance}, 9 times in 10 (adjusted {p})."


def _takes(method: Method) -> str:
    """From where to where it takes the score, and the gain with its interval."""
    gain = method.gain
    words = "worse: a gain of" if is_worse(method) else "a gain of"
    interval = f"approximate interval {signed(gain.low)} to {signed(gain.high)}, may be short"
    if method.log_loss is None and _all_that_can_be(gain.low, gain.high):
        interval = TOO_FEW
    return (
        f"takes the {_score(method)} from {gain.before:.4f} to {gain.before - gain.value:.4f} "
        f"({words} {signed(gain.value)}, {interval})."
    )


def _score(method: Method) -> str:
    """In which its gain is tested."""
    return "Brier score" if method.log_loss is None else "log loss"


def _called(method: Method) -> str:
    return _lower(method.map.label)


def _lower(label: str) -> str:
    """ "logistic (Platt)": who found it keeps the capital."""
    return f"{label[:1].lower()}{label[1:]}"


def method_label(method: Method) -> str:
    """What stands below a method's name beside its row: its p, and whether it makes the score worse."""
    p = "not tested" if method.test is None or method.adjusted is None else p_words(method.adjusted)
    return f"{p}, worse" if is_worse(method) else p


SHARES = "Gain, % of the loss"
"""What the figure of all methods shows: each in the score in which it is tested."""


def share_of_loss(method: Method, gain: float) -> float:
    """A gain in percent of the loss before; 0 where there is no loss."""
    before = method.gain.before
    return 100 * gain / before if before > 0 else 0.0


def method_hover(method: Method) -> tuple[str, str, str]:
    """What a hand that rests on a mark reads, in lines."""
    adjusted = adjusted_words(method)
    p = f"adjusted {adjusted}" if adjusted else "not tested"
    gain = f"Gain in {_score(method)} {_tested_words(method)}"
    return method.map.label, f"{answer_words(method)}, {p}", gain


def figure_sentence(recalibration: Recalibration) -> str:
    """The figure of all methods in words, for who cannot see it."""
    if not recalibration.methods:
        return "None of the methods fits these data."
    worth = [_called(method) for method in recalibration.methods if method.answer == "worthwhile"]
    tried = count(len(recalibration.methods), "method")
    words = f"{tried} tried, none clearly worthwhile."
    if worth:
        words = (
            f"{len(worth)} of {tried} {'is' if len(worth) == 1 else 'are'} worthwhile: {', '.join(worth)}."
        )
    return sentences(words, _worse(recalibration))


def _worse(recalibration: Recalibration) -> str:
    """Which methods made these predictions worse; else empty."""
    worse = [_called(method) for method in recalibration.methods if is_worse(method)]
    if not worse:
        return ""
    verb = "makes it" if len(worse) == 1 else "make it"
    return f"{sentence_case(joined(worse))} {verb} worse here: the score was better before."


AFTER = "recalibrated, fold by fold"
"""Said of marks of cross-fitted predictions."""


def before_after_sentence(look: Look, lens: Lens) -> str:
    """What the two diagrams show, without any test of the second, and of what; ``lens`` is that of the gaps.

    Of more than two classes there is no such figure: it shows the confidence.
    """
    before, after = (
        points(float(abs(diagram.deviation) @ diagram.counts / diagram.counts.sum()))
        for diagram in (look.before, look.after)
    )
    other = "" if look.spec.lens == lens else f"The typical gap is of {lens.phrase()}, not of these bins."
    return sentences(
        f"{whose_words(look.spec.lens)} {before} off on average over the bins before and {after} after.",
        other,
        "The marks after have no bars, as outcomes of these cases helped to make them.",
    )


def before_after_rows(look: Look, exact: bool = False) -> Rows:
    """The bins of both diagrams, one below the other."""
    return [
        {"Which": words} | row
        for words, diagram in (("as it is", look.before), (AFTER, look.after))
        for row in bins_table(diagram).rows(exact)
    ]


def of_temperature(recalibration: Recalibration) -> str:
    """What stands beside the verdict on these cases, too."""
    return temperature_sentence(recalibration.temperature, recalibration.confidence, recalibration.spec.alpha)


def curve_sentence(recalibration: Recalibration) -> str:
    """What the curve of the temperature shows."""
    of_set = recalibration.temperature
    least = f"The log loss is least at a temperature of {estimate_words(of_set)}."
    if of_set.empty:
        return f"{least} No temperature explains what happened."
    if leans_against(of_set, recalibration.confidence):
        return f"{least} No one temperature mends it."
    low, high = set_words(of_set)
    inside = "is among them" if of_set.low <= 1 <= of_set.high else "is not among them"
    ends = "The ends are approximate, as there are so many cases." if of_set.approximate_ends else ""
    return sentences(f"{least} Those from {low} to {high} fit what happened; 1, no change, {inside}.", ends)


def curve_rows(curve: TemperatureCurve, exact: bool = False) -> Rows:
    """The curve as numbers."""
    step = 1 if exact else 4
    pairs = zip(curve.temperatures.tolist()[::step], curve.log_loss.tolist()[::step], strict=True)
    if exact:
        return [{"temperature": t, "log loss": loss} for t, loss in pairs]
    return [{"Temperature": f"{t:.3g}", "Log loss": f"{loss:.4f}"} for t, loss in pairs]


def example_rows(look: Look, class_names: Sequence[str], noun: str = "case", exact: bool = False) -> Rows:
    """Three cases before and after: their likeliest classes, and what happened."""
    if exact:
        return [
            {"row": example.row + 1, "happened": class_names[example.label]}
            | {f"before, {name}": p for name, p in zip(class_names, example.before, strict=True)}
            | {f"after, {name}": p for name, p in zip(class_names, example.after, strict=True)}
            for example in look.examples
        ]
    names, alone = tuple(class_names), look.recalibrated.confidence_only

    def says(probs: Sequence[float]) -> str:
        return f"{percent(probs[0])} sure" if alone else top_bins(list(probs), names)

    return [
        {
            sentence_case(noun): f"{example.row + 1:,}",
            "The model says": says(example.before),
            "Recalibrated": says(example.after),
            "It was": class_names[example.label],
        }
        for example in look.examples
    ]


def recalibrated_title(title: str, kind: str) -> str:
    """What a recalibrated model is called: "net, recalibrated (temperature)"."""
    return f"{title}, recalibrated ({_lower(MAPS[kind].label)})"


def recalibrated_rows(p: Cases) -> Rows:
    """One row a case, to be read again: probabilities, the label, and all other columns; one marks them."""
    columns = {name: values.tolist() for name, values in p.metadata.items()}
    return [
        row | {name: values[i] for name, values in columns.items() if name not in row}
        for i, row in enumerate(prediction_rows(p))
    ]


MARKED = _text("marked", column=CROSS_FITTED)
MAP_OF_ALL = _text("map of all")
TOO_FEW_TO_SPLIT = _text("too few to split")
