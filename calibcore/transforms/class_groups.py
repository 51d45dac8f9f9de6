"""Which classes a model takes for one another: by its predictions alone, so that a lens may follow from it.

Two classes are confused as far as the model gives probability to both at once:
the overlap Σᵢ g_ia g_ib over the cases. Outcomes are never looked at.
"""

from itertools import combinations
from weakref import WeakKeyDictionary

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import squareform

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Float

TIE = 1e-12
"""Sums that differ by less than this share of them are equal: then the earlier classes win."""
_overlaps: "WeakKeyDictionary[Predictions, Float]" = WeakKeyDictionary()
"""Predictions -> what :func:`overlaps` gives, as long as they are there: many classes take seconds."""


def overlaps(predictions: Predictions) -> Float:
    """(m, m) Σᵢ wᵢ g_ia g_ib, symmetric, read-only; weights are 1 where there are none. Cost O(nm²), once."""
    if predictions not in _overlaps:
        g = predictions.probs
        weighted = g if predictions.weights is None else g * predictions.weights[:, None]
        between = np.asarray(weighted.T @ g)
        between.flags.writeable = False
        _overlaps[predictions] = between
    return _overlaps[predictions]


def confusable_classes(predictions: Predictions, k: int = 3) -> tuple[str, ...]:
    """The ``k`` classes, 2 or 3, whose overlaps among themselves add up to most; in the order of the classes.

    Cost O(nm² + mᵏ).

    Raises
    ------
    InputError : another k; no more than k classes, so that none is left.
    """
    if k not in (2, 3):
        raise InputError(f"The number of confusable classes is {k}; expected 2 or 3.")
    if predictions.m <= k:
        raise InputError(
            f"There are {predictions.m} classes; expected more than {k}, so that a class is left."
        )
    between = overlaps(predictions).copy()
    np.fill_diagonal(between, -np.inf)
    chosen = _pair(between) if k == 2 else _triple(between)
    return tuple(predictions.class_names[c] for c in chosen)


def _pair(between: Float) -> tuple[int, ...]:
    return tuple(int(c) for c in np.unravel_index(_first_largest(between), between.shape))


def _triple(between: Float) -> tuple[int, ...]:
    best, most = (0, 1, 2), -np.inf
    for a in range(len(between) - 2):
        own = between[a, a + 1 :]
        sums = between[a + 1 :, a + 1 :] + own[:, None] + own
        place = _first_largest(sums)
        if (total := float(sums.flat[place])) > most + TIE * abs(total):
            b, c = np.unravel_index(place, sums.shape)
            best, most = (a, a + 1 + int(b), a + 1 + int(c)), total
    return best


def _first_largest(sums: Float) -> int:
    """The flat index; of symmetric sums the one above the diagonal."""
    return int(np.argmax(sums >= sums.max() * (1 - TIE)))


def proposed_groups(predictions: Predictions, k: int) -> tuple[tuple[str, ...], ...]:
    """The classes in ``k`` groups of those that are confused with one another, each by its first class.

    Complete linkage: of all groups the two are joined whose least alike classes are most alike, until ``k``
    are left. Alike are classes a and b by their overlap over √(overlap of a and a · of b and b). Cost O(nm²).

    Raises
    ------
    InputError : k is not from 2 to the number of classes.
    """
    m, names = predictions.m, predictions.class_names
    if not 2 <= k <= m:
        raise InputError(f"The number of groups is {k}; expected 2 to {m}, a class each at least.")
    between = overlaps(predictions)
    size = np.sqrt(np.diag(between))
    size[size == 0] = 1.0  # a class that is never given any probability is like no other
    apart = np.maximum(1 - between / np.outer(size, size), 0.0)
    np.fill_diagonal(apart, 0.0)
    group = cut_tree(linkage(squareform(apart, checks=False), "complete"), n_clusters=[k])[:, 0]
    _, first = np.unique(group, return_index=True)
    return tuple(
        tuple(name for name, g in zip(names, group, strict=True) if g == group[c]) for c in sorted(first)
    )


def grouping_fault(groups: tuple[tuple[str, ...], ...], class_names: tuple[str, ...]) -> str:
    """What keeps ``groups`` from holding every class exactly once, in one sentence; empty if nothing does."""
    twice = [
        (name, a + 1, b + 1)
        for (a, first), (b, other) in combinations(enumerate(groups), 2)
        for name in first
        if name in other
    ]
    if twice:
        name, a, b = twice[0]
        more = "" if len(twice) == 1 else f", and {len(twice) - 1:,} more are in two groups"
        return f"'{name}' is in groups {a} and {b}{more}."
    names = {name for group in groups for name in group}
    missing = [name for name in class_names if name not in names]
    if missing:
        named = ", ".join(f"'{name}'" for name in missing[:3])
        more = "" if len(missing) <= 3 else f" and {len(missing) - 3:,} more"
        return f"{named}{more} {'is' if len(missing) == 1 else 'are'} in no group."
    empty = [j + 1 for j, group in enumerate(groups) if not group]
    return f"Group {empty[0]} is empty." if empty else ""
