"""What a comparison comes to: which model is better calibrated, which scores better, what each leaves out."""

from collections.abc import Sequence
from functools import partial

from calibcore.data.predictions import Predictions
from calibcore.questions.compare import ComparedModel, Comparison, Nested, Pair, SharedBin
from calibcore.questions.compare.by_bin import Side
from calibcore.questions.compare.score_differences import ScoreDifference
from calibcore.wording import count, joined, percent, plural, quote, quoted
from calibcore.words.phrases import above_zero, p_words, signed, signed_interval, signed_range
from calibcore.words.sizes import size_and_ends, typically_off
from calibcore.words.texts import paragraph

_text = partial(paragraph, "answer-compare")

BETTER_IS_NOT_ALL = _text("better is not all")
DIFFERENCE = "Difference (first minus second), 95 % interval"
"""Head of a column."""
DIFFERENCES = "Differences are first minus second."
UNIT = "\N{NO-BREAK SPACE}%"
BY_BETTING = "by betting"
"""Beside an interval that holds at any number of cases."""
METHOD = _text("method")
SCORES_METHOD = _text("scores method", by_betting=BY_BETTING)
NESTED_METHOD = _text("nested method")


def headline(comparison: Comparison) -> str:
    """Which model is better calibrated and how sure that is, as far as these cases can tell."""
    first, *rest = comparison.by_gap
    alpha = comparison.spec.alpha
    clear, open_ = _told_apart(comparison)
    if not clear:
        if len(rest) == 1:
            both = quoted([first.name, rest[0].name], "or")
            return f"These cases cannot tell which is better calibrated, {both}{_sure(comparison, open_)}."
        if not any(pair.rejects(alpha) for pair in comparison.pairs):
            return f"These cases cannot tell which of the {len(rest) + 1} models is better calibrated."
        names = quoted(open_, "or")
        return f"These cases cannot tell whether '{first.name}' is better calibrated than {names}."
    sentence = f"'{first.name}' is better calibrated than {quoted(clear)}{_sure(comparison, clear)}."
    return f"{sentence} These cases cannot tell it from {quoted(open_)}." if open_ else sentence


def against(comparison: Comparison, fingerprint: str) -> str:
    """What was found against the model of these predictions, in a few words; empty for nothing."""
    for place, model in enumerate(comparison.by_gap):
        if model.diagnosis.fingerprint != fingerprint:
            continue
        if model.verdict.answer == "miscalibrated":
            return "miscalibrated"
        better = (comparison.pair(model.name, other.name) for other in comparison.by_gap[:place])
        if any(pair.rejects(comparison.spec.alpha) for pair in better):
            return "another model is better calibrated"
    return ""


def size_sentence(comparison: Comparison) -> str:
    """How far off the model is that is better calibrated, against the other where there is one; empty where
    none is told apart."""
    first, *rest = comparison.by_gap
    if not _told_apart(comparison)[0]:
        return ""
    whose = comparison.spec.lens.within.whose()
    size = f"With '{first.name}', {whose[:1].lower()}{whose[1:]} {typically_off(first.verdict.typical_gap)}"
    against = f" against {size_and_ends(rest[0].verdict.typical_gap)}" if len(rest) == 1 else ""
    return f"{size}{against}."


def _told_apart(comparison: Comparison) -> tuple[list[str], list[str]]:
    """Of the models behind the first those that it is better calibrated than, and those one cannot tell."""
    first, *rest = comparison.by_gap
    alpha = comparison.spec.alpha
    clear = [o.name for o in rest if comparison.pair(first.name, o.name).rejects(alpha)]
    return clear, [o.name for o in rest if o.name not in clear]


def _sure(comparison: Comparison, names: Sequence[str]) -> str:
    """ " (adjusted p = 0.0012)" of the first model against these, of several the largest; empty where one has
    none."""
    first = comparison.by_gap[0]
    known = [comparison.pair(first.name, name).adjusted for name in names]
    ps = [above_zero(p) for p in known if p is not None]
    if len(ps) < len(known) or not ps:
        return ""
    words = p_words(max(ps), bound=len(ps) > 1, alpha=comparison.spec.alpha)
    return f" (adjusted {words})"


