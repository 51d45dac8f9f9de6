"""Groups: is the model calibrated in every group of its cases, and where is it off most."""

from pages.ui import both_classes, frame, next_steps, over_labels, show, state
from pages.ui.groups import columns, results
from pages.ui.settings import current

TITLE = "Groups"
HEADING = "Is it calibrated in every group?"
ICON = "groups"
GROUP = "Ask"
PLACE = 43
SIDEBAR = ("data", "lens", "bins", "tolerance", "unit")
MORE = ("region", "bars", "kernel", "level", "redraws", "seed")

data, spec = state.loaded(), current()
frame.heading(HEADING)
together = over_labels.all_together(data)
if together or not frame.no_tests(data):
    with show.above():
        both_classes.offer(data, spec)
        chosen = columns.choose(data, spec)
    if chosen:
        if not together:
            results.draw(data, spec, chosen)
        over_labels.draw(data, lambda p: results.of_labels(p, data, spec, chosen))
next_steps.row("groups", data)
