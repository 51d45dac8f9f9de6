"""How a tree of cells grows: points cut apart at random times until the last one, compiled."""

import math
from typing import Any

import numpy as np

from calibcore.numerics.loops import compiled, compiled_part, part_in_any_order
from calibcore.numerics.random_numbers import exponential, normal, source, uniform


def tessellate(points: Any, times: Any, mean: float | None, rng: Any, order: Any, opens: Any) -> None:
    """Isotropic cuts, ``mean`` the mean projection of a direction; along the axes where it is None."""
    n, d = points.shape
    above, spare = np.empty(n, np.bool_), np.empty(n, np.int32)
    ends, clocks = np.empty((n + 1, 2), np.int32), np.empty(n + 1)
    along_axes = True if mean is None else None
    _cut_all(
        points, times, math.nan if mean is None else mean, along_axes, source(rng), order, opens, above,
        spare, np.empty((2, d)), ends, clocks,
    )  # fmt: skip


@compiled
def _cut_all(
    points: Any, times: Any, mean: float, along_axes: Any, rng: Any, order: Any, opens: Any, above: Any,
    spare: Any, pair: Any, ends: Any, clocks: Any,
) -> None:  # fmt: skip
    """:func:`tessellate` in the room that it is given: arrays made here would have to be compiled.

    So would cutting along the axes, but where ``along_axes`` is None, for which that branch is left out.
    """
    n = len(order)
    levels, last = len(times), times[-1]
    for i in range(n):
        order[i] = i
        opens[i] = levels
    opens[0] = 0
    first, other = pair[0], pair[1]
    ends[0, 0], ends[0, 1], clocks[0] = 0, n, 0.0
    waiting = 1
    while waiting:
        waiting -= 1
        start, stop, clock = ends[waiting, 0], ends[waiting, 1], clocks[waiting]
        if stop - start < 2:
            continue
        if along_axes is None:
            clock = _cut_anyhow(points, order, start, stop, clock, last, mean, rng, first, other, above)
        else:
            clock = _cut_along_axis(points, order, start, stop, clock, last, rng, first, other, above)
        if clock > last:
            continue
        middle = _divide(order, above, spare, start, stop)
        if start < middle < stop:
            level = 0
            while times[level] < clock:  # as np.searchsorted, which takes half a second to compile
                level += 1
            opens[middle] = level
            ends[waiting, 0], ends[waiting, 1], clocks[waiting] = start, middle, clock
            waiting += 1
            start = middle
        ends[waiting, 0], ends[waiting, 1], clocks[waiting] = start, stop, clock
        waiting += 1


@part_in_any_order
def _cut_anyhow(
    points: Any, order: Any, start: int, stop: int, clock: float, last: float, mean: float, rng: Any,
    centre: Any, direction: Any, above: Any,
) -> float:  # fmt: skip
    """The time of the cell's next cut, by a hyperplane; ``above`` says which points lie beyond it.

    A ball of radius R around the cell meets hyperplanes at the rate 2R/mean; some miss the cell.
    """
    d = points.shape[1]
    for k in range(d):
        centre[k] = 0.0
    for i in range(start, stop):
        for k in range(d):
            centre[k] += points[order[i], k]
    for k in range(d):
        centre[k] /= stop - start
    radius = 0.0
    for i in range(start, stop):
        square = 0.0
        for k in range(d):
            square += (points[order[i], k] - centre[k]) ** 2
        radius = max(radius, square)
    radius = math.sqrt(radius)
    if radius == 0.0:
        return math.inf
    beyond = 0
    while not 0 < beyond < stop - start:
        clock += exponential(rng) * mean / (2 * radius)
        if clock > last:
            break
        length = 0.0
        for k in range(d):
            direction[k] = normal(rng)
            length += direction[k] ** 2
        offset = radius * (2 * uniform(rng) - 1) * math.sqrt(length)
        for k in range(d):
            offset += direction[k] * centre[k]
        beyond = 0
        for i in range(start, stop):
            place = 0.0
            for k in range(d):
                place += points[order[i], k] * direction[k]
            above[i] = place > offset
            beyond += above[i]
    return clock


@compiled_part
def _cut_along_axis(
    points: Any, order: Any, start: int, stop: int, clock: float, last: float, rng: Any, low: Any, high: Any,
    above: Any,
) -> float:  # fmt: skip
    """:func:`_cut_anyhow` at the rate of half the widths, so that total variation is what counts."""
    d = points.shape[1]
    for k in range(d):
        low[k] = high[k] = points[order[start], k]
    for i in range(start, stop):
        for k in range(d):
            x = points[order[i], k]
            low[k] = min(low[k], x)
            high[k] = max(high[k], x)
    width = 0.0
    for k in range(d):
        width += high[k] - low[k]
    if width == 0.0:
        return math.inf
    clock += exponential(rng) * 2 / width
    if clock > last:
        return clock
    place = uniform(rng) * width
    axis = 0
    while axis < d - 1 and place >= high[axis] - low[axis]:
        place -= high[axis] - low[axis]
        axis += 1
    for i in range(start, stop):
        above[i] = points[order[i], axis] > low[axis] + place
    return clock


@compiled_part
def _divide(order: Any, above: Any, spare: Any, start: int, stop: int) -> Any:
    """Those that are not above come first, in their order; where the others begin."""
    middle, count = start, 0
    for i in range(start, stop):
        if above[i]:
            spare[count] = order[i]
            count += 1
        else:
            order[middle] = order[i]
            middle += 1
    for i in range(count):
        order[middle + i] = spare[i]
    return middle
