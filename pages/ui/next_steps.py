"""From every verdict one click to the next sensible question: one row of buttons for all pages."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from calibcore.assessment.verdict import Verdict
from calibcore.data.times import may_be_dates
from calibcore.transforms.lenses import Lens
from calibcore.words.verdicts import is_slight
from pages.server import page_list
from pages.ui import nav, settings, state
from pages.work.costs import classes_through


@dataclass(frozen=True)
class Step:
    """A question, and the page that answers it."""

    words: str
    page: str


WHERE, WHERE_MANY = Step("Where is it off?", "reliability"), Step("Where is it off?", "simplex")
CHANCE = Step("Could it be chance?", "tests")
MEND = Step("Would recalibration help?", "improve")
WHOM = Step("For whom?", "groups")
WORTH = Step("Is it worth acting on?", "decisions")
WHEN = Step("Since when?", "monitor")
OTHER = Step("Is another model better?", "compare")
MATCH = Step("Check labels and columns", "data")
ANEW = Step("Load other cases", "data")


def advised(overall: Verdict, mixed_up: bool, data: state.Loaded) -> Step:
    """The one step that the verdict and the data call for.

    mixed_up : labels and columns probably do not belong together
    """
    if mixed_up:
        return MATCH
    if overall.answer == "miscalibrated":
        return WORTH if is_slight(overall) else MEND
    questions = _steps(data, overall.lens)
    return next(step for step in (WHOM, WHEN, WORTH) if step in questions)


WHY = {
    MATCH: "Labels and columns may not belong together. Until that is clear, believe no number here.",
    MEND: "Do not take the percentages at face value. Recalibration often mends them.",
    WHOM: "On the whole the percentages may be used. In a group they may still be off.",
    WHEN: "The percentages may be used now. Whether they stay so, dates can show.",
    WORTH: "See whether an error of this size changes any decision.",
}
"""Step -> why it comes next."""


def row(
    here: str,
    data: state.Loaded,
    lens: Lens | None = None,
    recommended: Step | Literal["first"] | None = "first",
    look: Callable[[], object] | None = None,
) -> None:
    """The questions that these data can answer, but for that of the page ``here``; one is recommended.

    lens : the one that the pages then look through; that in use if left out
    look : chooses what they then look at, in place of the lens
    recommended : it stands first, filled; None: something else on the page is
    """
    lens = lens or settings.current().lens
    steps = [step for step in _steps(data, lens) if step.page != here]
    chosen = look or partial(settings.set_lens, lens)
    first = steps[0] if recommended == "first" else recommended
    with st.container(horizontal=True, gap="small", key=f"next-from-{here or 'overview'}"):
        if first is not None:
            if first in WHY and recommended != "first":
                st.markdown(WHY[first], width="stretch")
            _button(first, chosen, "primary")
        for step in steps:
            if step != first:
                _button(step, chosen, "tertiary")


def _button(step: Step, look: Callable[[], object], kind: Literal["primary", "tertiary"]) -> None:
    icon = f":material/{page_list.page(step.page).icon}:"
    if st.button(step.words, icon=icon, key=f"next-{step.page}", type=kind):
        look()
        st.switch_page(nav.page(step.page))


def _steps(data: state.Loaded, lens: Lens) -> list[Step]:
    """In the order in which people ask; none that lacks a column which it needs. Where nothing can be tested,
    other cases come next."""
    p, unit = data.predictions, settings.current().unit
    columns = {name: values for name, values in p.metadata.items() if name != unit}
    where = WHERE_MANY if classes_through(lens, p) in (3, 4) else WHERE
    if p.untested and (p.case_of is None or p.weights is not None):
        return [ANEW, where, OTHER]
    steps = [where, CHANCE, MEND]
    if columns:
        steps.append(WHOM)
    steps.append(WORTH)
    if any(may_be_dates(values) for values in columns.values()):
        steps.append(WHEN)
    return [*steps, OTHER]
