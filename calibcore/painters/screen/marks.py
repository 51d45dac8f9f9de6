"""Marks that figures share on the screen, so that what they look like stands once."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.deviation_scale import DEVIATION
from calibcore.charts.probability_axis import TITLE
from calibcore.painters.screen import canvas

PAIR = ("circle", "diamond-open")
"""Of the first and of the second of two diagrams."""
INTERVAL_FILL = "rgba(213, 94, 0, 0.18)"
"""Of the interval of what was observed."""


def dots(x: Any, y: Any, marker: dict[str, Any], texts: Sequence[str], **more: Any) -> go.Scatter:
    """Marks, and what a hand that rests on them reads."""
    return go.Scatter(
        x=x, y=y, mode="markers", marker=marker, text=texts, hovertemplate="%{text}<extra></extra>", **more
    )


def stroke(x: Any, y: Any, colour: str, width: float, dash: str | None = None, **more: Any) -> go.Scatter:
    """A line that says nothing of its own."""
    line = {"color": colour, "width": width, "dash": dash}
    return go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", **more)


def chance_bars(x: Any, foot: Any, high: Any, width: Any, name: str, **more: Any) -> go.Bar:
    """What chance allows, bars so ``high`` from ``foot`` on."""
    marker = {"color": style.CHANCE_FILL, "line": {"color": style.CHANCE, "width": 1}}
    return go.Bar(x=x, base=foot, y=high, width=width, marker=marker, name=name, hoverinfo="skip", **more)


def band(
    x: Any, low: Any, high: Any, name: str, fill: str = style.CHANCE_FILL, axis: str = "", edge: float = 0
) -> go.Scatter:
    """What lies between two lines over ``x``, in the panel ``axis``; ``edge`` pixels around it."""
    return go.Scatter(
        x=[*x, *reversed(x)], y=[*low, *reversed(high)], mode="lines", fill="toself", fillcolor=fill,
        line={"color": style.CHANCE, "width": edge}, hoverinfo="skip", name=name, **in_panel(axis),
    )  # fmt: skip


def line(
    x: Sequence[float],
    y: Sequence[float],
    name: str,
    colour: str,
    hover: list[str] | None = None,
    dash: str | None = None,
) -> go.Scatter:
    """A line, strong where a hand that rests on it reads something; a dot where there is one place alone."""
    more: dict[str, Any] = {"hoverinfo": "skip"}
    if hover is not None:
        more = {"text": hover, "hovertemplate": "%{text}<extra></extra>"}
    mode = "lines" if len(set(x)) > 1 else "markers"
    look = {"color": colour, "width": 1.5 if hover is None else 2.5, "dash": dash}
    return go.Scatter(x=x, y=y, mode=mode, name=name, line=look, **more)


def whiskers(
    ends: Sequence[tuple[float, float] | None], colour: str, width: float, **more: Any
) -> go.Scatter:
    """From end to end in each row; none where there are no ends."""
    known = [(place, pair) for place, pair in enumerate(ends) if pair is not None]
    x = [x for _, (low, high) in known for x in (low, high, None)]
    y = [y for place, _ in known for y in (place, place, None)]
    return stroke(x, y, colour, width, **more)


def in_panel(axis: str) -> dict[str, str]:
    """Where a trace lies: in the panel whose axes end in ``axis``, of one panel alone or the first of several
    in nothing."""
    return {"xaxis": f"x{axis}", "yaxis": f"y{axis}"} if axis else {}


def upright(x: Any, colour: str, axis: str = "", **stroke: Any) -> dict[str, Any]:
    """A line from the foot of a panel to its head."""
    return {
        "type": "line", "xref": f"x{axis}", "x0": x, "x1": x, "yref": f"y{axis} domain", "y0": 0, "y1": 1,
        "line": {"color": colour, "width": 1.5} | stroke,
    }  # fmt: skip


def level(y: float, axis: str = "", **stroke: Any) -> dict[str, Any]:
    """A grey line from side to side of a panel; with ``dash`` what is chosen, as a level of p."""
    return {
        "type": "line", "xref": f"x{axis} domain", "x0": 0, "x1": 1, "yref": f"y{axis}", "y0": y, "y1": y,
        "line": {"color": style.CHANCE, "width": 1} | stroke,
    }  # fmt: skip


def level_name(
    words: str, y: float, theme: str, axis: str = "", right: bool = True, above: bool = True,
    size: int | None = 11,
) -> dict[str, Any]:  # fmt: skip
    """What a :func:`level` is, at its end; ``y`` in the unit of the axis, of a logarithmic one powers."""
    return note(words, style.QUIET[theme], size) | {
        "xref": f"x{axis} domain", "x": int(right), "xanchor": "right" if right else "left",
        "yref": f"y{axis}", "y": y, "yanchor": "bottom" if above else "top",
    }  # fmt: skip


def note(words: str, colour: str | None, size: int | None = None) -> dict[str, Any]:
    """Words without an arrow, yet without a place."""
    return {"text": words, "showarrow": False, "font": {"color": colour, "size": size}}


def stacked(
    layout: dict[str, Any],
    heights: Sequence[int],
    gap: int,
    names: Sequence[str],
    theme: str,
    x: dict[str, Any],
    y: dict[str, Any],
    foot: int = 0,
) -> list[dict[str, Any]]:
    """Axes of panels one below the other over one x axis, each so many pixels high, ``gap`` between two and
    ``foot`` below; adds to them ``x`` and ``y``, and returns the ``names`` above them."""
    words_above = []
    plot = sum(heights) + gap * (len(heights) - 1) + foot
    bottom = plot + gap
    for i, (high, words) in enumerate(zip(heights, names, strict=True)):
        axis = str(i + 1) if i else ""
        top = bottom - gap
        bottom = top - high
        layout[f"yaxis{axis}"] = y | {"domain": [bottom / plot, top / plot], "anchor": f"x{axis}"}
        layout[f"xaxis{axis}"] = x | {
            "anchor": f"y{axis}", "matches": "x" if axis else None, "showticklabels": i == len(heights) - 1
        }  # fmt: skip
        title = canvas.axis_label(f"<b>{words}</b>", 1.0, f"y{axis}")
        words_above.append(title | {"font": {"color": style.TEXT[theme]}})
    return words_above


def observed(width: float, **more: Any) -> dict[str, Any]:
    """A mark of what was observed, with its stroke."""
    return {"color": style.OBSERVED, "line": {"color": style.OBSERVED, "width": width}} | more


def deviations(height: int, reach: tuple[float, float]) -> dict[str, Any]:
    """The layout of a panel of deviations over probabilities, for two diagrams beside each other."""
    return canvas.layout(height) | {
        "xaxis": canvas.AXIS | canvas.PERCENTS | {"range": reach, "title": {"text": TITLE}},
        "yaxis": canvas.AXIS | {"tickformat": ".1~f"},
        "shapes": [level(0)],
        "annotations": [canvas.axis_label(DEVIATION, 1.0)],
    }


def named_rows(names: Sequence[str]) -> dict[str, Any]:
    """A y axis with one row a name, from above."""
    return canvas.AXIS | {
        "range": [len(names) - 0.5, -0.5], "tickvals": list(range(len(names))), "ticktext": list(names),
        "showgrid": False, "fixedrange": True,
    }  # fmt: skip
