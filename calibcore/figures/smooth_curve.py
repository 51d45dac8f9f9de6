"""Two classes without bins: the smoothed deviation over predictions, and where a calibrated model has it."""

from typing import Any

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.probability_axis import ProbabilityAxis
from calibcore.charts.smooth_curve import band_name, names, shares_of, strong_line
from calibcore.figures import canvas, marks
from calibcore.figures.reliability import two_panels
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.wording import plural
from calibcore.words.smooth import hover


def smooth_curve_figure(found: SmoothArrows, noun: str = "case", theme: str = "light") -> go.Figure:
    """The curve over its band, strong where it leaves it; below, how predictions are spread.

    Raises
    ------
    InputError : more than two classes.
    """
    noun = style.short(noun)
    x, (low, high) = found.predicted[:, 0], found.chance
    region = marks.band(x, 100 * low, 100 * high, band_name(found), edge=6 if len(x) == 1 else 0)
    shares = shares_of(found)
    spread = go.Bar(
        x=shares.x, y=shares.shares, width=shares.width,
        marker={"color": style.PREDICTED[theme], "line": {"width": 0}},
        text=[canvas.hover([words]) for words in shares.words],
        textposition="none", hovertemplate=f"%{{text}} of the {canvas.hover([plural(noun)])}<extra></extra>",
        name="predicted", showlegend=False, xaxis="x2", yaxis="y2",
    )  # fmt: skip
    return go.Figure([region, *_line(found, noun), spread], two_panels(noun, ProbabilityAxis()))


def _line(found: SmoothArrows, noun: str) -> list[go.Scatter]:
    """Pale all along, strong on top where chance does not allow it; places alone are dots."""
    outside, within = names(found)
    common: dict[str, Any] = {"xaxis": "x", "yaxis": "y", "marker": {"color": style.OBSERVED, "size": 6}}
    texts = [canvas.hover(hover(found, j, noun)) for j in range(len(found.predicted))]
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
