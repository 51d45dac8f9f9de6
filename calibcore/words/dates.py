"""Dates as people write them: "2 July 2025"."""

from datetime import datetime

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip


def time_words(time: str, beside: str = "") -> str:
    """ "2025-07-02" -> "2 July 2025", "2025-07-02T13:05:00Z" -> "2 July 2025, 13:05 UTC".

    What is no such date stays as it is.


    beside : another date that has been said: its year, and on the same day the day, is not said again
    """
    moment, other = _read(time), _read(beside)
    if moment is None:
        return time
    day = f"{moment.day} {_MONTHS[moment.month - 1]}"
    if other is None or other.year != moment.year:
        day = f"{day} {moment.year}"
    if "T" not in time:
        return day
    clock = f"{moment:%H:%M:%S}" if moment.second or moment.microsecond else f"{moment:%H:%M}"
    clock += " UTC" if moment.tzinfo is not None else ""
    return clock if other is not None and other.date() == moment.date() else f"{day}, {clock}"


def _read(time: str) -> datetime | None:
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        return None
