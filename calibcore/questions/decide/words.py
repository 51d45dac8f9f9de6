"""What the probabilities are worth at a threshold, in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from calibcore.data.predictions import Predictions
from calibcore.diagram.gap_sizes import Interval
from calibcore.questions.decide import AtThreshold, Decisions, Sets
from calibcore.questions.decide.ask import first_threshold
from calibcore.questions.decide.guarantee import MOST_NEEDED, Guarantee
from calibcore.questions.decide.promise_at_prevalence import GuaranteeAtPrevalence
from calibcore.questions.decide.result import Promise
from calibcore.questions.plan import about
from calibcore.settings import lens_to_words
from calibcore.transforms.lenses import AtLeastLens, ClassLens
from calibcore.wording import count, percent, plural
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import exact_percent, p_words
from calibcore.words.repeating import quoted
from calibcore.words.sizes import APPROXIMATE, interval_words
from calibcore.words.texts import paragraph

_text = partial(paragraph, "answer-decide")

NEARLY = 1.2
"""So many times the wrong answers that a target allows still nearly reach it: a choice."""
MOST_GROUPS_SAID = 4
"""Groups that a sentence names; a table has all."""

METHOD = _text("method")
BEFOREHAND = _text("beforehand")
PREVALENCE = _text("prevalence")
PREVALENCE_TARGET = _text("prevalence-target")


def headline(decisions: Decisions, noun: str = "case") -> str:
    """What acting at a threshold comes to in counted cases; of all thresholds the one that is told first."""
    if not any(point.treated.cases for point in decisions.thresholds):
        what = "accepted" if decisions.spec.lens.within.answers else "treated"
        range_text = range_words([point.threshold for point in decisions.thresholds])
        return f"The model is never so sure: nothing is {what} at thresholds of {range_text}."
    return counted_sentence(decisions, first_threshold(decisions), noun)


def counted_sentence(decisions: Decisions, point: AtThreshold, noun: str = "case") -> str:
    """:func:`frequency_sentence`, and from which threshold on one acts: "At a threshold of 20 %, of 100
    patients 34 are treated, …"."""
    counted = frequency_sentence(decisions, point, noun)
    if not point.treated.cases:
        return counted
    return f"At a threshold of {exact_percent(point.threshold)}, {counted[:1].lower()}{counted[1:]}"


def promise_sentence(decisions: Decisions) -> str:
    """Whether the model keeps what it promises, at all thresholds together; empty where it promises
    nothing."""
    if not any(point.treated.cases for point in decisions.thresholds):
        return ""
    where = _where(decisions)
    p = p_words(decisions.simultaneous_pvalue, decisions.at_floor, alpha=decisions.spec.alpha)
    if decisions.kept:
        return f"Nothing here speaks against what the model promises {where} ({p})."
    return f"The model delivers {direction(decisions)} it promises {where} ({p})."


def against(decisions: Decisions, _fingerprint: str = "") -> str:
    """What was found against the model, in a few words; empty for nothing."""
    if decisions.kept or not any(point.treated.cases for point in decisions.thresholds):
        return ""
    return f"the model delivers {direction(decisions)} it promises"


def direction(decisions: Decisions) -> str:
    """Whether it delivers more or less, where that is beyond what chance allows at all of them."""
    bands = [(point.net_benefit, *decisions.band(point)) for point in decisions.thresholds]
    more = any(value > high for value, _, high in bands)
    less = any(value < low for value, low, _ in bands)
    if more == less:
        return "something else than"
    return "more than" if more else "less than"


def _where(decisions: Decisions) -> str:
    first, last = decisions.thresholds[0].threshold, decisions.thresholds[-1].threshold
    if first == last:
        return f"at a threshold of {exact_percent(first)}"
    return f"at thresholds from {exact_percent(first)} to {exact_percent(last)}, looked at together"


def range_words(thresholds: Sequence[float]) -> str:
    """(0.05, …, 0.5) -> "5 to 50 %"."""
    return f"{100 * thresholds[0]:.6g} to {exact_percent(thresholds[-1])}"


def label_words(decisions: Decisions, noun: str = "case") -> str:
    """What is drawn: "Net true positives in 100 patients"."""
    return f"{sentence_case(_unit(decisions))} in 100 {plural(noun)}"


def _unit(decisions: Decisions) -> str:
    right = decisions.spec.lens.within.answers  # "answers" or "sets"
    return f"net right {right}" if right else "net true positives"


