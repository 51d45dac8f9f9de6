"""Tables that are handed to ``Predictions.from_arrays``: their columns are named after the classes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from calibcore.data.predictions import Predictions
from calibcore.io import ReadOptions
from tests.hostile.grammar.drawing import Array, Rng, Truth, chance, pick
from tests.hostile.grammar.kinds import Kind, ints, several, words


class Named:
    """A table of another library: it has names of columns, and becomes an array."""

    def __init__(self, values: Array, columns: list[str]) -> None:
        self.values, self.columns = values, columns

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.values, dtype=dtype)


@dataclass(frozen=True)
class Handed:
    """Arguments of ``from_arrays`` and what they mean, as :class:`.writing.Drawn` has them of a file."""

    probs: Any
    labels: Any
    truth: Truth
    tags: tuple[str, ...]
    answerable: bool = True
    must_ask: bool = False
    said: str = ""
    others: tuple[Truth, ...] = ()
    never: tuple[str, ...] = ()
    says: str = ""

    def reading(self, options: ReadOptions) -> Predictions:
        return Predictions.from_arrays(self.probs, self.labels, renormalise=options.renormalise)


NAMES = (("cat", "dog", "owl"), ("no", "yes"), ("mild", "moderate", "severe"), ("a", "b", "c", "d"),
         ("Home", "Draw", "Away"), ("G3", "G1", "G2"), ("2", "1", "0"), ("stage 2", "stage 1"))  # fmt: skip


def frames(rng: Rng) -> Handed:
    """Columns in any order; labels that are names of columns, or of others, or places."""
    names = pick(rng, NAMES)
    names = tuple(names[int(k)] for k in rng.permutation(len(names)))
    truth = several(rng, names)
    kind = pick(rng, ("names", "names", "names", "numbers", "places", "others", "no names"))
    labels: Any = words(truth)
    columns: list[Any] = list(names)
    answerable = kind != "others"
    if kind == "numbers":
        columns = ints(rng.permutation(truth.m) + int(pick(rng, (0, 1))))
        labels = [columns[y] for y in truth.labels]
        truth.names = tuple(map(str, columns))
    elif kind == "places":
        columns = ["cat", "dog", "owl", "fox"][: truth.m]
        labels, truth.names = ints(truth.labels), tuple(columns)
    elif kind == "others":
        labels = [f"{name}x" if y else "?" for name, y in zip(labels, truth.labels, strict=True)]
    elif kind == "no names":
        columns = list(range(truth.m))
        order = np.argsort(np.array(names))
        truth = Truth(truth.probs[:, order], np.argsort(order)[truth.labels], tuple(sorted(names)))
        labels = words(truth)
    table = pick(rng, ("pandas", "pandas", "another library"))
    probs: Any = pd.DataFrame(truth.probs, columns=columns)
    if table == "another library" and kind in ("names", "others"):
        probs = Named(truth.probs, columns)
    elif chance(rng, 0.2):
        probs.index = pd.Index([f"r{i}" for i in rng.permutation(truth.n)])
    how = pick(rng, ("list", "array", "series", "categories"))
    if how == "array":
        labels = np.array(labels)
    elif how == "series":
        labels = pd.Series(labels, name="label")
    elif how == "categories" and kind in ("names", "no names"):
        labels = pd.Series(pd.Categorical(labels))
    return Handed(probs, labels, truth, (kind, table, how, str(columns)), answerable=answerable)


def wholes(rng: Rng) -> Handed:
    """Columns that are named after the classes, with more around: by name or not at all, never sorted."""
    names = pick(rng, NAMES[:4])
    names = tuple(names[int(k)] for k in rng.permutation(len(names)))
    truth = several(rng, names)
    form = pick(rng, ("p_{}", "prob_{}", "P({})"))
    probs = pd.DataFrame(truth.probs, columns=[form.format(name) for name in names])
    return Handed(probs, np.array(words(truth)), truth, (form, str(names)))


KINDS = {
    "tables of named columns": Kind(frames, unasked=0.8, reached=0.8),
    "tables of columns with a prefix": Kind(wholes),
}
