"""How many cases would tell: the one number of Overview, Decisions and the report, planned when asked for."""

from dataclasses import replace
from functools import partial

import streamlit as st

from calibcore import Plan
from calibcore.answers.blocks import Chart, Methods
from calibcore.questions.plan import says as plan
from calibcore.questions.plan import words as planning
from calibcore.wording import in_noun
from pages.ui import answered, progress, settings, show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work import studies

WORKING = "Planning how many cases would tell"


def study(data: Loaded) -> studies.Study[Plan]:
    """Of the survey of the data in use, whatever the lens in use: the same on every page."""
    lenses = settings.family()
    spec, _ = settings.surveyed(lenses)
    return studies.planned(data.predictions, replace(spec, tolerance=settings.current().tolerance), lenses)


def asked(data: Loaded, recommended: bool = False) -> None:
    """A button that plans, filled where ``recommended``; the number with its figure once it is there."""
    with st.container(key="enough-cases", gap="small"):
        progress.show(
            study(data).begun(),
            WORKING,
            partial(_drawn, data=data),
            start=in_noun(planning.ENOUGH, plain(data.noun)),
            recommended=recommended,
        )


def folded(data: Loaded) -> None:
    """The same, folded where it is not the first question."""
    show.fold(in_noun(planning.ENOUGH, plain(data.noun)), "fold-enough", partial(asked, data))


def _drawn(result: Plan, data: Loaded) -> None:
    answer = plan.QUESTION.answer(result, data.noun)
    (chart,), (methods,) = answer.each(Chart), answer.each(Methods)
    st.markdown(f"**{plain(answer.headline)}**", help=glossary("plan"))
    answered.figure(chart)
    st.caption(plain(" ".join(methods.lines)))
