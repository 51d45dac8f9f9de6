"""Small multiples: the deviations of several classes or groups on shared scales, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.assessment.verdict import Verdict
from calibcore.diagram.reliability import Reliability
from calibcore.figures import marks, style
from calibcore.figures.deviation_scale import scale_of
from calibcore.numerics.types import Float
from calibcore.questions.groups import GroupDiagram
from calibcore.sensitivity.each_class import ClassesByEvidence
from calibcore.wording import count, percent
from calibcore.words.classes import class_titles
from calibcore.words.grouping import group_name, group_titles
from calibcore.words.verdicts import chip

HEIGHT = 258
_AXIS = style.AXIS | {"automargin": False}
"""The margins are given: finding them would draw each figure twice, and a page has many of these."""
LONGEST = 20
"""Characters of a class name above a panel, fewer if they are wide; the hover has the rest."""
LONGEST_LINE = 27
"""Characters of a line below that, as wide as a panel on a phone."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One of several diagrams: its name, four lines below that, and the verdict on what it shows."""

    name: str
    below: tuple[str, str, str, str]
    verdict: Verdict
    diagram: Reliability


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


def class_panels(classes: ClassesByEvidence) -> list[Panel]:
    """A panel a class, in their order."""
    pairs = zip(classes.classes, class_titles(classes), strict=True)
    return [Panel(c.name, below, c.verdict, c.diagram) for c, below in pairs]


def group_panels(groups: Sequence[GroupDiagram]) -> list[Panel]:
    """A panel a group, in their order."""
    titles = group_titles([one.group for one in groups])
    return [
        Panel(group_name(one.group.column, one.group.value), below, one.group.verdict, one.diagram)
        for one, below in zip(groups, titles, strict=True)
        if one.group.verdict is not None
    ]


def _row(panels: Sequence[Panel], first: int, columns: int, noun: str, theme: str) -> go.Figure:
    noun = style.escaped(noun)
    reach = reach_of([one.diagram for one in panels])
    row = panels[first : first + columns]
    layout = style.layout(HEIGHT, t=92, b=24, l=36, r=12)
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


def reach_of(diagrams: Sequence[Reliability]) -> float:
    """In points, to either side: as far as well-filled bins need, see :mod:`.deviation_scale`."""
    scale = scale_of(diagrams)
    return max(-scale.low, scale.high)


def _bars_and_crosses(
    c: Panel, number: int, reach: float, noun: str, place: dict[str, Any]
) -> list[go.Bar | go.Scatter]:
    d, x = c.diagram, c.diagram.mean_prediction[:, 0]
    y = 100 * d.deviation
    width, high = np.full(len(x), 0.05), 100 * (d.high - d.low)
    common = place | {"unselected": marks.AS_IT_IS}
    symbols = np.where(np.abs(y) <= reach, "x-thin", np.where(y > 0, "triangle-up", "triangle-down"))
    marker = marks.observed(
        np.where(d.outside, 2.5, 1.5).tolist(),
        symbol=symbols.tolist(),
        size=8,
        opacity=np.where(d.outside, 1.0, style.WITHIN).tolist(),
    )
    texts = [_hover(c, b, noun) for b in range(d.n_bins)]
    own = np.full((d.n_bins, 1), number)
    return [
        marks.chance_bars(x, 100 * d.low, high, width, "if calibrated", **common),
        marks.dots(x, places(y, reach), marker, texts, name="observed", customdata=own, **common),
    ]


def places(points: Float, reach: float) -> Float:
    """Where deviations stand: what lies beyond, which bins of few cases alone do, at the edge."""
    return np.where(np.abs(points) <= reach, points, 0.94 * reach * np.sign(points))


def _title(c: Panel, i: int, theme: str) -> dict[str, Any]:
    name = style.shortened(c.name, LONGEST)
    colours = [style.VERDICT_TEXT[chip(c.verdict).colour][theme], *3 * [style.QUIET[theme]]]
    lines = [
        f"<span style='color: {style.rgb(colour)}'>{_fitting(line)}</span>"
        for colour, line in zip(colours, c.below, strict=True)
    ]
    words = "<br>".join([f"<b>{style.escaped(name)}</b>", *lines])
    return marks.note(words, style.TEXT[theme], 12) | {
        "xref": f"x{i + 1 if i else ''} domain", "x": 0, "xanchor": "left", "align": "left",
        "yref": "paper", "y": 1, "yanchor": "bottom", "yshift": 3,
    }  # fmt: skip


def _fitting(line: str) -> str:
    """ "adj. p 0.0046 (smallest)" where the whole word would be cut."""
    return line if len(line) <= LONGEST_LINE else line.replace("adjusted p", "adj. p")


def _hover(c: Panel, b: int, noun: str) -> str:
    d = c.diagram
    hits, mean = round(float(d.counts[b] * d.observed[b, 0])), d.mean_prediction[b, 0]
    return (
        f"<b>{style.escaped(c.name)}</b><br>Model said {percent(mean)} on average<br>"
        f"Happened {percent(d.observed[b, 0])} ({hits:,} of {count(int(d.counts[b]), noun)})<br>"
        f"If calibrated: {percent(mean + d.low[b])} to {percent(mean + d.high[b])}"
    )
