"""How many cases to collect for each of several labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from calibcore.answers.by_label import ByLabel, OfLabel, Rows
from calibcore.answers.tables import Column
from calibcore.questions.plan import Plan, about
from calibcore.wording import count
from calibcore.words.sizes import tolerance_words


def _headline(rows: Rows[Plan], noun: str) -> str:
    most = max(rows, key=lambda row: row.result.cases)
    size = tolerance_words(most.result.spec.tolerance)
    labels, cases = count(len(rows), "label"), count(about(most.result.cases), noun)
    return (
        f"About {cases} would do for all {labels}: an error of {size} of each would be seen 8 times in 10. "
        f"'{most.label}' needs the most."
    )


def _columns(_rows: Rows[Plan]) -> tuple[Column[OfLabel[Plan]], ...]:
    return (
        Column("Cases to collect", "", lambda row: about(row.result.cases), "about {:,}".format, right=True),
        Column("", "cases", lambda row: row.result.cases),
        Column("", "cases to see", lambda row: row.result.cases_to_see),
    )


def _asked(more: Mapping[str, Any], _label: str, labels: Sequence[str]) -> Mapping[str, Any]:
    """All labels are tested together, unless somebody says how many hypotheses there are."""
    return {} if more.get("hypotheses") is not None else {"hypotheses": len(labels)}


BY_LABEL = ByLabel[Plan](
    title="Label by label, how many cases would do",
    headline=_headline,
    columns=_columns,
    place=lambda plan: plan.cases,
    asked=_asked,
)
