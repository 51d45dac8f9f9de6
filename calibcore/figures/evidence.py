"""Two rows over time on one axis: the evidence against calibration, and the gap in moving windows."""

import math
from typing import Any

import plotly.graph_objects as go

from calibcore.figures import style
from calibcore.questions.monitor import Monitoring, Window
from calibcore.questions.monitor.evidence import LEVELS
from calibcore.wording import count
from calibcore.words.monitoring import evidence_words, of_words

HEAD, UPPER, GAP, LOWER, FOOT = 36, 220, 56, 160, 48
"""Pixels: above the first panel, the panels and what is between them, below the last."""
_ROOM = 0.3
"""Of the axis of evidence, in powers of ten."""


def evidence_figure(found: Monitoring, theme: str = "light", noun: str = "case") -> go.Figure:
    """log10 of the evidence with lines at 20 and 100, the alarm marked; below, what was said less what
    happened in moving windows, over the grey band of chance."""
    height = HEAD + UPPER + GAP + LOWER + FOOT
    layout = style.layout(height)
    layout["margin"] |= {"t": HEAD, "b": FOOT}
    plot = height - HEAD - FOOT
    panels = {"": (1 - UPPER / plot, 1.0), "2": (0.0, LOWER / plot)}
    words = {"": "Evidence against calibration", "2": f"Said less happened, points: {of_words(found)}"}
    notes = []
    for axis, domain in panels.items():
        layout[f"yaxis{axis}"] = style.AXIS | {
            "domain": list(domain), "anchor": f"x{axis}", "nticks": 5, "fixedrange": True
        }  # fmt: skip
        layout[f"xaxis{axis}"] = style.AXIS | {
            "anchor": f"y{axis}", "matches": "x" if axis else None, "showticklabels": axis == "2",
        }  # fmt: skip
        title = style.axis_label(f"<b>{style.escaped((words[axis],))[0]}</b>", 1.0, f"y{axis}")
        notes.append(title | {"font": {"color": style.TEXT[theme]}})
    name = f"Number of the {noun}" if found.time is None else style.escaped((found.time,))[0]
    layout["xaxis2"]["title"] = {"text": name, "standoff": 6}
    tens = [math.log10(math.e) * log for log in found.evidence.logs if math.isfinite(log)]
    top = max([math.log10(max(LEVELS)), *tens]) + _ROOM
    low = min([0.0, *tens]) - _ROOM
    layout["yaxis"] |= {"range": [low, top]} | _ticks(low, top)
    layout["shapes"] = [*map(_level, LEVELS), *_alarm(found, theme)]
    notes += [_level_name(level, theme) for level in LEVELS]
    notes += _alarm_name(found, theme, noun)
    layout["showlegend"] = False
    return go.Figure([_evidence(found, theme, noun), *_windows(found, noun)], layout | {"annotations": notes})


def _place(found: Monitoring, case: int, time: str) -> int | float | str:
    """Where a case stands on the axis: its time, or its number."""
    if found.time is None or not time:
        return case
    return float(time) if found.kind == "number" else time


def _ticks(low: float, top: float) -> dict[str, Any]:
    """Powers of ten, some of them where there are many."""
    first, last = math.ceil(low), math.floor(top)
    step = max(1, math.ceil((last - first) / 6))
    values = list(range(first, last + 1, step))
    return {
        "tickvals": values,
        "ticktext": [f"{10**v:g}" if -2 <= v <= 4 else f"10<sup>{v}</sup>".replace("-", "−") for v in values],
    }


def _level(level: float) -> dict[str, Any]:
    return {
        "type": "line", "xref": "x domain", "x0": 0, "x1": 1, "yref": "y", "y0": math.log10(level),
        "y1": math.log10(level), "line": {"color": style.CHANCE, "width": 1, "dash": "dash"},
    }  # fmt: skip


