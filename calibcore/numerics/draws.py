"""The redraws of a test, a slice of cases at a time: the same draws as with all cases in memory.

:func:`~.redraws.redrawn_labels` takes ``rng.random((B, n))`` row by row from a PCG64, one step a
number; redraw b of case c is step b·n + c, and a PCG64 jumps anywhere in the time of a few steps.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from calibcore.numerics import loops, picking
from calibcore.numerics.types import Float, Labels

CASES = 4_096
"""Cases at a time, so that their edges and draws stay in the processor's cache over all redraws."""
GROUP = 16
"""Redraws whose labels are found together."""
_TASK = 64
_NUMBERS = 1 << 18
"""Numbers that a thread draws at a time."""
Use = Callable[[slice, int, Labels], None]
"""Cases of the slice, first redraw, and labels (redraws, cases)."""


def chunks_of(n: int, multiple: int = 1) -> list[slice]:
    """``n`` cases in chunks of about :data:`CASES`, which ``multiple`` divides but for the last."""
    return loops.blocks(n, max(1, CASES // multiple) * multiple)


class Draws:
    """The numbers that a generator would draw, at any place among them.

    A generator that cannot jump there is asked for the seed of one that can.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        bits = rng.bit_generator
        self._rng = rng if isinstance(bits, np.random.PCG64) else None
        self._state: Any = (bits if self._rng else np.random.PCG64(int(rng.integers(2**63)))).state

    def __getstate__(self) -> Any:
        return {"_state": self._state, "_rng": None}

    def passed(self, numbers: int) -> None:
        """So many of them are used: the generator itself goes on behind them."""
        if self._rng is not None:
            advance(self._rng.bit_generator, numbers)

    def at(self, place: int) -> np.random.Generator:
        """A generator that goes on from there, ``place`` numbers ahead."""
        bits = np.random.PCG64(0)
        bits.state = self._state
        return np.random.Generator(bits.advance(place))

    def numbers(self, base: int, stride: int, redraws: range, cases: range) -> Float:
        """(redraws, cases): number i of redraw b is draw ``base + b·stride + i``."""
        rng = self.at(base + redraws.start * stride + cases.start)
        if len(cases) == stride:
            return rng.random((len(redraws), stride))
        u = np.empty((len(redraws), len(cases)))
        for row in u:
            rng.random(out=row)
            rng.bit_generator.advance(stride - len(cases))  # type: ignore[attr-defined]
        return u

    def labels(
        self, base: int, stride: int, edges: Float, redraws: range, use: Use, chunks: list[slice]
    ) -> None:
        """Labels of cases with ``edges (c, m − 1)``, by :meth:`numbers`.

        In threads over the redraws; ``use`` gets those of one of the ``chunks`` after the other. Cost O(cm)
        a redraw.
        """
        kind = np.int8 if edges.shape[1] < 127 else np.int16

        def some_redraws(task: slice) -> None:
            for rows in chunks:
                part = edges[rows]
                cases = range(rows.start, rows.start + len(part))
                for start in range(task.start, min(task.stop, len(redraws)), GROUP):
                    group = redraws[start : start + GROUP]
                    u = self.numbers(base, stride, group, cases)
                    labels = np.empty(u.shape, kind)
                    picking.pick(part, u, labels)
                    use(rows, group.start, labels)

        loops.in_threads(some_redraws, loops.blocks(len(redraws), _TASK))


def uniform(rng: np.random.Generator, shape: tuple[int, ...]) -> Float:
    """``rng.random(shape)``, in threads where the generator can jump. Cost 3 ns a number and core."""
    if not isinstance(rng.bit_generator, np.random.PCG64):
        return rng.random(shape)
    draws, numbers = Draws(rng), np.empty(shape)
    flat = numbers.reshape(-1)
    loops.in_threads(
        lambda part: draws.at(part.start).random(out=flat[part]), loops.blocks(flat.size, _NUMBERS)
    )
    draws.passed(flat.size)
    return numbers


def advance(bits: Any, numbers: int) -> None:
    """A PCG64 goes on behind so many numbers, keeping the half of one that was left for later."""
    before = bits.state
    after = bits.advance(numbers).state
    bits.state = {**after, "has_uint32": before["has_uint32"], "uinteger": before["uinteger"]}
