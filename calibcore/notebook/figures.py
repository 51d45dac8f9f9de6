"""Figures and frames of results in a notebook: plotly and pandas are loaded when one is wanted."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from calibcore.drawing import on_screen
from calibcore.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

THEMES = ("light", "dark")
NO_PLOTLY = "Figures need plotly, which is not installed. Install it by: pip install 'caliblens[app]'."


def frame_of(rows: Callable[[Any], Sequence[Mapping[str, object]]]) -> Callable[[Any], "pd.DataFrame"]:
    """What makes a pandas frame of the rows that ``rows`` gives for a result."""

    def frame(result: Any) -> "pd.DataFrame":
        import pandas as pd

        return pd.DataFrame(rows(result))

    return frame


def figure_of(name: str) -> Callable[[Any, str], Any]:
    """What draws a result: a function of calibcore.figures by its name, with text of the theme.

    It says what is missing, and refuses another theme.
    """

    def drawn(result: Any, theme: str) -> Any:
        if theme not in THEMES:
            raise InputError(f"There is no theme {theme!r}; expected light or dark.")
        try:
            from calibcore.figures import style

            figure = on_screen(name, result)(theme)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "plotly":
                raise
            raise ImportError(NO_PLOTLY) from error
        figure.layout.font.color = style.TEXT[theme]
        return figure

    return drawn
