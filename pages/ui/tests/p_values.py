"""The tests of a diagnosis: one of them drawn against chance, all of them with their promises."""

from functools import partial

import streamlit as st

from calibcore import Diagnosis, DiagnosisSpec
from calibcore.answers.diagnosis import components_table, p_values_table
from calibcore.answers.nouns import sentence_of
from calibcore.assessment.verdict_tests import VERDICT_TEST, verdict_test, with_test_of_survey
from calibcore.diagnose import NamedTest
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.families import names_of
from calibcore.painters.screen.null_distribution import null_figure
from calibcore.painters.screen.tests_aligned import aligned_figure
from calibcore.words.looking import sentence_case
from calibcore.words.omnibus import components_sentence
from calibcore.words.phrases import PROMISES
from calibcore.words.results import doubts, narrow_bandwidth
from calibcore.words.testing import (
    heading_of_test,
    redraws_words,
    rows_of_redraws,
    together_sentence,
    withheld_words,
)
from calibcore.words.verdicts import deciding_p_sentence
from pages.ui import choices, saving, show, surveyed
from pages.ui.overview import results
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.ui.tests import bandwidths

DRAWN = "look-test"
"""Which test is drawn: how a result is looked at, no setting."""


def draw(diagnosis: Diagnosis, data: Loaded) -> None:
    """The answer in natural frequencies and its figure, of the test that is drawn."""
    check = surveyed.check_of(data, diagnosis.spec.lens)
    diagnosis = _as_surveyed(diagnosis, check)
    if diagnosis.tests:
        test = _drawn(diagnosis)
        st.markdown(f"## {plain(heading_of_test(diagnosis, test.name) or sentence_case(test.note) + '.')}")
        # Where the verdict goes the other way a reader has to know why at once; else the figure comes first.
        apart = check is not None and check.verdict.found != _rejects(diagnosis, test)
        if apart:
            _deciding(check)
        _figure(diagnosis, test, data.noun)
        if not apart:
            _deciding(check)
    else:
        st.info("No test is chosen. The side bar has them under 'Tests'.")
    for remark in doubts(diagnosis, data.noun):
        st.warning(plain(remark))


def _deciding(check: surveyed.Check | None) -> None:
    """The p that the verdict goes by, where there is a survey."""
    if check is not None:
        resamples = verdict_test(check.diagnosis).n_resamples
        st.markdown(plain(deciding_p_sentence(check.verdict, resamples, check.adjusted_for)))


def _rejects(diagnosis: Diagnosis, test: NamedTest) -> bool:
    return test.result is not None and test.result.pvalue <= diagnosis.spec.alpha


def for_statisticians(diagnosis: Diagnosis, data: Loaded, spec: DiagnosisSpec) -> None:
    """Which test is drawn and what it combines, every test with its promise, three numbers.

    Where a narrow bandwidth may have hidden something, other bandwidths are open.
    """
    diagnosis = _as_surveyed(diagnosis, surveyed.check_of(data, diagnosis.spec.lens))
    if diagnosis.tests:
        test = _drawn(diagnosis)
        _choice(diagnosis, test)
        if test.result is not None and test.result.components:
            _components(diagnosis, test.result)
        _together(diagnosis, data.noun)
    columns = st.columns(3)
    results.gap_and_test(diagnosis, *columns[:2])
    place = columns[2].container(gap=None)
    results.bins_outside_metric(place, diagnosis.reliability, diagnosis.spec, data.noun)
    bandwidths.offered(data, spec, opened=bool(narrow_bandwidth(diagnosis)))


def _as_surveyed(diagnosis: Diagnosis, check: surveyed.Check | None) -> Diagnosis:
    """With the p of the survey, if it is there: the verdict above goes by that."""
    return diagnosis if check is None else with_test_of_survey(diagnosis, check.diagnosis)


def _drawn(diagnosis: Diagnosis) -> NamedTest:
    """The test that was chosen; until then the one that the verdict rests on, or the first."""
    names = [test.name for test in diagnosis.tests]
    usual = VERDICT_TEST if VERDICT_TEST in names else names[0]
    chosen = st.session_state.get(DRAWN)
    test = diagnosis.test(chosen if chosen in names else usual)
    assert test is not None
    return test


def _choice(diagnosis: Diagnosis, test: NamedTest) -> None:
    choices.choose_one(
        "Test drawn",
        {test.name: names_of(test.name).full for test in diagnosis.tests},
        test.name,
        lambda name: st.session_state.update({DRAWN: name}),
        name=f"{DRAWN}-box",
        help=glossary("redraws"),
        width=460,
    )


def _components(diagnosis: Diagnosis, result: TestResult) -> None:
    """What a test that combines several statistics looks at, the one that stands out most first."""
    with st.container(gap="small", key="components"):
        st.markdown(plain(components_sentence(diagnosis, result)), help=glossary("omnibus test"))
        table = components_table(diagnosis)
        show.rows_and_csv(table.rows, table.name, table.name)


def _figure(diagnosis: Diagnosis, test: NamedTest, noun: str) -> None:
    result, distance = test.result, diagnosis.spec.distance
    if result is None:
        return
    if result.null_distribution is None:
        st.caption(f"{PROMISES[result.promise].capitalize()}. It follows a formula: no redraws to show.")
        return

    show.figure(
        null_figure(test, distance, show.theme()),
        key="null-figure",
        says=sentence_of(redraws_words(diagnosis, test), noun),
        reading="null-distribution",
        noun=noun,
        rows=partial(rows_of_redraws, test, distance),
        table_name="The redraws as a table",
        printed=saving.on_paper("null_print", test, distance),
    )


def _together(diagnosis: Diagnosis, noun: str) -> None:
    st.subheader("Every test, and what it promises", help=glossary("promise"))
    table = p_values_table(diagnosis)
    show.figure(
        aligned_figure(diagnosis, show.theme()),
        key="aligned-figure",
        says=together_sentence(diagnosis),
        reading="tests-aligned",
        noun=noun,
        rows=table.rows,
        table_name=f"The {table.rows_are} as a table",
        printed=saving.on_paper("aligned_print", diagnosis),
    )
    for line in withheld_words(diagnosis):
        st.caption(plain(line))