def _level_name(level: float, theme: str) -> dict[str, Any]:
    return {
        "text": f"{level:g}: 1 in {level:g} histories", "xref": "x domain", "x": 0, "yref": "y",
        "y": math.log10(level), "xanchor": "left", "showarrow": False,
        "yanchor": "top" if level == min(LEVELS) else "bottom",  # on either side, so that they never touch
        "font": {"color": style.QUIET[theme], "size": 11},
    }  # fmt: skip


def _alarm(found: Monitoring, theme: str) -> list[dict[str, Any]]:
    """A line through both panels where the alarm was raised."""
    if found.alarm is None:
        return []
    x = _place(found, found.alarm, found.crossed_times.get(LEVELS[0], ""))
    return [
        {
            "type": "line", "xref": f"x{axis}", "x0": x, "x1": x, "yref": f"y{axis} domain", "y0": 0,
            "y1": 1, "line": {"color": style.TEXT[theme], "width": 1.5},
        }
        for axis in ("", "2")
    ]  # fmt: skip


def _alarm_name(found: Monitoring, theme: str, noun: str) -> list[dict[str, Any]]:
    """When the alarm was raised, beside its line, where there is more room."""
    if found.alarm is None:
        return []
    time = found.crossed_times.get(LEVELS[0], "")
    late = 2 * found.alarm > found.n
    return [
        {
            "text": style.escaped((f"Alarm: {time or f'{noun} {found.alarm:,}'}",))[0],
            "x": _place(found, found.alarm, time), "xref": "x", "y": 1, "yref": "y domain", "yanchor": "top",
            "xanchor": "right" if late else "left", "xshift": -4 if late else 4, "showarrow": False,
            "font": {"color": style.TEXT[theme], "size": 12},
        }
    ]  # fmt: skip


def _evidence(found: Monitoring, theme: str, noun: str) -> go.Scatter:
    cases, logs = found.evidence.cases, found.evidence.logs
    times = [found.point_times.get(case, "") for case in cases]
    return go.Scatter(
        x=[_place(found, case, time) for case, time in zip(cases, times, strict=True)],
        y=[math.log10(math.e) * log if math.isfinite(log) else None for log in logs],
        mode="lines",
        line={"color": style.PREDICTED[theme], "width": 2},
        text=[
            f"{noun} {case:,}{f' ({time})' if time else ''}<br>evidence {evidence_words(log)}"
            for case, time, log in zip(cases, times, logs, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
        name="evidence",
    )


def _windows(found: Monitoring, noun: str) -> list[go.Scatter]:
    windows = found.windows.kept
    x = [_place(found, one.last, one.end) for one in windows]
    axes = {"xaxis": "x2", "yaxis": "y2"}
    band = go.Scatter(
        x=[*x, *reversed(x)],
        y=[*(100 * one.high for one in windows), *(100 * one.low for one in reversed(windows))],
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=style.CHANCE_FILL,
        hoverinfo="skip",
        name="if calibrated",
        **axes,
    )
    line = go.Scatter(
        x=x,
        y=[100 * one.gap for one in windows],
        mode="lines+markers",
        line={"color": style.OBSERVED, "width": 1.5},
        marker={"size": [8 if one.outside else 4 for one in windows]},
        text=[_window_words(one, noun) for one in windows],
        hovertemplate="%{text}<extra></extra>",
        name="said less happened",
        **axes,
    )
    return [band, line]


def _window_words(one: Window, noun: str) -> str:
    where = f"{one.start} to {one.end}" if one.end else f"{noun} {one.first:,} to {one.last:,}"
    gap, low, high = (f"{100 * x:+z.1f}".replace("-", "−") for x in (one.gap, one.low, one.high))
    return f"{where}<br>Said less happened {gap} points<br>If calibrated {low} to {high}"


def evidence_says(found: Monitoring, noun: str = "case") -> str:
    """The figure in words, for who cannot see it."""
    outside = sum(one.outside for one in found.windows.kept)
    most = evidence_words(found.evidence.largest)
    return (
        f"Over {count(found.n, noun)} the evidence goes up to {most}. The gap lies outside what chance "
        f"allows in {outside:,} of {len(found.windows.kept):,} windows."
    )
