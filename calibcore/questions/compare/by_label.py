"""Models compared label by label: which of them is better calibrated for which label."""

from collections.abc import Sequence

from calibcore.answers.by_label import ByLabel, OfLabel, Rows
from calibcore.answers.tables import Column, interval_column
from calibcore.diagram.gap_sizes import Interval
from calibcore.questions.compare import ComparedModel, Comparison
from calibcore.questions.compare.score_differences import ScoreDifference
from calibcore.questions.compare.words import difference
from calibcore.wording import count, quoted, sentences
from calibcore.words.sizes import gap_cell, typical_digits
from calibcore.words.tables import named_few


def _pvalue(comparison: Comparison) -> float | None:
    """That no two models differ: the smallest over pairs, which is adjusted for their number."""
    return min((pair.adjusted for pair in comparison.pairs if pair.adjusted is not None), default=None)


def _models(rows: Rows[Comparison]) -> Sequence[str]:
    return [model.name for model in rows[0].result.models]


def _better(row: OfLabel[Comparison]) -> str | None:
    """Which of two is better calibrated; of more, that they differ. None where that cannot be told."""
    if not row.found:
        return None
    pairs = row.result.pairs
    if len(pairs) > 1:
        return "they differ"
    assert pairs[0].gap is not None, "else there is no p"
    return pairs[0].a if pairs[0].gap.difference < 0 else pairs[0].b


def _headline(rows: Rows[Comparison], _noun: str) -> str:
    models, labels = _models(rows), count(len(rows), "label")
    apart = [(better, row.label) for row in rows if (better := _better(row)) is not None]
    if not apart:
        return f"For none of {labels} can these cases tell which model is better calibrated."
    if len(models) > 2:
        names = named_few([f"'{label}'" for _, label in apart])
        return f"The models differ in how far off they are for {len(apart)} of {labels}: {names}."
    parts = []
    for model in models:
        mine = [f"'{label}'" for better, label in apart if better == model]
        if mine:
            parts.append(f"'{model}' is better calibrated for {len(mine)} of {labels}: {named_few(mine)}.")
    rest = len(rows) - len(apart)
    return sentences(*parts, f"Of the other {rest:,} these cases cannot tell." if rest else "")


def _columns(rows: Rows[Comparison]) -> tuple[Column[OfLabel[Comparison]], ...]:
    gaps = [model.verdict.typical_gap for row in rows for model in row.result.models]
    digits = typical_digits(gaps)

    def model_of(row: OfLabel[Comparison], name: str) -> ComparedModel:
        return next(model for model in row.result.models if model.name == name)

    def column(name: str) -> Column[OfLabel[Comparison]]:
        def gap(row: OfLabel[Comparison]) -> Interval:
            return model_of(row, name).verdict.typical_gap

        head = f"Typical gap of '{name}'"
        return interval_column(head, f"typical gap, {name}", gap, lambda gap: gap_cell(gap, digits))

    columns: tuple[Column[OfLabel[Comparison]], ...] = (
        Column("Better calibrated", "better", _better, unknown="cannot tell"),
        *map(column, _models(rows)),
    )
    if len(_models(rows)) == 2:

        def brier(row: OfLabel[Comparison]) -> ScoreDifference | None:
            return row.result.pairs[0].brier

        def ends(row: OfLabel[Comparison]) -> tuple[float | None, ...]:
            scores = brier(row)
            return (None,) * 3 if scores is None else (scores.difference, scores.low, scores.high)

        keys = "Brier difference", "Brier difference, low", "Brier difference, high"
        columns += (
            Column("Brier score, first minus second", "", brier, difference, unknown="–"),
            Column("", keys, ends),
        )
    return columns


def _notes(rows: Rows[Comparison]) -> tuple[str, ...]:
    return (
        f"The models are {quoted(_models(rows))}, on the same cases.",
        "The p of each label is approximate, for large samples.",
    )


BY_LABEL = ByLabel[Comparison](
    title="Label by label, which model is better calibrated",
    hypothesis="that all models are equally far off",
    headline=_headline,
    columns=_columns,
    redrawn=False,
    pvalue=_pvalue,
    notes=_notes,
)