def treat_words(answers: bool) -> tuple[str, str]:
    """What acting always and never is called; ``answers``: one acts on the model's own answer."""
    return ("accept all", "accept none") if answers else ("treat all", "treat none")


def threshold_sentence(decisions: Decisions, point: AtThreshold, noun: str = "case") -> str:
    """What was promised at one threshold, and what came of it."""
    p = p_words(point.pvalue, point.at_floor, alpha=decisions.spec.alpha)
    chance = f"{'less' if point.net_benefit < point.promised else 'more'} than chance allows"
    if point.pvalue > decisions.spec.alpha:
        chance = "which chance explains"
    return (
        f"At a threshold of {exact_percent(point.threshold)} the model promises "
        f"{in_100(point.promised)} {_unit(decisions)} in 100 {plural(noun)}. It delivered "
        f"{_delivered(decisions, point)}, {chance} ({p} at this threshold alone)."
    )


def _delivered(decisions: Decisions, point: AtThreshold) -> str:
    interval, treated = point.interval, "accepted" if decisions.spec.lens.within.answers else "treated"
    if interval is None:
        few = f"none was {treated}" if not point.treated.cases else f"too few {treated} for an interval"
        return f"{in_100(point.net_benefit)} ({few})"
    return f"{in_100(point.net_benefit)} ({APPROXIMATE} {interval_words(interval)})"


def in_100(value: float, digits: int = 1) -> str:
    """A net benefit in 100 cases: 0.0521 -> "5.2"."""
    return f"{100 * value:z.{digits}f}".replace("-", "−")


def frequency_sentence(decisions: Decisions, point: AtThreshold, noun: str = "case") -> str:
    """The same in whole cases: how many are treated, how many rightly and its interval, how many of them were
    promised.

    And of a class how many are missed among the others.
    """
    per = _per(point)
    treated, hits, promised, missed = (
        _some_of(x * per / point.n)
        for x in (point.treated.cases, point.treated.hits, point.treated.promised, point.untreated.hits)
    )
    among, treated_of_these = f"Of {count(per, noun)}", point.treated.cases * per / point.n
    between = _hits_between(point.hit_rate, treated_of_these)
    kind = decisions.spec.lens.within.answers
    if not point.treated.cases:
        nobody = {"": "is treated", "answers": "is answered alone", "sets": "has a set so sure"}[kind]
        return f"{among} none {nobody} from {exact_percent(point.threshold)} on."
    if kind == "sets":
        hold = f"{hits} hold the truth{between}, {promised} were promised."
        return f"{among} the sets of {treated} are accepted. {hold}"
    if kind:
        alone = f"the model answers {treated} alone, and is right in {hits} of them{between}"
        return f"{among} {alone}. It promised {promised}."
    promise = (
        f"{among} {treated} {_are(treated)} treated, and {hits} of them {_are(hits)} "
        f"'{decisions.event}'{between}. The model promised {promised}."
    )
    untreated = per - round(treated_of_these)
    if not point.untreated.cases or not untreated:
        return promise
    between = _hits_between(point.missed_rate, untreated)
    return f"{promise} Of the other {untreated:,}, {missed} {_are(missed)} '{decisions.event}'{between}."


def _hits_between(rate: Interval | None, cases: float) -> str:
    """ " (95 % interval 37 to 41)" of so many cases, with whole ends from outside."""
    if rate is None:
        return ""
    low, high = math.floor(cases * rate.low + 1e-9), math.ceil(cases * rate.high - 1e-9)
    return f" (95\N{NO-BREAK SPACE}% interval {low:,} to {high:,})"


def _some_of(number: float) -> str:
    """Rounded to whole ones, but never to none where there are some."""
    return "fewer than 1" if 0 < number < 0.5 else f"{number:,.0f}"


def _are(number: str) -> str:
    return "is" if number.rpartition(" ")[2] == "1" else "are"


def _per(point: AtThreshold) -> int:
    """100, or more where whole cases would say 0 of what there is; all there are, if they are fewer."""
    if point.n <= 100:
        return point.n
    counts = [x for x in (point.treated.cases, point.treated.hits) if x]
    least = min(counts, default=point.n) / point.n
    return next((per for per in (100, 1_000, 10_000) if least * per >= 1), 100_000)


