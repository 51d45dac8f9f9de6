"""Tables whose columns are defined once: cells for people, and the numbers in full precision."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from calibcore.diagram.gap_sizes import Interval
from calibcore.words.sizes import in_keys
from calibcore.words.tables import Rows

T = TypeVar("T")


@dataclass(frozen=True)
class Column(Generic[T]):
    """What a table tells of each of its items.

    Attributes
    ----------
    name : its head for people; empty where they do not read it
    key : its name in full precision, one for each of several numbers; empty where only people read it
    value : item -> its number or text, of several keys a tuple of them; None where it is not known
    format : the value, or the values, as a cell
    right : whether the cells end below each other where the table is text
    below : whether its cells are too long for a table of text, and stand as sentences below it
    unknown : the cell of what is not known
    """

    name: str
    key: str | tuple[str, ...]
    value: Callable[[T], Any]
    format: Callable[..., str | int] = str
    right: bool = False
    below: bool = False
    unknown: str = ""

    def cell(self, item: T) -> str | int:
        """As a person reads it."""
        values = self._values(item)
        return self.unknown if values[0] is None else self.format(*values)

    def exact(self, item: T) -> dict[str, Any]:
        """In full precision by key."""
        if not self.key:
            return {}
        keys = self.key if isinstance(self.key, tuple) else (self.key,)
        return dict(zip(keys, self._values(item), strict=True))

    def _values(self, item: T) -> tuple[Any, ...]:
        value = self.value(item)
        return value if isinstance(self.key, tuple) else (value,)


def interval_column(
    name: str,
    key: str,
    interval_of: Callable[[T], Interval | None],
    words: Callable[[Interval], str],
    unknown: str = "",
) -> Column[T]:
    """A column of estimates with both ends of their intervals."""

    def ends(item: T) -> tuple[float | None, ...]:
        interval = interval_of(item)
        return (None,) * 3 if interval is None else (interval.value, interval.low, interval.high)

    return Column(name, in_keys(key), ends, lambda *ends: words(Interval(*ends)), unknown=unknown)


@dataclass(frozen=True, eq=False)
class Table(Generic[T]):
    """A row an item.

    Attributes
    ----------
    name : its key in a report's document, "decisions" say
    items : of all rows
    few : those of a table that is read where there is little room; None: all
    rows_are : what its rows are, for a fold that holds it: "The thresholds as a table"
    in_full : items of CSV and frame, where they are others than of all rows
    notes : what has to be known of its rows, a sentence each; empty ones are left out
    of_lens : whether it is of what the lens shows, which a report then names in its title
    """

    name: str
    title: str
    columns: tuple[Column[T], ...]
    items: tuple[T, ...]
    few: tuple[T, ...] | None = None
    rows_are: str = "numbers"
    in_full: tuple[T, ...] | None = None
    notes: tuple[str, ...] = ()
    of_lens: bool = True

    @property
    def below(self) -> tuple[str, ...]:
        """Heads of columns that stand below a table of text."""
        return tuple(column.name for column in self.columns if column.below)

    @property
    def right(self) -> tuple[str, ...]:
        """Heads of columns whose cells end below each other."""
        return tuple(column.name for column in self.columns if column.right)

    def rows(self, exact: bool = False) -> Rows:
        """All rows as a person reads them; ``exact``: in full precision, as CSV and frame have them."""
        if not exact:
            return self._cells(self.items)
        return [
            {key: value for column in self.columns for key, value in column.exact(item).items()}
            for item in (self.items if self.in_full is None else self.in_full)
        ]

    def few_rows(self) -> Rows:
        """The few as a person reads them; none where people read no column."""
        return self._cells(self.items if self.few is None else self.few)

    def _cells(self, items: Iterable[T]) -> Rows:
        read = [column for column in self.columns if column.name]
        return [{column.name: column.cell(item) for column in read} for item in items] if read else []
