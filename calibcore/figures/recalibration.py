"""Recalibration: the gains of all methods, the diagram before and after, the log loss over temperatures."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import plotly.graph_objects as go

from calibcore.diagram.reliability import Reliability
from calibcore.figures import marks, style
from calibcore.figures.reliability_marks import bars, hover, widths
from calibcore.questions.recalibrate import Look, Method, Recalibration, TemperatureCurve
from calibcore.words import recalibrating
from calibcore.words.temperature import estimate_words

HEAD, ROW, FOOT = 12, 52, 84
"""Pixels: above the first row, a row, below the last."""
BY_CHANCE = "by chance, if calibrated"
MARK = {"worthwhile": "circle", "not-worthwhile": "circle-open", "cannot-tell": "square-open"}
"""The answer on a method, by shape: no colour of a verdict, as it is none."""
_HIGH, _CURVE_HIGH = 400, 300
_TICKS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20)


@dataclass(frozen=True)
class Gain:
    """A method's gain in percent of the loss, its interval, and what chance gives a calibrated model."""

    method: Method
    value: float
    ends: tuple[float, float]
    by_chance: tuple[float, float] | None


def gains_of(found: Recalibration) -> list[Gain]:
    """A row a method."""
    gains = []
    for method in found.methods:
        share, gain, test = partial(recalibrating.share_of_loss, method), method.gain, method.test
        by_chance = None if test is None else (share(test.low_by_chance), share(test.high_by_chance))
        gains.append(Gain(method, share(gain.value), (share(gain.low), share(gain.high)), by_chance))
    return gains


def gain_range(gains: Sequence[Gain]) -> tuple[float, float]:
    """The axis of gains: all of the intervals and what chance allows, 0 among them."""
    ends = [0.0, *(end for gain in gains for pair in (gain.ends, gain.by_chance or ()) for end in pair)]
    room = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - room, max(ends) + room


def gains_figure(found: Recalibration, theme: str = "light") -> go.Figure:
    """One row a method: its gain with the interval, before the range that chance gives a calibrated model."""
    gains, methods = gains_of(found), found.methods
    layout = style.layout(HEAD + ROW * len(methods) + FOOT, t=HEAD, b=FOOT, r=16)
    layout["yaxis"] = marks.named_rows(
        [f"{style.corner_name(one.map.label)}<br><i>{recalibrating.method_label(one)}</i>" for one in methods]
    )
    axis = {"range": gain_range(gains), "nticks": 6}
    layout["xaxis"] = style.AXIS | style.titled(recalibrating.SHARES) | axis
    layout["legend"] |= style.KEY_AT_FOOT
    layout["shapes"] = [marks.upright(0, style.CHANCE, width=1)]
    dots = []
    for answer, words in recalibrating.ANSWERS.items():
        places = [i for i, method in enumerate(methods) if method.answer == answer]
        if places:
            edge = {"color": style.TEXT[theme], "width": 2}
            marker = {"size": 11, "symbol": MARK[answer], "color": style.TEXT[theme], "line": edge}
            texts = [recalibrating.method_hover(methods[place]) for place in places]
            values = [gains[place].value for place in places]
            dots.append(marks.dots(values, places, marker, texts, name=words.lower()))
    bands = marks.whiskers([gain.by_chance for gain in gains], style.CHANCE_FILL, 14, name=BY_CHANCE)
    ends = marks.whiskers([gain.ends for gain in gains], style.TEXT[theme], 2, showlegend=False)
    return go.Figure([bands, ends, *dots], layout)


def before_after_figure(look: Look, noun: str = "case") -> go.Figure:
    """Deviations of the model as it is, with its bars, and of its cross-fitted predictions, without."""
    noun = style.escaped(noun)
    layout = marks.deviations(_HIGH, (-0.02, 1.02))
    layout["legend"] |= {"y": -0.22}
    x = look.before.mean_prediction[:, 0]
    return go.Figure(
        [
            *bars(x, look.before, widths(x)),
            _crosses(look.before, 0, "as it is", noun),
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
        text=[f"{name}<br>{hover(diagram, b, noun)}" for b in range(diagram.n_bins)],
        hovertemplate="%{text}<extra></extra>",
        name=name,
    )


def temperature_figure(found: Recalibration, curve: TemperatureCurve, theme: str = "light") -> go.Figure:
    """The log loss over the temperature, with those shaded that what happened does not refute."""
    of_set, one_left = found.temperature, found.temperature.estimate > 1
    low, high = float(curve.temperatures[0]), float(curve.temperatures[-1])
    ticks, least = temperature_ticks(low, high), f"least: {estimate_words(of_set)}"

    def note(x: float, words: str, colour: str, left: bool) -> dict[str, Any]:
        """Beside its line, of two lines the ``left`` one: where the other is not, unless it would be cut."""
        right = math.log(x / low) < (0.3 if left else 0.7) * math.log(high / low)
        return marks.note(words, colour, 12) | {
            "xref": "x", "x": math.log10(x), "yref": "y domain", "y": 0.99,
            "xanchor": "left" if right else "right", "xshift": 4 if right else -4, "yanchor": "top",
        }  # fmt: skip

    not_refuted = {
        "type": "rect", "xref": "x", "x0": max(low, of_set.low), "x1": min(high, of_set.high),
        "yref": "y domain", "y0": 0, "y1": 1, "fillcolor": style.CHANCE_FILL, "line": {"width": 0},
        "layer": "below",
    }  # fmt: skip
    layout = style.layout(_CURVE_HIGH, t=44) | {
        "showlegend": False,
        "xaxis": style.AXIS
        | {
            "type": "log", "title": {"text": "Temperature"}, "range": [math.log10(low), math.log10(high)],
            "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks],
        },
        "yaxis": style.AXIS | {"nticks": 5},
        "shapes": [
            *([] if of_set.empty else [not_refuted]),
            marks.upright(1.0, style.CHANCE, dash="dash"),
            marks.upright(of_set.estimate, style.OBSERVED),
        ],
        "annotations": [
            style.axis_label("Log loss", 1.0) | {"yshift": 16},
            note(1.0, "no change", style.QUIET[theme], one_left)
            | {"y": 1, "yanchor": "bottom"},  # above the panel: the curve may be as high
            note(of_set.estimate, least, style.OBSERVED_TEXT[theme], not one_left),
        ],
    }  # fmt: skip
    line = go.Scatter(
        x=curve.temperatures, y=curve.log_loss, mode="lines",
        line={"color": style.PREDICTED[theme], "width": 2},
        hovertemplate="Temperature %{x:.3g}<br>Log loss %{y:.4f}<extra></extra>", name="log loss",
    )  # fmt: skip
    return go.Figure([line], layout)


def temperature_ticks(low: float, high: float) -> list[float]:
    """Round temperatures between the ends of an axis."""
    return [tick for tick in _TICKS if low <= tick <= high]
