"""Training: calibration over the epochs of a training run."""

from pages.ui import next_steps, settings, state
from pages.ui.training import results, runs

TITLE = "Training"
HEADING = "How does calibration change while a model learns?"
ICON = "model_training"
GROUP = "Ask"
PLACE = 46
SIDEBAR = ("lens", "bins")
MORE = ("region", "distance", "kernel", "level", "redraws", "seed")

runs.read_waiting()
run = runs.current()
spec = settings.for_other(run.first)
runs.heading(HEADING, run, spec)
runs.choose()
runs.not_of_group(state.in_use())
results.draw(run, spec)
if (data := state.in_use()) is not None:
    next_steps.row("training", data)
