"""Every diagram twice, on the screen and on paper, from one result."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import plotly.graph_objects as go

from calibcore import (
    Diagnosis,
    DiagnosisSpec,
    Predictions,
    compare,
    decide,
    diagnose,
    monitor,
    plan,
    recalibrate,
    survey,
    survey_groups,
    track_training,
)
from calibcore.assessment.assess import assess
from calibcore.data.examples import load_example, load_run
from calibcore.diagnose import NamedTest, bin_pvalues_for
from calibcore.diagram.binning import MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.diagram.curves import reliability_curve
from calibcore.diagram.density import isolines
from calibcore.diagram.frequency_intervals import frequency_intervals
from calibcore.diagram.outlines import bin_outlines, consistency_outline
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.diagram.spread import spread_binning, spread_of
from calibcore.diagram.zoom import Zoom
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.painters.paper import (
    Figure,
    aligned_print,
    bandwidth_print,
    before_after_print,
    bins_print,
    comparison_print,
    decision_print,
    enough_print,
    evidence_print,
    gains_print,
    group_multiples_print,
    groups_print,
    multiples_print,
    null_print,
    reliability_print,
    selective_print,
    sensitivity_print,
    simplex_print,
    smooth_curve_print,
    smooth_print,
    temperature_print,
    tetrahedron_print,
    training_print,
)
from calibcore.painters.screen.bandwidths import bandwidth_figure
from calibcore.painters.screen.decisions import decision_figure, selective_figure
from calibcore.painters.screen.enough import enough_figure
from calibcore.painters.screen.evidence import evidence_figure
from calibcore.painters.screen.forest import comparison_figure, groups_figure
from calibcore.painters.screen.multiples import group_multiples_figure, multiples_figure
from calibcore.painters.screen.null_distribution import null_figure
from calibcore.painters.screen.pairs import bins_figure
from calibcore.painters.screen.recalibration import before_after_figure, gains_figure, temperature_figure
from calibcore.painters.screen.reliability import reliability_figure
from calibcore.painters.screen.sensitivity import sensitivity_figure
from calibcore.painters.screen.simplex import simplex_figure, smooth_figure
from calibcore.painters.screen.smooth_curve import smooth_curve_figure
from calibcore.painters.screen.tests_aligned import aligned_figure
from calibcore.painters.screen.tetrahedron import tetrahedron_figure
from calibcore.painters.screen.training import training_figure
from calibcore.questions.compare import bins_of_both
from calibcore.questions.groups import group_diagrams
from calibcore.questions.recalibrate import look, temperature_curve
from calibcore.questions.without_bins import average_without_bins
from calibcore.sensitivity.bandwidths import bandwidth_sensitivity
from calibcore.sensitivity.binnings import binning_sensitivity
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.transforms.lenses import ClassLens, TopKLens
from tests.few import few_redraws


@dataclass(frozen=True)
class Twice:
    """``screen()`` the plotly figure, ``paper(width=89)`` the printed one."""

    screen: Callable[[], go.Figure]
    paper: Callable[..., Figure]


@cache
def two_classes() -> Reliability:
    return reliability(TopKLens(1)(load_example("digits-forest")), UniformBinning(10))


@cache
def many_classes() -> Reliability:
    return reliability(load_example("digits-forest"), UniformBinning(4), n_resamples=99)


@cache
def three_classes() -> Reliability:
    return reliability(load_example("wine"), SimplexBinning(5), n_resamples=199)


@cache
def four_classes() -> Reliability:
    return reliability(TopKLens(3)(load_example("digits-forest")), MedianVarianceBinning(50), n_resamples=99)


@cache
def redraws(example: str = "breast-cancer", name: str = "exact-skce") -> NamedTest:
    found = diagnose(load_example(example), DiagnosisSpec(resamples=199, estimates=(), tests=("exact",)))
    test = found.test(name)
    assert test is not None
    return test


@cache
def three_without_bins() -> SmoothArrows:
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=400)
    g = np.exp(2.8 * (rng.normal(size=(400, 3)) + 1.5 * np.eye(3)[labels]))
    names = ("ripe", "green", "a name that is long enough for two lines")
    p = Predictions.from_arrays(g / g.sum(axis=1, keepdims=True), labels, names)
    return average_without_bins(p, DiagnosisSpec(resamples=199))


@cache
def all_tests() -> Diagnosis:
    return diagnose(load_example("wine"), DiagnosisSpec(resamples=99, estimates=()))


@cache
def twice() -> dict[str, Twice]:
    """By name; each with what it can show beside its marks."""
    with few_redraws():
        return _twice()


def _twice() -> dict[str, Twice]:
    p, one = TopKLens(1)(load_example("digits-forest")), two_classes()
    smooth, steps = (reliability_curve(p, kind, n_resamples=49) for kind in ("smooth", "isotonic"))
    intervals = frequency_intervals(one, TopKLens(1))
    wine, spec = load_example("wine"), DiagnosisSpec(binning=MedianVarianceBinning(10), resamples=199)
    cut = reliability(wine, spec.binning, n_resamples=99)
    tests, cells = bin_pvalues_for(wine, spec, cut.n_bins), bin_outlines(wine.probs, spec.binning)
    lines, region = isolines(wine.probs), consistency_outline(cut.mean_prediction[1], float(cut.high[1]))
    surest = TopKLens(1)(load_example("digits-logistic"))
    sure = reliability(surest, spread_binning(spread_of(surest)))
    three, four = three_classes(), four_classes()
    part, small = Zoom((0.0, 0.0, 0.6)), Zoom((0.2, 0.0, 0.0, 0.0))
    frame = consistency_outline(four.mean_prediction[2], float(four.high[2]))
    each = classes_by_evidence(assess(wine, survey(wine, DiagnosisSpec(resamples=99, alpha=0.5))))
    bins = binning_sensitivity(wine, DiagnosisSpec(lens=TopKLens(1), resamples=99))
    bands = bandwidth_sensitivity(wine, DiagnosisSpec(resamples=49))
    beside = compare(
        {name: load_example(f"digits-{name}") for name in ("forest", "naive-bayes", "logistic")},
        DiagnosisSpec(lens=TopKLens(1), resamples=199),
    )
    shared = bins_of_both(p, TopKLens(1)(load_example("digits-naive-bayes")))
    two = ("random forest", "a name of a model that is much too long to stand beside a mark of any kind")
    epochs = {t: q for t, q in load_run("digits-training").items() if t % 12 == 0}
    mended = recalibrate(wine, None, DiagnosisSpec(lens=TopKLens(1), resamples=99))
    best, tried = look(wine, mended, mended.methods[0].kind), temperature_curve(wine, mended)
    run = track_training(epochs, DiagnosisSpec(lens=TopKLens(1), resamples=199))
    worth = decide(wine, DiagnosisSpec(lens=ClassLens(wine.class_names[0]), resamples=199))
    alone = decide(load_example("digits-forest"), DiagnosisSpec(lens=TopKLens(1), resamples=199))
    alike = average_without_bins(
        load_example("digits-forest"), DiagnosisSpec(lens=TopKLens(1), resamples=199)
    )
    planned = plan("beta:2,5", DiagnosisSpec(tolerance=0.15))
    clinic, by_patient = load_example("clinic"), DiagnosisSpec(resamples=199, unit="patient")
    sites = survey_groups(clinic, ["site", "age"], by_patient)
    beside_each_other = group_diagrams(clinic, sites)
    seen = monitor(clinic, by_patient, time="date")
    rows = monitor(load_example("digits-forest"), DiagnosisSpec(lens=TopKLens(1), resamples=199), window=100)
    return {
        "models": Twice(partial(comparison_figure, beside), partial(comparison_print, beside)),
        "bins of two models": Twice(partial(bins_figure, shared, two), partial(bins_print, shared, two)),
        "training": Twice(partial(training_figure, run), partial(training_print, run)),
        "gains": Twice(partial(gains_figure, mended), partial(gains_print, mended)),
        "before and after": Twice(partial(before_after_figure, best), partial(before_after_print, best)),
        "temperature": Twice(
            partial(temperature_figure, mended, tried), partial(temperature_print, mended, tried)
        ),
        "decisions": Twice(partial(decision_figure, worth), partial(decision_print, worth)),
        "accepted answers": Twice(partial(selective_figure, alone), partial(selective_print, alone)),
        "enough cases": Twice(partial(enough_figure, planned), partial(enough_print, planned)),
        "groups": Twice(partial(groups_figure, sites), partial(groups_print, sites)),
        "groups side by side": Twice(
            partial(group_multiples_figure, beside_each_other, 0, 8),
            partial(group_multiples_print, beside_each_other),
        ),
        "evidence": Twice(partial(evidence_figure, seen), partial(evidence_print, seen)),
        "evidence of rows": Twice(
            partial(evidence_figure, rows, "light", "image"), partial(evidence_print, rows, "image")
        ),
        "reliability": Twice(
            partial(reliability_figure, one, "image"), partial(reliability_print, one, "image")
        ),
        "reliability with a curve": Twice(
            partial(reliability_figure, one, curve=steps), partial(reliability_print, one, curve=steps)
        ),
        "reliability in log-odds": Twice(
            partial(reliability_figure, sure, "image", spread=spread_of(surest)),
            partial(reliability_print, sure, "image", spread=spread_of(surest)),
        ),
        "classical": Twice(
            partial(reliability_figure, one, "image", "light", True),
            partial(reliability_print, one, "image", True),
        ),
        "classical with curve and intervals": Twice(
            partial(reliability_figure, one, "image", "light", True, smooth, intervals, True),
            partial(reliability_print, one, "image", True, smooth, intervals, True),
        ),
        "many classes": Twice(
            partial(reliability_figure, many_classes()), partial(reliability_print, many_classes())
        ),
        "triangle": Twice(
            partial(simplex_figure, three, "wine", "light", SimplexBinning(5), 2),
            partial(simplex_print, three, "wine", SimplexBinning(5), 2),
        ),
        "triangle without bins": Twice(
            partial(smooth_figure, three_without_bins(), "wine"),
            partial(smooth_print, three_without_bins(), "wine"),
        ),
        "curve without bins": Twice(
            partial(smooth_curve_figure, alike, "image"), partial(smooth_curve_print, alike, "image")
        ),
        "triangle with all": Twice(
            partial(simplex_figure, cut, "wine", "light", spec.binning, 1, tests, 0.05, cells, lines, region),
            partial(simplex_print, cut, "wine", spec.binning, 1, tests, 0.05, cells, lines, region),
        ),
        "part of the triangle": Twice(
            partial(
                simplex_figure, cut, "wine", "light", spec.binning, 1, tests, 0.05, cells, lines, region, part
            ),
            partial(simplex_print, cut, "wine", spec.binning, 1, tests, 0.05, cells, lines, region, part),
        ),
        "tetrahedron": Twice(
            partial(tetrahedron_figure, four, "image"), partial(tetrahedron_print, four, "image")
        ),
        "side of the tetrahedron": Twice(
            partial(tetrahedron_figure, four, "image", "light", 50, 2, None, 0.05, frame, small),
            partial(tetrahedron_print, four, "image", 50, 2, None, 0.05, frame, small),
        ),
        "tests": Twice(partial(aligned_figure, all_tests()), partial(aligned_print, all_tests())),
        "bandwidths": Twice(partial(bandwidth_figure, bands), partial(bandwidth_print, bands)),
        "other bins": Twice(partial(sensitivity_figure, bins), partial(sensitivity_print, bins)),
        "classes": Twice(partial(multiples_figure, each, 0, 3), partial(multiples_print, each)),
        "null distribution": Twice(partial(null_figure, redraws()), partial(null_print, redraws())),
        "null distribution of the ECE": Twice(
            partial(null_figure, redraws("wine", "exact-ece")),
            partial(null_print, redraws("wine", "exact-ece")),
        ),
    }  # fmt: skip


NAMES = (
    "models", "bins of two models", "training", "decisions", "accepted answers", "enough cases",
    "groups", "groups side by side", "evidence", "evidence of rows",
    "reliability", "reliability with a curve", "reliability in log-odds", "classical",
    "classical with curve and intervals", "many classes", "triangle", "triangle without bins",
    "curve without bins", "triangle with all", "part of the triangle", "tetrahedron",
    "side of the tetrahedron",
    "tests", "bandwidths", "other bins", "classes", "null distribution", "null distribution of the ECE",
)  # fmt: skip
