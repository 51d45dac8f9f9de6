"""The parts of the side bar, of which each page names those that matter there."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from pages.server.page_list import Page
from pages.ui import frame, settings, state
from pages.ui.show import fold, plain
from pages.ui.sidebar import (
    bin_controls,
    data_choice,
    kernel_controls,
    lens_controls,
    looked_through,
    tests_controls,
)

DATA = "data"
"""The part that says which predictions are in use."""
SETTINGS: dict[str, Callable[[DiagnosisSpec, Predictions], None]] = {
    "lens": lens_controls.lens,
    "region": lens_controls.region,
    "bins": bin_controls.bins,
    "tolerance": bin_controls.tolerance,
    "unit": bin_controls.unit,
    "bars": bin_controls.bars,
    "distance": bin_controls.distance,
    "bin adjustment": tests_controls.bin_adjustment,
    "kernel": kernel_controls.kernel,
    "bandwidth": kernel_controls.bandwidth,
    "tests": tests_controls.tests,
    "level": tests_controls.level,
    "adjustment": tests_controls.adjustment,
    "redraws": tests_controls.redraws,
    "stopping": tests_controls.stopping,
    "null": tests_controls.null,
    "estimates": tests_controls.estimates,
    "bootstrap": tests_controls.bootstrap,
    "blocks": tests_controls.blocks,
    "locations": tests_controls.locations,
    "shuffling": tests_controls.shuffling,
    "precision": tests_controls.precision,
    "seed": tests_controls.seed,
}
"""Name -> what draws the part: the controls of one or of a few settings."""
PARTS = (DATA, *SETTINGS)
MOST_IN_A_FOLD = 6
OTHERS, OF_TESTS, OF_ESTIMATES = "More settings", "How it is tested", "Estimates, and which rows"
FOLDS = {OTHERS: "fold-more", OF_TESTS: "fold-more-tests", OF_ESTIMATES: "fold-more-estimates"}
"""Title of a fold -> its key."""
ABOUT = {
    **dict.fromkeys(("level", "adjustment", "null", "redraws", "stopping", "seed"), OF_TESTS),
    **dict.fromkeys(
        ("estimates", "bootstrap", "blocks", "locations", "shuffling", "precision"), OF_ESTIMATES
    ),
}
"""Part -> the fold that has it where one does not hold all."""


def draw(page: Page) -> None:
    """What matters on the page, in its order; of that, what matters rarely in a fold. Without data in use
    only the choice of data."""
    data = state.in_use()
    if DATA in page.sidebar:
        data_choice.draw()
    shown = [name for name in page.sidebar if name != DATA]
    if data is None or not (shown or page.more):
        return
    looked_through.arrive(page.name)
    if "lens" in shown:
        _looked_at(data, looked_through.here())
    _controls(shown)
    for title, key, names in folds(page):
        fold(title, key, partial(_controls, names))
    _way_back()


def folds(page: Page) -> list[tuple[str, str, tuple[str, ...]]]:
    """What matters rarely on a page, by title and key: where that is much, by what it is about."""
    if len(page.more) <= MOST_IN_A_FOLD:
        return [("More settings", "fold-more", page.more)] if page.more else []
    about = {
        title: tuple(name for name in page.more if (ABOUT.get(name) or OTHERS) == title)
        for title in (OTHERS, OF_TESTS, OF_ESTIMATES)
    }
    return [(title, FOLDS[title], names) for title, names in about.items() if names]


def _controls(names: Sequence[str]) -> None:
    spec, p = looked_through.here(), state.predictions()
    for name in names:
        SETTINGS[name](spec, p)


def _looked_at(data: state.Loaded, spec: DiagnosisSpec) -> None:
    """In a sentence, where it is chosen below."""
    st.markdown(f"**You look at** {plain(frame.looks_at(data, spec))}.")
    if settings.gave_way():
        st.caption("The lens chosen before does not fit these data. It comes back with the data it fits.")


def _way_back() -> None:
    """Undo and reset, where there is something to take back; below the controls, which they would move."""
    with st.container(horizontal=True):
        if settings.can_undo():
            st.button(
                "Undo", icon=":material/undo:", on_click=settings.undo,
                help="Takes back the last thing that you changed.",
            )  # fmt: skip
        if settings.can_reset():
            st.button(
                "Reset", icon=":material/restart_alt:", on_click=settings.reset,
                help="All settings as at the start. Undo brings them back.",
            )  # fmt: skip
