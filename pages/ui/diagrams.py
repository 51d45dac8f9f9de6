"""The diagram's numbers, and its bins' p-values: at once, or with progress where redrawing takes a while."""

from collections.abc import Callable

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.diagnose import bin_pvalues_for, reliability_for
from calibcore.diagnose.curves import curve_for, curve_settings
from calibcore.diagram.curves import Curve
from calibcore.diagram.reliability import Reliability
from calibcore.hypothesis_tests.bins import BinPvalues, redraws_for_bins
from pages.ui import progress, state
from pages.work import costs, jobs, studies
from pages.work.bundled import is_bundled
from pages.work.job import PATIENCE, Job


def diagram(p: Predictions, spec: DiagnosisSpec) -> Reliability:
    """The reliability diagram's numbers; the page ends here while they are on their way."""
    m = costs.classes_through(spec.lens, p)
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_diagram(n, m, spec))
    if expected.seconds <= costs.AT_ONCE:
        return state.diagram(p, spec)
    only = state.diagram_settings(spec)
    job = studies.begun("diagram", p, only, lambda job: reliability_for(p, only, job.report), expected)
    if not job.ready:
        progress.show(job, "Drawing", lambda _: None, height=progress.FIGURE)
    if not job.ready:
        st.stop()
    return job.future.result()


def curve(p: Predictions, spec: DiagnosisSpec, kind: str) -> Curve | None:
    """The curve over the diagram; None, with its progress, while it is on its way."""
    expected = costs.Estimate(p.n, lambda n: costs.seconds_of_curve(n, spec))
    if expected.seconds <= costs.AT_ONCE:
        return state.curve(p, spec, kind)
    only = curve_settings(spec)
    job = studies.begun(
        "curve", p, only, lambda job: curve_for(p, only, kind, job.report), expected, of=(kind,)
    )
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
    expected = costs.Estimate(diagram_shown.n_cases, lambda n: costs.seconds_of_bin_tests(n, m, redraws))
    if expected.seconds <= costs.UNNOTICED:
        return state.bin_tests(p, spec, diagram_shown.n_bins), None
    only, n_bins = state.diagram_settings(spec), diagram_shown.n_bins
    key = (p.fingerprint, only.to_json())

    def begin() -> Job[BinPvalues | None]:
        return jobs.start(
            kind,
            key,
            lambda job: bin_pvalues_for(p, only, n_bins, job.report),
            expected,
            bundled=is_bundled(p),
        )

    if expected.seconds <= PATIENCE:
        begin().wait_a_moment()
    job = jobs.finished(kind, key)
    return (job.future.result(), None) if job is not None else (None, begin)
