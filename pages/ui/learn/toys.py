"""What is seen in each lesson, of toy data whose truth is known."""

from functools import partial

import streamlit as st

from calibcore import lessons
from calibcore.answers.cumulative import cumulative_table
from calibcore.answers.diagram import bins_table
from calibcore.charts.cumulative import cumulative_lines, farthest
from calibcore.diagnose import NamedTest
from calibcore.diagram.reliability import Reliability
from calibcore.hypothesis_tests.ranks import rank_shift
from calibcore.lessons import findings as toy_findings
from calibcore.lessons import words
from calibcore.painters.screen import lessons as figures
from calibcore.painters.screen.cumulative import cumulative_figure
from calibcore.painters.screen.decisions import decision_figure
from calibcore.painters.screen.null_distribution import null_figure
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.questions.decide.says import thresholds_table
from calibcore.questions.decide.words import frequency_sentence, threshold_sentence
from calibcore.words.arrows import arrows_sentence
from calibcore.words.ranks import ranks_sentence
from pages.ui import progress, show
from pages.ui.learn import controls
from pages.work import jobs
from pages.work.job import Job


@st.cache_data(max_entries=len(controls.LENSES), show_spinner=False)
def _through(choice: str) -> Reliability:
    return lessons.through(controls.LENSES[choice])


_kept = partial(st.cache_data, show_spinner=False)
_promises = _kept(max_entries=len(controls.STRETCHES))(lessons.promises)
_gap = _kept(max_entries=len(lessons.SIZES))(lessons.chance_gap)
_weather = _kept(max_entries=lessons.OUTCOME_SETS)(lessons.redrawn_weather)
_forecasters = _kept(max_entries=len(lessons.BINS))(lessons.two_forecasters)
_neighbours = _kept(max_entries=len(controls.MODELS))(lessons.neighbours)
_treated = _kept(max_entries=1)(lessons.treated)
_together = _kept(max_entries=len(toy_findings.ALIKE))(toy_findings.together)
_sure = _kept(max_entries=1)(lessons.sure)


def promise(stretch: float) -> None:
    diagram = _promises(stretch)
    show.figure(
        figures.promise_figure(diagram, show.theme()),
        key="lesson-promise-figure",
        says=words.promise_sentence(diagram),
        reading="lesson-promise",
        rows=bins_table(diagram).rows,
    )


def lens(choice: str) -> None:
    diagram = _through(choice)
    st.markdown(show.plain(words.lens_sentence(diagram, controls.LENSES[choice])))
    show.table_and_csv(partial(words.lens_rows, diagram), "lesson-lens-table")
    if len(diagram.class_names) == 3:
        show.figure(
            figures.triangle_figure(diagram, show.theme()),
            key="lesson-triangle",
            says=arrows_sentence(diagram),
            reading="lesson-lens",
            rows=bins_table(diagram).rows,
            table_name="The arrows as a table",
        )


def chance(n: int) -> None:
    gaps = [_gap(size) for size in lessons.SIZES]
    show.figure(
        figures.gaps_figure(gaps, n),
        key="lesson-chance-figure",
        says=words.chance_gap_sentence(_gap(n)),
        reading="lesson-chance",
        rows=partial(words.gap_rows, gaps),
    )


def compare(bins: int) -> None:
    pairs = {number: _forecasters(number) for number in lessons.BINS}
    show.figure(
        figures.forecasters_figure(pairs, bins),
        key="lesson-compare-figure",
        says=words.forecasters_sentence(pairs[bins], bins),
        reading="lesson-compare",
        rows=partial(words.forecaster_rows, pairs),
    )


def threshold(chosen: float) -> None:
    decisions = _treated()
    point = decisions.at(chosen)
    st.markdown(show.plain(frequency_sentence(decisions, point, "patient")))
    show.figure(
        decision_figure(decisions, chosen, show.theme(), "patient"),
        key="lesson-threshold-figure",
        says=threshold_sentence(decisions, point, "patient"),
        reading="decisions",
        rows=thresholds_table(decisions).rows,
        table_name="The thresholds as a table",
    )


def sure(sureness: float) -> None:
    diagram = _sure()
    chosen = int(abs(diagram.mean_prediction[:, 0] - sureness).argmin())
    show.figure(
        figures.sure_figure(diagram, chosen, show.theme()),
        key="lesson-sure-figure",
        says=words.sure_sentence(diagram, chosen),
        reading="lesson-sure",
        rows=bins_table(diagram).rows,
        table_name="The bins as a table",
    )


def grades(off: float) -> None:
    tumours = lessons.grades(off)
    lines = cumulative_lines(tumours, "tumour")
    ranks = ranks_sentence(rank_shift(tumours, rng=0), lessons.ALPHA)
    show.figure(
        cumulative_figure(lines, "tumour", show.theme()),
        key="lesson-grades-figure",
        says=f"{farthest(lines)} {ranks}",
        reading="cumulative",
        rows=cumulative_table(lines).rows,
        table_name="The arrows as a table",
    )


def findings(alike: float) -> None:
    trials = [_together(value) for value in toy_findings.ALIKE]
    show.figure(
        figures.together_figure(trials, alike),
        key="lesson-findings-figure",
        says=words.together_sentence(_together(alike)),
        reading="lesson-findings",
        rows=partial(words.together_rows, trials),
    )


def bars(number: int) -> None:
    diagram = _weather(number)
    show.figure(
        reliability_figure(diagram, "day", show.theme()),
        key="lesson-bars-figure",
        says=words.outcomes_sentence(diagram, number, lessons.OUTCOME_SETS, lessons.mean_outside()),
        reading="reliability",
        rows=bins_table(diagram).rows,
        table_name="The bins as a table",
        not_drawn=show.not_drawn(diagram),
    )


def neighbours(model: str) -> None:
    result = _neighbours(model)
    test = NamedTest("exact-skce", "skce-unbiased", result)
    show.figure(
        null_figure(test, theme=show.theme()),
        key="lesson-neighbours-figure",
        says=words.neighbours_sentence(result),
        reading="lesson-neighbours",
        rows=partial(words.neighbours_rows, result),
        table_name="The redraws as a table",
    )


def exact(sets: int) -> None:
    if not sets:
        st.markdown("Nothing has been tried yet.")
        st.caption(
            f"Each of the {controls.SETS} data sets holds 250 cases in ten classes and is tested twice."
        )
        return

    def work(job: Job[list[lessons.Trial]]) -> list[lessons.Trial]:
        for number in range(sets):
            job.report(number / sets, f"{number} of {sets} data sets")
            job.parts.append(lessons.trial(number))
        return list(job.parts)

    job = jobs.start("lesson", ("lesson", str(sets)), work, bundled=True)
    progress.show(job, "Testing toy data", _tried, _tried)


def _tried(trials: list[lessons.Trial]) -> None:
    show.figure(
        figures.trials_figure(trials),
        key="lesson-exact-figure",
        says=words.trials_sentence(trials),
        reading="lesson-exact",
        rows=partial(words.trial_rows, trials),
    )
