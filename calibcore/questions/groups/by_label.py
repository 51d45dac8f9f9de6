"""Groups of cases, label by label: whether a label is off in some group, and where most."""

from calibcore.answers.by_label import ByLabel, OfLabel, Rows, verdict_words
from calibcore.answers.tables import Column, interval_column
from calibcore.assessment.verdict import Verdict
from calibcore.diagram.gap_sizes import Interval
from calibcore.questions.groups import Group, GroupSurvey
from calibcore.questions.groups.words import by_gap, group_name
from calibcore.wording import count
from calibcore.words.sizes import balance_words, gap_cell, typical_digits
from calibcore.words.tables import named_few


def _largest(row: OfLabel[GroupSurvey]) -> tuple[Group, Verdict] | None:
    """The group with the largest typical gap, and what is known of it."""
    return next(iter(by_gap(row.result)), None)


def _where(row: OfLabel[GroupSurvey]) -> str | None:
    largest = _largest(row)
    return None if largest is None else group_name(largest[0].column, largest[0].value)


def _gap(row: OfLabel[GroupSurvey]) -> Interval | None:
    largest = _largest(row)
    return None if largest is None else largest[1].typical_gap


def _headline(rows: Rows[GroupSurvey], _noun: str) -> str:
    labels, off = count(len(rows), "label"), [row for row in rows if row.found]
    if not off:
        return f"For none of {labels} do these cases show a group in which it is off."
    names = named_few([f"'{row.label}' (most in {_where(row)})" for row in off])
    verb = "is" if len(off) == 1 else "are"
    return f"{len(off)} of {labels} {verb} off in some group: {names}."


def _columns(rows: Rows[GroupSurvey]) -> tuple[Column[OfLabel[GroupSurvey]], ...]:
    digits = typical_digits([gap for row in rows if (gap := _gap(row)) is not None])

    def balance(row: OfLabel[GroupSurvey]) -> str | None:
        largest = _largest(row)
        return None if largest is None else balance_words(largest[1].lens, largest[1].frequencies)

    return (
        Column("", "verdict", verdict_words),
        Column("Groups tested", "groups", lambda row: len(row.result.tested), right=True),
        Column("Largest gap in", "largest gap in", _where, unknown="–"),
        interval_column(
            "Typical gap there", "typical gap there", _gap, lambda gap: gap_cell(gap, digits), unknown="–"
        ),
        Column("On balance there", "", balance, unknown="–"),
    )


BY_LABEL = ByLabel[GroupSurvey](
    title="Label by label, over all groups",
    hypothesis="that the label is calibrated in every group that was large enough",
    headline=_headline,
    columns=_columns,
    pvalue=lambda survey: survey.global_pvalue,
    at_floor=lambda survey: survey.global_at_floor,
)
