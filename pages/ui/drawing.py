"""The diagram's numbers: at once, or with progress where redrawing its bars takes a while."""

import streamlit as st

from calibcore import DiagnosisSpec, Predictions
from calibcore.curves import Curve, curve_for, curve_settings
from calibcore.diagnose import reliability_for
from calibcore.reliability import Reliability
from pages.ui import jobs, patience, progress, settings, state


def diagram(p: Predictions, spec: DiagnosisSpec) -> Reliability:
    """The reliability diagram's numbers; the page ends here while they are on their way."""
    expected = patience.seconds_of_diagram(p.n, settings.classes_through(spec.lens, p), spec)
    if expected <= patience.AT_ONCE:
        return state.diagram(p, spec)
    only = state.diagram_settings(spec)
    key = (p.fingerprint, only.to_json())
    job = jobs.started("diagram", key, lambda job: reliability_for(p, only, job.report), expected)
    if not job.ready:
        progress.shown(job, "Drawing", lambda _: None)
    if not job.ready:
        st.stop()
    return job.future.result()


def curve(p: Predictions, spec: DiagnosisSpec, kind: str) -> Curve | None:
    """The curve over the diagram; None, with its progress, while it is on its way."""
    expected = patience.seconds_of_curve(p.n, p.m, spec)
    if expected <= patience.AT_ONCE:
        return state.curve(p, spec, kind)
    only = curve_settings(spec)
    key = (p.fingerprint, only.to_json(), kind)
    job = jobs.started("curve", key, lambda job: curve_for(p, only, kind, job.report), expected)
    if not job.ready:
        progress.shown(job, "Drawing the curve", lambda _: None)
    return job.future.result() if job.ready else None
