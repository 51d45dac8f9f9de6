"""Sizes with their intervals, one row each, on one axis; bars join rows that cannot be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibcore.assessment.verdict import Verdict
from calibcore.charts.style import short
from calibcore.questions.compare import Comparison
from calibcore.questions.groups import GroupSurvey
from calibcore.words.grouping import group_name
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


def groups_rows(found: GroupSurvey) -> list[Row]:
    """The groups that were tested as rows of a forest."""
    return _rows(
        [
            (
                f"{group.column} {group.value}",
                "" if group.n is None else f", {group.n:,} cases",
                group.verdict,
            )
            for group in found.tested
            if group.verdict is not None
        ]
    )


def comparison_rows(comparison: Comparison) -> list[Row]:
    """The models as rows of a forest, by typical gap."""
    return _rows([(model.name, "", model.verdict) for model in comparison.by_gap])


def _rows(named: Sequence[tuple[str, str, Verdict]]) -> list[Row]:
    """Of each verdict its name and what a hand that rests on it reads beside that."""
    digits = typical_digits([verdict.typical_gap for _, _, verdict in named])
    rows = []
    for name, more, verdict in named:
        gap = verdict.typical_gap
        hover = (f"{short(name)}{more}", f"Typical gap {gap_cell(gap, digits)}", chip_text(verdict))
        rows.append(Row(name, 100 * gap.value, 100 * gap.low, 100 * gap.high, chip(verdict), hover))
    return rows


def comparison_joined(comparison: Comparison) -> list[list[int]]:
    """The places of models that a bar joins."""
    places = {model.name: place for place, model in enumerate(comparison.by_gap)}
    return [[places[name] for name in run] for run in comparison.undecided]


def groups_says(found: GroupSurvey) -> str:
    """The figure in words, for who cannot see it; empty where no group was tested."""
    tested = [(group, group.verdict) for group in found.tested if group.verdict is not None]
    if not tested:
        return ""
    digits = typical_digits([verdict.typical_gap for _, verdict in tested])
    pair = (of(tested, key=lambda pair: pair[1].typical_gap.value) for of in (min, max))
    ends = [f"{gap_cell(v.typical_gap, digits)} in {group_name(g.column, g.value)}" for g, v in pair]
    if len(tested) == 1:
        return f"One group, with a typical gap of {ends[0]}."
    return f"{len(tested):,} groups, with typical gaps from {ends[0]} to {ends[1]}."


def comparison_says(comparison: Comparison) -> str:
    """The figure in words, for who cannot see it."""
    first, *_, last = comparison.by_gap
    digits = typical_digits([first.verdict.typical_gap, last.verdict.typical_gap])
    ends = [gap_cell(v.typical_gap, digits) for v in (first.verdict, last.verdict)]
    return (
        f"{len(comparison.models)} models by typical gap, from '{first.name}' with {ends[0]} "
        f"to '{last.name}' with {ends[1]}."
    )