def treat_all_sentence(point: AtThreshold, noun: str = "case") -> str:
    """What the model is worth against treating all and against treating none."""
    interval, avoided = point.minus_treat_all_interval, point.avoided_interval
    against = (
        f"Against treating all: {in_100(point.minus_treat_all)} net true positives in 100 {plural(noun)}"
    )
    worse = " Acting on it is worth less than treating none." if point.net_benefit < 0 else ""
    if interval is None or avoided is None:
        below = f"{point.untreated.cases:,}"
        few = f"{below} {_are(below)} below the threshold, too few for an interval"
        return f"{against} ({few}).{worse}"
    saved, fewest, most = (in_100(end, 0) for end in (avoided.value, avoided.low, avoided.high))
    return (
        f"{against} ({APPROXIMATE} {interval_words(interval)}). In treatments avoided: "
        f"{saved} in 100 ({fewest} to {most}).{worse}"
    )


def selective_sentence(decisions: Decisions, point: AtThreshold, noun: str = "case") -> str:
    """How often the model is wrong where it is as sure as that, and in how many cases it is."""
    rate, promised = point.hit_rate, point.promised_rate
    if rate is None or promised is None:
        return f"The model is never {exact_percent(point.threshold)} sure."
    about = f"95\N{NO-BREAK SPACE}% interval {percent(1 - rate.high)} to {percent(1 - rate.low)}"
    wrong = "the set misses the truth" if decisions.spec.lens.within.answers == "sets" else "it is wrong"
    return (
        f"Where the model is at least {exact_percent(point.threshold)} sure, in "
        f"{percent(point.share_treated)} of the {plural(noun)}, {wrong} in {percent(1 - rate.value)} "
        f"({about}). It promised {percent(1 - promised)}."
    )


def selective_says(decisions: Decisions) -> str:
    """The figure of errors over coverage in words, for who cannot see it."""
    known = [point for point in decisions.thresholds if point.hit_rate is not None]
    if not known:
        return "The model is never sure enough to answer alone."
    ends = [known[0]] if len(known) == 1 else [known[0], known[-1]]
    parts = [
        f"{percent(1 - rate.value)} are wrong at a coverage of {percent(point.share_treated)}"
        for point in ends
        if (rate := point.hit_rate) is not None
    ]
    promised = [
        percent(1 - promised_rate) for point in ends if (promised_rate := point.promised_rate) is not None
    ]
    were = "was" if len(promised) == 1 else "were"
    accepted = f"Of the accepted {decisions.spec.lens.within.answers}"
    return f"{accepted} {', and '.join(parts)}. Promised {were} {' and '.join(promised)}."


def sets_sentence(sets: Sets | None, alpha: float = 0.05) -> str:
    """How large sets of likely classes are, and how often they hold the truth; empty where there are none."""
    if sets is None:
        return ""
    held, off = sets.achieved, ""
    if sets.pvalue <= alpha:
        off = f", {'more' if held.value > sets.promised else 'less'} than chance allows"
    return (
        f"The sets hold {sets.mean_size:.2f} classes on average. They promise the truth in "
        f"{percent(sets.promised)} and held it in {percent(held.value)} (95\N{NO-BREAK SPACE}% interval "
        f"{percent(held.low)} to {percent(held.high)}){off} ({p_words(sets.pvalue, alpha=alpha)})."
    )


@dataclass(frozen=True)
class Acceptance:
    """What accepting means: "from 91 % on", "answered alone", "are wrong"."""

    begins: str
    accepted: str
    wrong: str
    wrong_among: str


def acceptance(decisions: Decisions, promise: Promise) -> Acceptance:
    """How it is called of the answers, the sets, a class that is ruled in, or one that is ruled out."""
    kind, event = decisions.spec.lens.within.answers, f"'{decisions.event}'"
    if kind == "answers":
        return Acceptance("from", "answered alone", "were wrong", "Wrong among the accepted answers")
    if kind:
        return Acceptance("from", "accepted", "missed the truth", "Sets that miss the truth")
    if promise is decisions.ruling_out:
        return Acceptance("up to", "ruled out", f"were {event}", f"{event} among those ruled out")
    return Acceptance("from", "ruled in", f"were not {event}", f"Not {event} among those ruled in")


def where_words(decisions: Decisions, noun: str = "case") -> str:
    """At which prevalence a promise holds: "Where 2 % of the cases are 'ill'"; empty where as in these."""
    if decisions.at_prevalence is None:
        return ""
    prevalence = exact_percent(decisions.at_prevalence[0].prevalence)
    return f"Where {prevalence} of the {plural(noun)} are '{decisions.event}'"


