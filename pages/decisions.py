"""Decide: what the probabilities are worth where one acts from a threshold on."""

from pages.ui import frame, next_steps, over_labels, show, state
from pages.ui.decisions import results, subjects
from pages.ui.settings import current

TITLE = "Decide"
HEADING = "What are the probabilities worth at a threshold?"
ICON = "balance"
GROUP = "Ask"
PLACE = 45
SIDEBAR = ("data", "lens", "unit")
MORE = ("region", "level", "redraws", "seed")

data, spec = state.loaded(), current()
frame.heading(HEADING)
if over_labels.all_together(data):
    subjects.choose_range(spec)
    over_labels.draw(data, lambda p: subjects.of_labels(p, data, spec))
elif not frame.no_tests(data):
    with show.above():
        two = subjects.choose(data, spec)
    if two:
        results.draw(data, spec)
        over_labels.draw(data, lambda p: subjects.of_labels(p, data, spec))
next_steps.row("decisions", data)
