"""Time: is the model still calibrated, and if not since when; next month's file goes on from here."""

from pages.ui import both_classes, frame, next_steps, over_labels, show, state
from pages.ui.monitor import continuing, order, results
from pages.ui.settings import current

TITLE = "Time"
HEADING = "Is it still calibrated?"
ICON = "timeline"
GROUP = "Ask"
PLACE = 44
SIDEBAR = ("data", "lens", "unit")
MORE = ("region",)

continuing.read_waiting()
data, spec = state.loaded(), current()
frame.heading(HEADING)
together = over_labels.all_together(data)
if together or not frame.no_tests(data):
    with show.above():
        continuing.problem_note()
        ordered = order.choose(data)
    if ordered:
        if not together:
            results.draw(data, spec)
        over_labels.draw(data, lambda p: results.of_labels(p, data, spec))
    elif not together:
        continuing.draw(None, data)
    both_classes.offer(data, spec)
next_steps.row("monitor", data)
