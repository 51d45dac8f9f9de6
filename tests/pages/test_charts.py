"""A figure is sent so that plotly can tell the same data from others, and draws them once."""

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io

from pages.ui.charts import dressed


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
    assert layout["xaxis"] == {"title": {"text": "x", "standoff": 20}, "showgrid": False}
