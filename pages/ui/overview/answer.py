"""The answer: tiles, the verdict in a sentence, the figure that carries it, and the next questions."""

from typing import Any

import streamlit as st

from calibcore.answers.diagram import arrows_table
from calibcore.assessment.assess import Assessment
from calibcore.assessment.headline import Headline, headline
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.painters.screen import simplex, tetrahedron
from calibcore.words.arrows import arrows_judged, arrows_sentence
from calibcore.words.diagram import by_chance, crowded_elsewhere, heading, reason, reason_by_arrows
from calibcore.words.phrases import seen_noun
from calibcore.words.verdict_rows import UNKNOWN, Tile, checks_words, tiles
from calibcore.words.verdicts import as_a_whole
from pages.ui import column_order, diagrams, enough, next_steps, progress, saving, settings, show, state
from pages.ui.overview import results, survey_table, verdicts
from pages.ui.show import glossary, plain
from pages.work.job import Job


def draw(job: Job[Assessment], data: state.Loaded) -> None:
    """All of it; until the survey is done its progress, and the diagram of the lens in use."""
    with show.above():
        column_order.caution(data)
    above = st.container(key="tiles")
    with st.container(key="answer"):
        words, figure = st.columns((5, 7), gap="large")
    # In the order in which they stand on a phone: what comes late moves what stands below it.
    job.wait_a_moment()
    assessment = survey_table.tolerated(job.future.result()) if job.ready else None
    with above:
        _tiles(assessment, data)
    with words:
        verdicts.sentence(job, data)
    if assessment is None:
        if job.ready:  # since it was asked: one page shows one state
            st.rerun()
        with figure:
            spec = settings.current()
            results.overview(diagrams.diagram(data.predictions, spec), data, spec)
        return
    overall = as_a_whole(assessment.verdicts)
    carrying = headline(assessment.survey.diagnoses, assessment.verdicts)
    with figure:
        _figure(carrying, data)
    with words:
        verdicts.rests_on(assessment, data)
        if overall.answer == "cannot-tell":
            enough.asked(data)
        next_steps.row("overview", data, carrying.verdict.lens, may_be_off=overall.answer != "cannot-tell")
    verdicts.to_do(overall, assessment, data)
    verdicts.temperature(assessment, data)


def _tiles(assessment: Assessment | None, data: state.Loaded) -> None:
    """Verdict, size, what could be seen, cases; four in a row, two on a phone."""
    overall = as_a_whole(assessment.verdicts) if assessment is not None else None
    with st.container(key="tile-verdict", gap=None):
        st.markdown(":small[Verdict]", help=glossary("verdict"))
        if assessment is None or overall is None:
            st.markdown(UNKNOWN)
        else:
            verdicts.chip(overall)
            st.caption(plain(checks_words(assessment.verdicts)), help=glossary("check"))
    for tile in tiles(overall, data.predictions, data.noun):
        _tile(tile)


def _tile(tile: Tile) -> None:
    with st.container(key=f"tile-{tile.label}", gap=None):
        st.metric(plain(tile.label), tile.value, help=glossary(tile.term) if tile.term else None)
        st.caption(plain(tile.below))


def _figure(headline: Headline, data: state.Loaded) -> None:
    """The figure of the check that stands first, named, with its reason."""
    diagnosis = headline.diagnosis
    diagram, lens = diagnosis.reliability, diagnosis.spec.lens
    with show.above():
        st.subheader(plain(heading(headline)), help=glossary("strongest evidence"))
    if lens.whole and diagnosis.m in (3, 4):
        _arrows(headline, data)
        return
    show.diagram(
        diagram,
        seen_noun(lens, data.noun),
        frequency_intervals(diagram, lens),
        lens,
        key="headline",
        says=" ".join(filter(None, (reason(headline, data.noun), by_chance(headline)))),
        pixels=results.HEIGHT,
    )
    spread = state.spread(data.predictions, settings.through(lens))
    if spread is not None:
        st.caption(plain(crowded_elsewhere(spread, seen_noun(lens, data.noun))), help=glossary("log-odds"))


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
        cells = state.cells(p, spec)
        chart = simplex.simplex_figure(diagram, noun, theme, spec.binning, least, tests, spec.alpha, cells)
        printed = saving.on_paper(
            "simplex_print", diagram, noun, spec.binning, least, tests, spec.alpha, cells
        )
    else:
        chart = tetrahedron.tetrahedron_figure(diagram, noun, theme, least, None, tests, spec.alpha)
        printed = saving.on_paper("tetrahedron_print", diagram, noun, least, None, tests, spec.alpha)
    chart.update_layout(height=results.HEIGHT)
    show.figure(
        chart,
        key="headline",
        says=reason_by_arrows(headline, arrows, noun),
        reading="simplex" if three else "simplex-four",
        rows=arrows_table(diagram, tests, spec.alpha).rows,
        table_name="The arrows as a table",
        printed=printed,
    )
    if judged := arrows_judged(diagram, tests, spec.alpha):
        st.caption(plain(judged), help=glossary("adjusted p of an arrow"))
    if begin is not None:
        progress.show(begin(), "Testing arrow by arrow", lambda _: st.rerun())
