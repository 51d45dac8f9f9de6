"""Labels as one column of 0 and 1 a class."""

from collections.abc import Sequence

import numpy as np

from calibcore.io.class_forms import class_forms
from calibcore.io.label_places import ANY, BESIDE, LABEL, RANKS, Place
from calibcore.io.look import Look
from calibcore.io.name_words import loose, pieces
from calibcore.io.names import parse

BY_NAME, BY_ORDER = "by their names", "in the same order"
"""How their columns belong to the classes."""


def onehot_places(
    look: Look, predictions: Sequence[int], classes: Sequence[str] | None, m: int
) -> list[tuple[Place, tuple[int, ...]]]:
    """Sets of m columns of 0 and 1 with one 1 a row, and the class of each of their columns.

    By their names, if these are those of the ``classes``; else in the order of the file.
    """
    ones = [j for j in range(len(look.names)) if j not in predictions and look.integral[j] and look.unit[j]]
    if len(ones) < m or m < 2:
        return []
    groups = _groups(look, ones)
    if classes is not None and look.table.named:
        paired = [_paired(look, group, classes) for group in groups]
        places = [_place(look, *pair, BY_NAME) for pair in paired if pair and _one_a_row(look, pair[0])]
        if places:
            return places
    share = 1.0 if predictions else 0.9  # beside predictions two columns of 0 and 1 may be anything
    alike = [group for group in (*groups, *_runs(ones)) if len(group) == m and _one_a_row(look, group, share)]
    return [_place(look, group, tuple(range(m)), BY_ORDER) for group in alike]


def _place(
    look: Look, columns: Sequence[int], order: tuple[int, ...], how: str
) -> tuple[Place, tuple[int, ...]]:
    roles = {look.parsed[j].role for j in columns}
    rank = RANKS.get(roles.pop(), ANY) if len(roles) == 1 else ANY
    named = rank in (ANY, BESIDE) and how == BY_NAME
    return Place(tuple(columns), LABEL if named else rank, how), order


def _one_a_row(look: Look, columns: Sequence[int], share: float = 0.9) -> bool:
    """Whether so many rows of the sample have exactly one 1 (a few bad rows are for a sentence later)."""
    return bool(np.mean(np.nansum(look.sample[:, list(columns)], axis=1) == 1) >= share)


def _groups(look: Look, ones: Sequence[int]) -> list[list[int]]:
    """Columns whose names have one form, such that begin or end alike, and all."""
    groups: dict[tuple[str, int], list[int]] = {}
    for j in ones:
        parsed = look.parsed[j]
        if parsed.inner:
            groups.setdefault((parsed.shape, 2), []).append(j)
        for side, piece in enumerate(pieces(parsed.text)):
            if piece and piece != parsed.text:
                groups.setdefault((piece.casefold(), side), []).append(j)
    return [*groups.values(), list(ones)]


def _paired(
    look: Look, group: Sequence[int], classes: Sequence[str]
) -> tuple[list[int], tuple[int, ...]] | None:
    """Columns of a group named after the classes, and the class of each."""
    keys = {loose(name): k for k, name in enumerate(classes)}
    names = [look.names[j] for j in group]
    forms = [*class_forms(names), tuple(parse(name).inner for name in names)]
    for form in forms:
        known = {loose(name): j for name, j in zip(form, group, strict=True) if name}
        if set(keys) <= set(known):
            pairs = sorted((known[name], k) for name, k in keys.items())
            return [j for j, _ in pairs], tuple(k for _, k in pairs)
    for form in forms if len(group) == len(classes) else ():
        places = [[k for k, name in enumerate(classes) if _ends_with(name, word)] for word in form]
        if all(len(place) == 1 for place in places) and len({place[0] for place in places}) == len(classes):
            return list(group), tuple(place[0] for place in places)
    return None


def _ends_with(name: str, word: str) -> bool:
    """Whether the name of a class ends with a word, glued to it: "targetyes"."""
    return bool(word) and name.casefold().endswith(word.casefold())


def _runs(columns: Sequence[int]) -> list[list[int]]:
    """Columns side by side."""
    runs: list[list[int]] = []
    for j in columns:
        if runs and j == runs[-1][-1] + 1:
            runs[-1].append(j)
        else:
            runs.append([j])
    return runs
