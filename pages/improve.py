"""Recalibrate: what recalibration would do, how much better each way, whether a map is itself off."""

from pages.ui import frame, next_steps, over_labels, state
from pages.ui.improve import results
from pages.ui.settings import current

TITLE = "Recalibrate"
HEADING = "What would recalibration do?"
ICON = "build"
GROUP = "Ask"
PLACE = 42
SIDEBAR = ("data", "lens", "bins")
MORE = ("region", "unit", "tolerance", "level", "redraws", "seed")

data, spec = state.loaded(), current()
frame.heading(HEADING)
together = over_labels.all_together(data)
if together or not frame.no_tests(data):
    if not together:
        results.draw(data, spec)
    over_labels.draw(data, lambda p: results.of_labels(p, spec))
next_steps.row("improve", data)