def promise_says(decisions: Decisions, promise: Promise, noun: str = "case") -> str:
    """The figure of a promise in words, for who cannot see it."""
    words, places, elsewhere = acceptance(decisions, promise), promise.places, where_words(decisions, noun)
    if not places:
        return f"No {noun} can be {words.accepted}."
    ends = [
        f"where {percent(promise.share_of(place))} are {words.accepted}, "
        f"{'about ' if elsewhere else ''}{percent(promise.error_of(place))} {words.wrong}"
        for place in dict.fromkeys((places[0], places[-1]))
    ]
    curve = f"{elsewhere}: {'; '.join(ends)}" if elsewhere else "; ".join(ends)
    allowed = f"At most {exact_percent(1 - promise.target)} are allowed"
    if promise.threshold is None:
        marked = "no threshold can promise that"
    else:
        marked = (
            f"{words.begins} {exact_percent(promise.threshold)} that is promised, for "
            f"{percent(promise.share)}"
        )
    naive = promise.naive_counts
    beside = ""
    if naive is not None and promise.naive not in (None, promise.threshold):
        beside = (
            f" In grey, {words.begins} {exact_percent(promise.naive)}: it reached the target here, for "
            f"{percent(promise.share_of(naive))}, and promises nothing."
        )
    return f"{curve[:1].upper()}{curve[1:]}. {allowed}, and {marked}.{beside}"


def guarantee_sentences(decisions: Decisions, noun: str = "case") -> tuple[str, ...]:
    """From which threshold on the target is kept, of one class up to which it may be ruled out, and what the
    usual choice of a threshold is worth; nothing where no target was asked for."""
    kind, event = decisions.spec.lens.within.answers, f"'{decisions.event}'"
    acting, holds = {
        "": (f"on {event} may be ruled in", f"are {event}"),
        "answers": ("on the model may answer alone", "are right"),
        "sets": ("on a set may stand alone", "hold the truth"),
    }[kind]
    guarantee, out, words = decisions.guarantee, decisions.rule_out, list[str]()
    if guarantee is not None:
        words.append(_guarantee_sentence(decisions, guarantee, "From", acting, holds, noun))
        words.append(_naive_sentence(guarantee, noun))
        words.append(by_itself_sentence(decisions, guarantee, noun))
    if out is not None:
        doing, holds = f"{event} may be ruled out", f"are not {event}"
        words.append(_guarantee_sentence(decisions, out, "Up to", doing, holds, noun))
        words.append(by_itself_sentence(decisions, out, noun))
    return tuple(filter(None, (*words, _of_units(decisions) if words else "")))


def _of_units(decisions: Decisions) -> str:
    """That a promise is of units and not of rows; empty where each row is a case."""
    unit = decisions.spec.unit
    if unit is None:
        return ""
    return (
        f"That is of one row of each unit ({unit}), drawn at random. What is promised need not hold over all "
        "rows, where some units have more of them than others."
    )


def _naive_sentence(guarantee: Guarantee, noun: str) -> str:
    """What the usual choice of a threshold is worth; empty where it is the one that is promised."""
    if guarantee.naive is None or guarantee.naive == guarantee.threshold:
        return ""
    reached = f"{exact_percent(guarantee.target)} were reached in these {plural(noun)}"
    return (
        f"The lowest threshold at which {reached}, {exact_percent(guarantee.naive)}, promises nothing: "
        f"the same {plural(noun)} chose it."
    )


def lenses_of_two(predictions: Predictions) -> str:
    """What can be decided about, as flags: borders first where classes have an order."""
    names = predictions.class_names
    border = f"--lens {quoted(lens_to_words(AtLeastLens(names[-2])))}, " if predictions.ordered else ""
    return f"{border}--lens {quoted(lens_to_words(ClassLens(names[0])))} or --lens confidence"


def instead(decisions: Decisions) -> str:
    """The class to act for where always answering the other of two comes near the target; else empty."""
    commonest, promise = decisions.commonest, decisions.guarantee
    if commonest is None or promise is None or not _by_itself(commonest.cases / decisions.n, promise.target):
        return ""
    rarer = [name for name in decisions.class_names if name != commonest.class_name]
    return rarer[0] if len(rarer) == 1 else ""


