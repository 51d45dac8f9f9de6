"""Kinds of files that are easily mistaken: each says what it means, and whether it may be taken unasked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from tests.hostile.grammar.drawing import Array, Rng, Truth, chance, pick, truth_of
from tests.hostile.grammar.outcomes import Meant
from tests.hostile.grammar.writing import Drawn, as_file, csv_of

Columns = list[tuple[str, Any]]
"""Names, perhaps one of them twice, and n values each."""


@dataclass(frozen=True)
class Kind:
    """A kind of files.

    Attributes
    ----------
    draw : one of them
    unasked, reached : at least such shares of those that can be answered are read without a question, and
        read as they are meant, or that reading is offered
    """

    draw: Callable[[Rng], Meant]
    unasked: float = 0.0
    reached: float = 0.0


def cases(rng: Rng) -> int:
    """How many a file holds."""
    return int(rng.integers(24, 80))


def binary(rng: Rng, names: tuple[str, str] = ("0", "1"), n: int | None = None) -> Truth:
    """Probabilities of two classes that are right, and outcomes; both happen."""
    while True:
        truth = truth_of(rng, names, n or cases(rng), pick(rng, (2, 3, 4, None)))
        if 0 < truth.labels.sum() < truth.n:
            return truth


def several(rng: Rng, names: Sequence[str], n: int | None = None, weak: bool = False) -> Truth:
    """Probabilities of several classes that are right, and outcomes; each class happens.

    ``weak``: they are near to each other, so that what happened says little on which column is which.
    """
    while True:
        truth = truth_of(rng, tuple(names), n or cases(rng), pick(rng, (3, 4, None)))
        if weak:
            truth.probs = np.round(0.3 * truth.probs + 0.7 / truth.m, 6)
            truth.probs[:, -1] = np.round(1 - truth.probs[:, :-1].sum(axis=1), 6)
            truth.labels = np.array([rng.choice(truth.m, p=row / row.sum()) for row in truth.probs])
        if len(set(truth.labels.tolist())) == truth.m:
            return truth


def words(truth: Truth) -> list[str]:
    """(n,) the names of the labels."""
    return [truth.names[y] for y in truth.labels]


def ints(values: Array) -> list[int]:
    return [int(x) for x in values]


def mixed(rng: Rng, columns: Columns) -> Columns:
    """The same in another order."""
    return [columns[int(k)] for k in rng.permutation(len(columns))]


def noise(rng: Rng, n: int, without: Sequence[str] = ()) -> Columns:
    """Columns that everybody knows to be neither predictions nor labels."""
    offers: list[tuple[float, str, Callable[[], list[Any]]]] = [
        (0.3, pick(rng, ("id", "case_id", "Fallnummer")), lambda: ints(rng.permutation(9 * n)[:n])),
        (0.15, pick(rng, ("image", "filename")), lambda: [f"img_{i:04d}.png" for i in rng.permutation(n)]),
        (0.12, "fold", lambda: ints(rng.integers(1, 6, n))),
        (0.12, pick(rng, ("age", "Alter")), lambda: ints(rng.integers(18, 91, n))),
        (0.12, pick(rng, ("date", "timestamp")), lambda: [f"2026-0{1 + i % 9}-1{i % 10}" for i in range(n)]),
        (0.12, pick(rng, ("note", "comment")), lambda: [pick(rng, ("ok", "", "see it")) for _ in range(n)]),
        (0.1, pick(rng, ("sex", "site")), lambda: [pick(rng, ("a", "b", "c")) for _ in range(n)]),
    ]  # fmt: skip
    return [(name, make()) for share, name, make in offers if name not in without and chance(rng, share)]


def beside(rng: Rng, columns: Columns, n: int) -> Columns:
    """The columns with noise before, between or behind them."""
    found = list(columns)
    for one in noise(rng, n, [name.casefold() for name, _ in columns]):
        found.insert(int(pick(rng, (0, 0, len(found), rng.integers(len(found) + 1)))), one)
    return found


def as_drawn(
    rng: Rng, columns: Columns, predictions: Sequence[str], truth: Truth, *tags: str, **more: Any
) -> Drawn:
    """A file of these columns in some format."""
    names = [name for name, _ in columns]
    if len(set(names)) < len(names):
        rows = [names, *map(list, zip(*(values for _, values in columns), strict=True))]
        separator = pick(rng, (",", ",", ";", "\t"))
        return Drawn(csv_of(rows, separator), "t.csv", truth, (*tags, ", ".join(names)), **more)
    data, name, how = as_file(rng, pd.DataFrame(dict(columns)), list(predictions))
    return Drawn(data, name, truth, (*tags, ", ".join(names), how), **more)


def renamed(truth: Truth, names: Sequence[str]) -> Truth:
    """The same under other names."""
    return replace(truth, names=tuple(names))
