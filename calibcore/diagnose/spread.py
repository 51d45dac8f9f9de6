"""How predictions are spread through a lens, and the bins of a diagram where they crowd."""

from dataclasses import replace

from calibcore.data.predictions import Predictions
from calibcore.data.units import one_row_a_unit
from calibcore.diagram.spread import Spread, spread_binning, spread_of
from calibcore.spec import DiagnosisSpec


def spread_for(predictions: Predictions, spec: DiagnosisSpec) -> Spread | None:
    """Through ``spec.lens``, where it has two classes and most predictions crowd; else None."""
    induced = spec.lens(one_row_a_unit(predictions, spec.unit, spec.seed))
    if induced.m != 2:
        return None
    spread = spread_of(induced)
    return spread if spread.crowded else None


def spread_bins(spec: DiagnosisSpec, spread: Spread) -> DiagnosisSpec:
    """With bins that show crowded predictions, in place of the usual ones; others were chosen and stay."""
    usual = spec.binning == DiagnosisSpec().binning
    return replace(spec, binning=spread_binning(spread)) if usual else spec
