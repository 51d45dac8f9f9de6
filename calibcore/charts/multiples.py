"""Small multiples: the deviations of several classes or groups on shared scales, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibcore.assessment.verdict import Verdict
from calibcore.charts.deviation_scale import scale_of
from calibcore.charts.style import short
from calibcore.diagram.reliability import Reliability
from calibcore.numerics.types import Float
from calibcore.sensitivity.each_class import ClassesByEvidence
from calibcore.wording import count, percent
from calibcore.words.classes import class_titles

LONGEST = 20
"""Characters of a class name above a panel, fewer if they are wide; the hover has the rest."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One of several diagrams: its name, four lines below that, and the verdict on what it shows."""

    name: str
    below: tuple[str, str, str, str]
    verdict: Verdict
    diagram: Reliability


def class_panels(classes: ClassesByEvidence) -> list[Panel]:
    """A panel a class, in their order."""
    pairs = zip(classes.classes, class_titles(classes), strict=True)
    return [Panel(c.name, below, c.verdict, c.diagram) for c, below in pairs]


def reach_of(diagrams: Sequence[Reliability]) -> float:
    """In points, to either side: as far as well-filled bins need, see :mod:`.deviation_scale`."""
    scale = scale_of(diagrams)
    return max(-scale.low, scale.high)


def places(points: Float, reach: float) -> Float:
    """Where deviations stand: what lies beyond, which bins of few cases alone do, at the edge."""
    return np.where(np.abs(points) <= reach, points, 0.94 * reach * np.sign(points))


def hover(c: Panel, b: int, noun: str) -> tuple[str, str, str, str]:
    """What a hand that rests on the mark of a bin reads."""
    d = c.diagram
    hits, mean = round(float(d.counts[b] * d.observed[b, 0])), d.mean_prediction[b, 0]
    return (
        short(c.name),
        f"Model said {percent(mean)} on average",
        f"Happened {percent(d.observed[b, 0])} ({hits:,} of {count(int(d.counts[b]), short(noun))})",
        f"If calibrated: {percent(mean + d.low[b])} to {percent(mean + d.high[b])}",
    )