def by_itself_sentence(decisions: Decisions, promise: Promise, noun: str = "case") -> str:
    """Where no model is needed for the target, or nearly: always giving one answer is right so often."""
    commonest, event = decisions.commonest, f"'{decisions.event}'"
    if commonest is not None:
        share = commonest.cases / decisions.n
        other = f"'{name}'" if (name := instead(decisions)) else "the other classes one by one"
        always = f"Always answering '{commonest.class_name}' is right in {percent(share)}"
        words = f"{always}: look at {other} instead."
    elif decisions.spec.lens.within.answers:
        return ""
    else:
        share, where = _share_of_event(decisions), where_words(decisions, noun)
        if out := promise is decisions.ruling_out:
            share = 1 - share
        are = f"{'are not' if out else 'are'} {event}"
        whom = f"{where}, {percent(share)}" if where else f"{percent(share)} of the {plural(noun)}"
        words = f"{whom} {are} without any model: to rule {'out' if out else 'in'}, ask for more than that."
    return words if _by_itself(share, promise.target) else ""


def _share_of_event(decisions: Decisions) -> float:
    """In these cases, or where one acts."""
    if decisions.at_prevalence is not None:
        return decisions.at_prevalence[0].prevalence
    point = decisions.thresholds[0]
    return (point.treated.hits + point.untreated.hits) / point.n


def _by_itself(share: float, target: float) -> bool:
    return 1 - share <= NEARLY * (1 - target) * (1 + 1e-12)


def _guarantee_sentence(
    decisions: Decisions, guarantee: Guarantee, begins: str, doing: str, holds: str, noun: str
) -> str:
    target, sure = exact_percent(guarantee.target), exact_percent(1 - guarantee.risk)
    if guarantee.threshold is not None:
        return (
            f"{begins} {exact_percent(guarantee.threshold)} {doing}: {percent(guarantee.share)} of the "
            f"{plural(noun)}. At least {target} of these {holds} (sure to {sure}); here "
            f"{guarantee.accepted - guarantee.wrong:,} of {guarantee.accepted:,}."
        )
    cannot = f"No threshold was found at which these {count(guarantee.n, noun)} show that {target} {holds}"
    return f"{cannot}{_needed_words(decisions, guarantee.cases_needed, guarantee.n)}"


def _needed_words(decisions: Decisions, needed: int | None, n: int, which: str = "") -> str:
    """How many cases could show what n of them cannot, as far as the model's promise can tell.

    Where it is not kept no way out is named: a map of the probabilities may change how many are expected, but
    if it is monotone not which cases stand above a threshold.
    """
    if not decisions.kept:
        judged = " at the prevalence here" if which else ""
        return f". How many would show it cannot be told, as the model does not keep its promise{judged}."
    if needed is None:
        return f". By what the model promises {MOST_NEEDED:,} would not show it either."
    if needed <= n:
        return (
            ". If the model keeps its promise, so many do 8 times in 10: this was one of the other times, "
            "or it does not."
        )
    return f". About {about(needed):,} could show it{which}, if the model keeps its promise."


def more_needed(decisions: Decisions, guarantee: Guarantee) -> int | None:
    """How many cases could show it, for a table: None where the promise of the model tells no number."""
    needed = guarantee.cases_needed
    return needed if needed is not None and needed > guarantee.n and decisions.kept else None


def prevalence_sentences(decisions: Decisions, threshold: float, noun: str = "case") -> tuple[str, ...]:
    """What acting from the threshold on is worth at another prevalence, and what is not said there."""
    if decisions.at_prevalence is None:
        return ()
    point = next(point for point in decisions.at_prevalence if point.threshold == threshold)
    interval = point.interval
    about = (
        f"too few {plural(noun)} of one kind for an interval"
        if interval is None
        else f"{APPROXIMATE} {interval_words(interval)}"
    )
    return (
        f"Where {exact_percent(point.prevalence)} of the {plural(noun)} are '{decisions.event}', acting from "
        f"{exact_percent(threshold)} on is worth {in_100(point.net_benefit)} net true positives in 100 "
        f"({about}). Treating all is worth {in_100(point.treat_all)}.",
        PREVALENCE,
    )


def there_sentences(decisions: Decisions, noun: str = "case") -> tuple[str, ...]:
    """From which threshold on the target is kept at another prevalence, and up to which the event may be
    ruled out; nothing where no target was asked for there."""
    acting, out, event = (
        decisions.guarantee_at_prevalence, decisions.rule_out_at_prevalence, f"'{decisions.event}'",
    )  # fmt: skip
    if acting is None or out is None:
        return ()
    where = where_words(decisions, noun)
    kinds = "with it", "without it"
    return (
        _there_sentence(
            decisions, acting, f"{where}, from", f"on {event} may be ruled in", f"are {event}", kinds, noun
        ),
        by_itself_sentence(decisions, acting, noun),
        _there_sentence(
            decisions,
            out,
            f"{where}, up to",
            f"{event} may be ruled out",
            f"are not {event}",
            kinds[::-1],
            noun,
        ),
        by_itself_sentence(decisions, out, noun),
        PREVALENCE_TARGET,
    )


