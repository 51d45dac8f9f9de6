"""Classes in order, as a table: how much was predicted up to each class, and how much happened."""

from collections.abc import Sequence

from calibcore.answers.tables import Column, Table
from calibcore.charts.cumulative import CumulativeLine
from calibcore.wording import percent


def _range(arrow: tuple[CumulativeLine, int]) -> tuple[float | None, float | None]:
    line, k = arrow
    return (line.ranges[k].low, line.ranges[k].high) if line.ranges else (None, None)


def _range_words(low: float, high: float) -> str:
    return f"{percent(low)} to {percent(high)}"


def cumulative_table(lines: Sequence[CumulativeLine]) -> Table[tuple[CumulativeLine, int]]:
    """A row an arrow."""
    columns: tuple[Column[tuple[CumulativeLine, int]], ...] = (
        Column("Cases", "cases", lambda arrow: arrow[0].name),
        Column("", "n", lambda arrow: arrow[0].n),
        Column("Up to", "up to", lambda arrow: arrow[0].borders[arrow[1]]),
        Column("Predicted", "predicted", lambda arrow: arrow[0].predicted[arrow[1]], percent),
        Column("Observed", "observed", lambda arrow: arrow[0].observed[arrow[1]], percent),
        Column("95\N{NO-BREAK SPACE}% interval", ("low", "high"), _range, _range_words, unknown="–"),
    )
    arrows = tuple((line, k) for line in lines for k in range(len(line.borders)))
    return Table("cumulative", "Up to each class", columns, arrows, rows_are="arrows")
