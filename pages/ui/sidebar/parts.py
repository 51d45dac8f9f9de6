"""The parts of the side bar, of which each page names those that it needs."""

from collections.abc import Callable

from pages.ui.sidebar import controls, data_choice

PARTS: dict[str, Callable[[], None]] = {"data": data_choice.draw, "settings": controls.draw}
"""Name -> what draws the part; it shows what fits the data in use, and nothing where none is."""
