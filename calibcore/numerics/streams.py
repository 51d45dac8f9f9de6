"""Random numbers: a generator of its own for each thing that is drawn."""

import hashlib
from typing import TypeAlias

import numpy as np

from calibcore.errors import InputError

Seed: TypeAlias = int | np.random.Generator | None
"""What public functions take as ``rng`` (Scientific Python's SPEC 7): a number, which gives the same numbers
every time; a generator, which goes on from where it is; None, for other numbers every time."""


def generator_of(rng: Seed) -> np.random.Generator:
    """The generator itself, or a new one.

    Raises
    ------
    InputError : something else, or a number below 0.
    """
    is_integer = isinstance(rng, int | np.integer) and not isinstance(rng, bool)
    if isinstance(rng, np.random.Generator) or rng is None or (is_integer and rng >= 0):
        return np.random.default_rng(rng)
    raise InputError(
        f"The rng is {repr(rng)[:60]}; expected a whole number from 0 up, a numpy.random.Generator, or None."
    )


def stream(seed: int, name: str) -> np.random.Generator:
    """A generator of its own for each (seed, name), whatever else is drawn."""
    digest = hashlib.sha256(name.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "little")])