def _there_sentence(
    decisions: Decisions,
    promise: GuaranteeAtPrevalence,
    begins: str,
    doing: str,
    holds: str,
    kinds: tuple[str, str],
    noun: str,
) -> str:
    target, sure = exact_percent(promise.target), exact_percent(1 - promise.risk)
    if promise.threshold is not None:
        share = percent(promise.share)
        near = f"about {share}" if share[0].isdigit() else share
        return (
            f"{begins} {exact_percent(promise.threshold)} {doing}: {near} of the "
            f"{plural(noun)} there. At least {target} of these {holds} (sure to {sure}); here "
            f"{promise.right:,} of {promise.of_right:,} {kinds[0]}, and {promise.wrong:,} of "
            f"{promise.of_wrong:,} {kinds[1]}."
        )
    n, where = promise.of_right + promise.of_wrong, begins.rpartition(",")[0]
    cannot = f"{where}, no threshold was found at which these {count(n, noun)} show that {target} {holds}"
    which = ", of either kind the share that it has here"
    return f"{cannot}{_needed_words(decisions, promise.cases_needed, n, which)}"


def groups_sentences(decisions: Decisions, noun: str = "case") -> tuple[str, ...]:
    """In how many groups of a column a threshold of their own can be shown to keep the target, and that the
    threshold of all cases need not; nothing where no groups were asked for."""
    by_group, guarantee = decisions.by_group, decisions.guarantee
    if by_group is None or guarantee is None:
        return ()
    target, sure = exact_percent(guarantee.target), exact_percent(1 - guarantee.risk)
    groups = by_group.groups
    acting = [(group.value, group.guarantee) for group in groups]
    out = [(group.value, group.rule_out) for group in groups if group.rule_out is not None]
    asked = f"Does it hold in every group? A threshold of all {plural(noun)} need not keep {target} in each."
    words = [f"{asked} {_groups_sentence(acting, by_group.column, sure, 'from')}"]
    if decisions.rule_out is not None:
        words.append(
            f"Ruling out is another promise. {_groups_sentence(out, by_group.column, sure, 'up to')}"
        )
    return tuple(words)


def _groups_sentence(groups: Sequence[tuple[str, Guarantee]], column: str, sure: str, begins: str) -> str:
    """Which groups have a threshold that is shown to keep the target."""
    shown = [(value, each) for value, each in groups if each.threshold is not None]
    if not shown:
        return f"In none of the {len(groups)} groups of '{column}' was one found that is shown to."
    places = "; ".join(
        f"'{value}' {begins} {exact_percent(each.threshold)}"
        for value, each in shown[:MOST_GROUPS_SAID]
        if each.threshold is not None
    )
    more = ", and more in the table" if len(shown) > MOST_GROUPS_SAID else ""
    return (
        f"One of its own can be shown to in {len(shown)} of the {len(groups)} groups of '{column}': "
        f"{places}{more}. All of them hold at once (sure to {sure}), each in its own group."
    )


def other_sentence(point: AtThreshold) -> str:
    """This model beside the other at one threshold; empty where there is none."""
    if point.other is None:
        return ""
    difference = in_100(point.other.difference)
    place = f"At {exact_percent(point.threshold)}"
    if point.other.interval is None:
        return f"{place} the two models decide alike but for a few cases (difference {difference} in 100)."
    return (
        f"{place} the net benefit of this model less that of the other is {difference} in 100 "
        f"({APPROXIMATE} {interval_words(point.other.interval)})."
    )


def decision_says(decisions: Decisions) -> str:
    """The figure of net benefits in words, for who cannot see it."""
    first, last = decisions.thresholds[0], decisions.thresholds[-1]
    ends = f"{exact_percent(first.threshold)} to {exact_percent(last.threshold)}"
    delivered, promised = (
        [in_100(x) for x in pair]
        for pair in ((first.net_benefit, last.net_benefit), (first.promised, last.promised))
    )
    return (
        f"From a threshold of {ends} the net benefit goes from {delivered[0]} to {delivered[1]} in 100. "
        f"Promised were {promised[0]} and {promised[1]}."
    )
