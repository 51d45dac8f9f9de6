"""The answer about decisions: where each of its sentences, tables and figures stands."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from calibcore.answers.blocks import (
    Answer,
    Cases,
    Caution,
    Chart,
    Fold,
    Headline,
    Methods,
    Notes,
    Sentences,
)
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table
from calibcore.data.predictions import Predictions
from calibcore.diagram.gap_sizes import Interval
from calibcore.errors import InputError
from calibcore.hypothesis_tests import none_as_extreme
from calibcore.io import Reading
from calibcore.numerics.progress import Progress
from calibcore.questions.decide import TARGET, AtThreshold, Decisions, decide, default_thresholds
from calibcore.questions.decide import words as deciding
from calibcore.questions.decide.ask import first_threshold
from calibcore.questions.decide.by_group import OfGroup
from calibcore.questions.decide.by_label import BY_LABEL
from calibcore.questions.decide.guarantee import Accepted, Guarantee
from calibcore.questions.decide.prevalence import AtPrevalence
from calibcore.questions.decide.result import Promise
from calibcore.questions.decide.thresholds import OtherModel
from calibcore.questions.decide.words import in_100
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, Lens, TopKLens
from calibcore.wording import count, percent, plural, sentences
from calibcore.words.looking import classes_in, name_in
from calibcore.words.phrases import exact_percent, one_row_sentence, p_words, redraws_sentence
from calibcore.words.repeating import (
    DECIDED,
    Command,
    Repeat,
    as_asked,
)
from calibcore.words.sizes import interval_words

SENTENCES = 3
"""Thresholds that are described one by one."""
MOST_ROWS = 11
"""Thresholds of a table that is read."""


def says(decisions: Decisions, noun: str = "case", shared: Decisions | None = None) -> Answer:
    """The answer. ``shared``: the same without what belongs to single cases; all is of it but whether the
    promise is kept, whose p is of all thresholds."""
    shared, spec = shared or decisions, decisions.spec
    few = shared.thresholds if len(shared.thresholds) <= SENTENCES else ()
    chart = _benefits(shared, noun)
    return Answer(
        _about(decisions, noun),
        name_in(decisions),
        (
            Headline(deciding.headline(shared, noun)),
            Sentences(
                (
                    *deciding.guarantee_sentences(shared, noun),
                    *deciding.there_sentences(shared, noun),
                    *deciding.groups_sentences(shared, noun),
                )
            ),
            *groups_table(shared, noun),
            Notes(deciding.prevalence_sentences(shared, first_threshold(shared).threshold, noun)),
            Cases(one_row_sentence(decisions.n, spec.unit, spec.seed)),
            Sentences(
                (deciding.promise_sentence(decisions), deciding.sets_sentence(decisions.sets, spec.alpha))
            ),
            Fold("Threshold by threshold", tuple(_each(shared, point, noun) for point in few)),
            *_prevalence_tables(shared, noun),
            chart.table,
            chart,
            *promises(shared, noun),
            Methods("How decisions were judged", (deciding.METHOD,), redraws_sentence(spec)),
            Caution(deciding.BEFOREHAND),
        ),
    )


def says_at(decisions: Decisions, point: AtThreshold, noun: str = "case") -> Answer:
    """What it comes to at one threshold that somebody chooses: in whole cases first, then against its promise
    and against acting always; the curves, and errors where one acts on the model's own answers."""
    charts = [_benefits(decisions, noun, point)]
    if decisions.spec.lens.within.answers and any(each.hit_rate is not None for each in decisions.thresholds):
        charts.append(_errors(decisions, noun, point))
    return Answer(
        _about(decisions, noun),
        name_in(decisions),
        (
            Headline(deciding.counted_sentence(decisions, point, noun)),
            Sentences(
                (
                    deciding.threshold_sentence(decisions, point, noun),
                    _against(decisions, point, noun),
                    *deciding.prevalence_sentences(decisions, point.threshold, noun),
                )
            ),
            Caution(deciding.BEFOREHAND),
            *charts,
            *_prevalence_tables(decisions, noun),
        ),
    )


def _about(decisions: Decisions, noun: str) -> tuple[str, ...]:
    return count(decisions.n, noun), classes_in(decisions)


def _benefits(decisions: Decisions, noun: str, point: AtThreshold | None = None) -> Chart:
    table = thresholds_table(decisions, noun)
    return Chart(
        name="decisions",
        title=table.title,
        says=deciding.decision_says(decisions),
        caption=_caption(decisions, noun),
        screen="decisions.decision_figure",
        paper="decision_print",
        of=decisions,
        noun=noun,
        table=table,
        term="net benefit",
        marked={} if point is None else {"chosen": point.threshold},
    )


