"""What the arrows of triangle and tetrahedron share on the screen: their colours, keys and corners."""

from collections.abc import Sequence

import plotly.graph_objects as go

from calibcore.charts import style
from calibcore.charts.arrows import Arrows, widths_shown
from calibcore.charts.triangle import shares_at_corners
from calibcore.diagram.zoom import Zoom
from calibcore.numerics.types import Float
from calibcore.painters.screen import canvas


def hovers(arrows: Arrows) -> list[tuple[str, int]]:
    """(K, 2) what the hover of each says, and the number of its bin."""
    return [(canvas.hover(arrows.hover(b)), b) for b in arrows.bins.tolist()]


def grows(steps: Float) -> dict[str, Float]:
    """What a trace says of itself to whoever lets its arrows grow, a page or nobody: (points, d) how far each
    of its points comes on the way from what was said to what happened."""
    return {"grows": steps}


def key_traces(axes: str, arrows: Arrows, theme: str) -> list[go.Scatter | go.Scatter3d]:
    """What colours and widths say, those that are drawn, over the ``axes`` "xy" or "xyz".

    A key of its own, as arrows are in groups of one width.
    """
    marks = [
        ("markers", style.PREDICTED[theme], 1.0, "what the model said"),
        *(
            ("lines", color_of(strong, theme), 4.0, arrows.keys[0] if strong else arrows.keys[-1])
            for strong in (True, False)
            if (arrows.strong == strong).any() or len(arrows.keys) > 1
        ),
        *(("lines", style.CHANCE, width, canvas.hover([words])) for width, words in widths_shown(arrows)),
    ]
    trace = go.Scatter if axes == "xy" else go.Scatter3d
    return [
        trace(
            **{axis: [None] for axis in axes}, hoverinfo="skip", showlegend=True, name=words, mode=mode,
            marker={"color": color, "size": 8}, line={"color": color, "width": width},
        )
        for mode, color, width, words in marks
    ]  # fmt: skip


def color_of(strong: bool, theme: str) -> str:
    """Vermilion, what happened, where it stands out; else grey, what chance allows, mixed with the page.

    Arrows have no opacity of their own, and see-through solids draw badly.
    """
    return style.OBSERVED if strong else style.PALE_ARROW[theme]


def bold_names(names: Sequence[str], zoom: Zoom, widths: Sequence[int]) -> list[str]:
    """Names of the corners on the screen, each in lines of so many letters, at those of a part with their
    probability there."""
    return [
        f"<b>{canvas.corner_name(name, width)}</b> {share}".rstrip()
        for name, width, share in zip(names, widths, shares_at_corners(zoom), strict=True)
    ]
