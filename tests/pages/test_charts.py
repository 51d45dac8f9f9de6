"""A figure is sent so that plotly can tell the same data from others, and draws them once."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest

from calibcore.painters.screen import canvas
from pages.ui import show
from pages.ui.charts import dressed
from tests.pages.harness import opened

ROOT = Path(__file__).parents[2]


def sent(y: list[float], sizes: list[float]) -> dict[str, Any]:
    marks = go.Scatter(x=np.array([0.5, 1.0]), y=np.array(y), marker={"size": np.array(sizes)})
    whole = dressed(go.Figure(marks, {"xaxis": {"title": {"text": "x"}}}), "dark", chosen=True)
    found: dict[str, Any] = json.loads(plotly.io.to_json(whole, validate=False))
    return found


def test_the_same_data_have_one_revision_and_others_have_another() -> None:
    first = sent([1.0, float("nan")], [3.0, 4.0])
    assert first == sent([1.0, float("nan")], [3.0, 4.0])
    assert first["data"][0]["y"] == [1.0, None]  # numbers, which can be compared, in place of bytes
    assert first["data"][0]["marker"] == {"size": [3.0, 4.0], "line": {"width": 0}}
    others = [sent([1.0, 2.0], [3.0, 4.0]), sent([1.0, float("nan")], [3.0, 5.0])]
    revisions = {one["layout"]["datarevision"] for one in [first, *others]}
    assert len(revisions) == 3


def test_what_streamlit_would_add_is_there_from_the_start() -> None:
    layout = sent([1.0, 2.0], [3.0, 4.0])["layout"]
    assert "template" not in layout
    assert (layout["clickmode"], layout["hovermode"], layout["dragmode"]) == (
        "event+select",
        "closest",
        "pan",
    )
    assert layout["font"] == {"family": '"Source Sans", sans-serif', "size": 12, "color": "#E8EBEF"}
    axis = layout["xaxis"]
    assert axis == {"title": {"text": "x", "standoff": 20}, "showgrid": False, "range": axis["range"]}


def margin(layout: dict[str, Any], traces: int = 1) -> dict[str, float]:
    """Of a figure with these axes, drawn with so many traces."""
    base = canvas.layout(400) | {"xaxis": canvas.AXIS, "yaxis": canvas.AXIS}
    marks = [go.Scatter(x=[0.5, 1.0], y=[1.0, 2.0])] * traces
    found: dict[str, float] = dressed(go.Figure(marks, base | layout), "light").to_dict()["layout"]["margin"]
    return found


def test_there_is_room_for_numbers_words_and_a_key_from_the_start() -> None:
    plain = margin({})
    assert plain == {"l": 48, "r": 18, "t": 28, "b": 34, "pad": 8}
    words = margin({"xaxis": canvas.AXIS | {"title": {"text": "Threshold", "standoff": 6}}})
    assert words == plain | {"b": 34 + 14 + 6}
    key = margin({}, traces=2)
    # It hangs below the plot by 0.16 of the plot's height, which is what the margins leave.
    assert key["b"] - 0.16 * (400 - 28 - key["b"]) == pytest.approx(42, abs=1.2)
    assert margin({"showlegend": False}, traces=2) == plain
    assert margin({"margin": {"l": 60, "r": 90, "t": 5, "b": 100}}) == plain | {
        "l": 60, "r": 90, "t": 5, "b": 100
    }  # fmt: skip


def test_long_names_beside_an_axis_have_their_room_and_marks_of_text_have_none() -> None:
    def room(*names: str) -> float:
        return margin({"yaxis": canvas.AXIS | {"tickvals": [1, 2], "ticktext": list(names)}})["l"]

    assert room("a", "b") == 48
    assert room("a", 30 * "n") == 16 + 165
    assert room("a", f"{30 * 'n'}<br><i>p = 0.005</i>") == room("a", 30 * "n")
    assert room("a", 30 * "&lt;") == room("a", 30 * "n")


def test_axes_that_show_no_numbers_or_know_their_room_are_left_alone() -> None:
    for left in ({"automargin": False}, {"visible": False}, {"showticklabels": False}):
        axis = canvas.AXIS | left
        assert margin({"xaxis": axis, "yaxis": axis}) == {"l": 8, "r": 14, "t": 28, "b": 8, "pad": 8}


def test_a_stage_is_drawn_as_tall_as_the_style_sheet_has_it() -> None:
    """In a tall window. Else a browser draws it as plotly would have it, and again once it has measured."""
    style = (ROOT / "assets" / "style.css").read_text(encoding="utf-8")
    stage = re.findall(r"height: clamp\(420px, 100vh - 246px, (\d+)px\)", style)
    assert stage == [str(show.STAGE), str(show.STAGE_OF_THREE)]
    for page, pixels in (("reliability", show.STAGE), ("simplex", show.STAGE_OF_THREE)):
        (chart,) = opened(page, in_use="wine").get("plotly_chart")
        assert json.loads(chart.proto.spec)["layout"]["height"] == pixels
