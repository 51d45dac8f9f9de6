"""Recalibrate: what recalibration would do, how much better each way, whether a map may be believed."""

from calibcore import recalibrate
from pages.ui import frame, next_steps, over_labels, state
from pages.ui.improve import results
from pages.ui.settings import current
from pages.work import costs, studies

TITLE = "Recalibrate"
HEADING = "What would recalibration do?"
ICON = "build"
GROUP = "Ask"
PLACE = 42
SIDEBAR = ("data", "lens", "bins")
MORE = ("region", "unit", "tolerance", "level", "redraws", "seed")

data, spec = state.loaded(), current()
frame.heading(HEADING)
if not frame.no_tests(data):
    results.draw(data, spec)
    over_labels.draw(
        data,
        lambda p: studies.over_labels(
            recalibrate, p, spec, lambda n, asked: costs.seconds_of_recalibration(n, 2, 2, asked)
        ),
    )
next_steps.row("improve", data)
