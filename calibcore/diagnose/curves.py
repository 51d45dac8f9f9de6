"""The curve over a diagram, with the settings of a diagnosis."""

from calibcore.data.predictions import Predictions
from calibcore.diagram.curves import Curve, reliability_curve
from calibcore.numerics.progress import Progress, telling
from calibcore.numerics.streams import stream
from calibcore.settings import DiagnosisSpec


def curve_for(
    predictions: Predictions, spec: DiagnosisSpec, kind: str, progress: Progress | None = None
) -> Curve:
    """The curve through ``spec.lens``, with its levels, redraws and seed; see :func:`reliability_curve`."""
    report = telling(progress, "redrawing outcomes for the band")
    rng = stream(spec.seed, f"curve-{kind}")
    induced = spec.induced(predictions)
    return reliability_curve(induced, kind, spec.interval, spec.resamples, rng, report)


def curve_settings(spec: DiagnosisSpec) -> DiagnosisSpec:
    """Only what a curve depends on: lens, interval, redraws, seed, unit."""
    return DiagnosisSpec(
        lens=spec.lens,
        interval=spec.interval,
        resamples=spec.resamples,
        seed=spec.seed,
        unit=spec.unit,
    )
