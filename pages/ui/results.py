"""The results of a diagnosis as they come: progress first, then the numbers with their promises."""

import time

import streamlit as st

from calibcore import Diagnosis, InputError
from calibcore.words import (
    PROMISES,
    bins_outside,
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
    score_words,
)
from pages.ui import jobs
from pages.ui.show import glossary, plain
from pages.ui.show import tests as tests_table
from pages.ui.state import Loaded


def tests(job: jobs.Job, noun: str) -> None:
    """The exact tests in words and at most three numbers, or how far the work has come."""
    with st.container():
        if job.stopped:
            _again(job, "The tests were stopped.")
        elif job.failed():
            _again(job, "The tests failed on our side. The server's log says why.")
        elif not job.future.done():
            _progress(job)
        else:
            try:
                _numbers(job.future.result(), noun)
            except InputError as problem:
                st.info(f"The tests cannot be made: {plain(str(problem))}")


@st.fragment(run_every=0.5)
def _progress(job: jobs.Job) -> None:
    job.seen = time.monotonic()
    if job.future.done() or job.stopped:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(1.0, job.fraction), text=f"Testing: {job.words}")
        st.button("Stop", on_click=job.cancel, help="The diagram stays; the tests can be started again.")


def _again(job: jobs.Job, why: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(why)
        st.button("Run the tests", on_click=jobs.restart, args=(job,))


def _numbers(diagnosis: Diagnosis, noun: str) -> None:
    found, level, distance = diagnosis.reliability, diagnosis.calibration_error, diagnosis.spec.distance
    left, middle, right = (column.container(gap=None) for column in st.columns(3))
    left.metric("Average gap (ECE)", error(level["ece"], distance), help=glossary("ECE"))
    chance = f"if calibrated, {error_level(level['ece_low'], level['ece_high'], distance)}"
    left.caption(f"{chance}; {_exact(diagnosis, 'exact-ece')}")
    middle.metric("Bins outside", f"{int(found.outside.sum()):,} of {found.n_bins:,}", help=glossary("bin"))
    middle.caption(f"if calibrated, {expected(found.expected_outside)}")
    test = diagnosis.test("exact-skce")
    if test is not None and test.result is not None:
        remark = pvalue_remark(test.result)
        right.metric("Kernel test", pvalue(test.result), help=glossary("exact test"))
        right.caption(PROMISES[test.result.promise] + (f"; {remark}" if remark else ""))
        st.markdown(plain(kernel_test_sentence(diagnosis)))
    for said in (impossible_outcomes(diagnosis, noun), narrow_bandwidth(diagnosis)):
        if said:
            st.warning(plain(said))


def _exact(diagnosis: Diagnosis, name: str) -> str:
    test = diagnosis.test(name)
    return f"exact {pvalue(test.result)}" if test is not None and test.result is not None else "not tested"


def details(job: jobs.Job, data: Loaded) -> None:
    """Everything else, folded: all tests, the estimates, the scores, the methods, the JSON.

    The folds are there before the results are, so that one that was opened stays open.
    """
    ready = job.future.done() and not job.stopped and job.future.exception() is None
    with st.expander("All tests and estimates", key="fold-tests"):
        if ready:
            _estimates(job.future.result())
        else:
            st.caption("Here when the tests are done.")
    with st.expander("Methods and data", key="fold-methods"):
        if data.description:
            st.markdown(plain(data.description))
        if ready:
            for note in methods(job.future.result()):
                st.markdown(f"- {plain(note)}")
            if data.reading is not None:
                st.caption("The same on the command line, with your file in place of PREDICTIONS:")
                st.code(command_line(job.future.result().spec), language=None, wrap_lines=True)
    if ready:
        st.download_button(
            "Everything as JSON",
            job.future.result().to_json(),
            "diagnosis.json",
            "application/json",
            icon=":material/download:",
        )


def _estimates(diagnosis: Diagnosis) -> None:
    tests_table(diagnosis)
    skce = diagnosis.skce
    for line in (
        f"Squared kernel calibration error: {kernel_error(skce['unbiased'])} unbiased "
        f"(if calibrated, 9 times in 10 from {null_range(diagnosis)}), "
        f"{kernel_error(skce['biased'])} biased, {kernel_error(skce['linear'])} linear. "
        f"Bandwidth {diagnosis.bandwidth.value:.4g}.",
        ece_sentence(diagnosis),
        bins_outside(diagnosis.reliability),
        f"Accuracy {score_words(diagnosis, 'accuracy')}, Brier score {score_words(diagnosis, 'brier')}, "
        f"log loss {score_words(diagnosis, 'log_loss')} (± one standard error).",
    ):
        st.markdown(plain(line))
