"""Groups of cases, label by label: whether a label is off in some group, and where most."""

from calibcore.answers.by_label import ByLabel, OfLabel, Rows, verdict_words
from calibcore.answers.tables import Column, interval_column
from calibcore.assessment.verdict import Verdict
from calibcore.diagram.gap_sizes import Interval
from calibcore.hypothesis_tests.adjust import holm
from calibcore.questions.groups import Group, GroupSurvey
from calibcore.questions.groups.words import BY_LABEL_BETWEEN, by_gap, group_name
from calibcore.wording import count, sentences
from calibcore.words.phrases import above_zero, p_words
from calibcore.words.sizes import balance_words, gap_cell, typical_digits
from calibcore.words.tables import named_few

NO_SIGN = "No sign that groups differ from each other on balance."


def _largest(row: OfLabel[GroupSurvey]) -> tuple[Group, Verdict] | None:
    """The group with the largest typical gap, and what is known of it."""
    return next(iter(by_gap(row.result)), None)


def _differing(rows: Rows[GroupSurvey]) -> dict[str, tuple[float, str | None]]:
    """Label -> the p that its groups do not differ on balance, adjusted over columns and labels, and of the
    clearest column the group with the largest typical gap; None where that p is above the level."""
    clearest = {
        row.label: min(row.result.between, key=lambda between: between.pvalue)
        for row in rows
        if row.result.between
    }
    adjusted = holm([between.adjusted for between in clearest.values()]).tolist()
    differing: dict[str, tuple[float, str | None]] = {}
    for row in rows:
        if row.label in clearest:
            p, column = adjusted[list(clearest).index(row.label)], clearest[row.label].column
            places = [
                group_name(group.column, group.value)
                for group, _ in by_gap(row.result)
                if group.column == column
            ]
            differing[row.label] = p, places[0] if p <= row.result.spec.alpha else None
    return differing


def _gap(row: OfLabel[GroupSurvey]) -> Interval | None:
    largest = _largest(row)
    return None if largest is None else largest[1].typical_gap


def _headline(rows: Rows[GroupSurvey], _noun: str) -> str:
    labels, off = count(len(rows), "label"), [row for row in rows if row.found]
    if not off:
        return f"For none of {labels} do these cases show a group in which it is off."
    differing = _differing(rows)

    def name(row: OfLabel[GroupSurvey]) -> str:
        where = differing.get(row.label, (1.0, None))[1]
        return f"'{row.label}'" if where is None else f"'{row.label}' (most in {where})"

    verb = "is" if len(off) == 1 else "are"
    alike = "" if any(differing.get(row.label, (0.0, ""))[1] is not None for row in off) else NO_SIGN
    return sentences(
        f"{len(off)} of {labels} {verb} off in some group: {named_few(list(map(name, off)))}.", alike
    )


def _columns(rows: Rows[GroupSurvey]) -> tuple[Column[OfLabel[GroupSurvey]], ...]:
    differing = _differing(rows)

    def apart(row: OfLabel[GroupSurvey]) -> float | None:
        return differing.get(row.label, (None, None))[0]

    def where(row: OfLabel[GroupSurvey]) -> str | None:
        return differing.get(row.label, (None, None))[1]

    digits = typical_digits([gap for row in rows if (gap := _gap(row)) is not None])

    def balance(row: OfLabel[GroupSurvey]) -> str | None:
        largest = _largest(row)
        return None if largest is None else balance_words(largest[1].lens, largest[1].frequencies)

    return (
        Column("", "verdict", verdict_words),
        Column("Groups tested", "groups", lambda row: len(row.result.tested), right=True),
        interval_column(
            "Largest typical gap", "typical gap there", _gap, lambda gap: gap_cell(gap, digits), unknown="–"
        ),
        Column("On balance there", "", balance, unknown="–"),
        Column(
            "Groups differ, adjusted p", "", apart, lambda p: p_words(above_zero(p), short=True), unknown="–"
        ),
        Column("", "groups differ, adjusted p", apart),
        Column("Most in", "largest gap in", where, unknown="–"),
    )


def _notes(rows: Rows[GroupSurvey]) -> tuple[str, ...]:
    return (BY_LABEL_BETWEEN if _differing(rows) else "",)


BY_LABEL = ByLabel[GroupSurvey](
    title="Label by label, over all groups",
    hypothesis="that the label is calibrated in every group that was large enough",
    headline=_headline,
    columns=_columns,
    pvalue=lambda survey: survey.global_pvalue,
    at_floor=lambda survey: survey.global_at_floor,
    notes=_notes,
)
