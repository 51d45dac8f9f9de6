"""Two rows over time on one axis: the evidence against calibration, and the gap in moving windows."""

import math

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.painters.screen import canvas, marks
from calibcore.questions.monitor import Monitoring
from calibcore.questions.monitor.charts import (
    ALARM,
    CHANCE,
    EVIDENCE,
    GAP_NAME,
    axis_words,
    evidence_axis,
    evidence_line,
    gaps_of,
    level_notes,
    levels_on_the_right,
    moments_of,
    panel_words,
    places_seen,
    point_hovers,
    window_hover,
    window_places,
)
from calibcore.questions.monitor.evidence import LEVELS

HEAD, UPPER, GAP, LOWER, FOOT, LINE = 32, 192, 48, 138, 46, 18
"""Pixels: above the first panel, the panels and what is between them, below the last; of a line of words."""


def evidence_figure(monitoring: Monitoring, theme: str = "light", noun: str = "case") -> go.Figure:
    """log10 of the evidence with lines at 20 and 100, the alarm marked and since when it is off.

    Below, observed minus predicted in moving windows, over the grey band of chance."""
    layout = canvas.layout(HEAD + UPPER + GAP + LOWER + FOOT, t=HEAD, b=FOOT)
    names = list(map(canvas.escaped, panel_words(monitoring)))
    y = canvas.AXIS | {"nticks": 5, "fixedrange": True}
    notes = marks.stacked(layout, (UPPER, LOWER), GAP, names, theme, canvas.AXIS, y)
    layout["xaxis2"] |= canvas.titled(canvas.escaped(axis_words(monitoring, noun)))
    low, top, ticks = evidence_axis(monitoring)
    layout["yaxis"] |= {"range": [low, top], "tickvals": list(ticks), "ticktext": list(ticks.values())}
    layout["shapes"] = [marks.level(math.log10(level), dash="dash") for level in LEVELS]
    right = levels_on_the_right(monitoring)
    notes += [
        marks.level_name(words, math.log10(level), theme, "", right, above)
        for level, words, above in level_notes(monitoring)
    ]
    # Through both panels, and beside it when.
    for line, (moment, which) in enumerate(moments_of(monitoring, noun)):
        stroke = {"dash": "solid" if which == ALARM else "dash"}
        upper, lower = (marks.upright(moment.place, style.TEXT[theme], axis, **stroke) for axis in ("", "2"))
        layout["shapes"] += [upper | {"y1": 1 - LINE * line / UPPER}, lower]
        notes.append(
            marks.note(canvas.escaped(moment.words), style.TEXT[theme], 12)
            | {
                "x": moment.place, "xref": "x", "y": 1, "yref": "y domain", "yanchor": "top",
                "yshift": -LINE * line, "xanchor": "right" if moment.late else "left",
                "xshift": -4 if moment.late else 4,
            }
        )  # fmt: skip
    layout["showlegend"] = False
    return go.Figure(
        [_evidence(monitoring, theme, noun), *_windows(monitoring, noun)], layout | {"annotations": notes}
    )


def _evidence(monitoring: Monitoring, theme: str, noun: str) -> go.Scatter:
    x, y = evidence_line(monitoring)
    places = places_seen(monitoring.evidence.logs)
    return go.Scatter(
        x=[x[i] for i in places],
        y=[y[i] for i in places],
        mode="lines",
        line={"color": style.PREDICTED[theme], "width": 2},
        text=[canvas.hover(lines) for lines in point_hovers(monitoring, places, noun)],
        hovertemplate="%{text}<extra></extra>",
        name=EVIDENCE,
    )


def _windows(monitoring: Monitoring, noun: str) -> list[go.Scatter]:
    windows, x = monitoring.windows.listed, window_places(monitoring)
    gaps, low, high = gaps_of(monitoring)
    line = go.Scatter(
        x=x,
        y=gaps,
        mode="lines+markers",
        line={"color": style.OBSERVED, "width": 1.5},
        marker={"size": [8 if window.outside else 4 for window in windows]},
        text=[canvas.hover(window_hover(window, noun)) for window in windows],
        hovertemplate="%{text}<extra></extra>",
        name=GAP_NAME,
        **marks.in_panel("2"),
    )
    return [marks.band(x, low, high, CHANCE, axis="2"), line]
