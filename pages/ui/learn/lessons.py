"""Eight short lessons: a statement, a text, one control, what is seen now, the way to one's own data."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from calibcore import lessons
from calibcore.diagnose import NamedTest
from calibcore.diagram.reliability import Reliability
from calibcore.figures import lessons as figures
from calibcore.figures.decisions import decision_figure
from calibcore.figures.null_distribution import null_figure
from calibcore.figures.reliability import reliability_figure
from calibcore.hypothesis_tests import TestResult
from calibcore.questions.decide import Decisions
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, TopKLens
from calibcore.words import lessons as words
from calibcore.words.arrows import arrows_sentence
from calibcore.words.deciding import (
    exact_threshold_rows,
    frequency_sentence,
    threshold_rows,
    threshold_sentence,
    threshold_words,
)
from calibcore.words.results import reliability_rows
from pages.ui import nav, progress, show
from pages.work import jobs
from pages.work.job import Job

SETS = 20
_STRETCHES = {"not at all": 1.0, "a little": 1.5, "clearly": 2.0, "very": 3.0}
_LENSES: dict[str, Lens] = {
    "Confidence": TopKLens(1),
    **{f"Class {name}": ClassLens(name) for name in "123"},
    "All three": CanonicalLens(),
}
_MODELS = {"Calibrated": "M1", "Blind to one class": "M2", "Guessing": "M3"}


@st.cache_data(max_entries=len(_STRETCHES), show_spinner=False)
def _promises(stretch: float) -> Reliability:
    return lessons.promises(stretch)


@st.cache_data(max_entries=len(_LENSES), show_spinner=False)
def _through(choice: str) -> Reliability:
    return lessons.through(_LENSES[choice])


@st.cache_data(max_entries=len(lessons.SIZES), show_spinner=False)
def _gap(n: int) -> lessons.ChanceGap:
    return lessons.chance_gap(n)


@st.cache_data(max_entries=lessons.OUTCOME_SETS, show_spinner=False)
def _weather(number: int) -> Reliability:
    return lessons.redrawn_weather(number)


@st.cache_data(max_entries=len(lessons.BINS), show_spinner=False)
def _forecasters(bins: int) -> tuple[lessons.ChanceGap, lessons.ChanceGap]:
    return lessons.two_forecasters(bins)


@st.cache_data(max_entries=len(_MODELS), show_spinner=False)
def _neighbours(model: str) -> TestResult:
    return lessons.neighbours(model)


@st.cache_data(max_entries=1, show_spinner=False)
def _treated() -> Decisions:
    return lessons.treated()


@dataclass(frozen=True)
class Lesson:
    """What stands around a lesson: ``page``, ``link`` and ``icon`` lead to the same with one's own data."""

    name: str
    title: str
    help: str
    page: str
    link: str
    icon: str


LESSONS = (
    Lesson(
        "promise",
        "A probability is a promise that can be checked",
        show.glossary("calibrated"),
        "overview",
        "Does your model keep its promise?",
        "task_alt",
    ),
    Lesson(
        "lens",
        "Right through four lenses, and yet wrong",
        show.glossary("lens"),
        "simplex",
        "See your classes together",
        "change_history",
    ),
    Lesson(
        "chance",
        "Chance alone makes gaps",
        show.glossary("ECE"),
        "overview",
        "Your gap beside what chance makes",
        "straighten",
    ),
    Lesson(
        "bars",
        "Grey bars show what chance allows",
        show.glossary("consistency bar"),
        "reliability",
        "Your bins and their bars",
        "show_chart",
    ),
    Lesson(
        "neighbours",
        "Similar cases should not miss the same way",
        show.glossary("kernel"),
        "tests",
        "Your kernel error",
        "casino",
    ),
    Lesson(
        "exact",
        "An exact test can be trusted where resampling cannot",
        show.glossary("exact test"),
        "tests",
        "Test your own predictions",
        "casino",
    ),
    Lesson(
        "compare",
        "Two raw gaps are not compared",
        show.glossary("typical gap"),
        "compare",
        "Compare your own models",
        "compare_arrows",
    ),
    Lesson(
        "threshold",
        "What acting at a threshold is worth",
        show.glossary("net benefit"),
        "decisions",
        "Your model at a threshold",
        "balance",
    ),
)


def contents() -> None:
    """A line to each lesson, and to the glossary."""
    lines = [f"1. [{lesson.title}](#{lesson.name})" for lesson in LESSONS]
    more = {"p-value": "What a p-value does not say", "glossary": "Every term in one line"}
    lines += [f"1. [{title}](#{anchor})" for anchor, title in more.items()]
    st.markdown("\n".join(lines))


@st.fragment
def draw(lesson: Lesson) -> None:
    """One lesson; what is moved in it redraws nothing else."""
    st.header(lesson.title, anchor=lesson.name, help=lesson.help)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.markdown(show.text(f"learn-{lesson.name}"))
        chosen = _CONTROLS[lesson.name]()
    with right:
        with st.container():  # so that the link keeps its place, however much is drawn
            _DRAWN[lesson.name](chosen)
        nav.link(lesson.page, lesson.link, lesson.icon)


