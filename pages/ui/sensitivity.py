"""What other bins would say: the ECE over many ways of binning, on demand."""

from dataclasses import replace
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.figures.sensitivity import sensitivity_figure
from calibcore.sensitivity import BinningSensitivity, binning_sensitivity
from calibcore.words import chosen_way, edge_words, exploratory, sensitivity_rows, sensitivity_sentence
from pages.ui import frame, jobs, patience, progress, saving, settings, show
from pages.ui.show import plain
from pages.ui.state import Loaded, bundled


def section(data: Loaded, spec: DiagnosisSpec) -> None:
    """A fold; its work begins when it is opened. Weighted cases have none, which is said."""

    def inside() -> None:
        if not frame.no_tests(data):
            progress.shown(_job(data, spec), "Trying other bins", partial(_draw, data))

    show.fold("Would other bins change the answer?", "fold-sensitivity", inside)


def _job(data: Loaded, spec: DiagnosisSpec) -> jobs.Job[BinningSensitivity]:
    p, start = data.predictions, DiagnosisSpec()
    # Only what it depends on, so that other settings do not start it anew.
    only = replace(
        spec, tests=(), estimates=(), kernel=start.kernel, bars=start.bars, interval=start.interval
    )
    m = settings.classes_through(spec.lens, p)
    expected = patience.Estimate(p.n, lambda n: patience.seconds_of_other_bins(n, m, spec))
    key = (p.fingerprint, only.to_json())
    return jobs.started(
        "sensitivity", key, lambda job: binning_sensitivity(p, only, job.report), expected, bundled=bundled(p)
    )


def _draw(data: Loaded, found: BinningSensitivity) -> None:
    show.figure(
        sensitivity_figure(found, show.theme()),
        key="sensitivity",
        says=sensitivity_sentence(found),
        reading="sensitivity",
        rows=partial(sensitivity_rows, found),
        table_name="All ways of binning as a table",
        printed=saving.on_paper("sensitivity_print", found),
    )
    st.caption(plain(" ".join(said for said in (chosen_way(found), edge_words(found)) if said)))
    st.caption(plain(exploratory(found)), help=show.glossary("exploratory"))
    frame.caution(data)
