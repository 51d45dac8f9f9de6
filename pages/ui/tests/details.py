"""What stands folded below the tests: estimates, recalibration, parts of scores, methods, the JSON."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from calibcore import Diagnosis, DiagnosisSpec
from calibcore.answers.measures import (
    IF_CALIBRATED,
    estimates_table,
    measures_table,
    parts_table,
    recalibration_table,
    scores_table,
)
from calibcore.answers.tables import Table
from calibcore.settings import ESTIMATES
from calibcore.words.repeating import diagnosis_command
from calibcore.words.results import doubts, methods
from pages.ui import answered, frame, progress, saving, settings
from pages.ui.show import csv_button, fold, glossary, plain, table
from pages.ui.state import Loaded
from pages.ui.tests import labels, p_values
from pages.work import studies
from pages.work.job import Job

RANGES = (IF_CALIBRATED, "95 % interval")
REMARKS = ("Remark", "How it differs")


def draw(job: Job[Diagnosis], data: Loaded, spec: DiagnosisSpec) -> None:
    """Every test, and folds of what else there is.

    These are there before the results are, so that one that was opened stays open.
    """
    if not data.predictions.untested:
        _when_ready(job, lambda diagnosis: p_values.for_statisticians(diagnosis, data, spec))
    labels.offered(data, spec)
    estimated = _estimated(job, data, spec)
    fold("More measures", "fold-measures-of-lens", lambda: _when_ready(job, _measures))
    fold("Accuracy and proper scores", "fold-scores", lambda: _when_ready(job, _scores))
    fold("Other estimates", "fold-others", lambda: _when_ready(job, lambda _: _others(data, spec)))
    fold("Recalibration", "fold-recalibration", lambda: _when_ready(job, _recalibration))
    fold("Parts of the scores", "fold-parts", lambda: _when_ready(job, _parts))
    fold("Methods and data", "fold-methods", lambda: _methods(job, data))
    if job.ready:
        diagnosis = job.future.result()
        complete = diagnosis if estimated is None else studies.together(diagnosis, estimated)
        st.download_button(
            "Everything as JSON",
            complete.to_json,
            saving.named("diagnosis", "json"),
            "application/json",
            icon=":material/download:",
            on_click="ignore",
        )


def _when_ready(job: Job[Diagnosis], draw: Callable[[Diagnosis], None]) -> None:
    if job.ready:
        draw(job.future.result())
    else:
        st.caption("Appears when the tests are done.")


def _recalibration(diagnosis: Diagnosis) -> None:
    st.markdown("The curve that would make the predictions right.", help=glossary("recalibration"))
    _rows(recalibration_table(diagnosis), "Only for lenses of two classes, and cases without weights.")


def _parts(diagnosis: Diagnosis) -> None:
    parts = parts_table(diagnosis)
    st.markdown(plain(" ".join(parts.notes)), help=glossary("parts of a score"))
    _rows(parts, "Weighted cases have none.")


def _rows(scores: Table[Any], none: str) -> None:
    if scores.items:
        table([_narrow(row) for row in scores.rows()])
        csv_button(partial(scores.rows, exact=True), scores.name, scores.name)
    else:
        st.caption(none)


def _narrow(row: dict[str, str]) -> dict[str, str]:
    """Few columns, for a phone: ranges and remarks stand below the name."""
    first, *rest = row
    below = [f"{head}: {row[head]}" for head in RANGES if row.get(head, "–") not in ("", "–")]
    below += [row["Remark"]] if row.get("Remark") else []
    below = [". ".join(filter(None, ("; ".join(below), row.get("How it differs"))))]
    name = "\n".join(part for part in (row[first], "; ".join(below)) if part)
    return {first: name} | {head: row[head] for head in rest if head not in (*RANGES, *REMARKS)}


def _estimated(job: Job[Diagnosis], data: Loaded, spec: DiagnosisSpec) -> Diagnosis | None:
    """The other estimates once they were asked for and are there: they are part of the JSON."""
    if not (job.ready and spec.estimates):
        return None
    estimated = studies.estimates(data.predictions, spec).begun()
    return estimated.future.result() if estimated.ready else None


def _make_estimates() -> None:
    settings.change(replace(settings.current(), estimates=ESTIMATES))


def _others(data: Loaded, spec: DiagnosisSpec) -> None:
    """The other estimates, made when they are asked for."""
    st.markdown("Further ways to measure how far off the model is.", help=glossary("other estimates"))
    if not spec.estimates:
        st.button("Make them", key="make-estimates", on_click=_make_estimates)
        return

    def draw(estimated: Diagnosis) -> None:
        estimates = estimates_table(estimated)
        _rows(estimates, "Weighted cases have none.")
        answered.small_print(estimates.notes)
        frame.caution(data)

    progress.show(studies.estimates(data.predictions, spec).begun(), "Estimating", draw)


def _methods(job: Job[Diagnosis], data: Loaded) -> None:
    if data.description:
        st.markdown(plain(data.description))
    _when_ready(job, lambda diagnosis: _done(diagnosis, data))


def _done(diagnosis: Diagnosis, data: Loaded) -> None:
    for note in (*methods(diagnosis), *doubts(diagnosis)):
        st.markdown(f"- {plain(note)}")
    repeat = diagnosis_command(diagnosis.spec, data.origin)
    st.caption("The same on the command line:")
    st.code(repeat.command, language=None, wrap_lines=True)
    for note in repeat.notes:
        st.caption(plain(note))


def _measures(diagnosis: Diagnosis) -> None:
    _rows(measures_table(diagnosis), "")
    st.caption(plain(f"Bandwidth of the kernel error: {diagnosis.bandwidth.value:.4g}."))


def _scores(diagnosis: Diagnosis) -> None:
    scores = scores_table(diagnosis)
    st.markdown(plain(" ".join(scores.notes)))
    _rows(scores, "")
