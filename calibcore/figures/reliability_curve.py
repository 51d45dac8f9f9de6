"""The curve over a reliability diagram, and the band in which it lies if the model is calibrated."""

import numpy as np
import plotly.graph_objects as go

from calibcore.diagram.curves import Curve
from calibcore.figures import marks, style
from calibcore.figures.probability_axis import ProbabilityAxis
from calibcore.wording import percent

_PERCENT = "\N{NO-BREAK SPACE}%"


def curve_traces(curve: Curve | None, axis: ProbabilityAxis | None = None) -> list[go.Scatter]:
    """Band and line, as deviations in points over an ``axis``, or without one both in percent (classical)."""
    if curve is None:
        return []
    base = 0.0 if axis is None else curve.predicted
    x = 100 * curve.predicted if axis is None else axis.place(curve.predicted)
    seen, low, high = (100 * (ends - base) for ends in (curve.observed, curve.low, curve.high))
    one = len(x) == 1
    band = marks.band(x, low, high, band_name(curve), edge=6 if one else 0)
    line = go.Scatter(
        x=x,
        y=seen,
        mode="lines+markers" if one else "lines",
        line={"color": style.OBSERVED, "width": 2},
        marker={"color": style.OBSERVED, "size": 7},
        name=f"{curve.kind} curve",
        customdata=100 * np.column_stack([curve.predicted, curve.observed, curve.low, curve.high]),
        hovertemplate=f"{curve.kind.capitalize()} curve: at %{{customdata[0]:.1f}}{_PERCENT} it happens "
        f"%{{customdata[1]:.1f}}{_PERCENT}<br>If calibrated: %{{customdata[2]:.1f}}{_PERCENT} to "
        f"%{{customdata[3]:.1f}}{_PERCENT}<extra></extra>",
    )
    return [band, line]


def band_name(curve: Curve) -> str:
    """What the key says of the band."""
    low, high = curve.interval
    return f"curve if calibrated, at each point about {percent(high - low, 0)} of the time"
