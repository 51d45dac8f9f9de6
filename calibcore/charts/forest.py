"""Sizes with their intervals, one row each, on one axis; bars join rows that cannot be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibcore.assessment.verdict import Verdict
from calibcore.charts.style import short
from calibcore.words.sizes import gap_cell, typical_digits
from calibcore.words.verdicts import Chip, chip, chip_text

JOINED = "these cannot be told apart"
LANE = 0.035
"""Share of the axis from one bar to the next, which on a phone is more than the width of a bar."""


@dataclass(frozen=True)
class Row:
    """A row: its name, its size with the interval in points, the chip of its verdict, and the lines that a
    hand that rests on it reads."""

    name: str
    value: float
    low: float
    high: float
    chip: Chip
    hover: tuple[str, str, str]


AXIS_WORDS = "Typical gap, points, with its 95 % interval"


def longest(rows: Sequence[Row]) -> float:
    """Where the axis of sizes ends."""
    return 1.06 * max((row.high for row in rows), default=1.0) or 1.0


def chips(rows: Sequence[Row]) -> list[Chip]:
    """The verdicts that there are, as the rows come."""
    return list(dict.fromkeys(row.chip for row in rows))


def lanes(joined: Sequence[Sequence[int]]) -> list[int]:
    """In which of the lanes beside each other a bar stands, so that no two touch."""
    ends: list[int] = []
    lanes = []
    for places in joined:
        lane = next((i for i, end in enumerate(ends) if end < places[0]), len(ends))
        ends[lane : lane + 1] = [places[-1]]
        lanes.append(lane)
    return lanes


def forest_rows(named: Sequence[tuple[str, str, Verdict]]) -> list[Row]:
    """Of each verdict its name and what a hand that rests on it reads beside that."""
    digits = typical_digits([verdict.typical_gap for _, _, verdict in named])
    rows = []
    for name, more, verdict in named:
        gap = verdict.typical_gap
        hover = (f"{short(name)}{more}", f"Typical gap {gap_cell(gap, digits)}", chip_text(verdict))
        rows.append(Row(name, 100 * gap.value, 100 * gap.low, 100 * gap.high, chip(verdict), hover))
    return rows
