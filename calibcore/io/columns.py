"""Which columns are predictions, which is the label, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.errors import NoLabelsError
from calibcore.io.affixes import (
    class_names_of,
    counts_up,
    covers,
    label_affix,
    probability_affix,
)
from calibcore.io.look import Look, columns_of_labels, find_column, find_named_label
from calibcore.io.prediction_columns import find_predictions
from calibcore.io.tables import Table, is_bool_column, listed, quoted
from calibcore.predictions import InputError


@dataclass(frozen=True)
class Roles:
    """What each column is: the label (or None, or one-hot columns), the predictions, and why."""

    label: int | None
    onehot: tuple[int, ...]
    probs: tuple[int, ...]
    notes: tuple[str, ...]
    named: bool
    """Whether the names of the columns of predictions may name classes."""


def find_roles(
    table: Table, label_column: str | None, class_names: tuple[str, ...] | None, logits: bool,
    elsewhere: bool, look: Look | None = None,
) -> Roles:  # fmt: skip
    """Decide what each column is.

    Parameters
    ----------
    label_column, class_names : what the user said
    logits : the user said that the predictions are logits
    elsewhere : the labels are in a second file
    look : a look at more than ``table`` holds

    Raises
    ------
    InputError : no label or no predictions were found; lists the columns.
    """
    look = look or Look(table)
    named = table.named and len(table.block) < 2
    notes: list[str] = []
    label, why = None, ""
    taken: set[int] = set()
    if elsewhere:
        own = table.label if table.block else find_named_label(look)
        if own is not None:
            taken = {own}
            notes.append(f"{_sentence(table.where(own))} was not used: the labels are in the second file.")
    else:
        label, why = _known_label(look, label_column)
        if label is None and named:
            label, why = _label_by_words(look, class_names)
        if label is None:
            onehot, probs = _find_onehot(look)
            if onehot:
                return Roles(None, onehot, probs, _onehot_notes(look, onehot, probs), named)
            if named and counts_up(table.names):
                named = False
                notes.append(f"The column names {listed(table.names, 3)} only count; they name no classes.")
            if not named:
                label, why = _label_by_position(look)
        taken = {label} if label is not None else set()
    free = [j for j in range(len(look.names)) if j not in taken and look.numeric[j]]
    words = look.words(label) if label is not None else None
    probs_at, reason = find_predictions(look, free, words or frozenset(), class_names, logits)
    if label is None and not elsewhere:
        rest = [j for j in range(len(look.names)) if j not in probs_at]
        if len(rest) != 1 or not _may_be_label(look, rest[0], len(probs_at)):
            raise NoLabelsError(
                f"No column of labels was found. The columns are {listed(look.names)}. If the labels are in "
                "a file of their own, give that too.",
                columns_of_labels(look, [j for j in rest if _may_be_label(look, j, len(probs_at))]),
            )
        label, why = rest[0], "the only column that is no prediction"
    if label is not None:
        notes.append(f"Labels: {table.where(label)} ({why}).")
    array = quoted(table.names[table.block[0]].removesuffix("[0]")) if table.block else ""
    notes.append(
        f"Predictions: array {array}." if array else f"Predictions: {table.which(probs_at)} ({reason})."
    )
    return Roles(label, (), tuple(probs_at), tuple(notes), named)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _onehot_notes(look: Look, onehot: Sequence[int], probs: Sequence[int]) -> tuple[str, ...]:
    return (
        f"Labels: {look.table.which(onehot)}, one-hot (exactly one 1 a row).",
        f"Predictions: {look.table.which(probs)}, in the same order.",
    )


def _known_label(look: Look, label_column: str | None) -> tuple[int | None, str]:
    table = look.table
    if label_column is not None:
        return find_column(table, label_column), "as asked"
    if table.label is not None:
        return table.label, "the array of labels"
    found = find_named_label(look)
    return found, "because of its name"


def _may_be_label(look: Look, j: int, m: int) -> bool:
    words = look.words(j)
    if not words:
        return False
    if look.numeric[j]:
        values = look.sample[np.isfinite(look.sample[:, j]), j]
        return bool(look.integral[j]) and bool(np.mean((values >= -1) & (values <= max(m, 2))) > 0.9)
    return is_bool_column(look.table.columns[j]) or len(words) <= max(m, 2)


def _label_by_position(look: Look) -> tuple[int | None, str]:
    """Without names: the last or first column of whole numbers beside fractions, or the only text."""
    k = len(look.names)
    ends = [j for j in dict.fromkeys((k - 1, 0)) if look.integral[j]]
    if len(ends) == 2:
        ends = [j for j in ends if not look.counts_rows(j)] or ends[:1]
    if len(ends) == 2:
        numeric = [j for j in range(k) if look.numeric[j]]
        ends = [j for j in ends if look.adds_up([i for i in numeric if i != j])] or [
            j for j in ends if not look.unit[j]
        ]
    if len(ends) != 1 or k < 2:
        texts = [j for j in range(k) if not look.numeric[j]]
        return (texts[0], "the only column of text") if len(texts) == 1 else (None, "")
    others = [j for j in range(k) if j != ends[0] and look.numeric[j]]
    if all(look.integral[j] for j in others) and not look.adds_up(others):
        return None, ""
    where = "last" if ends[0] == k - 1 else "first"
    return ends[0], f"the {where} column, which holds whole numbers while the others hold fractions"


def _label_by_words(look: Look, class_names: tuple[str, ...] | None) -> tuple[int | None, str]:
    """The only column of text whose values are all names of classes."""
    numeric = [look.names[j] for j in range(len(look.names)) if look.numeric[j]]
    affixes = [affix[1] for name in numeric if (affix := probability_affix(name))]
    texts = [j for j in range(len(look.names)) if not look.numeric[j]]
    found = []
    for j in texts:
        words = look.words(j)
        if not words:
            continue
        forms: list[Sequence[str]] = [numeric, affixes, class_names or ()]
        two = len(words) == 2 and any(covers(words, [name]) for name in affixes)  # one column, p_ill
        if two or any(covers(form, words) for form in (*forms, class_names_of(numeric, words))):
            found.append(j)
    if len(found) > 1:
        raise InputError(
            f"The columns {listed([look.names[j] for j in found])} could all be the label.",
            columns_of_labels(look, found),
        )
    if found:
        return found[0], "its values are the names of the classes"
    return None, ""


def _find_onehot(look: Look) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Label columns and predictions, class by class, if there is a set of 0/1 columns with one 1 a row."""
    if look.table.block:
        return (), ()
    numeric = [j for j in range(len(look.names)) if look.numeric[j]]
    binary = [j for j in numeric if look.integral[j] and look.unit[j]]
    rest = [j for j in numeric if j not in set(binary)]
    if len(binary) < 2:
        return (), ()
    if look.table.named:
        outcomes = {a[1]: j for j in binary if (a := label_affix(look.names[j]))}
        outcomes |= {look.names[j]: j for j in binary if look.names[j] not in outcomes}
        forecasts = {a[1]: j for j in numeric if (a := probability_affix(look.names[j]))}
        forecasts |= {look.names[j]: j for j in rest if not probability_affix(look.names[j])}
        pairs = [(j, outcomes[name]) for name, j in forecasts.items() if outcomes.get(name, j) != j]
        probs, onehot = [j for j, _ in pairs], [j for _, j in pairs]
        if len(probs) > 1 and look.adds_up(probs) and _one_a_row(look, onehot):
            return tuple(onehot), tuple(probs)
    half = len(numeric) // 2
    for probs, onehot in ((numeric[:half], numeric[half:]), (numeric[half:], numeric[:half])):
        fits = set(onehot) <= set(binary) and len(onehot) == len(probs)
        if fits and look.adds_up(probs) and _one_a_row(look, onehot):
            return tuple(onehot), tuple(probs)
    return (), ()


def _one_a_row(look: Look, columns: Sequence[int]) -> bool:
    """Whether most rows of the sample have exactly one 1 (a few bad rows are for a sentence later)."""
    part = look.sample[:, list(columns)]
    return bool(np.mean(np.nansum(part, axis=1) == 1) > 0.9)
