"""Other bandwidths of the kernel test, tried when somebody asks."""

from dataclasses import replace
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.bandwidth_sensitivity import BandwidthSensitivity, bandwidth_sensitivity
from calibcore.figures.bandwidths import bandwidth_figure
from calibcore.words import EXPLORATORY, bandwidth_notes, bandwidth_sentence, rows_of_bandwidths
from pages.ui import frame, jobs, patience, progress, saving, settings, show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded, bundled


def offered(data: Loaded, spec: DiagnosisSpec, opened: bool = False) -> None:
    """A fold with a button; the curve and its word of caution once it is there."""
    job = _job(data.predictions, spec)
    with st.expander("Would another bandwidth change the answer?", key="fold-bandwidths", expanded=opened):
        if not job.ready:
            st.markdown(
                "The exact kernel test at bandwidths from a tenth to ten times the median distance.",
                help=glossary("bandwidth sensitivity"),
            )
        progress.shown(job, "Trying other bandwidths", partial(_curve, data))


def _curve(data: Loaded, found: BandwidthSensitivity) -> None:
    show.figure(
        bandwidth_figure(found, show.theme()),
        key="bandwidth-figure",
        says=bandwidth_sentence(found),
        reading="bandwidths",
        rows=partial(rows_of_bandwidths, found),
        table_name="The bandwidths as a table",
        printed=saving.on_paper("bandwidth_print", found),
    )
    st.info(EXPLORATORY, icon=":material/search:")
    st.caption(plain(" ".join(bandwidth_notes(found))))
    frame.caution(data)


def _job(p: Predictions, spec: DiagnosisSpec) -> jobs.Job[BandwidthSensitivity]:
    """The exact kernel test at many bandwidths; begun only when asked for."""
    start = DiagnosisSpec()
    only = replace(
        start,
        lens=spec.lens,
        **{
            name: getattr(spec, name)
            for name in ("kernel", "resamples", "alpha", "seed", "null", "precision")
        },
    )
    m = settings.classes_through(spec.lens, p)
    expected = patience.Estimate(p.n, lambda n: patience.seconds_of_bandwidths(n, m, only))
    key = (p.fingerprint, only.to_json())
    return jobs.started(
        "bandwidths",
        key,
        lambda job: bandwidth_sensitivity(p, only, job.report),
        expected,
        only_asked=True,
        bundled=bundled(p),
    )
