"""Small multiples: the deviations of several classes or groups on shared scales, side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.multiples import LONGEST, Panel, class_panels, hover, places, reach_of
from calibcore.painters.screen import canvas, marks
from calibcore.questions.groups import GroupDiagram
from calibcore.questions.groups.charts import group_panels
from calibcore.sensitivity.each_class import ClassesByEvidence
from calibcore.wording import percent
from calibcore.words.verdicts import chip

HEIGHT = 258
_AXIS = canvas.AXIS | {"automargin": False}
"""The margins are given: finding them would draw each figure twice, and a page has many of these."""
LONGEST_LINE = 27
"""Characters of a line below the name of a panel, as wide as a panel on a phone."""


def multiples_figure(
    classes: ClassesByEvidence, first: int = 0, columns: int = 5, noun: str = "case", theme: str = "light"
) -> go.Figure:
    """The classes ``first`` to ``first + columns − 1`` in one row, on the scales of all of them.

    A place without a class is left free, so that every row is as wide. A bin that lies beyond the scale,
    which only bins of few cases do, is a triangle at its edge.
    """
    return _row(class_panels(classes), first, columns, noun, theme)


def group_multiples_figure(
    groups: Sequence[GroupDiagram], first: int = 0, columns: int = 5, noun: str = "case", theme: str = "light"
) -> go.Figure:
    """The same of groups of cases."""
    return _row(group_panels(groups), first, columns, noun, theme)


def _row(panels: Sequence[Panel], first: int, columns: int, noun: str, theme: str) -> go.Figure:
    reach = reach_of([panel.diagram for panel in panels])
    row = panels[first : first + columns]
    layout = canvas.layout(HEIGHT, t=92, b=24, l=36, r=12)
    traces: list[Any] = []
    notes = []
    gap = 0.2 / columns
    width = (1 + gap) / columns - gap
    for i, c in enumerate(row):
        axis = "" if i == 0 else str(i + 1)
        left = i * (width + gap)
        layout[f"xaxis{axis}"] = _AXIS | {
            "domain": [left, left + width], "anchor": f"y{axis}", "range": [-0.04, 1.04],
            "tickvals": [0, 0.5, 1], "ticktext": [percent(share, 0) for share in (0, 0.5, 1)],
        }  # fmt: skip
        layout[f"yaxis{axis}"] = _AXIS | {
            "anchor": f"x{axis}", "range": [-reach, reach], "nticks": 5, "zeroline": True,
            "zerolinecolor": style.CHANCE, "zerolinewidth": 1, "showticklabels": i == 0,
            "matches": "y" if axis else None,
        }  # fmt: skip
        place = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
        traces += _bars_and_crosses(c, first + i, reach, noun, place)
        notes.append(_title(c, i, theme))
    return go.Figure(traces, layout | {"annotations": notes, "showlegend": False})


def panel_chosen(points: Sequence[Mapping[str, Any]]) -> int | None:
    """The place of the class or group of the first of ``points``, as the browser reports a click."""
    for point in points:
        data = point.get("customdata")
        own = list(data.values() if isinstance(data, Mapping) else data or ())
        if len(own) == 1:
            return int(own[0])
    return None


def _bars_and_crosses(
    c: Panel, number: int, reach: float, noun: str, place: dict[str, Any]
) -> list[go.Bar | go.Scatter]:
    d, x = c.diagram, c.diagram.mean_prediction[:, 0]
    y = 100 * d.deviation
    width, high = np.full(len(x), 0.05), 100 * (d.high - d.low)
    symbols = np.where(np.abs(y) <= reach, "x-thin", np.where(y > 0, "triangle-up", "triangle-down"))
    marker = marks.observed(
        np.where(d.outside, 2.5, 1.5).tolist(),
        symbol=symbols.tolist(),
        size=8,
        opacity=np.where(d.outside, 1.0, style.WITHIN).tolist(),
    )
    texts = [_bold_first(hover(c, b, noun)) for b in range(d.n_bins)]
    own = np.full((d.n_bins, 1), number)
    return [
        marks.chance_bars(x, 100 * d.low, high, width, "if calibrated", **place),
        marks.dots(x, places(y, reach), marker, texts, name="observed", customdata=own, **place),
    ]


def _title(c: Panel, i: int, theme: str) -> dict[str, Any]:
    name = style.shortened(c.name, LONGEST)
    colours = [style.VERDICT_TEXT[chip(c.verdict).colour][theme], *3 * [style.QUIET[theme]]]
    lines = [
        f"<span style='color: {canvas.rgb(colour)}'>{_fitting(line)}</span>"
        for colour, line in zip(colours, c.below, strict=True)
    ]
    words = "<br>".join([f"<b>{canvas.escaped(name)}</b>", *lines])
    return marks.note(words, style.TEXT[theme], 12) | {
        "xref": f"x{i + 1 if i else ''} domain", "x": 0, "xanchor": "left", "align": "left",
        "yref": "paper", "y": 1, "yanchor": "bottom", "yshift": 3,
    }  # fmt: skip


def _bold_first(lines: Sequence[str]) -> str:
    return f"<b>{canvas.hover(lines[:1])}</b><br>{canvas.hover(lines[1:])}"


def _fitting(line: str) -> str:
    """ "adj. p 0.0046 (smallest)" where the whole word would be cut."""
    return line if len(line) <= LONGEST_LINE else line.replace("adjusted p", "adj. p")
