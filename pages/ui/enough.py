"""How many cases would tell: the one number of Overview, Decisions and the report, planned when asked for."""

from dataclasses import replace
from functools import partial

import streamlit as st

from calibcore import Plan
from calibcore.figures.enough import enough_figure
from calibcore.wording import in_noun
from calibcore.words import planning
from pages.ui import progress, saving, settings, show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work import studies

WORKING = "Planning how many cases would tell"


def study(data: Loaded) -> studies.Study[Plan]:
    """Of the survey of the data in use, whatever the lens in use: the same on every page."""
    lenses = settings.family()
    spec, _ = settings.surveyed(lenses)
    return studies.planned(data.predictions, replace(spec, tolerance=settings.current().tolerance), lenses)


def asked(data: Loaded) -> None:
    """A button that plans; the number with its figure once it is there."""
    with st.container(key="enough-cases", gap="small"):
        progress.show(
            study(data).begun(),
            WORKING,
            partial(_drawn, data=data),
            start=in_noun(planning.ENOUGH, plain(data.noun)),
        )


def folded(data: Loaded) -> None:
    """The same, folded where it is not the first question."""
    show.fold(in_noun(planning.ENOUGH, plain(data.noun)), "fold-enough", partial(asked, data))


def _drawn(plan: Plan, data: Loaded) -> None:
    first, *more = (in_noun(words, data.noun) for words in planning.plan_sentences(plan))
    st.markdown(f"**{plain(first)}**", help=glossary("plan"))
    show.figure(
        enough_figure(plan, show.theme(), data.noun),
        key="enough",
        says=" ".join(more),
        reading="enough",
        rows=partial(planning.plan_rows, plan, data.noun),
        printed=saving.on_paper("enough_print", plan, data.noun),
    )
    method = f"{planning.method_sentence(plan)} {planning.OTHER_ERRORS}"
    st.caption(plain(in_noun(method, data.noun)))
