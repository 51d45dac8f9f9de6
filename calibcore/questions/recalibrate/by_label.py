"""Recalibration of each of several labels: whether it would help, and by which map."""

from collections.abc import Mapping, Sequence
from typing import Any

from calibcore.answers.by_label import ByLabel, OfLabel, Rows
from calibcore.answers.tables import Column
from calibcore.questions.recalibrate import Method, Recalibration
from calibcore.questions.recalibrate.words import ANSWERS, SHARES, map_words, share_words
from calibcore.wording import count
from calibcore.words.sizes import gap_cell, in_keys
from calibcore.words.tables import named_few

METHODS = ("temperature", "logistic")
"""What is tried of each label unless somebody names others: a map of one number, and of two."""


def _tested(recalibration: Recalibration) -> list[Method]:
    return [method for method in recalibration.methods if method.adjusted is not None]


def _pvalue(recalibration: Recalibration) -> float | None:
    """That no map gains: the smallest over methods, which is adjusted for their number."""
    return min((method.adjusted or 0.0 for method in _tested(recalibration)), default=None)


def _at_floor(recalibration: Recalibration) -> bool:
    p = _pvalue(recalibration)
    return any(m.adjusted == p and m.test is not None and m.test.at_floor for m in _tested(recalibration))


def _best(row: OfLabel[Recalibration]) -> Method | None:
    return next(iter(row.result.methods), None)


def answer_over_labels(row: OfLabel[Recalibration]) -> str | None:
    """As of the best method alone, but for the p, which is adjusted over labels."""
    best = _best(row)
    if best is None:
        return None
    if best.answer == "not-worthwhile" or row.result.one_sided:
        return best.answer
    return "worthwhile" if row.found and best.share > 0 else "cannot-tell"


def _headline(rows: Rows[Recalibration], _noun: str) -> str:
    labels = count(len(rows), "label")
    answers = [answer_over_labels(row) for row in rows]
    worth = [f"'{row.label}'" for row, answer in zip(rows, answers, strict=True) if answer == "worthwhile"]
    if worth:
        return f"Recalibration would help {len(worth)} of {labels}: {named_few(worth)}."
    if all(answer == "not-worthwhile" for answer in answers):
        return f"Recalibration is not worthwhile for any of {labels}."
    return f"For none of {labels} can these cases tell whether recalibration would help."


def _columns(_rows: Rows[Recalibration]) -> tuple[Column[OfLabel[Recalibration]], ...]:
    def answer_words(answer: str) -> str:
        return ANSWERS[answer]

    def after(row: OfLabel[Recalibration]) -> tuple[float | None, ...]:
        best = _best(row)
        gap = None if best is None else best.typical_gap
        return (None,) * 3 if gap is None else (gap.value, gap.low, gap.high)

    def parameters(row: OfLabel[Recalibration]) -> str | None:
        best = _best(row)
        return None if best is None else map_words(best.map)

    return (
        Column("Answer", "answer", answer_over_labels, answer_words, unknown="–"),
        Column("Best map", "", parameters, unknown="–"),
        Column("", "method", lambda row: (best := _best(row)) and best.kind),
        Column(SHARES, "", _best, share_words, unknown="–"),
        Column("", "gain, share of the loss", lambda row: (best := _best(row)) and best.share),
        Column("Typical gap", "", lambda row: gap_cell(row.result.typical_gap, 1)),
        Column("", "typical gap", lambda row: row.result.typical_gap.value),
        Column("After", "", lambda row: (best := _best(row)) and gap_cell(best.typical_gap, 1), unknown="–"),
        Column("", in_keys("typical gap after"), after),
    )


def _notes(_rows: Rows[Recalibration]) -> tuple[str, ...]:
    return (
        "Gains are of cases that did not fit the map. The map named is the one of the largest Brier gain, "
        "less about a standard error.",
    )


def _asked(more: Mapping[str, Any], _label: str, _labels: Sequence[str]) -> Mapping[str, Any]:
    return {} if more.get("methods") else {"methods": METHODS}


BY_LABEL = ByLabel[Recalibration](
    title="Label by label, what recalibration would do",
    hypothesis="that no map gains more than chance explains",
    headline=_headline,
    columns=_columns,
    pvalue=_pvalue,
    at_floor=_at_floor,
    tests=lambda more: len(more.get("methods") or METHODS),
    notes=_notes,
    asked=_asked,
)
