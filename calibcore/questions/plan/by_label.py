"""How many cases to collect for each of several labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from calibcore.answers.by_label import ByLabel, OfLabel, Rows
from calibcore.answers.tables import Column
from calibcore.questions.plan import Plan, about
from calibcore.questions.plan.words import consistent_words, is_rare
from calibcore.wording import count
from calibcore.words.sizes import tolerance_words
from calibcore.words.tables import named_few


def _headline(rows: Rows[Plan], noun: str) -> str:
    most = max(rows, key=lambda row: row.result.cases)
    labels, cases = count(len(rows), "label"), count(about(most.result.cases), noun)
    return (
        f"About {cases} would do for all {labels}: of each, "
        f"{consistent_words(most.result.spec.tolerance)} 8 times in 10. '{most.label}' needs the most."
    )


def _columns(_rows: Rows[Plan]) -> tuple[Column[OfLabel[Plan]], ...]:
    return (
        Column("Cases to collect", "", lambda row: about(row.result.cases), "about {:,}".format, right=True),
        Column("", "cases", lambda row: row.result.cases),
        Column("To see such an error", "", _to_see, "about {:,}".format, right=True, unknown="–"),
        Column("", "cases to see", lambda row: row.result.cases_to_see),
    )


def _to_see(row: OfLabel[Plan]) -> int | None:
    cases = row.result.cases_to_see
    return None if cases is None else about(cases)


def _notes(rows: Rows[Plan]) -> tuple[str, ...]:
    """Labels that are rarer than the error that would matter."""
    rare = [f"'{row.label}'" for row in rows if is_rare(row.result)]
    if not rare:
        return ()
    size = tolerance_words(rows[0].result.spec.tolerance)
    return (
        f"An error of {size} is more than the mean probability of {named_few(rare)}. Expecting none at all "
        "is a smaller error than that: name a smaller tolerance for such labels.",
    )


def _asked(more: Mapping[str, Any], _label: str, labels: Sequence[str]) -> Mapping[str, Any]:
    """All labels are tested together, unless somebody says how many hypotheses there are."""
    return {} if more.get("hypotheses") is not None else {"hypotheses": len(labels)}


BY_LABEL = ByLabel[Plan](
    title="Label by label, how many cases would do",
    headline=_headline,
    columns=_columns,
    place=lambda plan: plan.cases,
    notes=_notes,
    asked=_asked,
)
