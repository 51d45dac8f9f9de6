"""Other bandwidths of the kernel test, tried when somebody asks."""

from dataclasses import replace
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.painters.screen.bandwidths import bandwidth_figure
from calibcore.sensitivity.bandwidths import BandwidthSensitivity, bandwidth_sensitivity
from calibcore.words.sensitivity import EXPLORATORY, bandwidth_notes, bandwidth_sentence, rows_of_bandwidths
from pages.ui import frame, progress, saving, show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work import costs, studies
from pages.work.job import Job


def offered(data: Loaded, spec: DiagnosisSpec, opened: bool = False) -> None:
    """A fold with a button; the curve and its word of caution once it is there."""
    job = _job(data.predictions, spec)
    with st.expander("Would another bandwidth change the answer?", key="fold-bandwidths", expanded=opened):
        if not job.ready:
            st.markdown(
                "The exact kernel test at bandwidths from a tenth to ten times the median distance.",
                help=glossary("bandwidth sensitivity"),
            )
        progress.show(job, "Trying other bandwidths", partial(_curve, data), height=progress.FIGURE)


def _curve(data: Loaded, sensitivity: BandwidthSensitivity) -> None:
    show.figure(
        bandwidth_figure(sensitivity, show.theme()),
        key="bandwidth-figure",
        says=bandwidth_sentence(sensitivity),
        reading="bandwidths",
        noun=data.noun,
        rows=partial(rows_of_bandwidths, sensitivity),
        table_name="The bandwidths as a table",
        printed=saving.on_paper("bandwidth_print", sensitivity),
    )
    st.info(EXPLORATORY, icon=":material/search:")
    st.caption(plain(" ".join(bandwidth_notes(sensitivity))))
    frame.caution(data)


def _job(p: Predictions, spec: DiagnosisSpec) -> Job[BandwidthSensitivity]:
    """The exact kernel test at many bandwidths; begun only when asked for."""
    start = DiagnosisSpec()
    only = replace(
        start,
        lens=spec.lens,
        **{
            name: getattr(spec, name)
            for name in ("kernel", "resamples", "alpha", "seed", "unit", "null", "precision")
        },
    )
    m = costs.classes_through(spec.lens, p)
    return studies.study(
        "bandwidths", p, only, partial(bandwidth_sensitivity, p, only),
        lambda n: costs.seconds_of_bandwidths(n, m, only), only_asked=True,
    ).begun()  # fmt: skip
