"""Which columns of a table are the predictions: by name, by what their rows sum to, else by their values."""

from typing import TypeAlias

import numpy as np

from calibcore.errors import Remedy
from calibcore.io.affixes import BINARY_NAMES, covers, is_logit_affix, normal, probability_affix
from calibcore.io.look import MOST_OFFERED, Look
from calibcore.io.tables import listed
from calibcore.predictions import InputError

_MOST_DROPPED = 20
"""Columns beside a run of predictions at most."""
_Sets: TypeAlias = list[tuple[list[int], str]]
"""Columns, and why these."""


def find_predictions(
    look: Look, free: list[int], words: frozenset[str], class_names: tuple[str, ...] | None, logits: bool
) -> tuple[list[int], str]:
    """The columns of predictions in the file's order, and why these."""
    names = look.names
    if class_names:
        by_name = {name: j for j, name in enumerate(names) if j in set(free)}
        by_rest = {affix[1]: j for name, j in by_name.items() if (affix := probability_affix(name))}
        for known in (by_name, by_rest):
            if all(name in known for name in class_names):
                return [known[name] for name in class_names], "they have the names of the classes"
    if look.table.block:
        return list(look.table.block), "the array of predictions"
    if not free:
        raise InputError(
            f"No column of numbers was found for the predictions. The columns are {listed(names)}. "
            "Expected one column of probabilities a class."
        )
    named, tiers = _candidates(look, free, words, logits)
    shares = [look.share(columns) for columns, _ in (*named, *tiers)]
    best = max(shares)
    window = None if logits or best >= 0.9 else _window(look, free, best)
    if window:
        return window, "columns side by side whose rows sum to 1 or 100"
    if best >= 0.5:  # the set that explains most rows; of equals the first
        return (*named, *tiers)[shares.index(best)]
    alone = _alone(look, free, logits)
    if alone is not None:
        return [alone], "one column of probabilities, so those of the positive class"
    if named:
        return named[0]
    # Nothing adds up: fractions are likelier scores than ids and ages are.
    fractions = [j for j in free if not look.integral[j]]
    return _alike(look, fractions, words) if len(fractions) > 1 else tiers[0]


def _alike(look: Look, scores: list[int], words: frozenset[str]) -> tuple[list[int], str]:
    """Columns named like labels, and those whose values are of the same size: classes that never occurred."""
    known = [j for j in scores if covers(words, [look.names[j]])]
    if len(known) < 2:
        return scores, "the columns of fractions"
    reach = 2 * np.nanmax(np.abs(look.sample[:, known]))
    alike = [j for j in scores if np.nanmax(np.abs(look.sample[:, j])) <= reach]
    return alike, "columns of fractions named like the labels, and their like"


def _candidates(look: Look, free: list[int], words: frozenset[str], logits: bool) -> tuple[_Sets, _Sets]:
    """Sets of columns that may be the predictions, the likeliest first: by name, and by value."""
    names = look.names
    named: _Sets = []
    groups: dict[str, list[int]] = {}
    for j in free:
        affix = probability_affix(names[j])
        if affix:
            groups.setdefault(affix[0], []).append(j)
    for shape in sorted(groups, key=lambda shape: (is_logit_affix(shape) != logits, -len(groups[shape]))):
        if len(groups[shape]) > 1:
            named.append((groups[shape], f"their names have the form {shape}"))
    tiers = [
        (free, "all other columns of numbers"),
        ([j for j in free if covers(words, [names[j]])], "they are named like the labels"),
        ([j for j in free if look.unit[j] or not look.integral[j]], "the columns that are no whole numbers"),
        ([j for j in free if look.unit[j]], "the columns with values from 0 to 1"),
        ([j for j in free if not look.integral[j]], "the columns of fractions"),
    ]
    return named, tiers


def _alone(look: Look, free: list[int], logits: bool) -> int | None:
    """The one column of probabilities of a two-class file, if there is exactly one."""
    if len(free) == 1:
        return free[0]
    named = [j for j in free if normal(look.names[j]) in BINARY_NAMES]
    if len(named) == 1 and look.table.named:
        return named[0]
    fitting = [j for j in free if look.unit[j] and not look.integral[j]]
    prefixed = [j for j in free if probability_affix(look.names[j])]
    if len(prefixed) == 1 and look.table.named:
        return prefixed[0]
    return fitting[0] if len(fitting) == 1 and not logits else None


def _window(look: Look, free: list[int], best: float) -> list[int] | None:
    """The longest run of neighbours adding up in more than the share ``best`` of rows; two are an error."""
    part = look.sample[:, free]
    outside = ~((part >= 0) & (part <= 100))
    ends = np.zeros((len(part), len(free) + 1))
    np.cumsum(np.where(outside, 1e6, part), axis=1, out=ends[:, 1:])  # 1e6: never part of a sum to 100
    for length in range(len(free) - 1, max(1, len(free) - _MOST_DROPPED - 1), -1):
        sums = ends[:, length:] - ends[:, :-length]
        shares = [np.mean(np.abs(sums - scale) <= 0.02 * scale, axis=0) for scale in (1, 100)]
        starts = np.flatnonzero(np.maximum(*shares) > max(best, 0.5))
        runs = [free[start : start + length] for start in starts]
        if len(runs) > 1:
            sets = [[look.names[j] for j in run] for run in runs]
            raise InputError(
                f"Several sets of columns sum to 1: {listed(sets[0], 5)}, and {listed(sets[-1], 5)}.",
                [
                    Remedy(
                        f"The predictions are {listed(names, 5)}",
                        {"class_names": tuple(names)},
                        rows=look.first_rows(run),
                    )
                    for names, run in zip(sets[:MOST_OFFERED], runs, strict=False)
                ],
            )
        if runs:
            return runs[0]
    return None
