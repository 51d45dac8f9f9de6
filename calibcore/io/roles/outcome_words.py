"""Outcomes of several labels in words, such as "present" and "absent": as 1 and 0."""

from dataclasses import replace

import pandas as pd

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import loose, polarity
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import cell_text
from calibcore.io.roles.wide_models import is_known
from calibcore.io.tables import Table, is_bool_column, is_number_column
from calibcore.wording import quote


def outcomes_in_numbers(table: Table, predictions: Table) -> Table:
    """The table with 1 and 0 in two or more columns that are called as columns of ``predictions`` and hold
    opposite words. A note says what each word was taken for; words that say neither stay. Cost O(n) a column.
    """
    texts = [j for j, own in enumerate(table.columns) if not (is_number_column(own) or is_bool_column(own))]
    if len(texts) < 2 or not (table.named and predictions.named):
        return table
    look = Look(predictions)
    known = {
        loose(parsed.inner or parsed.text)
        for j, parsed in enumerate(look.parsed)
        if look.unit[j] and not look.integral[j]
    }
    own_look = look if table is predictions else Look(table)
    chosen = [j for j in texts if _is_called_so(own_look, j, known) and _says_whether(own_look, j)]
    words = {cell_text(cell) for j in chosen for cell in table.columns[j].unique()}
    numbers = {word: "1" if sign > 0 else "0" for word in words if (sign := polarity(word))}
    if len(chosen) < 2 or len(set(numbers.values())) < 2:
        return table
    columns = list(table.columns)
    for j in chosen:
        cells = columns[j].astype(object).tolist()
        columns[j] = pd.Series([numbers.get(cell_text(cell), cell) for cell in cells], dtype=object)
    words_by_number = sorted(numbers, key=lambda word: (numbers[word], word))
    pairs = ", ".join(f"{quote(word)} for {numbers[word]}" for word in words_by_number)
    note = f"Outcomes in words were taken: {pairs}."
    return replace(table, columns=tuple(columns), notes=(*table.notes, note))


def _is_called_so(look: Look, j: int, known: set[str]) -> bool:
    """Whether a column is called as one of probabilities is, and not after a model or what it predicted."""
    parsed = look.parsed[j]
    name = parsed.inner or parsed.text
    return loose(name) in known and not (parsed.speaks_of_predictions or is_known(name))


def _says_whether(look: Look, j: int) -> bool:
    """Whether most cells of the sample that hold something say yes or no."""
    cells = [cell_text(cell) for cell in look.table.columns[j].iloc[look.rows]]
    filled = [cell for cell in cells if cell.casefold() not in lexicon.NO_VALUE]
    return 2 * sum(polarity(cell) != 0 for cell in filled) > len(filled)
