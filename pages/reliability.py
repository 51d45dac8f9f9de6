"""Reliability: where the probabilities hold and where not, bin by bin."""

from pages.ui import frame, next_steps, state
from pages.ui.overview import classes
from pages.ui.reliability import other_bins, stage
from pages.ui.settings import current
from pages.ui.sidebar import looked_through

TITLE = "Reliability"
HEADING = "Where do the probabilities hold?"
ICON = "show_chart"
GROUP = "Look"
PLACE = 20
SIDEBAR = ("data", "lens", "bins")
MORE = ("region", "unit", "bars", "level", "redraws", "seed")
TOUR = "A cross outside its grey bar: there the model is off by more than chance allows."
TOUR_AT = "diagram"

data, spec = state.loaded(), current()
frame.heading(HEADING, looked_through.on_page("reliability", data))
stage.draw(data, spec)
other_bins.section(data, spec)
classes.fold(data, spec)
next_steps.row("reliability", data)