def _choose_overconfidence() -> float:
    choice = st.select_slider(
        "How overconfident is the forecaster?", list(_STRETCHES), value="clearly", key="lesson-promise"
    )
    return _STRETCHES[choice]


def _choose_lens() -> str:
    return st.pills(
        "Look through", list(_LENSES), default="Confidence", key="lesson-lens", required=True, wrap=True
    )


def _choose_size() -> int:
    return st.select_slider("Cases", lessons.SIZES, value=250, format_func="{:,}".format, key="lesson-chance")


def _choose_bins() -> int:
    return st.select_slider("Bins", lessons.BINS, value=10, key="lesson-compare")


def _choose_threshold() -> float:
    return st.select_slider(
        "Treat from", lessons.THRESHOLDS, value=0.2, format_func=threshold_words, key="lesson-threshold"
    )


def _choose_outcomes() -> int:
    return st.slider("Set of outcomes", 1, lessons.OUTCOME_SETS, 1, key="lesson-bars")


def _choose_model() -> str:
    choice = st.pills(
        "The model is", list(_MODELS), default="Calibrated", key="lesson-neighbours", required=True, wrap=True
    )
    return _MODELS[choice]


def _choose_sets() -> int:
    sets: int = st.session_state.setdefault("lesson-sets", 0)
    st.button(
        f"Try {SETS} more" if sets else f"Try {SETS} data sets",
        key="lesson-exact",
        on_click=_more_sets,
        disabled=sets >= lessons.MOST_TRIALS,
        icon=":material/casino:",
    )
    return sets


def _more_sets() -> None:
    st.session_state["lesson-sets"] = min(lessons.MOST_TRIALS, st.session_state["lesson-sets"] + SETS)


def _promise(stretch: float) -> None:
    diagram = _promises(stretch)
    show.figure(
        figures.promise_figure(diagram, show.theme()),
        key="lesson-promise-figure",
        says=words.promise_sentence(diagram),
        reading="lesson-promise",
        rows=partial(reliability_rows, diagram),
    )


def _lens(choice: str) -> None:
    diagram = _through(choice)
    st.markdown(show.plain(words.lens_sentence(diagram)))
    show.table_and_csv(partial(words.lens_rows, diagram), "lesson-lens-table")
    if len(diagram.class_names) == 3:
        show.figure(
            figures.triangle_figure(diagram, show.theme()),
            key="lesson-triangle",
            says=arrows_sentence(diagram),
            reading="lesson-lens",
            rows=partial(reliability_rows, diagram),
            table_name="The arrows as a table",
        )


def _chance(n: int) -> None:
    gaps = [_gap(size) for size in lessons.SIZES]
    show.figure(
        figures.gaps_figure(gaps, n),
        key="lesson-chance-figure",
        says=words.chance_gap_sentence(_gap(n)),
        reading="lesson-chance",
        rows=partial(words.gap_rows, gaps),
    )


def _compare(bins: int) -> None:
    pairs = {number: _forecasters(number) for number in lessons.BINS}
    show.figure(
        figures.forecasters_figure(pairs, bins),
        key="lesson-compare-figure",
        says=words.forecasters_sentence(pairs[bins], bins),
        reading="lesson-compare",
        rows=partial(words.forecaster_rows, pairs),
    )


def _threshold(chosen: float) -> None:
    found = _treated()
    one = found.at(chosen)
    st.markdown(show.plain(frequency_sentence(found, one, "patient")))
    show.figure(
        decision_figure(found, chosen, show.theme(), "patient"),
        key="lesson-threshold-figure",
        says=threshold_sentence(found, one, "patient"),
        reading="decisions",
        rows=partial(_threshold_rows, found),
        table_name="The thresholds as a table",
    )


def _threshold_rows(found: Decisions, exact: bool = False) -> list[dict[str, Any]]:
    return exact_threshold_rows(found) if exact else list(threshold_rows(found))


def _bars(number: int) -> None:
    diagram = _weather(number)
    show.figure(
        reliability_figure(diagram, "day", show.theme()),
        key="lesson-bars-figure",
        says=words.outcomes_sentence(diagram, number, lessons.OUTCOME_SETS, lessons.mean_outside()),
        reading="reliability",
        rows=partial(reliability_rows, diagram),
        table_name="The bins as a table",
    )


def _neighbourhood(model: str) -> None:
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


def _exact(sets: int) -> None:
    if not sets:
        st.markdown("Nothing has been tried yet.")
        st.caption(f"Each of the {SETS} data sets holds 250 cases in ten classes and is tested twice.")
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


_CONTROLS = {
    "promise": _choose_overconfidence,
    "lens": _choose_lens,
    "chance": _choose_size,
    "bars": _choose_outcomes,
    "neighbours": _choose_model,
    "exact": _choose_sets,
    "compare": _choose_bins,
    "threshold": _choose_threshold,
}
_DRAWN: dict[str, Any] = {
    "promise": _promise,
    "lens": _lens,
    "chance": _chance,
    "bars": _bars,
    "neighbours": _neighbourhood,
    "exact": _exact,
    "compare": _compare,
    "threshold": _threshold,
}
