"""Each class against all others, those that speak most against calibration first."""

from dataclasses import dataclass, replace

from calibcore.binning import Binning
from calibcore.diagnose import Progress, reliability_for, stream, telling
from calibcore.diagnose.estimates import level_of
from calibcore.estimators.ece import ECE
from calibcore.hypothesis_tests.adjust import holm
from calibcore.hypothesis_tests.exact import ExactTest
from calibcore.lenses import ClassLens
from calibcore.predictions import InputError, Predictions
from calibcore.reliability import Reliability
from calibcore.spec import DiagnosisSpec
from calibcore.survey import default_lenses, resamples_needed
from calibcore.weighted import refuse_weights


@dataclass(frozen=True, eq=False)
class ClassEvidence:
    """One class against all others.

    Attributes
    ----------
    ece, mean, low, high : the ECE, and under calibration its mean and where 90 % of it lie
    excess : how many standard deviations of the redraws the ECE lies above their mean
    pvalue, adjusted : of the exact test of the ECE, by itself and for all classes looked at (Holm)
    """

    name: str
    diagram: Reliability
    ece: float
    mean: float
    low: float
    high: float
    excess: float
    pvalue: float
    adjusted: float


@dataclass(frozen=True, eq=False)
class ClassesByEvidence:
    """The classes looked at, smallest p first, then the largest excess; ``left_out`` in their own order."""

    classes: tuple[ClassEvidence, ...]
    left_out: tuple[str, ...]
    binning: Binning
    distance: str
    alpha: float
    n_resamples: int


def classes_by_evidence(
    predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None = None
) -> ClassesByEvidence:
    """The diagram and the exact test of the ECE through each class lens, with the bins of ``spec``.

    At most :data:`~calibcore.survey.MOST_CLASSES`, those with the largest mean prediction, never chosen
    by labels. As in a survey, bins that do not fit give way to uniform:10 and too few redraws are raised.
    ``spec.lens`` is not looked at. Cost O(n log n) a class; a redraw costs O(bins).

    Raises
    ------
    InputError : two classes, of which one says all about the other; weighted predictions.
    """
    refuse_weights(predictions)
    if predictions.m == 2:
        raise InputError("With two classes, one class says all about the other; expected three or more.")
    lenses = [lens for lens in default_lenses(predictions) if isinstance(lens, ClassLens)]
    names = [lens.class_name for lens in lenses]
    spec = spec.for_classes(2)
    spec = replace(spec, resamples=max(spec.resamples, resamples_needed(len(lenses), spec.alpha)))
    ece = ECE(spec.binning, spec.distance)
    found = []
    for i, lens in enumerate(lenses):
        report = telling(progress, f"class {i + 1} of {len(lenses)}", i, len(lenses))
        report(0.0)
        diagram = reliability_for(predictions, replace(spec, lens=lens))
        report(0.5)
        # The stream of a diagnosis: the same redraws as there, as long as there are as many.
        test = ExactTest(ece, spec.resamples)(lens(predictions), stream(spec.seed, "exact-ece"))
        assert test.null_distribution is not None
        level = level_of(test.null_distribution)
        above = test.statistic - level["mean"]
        excess = above / level["sd"] if level["sd"] > 0 else (float("inf") if above > 0 else 0.0)
        found.append((lens.class_name, diagram, test.statistic, level, excess, test.pvalue))
    adjusted = holm([pvalue for *_, pvalue in found]).tolist()
    classes = [
        ClassEvidence(name, diagram, value, level["mean"], level["low"], level["high"], excess, pvalue, p)
        for (name, diagram, value, level, excess, pvalue), p in zip(found, adjusted, strict=True)
    ]
    if progress is not None:
        progress(1.0, "done")
    return ClassesByEvidence(
        tuple(sorted(classes, key=lambda c: (c.pvalue, -c.excess))),
        tuple(name for name in predictions.class_names if name not in names),
        spec.binning,
        spec.distance,
        spec.alpha,
        spec.resamples,
    )
