"""From every verdict one click to the next sensible question: one row of buttons for all pages."""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from calibcore.data.times import may_be_dates
from calibcore.transforms.lenses import Lens
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


def row(here: str, data: state.Loaded, lens: Lens | None = None, may_be_off: bool = True) -> None:
    """The questions that these data can answer, but for that of the page ``here``; the first is recommended.

    lens : the one that the pages then look through; that in use if left out
    may_be_off : whether anything may be off; else where it is off is asked last
    """
    lens = lens or settings.current().lens
    with st.container(horizontal=True, gap="small", key=f"next-from-{here or 'overview'}"):
        first, *rest = _steps(data, lens)
        steps = [step for step in ((first, *rest) if may_be_off else (*rest, first)) if step.page != here]
        for step in steps:
            icon = f":material/{page_list.page(step.page).icon}:"
            kind: Literal["primary", "secondary"] = "primary" if step is steps[0] else "secondary"
            if st.button(step.words, icon=icon, key=f"next-{step.page}", type=kind):
                settings.set_lens(lens)
                st.switch_page(nav.page(step.page))


def _steps(data: state.Loaded, lens: Lens) -> list[Step]:
    """In the order in which people ask; none that lacks a column which it needs."""
    p, unit = data.predictions, settings.current().unit
    columns = {name: values for name, values in p.metadata.items() if name != unit}
    steps = [WHERE_MANY if classes_through(lens, p) in (3, 4) else WHERE, CHANCE]
    if p.untested:
        return [*steps, OTHER]
    steps.append(MEND)
    if columns:
        steps.append(WHOM)
    steps.append(WORTH)
    if any(may_be_dates(values) for values in columns.values()):
        steps.append(WHEN)
    return [*steps, OTHER]
