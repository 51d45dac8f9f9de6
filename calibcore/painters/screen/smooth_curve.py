"""Two classes without bins: the smoothed deviation over predictions, and where a calibrated model has it."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.probability_axis import ProbabilityAxis
from calibcore.charts.smooth_curve import band_name, band_of, names, shares_of, stretches, strong_line
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.painters.screen import canvas, marks
from calibcore.painters.screen.reliability import two_panels
from calibcore.wording import plural
from calibcore.words.smooth import hover


def smooth_curve_figure(arrows: SmoothArrows, noun: str = "case", theme: str = "light") -> go.Figure:
    """The curve over its band, strong where it leaves it; below, how predictions are spread.

    Raises
    ------
    InputError : more than two classes.
    """
    noun = style.short(noun)
    x, parts = arrows.predicted[:, 0], [band_of(arrows, part) for part in stretches(arrows)]
    region = marks.band(*parts[0], band_name(arrows), edge=6 if len(x) == 1 else 0)
    for position, low, high in parts[1:]:
        region.x = [*region.x, None, *position, *position[::-1]]
        region.y = [*region.y, None, *low, *high[::-1]]
    shares = shares_of(arrows)
    spread = go.Bar(
        x=shares.x, y=shares.shares, width=shares.width,
        marker={"color": style.PREDICTED[theme], "line": {"width": 0}},
        text=[canvas.hover([words]) for words in shares.words],
        textposition="none", hovertemplate=f"%{{text}} of the {canvas.hover([plural(noun)])}<extra></extra>",
        name="predicted", showlegend=False, xaxis="x2", yaxis="y2",
    )  # fmt: skip
    return go.Figure([region, *_line(arrows, noun), spread], two_panels(noun, ProbabilityAxis()))


def _line(arrows: SmoothArrows, noun: str) -> list[go.Scatter]:
    """Pale all along, strong on top where chance does not allow it; places alone are dots."""
    outside, within = names(arrows)
    common: dict[str, Any] = {"xaxis": "x", "yaxis": "y", "marker": {"color": style.OBSERVED, "size": 6}}
    texts = [canvas.hover(hover(arrows, j, noun)) for j in range(len(arrows.predicted))]
    parts = stretches(arrows)
    gaps = [int(part[0]) for part in parts[1:]]
    x, strong = (np.insert(values, gaps, np.nan) for values in strong_line(arrows))
    y, alone = np.insert(100 * arrows.curve, gaps, np.nan), [len(part) == 1 for part in parts]
    sizes = [6 * is_alone for part, is_alone in zip(parts, alone, strict=True) for _ in part]
    dots: dict[str, Any] = {"mode": "lines"}
    if any(alone):
        marker = common["marker"] | {"size": np.insert(sizes, gaps, 0)}
        dots = {"mode": "lines+markers", "marker": marker}
    for gap in reversed(gaps):
        texts.insert(gap, "")
    line = go.Scatter(
        x=x, y=y, opacity=style.WITHIN, connectgaps=False, line={"color": style.OBSERVED, "width": 1.5},
        text=texts, hovertemplate="%{text}<extra></extra>", name=within, showlegend=not arrows.strong.all(),
        **common | dots,
    )  # fmt: skip
    if not arrows.strong.any():
        return [line]
    on_top = go.Scatter(
        x=x, y=strong, mode="lines+markers", line={"color": style.OBSERVED, "width": 3}, hoverinfo="skip",
        name=outside, connectgaps=False, **common,
    )  # fmt: skip
    return [line, on_top]
