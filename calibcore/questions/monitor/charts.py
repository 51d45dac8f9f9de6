"""Two rows over time on one axis: the evidence against calibration, and the gap in moving windows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from calibcore.charts.deviation_scale import DEVIATION
from calibcore.charts.log_axis import power_words
from calibcore.questions.monitor import Monitoring, Window
from calibcore.questions.monitor.evidence import LEVELS
from calibcore.questions.monitor.words import evidence_words, when_words, windows_sentence
from calibcore.wording import count
from calibcore.words.looking import of_words

_ROOM = 0.3
"""Of the axis of evidence, in powers of ten."""
EVIDENCE, CHANCE, GAP_NAME = "evidence", "if calibrated", DEVIATION.lower().partition(",")[0]
_LINE, _NAMED = 0.075, 0.35
"""Of the height of the axis what a line of text takes, of its length what the name of a level does."""
LONGEST = 24
"""Characters of a class above a panel."""
STRETCHES = 1_000
"""Parts of the line of evidence, each narrower than a pixel is wide on most screens."""


def panel_words(monitoring: Monitoring) -> tuple[str, str]:
    """What the two panels show."""
    name = of_words(monitoring)
    name = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return "Evidence against calibration", f"{DEVIATION}: {name}"


def axis_words(monitoring: Monitoring, noun: str) -> str:
    """What runs along the time axis."""
    return f"Number of the {noun}" if monitoring.time is None else monitoring.time


def evidence_axis(monitoring: Monitoring) -> tuple[float, float, dict[int, str]]:
    """Both ends of the axis of evidence in powers of ten, and its numbers: some where there are many."""
    tens = [power for power in powers_of_ten(monitoring) if power is not None]
    low = min([0.0, *tens]) - _ROOM
    top = max([math.log10(max(LEVELS)), *tens]) + _ROOM
    first, last = math.ceil(low), math.floor(top)
    step = max(1, math.ceil((last - first) / 6))
    powers = range(first, last + 1, step)
    return low, top, {v: f"{10.0**v:,g}" if -2 <= v <= 4 else power_words(v) for v in powers}


def level_notes(monitoring: Monitoring) -> list[tuple[float, str, bool]]:
    """Levels with how often chance reaches them, and whether that stands above; on either side of the two
    lines, so that they never touch, or together above both where there is no room below."""
    low, top, _ = evidence_axis(monitoring)
    first, last = LEVELS
    if math.log10(first) - low < _LINE * (top - low):
        return [(last, f"{first:g} and {last:g}: 1 in {first:g} and 1 in {last:g} histories", True)]
    return [(level, f"{level:g}: 1 in {level:g} histories", level == last) for level in LEVELS]


def levels_on_the_right(monitoring: Monitoring) -> bool:
    """Where the names of the levels stand further from the evidence."""
    middle = sum(map(math.log, LEVELS)) / len(LEVELS)
    logs = monitoring.evidence.logs
    named = max(1, int(_NAMED * len(logs)))
    left, right = (
        min((abs(log - middle) for log in part), default=0.0) for part in (logs[:named], logs[-named:])
    )
    return right > left


@dataclass(frozen=True)
class Moment:
    """What a line across both panels marks: where on the axis of time, in words, and whether there is more
    room for them before it."""

    place: int | float | str
    words: str
    late: bool


ALARM, SINCE = "alarm", "since"


def moments_of(monitoring: Monitoring, noun: str) -> list[tuple[Moment, str]]:
    """What is marked, and which it is: the alarm, and about since when it is not calibrated.

    Words stand in lines below each other, the first on top, and what is marked second begins below the words
    of the first, which would cross it.
    """
    if monitoring.alarm is None:
        return []
    alarmed = monitoring.crossed_times.get(LEVELS[0], "")
    moments = [(_moment(monitoring, "Alarm:", monitoring.alarm, alarmed, noun), ALARM)]
    if (since := since_of(monitoring, noun)) is not None:
        moments.insert(int(since.late), (since, SINCE))
    return moments


def since_of(monitoring: Monitoring, noun: str) -> Moment | None:
    """About since when it is not calibrated; None without an alarm, or if it may be from the beginning."""
    since = monitoring.since
    if since is None or since.is_the_beginning:
        return None
    return _moment(monitoring, "Since about", since.case, since.time or "", noun)


def _moment(monitoring: Monitoring, what: str, case: int, time: str, noun: str) -> Moment:
    words = f"{what} {when_words(monitoring, case, time, noun)}"
    return Moment(place_in_time(monitoring, case, time), words, 2 * case > monitoring.n)


def powers_of_ten(monitoring: Monitoring) -> list[float | None]:
    """log10 of the evidence; None where it is infinite, or nothing is left of it."""
    return [math.log10(math.e) * log if math.isfinite(log) else None for log in monitoring.evidence.logs]


def evidence_line(monitoring: Monitoring) -> tuple[list[int | float | str], list[float | None]]:
    """Places in time and :func:`powers_of_ten` of all of the evidence."""
    times = monitoring.point_times
    x = [place_in_time(monitoring, case, times.get(case, "")) for case in monitoring.evidence.cases]
    return x, powers_of_ten(monitoring)


def window_places(monitoring: Monitoring) -> list[int | float | str]:
    """Where each window ends in time."""
    return [place_in_time(monitoring, window.last, window.end) for window in monitoring.windows.listed]


def gaps_of(monitoring: Monitoring) -> tuple[list[float], list[float], list[float]]:
    """Of each window the gap in points, and the ends of what chance allows."""
    windows = monitoring.windows.listed
    low, high = ([100 * window.chance[end] for window in windows] for end in (0, 1))
    return [100 * window.deviation for window in windows], low, high


def place_in_time(monitoring: Monitoring, case: int, time: str) -> int | float | str:
    """Where a case stands on the axis: its time, or its number."""
    if monitoring.time is None or not time:
        return case
    return float(time) if monitoring.kind == "number" else time


def places_seen(logs: Sequence[float]) -> list[int]:
    """Of a long line of evidence the places that can be seen: both ends, and lowest and highest of stretches.

    logs : (K,); of no more than two points a stretch all places
    """
    if len(logs) <= 2 * STRETCHES:
        return [*range(len(logs))]
    bounds = [i * len(logs) // STRETCHES for i in range(STRETCHES + 1)]
    ends = {0, len(logs) - 1}
    for first, end in pairwise(bounds):
        places = range(first, end)
        ends |= {min(places, key=logs.__getitem__), max(places, key=logs.__getitem__)}
    return sorted(ends)


def point_hovers(monitoring: Monitoring, places: Sequence[int], noun: str) -> list[tuple[str, str]]:
    """What a hand that rests on the line of evidence reads at these of its places."""
    times, line = monitoring.point_times, monitoring.evidence
    cases = [(line.cases[i], line.logs[i]) for i in places]
    return [
        (
            f"{noun} {case:,}{f' ({time})' if (time := times.get(case, '')) else ''}",
            f"evidence {evidence_words(log)}",
        )
        for case, log in cases
    ]


def window_hover(window: Window, noun: str) -> tuple[str, str, str]:
    """What a hand that rests on a window reads."""
    where = f"{window.start} to {window.end}" if window.end else f"{noun} {window.first:,} to {window.last:,}"
    gap, low, high = (f"{100 * x:+z.1f}".replace("-", "−") for x in (window.deviation, *window.chance))
    return where, f"{GAP_NAME.capitalize()}: {gap} points", f"If calibrated {low} to {high}"


def evidence_says(monitoring: Monitoring, noun: str = "case") -> str:
    """The figure in words, for who cannot see it."""
    most = evidence_words(monitoring.evidence.largest)
    moments = sorted(moments_of(monitoring, noun), key=lambda pair: pair[1] == ALARM)
    marked = [f"{moment.words[:1].lower()}{moment.words[1:]}" for moment, _ in moments]
    lines = f" Marked: {'; '.join(marked)}." if marked else ""
    return (
        f"Over {count(monitoring.n, noun)} the evidence goes up to {most}.{lines} "
        f"{windows_sentence(monitoring, noun)}"
    )
