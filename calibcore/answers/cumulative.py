"""Classes in order, as a table: how much was predicted up to each class, and how much happened."""

from collections.abc import Sequence

from calibcore.answers.tables import Column, Table
from calibcore.charts.cumulative import CumulativeLine
from calibcore.wording import percent


def cumulative_table(lines: Sequence[CumulativeLine]) -> Table[tuple[CumulativeLine, int]]:
    """A row an arrow."""
    columns: tuple[Column[tuple[CumulativeLine, int]], ...] = (
        Column("Cases", "cases", lambda at: at[0].name),
        Column("", "n", lambda at: at[0].n),
        Column("Up to", "up to", lambda at: at[0].borders[at[1]]),
        Column("Predicted", "predicted", lambda at: at[0].predicted[at[1]], percent),
        Column("Observed", "observed", lambda at: at[0].observed[at[1]], percent),
    )
    arrows = tuple((line, k) for line in lines for k in range(len(line.borders)))
    return Table("cumulative", "Up to each class", columns, arrows, rows_are="arrows")
