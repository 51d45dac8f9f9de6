"""Compare: which of several models is better calibrated on the same cases, and what differs in each pair."""

import streamlit as st

from calibcore.questions.compare.words import no_comparison
from pages.ui import frame, next_steps, over_labels, show, state
from pages.ui.compare import adding, candidates, results, side_by_side
from pages.ui.settings import current
from pages.work import studies

TITLE = "Compare"
HEADING = "Which model is better calibrated?"
ICON = "compare_arrows"
GROUP = "Ask"
PLACE = 41
SIDEBAR = ("data", "lens", "bins", "tolerance")
MORE = ("region", "unit", "kernel", "level", "redraws", "seed")

data, spec = state.loaded(), current()
frame.heading(HEADING)
if data.predictions.untested:
    st.info(show.plain(no_comparison(data.predictions, data.noun)), icon=":material/balance:")
    frame.ways_on(data)
    side_by_side.of_models_and_lenses(data, spec)
    next_steps.row("compare", data)
    st.stop()
adding.read_waiting(data)
offered = candidates.other_models(data)
adding.draw(data, large=not offered.same or not data.uploaded)
with show.above():
    adding.unread_files(data)
    rest = adding.not_used(offered.rest)
if offered.same:
    chosen = candidates.choose(offered, data)
    results.draw(chosen, data, spec)
    of_labels = {model.title: model.labels for model in chosen if model.labels is not None}
    if len(of_labels) == len(chosen) > 1:
        over_labels.draw(data, lambda _: studies.compared_labels(of_labels, spec))
else:
    candidates.none(data)
candidates.left_out(rest)
side_by_side.of_lenses(data, spec)
next_steps.row("compare", data)
