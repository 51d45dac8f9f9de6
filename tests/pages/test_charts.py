"""A figure is sent so that plotly can tell the same data from others, and draws them once."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest

from calibcore import DiagnosisSpec
from calibcore.data.examples import load_example
from calibcore.diagnose import reliability_for
from calibcore.painters.screen import canvas
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.transforms.lenses import CanonicalLens
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


def test_what_is_not_chosen_stays_as_it_is() -> None:
    colours, shares = "#D55E00", np.array([1.0, 0.7])
    marks = [
        go.Scatter(x=[1, 2], y=[1, 2], opacity=0.7, marker={"color": colours}),
        go.Scatter(x=[1, 2], y=[1, 2], marker={"opacity": 0.5}),
        go.Scatter(
            x=[1, 2], y=[1, 2], marker={"opacity": shares, "color": colours, "line": {"color": colours}}
        ),
        go.Scatter(x=[1, 2], y=[1, 2], mode="text", textfont={"color": "#5F6873"}),
        go.Bar(x=[1, 2], y=[1, 2]),
    ]
    whole, half, each, words, bars = dressed(go.Figure(marks), "light", chosen=True).to_dict()["data"]
    seen = [trace["unselected"]["marker"]["opacity"] for trace in (whole, half, each, bars)]
    assert seen == [1, 0.5, 1, 1]
    assert each["marker"]["opacity"] == 1
    assert each["marker"]["color"] == each["marker"]["line"]["color"]
    assert each["marker"]["color"] == ["rgba(213, 94, 0, 1)", "rgba(213, 94, 0, 0.7)"]
    assert words["unselected"]["textfont"] == {"color": "#5F6873"}
    assert not any("unselected" in trace for trace in dressed(go.Figure(marks), "light").to_dict()["data"])


@pytest.mark.parametrize("classical", [False, True])
def test_a_chosen_cross_has_a_ring_and_the_others_their_strength(classical: bool) -> None:
    few, many = load_example("breast-cancer"), load_example("wine")
    for p in (few, many):
        numbers = reliability_for(p, DiagnosisSpec(lens=CanonicalLens()))
        own = [int(numbers.counts.argmax())]
        how = {"classical": classical, "theme": "dark"}
        plain, ringed = (
            dressed(reliability_figure(numbers, **how, chosen=chosen), "dark", chosen=True).to_dict()["data"]
            for chosen in ([], own)
        )
        rings = [trace for trace in ringed if trace.get("name") == "chosen"]
        assert [len(ring["x"]) for ring in rings] == [1]
        crosses = [(x, y) for trace in plain for x, y in zip(trace["x"], trace["y"], strict=True)]
        assert (rings[0]["x"][0], rings[0]["y"][0]) in crosses
        assert [trace for trace in ringed if trace not in rings] == plain
        for trace in plain:
            if "marker" in trace:
                assert trace["unselected"]["marker"]["opacity"] == trace["marker"].get("opacity", 1)


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
