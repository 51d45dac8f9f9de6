"""The results of a diagnosis: at most four numbers, the tests with their promises, the rest folded."""

import streamlit as st

from calibcore import Diagnosis
from calibcore.reliability import Reliability
from calibcore.words import (
    PROMISES,
    bins_outside,
    claimed_and_happened,
    command_line,
    ece_sentence,
    error,
    error_level,
    expected,
    impossible_outcomes,
    kernel_error,
    kernel_test_sentence,
    methods,
    narrow_bandwidth,
    null_range,
    pvalue,
    pvalue_remark,
    rows_of_tests,
    score_words,
)
from pages.ui import frame, jobs, progress
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded


def overview(found: Reliability, job: jobs.Job[Diagnosis], data: Loaded) -> None:
    """What was claimed and what happened at once; the gap and the exact test when they are there."""
    two = len(found.class_names) == 2
    left, right = st.columns(2)
    with left:
        first, second = (column.container(gap=None) for column in st.columns(2))
        if two:
            said, happened, cases = claimed_and_happened(found, data.noun)
            first.metric("The model claimed", said)
            first.caption("on average")
            second.metric("It happened", happened)
            second.caption(plain(cases))
        else:
            _bins_outside(first, found)
    with right:
        progress.shown(job, "Testing", lambda diagnosis: _gap_and_test(diagnosis, *st.columns(2)))
    if job.ready:
        _remarks(job.future.result(), data)


def tests(diagnosis: Diagnosis, data: Loaded) -> None:
    """The exact tests in words and three numbers, and every other test with its promise."""
    columns = st.columns(3)
    _gap_and_test(diagnosis, *columns[:2], with_ece_test=True)
    _bins_outside(columns[2].container(gap=None), diagnosis.reliability)
    st.markdown(plain(kernel_test_sentence(diagnosis)))
    _remarks(diagnosis, data)
    st.subheader("Every test, and what it promises", help=glossary("promise"))
    st.dataframe(rows_of_tests(diagnosis), hide_index=True)


def _bins_outside(place: "st.delta_generator.DeltaGenerator", found: Reliability) -> None:
    place.metric("Bins outside", f"{int(found.outside.sum()):,} of {found.n_bins:,}", help=glossary("bin"))
    place.caption(f"if calibrated, {expected(found.expected_outside)}")


def _gap_and_test(
    diagnosis: Diagnosis,
    left: "st.delta_generator.DeltaGenerator",
    right: "st.delta_generator.DeltaGenerator",
    with_ece_test: bool = False,
) -> None:
    level, distance = diagnosis.calibration_error, diagnosis.spec.distance
    left, right = left.container(gap=None), right.container(gap=None)
    left.metric("Average gap (ECE)", error(level["ece"], distance), help=glossary("ECE"))
    chance = "weighted: no level by chance"
    if "ece_low" in level:
        chance = f"if calibrated, {error_level(level['ece_low'], level['ece_high'], distance)}"
    left.caption(f"{chance}; {_exact(diagnosis, 'exact-ece')}" if with_ece_test else chance)
    test = diagnosis.test("exact-skce")
    if test is not None and test.result is not None:
        remark = pvalue_remark(test.result)
        right.metric("Kernel test", pvalue(test.result), help=glossary("exact test"))
        right.caption(PROMISES[test.result.promise] + (f"; {remark}" if remark else ""))


def _exact(diagnosis: Diagnosis, name: str) -> str:
    test = diagnosis.test(name)
    return f"exact {pvalue(test.result)}" if test is not None and test.result is not None else "not tested"


def _remarks(diagnosis: Diagnosis, data: Loaded) -> None:
    frame.caution(data)
    for said in (impossible_outcomes(diagnosis, data.noun), narrow_bandwidth(diagnosis)):
        if said:
            st.warning(plain(said))


def details(job: jobs.Job[Diagnosis], data: Loaded) -> None:
    """Everything else, folded: the estimates, the scores, the methods, the JSON.

    The folds are there before the results are, so that one that was opened stays open.
    """
    with st.expander("All estimates", key="fold-estimates"):
        if job.ready:
            _estimates(job.future.result())
        else:
            st.caption("Here when the tests are done.")
    with st.expander("Methods and data", key="fold-methods"):
        if data.description:
            st.markdown(plain(data.description))
        if job.ready:
            for note in methods(job.future.result()):
                st.markdown(f"- {plain(note)}")
            if data.reading is not None:
                st.caption("The same on the command line, with your file in place of PREDICTIONS:")
                st.code(command_line(job.future.result().spec), language=None, wrap_lines=True)
    if job.ready:
        st.download_button(
            "Everything as JSON",
            job.future.result().to_json(),
            "diagnosis.json",
            "application/json",
            icon=":material/download:",
        )


def _estimates(diagnosis: Diagnosis) -> None:
    skce = diagnosis.skce
    more = "".join(f", {kernel_error(skce[name])} {name}" for name in ("biased", "linear") if name in skce)
    for line in (
        f"Squared kernel calibration error: {kernel_error(skce['unbiased'])} unbiased "
        f"(if calibrated, 9 times in 10 from {null_range(diagnosis)}){more}. "
        f"Bandwidth {diagnosis.bandwidth.value:.4g}.",
        ece_sentence(diagnosis),
        bins_outside(diagnosis.reliability),
        f"Accuracy {score_words(diagnosis, 'accuracy')}, Brier score {score_words(diagnosis, 'brier')}, "
        f"log loss {score_words(diagnosis, 'log_loss')} (± one standard error).",
    ):
        st.markdown(plain(line))
