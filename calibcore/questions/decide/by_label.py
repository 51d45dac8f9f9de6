"""Decisions on each of several labels: a threshold a label, and whether its promise is kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from calibcore.answers.by_label import ByLabel, OfLabel, Rows
from calibcore.answers.tables import Column
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.questions.decide import RISK, AtThreshold, Decisions
from calibcore.questions.decide.ask import first_threshold
from calibcore.questions.decide.by_group import OfGroup
from calibcore.questions.decide.guarantee import Guarantee
from calibcore.questions.decide.named_thresholds import thresholds_in_words
from calibcore.questions.decide.promise_at_prevalence import GuaranteeAtPrevalence
from calibcore.questions.decide.result import Promise
from calibcore.questions.decide.words import by_itself_sentence, direction, in_100
from calibcore.wording import count, listed, percent
from calibcore.words.phrases import exact_percent
from calibcore.words.sizes import interval_words
from calibcore.words.tables import named_few

P = TypeVar("P", Guarantee, GuaranteeAtPrevalence)


def _at(row: OfLabel[Decisions]) -> AtThreshold:
    return first_threshold(row.result)


def _headline(rows: Rows[Decisions], _noun: str) -> str:
    labels, off = count(len(rows), "label"), [row for row in rows if row.found]
    if not off:
        return f"For none of {labels} do these cases speak against what the model promises at its thresholds."
    ways = [f"'{row.label}' {direction(row.result).removesuffix(' than')}" for row in off]
    verb = "delivers" if len(off) == 1 else "deliver"
    return f"{len(off)} of {labels} {verb} something else than the model promises: {named_few(ways)}."


def _columns(rows: Rows[Decisions]) -> tuple[Column[OfLabel[Decisions]], ...]:
    def benefit(row: OfLabel[Decisions]) -> tuple[float | None, ...]:
        point = _at(row)
        interval = point.interval
        return point.net_benefit, *((None, None) if interval is None else (interval.low, interval.high))

    def benefit_words(row: OfLabel[Decisions]) -> str:
        point = _at(row)
        interval = "" if point.interval is None else f" ({interval_words(point.interval)})"
        return f"{in_100(point.net_benefit)}{interval}"

    columns: tuple[Column[OfLabel[Decisions]], ...] = (
        Column("Threshold", "threshold", lambda row: _at(row).threshold, exact_percent, right=True),
        Column("Treated", "treated", lambda row: _at(row).share_treated, percent),
        Column("Net benefit", "", lambda row: row, benefit_words),
        Column("", ("net benefit", "net benefit, low", "net benefit, high"), benefit),
        Column("Promised", "promised", lambda row: _at(row).promised, in_100),
        Column("Treat all", "treat all", lambda row: _at(row).treat_all, in_100),
    )
    promises = _promises(rows)
    if promises:
        target = exact_percent(promises[0].target)
        columns += (
            Column(f"{target} right from", "", _kept_from, unknown="nowhere"),
            Column("", "kept from", _kept_from),
            Column(f"{target} ruled out to", "", _ruled_out_to, unknown="nowhere"),
            Column("", "ruled out to", _ruled_out_to),
        )
    if any(row.result.by_group is not None for row in rows):
        columns += (
            Column("Right in groups", "groups with a threshold", _groups_right, unknown="–"),
            Column("Ruled out in", "groups ruled out", _groups_ruled_out, unknown="–"),
        )
    return columns


def _groups_right(row: OfLabel[Decisions]) -> str | None:
    return _counted_groups(row.result, lambda group: group.guarantee)


def _groups_ruled_out(row: OfLabel[Decisions]) -> str | None:
    return _counted_groups(row.result, lambda group: group.rule_out)


def _counted_groups(decisions: Decisions, promise: Callable[[OfGroup], Guarantee | None]) -> str | None:
    """In how many groups there is a threshold of their own: "2 of 4"."""
    if decisions.by_group is None:
        return None
    promises = [promise(group) for group in decisions.by_group.groups]
    return f"{sum(each is not None and each.threshold is not None for each in promises)} of {len(promises)}"


def _promises(rows: Rows[Decisions]) -> list[Promise]:
    """Those of the labels, in the cases as they are or at another prevalence."""
    each = (row.result.ruling_in for row in rows)
    return [promise for promise in each if promise is not None]


def _kept_from(row: OfLabel[Decisions]) -> str | None:
    return _words(row.result.ruling_in)


def _ruled_out_to(row: OfLabel[Decisions]) -> str | None:
    return _words(row.result.ruling_out)


def _words(promise: Promise | None) -> str | None:
    return None if promise is None or promise.threshold is None else exact_percent(promise.threshold)


def _notes(rows: Rows[Decisions]) -> tuple[str, ...]:
    promises = _promises(rows)
    notes = ["Net benefits are in 100 cases, each at the threshold that stands before it."]
    if promises:
        target = exact_percent(promises[0].target)
        together = exact_percent(promises[0].risk * len(rows))
        notes += [
            f"The thresholds from which {target} are right all keep that, but for a chance of {together} at "
            f"most. So do the thresholds for ruling out, with a chance of {together} for them.",
            *(_without_model(rows, doing, promise) for doing, promise in _RULED.items()),
        ]
    elsewhere = next((row.result.at_prevalence for row in rows if row.result.at_prevalence), None)
    if elsewhere:
        where = f"where {exact_percent(elsewhere[0].prevalence)} of the cases have the label"
        notes.append(f"The target is kept {where}. All else is of these cases.")
    column = next((row.result.by_group.column for row in rows if row.result.by_group), None)
    if column is not None:
        notes.append(f"Of the groups of '{column}' those are counted that have a threshold of their own.")
    return tuple(notes)


_RULED: Mapping[str, Callable[[Decisions], Promise | None]] = {
    "ruling out": lambda decisions: decisions.ruling_out,
    "ruling in": lambda decisions: decisions.ruling_in,
}


def _without_model(
    rows: Rows[Decisions], doing: str, promise_of: Callable[[Decisions], Promise | None]
) -> str:
    """The labels for which the target needs no model; empty where there are none."""
    names = [
        f"'{row.label}'"
        for row in rows
        if (promise := promise_of(row.result)) is not None and by_itself_sentence(row.result, promise)
    ]
    if not names:
        return ""
    target = exact_percent(_promises(rows)[0].target)
    always = f"Without any model, {doing} every case is right in {target} or nearly"
    return f"{always} for {named_few(names)}: ask for more."


def _asked(more: Mapping[str, Any], label: str, labels: Sequence[str]) -> Mapping[str, Any] | None:
    """Thresholds of its own where labels have some, and those alone; a share of the risk."""
    thresholds: Mapping[str, Sequence[float]] | Sequence[float] | None = more.get("thresholds")
    changes: dict[str, Any] = {}
    if isinstance(thresholds, Mapping):
        for name in thresholds:
            if name not in labels:
                raise InputError(f"There is no label {shown(name)}; the labels are {listed(tuple(labels))}.")
        if label not in thresholds:
            return None
        labels, changes = tuple(thresholds), {"thresholds": thresholds[label]}
    if more.get("target") is not None:
        changes["risk"] = (more.get("risk") or RISK) / len(labels)
    return changes


def _of_all(decisions: Decisions, labels: int) -> Decisions:
    """With the whole of the risk, of which a label has its share."""

    def with_all(promise: P | None) -> P | None:
        return None if promise is None else replace(promise, risk=labels * promise.risk)

    return replace(
        decisions,
        guarantee=with_all(decisions.guarantee),
        guarantee_at_prevalence=with_all(decisions.guarantee_at_prevalence),
    )


def _flags(rows: Rows[Decisions], all: bool) -> Mapping[str, str]:
    """Thresholds of each label, where some have others or are not asked about."""
    if all and len({row.result.grid for row in rows}) == 1:
        return {}
    return {"--thresholds": thresholds_in_words({row.label: row.result.grid for row in rows})}


BY_LABEL = ByLabel[Decisions](
    title="Label by label, at a threshold each",
    hypothesis="that the model keeps what it promises at all thresholds together",
    headline=_headline,
    columns=_columns,
    pvalue=lambda decisions: decisions.simultaneous_pvalue,
    at_floor=lambda decisions: decisions.at_floor,
    notes=_notes,
    asked=_asked,
    of_all=_of_all,
    flags=_flags,
)
