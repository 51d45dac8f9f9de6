"""What other bins would say: the ECE over many ways of binning, on demand."""

from dataclasses import replace
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.painters.screen.sensitivity import sensitivity_figure
from calibcore.sensitivity.binnings import BinningSensitivity, binning_sensitivity
from calibcore.words.sensitivity import (
    chosen_way,
    edge_words,
    exploratory,
    sensitivity_rows,
    sensitivity_sentence,
)
from pages.ui import frame, progress, saving, show
from pages.ui.show import plain
from pages.ui.state import Loaded
from pages.work import costs, studies
from pages.work.job import Job


def section(data: Loaded, spec: DiagnosisSpec) -> None:
    """A fold; its work begins when it is opened. Weighted cases have none, which is said."""

    def inside() -> None:
        if not frame.no_tests(data, folded=True):
            progress.show(_job(data, spec), "Trying other bins", partial(_draw, data), height=progress.FIGURE)

    show.fold("Would other bins change the answer?", "fold-sensitivity", inside)


def _job(data: Loaded, spec: DiagnosisSpec) -> Job[BinningSensitivity]:
    p, start = data.predictions, DiagnosisSpec()
    # Only what it depends on, so that other settings do not start it anew.
    only = replace(
        spec, tests=(), estimates=(), kernel=start.kernel, bars=start.bars, interval=start.interval
    )
    m = costs.classes_through(spec.lens, p)
    work = partial(binning_sensitivity, p, only)
    return studies.study(
        "sensitivity", p, only, work, lambda n: costs.seconds_of_other_bins(n, m, spec)
    ).begun()


def _draw(data: Loaded, sensitivity: BinningSensitivity) -> None:
    show.figure(
        sensitivity_figure(sensitivity, show.theme()),
        key="sensitivity",
        says=sensitivity_sentence(sensitivity),
        reading="sensitivity",
        noun=data.noun,
        rows=partial(sensitivity_rows, sensitivity),
        table_name="All ways of binning as a table",
        printed=saving.on_paper("sensitivity_print", sensitivity),
    )
    st.caption(
        plain(
            " ".join(sentence for sentence in (chosen_way(sensitivity), edge_words(sensitivity)) if sentence)
        )
    )
    st.caption(plain(exploratory(sensitivity)), help=show.glossary("exploratory"))
    frame.caution(data)
