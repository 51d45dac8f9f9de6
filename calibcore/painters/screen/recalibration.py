"""Recalibration: the gains of all methods, the diagram before and after, the log loss over temperatures."""

import math
from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.reliability import hover, widths
from calibcore.diagram.reliability import Reliability
from calibcore.painters.screen import canvas, marks
from calibcore.painters.screen.reliability_marks import bars
from calibcore.questions.recalibrate import Look, Recalibration, TemperatureCurve
from calibcore.questions.recalibrate import words as recalibrating
from calibcore.questions.recalibrate.charts import (
    BEFORE,
    BY_CHANCE,
    LOG_LOSS,
    TEMPERATURE,
    LineNote,
    gain_range,
    gains_of,
    line_notes,
    not_refuted_between,
    temperature_ticks,
)

HEAD, ROW, FOOT = 12, 52, 84
"""Pixels: above the first row, a row, below the last."""
MARK = {"worthwhile": "circle", "not-worthwhile": "circle-open", "cannot-tell": "square-open"}
"""The answer on a method, by shape: no colour of a verdict, as it is none."""
_HIGH, _CURVE_HIGH = 400, 300


def gains_figure(recalibration: Recalibration, theme: str = "light") -> go.Figure:
    """One row a method: its gain with the interval, before the range that chance gives a calibrated model."""
    gains, methods = gains_of(recalibration), recalibration.methods
    layout = canvas.layout(HEAD + ROW * len(methods) + FOOT, t=HEAD, b=FOOT, r=16)
    layout["yaxis"] = marks.named_rows(
        [
            f"{canvas.corner_name(method.map.label)}<br><i>{recalibrating.method_label(method)}</i>"
            for method in methods
        ]
    )
    axis = {"range": gain_range(gains), "nticks": 6}
    layout["xaxis"] = canvas.AXIS | canvas.titled(recalibrating.SHARES) | axis
    layout["legend"] |= canvas.KEY_AT_FOOT
    layout["shapes"] = [marks.upright(0, style.CHANCE, width=1)]
    dots = []
    for answer, words in recalibrating.ANSWERS.items():
        places = [i for i, method in enumerate(methods) if method.answer == answer]
        if places:
            edge = {"color": style.TEXT[theme], "width": 2}
            marker = {"size": 11, "symbol": MARK[answer], "color": style.TEXT[theme], "line": edge}
            texts = [canvas.hover(recalibrating.method_hover(methods[place])) for place in places]
            values = [gains[place].value for place in places]
            dots.append(marks.dots(values, places, marker, texts, name=words.lower()))
    bands = marks.whiskers([gain.by_chance for gain in gains], style.CHANCE_FILL, 14, name=BY_CHANCE)
    ends = marks.whiskers([gain.ends for gain in gains], style.TEXT[theme], 2, showlegend=False)
    return go.Figure([bands, ends, *dots], layout)


def before_after_figure(look: Look, noun: str = "case") -> go.Figure:
    """Deviations of the model as it is, with its bars, and of its cross-fitted predictions, without."""
    layout = marks.deviations(_HIGH, (-0.02, 1.02))
    layout["legend"] |= {"y": -0.22}
    x = look.before.mean_prediction[:, 0]
    return go.Figure(
        [
            *bars(x, look.before, widths(x)),
            _crosses(look.before, 0, BEFORE, noun),
            _crosses(look.after, 1, recalibrating.AFTER, noun),
        ],
        layout,
    )


def _crosses(diagram: Reliability, which: int, name: str, noun: str) -> go.Scatter:
    return go.Scatter(
        x=diagram.mean_prediction[:, 0],
        y=100 * diagram.deviation,
        mode="lines+markers",
        line={"color": style.OBSERVED, "dash": "dot", "width": 1},
        marker=marks.observed(1.5, symbol=marks.PAIR[which], size=11),
        text=[canvas.hover((name, *hover(diagram, b, noun))) for b in range(diagram.n_bins)],
        hovertemplate="%{text}<extra></extra>",
        name=name,
    )


def temperature_figure(
    recalibration: Recalibration, curve: TemperatureCurve, theme: str = "light"
) -> go.Figure:
    """The log loss over the temperature, with those shaded that what happened does not refute."""
    of_set = recalibration.temperature
    low, high = float(curve.temperatures[0]), float(curve.temperatures[-1])
    ticks, (no_change, least) = temperature_ticks(low, high), line_notes(recalibration, curve)

    def drawn(note: LineNote, colour: str) -> dict[str, Any]:
        return marks.note(note.words, colour, 12) | {
            "xref": "x", "x": math.log10(note.temperature), "yref": "y domain", "y": 0.99,
            "xanchor": "left" if note.right else "right", "xshift": 4 if note.right else -4, "yanchor": "top",
        }  # fmt: skip

    start, end = not_refuted_between(recalibration, curve)
    not_refuted = {
        "type": "rect", "xref": "x", "x0": start, "x1": end,
        "yref": "y domain", "y0": 0, "y1": 1, "fillcolor": style.CHANCE_FILL, "line": {"width": 0},
        "layer": "below",
    }  # fmt: skip
    layout = canvas.layout(_CURVE_HIGH, t=44) | {
        "showlegend": False,
        "xaxis": canvas.AXIS
        | {
            "type": "log", "title": {"text": TEMPERATURE}, "range": [math.log10(low), math.log10(high)],
            "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks],
        },
        "yaxis": canvas.AXIS | {"nticks": 5},
        "shapes": [
            *([] if of_set.empty else [not_refuted]),
            marks.upright(1.0, style.CHANCE, dash="dash"),
            marks.upright(of_set.estimate, style.OBSERVED),
        ],
        "annotations": [
            canvas.axis_label(LOG_LOSS, 1.0) | {"yshift": 16},
            drawn(no_change, style.QUIET[theme])
            | {"y": 1, "yanchor": "bottom"},  # above the panel: the curve may be as high
            drawn(least, style.OBSERVED_TEXT[theme]),
        ],
    }  # fmt: skip
    line = go.Scatter(
        x=curve.temperatures, y=curve.log_loss, mode="lines",
        line={"color": style.PREDICTED[theme], "width": 2},
        hovertemplate="Temperature %{x:.3g}<br>Log loss %{y:.4f}<extra></extra>", name="log loss",
    )  # fmt: skip
    return go.Figure([line], layout)
