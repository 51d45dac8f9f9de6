"""Tables of known meaning, and what a person is asked about them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore.errors import InputError, Remedy
from calibcore.io import Reading, ReadOptions, read

N = 24
RNG = np.random.default_rng(14)
P = np.round(RNG.beta(0.7, 0.7, N), 3)
"""(24,) probabilities of the class that is looked for."""
Y = np.r_[0, 1, RNG.random(N - 2) < P[2:]].astype(int)
"""(24,) whether it happened."""
THREE = np.array([RNG.multinomial(1000, row) for row in RNG.dirichlet(np.full(3, 0.7), N)]) / 1000
"""(24, 3) probabilities, and what happened."""
WHICH = np.array([RNG.choice(3, p=row) for row in THREE])
GUESS = (P > 0.5).astype(int)


def table(columns: dict[str, Any]) -> bytes:
    """A CSV of named columns."""
    return pd.DataFrame(columns).to_csv(index=False).encode()


def choices(
    data: bytes, labels: bytes | None = None, name: str = "x.csv", **options: Any
) -> tuple[Remedy, ...]:
    """The readings that a person is asked to choose from."""
    with pytest.raises(InputError) as caught:
        read(data, name=name, labels=labels, options=ReadOptions(**options))
    return caught.value.remedies


def chosen(
    data: bytes, remedies: Sequence[Remedy], labels: bytes | None = None, name: str = "x.csv"
) -> list[Reading]:
    """What each choice gives; it needs no second question."""
    return [read(data, name=name, labels=labels, options=ReadOptions().mended(one)) for one in remedies]


def holds(reading: Reading, probs: Any = P, labels: Any = Y) -> bool:
    """Whether the class that is looked for has these probabilities, and happened in these rows."""
    p = reading.predictions
    for k in range(p.m):
        if np.allclose(p.probs[:, k], probs, atol=1e-9):
            return p.m == 2 and bool(((p.labels == k) == labels).all())
    return False


def holds_three(reading: Reading, names: Sequence[str] | None = None) -> bool:
    p = reading.predictions
    known = list(p.class_names)
    order = [0, 1, 2] if names is None else [known.index(name) for name in names]
    return bool(
        np.allclose(p.probs[:, order], THREE, atol=1e-9) and (np.array(order)[WHICH] == p.labels).all()
    )


NAMES = np.array(["cat", "dog", "owl"])
PROBS = {f"p_{name}": THREE[:, k] for k, name in enumerate(NAMES)}
TRUE = NAMES[WHICH]
GUESSED = NAMES[THREE.argmax(1)]
