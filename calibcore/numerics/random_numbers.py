"""NumPy's random numbers in compiled loops.

They come from the functions that NumPy itself calls, so that nothing of them is compiled: its library shows
them to other programs (NumPy's reference, "Extending"). Where a system hides them, numba's copy is compiled,
which gives the same numbers.
"""

import ctypes
import sys
from typing import Any

import numpy as np
from llvmlite import binding  # what numba compiles with, and brings
from numba import types

from calibcore.numerics.loops import for_both

_NAMES = "random_standard_exponential", "random_standard_normal", "random_standard_uniform"


def _is_shown() -> bool:
    """Whether NumPy's library has all of them; compiled loops find them by their names from then on."""
    try:
        library = ctypes.CDLL(sys.modules[np.random.Generator.__module__].__file__)
        places = [ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in _NAMES]
    except (AttributeError, OSError):
        return False
    for name, place in zip(_NAMES, places, strict=True):
        binding.add_symbol(name, place)
    return True


def _copies() -> tuple[Any, ...]:
    """The same of a generator itself."""

    @for_both
    def exponential(rng: Any) -> Any:
        return rng.standard_exponential()

    @for_both
    def normal(rng: Any) -> Any:
        return rng.standard_normal()

    @for_both
    def uniform(rng: Any) -> Any:
        return rng.random()

    return exponential, normal, uniform


def functions(shown: bool) -> tuple[Any, ...]:
    """Of what :func:`source` gives: the next number of each law."""
    if not shown:
        return _copies()
    return tuple(types.ExternalFunction(name, types.float64(types.intp)) for name in _NAMES)


SHOWN = _is_shown()
exponential, normal, uniform = functions(SHOWN)
"""In a compiled loop, of a :func:`source`: the next number as ``rng.standard_exponential()`` gives it,
``rng.standard_normal()`` and ``rng.random()``."""


def source(rng: np.random.Generator, shown: bool = SHOWN) -> Any:
    """What a compiled loop takes numbers from. ``rng`` has to live as long; nobody else may draw from it."""
    return int(rng.bit_generator.ctypes.bit_generator.value) if shown else rng
