"""Two rows over time on one axis: the evidence against calibration, and the gap in moving windows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.figures.deviation_scale import DEVIATION
from calibcore.figures.log_axis import power_words
from calibcore.questions.monitor import Monitoring, Window
from calibcore.questions.monitor.evidence import LEVELS
from calibcore.words.looking import of_words
from calibcore.words.monitoring import evidence_words

HEAD, UPPER, GAP, LOWER, FOOT = 36, 220, 56, 160, 48
"""Pixels: above the first panel, the panels and what is between them, below the last."""
_ROOM = 0.3
"""Of the axis of evidence, in powers of ten."""
EVIDENCE, CHANCE, GAP_NAME = "evidence", "if calibrated", DEVIATION.lower().partition(",")[0]
_LINE, _NAMED = 0.075, 0.35
"""Of the height of the axis what a line of text takes, of its length what the name of a level does."""
LONGEST = 24
"""Characters of a class above a panel."""
STRETCHES = 1_000
"""Parts of the line of evidence, each narrower than a pixel is wide on most screens."""


def evidence_figure(found: Monitoring, theme: str = "light", noun: str = "case") -> go.Figure:
    """log10 of the evidence with lines at 20 and 100, the alarm marked; below, observed minus
    predicted in moving windows, over the grey band of chance."""
    layout = style.layout(HEAD + UPPER + GAP + LOWER + FOOT, t=HEAD, b=FOOT)
    names = list(map(style.escaped, panel_words(found)))
    y = style.AXIS | {"nticks": 5, "fixedrange": True}
    notes = marks.stacked(layout, (UPPER, LOWER), GAP, names, theme, style.AXIS, y)
    layout["xaxis2"] |= style.titled(style.escaped(axis_words(found, noun)))
    low, top, ticks = evidence_axis(found)
    layout["yaxis"] |= {"range": [low, top], "tickvals": list(ticks), "ticktext": list(ticks.values())}
    layout["shapes"] = [marks.level(math.log10(one), dash="dash") for one in LEVELS]
    right = levels_on_the_right(found)
    notes += [
        marks.level_name(words, math.log10(one), theme, "", right, above)
        for one, words, above in level_notes(found)
    ]
    if (alarm := alarm_of(found, noun)) is not None:  # through both panels; beside it when
        layout["shapes"] += [marks.upright(alarm.place, style.TEXT[theme], axis) for axis in ("", "2")]
        name = marks.note(style.escaped(alarm.words), style.TEXT[theme], 12)
        notes.append(
            name
            | {
                "x": alarm.place, "xref": "x", "y": 1, "yref": "y domain", "yanchor": "top",
                "xanchor": "right" if alarm.late else "left", "xshift": -4 if alarm.late else 4,
            }
        )  # fmt: skip
    layout["showlegend"] = False
    return go.Figure([_evidence(found, theme, noun), *_windows(found, noun)], layout | {"annotations": notes})


def panel_words(found: Monitoring) -> tuple[str, str]:
    """What the two panels show."""
    name = of_words(found)
    name = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return "Evidence against calibration", f"{DEVIATION}: {name}"


def axis_words(found: Monitoring, noun: str) -> str:
    """What runs along the time axis."""
    return f"Number of the {noun}" if found.time is None else found.time


def evidence_axis(found: Monitoring) -> tuple[float, float, dict[int, str]]:
    """Both ends of the axis of evidence in powers of ten, and its numbers: some where there are many."""
    tens = [power for power in powers_of_ten(found) if power is not None]
    low = min([0.0, *tens]) - _ROOM
    top = max([math.log10(max(LEVELS)), *tens]) + _ROOM
    first, last = math.ceil(low), math.floor(top)
    step = max(1, math.ceil((last - first) / 6))
    powers = range(first, last + 1, step)
    return low, top, {v: f"{10.0**v:,g}" if -2 <= v <= 4 else power_words(v) for v in powers}


def level_notes(found: Monitoring) -> list[tuple[float, str, bool]]:
    """Levels with how often chance reaches them, and whether that stands above; on either side of the two
    lines, so that they never touch, or together above both where there is no room below."""
    low, top, _ = evidence_axis(found)
    first, last = LEVELS
    if math.log10(first) - low < _LINE * (top - low):
        return [(last, f"{first:g} and {last:g}: 1 in {first:g} and 1 in {last:g} histories", True)]
    return [(level, f"{level:g}: 1 in {level:g} histories", level == last) for level in LEVELS]


def levels_on_the_right(found: Monitoring) -> bool:
    """Where the names of the levels stand further from the evidence."""
    middle = sum(map(math.log, LEVELS)) / len(LEVELS)
    logs = found.evidence.logs
    some = max(1, int(_NAMED * len(logs)))
    left, right = (
        min((abs(log - middle) for log in part), default=0.0) for part in (logs[:some], logs[-some:])
    )
    return right > left


@dataclass(frozen=True)
class Alarm:
    """Where it was raised on the axis of time, when in words, and whether there is more room before it."""

    place: int | float | str
    words: str
    late: bool


def alarm_of(found: Monitoring, noun: str) -> Alarm | None:
    """None where none was raised."""
    if found.alarm is None:
        return None
    time = found.crossed_times.get(LEVELS[0], "")
    words = f"Alarm: {time or f'{noun} {found.alarm:,}'}"
    return Alarm(place_in_time(found, found.alarm, time), words, 2 * found.alarm > found.n)


def powers_of_ten(found: Monitoring) -> list[float | None]:
    """log10 of the evidence; None where it is infinite, or nothing is left of it."""
    return [math.log10(math.e) * log if math.isfinite(log) else None for log in found.evidence.logs]


def gaps_of(found: Monitoring) -> tuple[list[float], list[float], list[float]]:
    """Of each window the gap in points, and the ends of what chance allows."""
    windows = found.windows.kept
    low, high = ([100 * one.chance[end] for one in windows] for end in (0, 1))
    return [100 * one.deviation for one in windows], low, high


def place_in_time(found: Monitoring, case: int, time: str) -> int | float | str:
    """Where a case stands on the axis: its time, or its number."""
    if found.time is None or not time:
        return case
    return float(time) if found.kind == "number" else time


def _ends(logs: Sequence[float]) -> list[int]:
    """Of a long line the places that can be seen: lowest and highest of each stretch, the first, the last.

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


