"""Which columns hold the probabilities of several labels of a case, and which their outcomes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibcore.column_names import lexicon
from calibcore.column_names.name_words import loose
from calibcore.column_names.names import may_list_labels
from calibcore.data.row_numbers import list_rows
from calibcore.errors import InputError, Remedy
from calibcore.io.options import ReadOptions
from calibcore.io.roles.look import Look
from calibcore.io.roles.meaning import cell_text
from calibcore.io.tables import Array, Table, capitalised, is_bool_column, is_empty
from calibcore.numerics.types import Float
from calibcore.wording import count, listed, quote

UNSURE = {"unknown": np.nan, "no": 0.0, "yes": 1.0}
"""What −1 may stand for, as CheXpert has it where a report was not sure."""
PLACE = re.compile(r"(.+)\[\d+\]")
"""The name of a column that is one place of a list."""
_BETWEEN = re.compile(r"\s*[|;,]\s*")
NONE_TRUE = frozenset(
    map(loose, ("no finding", "no findings", "normal", "none", "nothing", "negative", "[]"))
)
"""What a cell of names says, without spaces and signs, where no label is true."""


@dataclass(frozen=True)
class Pair:
    """A label: its name, the column of its probabilities, and that of its outcomes, in the file of labels if
    there is one."""

    name: str
    probs: int
    outcomes: int


def pairs_of(look: Look, label_look: Look) -> tuple[Pair, ...]:
    """The labels whose two columns belong together by name, or place by place in two lists of one length.

    Labels that only count are called by the names beside the arrays, if there are any. Cost O(columns).
    """
    pairs = _by_name(look, label_look) or _by_place(look, label_look)
    names = look.table.class_names or label_look.table.class_names or ()
    counted = [pair.name for pair in pairs] == [str(place) for place in range(len(names))]
    if not counted or len(set(names)) < len(names):
        return pairs
    return tuple(replace(pair, name=name) for pair, name in zip(pairs, names, strict=True))


def _by_name(look: Look, label_look: Look) -> tuple[Pair, ...]:
    own_file = label_look is not look
    if not (look.table.named and label_look.table.named):
        return ()
    ones = {
        loose(parsed.inner or parsed.text): j
        for j, parsed in enumerate(label_look.parsed)
        if says_so(label_look, j) and (own_file or not parsed.speaks_of_predictions)
    }
    pairs = []
    for j, parsed in enumerate(look.parsed):
        name = parsed.inner or parsed.text * own_file
        if not (look.unit[j] or look.fractional[j]) or (
            look.integral[j] and not (own_file or parsed.speaks_of_predictions)
        ):
            continue
        outcomes = ones.get(loose(name)) if name else None
        if outcomes is not None and (own_file or (outcomes != j and parsed.speaks_of_predictions)):
            pairs.append(Pair(name.strip(), j, outcomes))
    if not own_file and len(pairs) < len(look.outcomes):
        pairs = [
            Pair(look.parsed[owner].inner or look.names[owner], owner, j)
            for j, owner in look.outcomes.items()
        ]
    known = {pair.name for pair in pairs}
    return tuple(pairs) if len(known) == len(pairs) > 1 else ()


def _by_place(look: Look, label_look: Look) -> tuple[Pair, ...]:
    """Lists, or arrays: as many probabilities a row as there are outcomes."""
    groups: dict[str, list[int]] = {}
    for j, name in enumerate(label_look.names):
        match = PLACE.fullmatch(name)
        if match and says_so(label_look, j) and (label_look is not look or may_list_labels(match[1])):
            groups.setdefault(match[1], []).append(j)
    unnamed = label_look is not look and not label_look.table.named
    if unnamed and all(says_so(label_look, j) for j in range(len(label_look.names))):
        groups[""] = list(range(len(label_look.names)))
    for outcomes in groups.values():
        blocks = [block for block in look.table.blocks if set(block).isdisjoint(outcomes) or unnamed]
        if not blocks and unnamed and not look.table.named:
            blocks = [tuple(range(len(look.names)))]
        fits = [block for block in blocks if len(block) == len(outcomes) and look.unit[list(block)].all()]
        if len(fits) == 1 and len(outcomes) > 1:
            each = zip(fits[0], outcomes, strict=True)
            return tuple(Pair(str(place), j, outcome) for place, (j, outcome) in enumerate(each))
    return ()


def says_so(look: Look, j: int) -> bool:
    """Whether a column holds 0 and 1, and perhaps −1 or nothing."""
    cells = look.sample[:, j]
    known = cells[~np.isnan(cells)]
    numbers = look.numeric[j] or is_bool_column(look.table.columns[j])
    return bool(numbers and len(known) and np.isin(known, (-1, 0, 1)).all() and (known >= 0).any())


def exclude_each_other(look: Look, label_look: Look, pairs: Sequence[Pair], most: float) -> bool:
    """Whether a case may be one of many: probabilities sum to 1, or exactly one outcome is 1."""
    return (
        label_look.one_hot_share([pair.outcomes for pair in pairs]) >= most
        or look.share([pair.probs for pair in pairs]) >= most
    )


def probabilities(table: Table, pairs: Sequence[Pair], options: ReadOptions) -> Float:
    """(n, k) from 0 to 1; per cent and logits as the options say. :class:`InputError` for what is none."""
    g = np.column_stack([table.numbers(pair.probs).astype(np.float64) for pair in pairs])
    bad = np.argwhere(~np.isfinite(g))
    if len(bad):
        i, j = map(int, bad[0])
        rows = np.unique(bad[:, 0])
        cell = cell_text(table.columns[pairs[j].probs].iloc[i])
        where = list_rows(rows, lambda _: f"has {quote(cell)} in {table.where(pairs[j].probs)}")
        raise InputError(f"{where} Expected a probability of every label in every row.")
    if options.values == "percent":
        return np.asarray(g / 100)
    if options.values == "logits":
        return np.asarray(0.5 * (1 + np.tanh(0.5 * g)))
    if options.values == "log-probabilities":
        return np.asarray(np.exp(g))
    outside = np.argwhere((g < -1e-6) | (g > 1 + 1e-6))
    if len(outside):
        i, j = map(int, outside[0])
        percent = g.min() >= 0 and g.max() <= 100
        kind, words = ("percent", "per cent") if percent else ("logits", "logits")
        raise InputError(
            f"Row {i + 1:,} has {g[i, j]:g} in {table.where(pairs[j].probs)}. Expected probabilities from 0 "
            "to 1.",
            (Remedy(f"Take the numbers for {words}", {"values": kind}),),
        )
    return np.asarray(g)


def outcomes(table: Table, pairs: Sequence[Pair], options: ReadOptions) -> tuple[Array, tuple[str, ...]]:
    """(n, k) 1, 0, and NaN where nothing is known, and sentences on it; a question where some are −1."""
    y = np.column_stack([table.numbers(pair.outcomes).astype(np.float64) for pair in pairs])
    for k, pair in enumerate(pairs):
        cells, where = table.columns[pair.outcomes], table.where(pair.outcomes)
        odd = np.flatnonzero(~np.isin(y[:, k], (-1, 0, 1))).tolist()
        bad = [i for i in odd if not _says_nothing(cells.iloc[i])]
        if bad:
            rows = [f"has {quote(cells.iloc[i])} in {where}" for i in bad]
            faults = dict(zip(bad, rows, strict=True))
            raise InputError(
                f"{list_rows(np.array(bad), faults.__getitem__)} Expected 1 or 0, and nothing where an "
                "outcome is not known."
            )
    unsure, notes = y == -1, []
    if unsure.any():
        many = count(int(unsure.sum()), "outcome")
        if options.unsure_labels is None:
            i, k = map(int, np.argwhere(unsure)[0])
            raise InputError(
                f"{many} {'is' if unsure.sum() == 1 else 'are'} −1, such as that in row {i + 1:,} of "
                f"{table.where(pairs[k].outcomes)}: it was not sure whether the label is true.",
                [
                    Remedy(words, {"unsure_labels": says})
                    for says, words in (
                        ("unknown", "Leave the case out of that label"),
                        ("no", "Take −1 for not true"),
                        ("yes", "Take −1 for true"),
                    )
                ],
            )
        y[unsure] = UNSURE[options.unsure_labels]
        notes.append(f"{many} of −1 {'was' if unsure.sum() == 1 else 'were'} taken for "
                     f"{options.unsure_labels}, as asked.")  # fmt: skip
    return y, tuple(notes)


def _says_nothing(cell: object) -> bool:
    return is_empty(cell) or str(cell).strip().lower() in lexicon.NO_VALUE


@dataclass(frozen=True, eq=False)
class Listed:
    """A column in which the names of the labels that are true stand, as in "A|B", and their probabilities."""

    names: tuple[str, ...]
    probs: tuple[int, ...]
    column: int
    outcomes: Array  # (n, k)


def listed_names(look: Look, label_look: Look) -> Listed | None:
    """Labels by their names in one cell. None where no column has such. Cost O(n).

    Raises
    ------
    InputError : a name that no column of probabilities has.
    """
    names = {
        loose(parsed.inner or parsed.text): ((parsed.inner or parsed.text).strip(), j)
        for j, parsed in enumerate(look.parsed)
        if look.unit[j] and not look.integral[j]
    }
    for column, parsed in enumerate(label_look.parsed):
        speaks = parsed.speaks_of_outcomes or may_list_labels(label_look.names[column])
        if label_look.numeric[column] or not speaks or len(names) < 2:
            continue
        cells = label_look.table.columns[column].astype(object).tolist()
        lists = [[] if is_empty(cell) else _words(str(cell)) for cell in cells]
        if not any(len(words) > 1 for words in lists):
            continue
        keys = list(names)
        place = {key: k for k, key in enumerate(keys)}
        true = np.zeros((len(cells), len(keys)))
        for i, words in enumerate(lists):
            for word in words:
                if loose(word) in place:
                    true[i, place[loose(word)]] = 1
                elif loose(word) not in NONE_TRUE:
                    raise InputError(
                        f"Row {i + 1:,} has {quote(word)} in {label_look.table.where(column)}, of which "
                        "there are no probabilities. Expected some of "
                        f"{listed([name for name, _ in names.values()])}."
                    )
        probs = tuple(j for _, j in names.values())
        return Listed(tuple(name for name, _ in names.values()), probs, column, true)
    return None


def _words(cell: str) -> list[str]:
    parts = (part.strip().strip("'\"").strip() for part in _BETWEEN.split(cell.strip().strip("[](){}")))
    return [part for part in parts if part]


def described(table: Table, own: Table, pairs: Sequence[Pair]) -> str:
    """What was read, in a sentence."""
    first = pairs[0]
    where = own.where(first.outcomes)
    return capitalised(
        f"{len(pairs):,} labels of each case, such as {quote(first.name)}: its probabilities are "
        f"{table.where(first.probs)}, its outcomes {where}."
    )
