"""Two classes without bins: the smoothed deviation over predictions, and where a calibrated model has it."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.figures import marks, style
from calibcore.figures.probability_axis import ProbabilityAxis
from calibcore.figures.reliability import two_panels
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.numerics.types import Float, Int
from calibcore.wording import percent, plural
from calibcore.words.smooth import hover

WIDE = 0.016
"""Of the axis: a bar of how predictions are spread."""
GAP = 0.1
"""Of the axis: between places further apart there are no cases to average, and no line or band is drawn."""


def band_name(found: SmoothArrows) -> str:
    """What the key says of the band."""
    return f"if calibrated, the whole curve {percent(1 - found.alpha, 0)} of the time"


def names(found: SmoothArrows) -> tuple[str, str]:
    """What the key says of the parts of the curve outside the band and within."""
    outside, within = "observed, more than chance allows", "observed, within what chance allows"
    return outside, within if found.strong.any() else "observed"


def stretches(found: SmoothArrows) -> list[Int]:
    """The places in a row between which there are cases."""
    x = found.predicted[:, 0]
    return np.split(np.arange(len(x)), np.flatnonzero(np.diff(x) > GAP) + 1)


def band_of(found: SmoothArrows, part: Int) -> tuple[Float, Float, Float]:
    """Places of a stretch, and where its band begins and ends there in points; a place alone is as wide as a
    bar."""
    x, ends = found.predicted[part, 0], [100 * end[part] for end in found.chance]
    if len(part) == 1 and len(found.predicted) > 1:
        x, ends = x + np.array([-WIDE, WIDE]) / 2, [np.repeat(end, 2) for end in ends]
    return x, ends[0], ends[1]


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
    x, parts = found.predicted[:, 0], [band_of(found, part) for part in stretches(found)]
    region = marks.band(*parts[0], band_name(found), edge=6 if len(x) == 1 else 0)
    for at, low, high in parts[1:]:
        region.x = [*region.x, None, *at, *at[::-1]]
        region.y = [*region.y, None, *low, *high[::-1]]
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
    parts = stretches(found)
    gaps = [int(part[0]) for part in parts[1:]]
    x, strong = (np.insert(values, gaps, np.nan) for values in strong_line(found))
    y, alone = np.insert(100 * found.curve, gaps, np.nan), [len(part) == 1 for part in parts]
    sizes = [6 * one for part, one in zip(parts, alone, strict=True) for _ in part]
    dots: dict[str, Any] = {"mode": "lines"}
    if any(alone):
        marker = common["marker"] | {"size": np.insert(sizes, gaps, 0)}
        dots = {"mode": "lines+markers", "marker": marker}
    for gap in reversed(gaps):
        texts.insert(gap, "")
    whole = go.Scatter(
        x=x, y=y, opacity=style.WITHIN, connectgaps=False, line={"color": style.OBSERVED, "width": 1.5},
        text=texts, hovertemplate="%{text}<extra></extra>", name=within, showlegend=not found.strong.all(),
        **common | dots,
    )  # fmt: skip
    if not found.strong.any():
        return [whole]
    on_top = go.Scatter(
        x=x, y=strong, mode="lines+markers", line={"color": style.OBSERVED, "width": 3}, hoverinfo="skip",
        name=outside, connectgaps=False, **common,
    )  # fmt: skip
    return [whole, on_top]