def _evidence(found: Monitoring, theme: str, noun: str) -> go.Scatter:
    places = _ends(found.evidence.logs)
    cases, logs = [found.evidence.cases[i] for i in places], [found.evidence.logs[i] for i in places]
    times, powers = [found.point_times.get(case, "") for case in cases], powers_of_ten(found)
    return go.Scatter(
        x=[place_in_time(found, case, time) for case, time in zip(cases, times, strict=True)],
        y=[powers[i] for i in places],
        mode="lines",
        line={"color": style.PREDICTED[theme], "width": 2},
        text=[
            f"{noun} {case:,}{f' ({time})' if time else ''}<br>evidence {evidence_words(log)}"
            for case, time, log in zip(cases, times, logs, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
        name=EVIDENCE,
    )


def _windows(found: Monitoring, noun: str) -> list[go.Scatter]:
    windows = found.windows.kept
    x = [place_in_time(found, one.last, one.end) for one in windows]
    gaps, low, high = gaps_of(found)
    line = go.Scatter(
        x=x,
        y=gaps,
        mode="lines+markers",
        line={"color": style.OBSERVED, "width": 1.5},
        marker={"size": [8 if one.outside else 4 for one in windows]},
        text=[_window_words(one, noun) for one in windows],
        hovertemplate="%{text}<extra></extra>",
        name=GAP_NAME,
        **marks.in_panel("2"),
    )
    return [marks.band(x, low, high, CHANCE, axis="2"), line]


def _window_words(one: Window, noun: str) -> str:
    where = f"{one.start} to {one.end}" if one.end else f"{noun} {one.first:,} to {one.last:,}"
    gap, low, high = (f"{100 * x:+z.1f}".replace("-", "−") for x in (one.deviation, *one.chance))
    return f"{where}<br>{GAP_NAME.capitalize()}: {gap} points<br>If calibrated {low} to {high}"
