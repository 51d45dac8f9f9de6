"""Times of cases out of a column of dates or numbers: read, never guessed."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibcore.data.outside_text import shown
from calibcore.data.row_numbers import list_rows
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int

DayOrder = Literal["day-first", "month-first"]
DAY_ORDERS: tuple[DayOrder, ...] = ("day-first", "month-first")
MISSING = frozenset(("", "na", "n/a", "nan", "nat", "null", "none", "<na>", "#n/a", "."))
"""What is written, in small letters, where no time is known."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = (
    r"(?:[T ,]\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<part>\d{1,9}))?)?"
    r"\s*(?P<half>[AaPp])?(?:\.?[Mm]\.?)?\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?)?"
)
_FORMS = tuple(
    re.compile(form + _CLOCK)
    for form in (
        r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})(?:[-/.](?P<day>\d{1,2}))?",
        r"(?P<first>\d{1,2})[-/. ](?P<second_>\d{1,2})[-/. ](?P<year>\d{4})",
        r"(?P<day>\d{1,2})[-. ]+(?P<name>[A-Za-z]{3,9})[-., ]+(?P<year>\d{4})",
        r"(?P<name>[A-Za-z]{3,9})\.? +(?P<day>\d{1,2}),? +(?P<year>\d{4})",
    )
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY = 86_400_000_000


class DatesFitTwiceError(InputError):
    """Dates that may be read with the day or with the month first."""


@dataclass(frozen=True, eq=False)
class Times:
    """The time of each case.

    Attributes
    ----------
    kind : "date" or "number"
    values : (n,) microseconds since 1970 as int64, of dates with a zone in UTC; or numbers as float64
    zoned : whether the dates have time zones
    """

    kind: Literal["date", "number"]
    values: Int | Float
    zoned: bool = False

    def text(self, i: int) -> str:
        """The time of one case: "2026-03-03" at midnight, "2026-03-03T13:05:00Z", "812"."""
        value = self.values[i]
        if self.kind == "number":
            return f"{int(value)}" if float(value).is_integer() else repr(float(value))
        whole_days = value % _DAY == 0
        unit: Literal["D", "s", "us"] = "D" if whole_days else "us" if value % 1_000_000 else "s"
        words = str(np.datetime_as_string(np.int64(value).astype("datetime64[us]"), unit=unit))
        return f"{words}Z" if self.zoned and not whole_days else words

    def months(self) -> NDArray[np.str_]:
        """(n,) "2026-03" of dates."""
        return np.datetime_as_string(self.values.astype("datetime64[us]"), unit="M")


def times_of(column: NDArray[np.generic], name: str, order: DayOrder | None = None) -> Times:
    """The times in a column ``name`` of numbers, dates or text.

    Text may be dates as 2026-03-31, 2026-03, 2026-03-31T13:05:00+01:00, 31.3.2026, 3/31/2026, 31 March 2026,
    with or without a time of day and a zone; ``order`` says whether the day or the month comes first where
    both are numbers before the year, and need not be said where some date fits one of them only. Cost O(n),
    some 3 µs a value that stands there for the first time.

    Raises
    ------
    InputError : a case without a time; text that is no date; years of two digits; zones in some rows only.
    DatesFitTwiceError : the day or the month may come first, and ``order`` is None.
    """
    if column.dtype.kind in "fiub":
        numbers = column.astype(np.float64)
        _refuse(~np.isfinite(numbers), name, lambda _: "no number")
        return Times("number", numbers)
    if column.dtype.kind == "m":
        return Times("number", column.astype("timedelta64[us]").astype(np.int64) / 1e6)
    if column.dtype.kind == "M":
        _refuse(np.isnat(column), name, lambda _: "no date")
        return Times("date", column.astype("datetime64[us]").astype(np.int64))
    texts = np.array([str(value).strip() for value in column])
    words, first, inverse = np.unique(texts, return_index=True, return_inverse=True)
    missing = np.array([word.lower() in MISSING for word in words.tolist()])
    _refuse(missing[inverse], name, lambda _: "no time")
    if (numbers_ := _as_numbers(words)) is not None:
        return Times("number", numbers_[inverse])
    read = [_parts(word) for word in words.tolist()]
    unread = np.array([parts is None for parts in read])
    _refuse(unread[inverse], name, lambda i: f"{shown(words[inverse[i]])}, which is read as no date")
    readable = [parts for parts in read if parts is not None]
    zones = np.array([zone is not None for _, _, zone in readable])
    if zones.any() and not zones.all():
        with_zone, without = first[zones].min(), first[~zones].min()
        raise InputError(
            f"Row {with_zone + 1:,} has a time zone in column {shown(name)} and row {without + 1:,} has "
            "none; expected one in every row or in none."
        )
    values = np.array(_instants(readable, words.tolist(), first, name, order), np.int64)
    return Times("date", values[inverse], bool(zones.any()))


