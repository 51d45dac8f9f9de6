"""Classes in order, as a table: how much was predicted up to each class, and how much happened."""

from collections.abc import Sequence

from calibcore.answers.tables import Column, Table
from calibcore.charts.cumulative import CumulativeLine
from calibcore.wording import percent


def cumulative_table(lines: Sequence[CumulativeLine]) -> Table[tuple[CumulativeLine, int]]:
    """A row an arrow."""
    columns: tuple[Column[tuple[CumulativeLine, int]], ...] = (
        Column("Cases", "cases", lambda arrow: arrow[0].name),
        Column("", "n", lambda arrow: arrow[0].n),
        Column("Up to", "up to", lambda arrow: arrow[0].borders[arrow[1]]),
        Column("Predicted", "predicted", lambda arrow: arrow[0].predicted[arrow[1]], percent),
        Column("Observed", "observed", lambda arrow: arrow[0].observed[arrow[1]], percent),
    )
    arrows = tuple((line, k) for line in lines for k in range(len(line.borders)))
    return Table("cumulative", "Up to each class", columns, arrows, rows_are="arrows")
