"""Two classes without bins: the smoothed deviation over predictions, and where a calibrated model has it."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.figures.probability_axis import ProbabilityAxis
from calibcore.figures.reliability import two_panels
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.types import Float
from calibcore.wording import percent, plural
from calibcore.words.smooth import hover

WIDE = 0.016
"""Of the axis: a bar of how predictions are spread."""


def band_name(found: SmoothArrows) -> str:
    """What the key says of the band."""
    return f"if calibrated, the whole curve {percent(1 - found.alpha, 0)} of the time"


def names(found: SmoothArrows) -> tuple[str, str]:
    """What the key says of the parts of the curve outside the band and within."""
    outside, within = "observed, more than chance allows", "observed, within what chance allows"
    return outside, within if found.strong.any() else "observed"


def strong_line(found: SmoothArrows) -> tuple[Float, Float]:
    """Places and points of the curve where it is strong, not a number elsewhere."""
    return found.predicted[:, 0], np.where(found.strong, 100 * found.curve, np.nan)


def smooth_curve_figure(found: SmoothArrows, noun: str = "case", theme: str = "light") -> go.Figure:
    """The curve over its band, strong where it leaves it; below, how predictions are spread.

    Raises
    ------
    InputError : more than two classes.
    """
    noun = style.escaped(noun)
    x, (low, high) = found.predicted[:, 0], found.chance
    region = marks.band(x, 100 * low, 100 * high, band_name(found), edge=6 if len(x) == 1 else 0)
    spread = go.Bar(
        x=x, y=found.shares, width=WIDE, marker={"color": style.PREDICTED[theme], "line": {"width": 0}},
        text=[f"{percent(at)}: {percent(share)}" for at, share in zip(x, found.shares, strict=True)],
        textposition="none", hovertemplate=f"%{{text}} of the {plural(noun)}<extra></extra>",
        name="predicted", showlegend=False, xaxis="x2", yaxis="y2",
    )  # fmt: skip
    return go.Figure([region, *_line(found, noun), spread], two_panels(noun, ProbabilityAxis()))


def _line(found: SmoothArrows, noun: str) -> list[go.Scatter]:
    """Pale all along, strong on top where chance does not allow it; places alone are dots."""
    outside, within = names(found)
    common: dict[str, Any] = {"xaxis": "x", "yaxis": "y", "marker": {"color": style.OBSERVED, "size": 6}}
    texts = [hover(found, j, noun) for j in range(len(found.predicted))]
    x, strong = strong_line(found)
    whole = go.Scatter(
        x=x, y=100 * found.curve, mode="lines+markers" if len(x) == 1 else "lines", opacity=style.WITHIN,
        line={"color": style.OBSERVED, "width": 1.5}, text=texts, hovertemplate="%{text}<extra></extra>",
        name=within, showlegend=not found.strong.all(), **common,
    )  # fmt: skip
    if not found.strong.any():
        return [whole]
    on_top = go.Scatter(
        x=x, y=strong, mode="lines+markers", line={"color": style.OBSERVED, "width": 3}, hoverinfo="skip",
        name=outside, connectgaps=False, **common,
    )  # fmt: skip
    return [whole, on_top]