def _errors(decisions: Decisions, noun: str, point: AtThreshold) -> Chart:
    table = selective_table(decisions)
    return Chart(
        name="selective",
        title=table.title,
        says=deciding.selective_says(decisions),
        screen="decisions.selective_figure",
        paper="selective_print",
        of=decisions,
        noun=noun,
        table=table,
        term="coverage",
        marked={"chosen": point.threshold},
    )


def promises(decisions: Decisions, noun: str = "case") -> tuple[Chart, ...]:
    """The figure of each promise: wrong ones over the share that is accepted, with the threshold marked."""
    elsewhere = "" if decisions.at_prevalence is None else "-there"
    painters = {
        f"promised-threshold{elsewhere}": (
            decisions.ruling_in,
            ("decisions.promise_figure", "promise_print", "promise_svg"),
        ),
        f"ruled-out-threshold{elsewhere}": (
            decisions.ruling_out,
            ("decisions.rule_out_figure", "rule_out_print", "rule_out_svg"),
        ),
    }
    return tuple(
        Chart(
            name=name,
            title=table.title,
            says=deciding.promise_says(decisions, guarantee, noun),
            screen=screen,
            paper=paper,
            inline=inline,
            of=decisions,
            noun=noun,
            table=table,
            term="target",
        )
        for name, (guarantee, (screen, paper, inline)) in painters.items()
        if guarantee is not None and guarantee.places
        for table in (promise_table(decisions, guarantee, name),)
    )


def groups_table(decisions: Decisions, noun: str = "case") -> tuple[Table[OfGroup], ...]:
    """What can be promised in each group; nothing where no groups were asked for."""
    by_group = decisions.by_group
    if by_group is None:
        return ()

    def threshold(guarantee: Guarantee | None) -> float | None:
        return None if guarantee is None else guarantee.threshold

    def many(number: int) -> str:
        return f"{number:,}"

    columns: tuple[Column[OfGroup], ...] = (
        Column(by_group.column, "group", lambda group: group.value),
        Column(plural(noun).capitalize(), "cases", lambda group: group.n, many, right=True),
        Column("From", "threshold", lambda group: group.guarantee.threshold, exact_percent, unknown="–"),
        Column("Accepted", "accepted", lambda group: group.guarantee.accepted, many),
        Column("Wrong", "wrong", lambda group: group.guarantee.wrong, many),
        Column(
            "Needs about",
            "cases needed",
            lambda group: deciding.more_needed(decisions, group.guarantee),
            many,
            unknown="–",
        ),
    )
    if decisions.rule_out is not None:
        columns += (
            Column("Ruled out up to", "ruled out", lambda group: threshold(group.rule_out), exact_percent,
                   unknown="–"),
        )  # fmt: skip
    title = "A promised threshold in each group"
    return (Table("promised-in-groups", title, columns, by_group.groups, rows_are="groups"),)


