"""Where a curve lies under calibration, over every set of outcomes there is: no draw, no cleverness."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod

from tests.oracles import literal_binary as literal

Curve = Callable[[Sequence[float], Sequence[bool]], list[float]]


def isotonic_curve(x: Sequence[float], hits: Sequence[bool]) -> list[float]:
    """At each distinct prediction, rising."""
    values = sorted(set(x))
    counts = [x.count(v) for v in values]
    seen = [sum(h for p, h in zip(x, hits, strict=True) if p == v) for v in values]
    return literal.isotonic([s / c for s, c in zip(seen, counts, strict=True)], counts)


def smooth_curve(x: Sequence[float], hits: Sequence[bool]) -> list[float]:
    """At each distinct prediction, rising; cut at 0 and 1, as a frequency is."""
    line = [float(literal.lowess_at(v, list(x), list(hits), 2 / 3)) for v in sorted(set(x))]
    return [min(max(value, 0.0), 1.0) for value in line]


def of_two_classes(x: Sequence[float]) -> Iterator[tuple[float, list[bool]]]:
    """Every set of outcomes with its probability."""
    for hits in product((False, True), repeat=len(x)):
        yield prod(p if h else 1 - p for p, h in zip(x, hits, strict=True)), list(hits)


def of_pairs(g: Sequence[Sequence[float]]) -> Iterator[tuple[float, list[bool]]]:
    """Every set of outcomes of cases of several classes, as hits of their pairs, case by case."""
    m = len(g[0])
    for labels in product(range(m), repeat=len(g)):
        chance = prod(row[y] for row, y in zip(g, labels, strict=True))
        yield chance, [k == y for y in labels for k in range(m)]


def laws(
    x: Sequence[float], outcomes: Iterator[tuple[float, list[bool]]], curve: Curve
) -> list[list[tuple[float, float]]]:
    """At each distinct prediction what the curve may be, with its probability."""
    found = [(chance, curve(x, hits)) for chance, hits in outcomes]
    return [[(values[k], chance) for chance, values in found] for k in range(len(set(x)))]


def up_to(law: list[tuple[float, float]], value: float, strictly: bool = False) -> float:
    """P(curve ≤ value), or < value."""
    slack = -1e-9 if strictly else 1e-9
    return sum(chance for found, chance in law if found <= value + slack)
