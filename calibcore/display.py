"""Results that show themselves in a notebook, as a figure and as a table of pandas.

Results stand below the sentences and the figures about them, so they cannot call those. What shows each type
is told to :func:`show_by` from above, by ``calibcore`` itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class View:
    """How a type is shown: ``html(result)``, ``data(result)`` for a frame of pandas and, where there is one,
    ``figure(result, theme)``."""

    html: Callable[[Any], str]
    data: Callable[[Any], Any]
    figure: Callable[..., Any] | None = None


_views: Callable[[], Mapping[type, View]]


def show_by(views: Callable[[], Mapping[type, View]]) -> None:
    """``views()`` has the view of every type; it is called when one is shown first."""
    global _views
    _views = views


class Displayed:
    """What shows itself."""

    def _repr_html_(self) -> str:
        """HTML for a notebook: it stands alone, fetches nothing, runs no script, and is light or dark."""
        return _views()[type(self)].html(self)

    def to_frame(self) -> "pd.DataFrame":
        """The numbers in full precision, as a pandas DataFrame."""
        import pandas as pd  # loaded when a frame is wanted

        return pd.DataFrame(_views()[type(self)].data(self))


class WithFigure(Displayed):
    """What also has a figure."""

    def figure(self, theme: str = "light") -> Any:
        """The figure as a ``plotly.graph_objects.Figure``; ``theme`` is "light" or "dark".

        Raises
        ------
        MissingExtra : plotly is not installed; the extra ``caliblens[figures]`` brings it.
        """
        draw = _views()[type(self)].figure
        assert draw is not None, "a type that is drawn has a figure"
        return draw(self, theme)
