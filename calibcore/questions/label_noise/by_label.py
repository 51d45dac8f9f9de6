"""Wrong outcomes of each of several labels: how many would explain what happened."""

from calibcore.answers.by_label import ByLabel, OfLabel, Rows
from calibcore.answers.tables import Column
from calibcore.questions.label_noise import WrongLabels
from calibcore.wording import count, percent, sentences
from calibcore.words.tables import named_few

NEEDLESS = "none needed"


def _share(row: OfLabel[WrongLabels]) -> str:
    """What would explain it, where something has to be explained."""
    if not row.found:
        return NEEDLESS
    return "no share explains it" if row.result.smallest is None else percent(row.result.smallest)


def _headline(rows: Rows[WrongLabels], _noun: str) -> str:
    labels, off = count(len(rows), "label"), [row for row in rows if row.found]
    if not off:
        return f"None of {labels} needs wrong outcomes to explain what happened."
    explained = [f"'{row.label}' ({_share(row)})" for row in off if row.result.smallest is not None]
    never = [f"'{row.label}'" for row in off if row.result.smallest is None]
    would = f"Wrong outcomes that would explain what happened, for {len(explained)} of {labels}"
    no_share = f"In {len(never)} of {labels} no share of wrong outcomes explains what happened"
    return sentences(
        f"{would}: {named_few(explained)}." if explained else "",
        f"{no_share}: {named_few(never)}." if never else "",
    )


def _columns(_rows: Rows[WrongLabels]) -> tuple[Column[OfLabel[WrongLabels]], ...]:
    return (
        Column("Wrong outcomes that would explain it", "", _share),
        Column("", "smallest share", lambda row: row.result.smallest),
        Column("", "most likely share", lambda row: row.result.estimate),
    )


BY_LABEL = ByLabel[WrongLabels](
    title="Label by label, how many wrong outcomes would explain it",
    hypothesis="that no outcome is wrong and the label is calibrated",
    headline=_headline,
    columns=_columns,
    pvalue=lambda result: result.pvalue,
    at_floor=lambda result: result.at_floor,
)