def best_score(comparison: Comparison) -> str:
    """Which model has the least Brier score, and whether that of the others could be as small."""
    if any(pair.brier is None for pair in comparison.pairs):
        return ""
    first, *worse = sorted(comparison.models, key=lambda model: model.diagnosis.scores["brier"])
    behind = [model.name for model in worse if _worse(comparison.pair(first.name, model.name))]
    rest = [model.name for model in worse if model.name not in behind]
    by_brier = "By the Brier score, which also counts how well cases are told apart,"
    if not behind:
        return f"{by_brier} none is clearly ahead."
    best = f"{by_brier} '{first.name}' is best"
    if first.name == comparison.by_gap[0].name:
        best = f"'{first.name}' also has the least Brier score"
    ending = f" {quoted(rest)} may be as good." if rest else ""
    score = f"{first.diagnosis.scores['brier']:.3f}"
    better = [*behind, *_beaten(comparison, first)]
    less = _right_less_often(comparison, first, better)
    but = f", but {less}" if less else ""
    return f"{best} ({score}), clearly less than {quoted(behind)}{but}.{ending}"


def accuracy_caution(comparison: Comparison) -> str:
    """That the better calibrated model is clearly right less often, where :func:`best_score` does not say so;
    else empty."""
    first = comparison.by_gap[0]
    less = _right_less_often(comparison, first, _beaten(comparison, first))
    return f"But '{first.name}' {less}." if less and less not in best_score(comparison) else ""


def _beaten(comparison: Comparison, model: ComparedModel) -> list[str]:
    """The models that the headline says it is better calibrated than."""
    return _told_apart(comparison)[0] if model is comparison.by_gap[0] else []


def _right_less_often(comparison: Comparison, model: ComparedModel, beaten: Sequence[str]) -> str:
    """ "is right less often (58.7 against 59.9 %)" where the model clearly is than some of those that it is
    said to be better than, which are named where there are more models; else empty."""
    behind = [other for other in comparison.models if other.name in beaten]
    ahead = [other for other in behind if _more_right(comparison, other, model)]
    if not ahead:
        return ""
    than = f" than {quoted([other.name for other in ahead])}" if len(comparison.models) > 2 else ""
    own = _accuracy(model).removesuffix(UNIT)
    return f"is right less often{than} ({own} against {joined([_accuracy(other) for other in ahead])})"


def _more_right(comparison: Comparison, other: ComparedModel, model: ComparedModel) -> bool:
    """Whether the other is clearly right more often, by McNemar's test, adjusted for the number of pairs."""
    pair = comparison.pair(model.name, other.name)
    difference = pair.accuracy.difference if pair.a == other.name else -pair.accuracy.difference
    return difference > 0 and pair.accuracy_adjusted <= comparison.spec.alpha


def _accuracy(model: ComparedModel) -> str:
    return percent(model.diagnosis.scores["accuracy"])


def _worse(pair: Pair) -> bool:
    """Whether the interval of the Brier difference leaves 0 out."""
    return pair.brier is not None and (pair.brier.low > 0 or pair.brier.high < 0)


def pair_sentence(comparison: Comparison, pair: Pair) -> str:
    """What differs between two models: how far off each is, and whether chance could explain it."""
    if pair.same:
        return f"'{pair.a}' and '{pair.b}' say the same in every case: they are one model."
    closer, farther = (model for model in comparison.by_gap if model.name in (pair.a, pair.b))
    sizes = " against ".join(size_and_ends(model.verdict.typical_gap) for model in (closer, farther))
    if pair.gap is None or pair.adjusted is None:
        return (
            f"Whether '{closer.name}' is better calibrated than '{farther.name}' is not tested: "
            f"{pair.gap_withheld}. Their typical gaps are {sizes}."
        )
    p = f"adjusted {p_words(above_zero(pair.adjusted), alpha=comparison.spec.alpha)}"
    if pair.rejects(comparison.spec.alpha):
        return f"'{closer.name}' is better calibrated than '{farther.name}': {sizes}, {p}."
    return f"These cases cannot tell '{closer.name}' from '{farther.name}': {sizes}, {p}."


def nested_sentence(comparison: Comparison, nested: Nested) -> str:
    """Whether another model adds to what this one says: it may know more, or be less wrong.

    No verdict tells which. It sees smaller errors less often than this test, and through one lens alone.
    """
    p = f"adjusted {p_words(nested.adjusted, nested.at_floor, alpha=comparison.spec.alpha)}"
    if nested.refuted:
        return f"'{nested.model}' called impossible what happened: no other model is needed to refute it."
    if nested.rejects(comparison.spec.alpha):
        why = f"It may be information that '{nested.model}' leaves out, or an error of its own probabilities."
        if _off(comparison, nested.model):
            why = f"As '{nested.model}' is miscalibrated, that need not be information that it leaves out."
        return (
            f"'{nested.given}' adds to what '{nested.model}' says ({p}): a mixture of both should predict "
            f"better than '{nested.model}' alone. {why}"
        )
    return f"There is no sign that '{nested.given}' holds information that '{nested.model}' leaves out ({p})."


