"""Figures as text for a page that stands alone: the library once, each figure as its JSON."""

import json
from functools import cache
from typing import Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from calibcore.charts.style import TEXT
from calibcore.painters.screen.canvas import CONFIG


@cache
def script() -> str:
    """plotly.js, 4.7 MB of it: it stands between script tags, so no end of a script is in it."""
    source: str = get_plotlyjs()
    return source.replace("</script", "<\\/script")


def figure_json(figure: go.Figure, theme: str) -> str:
    """Data and layout of a figure in one line; without the template of plotly, which ours never uses."""
    figure.layout.font.color = TEXT[theme]
    document: dict[str, Any] = json.loads(figure.to_json())
    document["layout"].pop("template", None)
    return json.dumps(document, ensure_ascii=False)


CONFIG_JSON = json.dumps(CONFIG)
