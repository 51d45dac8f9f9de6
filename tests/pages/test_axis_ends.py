"""Every axis of a figure has its ends from the start, and what is drawn lies between them."""

import json
from typing import Any

import plotly.graph_objects as go
import plotly.io
import pytest

from pages.ui.charts import dressed

LINE = {"x0": 1, "x1": 2, "y0": -1, "y1": -1}


def ends(figure: go.Figure, name: str) -> list[Any]:
    layout = json.loads(plotly.io.to_json(dressed(figure, "light"), validate=False))["layout"]
    low, high = layout[name]["range"]
    return [low, high]


def on(*traces: Any, **layout: Any) -> go.Figure:
    return go.Figure([*traces], {"xaxis": {}, "yaxis": {}} | layout)


@pytest.mark.parametrize(
    ("figure", "name", "low", "high"),
    [
        (on(go.Scatter(x=[1, 3, None], y=[-20, 30, None])), "xaxis", 0.88, 3.12),
        (on(go.Scatter(x=[1, 3], y=[-20, 30])), "yaxis", -23, 33),
        (on(go.Scatter(x=[1, 3], y=[0, 50])), "yaxis", 0, 53),  # a share stands on its axis
        (on(go.Scatter(x=[1], y=[7])), "yaxis", 6.5, 7.5),
        (on(go.Scatter(x=[1, 2], y=[20, 50]), yaxis={"rangemode": "tozero"}), "yaxis", 0, 53),
        (on(go.Scatter(x=[1, 2], y=[0, 1], error_y={"array": [1, 9]})), "yaxis", -9.08, 11.08),
        (on(go.Bar(x=[1, 2], y=[4, 5])), "yaxis", 0, 5.3),
        (on(go.Bar(x=[1, 2], y=[40, 5], base=[-20, 0])), "yaxis", -22.4, 22.4),
        (on(go.Bar(x=[1, 2], y=[4, 5], width=[1, 2])), "xaxis", 0.35, 3.15),
        (on(go.Bar(x=[4, 5], y=[1, 2], orientation="h")), "xaxis", 0, 5.3),
        (on(go.Scatter(x=[1, 2], y=[0, 1]), shapes=[LINE]), "yaxis", -1.12, 1.12),
        (on(go.Scatter(x=[1, 2], y=[1, 100]), yaxis={"type": "log"}), "yaxis", -0.12, 2.12),
        (on(go.Bar(x=["a", "b"], y=[1, 2]), xaxis={"type": "category"}), "xaxis", -0.5, 1.5),
        (on(go.Scatter(x=[None], y=[None])), "yaxis", 0, 1),
    ],
)  # fmt: skip
def test_ends_leave_room_for_all_that_is_drawn(figure: go.Figure, name: str, low: float, high: float) -> None:
    assert ends(figure, name) == pytest.approx([low, high])


def test_days_have_ends_that_are_days() -> None:
    low, high = ends(on(go.Scatter(x=["2026-01-01", "2026-03-02"], y=[1, 2])), "xaxis")
    assert low.startswith("2025-12-28")
    assert high.startswith("2026-03-05")


def test_ends_that_are_given_stay_and_an_axis_that_follows_another_has_none() -> None:
    given = on(go.Scatter(x=[1, 2], y=[1, 2]), yaxis={"range": [5, 0]}, xaxis2={"matches": "x"})
    assert ends(given, "yaxis") == [5, 0]
    layout = json.loads(plotly.io.to_json(dressed(given, "light"), validate=False))["layout"]
    assert "range" not in layout["xaxis2"]
