"""The diagram's numbers, and its bins' p-values: at once, or with progress where redrawing takes a while."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.diagnose import bin_pvalues_for, reliability_for
from calibcore.diagnose.curves import curve_for, curve_settings
from calibcore.diagnose.parts import spread_bins
from calibcore.diagram.curves import Curve
from calibcore.diagram.reliability import Reliability
from calibcore.diagram.spread import Spread
from calibcore.hypothesis_tests.bins import BinPvalues, redraws_for_bins
from calibcore.words.diagram import LOG_ODDS
from pages.ui import progress, settings, state
from pages.work import costs, jobs, studies
from pages.work.bundled import is_bundled
from pages.work.job import PATIENCE, Job

VIEW, AXIS, DEVIATION = "look-view", "look-axis", "deviation"
"""Keys of the session: how the diagram of Reliability is looked at, and its axis; the view it starts with."""


def binned(spec: DiagnosisSpec, spread: Spread | None) -> DiagnosisSpec:
    """The settings with the bins of the diagram of Reliability: its own where its axis is in log-odds, unless
    some were chosen."""
    deviations = st.session_state.get(VIEW, DEVIATION) == DEVIATION
    in_log_odds = deviations and st.session_state.get(AXIS, LOG_ODDS) == LOG_ODDS
    own = spread is not None and in_log_odds and not settings.chose_bins(2)
    return spread_bins(spec, spread) if own and spread is not None else spec


def diagram(p: Predictions, spec: DiagnosisSpec) -> Reliability:
    """The reliability diagram's numbers; the page ends here while they are on their way."""
    m = costs.classes_through(spec.lens, p)
    only = state.diagram_settings(spec)
    work = partial(reliability_for, p, only)
    study = studies.study("diagram", p, only, work, lambda n: costs.seconds_of_diagram(n, m, spec))
    if study.expected.seconds <= costs.AT_ONCE:
        return state.diagram(p, spec)
    job = study.begun()
    if not job.ready:
        progress.show(job, "Drawing", lambda _: None, height=progress.FIGURE)
    if not job.ready:
        st.stop()
    return job.future.result()


def curve(p: Predictions, spec: DiagnosisSpec, kind: str) -> Curve | None:
    """The curve over the diagram; None, with its progress, while it is on its way."""
    only = curve_settings(spec)
    work = partial(curve_for, p, only, kind)
    study = studies.study("curve", p, only, work, lambda n: costs.seconds_of_curve(n, spec), subject=(kind,))
    if study.expected.seconds <= costs.AT_ONCE:
        return state.curve(p, spec, kind)
    job = study.begun()
    if not job.ready:
        progress.show(job, "Drawing the curve", lambda _: None)
    return job.future.result() if job.ready else None


def bin_tests(
    p: Predictions, spec: DiagnosisSpec, diagram_shown: Reliability, kind: str = "bins"
) -> tuple[BinPvalues | None, Callable[[], Job[BinPvalues | None]] | None]:
    """The p-values of the diagram's bins, where they have some; else what begins the work on them.

    They are waited for if they take but a moment. Longer work is best begun when the figure is drawn, which
    it would slow. Two figures on one page take jobs of two kinds.
    """
    m = len(diagram_shown.class_names)
    redraws = redraws_for_bins(diagram_shown.n_bins, m, spec.resamples, spec.alpha)
    if redraws is None or not diagram_shown.has_bars:
        return None, None
    only, n_bins = state.diagram_settings(spec), diagram_shown.n_bins
    study = studies.Study(
        kind,
        (p.fingerprint, *studies.of_unit(p, only), only.to_json()),
        lambda job: bin_pvalues_for(p, only, n_bins, job.report),
        costs.Estimate(diagram_shown.n_cases, lambda n: costs.seconds_of_bin_tests(n, m, redraws)),
        is_bundled(p),
    )
    if study.expected.seconds <= costs.UNNOTICED:
        return state.bin_tests(p, spec, n_bins), None
    if study.expected.seconds <= PATIENCE:
        study.begun().wait_a_moment()
    job = jobs.finished(study.kind, study.key)  # the result may be that there are none
    return (None, study.begun) if job is None else (job.future.result(), None)
