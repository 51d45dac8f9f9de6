"""Files as tools and people of many countries write them, each with what it means."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from tests.hostile.grammar.drawing import Truth
from tests.hostile.grammar.writing import Drawn

N = 40
RNG = np.random.default_rng(77)
P = np.round(RNG.beta(0.6, 0.6, N), 4)
Q = np.round(1 - P, 4)
Y = (RNG.random(N) < P).astype(int)
THREE = np.array([RNG.multinomial(10_000, row) for row in RNG.dirichlet(np.full(3, 0.5), N)]) / 10_000
WHICH = np.array([RNG.choice(3, p=row) for row in THREE])
GUESS, GUESS3 = (P > 0.5).astype(int), THREE.argmax(axis=1)
SURE, SURE3 = np.maximum(P, Q), THREE.max(axis=1)
IDS, TURNED = RNG.permutation(5_000)[:N], RNG.permutation(N)
OTHER = np.round(RNG.random(N), 3)
A, B, C = THREE.T
ANIMALS = np.array(["cat", "dog", "owl"])
NO_YES = np.array(["no", "yes"])


@dataclass(frozen=True)
class Export:
    """A file, perhaps with one of labels, and what it means; ``truth`` None: nothing that could be read."""

    columns: Any
    names: tuple[str, ...] | None
    labels: Any = None
    separator: str = ","

    def drawn(self, title: str) -> Drawn:
        """The file and its truth."""
        names = self.names or ("?", "??")
        probs = np.c_[1 - P, P] if len(names) == 2 else THREE
        truth = Truth(probs.copy(), Y if len(names) == 2 else WHICH, names)
        decimal = "," if self.separator == ";" else "."
        labels = None if self.labels is None else _text(self.labels, ",", ".")
        data = _text(self.columns, self.separator, decimal)
        return Drawn(data, "x.csv", truth, (title,), labels, answerable=self.names is not None)


def _text(columns: Any, separator: str, decimal: str) -> bytes:
    if isinstance(columns, str):
        return columns.encode()
    return pd.DataFrame(columns).to_csv(index=False, sep=separator, decimal=decimal).encode()


def pair_of(negative: str, positive: str) -> np.ndarray[Any, Any]:
    return np.array([negative, positive])
