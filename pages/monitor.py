"""Time: is the model still calibrated, and if not since when; next month's file goes on from here."""

from calibcore import monitor
from pages.ui import both_classes, dates, frame, next_steps, over_labels, show, state
from pages.ui.monitor import continuing, order, results
from pages.ui.settings import current
from pages.work import costs, studies

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
if not frame.no_tests(data):
    with show.above():
        continuing.problem_note()
        ordered = order.choose(data)
    if ordered:
        results.draw(data, spec)
        column = order.column(data)
        over_labels.draw(
            data,
            lambda p: studies.over_labels(
                monitor,
                p,
                spec,
                lambda n, _: costs.seconds_of_monitoring(n, 2),
                () if column is None else (column,),
                time=column,
                dates=dates.order(data),
            ),
        )
    else:
        continuing.draw(None, data)
    both_classes.offer(data, spec)
next_steps.row("monitor", data)
