"""The answer: the verdict in words, the one step that is recommended, and the figure that carries it."""

from typing import Any

import streamlit as st

from calibcore.answers.diagram import arrows_table
from calibcore.assessment.assess import Assessment
from calibcore.assessment.headline import Headline, headline
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.painters.screen import simplex, tetrahedron
from calibcore.words.arrows import arrows_judged, arrows_sentence
from calibcore.words.diagram import by_chance, crowded_elsewhere, heading, reason, reason_by_arrows
from calibcore.words.leading import leading, of_the_bin
from calibcore.words.phrases import seen_noun
from calibcore.words.verdicts import as_a_whole
from pages.ui import column_order, diagrams, enough, next_steps, progress, saving, settings, show, state
from pages.ui.overview import results, survey_table, verdicts
from pages.ui.show import glossary, plain
from pages.work.job import Job


def draw(job: Job[Assessment], data: state.Loaded) -> None:
    """All of it; until the survey is done its progress, and the diagram of the lens in use."""
    with show.above():
        column_order.caution(data)
    with st.container(key="answer"):
        words, figure = st.columns((5, 7), gap="large")
    # In the order in which they stand on a phone: what comes late moves what stands below it.
    job.wait_a_moment()
    assessment = survey_table.tolerated(job.future.result()) if job.ready else None
    with words:
        verdicts.answer(job, data)
    if assessment is None:
        if job.ready:  # since it was asked: one page shows one state
            st.rerun()
        with figure:
            spec = settings.current()
            results.overview(diagrams.diagram(data.predictions, spec), data, spec)
        if job.stopped or job.waits or job.future.done():  # no verdict comes by itself
            with words:
                next_steps.row("overview", data)
        return
    with figure:
        _figure(assessment, data)
    with words:
        _next(assessment, data)


def _next(assessment: Assessment, data: state.Loaded) -> None:
    """The one step that is recommended, in colour, with its reason; below it the other questions."""
    overall = as_a_whole(assessment.verdicts)
    lens = headline(assessment.survey.diagnoses, assessment.verdicts).verdict.lens
    if assessment.mismatch is None and overall.answer == "cannot-tell":
        enough.asked(data, recommended=True)
        next_steps.row("overview", data, lens, recommended=None)
    else:
        step = next_steps.advised(overall, assessment.mismatch is not None, data)
        next_steps.row("overview", data, lens, recommended=step)


def _figure(assessment: Assessment, data: state.Loaded) -> None:
    """The figure of the check that stands first, named; what the answer says of it is not said again."""
    diagnoses, every = assessment.survey.diagnoses, assessment.verdicts
    carrying = headline(diagnoses, every)
    diagnosis = carrying.diagnosis
    diagram, lens = diagnosis.reliability, diagnosis.spec.lens
    with show.above():
        st.markdown(f"**{plain(heading(carrying))}**", help=glossary("strongest evidence"))
    if lens.whole and diagnosis.m in (3, 4):
        _arrows(carrying, data)
        return
    noun = seen_noun(lens, data.noun)
    why = " ".join(filter(None, (reason(carrying, data.noun), by_chance(carrying))))
    stands_first = leading(diagnoses, every)
    if stands_first is not None and stands_first.place is not None:
        why = of_the_bin(diagram, stands_first.place, noun, right=lens.within.answers == "answers")
    frequencies = frequency_intervals(diagram, lens)
    show.diagram(diagram, noun, frequencies, lens, key="headline", says=why, pixels=results.HEIGHT)
    spread = state.spread(data.predictions, settings.through(lens))
    if spread is not None:
        st.caption(plain(crowded_elsewhere(spread, noun)), help=glossary("log-odds"))


def _arrows(headline: Headline, data: state.Loaded) -> None:
    """All of three or four classes at once, each arrow judged as on the page Simplex."""
    diagram, p = headline.diagnosis.reliability, data.predictions
    spec = settings.through(headline.verdict.lens)
    tests, begin = diagrams.bin_tests(p, spec, diagram, "headline-arrows")
    least, three = diagram.fewest_worth_showing, len(diagram.class_names) == 3
    noun, theme = data.noun, show.theme()
    rejected = headline.found and headline.verdict.refuted is None
    arrows = arrows_sentence(diagram, tests, spec.alpha, noun, rejected=rejected)
    chart: Any
    if three:
        chart = simplex.simplex_figure(diagram, noun, theme, spec.binning, least, tests, spec.alpha)
        printed = saving.on_paper("simplex_print", diagram, noun, spec.binning, least, tests, spec.alpha)
    else:
        chart = tetrahedron.tetrahedron_figure(diagram, noun, theme, least, None, tests, spec.alpha)
        printed = saving.on_paper("tetrahedron_print", diagram, noun, least, None, tests, spec.alpha)
    chart.update_layout(height=results.HEIGHT)
    show.figure(
        chart,
        key="headline",
        says=reason_by_arrows(headline, arrows, noun),
        reading="simplex" if three else "simplex-four",
        noun=noun,
        rows=arrows_table(diagram, tests, spec.alpha).rows,
        table_name="The arrows as a table",
        printed=printed,
    )
    if judged := arrows_judged(diagram, tests, spec.alpha):
        st.caption(plain(judged), help=glossary("adjusted p of an arrow"))
    if begin is not None:
        progress.show(begin(), "Testing arrow by arrow", lambda _: st.rerun())
