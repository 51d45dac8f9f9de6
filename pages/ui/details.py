"""What stands folded below the tests: estimates, recalibration, parts of scores, methods, the JSON."""

from dataclasses import replace

import streamlit as st

from calibcore import Diagnosis, DiagnosisSpec
from calibcore.spec import ESTIMATES
from calibcore.words import (
    UNADJUSTED,
    bins_outside,
    command_line,
    ece_sentence,
    kernel_error,
    methods,
    null_range,
    rows_of_decompositions,
    rows_of_estimates,
    rows_of_recalibration,
    score_words,
)
from pages.ui import frame, jobs, progress, settings
from pages.ui.show import glossary, plain, table
from pages.ui.state import Loaded

RANGES = ("If calibrated, 9 times in 10", "95 % interval")


def shown(job: jobs.Job[Diagnosis], data: Loaded, spec: DiagnosisSpec) -> None:
    """The folds are there before the results are, so that one that was opened stays open."""
    estimates = st.expander("Estimates and scores", key="fold-estimates")
    others = st.expander("Other estimates", key="fold-others")
    recalibration = st.expander("Recalibration", key="fold-recalibration")
    parts = st.expander("Parts of the scores", key="fold-parts")
    described = st.expander("Methods and data", key="fold-methods")
    with described:
        if data.description:
            st.markdown(plain(data.description))
    if not job.ready:
        for fold in (estimates, others, recalibration, parts, described):
            fold.caption("Here when the tests are done.")
        return
    found = job.future.result()
    with estimates:
        _estimates(found)
    with others:
        found = _others(found, data, spec)
    with recalibration:
        st.markdown("The curve that would make the predictions right.", help=glossary("recalibration"))
        _rows(rows_of_recalibration(found), "Only lenses of two classes have one, on cases without weights.")
    with parts:
        st.markdown("What the Brier score and the log loss consist of.", help=glossary("parts of a score"))
        _rows(rows_of_decompositions(found), "Weighted cases have none.")
    with described:
        _methods(found, data)
    st.download_button(
        "Everything as JSON",
        found.to_json(),
        "diagnosis.json",
        "application/json",
        icon=":material/download:",
    )


def _rows(rows: list[dict[str, str]], none: str) -> None:
    if rows:
        table([_narrow(row) for row in rows])
    else:
        st.caption(none)


def _narrow(row: dict[str, str]) -> dict[str, str]:
    """Few columns, for a phone: ranges and remarks stand below the name."""
    first, *others = row
    below = [f"{head}: {row[head]}" for head in RANGES if row.get(head, "–") != "–"]
    below += [row["Remark"]] if row.get("Remark") else []
    name = "\n".join(part for part in (row[first], "; ".join(below)) if part)
    return {first: name} | {head: row[head] for head in others if head not in (*RANGES, "Remark")}


def _others(found: Diagnosis, data: Loaded, spec: DiagnosisSpec) -> Diagnosis:
    """The other estimates, made when they are asked for; the diagnosis with them once they are there."""
    st.markdown("Further ways to measure how far off the model is.", help=glossary("other estimates"))
    if not spec.estimates:
        asked = replace(spec, estimates=ESTIMATES)
        st.button("Make them", key="make-estimates", on_click=settings.change, args=(asked,))
        return found
    job = jobs.estimates(data.predictions, spec)

    def draw(estimated: Diagnosis) -> None:
        _rows(rows_of_estimates(estimated), "Weighted cases have none.")
        st.caption(UNADJUSTED)
        frame.caution(data)

    progress.shown(job, "Estimating", draw)
    return jobs.together(found, job.future.result()) if job.ready else found


def _methods(found: Diagnosis, data: Loaded) -> None:
    for note in methods(found):
        st.markdown(f"- {plain(note)}")
    if data.reading is not None:
        st.caption("The same on the command line, with your file in place of PREDICTIONS:")
        st.code(command_line(found.spec), language=None, wrap_lines=True)


def _estimates(found: Diagnosis) -> None:
    skce = found.skce
    more = "".join(f", {kernel_error(skce[name])} {name}" for name in ("biased", "linear") if name in skce)
    for line in (
        f"Squared kernel calibration error: {kernel_error(skce['unbiased'])} unbiased "
        f"(if calibrated, 9 times in 10 from {null_range(found)}){more}. "
        f"Bandwidth {found.bandwidth.value:.4g}.",
        ece_sentence(found),
        bins_outside(found.reliability),
        f"Accuracy {score_words(found, 'accuracy')}, Brier score {score_words(found, 'brier')}, "
        f"log loss {score_words(found, 'log_loss')} (± one standard error).",
    ):
        st.markdown(plain(line))
