"""The results of a diagnosis: what it claims and its diagram, the numbers with their promises."""

import streamlit as st

from calibcore import Diagnosis, DiagnosisSpec
from calibcore.frequencies import frequency_intervals
from calibcore.reliability import Reliability
from calibcore.words import (
    PROMISES,
    claim_and_outcome,
    error,
    error_level,
    expected,
    impossible_outcomes,
    lens_words,
    narrow_bandwidth,
    pvalue,
    pvalue_remark,
    seen_noun,
    sentence_case,
)
from pages.ui import frame, show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded


def overview(found: Reliability, data: Loaded, spec: DiagnosisSpec) -> None:
    """What the model claims through the lens in use and what happened, and the diagram that shows it."""
    st.subheader(sentence_case(lens_words(spec.lens)), help=glossary("lens"))
    if len(found.class_names) == 2:
        st.markdown(plain(claim_and_outcome(found, spec.lens, data.noun)))
    show.diagram(found, seen_noun(spec.lens, data.noun), frequency_intervals(found, spec.lens))


def bins_outside_metric(place: "st.delta_generator.DeltaGenerator", found: Reliability) -> None:
    place.metric("Bins outside", f"{int(found.outside.sum()):,} of {found.n_bins:,}", help=glossary("bin"))
    place.caption(f"if calibrated, {expected(found.expected_outside)}")


def gap_and_test(
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


def remarks(diagnosis: Diagnosis, data: Loaded) -> None:
    frame.caution(data)
    for said in (impossible_outcomes(diagnosis, data.noun), narrow_bandwidth(diagnosis)):
        if said:
            st.warning(plain(said))
