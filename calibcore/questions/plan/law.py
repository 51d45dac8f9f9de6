"""What predictions will be like: those of a pilot, drawn again, or a distribution that is sketched."""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calibcore import limits
from calibcore.data.checks import shown
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.numerics.types import Float

SKETCHES = ("dirichlet", "beta")


class Law(Protocol):
    """Where predictions come from."""

    @property
    def class_names(self) -> tuple[str, ...]: ...

    def draw(self, n: int, rng: np.random.Generator) -> Predictions:
        """``n`` predictions; their labels mean nothing."""
        ...


@dataclass(frozen=True, eq=False)
class Pilot:
    """Rows of ``predictions``, drawn with replacement."""

    predictions: Predictions

    @property
    def class_names(self) -> tuple[str, ...]:
        return self.predictions.class_names

    def draw(self, n: int, rng: np.random.Generator) -> Predictions:
        """Cost O(nm)."""
        return self.predictions.with_rows(rng.integers(self.predictions.n, size=n))


@dataclass(frozen=True)
class Sketch:
    """A Dirichlet law of the probabilities of all classes, or a Beta law of that of the first of two."""

    parameters: tuple[float, ...]
    words: str

    @property
    def class_names(self) -> tuple[str, ...]:
        return tuple(f"class {k}" for k in range(1, len(self.parameters) + 1))

    def draw(self, n: int, rng: np.random.Generator) -> Predictions:
        """Cost O(nm)."""
        gammas = rng.standard_gamma(np.array(self.parameters), (n, len(self.parameters)))
        sums = gammas.sum(axis=1, keepdims=True)
        probs: Float = np.where(sums > 0, gammas, np.eye(len(self.parameters))[0])
        return Predictions.from_arrays(
            probs / probs.sum(axis=1, keepdims=True), np.zeros(n, np.int64), self.class_names
        )


def is_sketch(words: str) -> bool:
    """Whether words sketch a distribution, and name no file."""
    kind, sign, _ = words.partition(":")
    return bool(sign) and kind in SKETCHES


def sketched(words: str) -> Sketch:
    """``dirichlet:2,1,1`` or ``beta:2,5``: one number above 0 a class.

    Raises
    ------
    InputError : another law, or other numbers.
    """
    kind, _, rest = words.partition(":")
    expected = "expected dirichlet:A,B,… or beta:A,B, numbers above 0"
    if kind not in SKETCHES:
        raise InputError(f"There is no distribution {shown(words)}; {expected}.")
    try:
        numbers = tuple(float(part) for part in rest.split(","))
    except ValueError:
        numbers = ()
    most = 2 if kind == "beta" else limits.LIMITS.max_classes
    if not 2 <= len(numbers) <= most or not all(0 < number < math.inf for number in numbers):
        raise InputError(f"The distribution is {shown(words)}; {expected}.")
    return Sketch(numbers, words)