_LOOKED_AT = 1_000


def may_be_dates(column: NDArray[np.generic]) -> bool:
    """Whether the first values of a column that are there read as dates, the day or the month first.

    Numbers are no dates here, though :func:`times_of` takes them. Cost O(1).
    """
    sample = column[:_LOOKED_AT]
    if sample.dtype.kind == "M":
        return bool((~np.isnat(sample)).any())
    if sample.dtype.kind in "fiubm":
        return False
    texts = [text for value in sample.tolist() if (text := str(value).strip()).lower() not in MISSING]
    if not texts:
        return False
    for order in DAY_ORDERS:
        with suppress(InputError):
            return times_of(np.array(texts), "", order).kind == "date"
    return False


_Parts = tuple[dict[str, int], int, timedelta | None]
"""Numbers of a date, microseconds of the day, and how far its zone is from UTC."""


def _as_numbers(words: NDArray[np.str_]) -> Float | None:
    try:
        numbers = words.astype(np.float64)
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _refuse(bad: NDArray[np.bool_], name: str, has: Callable[[int], str]) -> None:
    rows = np.flatnonzero(bad)
    if len(rows):
        sentence = list_rows(rows, lambda i: f"has {has(i)} in column {shown(name)}")
        raise InputError(f"{sentence} Expected a date such as 2026-03-31, or a number, in every row.")


def _parts(word: str) -> _Parts | None:
    match = next((fit for form in _FORMS if (fit := form.fullmatch(word))), None)
    if match is None:
        return None
    given = match.groupdict()
    date = {key: int(given[key]) for key in ("year", "month", "day", "first", "second_") if given.get(key)}
    if given.get("name"):
        month = given["name"].lower()[:3]
        if month not in _MONTHS:
            return None
        date["month"] = 1 + _MONTHS.index(month)
    hour, minute, second = (int(given[key] or 0) for key in ("hour", "minute", "second"))
    if given["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (given["half"].lower() == "p")
    if hour > 23 or minute > 59 or second > 59:
        return None
    part = int((given["part"] or "0").ljust(6, "0")[:6])
    zone = None
    if words := given["zone"]:
        digits = words[1:].replace(":", "").ljust(4, "0")
        zone = timedelta()
        if digits.isdecimal():
            zone = timedelta(hours=int(digits[:2]), minutes=int(digits[2:])) * (-1 if words[0] == "-" else 1)
    return date, ((hour * 60 + minute) * 60 + second) * 1_000_000 + part, zone


def _instants(
    read: list[_Parts], words: list[str], first: Int, name: str, order: DayOrder | None
) -> list[int]:
    """Microseconds since 1970 of every date, all with one order of day and month; ``first``: their rows."""
    readings: dict[DayOrder, list[int | None]] = {
        order: [_instant(parts, order) for parts in read] for order in DAY_ORDERS
    }
    fitting = [order for order in DAY_ORDERS if None not in readings[order]]
    if order is None and len(fitting) == 2 and readings["day-first"] != readings["month-first"]:
        differing = [a != b for a, b in zip(*readings.values(), strict=True)]
        place = min(np.flatnonzero(differing), key=first.__getitem__)
        day, month = (_as_read(readings[order][place]) for order in DAY_ORDERS)
        raise DatesFitTwiceError(
            f"Row {first[place] + 1:,} has {shown(words[place])} in column {shown(name)}, which may be {day} "
            f"or {month}, and no other row tells which; expected to be told whether the day or the month "
            "comes first."
        )
    chosen = order or (fitting[0] if fitting else DAY_ORDERS[0])
    values = readings[chosen]
    if None in values:
        i = min((i for i, value in enumerate(values) if value is None), key=first.__getitem__)
        how = f" with the {chosen.partition('-')[0]} first" if "first" in read[i][0] else ""
        raise InputError(
            f"Row {first[i] + 1:,} has {shown(words[i])} in column {shown(name)}, which is no date{how}; "
            "expected a date such as 2026-03-31 in every row."
        )
    return [value for value in values if value is not None]


def _instant(parts: _Parts, order: DayOrder) -> int | None:
    date, clock, zone = parts
    day, month = date.get("day", 1), date.get("month", 0)
    if "first" in date:
        day, month = date["first"], date["second_"]
        if order == "month-first":
            day, month = month, day
    try:
        midnight = datetime(date["year"], month, day, tzinfo=timezone(zone or timedelta()))
    except ValueError:
        return None
    return (midnight - _EPOCH) // _MICROSECOND + clock


def _as_read(value: int | None) -> str:
    assert value is not None
    day = _EPOCH + timedelta(microseconds=value)
    return f"{day.day} {_MONTHS[day.month - 1].capitalize()} {day.year}"
