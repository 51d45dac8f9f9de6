"""The tests of a diagnosis: one of them drawn against chance, all of them with their promises."""

import streamlit as st

from calibcore import Diagnosis
from calibcore.diagnose import NamedTest
from calibcore.figures.null_distribution import null_figure
from calibcore.figures.style import CONFIG
from calibcore.words import (
    PROMISES,
    TEST_NAMES,
    rows_of_tests,
    sentence_case,
    sentence_of_test,
    share_words,
)
from pages.ui import results, show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded

DRAWN = "look-test"
"""Which test is drawn: how a result is looked at, no setting."""


def shown(diagnosis: Diagnosis, data: Loaded) -> None:
    """The answer in natural frequencies and its figure; three numbers; every test with its promise."""
    if diagnosis.tests:
        _drawn(diagnosis)
    else:
        st.info("No test is chosen. The side bar has them under 'Kernel and tests'.")
    columns = st.columns(3)
    results.gap_and_test(diagnosis, *columns[:2], with_ece_test=True)
    results.bins_outside_metric(columns[2].container(gap=None), diagnosis.reliability)
    results.remarks(diagnosis, data)
    if diagnosis.tests:
        st.subheader("Every test, and what it promises", help=glossary("promise"))
        show.table(_rows(diagnosis))


def _drawn(diagnosis: Diagnosis) -> None:
    names = {test.name: TEST_NAMES[test.name] for test in diagnosis.tests}
    if st.session_state.get(DRAWN) not in names:
        st.session_state[DRAWN] = "exact-skce" if "exact-skce" in names else next(iter(names))
    test = diagnosis.test(st.session_state[DRAWN])
    assert test is not None
    st.markdown(f"#### {plain(sentence_of_test(diagnosis, test.name) or sentence_case(test.note) + '.')}")
    st.selectbox(
        "Test drawn",
        list(names),
        index=list(names).index(test.name),
        format_func=names.get,
        key=DRAWN,
        persist_state="session",
        help=glossary("observed against if calibrated"),
        width=460,
    )
    _figure(diagnosis, test)


def _figure(diagnosis: Diagnosis, test: NamedTest) -> None:
    result = test.result
    if result is None:
        return
    if result.null_distribution is None:
        st.caption(f"{PROMISES[result.promise].capitalize()}. It follows a formula: no redraws to show.")
        return
    st.plotly_chart(
        null_figure(test, diagnosis.spec.distance, show.theme()),
        config=CONFIG,
        alt=f"{sentence_of_test(diagnosis, test.name)} {share_words(result)}",
        key="null-figure",
    )
    st.caption(plain(f"{share_words(result)} {PROMISES[result.promise].capitalize()}."))


def _rows(diagnosis: Diagnosis) -> list[dict[str, str]]:
    """Three columns, so that a phone shows them all: the promise or the reason stands below the name."""
    rows = []
    for row in rows_of_tests(diagnosis):
        below = "; ".join(words for words in (row["Promise"], row["Remark"]) if words not in ("", "–"))
        name = f"{row['Test']}\n{below}"
        rows.append({"Test": name, "Statistic": row["Statistic"], "p-value": row["p-value"]})
    return rows
