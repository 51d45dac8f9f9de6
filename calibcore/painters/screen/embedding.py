"""Figures as text for a page that stands alone: the library once, each figure as its JSON."""

import json
from functools import cache
from typing import Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from calibcore.charts.style import TEXT
from calibcore.painters.screen import axis_ends, canvas


@cache
def script() -> str:
    """plotly.js, 4.7 MB of it: it stands between script tags, so no end of a script is in it."""
    source: str = get_plotlyjs()
    return source.replace("</script", "<\\/script")


def figure_json(figure: go.Figure, theme: str) -> str:
    """Data and layout of a figure in one line, with the ends of its axes; without the template of plotly,
    which ours never uses."""
    figure.layout.font.color = TEXT[theme]
    document: dict[str, Any] = json.loads(figure.to_json())
    document["layout"].pop("template", None)
    axis_ends.with_ends(document["layout"], [canvas.listed(trace.to_plotly_json()) for trace in figure.data])
    return json.dumps(document, ensure_ascii=False)


CONFIG_JSON = json.dumps(canvas.CONFIG)
