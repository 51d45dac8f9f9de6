"""How many of some independent cases are hits: the Poisson-binomial law, convolved from halves."""

import numpy as np

from calibcore.errors import InputError
from calibcore.numerics import loops
from calibcore.numerics.loops import compiled_where_it_pays, for_both
from calibcore.numerics.types import Float, Int

_LEAF = 64
_MOST_WAITING = 64
"""Each law but the last is made of fewer leaves than the one before it: of halves of halves."""
_FEW_NUMBERS = 40_000
"""Of laws of some hundred cases each: a quarter of a second in Python, a third of what compiling takes."""


@for_both
def _leaf(p: Float, start: int, law: Float) -> int:
    """Case by case: into ``law`` that of the hits among few from ``start`` on; how many counts it has."""
    n = min(_LEAF, len(p) - start)
    for k in range(n + 1):
        law[k] = 0.0
    law[0] = 1.0
    for i in range(n):
        x = p[start + i]
        miss = 1.0 - x
        for k in range(i + 1, 0, -1):
            law[k] = law[k] * miss + law[k - 1] * x
        law[0] *= miss
    return n + 1


@for_both
def _convolved(laws: Float, begin: int, middle: int, stop: int, law: Float) -> int:
    """Into ``law`` that of the sum of two that follow each other; how many counts it has."""
    a, b, size = laws[begin:middle], laws[middle:stop], stop - begin - 1
    for k in range(size):
        law[k] = 0.0
    for i in range(len(a)):
        for j in range(len(b)):  # of slices, so that it becomes vectors
            law[i + j] += a[i] * b[j]
    return size


@for_both
def _trimmed(law: Float, size: int, dropped: float, laws: Float, begin: int) -> tuple[int, int]:
    """To ``laws[begin:]`` without the ends that hold at most ``dropped`` each; which counts remain."""
    low, high = 0, size
    mass = law[0]
    while mass <= dropped and low < high - 1:
        low += 1
        mass += law[low]
    mass = law[high - 1]
    while mass <= dropped and high > low + 1:
        high -= 1
        mass += law[high - 1]
    for k in range(low, high):
        laws[begin + k - low] = law[k]
    return low, high


@compiled_where_it_pays(_FEW_NUMBERS)
def _convolve_halves(p: Float, dropped: float, laws: Float, untrimmed: Float, stack: Int) -> tuple[int, int]:
    """:func:`hits_window`, whose law comes to stand at the beginning of ``laws``; its first count and size.

    Laws wait one behind the other, and ``stack[j]`` says of the j-th: its place, its smallest count, and of
    how many leaves it is made. Places are handed on in place of slices, which take longer to compile.
    """
    n_leaves = (len(p) + _LEAF - 1) // _LEAF
    end = dropped / (4.0 * max(n_leaves, 1))
    waiting, stop = 0, 1
    laws[0], stack[0, 1] = 1.0, 0
    for leaf in range(n_leaves):
        begin, first, leaves = stop if waiting else 0, np.int64(0), np.int64(1)
        size = _leaf(p, leaf * _LEAF, untrimmed)
        low, high = _trimmed(untrimmed, size, end, laws, begin)
        while True:
            first += low
            stop = begin + high - low
            last = leaf == n_leaves - 1
            if waiting == 0 or not (last or stack[waiting - 1, 2] == leaves):
                break
            waiting -= 1
            size = _convolved(laws, stack[waiting, 0], begin, stop, untrimmed)
            begin = stack[waiting, 0]
            first += stack[waiting, 1]
            leaves += stack[waiting, 2]
            low, high = _trimmed(untrimmed, size, end, laws, begin)
        stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = begin, first, leaves
        waiting += 1
    return stack[0, 1], stop


def hits_window(p: Float, dropped: float) -> tuple[int, Float]:
    """The smallest count that is kept, and the law from there: halves convolved, ends dropped each time."""
    # Room for all laws untrimmed, which the system gives only as far as it is written to. Lists of arrays,
    # and arrays made by the loop, take half a second to compile.
    laws, untrimmed = np.empty((2, len(p) + len(p) // _LEAF + 2))
    first, size = _convolve_halves(
        loops.read_only(p), dropped, laws, untrimmed, np.empty((_MOST_WAITING, 3), np.int64)
    )
    return first, laws[:size].copy()


def hits_distribution(probabilities: Float) -> Float:
    """Law of the number of hits among independent cases: Poisson-binomial.

    Laws of neighbouring cases are convolved two by two, and each is cut to the counts around
    its mean that hold all but 1e-14 / (4 × number of leaves) of it at either end.

    Parameters
    ----------
    probabilities : (n,) probability of a hit, case by case

    Returns
    -------
    (n + 1,) P(S = 0), …, P(S = n), each, and each sum of them, within 1e-13. Cost O(n log n)
    time with windows of O(√n) counts, 0.1 s for a million; memory O(n).
    """
    # A law cut short lies below the true one everywhere, and so does what it is convolved to: what is
    # missing at the end is at most the sum of what was cut, 2 ends × 2 laws a leaf × 1e-14/(4 leaves).
    # Nothing is subtracted on the way, so every probability that is kept is right but for rounding.
    p = np.ascontiguousarray(probabilities, np.float64)
    first, window = hits_window(p, 1e-14)
    law = np.zeros(len(p) + 1)
    law[first : first + len(window)] = window / window.sum()
    return law


def quantile_of_counts(law: Float, level: float) -> int:
    """The smallest k with P(S ≤ k) ≥ level; ``law`` as from :func:`hits_distribution`."""
    check_level(level)
    return min(int(np.searchsorted(np.cumsum(law), level - 1e-12)), len(law) - 1)


def check_level(level: float, name: str = "level") -> None:
    """Raises :class:`InputError` unless 0 < level < 1."""
    if not 0 < level < 1:
        raise InputError(f"The {name} is {level:g}; expected a number between 0 and 1.")