def promise_table(decisions: Decisions, promise: Promise, name: str) -> Table[Accepted]:
    """How many are wrong of each number that may be accepted."""
    words = deciding.acceptance(decisions, promise)
    columns: tuple[Column[Accepted], ...] = (
        Column("Coverage", "coverage", promise.share_of, percent),
        Column("", "accepted", lambda place: place.accepted),
        Column("", "wrong", lambda place: place.wrong),
        Column("Wrong", "error", promise.error_of, percent),
        Column("At most", "error, upper limit", promise.limit_of, percent),
    )
    places = promise.places
    few = places[:: max(1, -(-len(places) // MOST_ROWS))]
    return Table(name, words.wrong_among, columns, places, few, "places")


def _each(decisions: Decisions, point: AtThreshold, noun: str) -> Sentences:
    promise = deciding.threshold_sentence(decisions, point, noun)
    cases = deciding.frequency_sentence(decisions, point, noun)
    return Sentences((promise, cases, _against(decisions, point, noun), deciding.other_sentence(point)))


def _against(decisions: Decisions, point: AtThreshold, noun: str) -> str:
    if decisions.spec.lens.within.answers:
        return deciding.selective_sentence(decisions, point, noun)
    return deciding.treat_all_sentence(point, noun)


def _caption(decisions: Decisions, noun: str) -> str:
    """A few thresholds one by one, in whole cases where the headline has not said it. And what was looked
    through."""
    each = []
    if len(decisions.thresholds) <= SENTENCES:
        for point in decisions.thresholds:
            each.append(deciding.threshold_sentence(decisions, point, noun))
            if point is not first_threshold(decisions):
                each.append(deciding.counted_sentence(decisions, point, noun))
    return sentences(*each, f"That is through {name_in(decisions)}.")


def thresholds_table(decisions: Decisions, noun: str = "case") -> Table[AtThreshold]:
    """A row a threshold; net benefits in 100 cases."""
    kind, spec = decisions.spec.lens.within.answers, decisions.spec
    accepted = {"": "Treated", "answers": "Answers alone", "sets": "Accepted"}[kind]

    def benefit(point: AtThreshold) -> tuple[float | None, ...]:
        interval = point.interval
        return point.net_benefit, *((None, None) if interval is None else (interval.low, interval.high))

    def p(value: float) -> str:
        return p_words(value, none_as_extreme(value, spec.resamples), alpha=spec.alpha, short=True)

    columns: tuple[Column[AtThreshold], ...] = (
        Column("Threshold", "threshold", lambda point: point.threshold, exact_percent, right=True),
        Column(
            accepted, "treated", lambda point: point.treated.cases, lambda cases: percent(cases / decisions.n)
        ),
        Column("", "hits", lambda point: point.treated.hits),
        Column("", "promised hits", lambda point: point.treated.promised),
        Column("Net benefit", ("net benefit", "net benefit, low", "net benefit, high"), benefit, _with_ends),
        Column("", "treat all", lambda point: point.treat_all),
        Column("", "minus treat all", lambda point: point.minus_treat_all),
        Column("Promised", "promised", lambda point: point.promised, in_100),
        Column(
            "By chance",
            ("promised, low by chance", "promised, high by chance"),
            lambda point: point.chance_range,
            lambda low, high: f"{in_100(low)} to {in_100(high)}",
        ),
        Column(deciding.treat_words(bool(kind))[0].capitalize(), "", lambda point: point.treat_all, in_100),
        Column("p", "p", lambda point: point.pvalue, p, right=True),
    )
    if any(point.other is not None for point in decisions.thresholds):
        columns += (
            Column("Other model", "", lambda point: point.other and point.other.net_benefit, in_100),
            Column("Difference", "", lambda point: point.other, _difference_words),
        )
    title = f"Net benefit in 100 {plural(noun)}"
    few = tuple(_some(decisions, MOST_ROWS))
    return Table("decisions", title, columns, decisions.thresholds, few, "thresholds")


def _with_ends(value: float, low: float | None, high: float | None) -> str:
    return _with_interval(value, None if low is None or high is None else Interval(value, low, high))


def _difference_words(other: OtherModel) -> str:
    return _with_interval(other.difference, other.interval)


def _with_interval(value: float, interval: Interval | None) -> str:
    return in_100(value) + ("" if interval is None else f" ({interval_words(interval)})")


def _some(decisions: Decisions, most: int) -> list[AtThreshold]:
    """So many thresholds, round ones or evenly spaced; one that stands out by itself gives way to none."""
    every = list(decisions.thresholds)
    if len(every) <= most:
        return every
    chosen = [point for point in every if abs(20 * point.threshold - round(20 * point.threshold)) < 1e-9]
    if not most // 2 <= len(chosen) <= most:
        chosen = [every[round(k * (len(every) - 1) / (most - 1))] for k in range(most)]
    clearest = min(every, key=lambda point: (point.pvalue, -abs(point.net_benefit - point.promised)))
    if clearest.pvalue <= decisions.spec.alpha and clearest not in chosen:
        if len(chosen) == most:
            chosen.remove(min(chosen, key=lambda point: abs(point.threshold - clearest.threshold)))
        chosen = sorted([*chosen, clearest], key=lambda point: point.threshold)
    return chosen


def _prevalence_tables(decisions: Decisions, noun: str) -> list[Table[AtPrevalence]]:
    """A row a threshold, at another prevalence; none where none is given."""
    if decisions.at_prevalence is None:
        return []

    def benefit(point: AtPrevalence) -> tuple[float | None, ...]:
        return point.net_benefit, *(point.ends or (None, None))

    def more(point: AtPrevalence) -> tuple[float | None, ...]:
        return point.minus_treat_all, *(point.minus_treat_all_ends or (None, None))

    columns: tuple[Column[AtPrevalence], ...] = (
        Column("Threshold", "threshold", lambda point: point.threshold, exact_percent, right=True),
        Column("Treated with the event", "sensitivity", lambda point: point.sensitivity, percent),
        Column("Treated without it", "false alarm rate", lambda point: point.false_alarm_rate, percent),
        Column("Net benefit", ("net benefit", "net benefit, low", "net benefit, high"), benefit, _with_ends),
        Column("Treat all", "treat all", lambda point: point.treat_all, in_100),
        Column(
            "More than that",
            ("minus treat all", "minus treat all, low", "minus treat all, high"),
            more,
            _with_ends,
        ),
    )
    each = decisions.at_prevalence
    title = (
        f"Net benefit in 100 {plural(noun)}, {exact_percent(each[0].prevalence)} of them '{decisions.event}'"
    )
    read = {point.threshold for point in _some(decisions, MOST_ROWS)}
    few = tuple(point for point in each if point.threshold in read)
    return [Table("prevalence", title, columns, each, few, "thresholds")]


def selective_table(decisions: Decisions) -> Table[AtThreshold]:
    """How many answers are accepted from each threshold on, and how many of those are wrong."""

    def wrong(point: AtThreshold) -> tuple[float | None, ...]:
        rate = point.hit_rate
        return (None,) * 3 if rate is None else (1 - rate.value, 1 - rate.high, 1 - rate.low)

    def by_chance(point: AtThreshold) -> tuple[float | None, ...]:
        band = decisions.rate_band(point)
        return (None, None) if band is None else (1 - band[1], 1 - band[0])

    def promised(point: AtThreshold) -> float | None:
        return None if point.promised_rate is None else 1 - point.promised_rate

    def ends(low: float, high: float) -> str:
        return f"{percent(low)} to {percent(high)}"

    columns: tuple[Column[AtThreshold], ...] = (
        Column("Threshold", "threshold", lambda point: point.threshold, exact_percent),
        Column(
            "Coverage", "coverage", lambda point: point.share_treated, lambda x: percent(x) if x else "none"
        ),
        Column("", "accepted", lambda point: point.treated.cases),
        Column("", "wrong", lambda point: point.treated.cases - point.treated.hits),
        Column(
            "Wrong",
            ("error", "error, low", "error, high"),
            wrong,
            lambda rate, low, high: f"{percent(rate)} ({ends(low, high)})",
        ),
        Column("Promised", "promised", promised, percent),
        Column(
            "By chance",
            ("promised, low by chance at all", "promised, high by chance at all"),
            by_chance,
            ends,
        ),
    )
    title = "Errors among accepted answers"
    return Table("selective", title, columns, decisions.thresholds, rows_are="accepted answers")


def _ask(
    predictions: Predictions,
    spec: DiagnosisSpec,
    lenses: Sequence[Lens] | None,
    thresholds: Sequence[float] | None = None,
    **promise: Any,
) -> Callable[[Progress | None], Decisions]:
    through = replace(spec, lens=_of_two(predictions, lenses))
    asked = {"target": TARGET, **promise}
    return lambda _: decide(predictions, through, thresholds, **asked)


def _of_two(predictions: Predictions, lenses: Sequence[Lens] | None) -> Lens:
    """The first lens of two outcomes among those that are named; of none, the plainest.

    Raises
    ------
    InputError : none that is named has two.
    """
    if lenses is None:
        both = predictions.m == 2 and not predictions.confidence_only
        return CanonicalLens() if both else TopKLens(1)
    for lens in lenses:
        induced = lens(predictions)
        if induced.m == 2 and induced.rows_are_cases:
            return lens
    raise InputError(
        "A decision is about two outcomes, and no --lens has two. Name one more: "
        f"{deciding.lenses_of_two(predictions)}."
    )


def decisions_command(decisions: Decisions, origin: Reading | str) -> Repeat:
    """The command that says the same of decisions again."""
    command = Command("decide", origin)
    if decisions.grid != default_thresholds(decisions.spec.lens):
        command.flag("--thresholds", ",".join(f"{t:.12g}" for t in decisions.grid))
    promise = decisions.ruling_in
    if promise is not None:
        command.flag("--target", f"{promise.target:.12g}")
        command.flag("--risk", f"{promise.risk:.12g}")
    if decisions.at_prevalence is not None:
        command.flag("--prevalence", f"{decisions.at_prevalence[0].prevalence:.12g}")
    if decisions.by_group is not None:
        command.column("--by", decisions.by_group.column)
    return command.repeat(as_asked(decisions.spec, checks=1), DECIDED)


QUESTION = Question(
    name="decisions",
    result=Decisions,
    title="What decisions at a threshold are worth",
    help="what the probabilities are worth where one acts from a threshold on",
    says=says,
    without_cases=Decisions.without_cases,
    repeat=decisions_command,
    again="And this one says the same of decisions:",
    place=50,
    what="The decisions are",
    against=deciding.against,
    flag="also what acting at thresholds is worth, as 'decide' says it: through the first --lens of two "
    "outcomes, without --lens all of two classes or the confidence of more",
    ask=_ask,
    left_out="The report holds no decisions: all of them would tell the probability of a single case. "
    "--with-rows puts them in.",
    by_label=BY_LABEL,
)
