"""Random numbers: a generator of its own for each thing that is drawn."""

import hashlib

import numpy as np


def stream(seed: int, name: str) -> np.random.Generator:
    """A generator of its own for each (seed, name), whatever else is drawn."""
    digest = hashlib.sha256(name.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "little")])
