"""Figures by the name of what draws them: plotly and matplotlib, which take long to load, are loaded then."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibcore.painters.paper import Figure


def on_screen(name: str, *given: object, **options: object) -> "Callable[[str], Any]":
    """Theme -> the figure of calibcore.painters.screen that, say, "forest.groups_figure" makes of these."""
    module, _, draw = name.partition(".")

    def figure(theme: str) -> Any:
        return getattr(import_module(f"calibcore.painters.screen.{module}"), draw)(
            *given, **options, theme=theme
        )

    return figure


def on_paper(name: str, *given: object, **options: object) -> "Callable[[float], Figure]":
    """Millimetres of width -> the figure that a function of calibcore.painters.paper makes of these."""

    def printed(width: float) -> "Figure":
        from calibcore.painters import paper

        figure: Figure = getattr(paper, name)(*given, **options, width=width)
        return figure

    return printed


def inline(name: str, *given: object, **options: object) -> str:
    """The SVG that a function of calibcore.painters.inline makes of these."""
    svg: str = getattr(import_module("calibcore.painters.inline"), name)(*given, **options)
    return svg