def _off(comparison: Comparison, name: str) -> bool:
    """Whether a model was found miscalibrated: then another may better it without knowing more."""
    return any(m.name == name and m.verdict.answer == "miscalibrated" for m in comparison.models)


def not_told_apart(comparison: Comparison, model: ComparedModel) -> str:
    """The other models that these cases cannot tell it from, by typical gap; "–" for none."""
    names = [
        other.name
        for other in comparison.by_gap
        if other is not model and not comparison.pair(model.name, other.name).rejects(comparison.spec.alpha)
    ]
    return joined(names) or "–"


def better(comparison: Comparison, pair: Pair) -> str:
    """The better calibrated of two models in a cell."""
    if not pair.rejects(comparison.spec.alpha):
        return "cannot tell"
    assert pair.gap is not None
    return pair.a if pair.gap.difference < 0 else pair.b


def difference(score_difference: ScoreDifference | None) -> str:
    """A difference of scores in a cell, with its interval; "–" where it is not given."""
    if score_difference is None:
        return "–"
    interval = signed_interval(score_difference.difference, score_difference.low, score_difference.high)
    return f"{interval}, {BY_BETTING}" if score_difference.by_betting else interval


def left_out(comparison: Comparison, nested: Nested) -> str:
    """Whether a model leaves something out, in a cell."""
    if not nested.rejects(comparison.spec.alpha):
        return "no sign of it"
    return f"is {'miscalibrated' if _off(comparison, nested.model) else 'off'}, or leaves something out"


def joined_sentence(comparison: Comparison) -> str:
    """How rows of the files became cases, and what stands after a score."""
    rows = "The rows of all models stand in one order, with the same labels."
    if comparison.joined_by is not None:
        rows = f"Rows were joined by the column {quote(comparison.joined_by)}."
    return f"{rows} After ± stands one standard error."


def right_words(pair: Pair, n: int) -> str:
    """How often each is right alone."""
    return (
        f"'{pair.a}' alone is right in {pair.accuracy.only_a:,} cases ({percent(pair.accuracy.only_a / n)}), "
        f"'{pair.b}' alone in {pair.accuracy.only_b:,}."
    )


def withheld_words(pair: Pair) -> str:
    """Which differences of scores are not given, and why; empty where all are."""
    if pair.scores_withheld:
        return f"Differences of scores are not given: {pair.scores_withheld}."
    if pair.log_withheld:
        return f"The difference of the log loss is not given: {pair.log_withheld}."
    return ""


def bins_sentence(bins: Sequence[SharedBin], names: tuple[str, str]) -> str:
    """In how many of the bins that two models share each lies outside what chance allows."""
    sides = [[side for side in shown if side] for shown in zip(*((s.a, s.b) for s in bins), strict=True)]
    parts = [
        f"'{name}' lies outside its bar in {sum(side.outside for side in shown)} of "
        f"{count(len(shown), 'bin')}"
        for name, shown in zip(names, sides, strict=True)
    ]
    return f"{parts[0]}, {parts[1]}. The bars are one bin at a time."


def predicted(shared: SharedBin) -> str:
    """Which predictions a bin holds: "20 % to 40 %"."""
    return f"{percent(shared.start, 0)} to {percent(shared.end, 0)}"


def bin_hover(shared: SharedBin, side: Side, name: str, noun: str = "case") -> tuple[str, ...]:
    """What a hand that rests on a mark reads, in lines."""
    return (
        name,
        f"Says {predicted(shared)}, {count(side.cases, noun)}",
        f"Happens {signed(100 * side.deviation, 1)} points more often",
        f"If calibrated, {signed_range(side.low, side.high)}",
    )


def only_one(noun: str) -> str:
    """Said where there is nothing to compare with."""
    return (
        f"A comparison needs another model of the same {plural(noun)}, with the same labels. "
        "Drop one or several above."
    )


def no_comparison(p: Predictions, noun: str) -> str:
    """Said in place of a comparison where cases are weighted or recalibrated, or labels pooled."""
    if p.weights is None and p.case_of is not None:
        return (
            f"The labels of one {noun} depend on each other, so models are not compared by all of them "
            "together. Choose a label."
        )
    if p.cross_fitted:
        return (
            f"These probabilities were recalibrated on these same {plural(noun)}: nothing is tested on them, "
            "so models are not compared. What recalibration gains is on Improve, of the model as it was."
        )
    return (
        f"These {plural(noun)} are weighted: nothing says how weighted outcomes vary by chance, so models "
        "are not compared."
    )


def not_compared(title: str, why: str) -> str:
    """A model that is loaded and left out, and why."""
    return f"{title} is not compared: {why}"
