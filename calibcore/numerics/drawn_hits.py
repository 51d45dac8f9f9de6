"""How often each class happens in redrawn labels, drawn and counted in one compiled pass.

The numbers are those that NumPy's PCG64 gives ``rng.random``, made here (O'Neill 2014, PCG XSL RR 128/64), so
that neither they nor the labels are ever written down: less than half of the time.
"""

from typing import Any

import numpy as np
from llvmlite import ir  # what numba compiles with, and brings
from numba import types
from numba.extending import intrinsic

from calibcore.numerics.draws import CASES, advance
from calibcore.numerics.loops import compiled, compiled_part
from calibcore.numerics.types import Float, Int

LANES = 4
"""Redraws side by side: no number has to wait for the one before."""
_HALF = (1 << 64) - 1
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
HIGH, LOW = np.uint64(_MULTIPLIER >> 64), np.uint64(_MULTIPLIER & _HALF)
UNIT = 2.0**-53


def drawn_hits(edges: Float, index: Int, n_bins: int, n_resamples: int, rng: np.random.Generator) -> Int:
    """(n, m − 1) edges and the (n,) bin of each case -> (B, n_bins, m) how often each class happens in it.

    The labels are those that :func:`.picking.pick` finds for ``rng.random((B, n))``, behind whose numbers the
    generator goes on: a PCG64. In one thread. Cost O(nm) a redraw, 2.5 ns a case for 3 classes.
    """
    n, m = len(edges), edges.shape[1] + 1
    state, increment = (rng.bit_generator.state["state"][name] for name in ("state", "inc"))
    # So many numbers on, a state is multiplied with a power, and what is added is a geometric series.
    power = pow(_MULTIPLIER, n, (_MULTIPLIER - 1) << 128)
    numbers = state, increment, power, (power - 1) // (_MULTIPLIER - 1) * increment
    words = [half for number in numbers for half in divmod(number % (1 << 128), 1 << 64)]
    lanes = np.zeros((-(-n_resamples // LANES) * LANES, n_bins * m), np.int64)
    states = np.empty((len(lanes), 2), np.uint64)
    _add_hits(np.array(words, np.uint64), np.ascontiguousarray(edges), m * index, states, lanes)
    advance(rng.bit_generator, n_resamples * n)
    return lanes[:n_resamples].reshape(n_resamples, n_bins, m)


def _halves(_: Any, ah: Any, al: Any, bh: Any, bl: Any, ch: Any, cl: Any) -> Any:
    """The halves of a·b + c, of numbers of 128 bits that are given by theirs."""
    full, half = ir.IntType(128), ir.IntType(64)

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def joined(high: Any, low: Any) -> Any:
            shifted = builder.shl(builder.zext(high, full), ir.Constant(full, 64))
            return builder.or_(shifted, builder.zext(low, full))

        a, b, c = (joined(*args[i : i + 2]) for i in (0, 2, 4))
        out = builder.add(builder.mul(a, b), c)
        high = builder.trunc(builder.lshr(out, ir.Constant(full, 64)), half)
        return context.make_tuple(builder, signature.return_type, [high, builder.trunc(out, half)])

    pair: Any = types.UniTuple
    return pair(types.uint64, 2)(ah, al, bh, bl, ch, cl), code


times_plus: Any = intrinsic(_halves)


@compiled_part
def word(high: Any, low: Any) -> Any:
    """Of a state: its halves together, turned by its highest six bits."""
    both, turn = high ^ low, high >> np.uint64(58)
    return (both >> turn) | (both << ((np.uint64(64) - turn) & np.uint64(63)))


@compiled_part
def _number(high: Any, low: Any) -> float:
    """Between 0 and 1, of a state."""
    return np.int64(word(high, low) >> np.uint64(11)) * UNIT


@compiled
def _add_hits(words: Any, edges: Float, place: Int, states: Any, out: Int) -> None:
    """:func:`drawn_hits` into ``out[s, place + label]``; ``words`` are halves: of the state, of the
    increment, and of what a state is multiplied with and what is added from redraw to redraw."""
    n, last = edges.shape
    ch, cl = words[2], words[3]
    mh, ml, ph, pl = words[4], words[5], words[6], words[7]
    states[0, 0], states[0, 1] = words[0], words[1]
    for s in range(1, len(states)):
        # Not into a row: numba compiles for seconds what writes a tuple into an array.
        states[s, 0], states[s, 1] = times_plus(states[s - 1, 0], states[s - 1, 1], mh, ml, ph, pl)
    for begin in range(0, n, CASES):
        for s in range(0, len(states), LANES):
            h0, l0 = states[s, 0], states[s, 1]
            h1, l1 = states[s + 1, 0], states[s + 1, 1]
            h2, l2 = states[s + 2, 0], states[s + 2, 1]
            h3, l3 = states[s + 3, 0], states[s + 3, 1]
            for i in range(begin, min(begin + CASES, n)):
                h0, l0 = times_plus(h0, l0, HIGH, LOW, ch, cl)
                h1, l1 = times_plus(h1, l1, HIGH, LOW, ch, cl)
                h2, l2 = times_plus(h2, l2, HIGH, LOW, ch, cl)
                h3, l3 = times_plus(h3, l3, HIGH, LOW, ch, cl)
                u0, u1, u2, u3 = (
                    _number(h0, l0),
                    _number(h1, l1),
                    _number(h2, l2),
                    _number(h3, l3),
                )
                k0 = k1 = k2 = k3 = place[i]
                for k in range(last):
                    edge = edges[i, k]
                    k0 += edge <= u0
                    k1 += edge <= u1
                    k2 += edge <= u2
                    k3 += edge <= u3
                out[s, k0] += 1
                out[s + 1, k1] += 1
                out[s + 2, k2] += 1
                out[s + 3, k3] += 1
            states[s, 0], states[s, 1] = h0, l0
            states[s + 1, 0], states[s + 1, 1] = h1, l1
            states[s + 2, 0], states[s + 2, 1] = h2, l2
            states[s + 3, 0], states[s + 3, 1] = h3, l3
