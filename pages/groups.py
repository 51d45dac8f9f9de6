"""Groups: is the model calibrated in every group of its cases, and where is it off most."""

from calibcore import survey_groups
from pages.ui import both_classes, dates, frame, next_steps, over_labels, show, state
from pages.ui.groups import columns, results
from pages.ui.settings import current
from pages.work import costs, studies

TITLE = "Groups"
HEADING = "Is it calibrated in every group?"
ICON = "groups"
GROUP = "Ask"
PLACE = 43
SIDEBAR = ("data", "lens", "bins", "tolerance", "unit")
MORE = ("region", "bars", "kernel", "level", "redraws", "seed")

data, spec = state.loaded(), current()
frame.heading(HEADING)
if not frame.no_tests(data):
    with show.above():
        both_classes.offer(data, spec)
        chosen = columns.choose(data, spec)
    if chosen:
        results.draw(data, spec, chosen)
        over_labels.draw(
            data,
            lambda p: studies.over_labels(
                survey_groups,
                p,
                spec,
                lambda n, asked: costs.seconds_of_groups(n, 2, len(chosen), asked),
                chosen,
                by=list(chosen),
                dates=dates.order(data),
            ),
        )
next_steps.row("groups", data)
